import { nativeTransactionType, type TransactionLocation } from '@prime/codec';
import type { Hash } from '@prime/primitives';
import type { MethodContext } from '../define.ts';
import { andThen, type Eventual } from '../dispatch/eventual.ts';
import { formatNativeReceipt, formatNativeTransaction } from '../format/nativeTransaction.ts';
import { formatReceipt } from '../format/receipt.ts';
import { formatTransaction } from '../format/transaction.ts';
import type { BlockRecord } from '../ports/ports.ts';

/** Looking up transactions and receipts; shared by the methods that answer with them. */

interface Place {
  readonly kind: TransactionLocation['kind'];
  readonly record: BlockRecord;
  /** Among the block's transactions, or its actions. */
  readonly index: number;
}

/** Where a committed transaction is, native or not. */
const place = ({ ports }: MethodContext, hash: Hash): Eventual<Place | null> =>
  andThen(ports.chain.location(hash), (location) =>
    location === null
      ? null
      : andThen(ports.chain.blockByHeight(location.height), (record) =>
          record === null ? null : { kind: location.kind, record, index: location.index },
        ),
  );

/** Transaction of a block by its index; null beyond the last. */
export async function transactionAt(
  context: MethodContext,
  record: BlockRecord | null,
  index: number,
): Promise<unknown> {
  const raw = record?.block.transactions[index];
  if (record === null || raw === undefined) return null;
  const receipts = await context.ports.chain.receipts(record.block.header.height);
  return formatTransaction(raw, record.transactionHashes[index]!, receipts[index]!.from, { record, index });
}

async function transactionIn(context: MethodContext, found: Place): Promise<unknown> {
  const { kind, record, index } = found;
  if (kind === 'transaction') return transactionAt(context, record, index);
  return formatNativeTransaction(record.block.actions[index]!, record.actionHashes[index]!, found);
}

/** A committed or pooled transaction, or null. */
export async function transactionByHash(context: MethodContext, hash: Hash): Promise<unknown> {
  const found = await place(context, hash);
  if (found !== null) return transactionIn(context, found);
  const pooled = await context.ports.pool.transaction(hash);
  if (pooled !== null) {
    const { raw, sender } = pooled;
    return raw[0] === nativeTransactionType
      ? formatNativeTransaction(raw, hash, null)
      : formatTransaction(raw, hash, sender, null);
  }
  // It may have left the pool for a block between the two questions.
  const committed = await place(context, hash);
  return committed === null ? null : transactionIn(context, committed);
}

/** Transactions as they were while they waited, in blocks by now or not; without those that are gone. */
export async function pendingTransactions(context: MethodContext, hashes: readonly Hash[]): Promise<unknown[]> {
  const transactions = await Promise.all(hashes.map((hash) => transactionByHash(context, hash)));
  return transactions.filter((transaction) => transaction !== null).map(withoutPlace);
}

const noPlace = { blockHash: null, blockNumber: null, blockTimestamp: null, transactionIndex: null };
const withoutPlace = (transaction: unknown): object => ({ ...(transaction as object), ...noPlace });

/** Receipt of a committed transaction, or null. */
export const receiptByHash = (context: MethodContext, hash: Hash): Eventual<unknown> =>
  andThen(place(context, hash), (found) => (found === null ? null : receiptAt(context, found)));

function receiptAt({ ports }: MethodContext, found: Place): Eventual<unknown> {
  const { kind, record, index } = found;
  const { height } = record.block.header;
  if (kind === 'transaction')
    return andThen(ports.chain.receipts(height), (receipts) => formatReceipt(record, receipts, index));
  return andThen(ports.chain.actionResults(height), (results) => {
    const result = results[index];
    return result === undefined ? null : formatNativeReceipt(found, result);
  });
}
