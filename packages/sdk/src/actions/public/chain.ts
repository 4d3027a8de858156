import { callRpc, type PrimeClient } from '../../client.ts';
import { decodeBlockAction, decodeCommit, decodeNativeBlock, decodeOrdersProof } from '../../decode/chain.ts';
import { decodeCommitSummary } from '../../decode/consensus.ts';
import { decodeDomainEvents } from '../../decode/domainEvent.ts';
import { decodeParameters, decodeProposal } from '../../decode/parameters.ts';
import { toQuantity } from '../../decode/quantity.ts';
import { blockParameter, marketIdOf } from '../../decode/references.ts';
import type { RpcGenesis } from '../../generated/methods.ts';
import type { DomainEventFilter, DomainEventKind, DomainEventOf } from '../../streams/domainEvents.ts';
import type { BlockAction, Commit, NativeBlock, OrdersProof } from '../../types/chain.ts';
import type { CommitSummary } from '../../types/consensus.ts';
import type { NetworkParameters, ParameterProposal } from '../../types/parameters.ts';
import type { Address, BlockReference, BlockTag, MarketReference, Price, Side } from '../../types/primitives.ts';

/** Reads of blocks, and of what proves them. */

/** The block that is read. */
export interface GetNativeBlockParameters {
  /** Number or tag. */
  readonly block: bigint | BlockTag;
}
/** Null when there is no such block. */
export type GetNativeBlockReturnType = NativeBlock | null;

/**
 * A block as the chain itself sees it: orders root, validators, commit, domain events; null when there is none. viem's `getBlock` has the Ethereum view.
 */
export async function getNativeBlock(
  client: PrimeClient,
  { block }: GetNativeBlockParameters,
): Promise<GetNativeBlockReturnType> {
  const found = await callRpc(client, 'prime_getBlockByNumber', [blockParameter(block), false]);
  return found === null ? null : decodeNativeBlock(found);
}

/** The block whose actions are read. */
export interface GetBlockActionsParameters {
  /** Number, tag or hash. */
  readonly block: BlockReference;
}
/** Raw actions in the order of the block; null when there is no such block. */
export type GetBlockActionsReturnType = readonly BlockAction[] | null;

/**
 * All actions of a block in their order, with what each answered there; null when there is no such block.
 *
 * @throws HistoryPrunedError
 */
export async function getBlockActions(
  client: PrimeClient,
  { block }: GetBlockActionsParameters,
): Promise<GetBlockActionsReturnType> {
  const actions = await callRpc(client, 'prime_getBlockActions', [blockParameter(block)]);
  return actions === null ? null : actions.map(decodeBlockAction);
}

/** The block whose certificate is read. */
export interface GetCommitParameters {
  /** Number, tag or hash. */
  readonly block: BlockReference;
}
/** Header and signatures that decided a block; null when there is no such block. */
export type GetCommitReturnType = Commit | null;

/**
 * What proves that a block was decided; null when there is no such block. Genesis is not decided, it has none.
 */
export async function getCommit(client: PrimeClient, { block }: GetCommitParameters): Promise<GetCommitReturnType> {
  const commit = await callRpc(client, 'prime_getCommit', [blockParameter(block)]);
  return commit === null ? null : decodeCommit(commit);
}

/** A range of blocks by its first one and its length. */
export interface GetCommitsParameters {
  /** Number of the first block. */
  readonly from: bigint;
  /** Blocks from that one on, at most 256. */
  readonly count: number;
}
/** Oldest first; fewer than asked for where blocks are not decided yet. */
export type GetCommitsReturnType = readonly CommitSummary[];

/**
 * How blocks were decided, oldest first: proposer, round, who signed, whose turn failed. What is not decided yet, and genesis, are left out.
 *
 * @throws HistoryPrunedError, InvalidParametersError
 */
export async function getCommits(
  client: PrimeClient,
  { from, count }: GetCommitsParameters,
): Promise<GetCommitsReturnType> {
  return (await callRpc(client, 'prime_getCommits', [toQuantity(from), toQuantity(count)])).map(decodeCommitSummary);
}

