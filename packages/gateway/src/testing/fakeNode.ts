import {
  type AccountChange,
  type AccountState,
  type ActionResult,
  type Block,
  type CallOutcome,
  type Candle,
  decodeEventFrames,
  decodeResultFrames,
  type DomainEvent,
  encodeEventFrames,
  encodeRecordFrames,
  encodeResultFrames,
  encodeStoredReceipts,
  type Log,
  openDelta,
  type OpenedDelta,
  type OrderKey,
  type RankedValidator,
  type Receipt,
  type RecordWrite,
  type StateContext,
} from '@prime/codec';
import { keccakHex } from '@prime/crypto';
import {
  type Address,
  type Hash,
  type Height,
  type Hex,
  PrimeError,
  type Round,
  type TimestampMs,
  utf8ToBytes,
} from '@prime/primitives';
import type {
  AccountPlaces,
  AccountQuery,
  ActionRequest,
  BlockRecord,
  CallRequest,
  CandleQuery,
  ClosedOrderInfo,
  ConsensusStatus,
  EventQuery,
  HeightRange,
  KnownNodes,
  LogQuery,
  NetworkStatus,
  PooledTransaction,
} from '@prime/rpc';
import { blockLogEntries, eventEntries } from '@prime/rpc';
import type { BlockKey, ConsensusBackend, GatewayBackends, PendingDetail } from '../services/backends.ts';
import { bookParameters, emptyLists, type Lists } from './quiet.ts';
import { gasPerTransaction, simulatedFailure, simulatedTransaction } from './simulation.ts';
import { matchesEvent, matchesLog } from '../matching.ts';
import { genesisBlockRecord } from '../genesisBlock.ts';

/** A node in memory: what a test commits is what its readers and deltas tell. */

export const addressOf = (name: string): Address => keccakHex(utf8ToBytes(name)).slice(0, 42) as Address;
export const hashOf = (name: string): Hash => keccakHex(utf8ToBytes(name));
const validator = addressOf('validator');

export interface FakeTransaction {
  readonly raw: Uint8Array;
  readonly from: Address;
  readonly to: Address | null;
  readonly type: number;
  readonly effectiveGasPrice: bigint;
  readonly logs?: readonly Log[];
}

export interface FakeBlock {
  readonly transactions?: readonly FakeTransaction[];
  readonly actions?: readonly { readonly hash: Hash; readonly result: ActionResult; readonly raw?: Uint8Array }[];
  readonly events?: readonly DomainEvent[];
  readonly accounts?: readonly AccountChange[];
  readonly records?: readonly RecordWrite[];
  /** Base fee of the block after it, wei. */
  readonly nextBaseFee?: bigint;
}

/** A test may put answers of its own in place of those of the consensus thread. */
interface FakeBackends extends GatewayBackends {
  readonly consensus: { -readonly [Name in keyof ConsensusBackend]: ConsensusBackend[Name] };
}

const baseFee = 1_000_000_000n;

function receiptOf(transaction: FakeTransaction, index: number): Receipt {
  return {
    transactionHash: keccakHex(transaction.raw),
    transactionIndex: index,
    type: transaction.type,
    from: transaction.from,
    to: transaction.to,
    status: 1,
    gasUsed: gasPerTransaction,
    cumulativeGasUsed: gasPerTransaction * BigInt(index + 1),
    effectiveGasPrice: transaction.effectiveGasPrice,
    contractAddress: null,
    logs: transaction.logs ?? [],
    logsBloom: new Uint8Array(256),
    output: new Uint8Array(0),
  };
}

/** Who decided a block of the fake chain: another one for each height. */
export const validatorOf = (height: Height): RankedValidator => ({
  address: addressOf(`validator of ${height}`),
  signer: addressOf(`signer of ${height}`),
  publicKey: new Uint8Array(33).fill(2),
  stake: 5n,
  power: 1n,
  moniker: `v${height}`,
  proposerPriority: -3n,
});

