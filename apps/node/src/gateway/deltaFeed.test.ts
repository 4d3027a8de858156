import { describe, expect, it } from '@jest/globals';
import { BusError } from '@prime/bus';
import type { BlockDelta, FlatDelta } from '@prime/codec';
import type { Height } from '@prime/primitives';
import { createDeltaFeed, isTakenTold } from './deltaFeed.ts';

const deltaOf = (height: number) => ({ block: { header: { height } } }) as BlockDelta;

type Told = { readonly delta: FlatDelta; readonly behind: number };

function start(sendReliable: (name: 'delta', told: Told) => void = () => undefined) {
  const sent: number[] = [];
  const told: number[] = [];
  const failures: unknown[] = [];
  const gateway = {
    sendReliable(name: 'delta', each: Told) {
      sendReliable(name, each);
      sent.push(each.delta.block.header.height);
    },
  };
  const feed = createDeltaFeed(
    () => gateway as never,
    (error) => void failures.push(error),
  );
  const run = async (from: number, to: number): Promise<void> => {
    for (let height = from; height <= to; height++) {
      await feed.tell(deltaOf(height), to - height);
      told.push(height);
    }
  };
  return { feed, run, sent, told, failures };
}
const flush = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe('feed of deltas', () => {
  it('waits for a gateway that is 16 blocks behind, wherever the chain stands, until it is nearer', async () => {
    const { feed, run, sent, told } = start();
    const running = run(101, 125);
    await flush();
    expect([sent.at(-1), told.at(-1)]).toEqual([117, 116]);
    feed.onTaken(104 as Height);
    await flush();
    expect([sent.at(-1), told.at(-1)]).toEqual([121, 120]);
    feed.onTaken(112 as Height);
    await running;
    expect(told).toHaveLength(25);
  });

  it('a gateway that tells of the blocks that it is to tell of is never waited for in vain', async () => {
    for (let first = 1; first <= 16; first++) {
      const { feed, run, sent, told } = start();
      const running = run(first, first + 60);
      for (let next = 0; told.length < 61; ) {
        for (; next < sent.length; next++) if (isTakenTold(sent[next] as Height)) feed.onTaken(sent[next] as Height);
        const before = told.length;
        await flush();
        expect([first, told.length > before]).toEqual([first, true]);
      }
      await running;
      expect(sent).toHaveLength(61);
    }
  });

  it('waits for nobody when the gateway has ended', async () => {
    const closed = new BusError('closed', { code: 'BUS_CLOSED', link: 'evm-gateway', reason: 'peerClosed' });
    let isOver = false;
    const { feed, run, sent, failures } = start(() => {
      if (isOver) throw closed;
    });
    const running = run(1, 40);
    await flush();
    expect(sent.at(-1)).toBe(17);
    isOver = true;
    feed.onClosed();
    await running;
    expect([sent.at(-1), failures]).toEqual([17, []]);
  });

  it('what can not be sent otherwise ends the node', async () => {
    const full = new BusError('full', { code: 'BUS_FULL', link: 'evm-gateway', reason: 'outbox', limit: 1 });
    const { run, failures } = start(() => {
      throw full;
    });
    await run(1, 1);
    expect(failures).toEqual([full]);
  });
});
