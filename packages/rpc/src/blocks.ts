import { type Height, hexToBytes } from '@prime/primitives';
import type { MethodContext } from './define.ts';
import { RpcError } from './errors.ts';
import { formatEthBlock, formatNativeBlock } from './format/block.ts';
import { eventEntries, formatEvent } from './format/event.ts';
import { formatTransaction } from './format/transaction.ts';
import { toQuantity } from './format/quantity.ts';
import { visibleEvents } from './privacy.ts';
import type { BlockRecord, StateContext } from './ports.ts';
import type { BlockSelector } from './valueTypes.ts';
import type { Address, Hash } from '@prime/primitives';

/** Finding blocks by selector and turning them into answers; shared by the methods that take a block. */

/** The selected committed block, or null. Blocks are final at once, so all tags but `earliest` are the head. */
export async function findBlock({ ports }: MethodContext, selector: BlockSelector): Promise<BlockRecord | null> {
  if (selector.kind === 'hash') return ports.chain.blockByHash(selector.hash);
  if (selector.kind === 'tag' && selector.tag !== 'earliest') return ports.chain.head();
  const height = selector.kind === 'height' ? selector.height : 0;
  // Above 2^53 a number is not exact, and no chain is that high.
  return Number.isSafeInteger(height) ? ports.chain.blockByHeight(height as Height) : null;
}

/**
 * The state after the selected block.
 *
 * @throws RpcError `RPC_BLOCK_NOT_FOUND`
 */
export async function stateAt(context: MethodContext, selector: BlockSelector): Promise<StateContext> {
  const record = await findBlock(context, selector);
  if (record === null) {
    const words = selector.kind === 'hash' ? 'header for hash not found' : 'header not found';
    throw new RpcError(words, { code: 'RPC_BLOCK_NOT_FOUND' });
  }
  return stateOf(record);
}

function stateOf(record: BlockRecord): StateContext {
  const { height, timestampMs, proposer, gasLimit, baseFee, parentHash } = record.block.header;
  return { height, stateRoot: record.roots.stateRoot, timestampMs, proposer, gasLimit, baseFee, parentHash };
}

/** Height of a selector in a range query; the head for every tag but `earliest`. */
export async function heightOf({ ports }: MethodContext, selector: BlockSelector): Promise<number> {
  if (selector.kind === 'height') return selector.height;
  if (selector.kind === 'tag' && selector.tag === 'earliest') return 0;
  return (await ports.chain.head()).block.header.height;
}

/** Full transaction objects of a block. */
async function blockTransactions({ ports }: MethodContext, record: BlockRecord): Promise<unknown[]> {
  const receipts = await ports.chain.receipts(record.block.header.height);
  return record.block.transactions.map((raw, index) =>
    formatTransaction(raw, record.transactionHashes[index]!, receipts[index]!.from, { record, index }),
  );
}

/** Address of the order book domain; its slot 0 is the orders root. */
const ordersAddress = '0x0000000000000000000000000000000000000100' as Address;
const ordersRootSlot = `0x${'0'.repeat(64)}` as Hash;

async function ordersRootAfter({ ports }: MethodContext, record: BlockRecord): Promise<Hash | null> {
  try {
    return await ports.state.storage(ordersAddress, ordersRootSlot, stateOf(record));
  } catch {
    // State of old blocks may be pruned; the block itself is still there to show.
    return null;
  }
}

/** The answer for a block, in the format of the method's name. */
export async function presentBlock(context: MethodContext, record: BlockRecord, full: boolean): Promise<unknown> {
  const { height } = record.block.header;
  const [receipts, events] = await Promise.all([
    context.ports.chain.receipts(height),
    context.ports.chain.blockEvents(height),
  ]);
  const view = {
    record,
    receipts,
    events: visibleEvents(context, eventEntries(record, events)).map(formatEvent),
    transactions: full ? await blockTransactions(context, record) : record.transactionHashes,
  };
  return context.format === 'eth'
    ? formatEthBlock(view)
    : formatNativeBlock(view, await ordersRootAfter(context, record));
}

/** The block that would be proposed now: nothing about it is final, so what execution decides is null or of the parent. */
export async function presentPendingBlock(context: MethodContext, full: boolean): Promise<unknown> {
  const { ports } = context;
  const [head, baseFee, proposal] = await Promise.all([
    ports.chain.head(),
    ports.chain.nextBaseFee(),
    ports.pool.proposal(),
  ]);
  const parent = head.block.header;
  const height = (parent.height + 1) as Height;
  const block = {
    header: { ...parent, height, parentHash: head.hash, baseFee, parentResults: head.roots },
    transactions: proposal.map((entry) => hexToBytes(entry.raw)),
    actions: [],
    evidence: [],
    lastCommit: null,
  };
  const record: BlockRecord = {
    ...head,
    block,
    roots: { ...head.roots, gasUsed: 0n },
    certificate: null,
    transactionHashes: proposal.map((entry) => entry.hash),
    actionHashes: [],
  };
  const transactions = full
    ? proposal.map((entry, index) => formatTransaction(block.transactions[index]!, entry.hash, entry.from, null))
    : record.transactionHashes;
  const view = { record, receipts: [], events: [], transactions };
  const shown = context.format === 'eth' ? { ...formatEthBlock(view), nonce: null } : formatNativeBlock(view, null);
  return { ...shown, hash: null, number: toQuantity(height) };
}