export class FakeNode {
  readonly genesis: BlockRecord = genesisBlockRecord({
    chainId: 7919,
    hash: hashOf('genesis'),
    timestampMs: 1_700_000_000_000 as TimestampMs,
    gasLimit: 30_000_000n,
    baseFee,
    validatorsHash: hashOf('validators'),
    roots: { stateRoot: hashOf('state0'), receiptsRoot: hashOf('r'), eventsRoot: hashOf('e'), gasUsed: 0n },
  });
  readonly deltas: OpenedDelta[] = [];
  readonly submitted: Uint8Array[] = [];
  readonly actions: Omit<ActionRequest, 'authorization'>[] = [];
  readonly nonces = new Map<Address, number>();
  readonly balances = new Map<Address, bigint>();
  /** How often each backend method was asked. */
  readonly asked: Record<string, number> = {};
  readonly pool = new Map<Hash, PooledTransaction>();
  /** Time from one block to the next, ms. */
  blockMs = 1000;
  /** What the node's wall clock shows, ms; far before its blocks unless a test says otherwise. */
  nowMs = 0;
  /** What history knows of orders that are gone. */
  endedOrder: (key: OrderKey) => ClosedOrderInfo | null = () => null;
  /** What history knows of candles. */
  candles: (query: CandleQuery) => readonly Candle[] = () => [];
  /** What history knows of who is concerned by what. */
  accountPlaces: (query: AccountQuery) => AccountPlaces = () => ({ places: [], oldest: 1 as Height });
  /** What history knows of an account's lists. */
  lists: Lists = emptyLists;
  /** The height in progress: nothing is to be done. */
  consensusStatus: ConsensusStatus = {
    height: 1 as Height,
    waitsFor: 'work',
    sinceMs: null,
    round: null,
    totalPower: 4n,
  };
  knownNodes: KnownNodes = { protocol: { version: 1, known: 1, next: null }, validators: [], others: [] };
  /** Round in which each block is decided. */
  round = 0;
  /** Where the answer to the n-th action comes from; by default a hash that no block holds. */
  onAction: (request: Omit<ActionRequest, 'authorization'>, index: number) => Promise<Hash> = async (_, index) =>
    hashOf(`action ${index}`);
  /** What the gateway asked to hear of pending transactions, in order. */
  readonly pendingDetails: PendingDetail[] = [];
  onSubmit: (raw: Uint8Array) => void = () => undefined;
  onCall: (request: CallRequest, at: StateContext) => CallOutcome<Hex> = () => ({
    status: 'success',
    output: '0x' as never,
    gasUsed: 21_000n,
  });

  get height(): Height {
    return this.deltas.length as Height;
  }

  /** Makes the next block; the gateway learns of it when the test gives it the delta. */
  commit(content: FakeBlock = {}): OpenedDelta {
    const parent = this.deltas.at(-1);
    const height = (this.height + 1) as Height;
    const transactions = content.transactions ?? [];
    const actions = content.actions ?? [];
    const gasUsed = gasPerTransaction * BigInt(transactions.length);
    const block: Block = {
      header: {
        ...this.genesis.block.header,
        height,
        proposer: validator,
        timestampMs: (1_700_000_000_000 + height * this.blockMs) as TimestampMs,
        parentHash: parent?.hash ?? this.genesis.hash,
        parentResults: parent?.roots ?? this.genesis.roots,
      },
      transactions: transactions.map((transaction) => transaction.raw),
      actions: actions.map((action) => action.raw ?? utf8ToBytes(action.hash)),
      evidence: [],
      lastCommit: parent?.certificate ?? null,
    };
    const hash = hashOf(`block ${height}`);
    const storedReceipts = encodeStoredReceipts(transactions.map(receiptOf));
    const delta = openDelta({
      block,
      hash,
      certificate: {
        height,
        round: this.round as Round,
        blockHash: hash,
        signatures: [{ validator, signature: new Uint8Array(65) }],
      },
      roots: { stateRoot: hashOf(`state${height}`), receiptsRoot: hashOf('r'), eventsRoot: hashOf('e'), gasUsed },
      transactionHashes: transactions.map((transaction) => keccakHex(transaction.raw)),
      actionHashes: actions.map((action) => action.hash),
      storedReceipts,
      actionResults: encodeResultFrames(actions.map((action) => action.result)),
      events: encodeEventFrames(content.events ?? []),
      accounts: content.accounts ?? [],
      clobRecords: encodeRecordFrames(content.records ?? []),
      nextBaseFee: content.nextBaseFee ?? baseFee,
    });
    this.deltas.push(delta);
    for (const { address, balance, nonce } of delta.accounts) {
      this.balances.set(address, balance);
      this.nonces.set(address, nonce);
    }
    return delta;
  }

