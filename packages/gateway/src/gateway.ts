import { decodeRecordFrames, type OpenedDelta } from '@prime/codec';
import type { CryptoProvider } from '@prime/crypto';
import type { Height, TimestampMs } from '@prime/primitives';
import type { BlockRecord, RpcPorts, TransactionPool } from '@prime/rpc';
import { createActionService } from './services/actionService.ts';
import type { ConsensusBackend, GatewayBackends, PendingBatch } from './services/backends.ts';
import { createChainService } from './services/chainService.ts';
import { boundedConsensus, boundedExecution } from './services/boundedConsensus.ts';
import { Inclusions } from './services/inclusions.ts';
import { FilterService } from './services/filterService.ts';
import { Keyring } from './services/keyring.ts';
import { PendingTransactions } from './services/pendingTransactions.ts';
import { CandleModel, type CandlesAtStart } from './readModel/candles.ts';
import { HotAccounts } from './readModel/hotAccounts.ts';
import type { MarginRules } from './readModel/marginAccounts.ts';
import type { BlockTimes, MarketStanding, ReporterStanding } from './readModel/marketStanding.ts';
import { OrderBookModel } from './readModel/orderBooks.ts';
import { RecentBlocks } from './readModel/recentBlocks.ts';
import { createStateService } from './services/stateService.ts';
import { StreamHub } from './streams/streamHub.ts';
import { Surfaces, type SurfacesOptions } from './surfaces.ts';

/** Events of a block, encoded: see eventFrames.ts of the codec. */
interface RecentEvents {
  readonly height: Height;
  readonly timestampMs: TimestampMs;
  readonly events: Uint8Array;
}

/** Limits and doors of a gateway, and the state that its read models begin with: all of it at one head. */
export interface GatewayOptions extends SurfacesOptions {
  /** What height 0 shows, see {@link genesisBlockRecord}. */
  readonly genesis: BlockRecord;
  /** Newest committed block at start; the genesis record on a new chain. */
  readonly head: BlockRecord;
  /** Base fee of the block after the head, wei. */
  readonly nextBaseFee: bigint;
  /** Private keys of the accounts that the node signs for, 32 bytes each. */
  readonly unlockedKeys: readonly Uint8Array[];
  readonly crypto: CryptoProvider;
  /** Order book records at the head; keys as recordKeys.ts makes them, without a database prefix. */
  readonly records: Iterable<readonly [key: Uint8Array, value: Uint8Array]>;
  /** Events of the latest blocks up to the head, oldest first: where the latest trades are. */
  readonly recentEvents: Iterable<RecentEvents>;
  /** Candles at the head. */
  readonly candles: CandlesAtStart;
  /** As genesis says. */
  readonly marginRules: MarginRules;
  /** A clock that only goes forward, ms. */
  readonly nowMs: () => number;
  /** Told of each block when all answers are as of it, and when those who listen to it have been told. */
  readonly onBlock?: (stage: 'visible' | 'delivered', delta: OpenedDelta) => void;
  /** The clock that blocks are proposed with. */
  readonly clock: RpcPorts['clock'];
}

/** Everything that clients speak to: JSON-RPC over HTTP and WebSocket, on a public surface and an operator's one. */
export interface Gateway {
  /** Where it listens, and who gets in. */
  readonly surfaces: Pick<Surfaces, 'port' | 'operatorPort' | 'httpLibrary' | 'connections' | 'shut' | 'letIn'>;
  /** For whoever watches the node: how many markets there are, and what the first of them are. */
  markets(countMax: number): { readonly count: number; readonly first: readonly MarketStanding[] };
  /** The same: how validators report prices; none on a network without oracle. */
  reporters(): readonly ReporterStanding[];
  /** @throws HttpServerError `GATEWAY_LISTEN_FAILED` */
  start(): Promise<void>;
  close(): Promise<void>;
  /** Serves nobody any more, from now on; waiting callers lose their connections. */
  abort(): void;
  /**
   * Takes the delta of the block after the head. Blocks that the gateway has already are ignored.
   *
   * @throws InvariantError when a block was left out
   */
  applyDelta(delta: OpenedDelta): void;
  /** Takes transactions that became executable in the mempool. */
  applyPending(batch: PendingBatch): void;
}

/** What the gateway keeps of the chain for itself. */
interface ReadModels {
  readonly blocks: RecentBlocks;
  readonly books: OrderBookModel;
  readonly candles: CandleModel;
  readonly hotAccounts: HotAccounts;
}

