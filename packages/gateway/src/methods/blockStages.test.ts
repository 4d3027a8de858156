import { afterEach, expect, it } from '@jest/globals';
import { FakeNode } from '../testing/fakeNode.ts';
import { type RunningGateway, startGateway } from '../testing/testGateway.ts';

let running: RunningGateway | null = null;
afterEach(() => running?.gateway.close());

it('tells of each block once when it is visible and once when it is delivered, and not of one that it has', async () => {
  const told: (readonly [string, number, string])[] = [];
  const node = new FakeNode();
  running = await startGateway({
    node,
    options: { onBlock: (stage, { hash, block }) => told.push([stage, block.header.height, hash]) },
  });
  const first = node.commit();
  running.gateway.applyDelta(first);
  running.gateway.applyDelta(first);
  const second = node.commit();
  running.gateway.applyDelta(second);
  expect(told).toEqual([
    ['visible', 1, first.hash],
    ['delivered', 1, first.hash],
    ['visible', 2, second.hash],
    ['delivered', 2, second.hash],
  ]);
  expect(await running.call('eth_blockNumber')).toBe('0x2');
});
