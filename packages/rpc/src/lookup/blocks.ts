import { type AccountState, ordersAddress, type Receipt, type StateContext } from '@prime/codec';
import { type Address, type Hash, type Height, type TimestampMs, toQuantity } from '@prime/primitives';
import { JsonText } from '../dispatch/answerCache.ts';
import type { MethodContext } from '../define.ts';
import { andThen, type Eventual } from '../dispatch/eventual.ts';
import { RpcError } from '../errors/errors.ts';
import { type BlockView, formatEthBlock, formatNativeBlock } from '../format/block.ts';
import { eventEntries, formatEvent } from '../format/event.ts';
import { formatTransaction } from '../format/transaction.ts';
import { visibleEvents } from '../dispatch/privacy.ts';
import type { BlockRecord } from '../ports/ports.ts';
import type { BlockSelector } from '../schema/valueTypes.ts';

/** Finding blocks by selector and turning them into answers; shared by the methods that take a block. */

/** The selected committed block, or null. Blocks are final at once, so all tags but `earliest` are the head. */
export function findBlock({ ports }: MethodContext, selector: BlockSelector): Eventual<BlockRecord | null> {
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
export const stateAt = (context: MethodContext, selector: BlockSelector): Eventual<StateContext> =>
  andThen(findBlock(context, selector), (record) => {
    if (record !== null) return stateOf(record);
    const words = selector.kind === 'hash' ? 'header for hash not found' : 'header not found';
    throw new RpcError(words, { code: 'RPC_BLOCK_NOT_FOUND' });
  });

/** What a proposer would write now as the time of the block after this one. */
const nextTimestamp = ({ ports }: MethodContext, { block }: BlockRecord): TimestampMs =>
  Math.max(ports.clock.nowMs(), block.header.timestampMs + 1) as TimestampMs;

/** The state of the head with the header values that a proposer would give the block after it now. */
async function pendingState(context: MethodContext): Promise<StateContext> {
  const { chain } = context.ports;
  const [head, baseFee] = await Promise.all([chain.head(), chain.nextBaseFee()]);
  const at = stateOf(head);
  const height = (at.height + 1) as Height;
  return { ...at, height, timestampMs: nextTimestamp(context, head), parentHash: head.hash, baseFee };
}

const isPending = (selector: BlockSelector): boolean => selector.kind === 'tag' && selector.tag === 'pending';

/**
 * Where code runs that is asked about: on the state after the selected block, with its header values; for `pending` with those of
 * the block that would be proposed now.
 *
 * @throws RpcError `RPC_BLOCK_NOT_FOUND`
 */
export const executionAt = (context: MethodContext, selector: BlockSelector): Eventual<StateContext> =>
  isPending(selector) ? pendingState(context) : stateAt(context, selector);

/** A second is the least that a contract can see pass. */
const visibleMs = 1000;

/**
 * Where an estimate runs: a transaction is estimated for the block that will include it, so what is asked of the head runs
 * on its state with the header values of the block after it, and at least a second later. A contract that does more once time
 * has passed (oracles of exchanges) would otherwise run out of its estimated gas.
 *
 * @throws RpcError `RPC_BLOCK_NOT_FOUND`
 */
export async function estimateAt(context: MethodContext, selector: BlockSelector): Promise<StateContext> {
  if (selector.kind !== 'tag' || selector.tag === 'earliest') return stateAt(context, selector);
  const [head, pending] = await Promise.all([context.ports.chain.head(), pendingState(context)]);
  const visiblyLater = head.block.header.timestampMs + visibleMs;
  return { ...pending, timestampMs: Math.max(pending.timestampMs, visiblyLater) as TimestampMs };
}

/**
 * Balance and nonce of an account after the selected block.
 *
 * @throws RpcError `RPC_BLOCK_NOT_FOUND`
 */
export const accountAt = (context: MethodContext, account: Address, selector: BlockSelector): Eventual<AccountState> =>
  andThen(stateAt(context, selector), (at) => context.ports.state.account(account, at));

const states = new WeakMap<BlockRecord, StateContext>();

/** The same object for the same block, so that calls which travel together carry it once. */
function stateOf(record: BlockRecord): StateContext {
  const known = states.get(record);
  if (known !== undefined) return known;
  const { height, timestampMs, proposer, gasLimit, baseFee, parentHash } = record.block.header;
  const state = { height, stateRoot: record.roots.stateRoot, timestampMs, proposer, gasLimit, baseFee, parentHash };
  states.set(record, state);
  return state;
}

/**
 * Height of a selector in a range query; the head for every tag but `earliest`.
 *
 * @throws RpcError `RPC_BLOCK_NOT_FOUND` for the hash of no block
 */
export async function heightOf({ ports }: MethodContext, selector: BlockSelector): Promise<number> {
  if (selector.kind === 'height') return selector.height;
  if (selector.kind === 'tag' && selector.tag === 'earliest') return 0;
  const record = selector.kind === 'hash' ? await ports.chain.blockByHash(selector.hash) : await ports.chain.head();
  if (record === null) throw new RpcError('header for hash not found', { code: 'RPC_BLOCK_NOT_FOUND' });
  return record.block.header.height;
}

/** Full transaction objects of a block. */
const blockTransactions = (record: BlockRecord, receipts: readonly Receipt[]): unknown[] =>
  record.block.transactions.map((raw, index) =>
    formatTransaction(raw, record.transactionHashes[index]!, receipts[index]!.from, { record, index }),
  );

/** Of the order book's account: the orders root. */
const ordersRootSlot = `0x${'0'.repeat(64)}` as Hash;

async function ordersRootAfter({ ports }: MethodContext, record: BlockRecord): Promise<Hash | null> {
  try {
    return await ports.state.storage(ordersAddress, ordersRootSlot, stateOf(record));
  } catch {
    // State of old blocks may be pruned; the block itself is still there to show.
    return null;
  }
}

/** The answers for a block as everyone may see it; a block in memory is asked for again and again. */
interface ShownBlock {
  hashes: JsonText | null;
  full: JsonText | null;
}
const shownBlocks = new WeakMap<BlockRecord, ShownBlock>();

/** The answer for a block, in the format of the method's name. */
export function presentBlock(context: MethodContext, record: BlockRecord, full: boolean): Eventual<unknown> {
  if (context.format === 'native')
    return Promise.all([blockView(context, record, full), ordersRootAfter(context, record)]).then(
      ([view, ordersRoot]) => formatNativeBlock(view, ordersRoot),
    );
  if (context.isPrivate) return andThen(blockView(context, record, full), formatEthBlock);
  const kind = full ? 'full' : 'hashes';
  const shown = shownBlocks.get(record)?.[kind];
  if (shown != null) return shown;
  return andThen(blockView(context, record, full), (view) => {
    const text = new JsonText(JSON.stringify(formatEthBlock(view)));
    const kept = shownBlocks.get(record) ?? { hashes: null, full: null };
    kept[kind] = text;
    shownBlocks.set(record, kept);
    return text;
  });
}

const blockView = (context: MethodContext, record: BlockRecord, full: boolean): Eventual<BlockView> => {
  const { chain } = context.ports;
  const { height } = record.block.header;
  return andThen(chain.receipts(height), (receipts) =>
    andThen(chain.blockEvents(height), (events) => ({
      record,
      receipts,
      events: visibleEvents(context.isPrivate, eventEntries(record, events)).map(formatEvent),
      transactions: full ? blockTransactions(record, receipts) : record.transactionHashes,
    })),
  );
};

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
  const timestampMs = nextTimestamp(context, head);
  const block = {
    header: { ...parent, height, timestampMs, parentHash: head.hash, baseFee, parentResults: head.roots },
    transactions: proposal.map(({ raw }) => raw),
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
    ? proposal.map(({ raw, hash, sender }) => formatTransaction(raw, hash, sender, null))
    : record.transactionHashes;
  const view = { record, receipts: [], events: [], transactions };
  const shown = context.format === 'eth' ? { ...formatEthBlock(view), nonce: null } : formatNativeBlock(view, null);
  return { ...shown, hash: null, number: toQuantity(height) };
}
