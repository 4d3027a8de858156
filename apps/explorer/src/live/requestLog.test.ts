import { expect, it } from '@jest/globals';
import { createRequestLog } from './requestLog.ts';

it('the log of requests keeps the newest ones, without what waited for them', () => {
  const log = createRequestLog(() => 5);
  const call = { method: 'a', params: [1], tookMs: 2, outcome: 'answered', resolve: () => undefined } as const;
  for (let count = 0; count < 250; count++) log.add(call);
  expect(log.calls.value.length).toBe(200);
  expect(log.calls.value[0]).toEqual({ id: 249, atMs: 5, method: 'a', params: [1], tookMs: 2, outcome: 'answered' });
  log.clear();
  expect(log.calls.value).toEqual([]);
});
