import {
  type ActionResult,
  decodeActionResult,
  decodeNativeTransaction,
  nativeSigningDigest,
  type NativeTransaction,
  ordersAddress,
} from '@prime/codec';
import { type CryptoProvider, recoverAddress } from '@prime/crypto';
import type { Address, Hash } from '@prime/primitives';
import { LoadError, malformedAnswer } from '../errors.ts';
import {
  addressOf,
  addressOrNull,
  bytesOf,
  type Call,
  hashOf,
  type Json,
  listOf,
  numberOf,
  objectOf,
  quantityOf,
  textOf,
} from './answers.ts';

/** What a node tells of a block, in the shape that a recorder works with. */
export interface NetworkBlock {
  readonly timestampMs: number;
  readonly transactions: readonly EvmFacts[];
  /** In the proposed order. */
  readonly actions: readonly ActionFacts[];
  /** In the order in which they happened. */
  readonly events: readonly EventFacts[];
}

/** An EVM transaction with what its receipt says. `value` in wei, `data` as hex text; `created` is a new contract. */
export interface EvmFacts {
  readonly from: Address;
  readonly to: Address | null;
  readonly value: bigint;
  readonly data: string;
  readonly gas: bigint;
  readonly isOk: boolean;
  readonly gasUsed: bigint;
  readonly created: Address | null;
  /** Logs of the order book's address: what the next block carries out. */
  readonly writes: number;
}

/** A native transaction of a block, and who signed it. */
export interface ActionFacts {
  readonly hash: Hash;
  readonly transaction: NativeTransaction;
  /** The agent that signed it; null where the account did, or a gateway for it. */
  readonly agent: Address | null;
  /** Of the items of a batch; null for anything else, whose events say it. */
  readonly results: readonly ActionResult[] | null;
}

/** What an event comes from: an action, the write of a contract by its ticket, or the block itself. */
export type Cause =
  | { readonly of: 'action'; readonly hash: Hash }
  | { readonly of: 'contract'; readonly ticket: number }
  | { readonly of: 'block' };

/** An event of the order book, with its fields as the node sent them. */
export interface EventFacts {
  readonly kind: string;
  readonly cause: Cause;
  readonly data: Json;
}

/** Calls that a block with many actions has under way. */
const callsAtOnce = 32;

const heightText = (height: number): string => `0x${height.toString(16)}`;

/** Events and time of a block. @throws LoadError `LOAD_FLOW_RANGE` when the node has no such block */
export async function readEvents(call: Call, height: number): Promise<Pick<NetworkBlock, 'timestampMs' | 'events'>> {
  return eventsOf(await nativeBlock(call, height, false));
}

/** @throws LoadError `LOAD_FLOW_RANGE`, `LOAD_ANSWER_MALFORMED` */
export async function readBlock(call: Call, provider: CryptoProvider, height: number): Promise<NetworkBlock> {
  const block = await nativeBlock(call, height, true);
  const transactions = listOf(block['transactions'], 'transactions').map((one) => objectOf(one, 'a transaction'));
  const receipts =
    transactions.length === 0 ? [] : listOf(await call('eth_getBlockReceipts', [heightText(height)]), 'receipts');
  if (receipts.length < transactions.length) malformedAnswer(`block ${height} has less receipts than transactions`);
  const hashes = listOf(block['actions'], 'actions') as readonly Hash[];
  return {
    ...eventsOf(block),
    transactions: transactions.map((one, index) => evmFacts(one, objectOf(receipts[index], 'a receipt'))),
    actions: await mapSome(hashes, (hash) => readAction(call, provider, hash)),
  };
}

async function nativeBlock(call: Call, height: number, full: boolean): Promise<Json> {
  const block = await call('prime_getBlockByNumber', [heightText(height), full]);
  if (block !== null) return objectOf(block, `block ${height}`);
  const reason = `the node has no block ${height}`;
  throw new LoadError(reason, { code: 'LOAD_FLOW_RANGE', from: height, to: height, reason });
}

const eventsOf = (block: Json): Pick<NetworkBlock, 'timestampMs' | 'events'> => ({
  timestampMs: numberOf(block, 'timestamp_ms'),
  events: listOf(block['domain_events'], 'domain_events').map((one) => eventFacts(objectOf(one, 'an event'))),
});

function eventFacts(event: Json): EventFacts {
  const ticket = event['ticket'];
  const hash = event['transaction_hash'];
  const cause: Cause =
    ticket !== undefined
      ? { of: 'contract', ticket: numberOf(event, 'ticket') }
      : hash === null
        ? { of: 'block' }
        : { of: 'action', hash: hashOf(event, 'transaction_hash') };
  return { kind: textOf(event, 'kind'), cause, data: objectOf(event['data'], 'data of an event') };
}

function evmFacts(transaction: Json, receipt: Json): EvmFacts {
  const logs = listOf(receipt['logs'], 'logs').map((log) => objectOf(log, 'a log'));
  return {
    from: addressOf(transaction, 'from'),
    to: addressOrNull(transaction, 'to'),
    value: quantityOf(transaction, 'value'),
    data: textOf(transaction, 'input'),
    gas: quantityOf(transaction, 'gas'),
    isOk: quantityOf(receipt, 'status') === 1n,
    gasUsed: quantityOf(receipt, 'gasUsed'),
    created: addressOrNull(receipt, 'contractAddress'),
    writes: logs.filter((log) => log['address'] === ordersAddress).length,
  };
}

async function readAction(call: Call, provider: CryptoProvider, hash: Hash): Promise<ActionFacts> {
  const transaction = decodeNativeTransaction(
    bytesOf(objectOf(await call('eth_getTransactionByHash', [hash]), `action ${hash}`), 'input'),
  );
  const isBatch = transaction.payload.type === 'batch';
  return {
    hash,
    transaction,
    agent: agentOf(transaction, provider),
    results: isBatch ? await readResults(call, hash) : null,
  };
}

function agentOf(transaction: NativeTransaction, provider: CryptoProvider): Address | null {
  if (transaction.signatureKind === 'gateway') return null;
  const signer = recoverAddress(provider, nativeSigningDigest(transaction), transaction.signature);
  return signer === transaction.account ? null : signer;
}

/** Results of a batch's items; of one that was refused as a whole, none. */
async function readResults(call: Call, hash: Hash): Promise<readonly ActionResult[]> {
  const receipt = objectOf(await call('eth_getTransactionReceipt', [hash]), `receipt of ${hash}`);
  const result = decodeActionResult(bytesOf(receipt, 'output'));
  return result.ok && result.value.type === 'batch' ? result.value.results : [];
}

/** As `Promise.all` over the mapped items, with a bounded number of them under way. */
async function mapSome<From, To>(items: readonly From[], map: (item: From) => Promise<To>): Promise<To[]> {
  const mapped = Array<To>(items.length);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      mapped[index] = await map(items[index]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(callsAtOnce, items.length) }, work));
  return mapped;
}
