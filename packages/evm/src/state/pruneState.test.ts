import { describe, expect, it } from '@jest/globals';
import { statePrefix } from '@prime/codec';
import fc from 'fast-check';
import { addresses, StateChain, stateChanges } from '../testing/stateChain.ts';
import { bytesOf, wordKey } from './bytes.ts';
import { diffsUpTo } from './stateDiff.ts';
import { noWindow } from './trieWindow.ts';

const limits = fc.record({ blocks: fc.integer({ min: 1, max: 5 }), changes: fc.integer({ min: 1, max: 20 }) });

describe('pruning of states', () => {
  it('random blocks: every kept height gives the answers of a node that keeps all and writes each trie, and roots are the same', async () => {
    const settings = fc.record({ window: fc.integer({ min: 1, max: 6 }), heightsMax: fc.integer({ min: 1, max: 3 }) });
    await fc.assert(
      fc.asyncProperty(stateChanges, settings, limits, async (blocks, { window, heightsMax }, pruning) => {
        const archive = new StateChain(noWindow);
        const pruned = new StateChain(pruning);
        for (const [index, changes] of blocks.entries()) {
          await archive.commit(changes);
          await pruned.commit(changes);
          await pruned.prune(window, heightsMax);
          if (index % 5 === 4) pruned.restart();
          expect(pruned.roots).toEqual(archive.roots);
          for (let height: number = pruned.oldest; height <= pruned.roots.length; height++)
            expect([height, pruned.stateAt(height)]).toEqual([height, archive.stateAt(height)]);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('once only one state is kept, exactly its nodes are left, or those of the whole trie below it and the diffs up to it', async () => {
    let between = 0;
    await fc.assert(
      fc.asyncProperty(stateChanges, limits, async (blocks, window) => {
        const pruned = new StateChain(window);
        for (const changes of blocks) await pruned.commit(changes);
        await pruned.prune(1);
        const { base, diffs } = diffsUpTo(pruned.database, bytesOf(pruned.roots.at(-1)!));
        between += diffs.length;
        const copied = new StateChain(noWindow);
        // The same state in one block: what is stored for it is what it needs.
        await copied.commit(pruned.changesTo(wordKey(base)));
        expect(copied.roots.at(-1)).toBe(wordKey(base));
        const nodes = ['accountNode', 'storageNode'] as const;
        expect(await pruned.count(...nodes)).toBe(await copied.count(...nodes));
        expect(await pruned.count('stateDiff')).toBe(diffs.length);
      }),
      { numRuns: 150 },
    );
    expect(between).toBeGreaterThan(50);
  });

  it('a list that is cut short is a damaged database', async () => {
    const chain = new StateChain(noWindow);
    await chain.commit([{ kind: 'balance', address: addresses[0]!, value: 1n }]);
    await chain.commit([{ kind: 'balance', address: addresses[0]!, value: 2n }]);
    const lists: [Uint8Array, Uint8Array][] = [];
    for await (const [key, value] of chain.database.entries(Uint8Array.of(statePrefix.droppedNodes)))
      lists.push([key, value]);
    expect(lists).toHaveLength(1);
    await chain.database.write(
      lists.map(([key, value]) => ({ key, value: value.slice(1) })),
      { sync: false },
    );
    await expect(chain.prune(1)).rejects.toMatchObject({ code: 'EVM_STATE_CORRUPT' });
  });
});
