import type { VerifiedAction, VerifiedTransaction } from '@prime/codec';
import { keccakHex } from '@prime/crypto';
import type { Mempool } from '@prime/mempool';
import type { Hash } from '@prime/primitives';
import type { EngineMetrics } from '../metrics.ts';
import type { VerificationFailure, Verifier } from '../ports.ts';
import { isFailure } from './verifyQueue.ts';

/** Verified items of each kind that are remembered at least, in or out of the mempool: as many as can wait for their check. */
const rememberedMin = 8_192;
/** Unless they are long ones: so many bytes of them at least, and twice as many at most. */
const rememberedBytesMin = 8 << 20;

/** Items of one kind whose signatures are recovered once. */
export interface VerifiedLane<Verified> {
  /** What waits for a block, or was verified lately and is in one, or was refused by the mempool. */
  find(hash: Hash): Verified | null;
  /**
   * In the order of the bytes. What is known is not checked again, and what is being checked is waited for.
   *
   * @param hashes theirs, where the caller has them
   */
  verify(raws: readonly Uint8Array[], hashes?: readonly Hash[]): Promise<readonly (Verified | VerificationFailure)[]>;
  /** What needs no check: it was signed here. */
  add(verified: Verified): void;
}

/** Items whose signatures were checked: in the mempool, in a block that waits, or now. */
export interface VerifiedItems {
  readonly transactions: VerifiedLane<VerifiedTransaction>;
  readonly actions: VerifiedLane<VerifiedAction>;
  /** The same as a verifier, for blocks that come whole. */
  readonly verifier: Verifier;
}

/** Where a checked item is found before its signature is checked again. */
export interface VerifiedItemsOptions {
  /** Recovers senders and signers. */
  readonly verifier: Verifier;
  readonly mempool: Pick<Mempool, 'transaction' | 'action'>;
  readonly metrics: Pick<EngineMetrics, 'recovered'>;
}

/**
 * A signature is recovered once per process, however often and by whichever way its item comes: from a client, by gossip, in a proposal,
 * in a block. A verdict is a function of the bytes, so an item is known by their hash.
 */
export function createVerifiedItems({ verifier, mempool, metrics }: VerifiedItemsOptions): VerifiedItems {
  const transactions = createLane<VerifiedTransaction>(
    (hash) => mempool.transaction(hash),
    (raws) => verifier.transactions(raws),
    (recovered, known) => metrics.recovered('transactions', recovered, known),
  );
  const actions = createLane<VerifiedAction>(
    (hash) => mempool.action(hash),
    (raws) => verifier.actions(raws),
    (recovered, known) => metrics.recovered('actions', recovered, known),
  );
  return {
    transactions,
    actions,
    verifier: { transactions: (raws) => transactions.verify(raws), actions: (raws) => actions.verify(raws) },
  };
}

/** Where the verdict of an item that is being checked will be. */
interface UnderWay<Verified> {
  readonly verdicts: Promise<readonly (Verified | VerificationFailure)[]>;
  readonly index: number;
}

function createLane<Verified extends Item>(
  waiting: (hash: Hash) => Verified | null,
  check: (raws: readonly Uint8Array[]) => Promise<readonly (Verified | VerificationFailure)[]>,
  count: (recovered: number, known: number) => void,
): VerifiedLane<Verified> {
  const recent = new RecentItems<Verified>();
  const underWay = new Map<Hash, UnderWay<Verified>>();
  const find = (hash: Hash): Verified | null => recent.get(hash) ?? waiting(hash);

  /** Begins the check of what nobody has checked yet. */
  const begin = (raws: readonly Uint8Array[], hashes: readonly Hash[]): void => {
    const verdicts = check(raws);
    hashes.forEach((hash, index) => underWay.set(hash, { verdicts, index }));
    const end = (): void => hashes.forEach((hash) => underWay.delete(hash));
    verdicts.then((results) => {
      // Bad ones are not kept: a flood of them would take the place of others.
      for (const result of results) if (!isFailure(result)) recent.add(result);
      end();
    }, end);
  };

  return {
    find,
    add: (verified) => recent.add(verified),
    async verify(raws, hashes = raws.map(keccakHex)) {
      const fresh: Uint8Array[] = [];
      const freshHashes: Hash[] = [];
      const begun = new Set<Hash>();
      const verdicts = hashes.map((hash, index) => {
        const known = find(hash);
        if (known === null && !underWay.has(hash) && !begun.has(hash)) {
          begun.add(hash);
          fresh.push(raws[index]!);
          freshHashes.push(hash);
        }
        return known;
      });
      count(fresh.length, raws.length - fresh.length);
      if (fresh.length > 0) begin(fresh, freshHashes);
      // All are looked up before the first is waited for: whoever is answered is no longer under way.
      const open = verdicts.map((known, index) => (known === null ? underWay.get(hashes[index]!)! : null));
      const results: (Verified | VerificationFailure)[] = [];
      let answered: Promise<unknown> | null = null;
      let batch: readonly (Verified | VerificationFailure)[] = [];
      for (const [index, place] of open.entries()) {
        if (place !== null && place.verdicts !== answered) {
          answered = place.verdicts;
          batch = await place.verdicts;
        }
        results.push(place === null ? verdicts[index]! : batch[place.index]!);
      }
      return results;
    },
  };
}

interface Item {
  readonly hash: Hash;
  readonly raw: Uint8Array;
}

/** Bounded: two generations, of which the older one is forgotten when the newer one is full. */
class RecentItems<Verified extends Item> {
  #newer = new Map<Hash, Verified>();
  #older = new Map<Hash, Verified>();
  /** Of the newer ones. */
  #bytes = 0;

  get(hash: Hash): Verified | null {
    return this.#newer.get(hash) ?? this.#older.get(hash) ?? null;
  }

  add(verified: Verified): void {
    if (this.#newer.size >= rememberedMin || this.#bytes >= rememberedBytesMin) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#bytes = 0;
    }
    this.#newer.set(verified.hash, verified);
    this.#bytes += verified.raw.length;
  }
}
