import { describe, expect, it } from '@jest/globals';
import { statePrefix } from '@prime/codec';
import type { Address, Hash, Height } from '@prime/primitives';
import fc from 'fast-check';
import { createMemoryDatabase, type MemoryDatabase } from '../testing/memoryDatabase.ts';
import { emptyTrieRoot } from '../trie/trie.ts';
import { emptyAccount } from './account.ts';
import { wordKey } from './bytes.ts';
import { createFlatSource } from './flatSource.ts';
import { StateOverlay } from './overlay.ts';
import { pruneState } from './pruneState.ts';
import { createStateTrie } from './stateTrie.ts';
import { createTrieSources } from './trieSource.ts';

const addresses = Array.from({ length: 6 }, (_, name) => `0x${String(name + 1).repeat(40)}` as Address);
const slots = Array.from({ length: 5 }, (_, name) => `0x${String(name).repeat(64)}` as Hash);

type Change =
  | { readonly kind: 'balance'; readonly address: Address; readonly value: bigint }
  | { readonly kind: 'slot'; readonly address: Address; readonly slot: Hash; readonly value: number }
  | { readonly kind: 'clear'; readonly address: Address }
  | { readonly kind: 'delete'; readonly address: Address };

const address = fc.constantFrom(...addresses);
/** Few values, so that states come back and accounts have equal storage. */
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('balance' as const), address, value: fc.bigInt({ min: 1n, max: 3n }) }),
  fc.record({
    kind: fc.constant('slot' as const),
    address,
    slot: fc.constantFrom(...slots),
    value: fc.nat({ max: 2 }),
  }),
  fc.record({ kind: fc.constant('clear' as const), address }),
  fc.record({ kind: fc.constant('delete' as const), address }),
);
const chain = fc.array(fc.array(change, { maxLength: 6 }), { minLength: 1, maxLength: 25 });

function carryOut(overlay: StateOverlay, step: Change): void {
  const account = overlay.account(step.address);
  if (step.kind === 'delete') overlay.deleteAccount(step.address);
  else if (step.kind === 'balance')
    overlay.setAccount(step.address, { ...(account ?? emptyAccount), balance: step.value });
  else if (account === null) return;
  else if (step.kind === 'clear') overlay.clearStorage(step.address);
  else overlay.setSlot(step.address, step.slot, step.value === 0 ? new Uint8Array(0) : Uint8Array.of(step.value));
}

/** Commits blocks one by one and keeps the newest `window` states; null keeps all. */
class Node {
  readonly database: MemoryDatabase = createMemoryDatabase();
  #source = createFlatSource(this.database);
  #trie = createStateTrie({
    database: this.database,
    source: this.#source,
    committedRoot: emptyTrieRoot,
    listsDropped: true,
  });
  readonly roots: Hash[] = [];
  oldest = 1 as Height;

  async commit(changes: readonly Change[]): Promise<void> {
    const height = (this.roots.length + 1) as Height;
    const overlay = new StateOverlay(this.#source);
    for (const step of changes) carryOut(overlay, step);
    const sealed = this.#trie.seal(overlay, await this.#trie.clearedSlots(overlay), height);
    await this.database.write(sealed.writes, { sync: false });
    this.#trie.adopt(sealed);
    this.#source.committed(sealed.changes);
    this.roots.push(wordKey(sealed.stateRoot));
  }

  async prune(window: number, blocksMax: number): Promise<void> {
    const to = (this.roots.length - window + 1) as Height;
    if (to <= this.oldest) return;
    const step = await pruneState(this.database, this.oldest, to, blocksMax);
    await this.database.write(step.writes, { sync: false });
    this.oldest = step.oldest;
  }

  /** A start from the database alone. */
  restart(): void {
    const root = this.roots.at(-1);
    if (root === undefined) return;
    this.#source = createFlatSource(this.database);
    this.#trie = createStateTrie({
      database: this.database,
      source: this.#source,
      committedRoot: Uint8Array.from(Buffer.from(root.slice(2), 'hex')),
      listsDropped: true,
    });
  }

  stateAt(height: number) {
    const source = createTrieSources(this.database)(this.roots[height - 1]!);
    return addresses.map((each) => [source.account(each), slots.map((slot) => [...source.storage(each, slot)])]);
  }

  async nodeCount(): Promise<number> {
    let count = 0;
    for (const prefix of [statePrefix.accountNode, statePrefix.storageNode])
      for await (const _ of this.database.entries(Uint8Array.of(prefix))) count++;
    return count;
  }
}

describe('pruning of states', () => {
  it('random blocks: every kept height gives the answers of a node that keeps all, and roots are the same', async () => {
    const settings = fc.record({ window: fc.integer({ min: 1, max: 6 }), blocksMax: fc.integer({ min: 1, max: 3 }) });
    await fc.assert(
      fc.asyncProperty(chain, settings, async (blocks, { window, blocksMax }) => {
        const archive = new Node();
        const pruned = new Node();
        for (const [index, changes] of blocks.entries()) {
          await archive.commit(changes);
          await pruned.commit(changes);
          await pruned.prune(window, blocksMax);
          if (index % 5 === 4) pruned.restart();
          expect(pruned.roots).toEqual(archive.roots);
          for (let height: number = pruned.oldest; height <= pruned.roots.length; height++)
            expect([height, pruned.stateAt(height)]).toEqual([height, archive.stateAt(height)]);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('once only one state is kept, exactly its nodes are left', async () => {
    await fc.assert(
      fc.asyncProperty(chain, async (blocks) => {
        const pruned = new Node();
        for (const changes of blocks) await pruned.commit(changes);
        await pruned.prune(1, 1000);
        const before = await pruned.nodeCount();
        const copied = new Node();
        // The same state in one block: what is stored for it is what it needs.
        const source = createTrieSources(pruned.database)(pruned.roots.at(-1)!);
        await copied.commit(
          addresses.flatMap((each): Change[] => {
            const account = source.account(each);
            if (account === null) return [];
            return [
              { kind: 'balance', address: each, value: account.balance },
              ...slots.map(
                (slot): Change => ({ kind: 'slot', address: each, slot, value: source.storage(each, slot)[0] ?? 0 }),
              ),
            ];
          }),
        );
        expect(copied.roots.at(-1)).toBe(pruned.roots.at(-1));
        expect(before).toBe(await copied.nodeCount());
      }),
      { numRuns: 100 },
    );
  });

  it('a list that is cut short is a damaged database', async () => {
    const node = new Node();
    await node.commit([{ kind: 'balance', address: addresses[0]!, value: 1n }]);
    await node.commit([{ kind: 'balance', address: addresses[0]!, value: 2n }]);
    const lists: [Uint8Array, Uint8Array][] = [];
    for await (const [key, value] of node.database.entries(Uint8Array.of(statePrefix.droppedNodes)))
      lists.push([key, value]);
    await node.database.write(
      lists.map(([key, value]) => ({ key, value: value.slice(1) })),
      { sync: false },
    );
    await expect(node.prune(1, 10)).rejects.toMatchObject({ code: 'EVM_STATE_CORRUPT' });
  });
});