/** A range of blocks, both ends included, and which events of it. */
export interface GetDomainEventsParameters<kind extends DomainEventKind = DomainEventKind>
  extends Omit<DomainEventFilter, 'kind'> {
  readonly fromBlock: BlockReference;
  readonly toBlock: BlockReference;
  /** Events of this kind only; their type follows from it. docs/protocol/encoding.md has all kinds. */
  readonly kind?: kind | undefined;
}
/** As streams tell them (`watchDomainEvents`). */
export type GetDomainEventsReturnType<kind extends DomainEventKind = DomainEventKind> = readonly DomainEventOf<kind>[];

/**
 * What happened in a range of blocks besides logs: order book, bridge and validators, in the order of execution.
 *
 * @throws LimitExceededError for a range with more events than one answer holds, HistoryPrunedError, AnswerUnreadableError
 */
export async function getDomainEvents<kind extends DomainEventKind = DomainEventKind>(
  client: PrimeClient,
  { fromBlock, toBlock, domain, kind, address }: GetDomainEventsParameters<kind>,
): Promise<GetDomainEventsReturnType<kind>> {
  const range = { fromBlock: blockParameter(fromBlock), toBlock: blockParameter(toBlock) };
  const events = await callRpc(client, 'prime_getDomainEvents', [{ ...range, domain, kind, address }]);
  // The node answers with events of the kind that was asked for, or of all.
  return decodeDomainEvents(events) as unknown as GetDomainEventsReturnType<kind>;
}

/** Which record: an order, a market, a price level, an account, or the totals of the order book. */
export type GetOrdersProofParameters =
  | { readonly orderId: number }
  | { readonly market: MarketReference }
  | { readonly market: MarketReference; readonly side: Side; readonly price: Price }
  | { readonly address: Address }
  | { readonly global: true };
/** Not verified yet: `verifyRecord` of the light client does. */
export type GetOrdersProofReturnType = OrdersProof;

function selectorOf(record: GetOrdersProofParameters) {
  if ('orderId' in record) return { order_id: toQuantity(record.orderId) };
  if ('address' in record) return { address: record.address };
  if ('global' in record) return { global: record.global };
  const market_id = marketIdOf(record.market);
  return 'price' in record ? { market_id, side: record.side, price: toQuantity(record.price) } : { market_id };
}

/**
 * A record of the order book with what proves it, or its absence, under the state root of the newest block.
 *
 * @throws RpcAnswerError for levels where genesis has no `clob.levelProofs`
 * @see docs/protocol/orders-root.md
 */
export async function getOrdersProof(
  client: PrimeClient,
  record: GetOrdersProofParameters,
): Promise<GetOrdersProofReturnType> {
  return decodeOrdersProof(await callRpc(client, 'primeorders_getProof', [selectorOf(record)]));
}

/** The block after which they are in force. */
export interface GetParametersParameters {
  /** Number, tag or hash. Default: the newest block. */
  readonly block?: BlockReference | undefined;
}
/** Margin and grid of the markets; what else genesis says by its names in snake_case, wei as hex quantities. */
export type GetParametersReturnType = NetworkParameters;

/**
 * The parameters that are in force after a block: those of genesis, with what actions have changed since.
 *
 * @throws RpcAnswerError for a block that there is not, or whose state the node deleted
 */
export async function getParameters(
  client: PrimeClient,
  { block }: GetParametersParameters = {},
): Promise<GetParametersReturnType> {
  return decodeParameters(
    await callRpc(client, 'prime_getParameters', block === undefined ? [] : [blockParameter(block)]),
  );
}

/** Which block; the newest one where it is left out. */
export interface GetProposalsParameters {
  readonly block?: BlockReference | undefined;
}
/** By the height at which they are made, then by hash. */
export type GetProposalsReturnType = readonly ParameterProposal[];

/**
 * The changes of parameters that are open after a block: those that validators vote on, and those that wait for their height.
 *
 * @throws RpcAnswerError for a block that there is not, or whose state the node deleted
 */
export async function getProposals(
  client: PrimeClient,
  { block }: GetProposalsParameters = {},
): Promise<GetProposalsReturnType> {
  const wire = await callRpc(client, 'prime_getProposals', block === undefined ? [] : [blockParameter(block)]);
  return wire.map(decodeProposal);
}

/** Keys and encodings are those of genesis.json, so that its hash can be computed. */
export type GetGenesisReturnType = RpcGenesis;

/**
 * The genesis that the node runs on, as genesis.json has it. Its hash is the hash of block 0.
 */
export async function getGenesis(client: PrimeClient): Promise<GetGenesisReturnType> {
  return callRpc(client, 'prime_getGenesis', undefined);
}
