import { describe, expect, it } from '@jest/globals';
import type { Address } from '@prime/primitives';
import { boundedConsensus, shared } from './boundedConsensus.ts';
import { addressOf, FakeNode } from '../testing/fakeNode.ts';

/** Questions that are answered one by one, by hand. */
function byHand<T>() {
  const open: ((value: T) => void)[] = [];
  return {
    open,
    ask: () => new Promise<T>((resolve) => open.push(resolve)),
  };
}
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

describe('shared', () => {
  it('many at once: one question under way, one for all who came later, and each learns nothing from before it asked', async () => {
    const { open, ask } = byHand<number>();
    const status = shared(ask);
    const first = status();
    const later = [status(), status(), status()];
    expect(open.length).toBe(1);
    open[0]!(1);
    expect(await first).toBe(1);
    await turns();
    expect(open.length).toBe(2);
    open[1]!(2);
    expect(await Promise.all(later)).toEqual([2, 2, 2]);
    const next = status();
    open[2]!(3);
    expect(await next).toBe(3);
  });

  it('a question that fails fails for those who waited for it only', async () => {
    let asked = 0;
    const status = shared(async () => {
      if (++asked === 1) throw new Error('first');
      return asked;
    });
    const [first, second] = await Promise.allSettled([status(), status()]);
    expect([first!.status, second]).toEqual(['rejected', { status: 'fulfilled', value: 2 }]);
    expect(await status()).toBe(3);
  });
});

describe('boundedConsensus', () => {
  it('asks a few at once and the others in their order', async () => {
    const node = new FakeNode();
    const asked: Address[] = [];
    const { open, ask } = byHand<number>();
    const pendingNonce = (address: Address): Promise<number> => {
      asked.push(address);
      return ask();
    };
    const consensus = boundedConsensus({ ...node.backends.consensus, pendingNonce }, 2);
    const names = ['a', 'b', 'c', 'd', 'e'].map(addressOf);
    const answers = names.map((name) => consensus.pendingNonce(name));
    for (let answered = 0; answered < names.length; answered++) {
      await turns();
      expect(asked).toEqual(names.slice(0, answered + 2));
      open[answered]!(answered);
    }
    expect(await Promise.all(answers)).toEqual([0, 1, 2, 3, 4]);
  });

  it('more than can wait: refused as overload', async () => {
    const node = new FakeNode();
    const { ask } = byHand<number>();
    const consensus = boundedConsensus({ ...node.backends.consensus, pendingNonce: ask }, 1);
    for (let index = 0; index <= 256; index++) void consensus.pendingNonce(addressOf('x'));
    await expect(consensus.pendingNonce(addressOf('x'))).rejects.toMatchObject({
      code: 'RPC_OVERLOADED',
      detail: { limit: 'consensusReads' },
    });
  });
});
