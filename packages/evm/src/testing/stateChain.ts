import { statePrefix } from '@prime/codec';
import type { Address, Hash, Height } from '@prime/primitives';
import fc from 'fast-check';
import { proveAccount } from '../read/prove.ts';
import { emptyAccount } from '../state/account.ts';
import { bytesOf, wordKey } from '../state/bytes.ts';
import { checkState } from '../state/checkState.ts';
import { createFlatSource } from '../state/flatSource.ts';
import { StateOverlay } from '../state/overlay.ts';
import { pruneState } from '../state/pruneState.ts';
import { createStateNodes } from '../state/stateNodes.ts';
import { createStateTrie } from '../state/stateTrie.ts';
import { createTrieSources } from '../state/trieSource.ts';
import type { WindowLimits } from '../state/trieWindow.ts';
import { emptyTrieRoot } from '../trie/trie.ts';
import { createMemoryDatabase, type MemoryDatabase } from './memoryDatabase.ts';

/** Accounts of these chains, and slots that they have. */
export const addresses = Array.from({ length: 6 }, (_, name) => `0x${String(name + 1).repeat(40)}` as Address);
const slots = Array.from({ length: 5 }, (_, name) => `0x${String(name).repeat(64)}` as Hash);

/** What a block does to one account. */
export type Change =
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
/** Changes of the blocks of a chain. */
export const stateChanges = fc.array(fc.array(change, { maxLength: 6 }), { minLength: 1, maxLength: 25 });

function carryOut(overlay: StateOverlay, step: Change): void {
  const account = overlay.account(step.address);
  if (step.kind === 'delete') overlay.deleteAccount(step.address);
  else if (step.kind === 'balance')
    overlay.setAccount(step.address, { ...(account ?? emptyAccount), balance: step.value });
  else if (account === null) return;
  else if (step.kind === 'clear') overlay.clearStorage(step.address);
  else overlay.setSlot(step.address, step.slot, step.value === 0 ? new Uint8Array(0) : Uint8Array.of(step.value));
}

/** States without an EVM: commits blocks one by one, and keeps all states or the newest ones. */
export class StateChain {
  readonly database: MemoryDatabase = createMemoryDatabase();
  readonly roots: Hash[] = [];
  oldest = 1 as Height;
  readonly #window: WindowLimits;
  #source = createFlatSource(this.database);
  #trie;

  constructor(window: WindowLimits) {
    this.#window = window;
    this.#trie = this.#open(emptyTrieRoot);
  }

  #open(committedRoot: Uint8Array): ReturnType<typeof createStateTrie> {
    const window = this.#window;
    return createStateTrie({
      database: this.database,
      source: this.#source,
      committedRoot,
      listsDropped: true,
      window,
    });
  }

  /** @returns how many bytes were written */
  async commit(changes: readonly Change[]): Promise<number> {
    const sealed = await this.#seal(changes);
    await this.database.write(sealed.writes, { sync: false });
    this.#trie.adopt(sealed);
    this.#source.committed(sealed.changes);
    this.roots.push(wordKey(sealed.stateRoot));
    return sealed.writes.reduce((sum, { key, value }) => sum + key.length + (value?.length ?? 0), 0);
  }

  /** Executes a block that nobody decides. */
  async discard(changes: readonly Change[]): Promise<void> {
    await this.#seal(changes);
  }

  async #seal(changes: readonly Change[]) {
    const overlay = new StateOverlay(this.#source);
    for (const step of changes) carryOut(overlay, step);
    const height = (this.roots.length + 1) as Height;
    return this.#trie.seal(overlay, await this.#trie.clearedSlots(overlay), height);
  }

  /** Keeps so many of the newest states, and gives up so many at most. */
  async prune(count: number, heightsMax = Number.MAX_SAFE_INTEGER): Promise<void> {
    const to = Math.min(this.roots.length - count + 1, this.oldest + heightsMax) as Height;
    if (to <= this.oldest) return;
    await this.database.write(await pruneState(this.database, this.oldest, to), { sync: false });
    this.oldest = to;
  }

  /** A start from the database alone. */
  restart(): void {
    const root = this.roots.at(-1);
    if (root === undefined) return;
    this.#source = createFlatSource(this.database);
    this.#trie = this.#open(bytesOf(root));
  }

  /** Accounts and slots as readers see them, who keep nothing from before. */
  stateAt(height: number): unknown {
    const source = createTrieSources(this.database)(this.roots[height - 1]!);
    return addresses.map((each) => [source.account(each), slots.map((slot) => [...source.storage(each, slot)])]);
  }

  /** Proofs of all accounts and slots. @param nodesAt a reader that keeps something from before */
  proofsAt(height: number, nodesAt = createStateNodes(this.database)): unknown {
    const root = this.roots[height - 1]!;
    return addresses.map((each) => proveAccount(nodesAt, each, slots, root));
  }

  /** What a check of the newest state finds wrong. */
  async faults(): Promise<readonly string[]> {
    const root = this.roots.at(-1) ?? wordKey(emptyTrieRoot);
    return (await checkState(this.database, root, 10)).faults;
  }

  async count(...prefixes: readonly (keyof typeof statePrefix)[]): Promise<number> {
    let count = 0;
    for (const prefix of prefixes)
      for await (const _ of this.database.entries(Uint8Array.of(statePrefix[prefix]))) count++;
    return count;
  }

  /** The newest state, as changes that make it in one block. */
  changesTo(root: Hash): readonly Change[] {
    const source = createTrieSources(this.database)(root);
    return addresses.flatMap((each): Change[] => {
      const account = source.account(each);
      if (account === null) return [];
      return [
        { kind: 'balance', address: each, value: account.balance },
        ...slots.map(
          (slot): Change => ({ kind: 'slot', address: each, slot, value: source.storage(each, slot)[0] ?? 0 }),
        ),
      ];
    });
  }
}
