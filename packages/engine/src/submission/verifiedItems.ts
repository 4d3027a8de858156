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

type Verdicts<Verified> = readonly (Verified | VerificationFailure)[];

/** Items that are checked together. */
interface Batch<Verified> {
  readonly raws: Uint8Array[];
  readonly hashes: Hash[];
  verdicts: Promise<Verdicts<Verified>>;
}

/** Where the verdict of an item that is being checked will be. */
interface UnderWay<Verified> {
  readonly batch: Batch<Verified>;
  readonly index: number;
}

function createLane<Verified extends Item>(
  waiting: (hash: Hash) => Verified | null,
  check: (raws: readonly Uint8Array[]) => Promise<Verdicts<Verified>>,
  count: (recovered: number, known: number) => void,
): VerifiedLane<Verified> {
  const recent = new RecentItems<Verified>();
  const underWay = new Map<Hash, UnderWay<Verified>>();
  const find = (hash: Hash): Verified | null => recent.get(hash) ?? waiting(hash);

  const end = ({ hashes }: Batch<Verified>): void => {
    for (const hash of hashes) underWay.delete(hash);
  };

  /** Begins the check of what nobody has checked yet. */
  const begin = (batch: Batch<Verified>): void => {
    batch.verdicts = check(batch.raws);
    batch.verdicts.then(
      (results) => {
        // Bad ones are not kept: a flood of them would take the place of others.
        for (const result of results) if (!isFailure(result)) recent.add(result);
        end(batch);
      },
      () => end(batch),
    );
  };

  return {
    find,
    add: (verified) => recent.add(verified),
    async verify(raws, hashes = raws.map(keccakHex)) {
      const fresh: Batch<Verified> = { raws: [], hashes: [], verdicts: nothingChecked };
      const places: (Verified | UnderWay<Verified>)[] = [];
      // All are looked up before the first is waited for: whoever is answered is no longer under way.
      for (let index = 0; index < raws.length; index++) {
        const hash = hashes[index]!;
        let place = find(hash) ?? underWay.get(hash);
        if (place === undefined) {
          place = { batch: fresh, index: fresh.raws.length };
          underWay.set(hash, place);
          fresh.raws.push(raws[index]!);
          fresh.hashes.push(hash);
        }
        places.push(place);
      }
      count(fresh.raws.length, raws.length - fresh.raws.length);
      if (fresh.raws.length > 0) begin(fresh);
      return verdictsAt(places);
    },
  };
}

const nothingChecked: Promise<readonly never[]> = Promise.resolve([]);

/** What is known, and what is waited for, in their order. */
async function verdictsAt<Verified extends Item>(
  places: readonly (Verified | UnderWay<Verified>)[],
): Promise<(Verified | VerificationFailure)[]> {
  const results: (Verified | VerificationFailure)[] = [];
  let answered: Batch<Verified> | null = null;
  let verdicts: Verdicts<Verified> = [];
  for (const place of places) {
    if (!('batch' in place)) {
      results.push(place);
      continue;
    }
    if (place.batch !== answered) {
      answered = place.batch;
      verdicts = await answered.verdicts;
    }
    results.push(verdicts[place.index]!);
  }
  return results;
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
