import { type Hash, hexToBytes } from '@prime/primitives';
import type { MethodContext } from './define.ts';
import { formatReceipt } from './format/receipt.ts';
import { formatTransaction } from './format/transaction.ts';
import type { BlockRecord } from './ports.ts';

/** Looking up transactions and receipts; shared by the methods that answer with them. */

/** Block and index of a committed EVM transaction. */
async function place({ ports }: MethodContext, hash: Hash): Promise<{ record: BlockRecord; index: number } | null> {
  const location = await ports.chain.location(hash);
  if (location === null || location.kind !== 'transaction') return null;
  const record = await ports.chain.blockByHeight(location.height);
  return record === null ? null : { record, index: location.index };
}

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

/** A committed or pooled transaction, or null. */
export async function transactionByHash(context: MethodContext, hash: Hash): Promise<unknown> {
  const found = await place(context, hash);
  if (found !== null) return transactionAt(context, found.record, found.index);
  const pooled = await context.ports.pool.transaction(hash);
  if (pooled !== null) return formatTransaction(hexToBytes(pooled.raw), hash, pooled.from, null);
  // It may have left the pool for a block between the two questions.
  const committed = await place(context, hash);
  return committed === null ? null : transactionAt(context, committed.record, committed.index);
}

/** Receipt of a committed transaction, or null. */
export async function receiptByHash(context: MethodContext, hash: Hash): Promise<unknown> {
  const found = await place(context, hash);
  if (found === null) return null;
  const receipts = await context.ports.chain.receipts(found.record.block.header.height);
  return formatReceipt(found.record, receipts, found.index, context.format);
}