/** As of the head. */
function openReadModels(options: GatewayOptions): ReadModels {
  const { limits, genesis, head, nextBaseFee } = options;
  const blocks = new RecentBlocks(
    { blocks: limits.recentBlocks, bytes: limits.recentBytes },
    genesis,
    head,
    nextBaseFee,
  );
  const candles = new CandleModel(options.candles);
  const books = new OrderBookModel(options.marginRules, {
    of: (id) => candles.day(id, blocks.head.block.header.timestampMs),
  });
  books.load(options.records, head.block.header.height);
  for (const { height, timestampMs, events } of options.recentEvents) books.addEvents(height, timestampMs, events);
  return { blocks, books, candles, hotAccounts: new HotAccounts(limits.hotAccounts) };
}

/** What the methods of JSON-RPC reach beside the read models. */
interface Services extends ReadModels {
  readonly backends: GatewayBackends;
  readonly inclusions: Inclusions;
  readonly pending: PendingTransactions;
}

function portsOf(options: GatewayOptions, services: Services): RpcPorts {
  const { limits, info } = options;
  const { backends, blocks, books, inclusions, pending, hotAccounts } = services;
  const { consensus, execution, reader } = backends;
  const chain = createChainService(blocks, reader, inclusions);
  const keyring = new Keyring(options.crypto, info.chainId, options.unlockedKeys, consensus);
  return {
    chain,
    state: createStateService(reader, blocks, hotAccounts, backends.inlineCalls),
    pool: transactionPool(consensus),
    actions: createActionService({
      backends,
      blocks,
      inclusions,
      keyring,
      chainId: info.chainId,
      timeoutMs: limits.actionTimeoutMs,
    }),
    network: {
      status: () => consensus.networkStatus(),
      consensus: () => consensus.consensusStatus(),
      nodes: () => consensus.knownNodes(),
    },
    books,
    ordersProver: { prove: (key) => execution.ordersProof(key) },
    accounts: keyring,
    traces: {
      transaction: (...args) => reader.traceTransaction(...args),
      block: (...args) => reader.traceBlock(...args),
      call: (...args) => reader.traceCall(...args),
      accessList: (...args) => reader.accessList(...args),
      simulate: (request) => reader.simulate(request),
    },
    filters: new FilterService(chain, pending, limits, options.nowMs),
    clock: options.clock,
  };
}

/** Builds the server and its read models from the state at the head; nothing listens before `start`. */
export function createGateway(options: GatewayOptions, unbounded: GatewayBackends): Gateway {
  const { limits, info, head, onBlock } = options;
  const consensus = boundedConsensus(unbounded.consensus, limits.consensusReadsMax);
  const execution = boundedExecution(unbounded.execution, limits.consensusReadsMax);
  const models = openReadModels(options);
  const { blocks, books, candles, hotAccounts } = models;
  const times = (): BlockTimes => ({
    nowMs: blocks.head.block.header.timestampMs,
    genesisMs: options.genesis.block.header.timestampMs,
  });
  const inclusions = new Inclusions();
  const pending = new PendingTransactions(consensus, limits.pendingHashesMax);
  const ports = portsOf(options, {
    ...models,
    backends: { ...unbounded, consensus, execution },
    inclusions,
    pending,
  });
  const hub = new StreamHub({
    info,
    subscriptionsMax: limits.subscriptionsMax,
    books,
    candles,
    pending,
    networkStatus: () => consensus.networkStatus(),
    head,
  });
  const surfaces = new Surfaces(ports, hub, () => blocks.headHeight, options);
  return {
    surfaces,
    markets: (countMax) => ({ count: books.marketCount, first: books.standing(countMax, times()) }),
    reporters: () => books.reporters.standing(times()),
    start: () => surfaces.start(),
    async close() {
      inclusions.close();
      await surfaces.close();
    },
    abort: () => surfaces.abort(),
    applyDelta(delta) {
      if (!blocks.add(delta)) return;
      hotAccounts.apply(delta.accounts);
      const { height, timestampMs } = delta.block.header;
      const records = decodeRecordFrames(delta.clobRecords);
      const changes = books.apply(records, height);
      const block = blocks.recent(height)!;
      books.addEvents(height, timestampMs, delta.events);
      candles.add(height, timestampMs, { events: delta.events, records });
      onBlock?.('visible', delta);
      // From here on, so that whoever is told also reads the state after it.
      hub.onBlock(block, changes);
      inclusions.included(delta.actionHashes);
      inclusions.included(delta.transactionHashes);
      onBlock?.('delivered', delta);
    },
    applyPending: (batch) => pending.add(batch),
  };
}

const transactionPool = (consensus: ConsensusBackend): TransactionPool => ({
  submit: (raw) => consensus.submitTransaction(raw),
  submitReady: (raw) => consensus.submitReadyTransaction(raw),
  pendingNonce: (address) => consensus.pendingNonce(address),
  status: () => consensus.poolStatus(),
  transaction: (hash) => consensus.pooledTransaction(hash),
  content: (sender) => consensus.poolContent(sender),
  proposal: () => consensus.proposalTransactions(),
});
