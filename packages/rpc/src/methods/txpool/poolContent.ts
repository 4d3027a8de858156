import { Type } from '@sinclair/typebox';
import { formatTransaction } from '../../format/transaction.ts';
import type { WaitingTransaction } from '../../ports/ports.ts';
import { transactionResult } from '../../schema/resultSchemas.ts';
import { sample, sampleTransaction } from '../../schema/samples.ts';

/** The shapes of go-ethereum's txpool_ methods: by status, by sender, by nonce in decimal. */

/** A transaction that is in no block. */
export const pooledTransactionResult = Type.Composite([transactionResult, Type.Object({ blockHash: Type.Null() })]);

/** Example of one sender's transactions: keys are nonces in decimal, as go-ethereum has them. */
export const sampleByNonce = {
  0: { ...sampleTransaction, blockHash: null, blockNumber: null, blockTimestamp: null, transactionIndex: null },
};

/** Example of a mempool with one transaction that is executable. */
export const poolSample = { pending: { [sample.address]: sampleByNonce }, queued: {} };

type ByNonce<T> = Record<string, T>;
interface ByStatus<T> {
  readonly pending: T;
  readonly queued: T;
}

const transactionOf = ({ raw, hash, sender }: WaitingTransaction): Record<string, unknown> =>
  formatTransaction(raw, hash, sender, null);

function group<T>(
  entries: readonly WaitingTransaction[],
  show: (entry: WaitingTransaction) => T,
): ByStatus<Record<string, ByNonce<T>>> {
  const groups: ByStatus<Record<string, ByNonce<T>>> = { pending: {}, queued: {} };
  for (const entry of entries) {
    const bySender = groups[entry.status];
    const byNonce = (bySender[entry.sender] ??= {});
    byNonce[entry.nonce] = show(entry);
  }
  return groups;
}

/** Whole transactions as `txpool_content` shows them. */
export const poolByStatus = (entries: readonly WaitingTransaction[]): unknown => group(entries, transactionOf);

/** Of one sender. */
export function senderByStatus(entries: readonly WaitingTransaction[]): unknown {
  const { pending, queued } = group(entries, transactionOf);
  return { pending: Object.values(pending)[0] ?? {}, queued: Object.values(queued)[0] ?? {} };
}

const decimal = (quantity: unknown): string => BigInt(quantity as string).toString();

/** `<to>: <value> wei + <gas> gas × <price> wei`; the price is the highest that it may pay. */
export const inspectByStatus = (entries: readonly WaitingTransaction[]): unknown =>
  group(entries, (entry) => {
    const { to, value, gas, gasPrice } = transactionOf(entry);
    return `${typeof to === 'string' ? to : 'contract creation'}: ${decimal(value)} wei + ${decimal(gas)} gas × ${decimal(gasPrice)} wei`;
  });
