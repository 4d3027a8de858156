/** A trie that is written every some blocks, beside one that is written with each: the same answers at every height, whenever the process ends. */
import { describe, expect, it } from '@jest/globals';
import { statePrefix } from '@prime/codec';
import type { Address, Hash } from '@prime/primitives';
import fc from 'fast-check';
import { addresses, type Change, StateChain, stateChanges } from '../testing/stateChain.ts';
import { bytesOf } from './bytes.ts';
import { createStateNodes } from './stateNodes.ts';
import { decodeDiff, diffKey, encodeDiff } from './stateDiff.ts';
import { noWindow, usualWindow, type WindowLimits } from './trieWindow.ts';

const pay = (value: number, address: Address = addresses[0]!): Change => ({
  kind: 'balance',
  address,
  value: BigInt(value),
});

const slotOne = `0x${'1'.repeat(64)}` as Hash;

const wholeOnly = (blocks: number): WindowLimits => ({ blocks, changes: Number.MAX_SAFE_INTEGER });

/** Heights whose trie is in the database. */
async function wholeHeights(chain: StateChain): Promise<number[]> {
  const isWhole = chain.roots.map((root) => chain.database.getSync(diffKey(bytesOf(root))) === undefined);
  return isWhole.flatMap((whole, index) => (whole ? [index + 1] : []));
}

