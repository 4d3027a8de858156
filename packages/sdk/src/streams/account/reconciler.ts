import type { DomainEventOf } from '../domainEvents.ts';
import type { AccountDifference, BlockPosition } from '../types.ts';
import { compareLedgers, type Followed, type Ledger, stepLedger } from './ledger.ts';

interface TakenBlock {
  readonly position: BlockPosition;
  readonly events: readonly DomainEventOf[];
}

/** What a comparison of the followed account with the chain's answer found. */
export type Reconciliation =
  /** The stream has not told all of the chain's block yet. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'agreed' }
  /** `ledger` is the chain's, with what came after it. */
  | { readonly kind: 'corrected'; readonly ledger: Ledger; readonly differences: readonly AccountDifference[] };

/** Compares an account as it was followed with the chain's at the block of the latter, while newer blocks come in. */
export class Reconciler {
  readonly #base: Ledger;
  readonly #followed: Followed;
  readonly #taken: TakenBlock[] = [];
  #chain: Ledger | null = null;

  /** @param base as it was followed when the chain was asked */
  constructor(base: Ledger, followed: Followed) {
    this.#base = base;
    this.#followed = followed;
  }

  /** A block that the stream told meanwhile. */
  take(position: BlockPosition, events: readonly DomainEventOf[]): void {
    this.#taken.push({ position, events });
  }

  /** What the chain answered. */
  answer(chain: Ledger): void {
    this.#chain = chain;
  }

  /** @param complete block up to which the stream told everything */
  check(complete: bigint): Reconciliation {
    const chain = this.#chain;
    if (chain === null) return { kind: 'wait' };
    const isLater = ({ position }: TakenBlock): boolean => position.blockNumber > chain.blockNumber;
    const local = this.#after(
      this.#base,
      this.#taken.filter((block) => !isLater(block)),
    );
    const differences = compareLedgers(local, chain);
    if (differences.length === 0) return { kind: 'agreed' };
    // A node shows a block before it tells of it.
    if (complete < chain.blockNumber) return { kind: 'wait' };
    return { kind: 'corrected', ledger: this.#after(chain, this.#taken.filter(isLater)), differences };
  }

  #after(start: Ledger, blocks: readonly TakenBlock[]): Ledger {
    return blocks.reduce(
      (ledger, { position, events }) => stepLedger(ledger, events, position, this.#followed).ledger,
      start,
    );
  }
}
