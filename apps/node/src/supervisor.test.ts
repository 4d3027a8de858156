import { expect, it } from '@jest/globals';
import { adminPorts } from './supervisor.ts';

it('a node that starts says so: it lives, is not ready, and takes no commands', async () => {
  let started = false;
  const asked: string[] = [];
  const thread = { operate: async ({ kind }: { readonly kind: string }) => asked.push(kind) };
  const ports = adminPorts({
    statusOf: (name) => (started ? Promise.resolve({ name }) : Promise.reject(new Error('busy'))),
    renderMetrics: async () => '',
    threads: new Map([['consensus', thread]]),
    stages: { keep: async (stamps) => ({ on: stamps > 0, stamps }), read: () => '{}' },
    isStarted: () => started,
  });
  expect(await ports.health()).toBe(true);
  expect(await ports.ready()).toEqual({ ready: false, reason: 'starting' });
  expect(await ports.consensus()).toBeNull();
  await expect(ports.operate({ kind: 'peers' })).rejects.toMatchObject({ code: 'OPERATOR_STARTING' });
  await expect(ports.operate({ kind: 'dump' })).rejects.toMatchObject({ code: 'OPERATOR_STARTING' });
  expect(asked).toEqual([]);
  started = true;
  expect(await ports.operate({ kind: 'peers' })).toBe(1);
  expect(await ports.consensus()).toEqual({ name: 'consensus' });
});
