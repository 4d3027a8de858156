import { type ActionPayload, type ActionResult, decodeActionResult, decodeNativeTransaction } from '@prime/codec';
import { hexToBytes } from '@prime/primitives';
import type { Hash, Market } from '@prime/sdk';
import {
  explainOrder,
  explainTransaction,
  formatInteger,
  type RefusalIn,
  toldRefusal,
  type TransactionFacts,
  keptOrNull,
} from '@prime/sdk/explain';
import type { Address, Hex } from 'viem';
import { type Connection, marketsById } from '../client/connect.ts';
import { usageError } from '../errors.ts';
import { orderFacts } from './order.ts';
import type { Answer } from './tell.ts';

/** What of a transaction and its receipt is looked at, as nodes write it. */
interface WireTransaction {
  readonly type: Hex;
  readonly from: Address;
  readonly nonce: Hex;
  readonly gas: Hex;
  readonly gasPrice: Hex;
  readonly maxFeePerGas?: Hex;
  readonly input: Hex;
  readonly blockNumber: Hex | null;
}
interface WireReceipt {
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly output: Hex;
}

const nativeType = '0x50';

/** @throws CliError `CLI_USAGE` with what is allowed */
export function transactionHash(given: string): Hash {
  if (/^0x[0-9a-fA-F]{64}$/.test(given)) return given.toLowerCase() as Hash;
  const hint = /^(?:\d{1,16}|0x[0-9a-fA-F]{1,14})$/.test(given) ? `; prime why order ${given} tells of an order` : '';
  throw usageError(`a transaction or action is named by its hash, 0x and 64 hex digits; got ${given}${hint}`, 'HASH');
}

/** What became of a transaction or signed action, and why. */
export async function whyTransaction(connection: Connection, hash: Hash): Promise<Answer> {
  const facts = await factsOf(connection, hash);
  const figures: (readonly [string, string])[] = [['hash', hash]];
  if (facts.stage === 'evm')
    figures.push(
      ['block', formatInteger(facts.blockNumber)],
      ['gas', `${formatInteger(facts.gasUsed)} of ${formatInteger(facts.gas)}`],
    );
  if (facts.stage === 'action')
    figures.push(['block', formatInteger(facts.blockNumber)], ['action', facts.type ?? 'not known here']);
  if (facts.stage === 'action' && facts.refused !== null) figures.push(['refusal', facts.refused.refusal.kind]);
  return { explanation: explainTransaction(facts), figures, facts };
}

async function factsOf(connection: Connection, hash: Hash): Promise<TransactionFacts> {
  const { client } = connection;
  const [transaction, receipt] = (await Promise.all([
    client.request({ method: 'eth_getTransactionByHash', params: [hash] }),
    client.request({ method: 'eth_getTransactionReceipt', params: [hash] }),
  ])) as unknown as [WireTransaction | null, WireReceipt | null];
  if (transaction === null) return { stage: 'unknown', hash };
  if (transaction.blockNumber === null || receipt === null) return waiting(connection, hash, transaction);
  const blockNumber = BigInt(transaction.blockNumber);
  if (transaction.type === nativeType) return actionFacts(connection, { hash, blockNumber, transaction, receipt });
  // What contracts ask of the order book is done in the block after.
  const rejected = await keptOrNull(
    client.getDomainEvents({ fromBlock: blockNumber, toBlock: blockNumber + 1n, kind: 'action_rejected' }),
  );
  return {
    stage: 'evm',
    hash,
    blockNumber,
    isOk: BigInt(receipt.status) === 1n,
    gas: BigInt(transaction.gas),
    gasUsed: BigInt(receipt.gasUsed),
    output: receipt.output,
    refusedWrites: (rejected ?? []).filter((event) => event.transactionHash === hash).map(({ data }) => data.reason),
  };
}

async function waiting({ client }: Connection, hash: Hash, transaction: WireTransaction): Promise<TransactionFacts> {
  const isNative = transaction.type === nativeType;
  const [next, head] = await Promise.all([
    isNative ? null : client.getTransactionCount({ address: transaction.from, blockTag: 'latest' }),
    client.getNativeBlock({ block: 'latest' }),
  ]);
  return {
    stage: 'pending',
    hash,
    nonce: BigInt(transaction.nonce),
    nextNonce: next === null ? null : BigInt(next),
    maxFeePerGas: BigInt(transaction.maxFeePerGas ?? transaction.gasPrice),
    baseFee: isNative || head === null ? null : head.baseFee,
  };
}

interface InBlock {
  readonly hash: Hash;
  readonly blockNumber: bigint;
  readonly transaction: WireTransaction;
  readonly receipt: WireReceipt;
}

async function actionFacts(
  connection: Connection,
  { hash, blockNumber, transaction, receipt }: InBlock,
): Promise<TransactionFacts> {
  const { payload } = decodeNativeTransaction(hexToBytes(transaction.input));
  const result = decodeActionResult(hexToBytes(receipt.output));
  const markets = await marketsById(connection);
  const items = payload.type === 'batch' ? payload.items : [];
  const results = result.ok && result.value.type === 'batch' ? result.value.results : [];
  return {
    stage: 'action',
    hash,
    blockNumber,
    type: payload.type,
    refused: refusalIn(result, payload, markets),
    items: items.length,
    refusedItems: results.flatMap((item, index) => {
      const refused = refusalIn(item, items[index] ?? payload, markets);
      return refused === null ? [] : [{ ...refused, item: index + 1 }];
    }),
    order: await orderOf(connection, result),
  };
}

function refusalIn(
  result: ActionResult,
  payload: ActionPayload,
  markets: ReadonlyMap<number, Market>,
): RefusalIn | null {
  if (result.ok) return null;
  const market = 'marketId' in payload && payload.marketId !== null ? markets.get(payload.marketId) : undefined;
  return { refusal: toldRefusal(result.error), market: market ?? null };
}

/** What became of the order that an action made; null where it made none, or nothing is known of it any more. */
async function orderOf(connection: Connection, result: ActionResult): Promise<ReturnType<typeof explainOrder> | null> {
  if (!result.ok || result.value.type !== 'order') return null;
  const order = await keptOrNull(connection.client.getOrder({ orderId: result.value.orderId }));
  return order === null ? null : explainOrder(await orderFacts(connection, order));
}
