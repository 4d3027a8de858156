import { afterEach, expect, it } from '@jest/globals';
import { FakeNode } from '../../testing/fakeNode.ts';
import { BlockWatcher, type WatchedBlock } from './blockWatcher.ts';

let close: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of close.reverse()) await each();
  close = [];
});

it('tells when a node told of a block, whenever its content could be read', async () => {
  const clock = { now: 1_000 };
  let head = 0;
  let isReadable = false;
  let refused!: () => void;
  const firstRead = new Promise<void>((resolve) => (refused = resolve));
  let subscribed!: () => void;
  const connected = new Promise<void>((resolve) => (subscribed = resolve));
  const node = await FakeNode.start(({ method, params: [first] }) => {
    if (method === 'eth_subscribe') subscribed();
    if (method !== 'prime_getBlockByNumber') return { result: `0x${head.toString(16)}` };
    if (!isReadable) refused();
    const block = { number: first, timestamp_ms: '0x1', gas_used: '0x0', transactions: [], actions: [] };
    return { result: isReadable ? block : null };
  });
  close.push(() => node.stop());
  const tell = (height: number): void => {
    head = height;
    node.notify({ result: { number: `0x${height.toString(16)}` } });
  };
  const blocks: WatchedBlock[] = [];
  let all!: () => void;
  const read = new Promise<void>((resolve) => (all = resolve));
  const watcher = new BlockWatcher({
    urls: [node.url],
    from: 3,
    nowMs: () => clock.now,
    onBlock: (block) => {
      blocks.push(block);
      if (block.height === 6) all();
    },
  });
  close.push(() => watcher.close());
  await connected;
  tell(4);
  await firstRead;
  clock.now = 9_000;
  isReadable = true;
  tell(6);
  await read;
  // Of 3 and 5 nobody told: 4 and 6 are proof of them.
  expect(blocks.map(({ height, toldMs, seenMs }) => [height, toldMs, seenMs])).toEqual([
    [3, 1_000, 9_000],
    [4, 1_000, 9_000],
    [5, 9_000, 9_000],
    [6, 9_000, 9_000],
  ]);
});
