import {
  decodeActionResult,
  type DomainEvent,
  type EventJson,
  eventFromJson,
  verifyNativeTransaction,
} from '@prime/codec';
import { contractActionOf, contractWritesOf } from '@prime/predeploy';
import { type CryptoProvider, createCryptoProvider } from '@prime/crypto';
import type { Hash } from '@prime/primitives';
import { Answer } from './answer.ts';
import { type Call, inOrder, toHex } from './call.ts';
import type { DecidedBlock, ExecutedTransaction } from '../decidedBlock.ts';
import { AuditError } from '../errors.ts';

/** Blocks that are asked for at once. */
const widthDefault = 16;

/** A block without what only the one before it tells. */
type ReadBlock = Omit<DecidedBlock, 'writes'>;

/** Which blocks are read. `width` blocks are asked for at once, 16 by default. */
export interface BlockRange {
  readonly chainId: number;
  /** First and last height, both included. */
  readonly from: number;
  readonly to: number;
  readonly width?: number;
}

/**
 * Decided blocks of a height range from any node, in their order: nothing else than what its JSON-RPC tells.
 *
 * Three methods: prime_getBlockByNumber, and where there is something to ask for eth_getBlockReceipts and prime_getBlockActions.
 * After a privacy fork only the operator's surface answers them.
 *
 * @throws AuditError `AUDIT_BLOCK_MISSING`, `AUDIT_ANSWER_UNREADABLE`, `AUDIT_ACTION_INVALID`, and what the call rejects with
 */
export async function* readBlocksByRpc(
  call: Call,
  { chainId, from, to, width = widthDefault }: BlockRange,
): AsyncGenerator<DecidedBlock> {
  if (to < from) return;
  const provider = await createCryptoProvider();
  let transactions = from <= 1 ? [] : await transactionsAt(call, from - 1);
  const heights = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const read = (height: number): Promise<ReadBlock> => readBlock(call, height, { chainId, provider });
  for await (const block of inOrder(heights, width, read)) {
    const receipts = transactions.map(({ hash: transactionHash, logs }) => ({ transactionHash, logs }));
    yield { ...block, writes: contractWritesOf(receipts).map(contractActionOf) };
    transactions = [...block.transactions];
  }
}

interface Verification {
  readonly chainId: number;
  readonly provider: CryptoProvider;
}

async function readBlock(call: Call, height: number, verification: Verification): Promise<ReadBlock> {
  const block = await blockAt(call, height);
  const [transactions, { actions, results }] = await Promise.all([
    block.field('transactions').list().length === 0 ? [] : executed(call, height, block),
    block.field('action_count').number() === 0 ? { actions: [], results: [] } : actionsAt(call, height, verification),
  ]);
  return {
    height,
    timeMs: block.field('timestamp_ms').number(),
    hash: block.field('hash').hash(),
    stateRoot: block.field('state_root').hash(),
    proposer: block.field('proposer').address(),
    baseFee: block.field('base_fee').quantity(),
    actions,
    results,
    events: eventsOf(
      block,
      actions.map(({ hash }) => hash),
    ),
    transactions,
  };
}

const blockMethod = 'prime_getBlockByNumber';

async function blockAt(call: Call, height: number): Promise<Answer> {
  const block = new Answer(blockMethod, await call(blockMethod, [toHex(height), true]));
  if (!block.isNull) return block;
  const head = new Answer('eth_blockNumber', await call('eth_blockNumber')).quantity();
  throw new AuditError(`the node has no block ${height}, and its newest is ${head}`, {
    code: 'AUDIT_BLOCK_MISSING',
    height,
    head,
  });
}

async function transactionsAt(call: Call, height: number): Promise<ExecutedTransaction[]> {
  return executed(call, height, await blockAt(call, height));
}

async function executed(call: Call, height: number, block: Answer): Promise<ExecutedTransaction[]> {
  const method = 'eth_getBlockReceipts';
  const receipts = new Answer(method, await call(method, [toHex(height)])).list();
  return block
    .field('transactions')
    .list()
    .map((transaction, index) =>
      executedOf(transaction, receipts[index] ?? new Answer(method, null, `result[${index}]`)),
    );
}

const executedOf = (transaction: Answer, receipt: Answer): ExecutedTransaction => ({
  hash: receipt.field('transactionHash').hash(),
  type: transaction.field('type').number(),
  from: transaction.field('from').address(),
  to: transaction.field('to').addressOrNull(),
  nonce: transaction.field('nonce').number(),
  value: transaction.field('value').quantity(),
  status: receipt.field('status').quantity() === 1n ? 1 : 0,
  gasUsed: receipt.field('gasUsed').quantity(),
  effectiveGasPrice: receipt.field('effectiveGasPrice').quantity(),
  contractAddress: receipt.field('contractAddress').addressOrNull(),
  logs: receipt
    .field('logs')
    .list()
    .map((log) => ({
      address: log.field('address').address(),
      topics: log
        .field('topics')
        .list()
        .map((topic) => topic.hash()),
      data: log.field('data').bytes(),
    })),
});

async function actionsAt(
  call: Call,
  height: number,
  { chainId, provider }: Verification,
): Promise<Pick<DecidedBlock, 'actions' | 'results'>> {
  const method = 'prime_getBlockActions';
  const shown = new Answer(method, await call(method, [toHex(height)])).list();
  return {
    actions: shown.map((action) => verifiedAction(action.field('raw').bytes(), { height, chainId, provider })),
    results: shown.map((action) => decodeActionResult(action.field('output').bytes())),
  };
}

/** An action of a decided block. @throws AuditError `AUDIT_ACTION_INVALID` */
export function verifiedAction(
  raw: Uint8Array,
  { height, chainId, provider }: Verification & { readonly height: number },
): DecidedBlock['actions'][number] {
  const action = verifyNativeTransaction(raw, chainId, provider);
  if (!('failure' in action)) return action;
  const reason = String(action.failure);
  throw new AuditError(`block ${height} holds an action with ${reason}`, {
    code: 'AUDIT_ACTION_INVALID',
    height,
    reason,
  });
}

function eventsOf(block: Answer, actionHashes: readonly Hash[]): DomainEvent[] {
  return block
    .field('domain_events')
    .list()
    .map((event) => eventFromJson(event.object() as unknown as EventJson, originOf(event, actionHashes)));
}

/** An event tells the hash of what caused it: an action of the block, or with a ticket a transaction of the block before. */
function originOf(event: Answer, actionHashes: readonly Hash[]): Pick<DomainEvent, 'actionIndex' | 'contract'> {
  const cause = event.field('transaction_hash');
  const ticket = event.field('ticket');
  if (!ticket.isNull)
    return { actionIndex: null, contract: { ticket: ticket.number(), transactionHash: cause.hash() } };
  const index = cause.isNull ? -1 : actionHashes.indexOf(cause.hash());
  return { actionIndex: index < 0 ? null : index };
}