describe('a trie that is written every some blocks', () => {
  it('random blocks: all states, proofs and roots are those of a trie that is written with each, over any restarts', async () => {
    const plan = fc.record({
      limits: fc.record({ blocks: fc.integer({ min: 1, max: 6 }), changes: fc.integer({ min: 1, max: 30 }) }),
      restarts: fc.array(fc.boolean(), { minLength: 25, maxLength: 25 }),
      discards: fc.array(fc.boolean(), { minLength: 25, maxLength: 25 }),
      jumps: fc.array(fc.integer({ min: -1, max: 3 }), { minLength: 25, maxLength: 25 }),
    });
    await fc.assert(
      fc.asyncProperty(stateChanges, plan, async (blocks, { limits, restarts, discards, jumps }) => {
        const plain = new StateChain(noWindow);
        const chain = new StateChain(limits);
        const nodesAt = createStateNodes(chain.database);
        for (const [index, changes] of blocks.entries()) {
          if (discards[index]) await chain.discard(blocks[(index * 7) % blocks.length]!);
          await plain.commit(changes);
          await chain.commit(changes);
          if (restarts[index]) chain.restart();
          expect(chain.roots).toEqual(plain.roots);
          expect(await chain.faults()).toEqual([]);
          expect(chain.proofsAt(index + 1, nodesAt)).toEqual(plain.proofsAt(index + 1));
          const earlier = Math.max(1, index - jumps[index]!);
          expect(chain.proofsAt(earlier, nodesAt)).toEqual(plain.proofsAt(earlier));
        }
        for (let height = 1; height <= blocks.length; height++) {
          expect([height, chain.stateAt(height)]).toEqual([height, plain.stateAt(height)]);
          expect([height, chain.proofsAt(height)]).toEqual([height, plain.proofsAt(height)]);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('whatever restarts there were, the same records are written', async () => {
    await fc.assert(
      fc.asyncProperty(stateChanges, fc.integer({ min: 2, max: 6 }), async (blocks, length) => {
        const [steady, restarted] = [new StateChain(wholeOnly(length)), new StateChain(wholeOnly(length))];
        for (const changes of blocks) {
          await steady.commit(changes);
          await restarted.commit(changes);
          restarted.restart();
        }
        expect(restarted.database.dump()).toEqual(steady.database.dump());
      }),
      { numRuns: 60 },
    );
  });

  it.each([1, 2, 3, 31, 32, 33, 64, 65])('%d blocks of one payment: each 32nd is whole', async (count) => {
    const chain = new StateChain(usualWindow);
    for (let block = 1; block <= count; block++) await chain.commit([pay(block)]);
    expect(await wholeHeights(chain)).toEqual([32, 64].filter((height) => height <= count));
    chain.restart();
    await chain.commit([pay(1000)]);
    expect(await chain.faults()).toEqual([]);
  });

  it('blocks that change more than is kept in memory are whole, one after the other', async () => {
    const chain = new StateChain({ blocks: 32, changes: 3 });
    const all = (value: number) => addresses.map((address) => pay(value, address));
    for (const changes of [all(1), all(2), [pay(3)], [pay(4)], [pay(5)], [pay(6)], [pay(7)]])
      await chain.commit(changes);
    expect(await wholeHeights(chain)).toEqual([1, 2, 6]);
  });

  it('a block that changes nothing writes nothing, and a state that comes back is whole', async () => {
    const chain = new StateChain(usualWindow);
    await chain.commit([pay(1)]);
    expect(await chain.commit([])).toBe(0);
    await chain.commit([pay(2)]);
    await chain.commit([pay(1)]);
    await chain.commit([pay(2)]);
    expect(chain.roots[3]).toBe(chain.roots[0]);
    expect(await wholeHeights(chain)).toEqual([1, 2, 3, 4, 5]);
    for (const height of [1, 2, 4]) expect(chain.stateAt(height)).toEqual(chain.stateAt(1));
    for (const height of [3, 5]) expect(chain.stateAt(height)).toEqual(chain.stateAt(3));
  });

  it('nodes that come and go between two whole tries are never written', async () => {
    const bytesOfRun = async (window: WindowLimits): Promise<number> => {
      const chain = new StateChain(window);
      let bytes = 0;
      for (let block = 1; block <= 64; block++) bytes += await chain.commit([pay(block, addresses[block % 6])]);
      return bytes;
    };
    expect(await bytesOfRun(usualWindow)).toBeLessThan(0.5 * (await bytesOfRun(noWindow)));
  });
});

describe('changes of recent blocks that are damaged', () => {
  const run = async (): Promise<StateChain> => {
    const chain = new StateChain(usualWindow);
    await chain.commit(addresses.map((address) => pay(1, address)));
    await chain.commit([{ kind: 'slot', address: addresses[1]!, slot: slotOne, value: 1 }]);
    await chain.commit([pay(7)]);
    return chain;
  };

  it.each([1, 2, 3])(
    'another balance at height %d: the start ends, and readers and the check say so',
    async (height) => {
      const chain = await run();
      const root = bytesOf(chain.roots[height - 1]!);
      const diff = decodeDiff(root, chain.database.getSync(diffKey(root))!);
      const accounts = new Map(
        [...diff.accounts].map(([address, account]) => [address, { ...account!, balance: account!.balance + 1n }]),
      );
      await chain.database.write([{ key: diffKey(root), value: encodeDiff({ ...diff, accounts }) }], { sync: false });
      expect(() => chain.restart()).toThrow(expect.objectContaining({ code: 'EVM_TRIE_MISMATCH' }));
      expect(() => chain.proofsAt(height)).toThrow(expect.objectContaining({ code: 'EVM_TRIE_MISMATCH' }));
      expect(await chain.faults()).not.toEqual([]);
    },
  );

  it('another slot: the same', async () => {
    const chain = await run();
    const root = bytesOf(chain.roots[1]!);
    const diff = decodeDiff(root, chain.database.getSync(diffKey(root))!);
    const storage = new Map(
      [...diff.storage].map(([of, slots]) => [of, new Map([...slots.keys()].map((slot) => [slot, Uint8Array.of(9)]))]),
    );
    await chain.database.write([{ key: diffKey(root), value: encodeDiff({ ...diff, storage }) }], { sync: false });
    expect(() => chain.restart()).toThrow(expect.objectContaining({ code: 'EVM_TRIE_MISMATCH' }));
    expect(() => chain.proofsAt(2)).toThrow(expect.objectContaining({ code: 'EVM_TRIE_MISMATCH' }));
    expect(await chain.faults()).not.toEqual([]);
  });

  it.each([1, 2, 3])('none at height %d: its root is a missing node', async (height) => {
    const chain = await run();
    await chain.database.write([{ key: diffKey(bytesOf(chain.roots[height - 1]!)), value: null }], { sync: false });
    expect(() => chain.restart()).toThrow(expect.objectContaining({ code: 'EVM_NODE_MISSING' }));
    expect(() => chain.stateAt(3)).toThrow(expect.objectContaining({ code: 'EVM_NODE_MISSING' }));
    expect(await chain.faults()).not.toEqual([]);
  });

  it.each([
    ['no RLP', Uint8Array.of(0xff)],
    ['bytes', Uint8Array.of(1)],
    ['a short list', Uint8Array.of(0xc1, 1)],
    ['an account without an address', Uint8Array.of(0xc4, 1, 0xc1, 0xc0, 0xc0)],
    ['a list for a root', Uint8Array.of(0xc3, 0xc0, 0xc0, 0xc0)],
  ])('%s is a damaged database', async (_name, bytes) => {
    const chain = await run();
    for await (const [key] of chain.database.entries(Uint8Array.of(statePrefix.stateDiff)))
      await chain.database.write([{ key, value: bytes }], { sync: false });
    expect(() => chain.restart()).toThrow(expect.objectContaining({ code: 'EVM_STATE_CORRUPT' }));
  });
});