  private count(name: string): void {
    this.asked[name] = (this.asked[name] ?? 0) + 1;
  }

  private at(height: number): OpenedDelta {
    const delta = this.deltas[height - 1];
    if (delta === undefined) throw new Error(`no block ${height}`);
    return delta;
  }

  private range({ fromHeight, toHeight }: HeightRange): OpenedDelta[] {
    return this.deltas.filter(({ block }) => block.header.height >= fromHeight && block.header.height <= toHeight);
  }

  private accountState(address: Address): AccountState {
    return { nonce: this.nonces.get(address) ?? 0, balance: this.balances.get(address) ?? 0n };
  }

  readonly backends: FakeBackends = {
    execution: {
      ordersProof: async (key) => ({
        height: this.height,
        hash: hashOf(`block ${this.height}`),
        stateRoot: hashOf(`state${this.height}`),
        steps: [{ depth: 0, children: [0, 1, 2, 3].map(() => new Uint8Array(32)) }],
        record: { key, value: Uint8Array.of(0xc0) },
      }),
    },
    consensus: {
      submitTransaction: async (raw) => {
        this.onSubmit(raw);
        this.submitted.push(raw);
        return keccakHex(raw);
      },
      submitReadyTransaction: (raw) => this.backends.consensus.submitTransaction(raw),
      submitAction: async (request) => {
        this.actions.push(request);
        return this.onAction(request, this.actions.length - 1);
      },
      pendingNonce: async (address) => this.nonces.get(address) ?? 0,
      poolStatus: async () => ({ pending: this.pool.size, queued: 1 }),
      pooledTransaction: async (hash) => this.pool.get(hash) ?? null,
      poolContent: async (sender) =>
        [...this.pool.values()]
          .filter((entry) => sender === null || entry.sender === sender)
          .map((entry, nonce) => ({ ...entry, status: 'pending', nonce })),
      proposalTransactions: async () => [...this.pool.values()],
      listenPending: async (detail) => {
        this.pendingDetails.push(detail);
      },
      networkStatus: async (): Promise<NetworkStatus> => ({
        peerCount: 3,
        listening: true,
        syncing: null,
        active: true,
        validators: [],
      }),
      consensusStatus: async () => this.consensusStatus,
      knownNodes: async () => this.knownNodes,
    },
    reader: {
      block: async (key: BlockKey) => {
        this.count('block');
        const found = this.deltas.find((delta) =>
          'height' in key ? delta.block.header.height === key.height : delta.hash === key.hash,
        );
        return found ?? null;
      },
      receipts: async (height) => {
        this.count('receipts');
        return this.at(height).opened.receipts;
      },
      blockEvents: async (height) => (height === 0 ? [] : decodeEventFrames(this.at(height).events)),
      actionResults: async (height) => decodeResultFrames(this.at(height).actionResults),
      validators: async (height) => [validatorOf(height)],
      location: async (hash) => {
        for (const { block, transactionHashes, actionHashes } of this.deltas) {
          const { height } = block.header;
          if (transactionHashes.includes(hash))
            return { kind: 'transaction', height, index: transactionHashes.indexOf(hash) };
          if (actionHashes.includes(hash)) return { kind: 'action', height, index: actionHashes.indexOf(hash) };
        }
        return null;
      },
      endedOrder: async (key) => this.endedOrder(key),
      candles: async (query) => this.candles(query),
      accountPlaces: async (query) => {
        this.count('accountPlaces');
        return this.accountPlaces(query);
      },
      accountEvents: (query) => this.lists.accountEvents(query),
      accountOrders: (query) => this.lists.accountOrders(query),
      commits: async (range) => {
        this.count('commits');
        return this.range(range).map(({ block: { header }, hash, certificate: { round, signatures } }) => ({
          height: header.height,
          hash,
          timestampMs: header.timestampMs,
          proposer: header.proposer,
          round,
          signers: signatures.map((signature) => signature.validator),
          missedTurns: Array.from({ length: round }, (_, turn) => addressOf(`turn ${turn}`)),
        }));
      },
      logs: async (query: LogQuery) => {
        this.count('logs');
        return this.range(query)
          .flatMap((delta) => blockLogEntries(delta, delta.opened.logs))
          .filter((entry) => matchesLog(entry, query));
      },
      events: async (query: EventQuery) =>
        this.range(query)
          .flatMap((delta) => eventEntries(delta, decodeEventFrames(delta.events)))
          .filter((entry) => matchesEvent(entry, query)),
      account: async (address) => {
        this.count('account');
        return this.accountState(address);
      },
      code: async () => '0x6001' as never,
      storage: async () => hashOf('orders root'),
      bookParameters,
      proof: async (address, slots) => ({
        ...this.accountState(address),
        nonce: BigInt(this.accountState(address).nonce),
        codeHash: hashOf('code'),
        storageRoot: hashOf('storage'),
        proof: ['0xc0' as Hex],
        slots: slots.map((slot) => ({ slot, value: 7n, proof: [] })),
      }),
      call: async (request, at) => this.onCall(request, at),
      estimateGas: async (request, at) => this.onCall(request, at),
      traceTransaction: async (height, index, { tracer }) => JSON.stringify({ height, index, tracer: tracer.tracer }),
      traceBlock: async (height, { timeoutMs }) =>
        JSON.stringify([{ txHash: hashOf('traced'), result: { height, timeoutMs } }]),
      simulate: async ({ base, blocks }) =>
        blocks.map(({ calls }, index) => ({
          header: { ...base.header, height: (base.header.height + index + 1) as Height },
          hash: hashOf(`simulated ${index}`),
          roots: base.roots,
          transactions: calls.map(simulatedTransaction),
          receipts: calls.map((call, position) =>
            receiptOf(
              { raw: Uint8Array.of(position), from: call.from!, to: call.to, type: 2, effectiveGasPrice: 0n },
              position,
            ),
          ),
          calls: calls.map((call) => ({
            from: call.from!,
            returnData: Uint8Array.of(1),
            gasUsed: gasPerTransaction,
            maxUsedGas: gasPerTransaction,
            logs: [{ address: call.to ?? call.from!, topics: [hashOf('topic')], data: new Uint8Array(0) }],
            failure: simulatedFailure(call.value),
          })),
        })),
      accessList: async (request, at) => {
        const outcome = this.onCall(request, at);
        if (outcome.status === 'failure') return outcome;
        const accessList = [{ address: addressOf('listed'), storageKeys: [hashOf('slot')] }];
        const error = outcome.status === 'revert' ? 'execution reverted' : null;
        return { status: 'listed', accessList, gasUsed: outcome.gasUsed, error };
      },
      traceCall: async (request, at, { txIndex }) => {
        const outcome = this.onCall(request, at);
        return outcome.status === 'failure'
          ? outcome
          : { status: 'traced', trace: JSON.stringify({ to: request.to, ...(txIndex === null ? {} : { txIndex }) }) };
      },
    },
  };
}

export const refusedBy = (code: string, message: string): PrimeError => new PrimeError(message, { code });
