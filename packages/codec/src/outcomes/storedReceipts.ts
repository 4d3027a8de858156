import { decodeBlockLogs, encodeBlockLogs, type StoredLog } from './blockLogs.ts';
import { decodeReceipts, encodeReceipts } from './receipts.ts';
import type { BlockDelta, Log, Receipt, StoredReceipts } from '../types.ts';

/** Receipts as the database keeps them. Logs stand apart, so that one of them is read without the others. */
export const encodeStoredReceipts = (receipts: readonly Receipt[]): StoredReceipts => ({
  receipts: encodeReceipts(receipts.map((receipt) => ({ ...receipt, logs: [] }))),
  logs: encodeBlockLogs(receipts),
});

/** Receipts with their logs. @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const decodeStoredReceipts = ({ receipts, logs }: StoredReceipts): readonly Receipt[] =>
  receiptsWithLogs(receipts, decodeBlockLogs(logs));

function receiptsWithLogs(encoded: Uint8Array, logs: readonly StoredLog[]): readonly Receipt[] {
  const stored = decodeReceipts(encoded);
  if (logs.length === 0) return stored;
  const byTransaction = new Map<number, Log[]>();
  for (const { transactionIndex, address, topics, data } of logs) {
    const own = byTransaction.get(transactionIndex);
    if (own === undefined) byTransaction.set(transactionIndex, [{ address, topics, data }]);
    else own.push({ address, topics, data });
  }
  return stored.map((receipt) => ({ ...receipt, logs: byTransaction.get(receipt.transactionIndex) ?? [] }));
}

/** A delta between two threads: receipts stand in it once, encoded. */
export type FlatDelta = Omit<BlockDelta, 'receipts'>;

/** Leaves the decoded receipts out; {@link openDelta} offers them again at the other end. */
export function flatDelta({ receipts: _decoded, ...delta }: BlockDelta): FlatDelta {
  return delta;
}

/** Receipts and logs of a block, decoded when somebody asks for them and then kept: on a node without clients nobody does. */
export class OpenedReceipts {
  readonly #stored: StoredReceipts;
  #logs: readonly StoredLog[] | null = null;
  #receipts: readonly Receipt[] | null = null;

  constructor(stored: StoredReceipts) {
    this.#stored = stored;
  }

  /** All logs of the block, in order. @throws CodecError `CODEC_FIELD_INVALID` */
  get logs(): readonly StoredLog[] {
    return (this.#logs ??= decodeBlockLogs(this.#stored.logs));
  }

  /** With their logs. @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
  get receipts(): readonly Receipt[] {
    return (this.#receipts ??= receiptsWithLogs(this.#stored.receipts, this.logs));
  }
}

/** A delta as the gateway has it. */
export interface OpenedDelta extends FlatDelta {
  readonly opened: OpenedReceipts;
}

/** Undoes {@link flatDelta}. Nothing is decoded before somebody asks. */
export const openDelta = (delta: FlatDelta): OpenedDelta => ({
  ...delta,
  opened: new OpenedReceipts(delta.storedReceipts),
});
