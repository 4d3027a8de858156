import { transactionData, type VerifiedTransaction } from '@prime/codec';

/** What a payment costs, and what any transaction costs at least. */
const leastGas = 21_000n;
/** Calls that are remembered, by contract and selector. */
const callsMax = 8_192;
/** A call that used less than expected lowers the expectation by this part of the difference. */
const fallWeight = 1 / 8;
const selectorBytes = 4;

/**
 * How much of their gas limits transactions are expected to use: what the same function of the same contract used lately, and the whole
 * limit for what was never seen. Wallets ask for more than they need, often for twice as much.
 *
 * For choosing what to propose, and for nothing that others check: a block is valid by the limits. An expectation rises at once and falls slowly, so
 * that calls of which some are dear count as dear.
 */
export class GasEstimates {
  readonly #used = new Map<string, number>();

  /** @returns gas, from 21 000 to the limit */
  estimate({ gasLimit }: Pick<VerifiedTransaction, 'gasLimit'>, call: string | null): number {
    const limit = Number(gasLimit);
    return call === null ? limit : Math.min(limit, this.#used.get(call) ?? limit);
  }

  /** @param call as {@link callOf} names it @param gasUsed of its receipt */
  learn(call: string | null, gasUsed: number): void {
    if (call === null) return;
    const expected = this.#used.get(call);
    this.#used.delete(call);
    this.#used.set(call, expected === undefined || gasUsed > expected ? gasUsed : fall(expected, gasUsed));
    if (this.#used.size <= callsMax) return;
    for (const oldest of this.#used.keys()) {
      this.#used.delete(oldest);
      return;
    }
  }
}

const fall = (expected: number, used: number): number => Math.ceil(expected - (expected - used) * fallWeight);

/**
 * The name of what a transaction calls: contract and selector.
 *
 * @returns null where its limit says it all: a payment that can use no more, and a creation, which is like no other
 */
export function callOf({ to, gasLimit, raw, type }: VerifiedTransaction): string | null {
  if (to === null || gasLimit <= leastGas) return null;
  const data = transactionData(raw, type);
  const selector =
    data === null || data.length < selectorBytes ? 0 : new DataView(data.buffer, data.byteOffset).getUint32(0);
  return `${to}${selector.toString(16)}`;
}
