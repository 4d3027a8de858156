import { decodeRecordFrames, type OpenedDelta } from '@prime/codec';
import type { CryptoProvider } from '@prime/crypto';
import type { Height } from '@prime/primitives';
import type { BlockRecord, RpcPorts, TransactionPool } from '@prime/rpc';
import { ActionService } from './services/actionService.ts';
import type { ConsensusBackend, GatewayBackends, PendingBatch } from './services/backends.ts';
import { ChainService } from './services/chainService.ts';
import { boundedConsensus, boundedExecution } from './services/boundedConsensus.ts';
import { Inclusions } from './services/inclusions.ts';
import { FilterService } from './services/filterService.ts';
import { Keyring } from './services/keyring.ts';
import { PendingTransactions } from './services/pendingTransactions.ts';
import { CandleModel, type CandlesAtStart } from './readModel/candles.ts';
import { HotAccounts } from './readModel/hotAccounts.ts';
import type { MarginRules } from './readModel/marginAccounts.ts';
import { type MarketStanding, OrderBookModel } from './readModel/orderBooks.ts';
import { RecentBlocks } from './readModel/recentBlocks.ts';
import { StateService } from './services/stateService.ts';
import { StreamHub } from './streams/streamHub.ts';
import { Surfaces, type SurfacesOptions } from './surfaces.ts';

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
  readonly recentEvents: Iterable<{ readonly height: Height; readonly events: Uint8Array }>;
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
  /** The port of the public surface; 0 before {@link start}. */
  readonly port: number;
  /** The port of the operator's surface; null when there is none. */
  readonly operatorPort: number | null;
  /** The build of uWebSockets.js that serves. */
  readonly httpLibrary: string;
  /** Open WebSocket connections. */
  readonly connections: number;
  /** For whoever watches the node: how many markets there are, and what the first of them are. */
  markets(countMax: number): { readonly count: number; readonly first: readonly MarketStanding[] };
  /** @throws HttpServerError `GATEWAY_LISTEN_FAILED` */
  start(): Promise<void>;
  /** The public surface lets nobody new in; connections that are there stay. */
  shut(): void;
  /** It lets callers in again. @throws HttpServerError `GATEWAY_LISTEN_FAILED` while somebody else has the port */
  letIn(): Promise<void>;
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

class RpcGateway implements Gateway {
  private readonly blocks: RecentBlocks;
  private readonly books: OrderBookModel;
  private readonly candles: CandleModel;
  private readonly hotAccounts: HotAccounts;
  private readonly inclusions = new Inclusions();
  private readonly pending: PendingTransactions;
  private readonly hub: StreamHub;
  private readonly surfaces: Surfaces;
  private readonly onBlock: NonNullable<GatewayOptions['onBlock']>;

  constructor(options: GatewayOptions, backends: GatewayBackends) {
    this.onBlock = options.onBlock ?? (() => undefined);
    const { limits, info } = options;
    const { reader } = backends;
    const consensus = boundedConsensus(backends.consensus, limits.consensusReadsMax);
    const execution = boundedExecution(backends.execution, limits.consensusReadsMax);
    const kept = { blocks: limits.recentBlocks, bytes: limits.recentBytes };
    this.blocks = new RecentBlocks(kept, options.genesis, options.head, options.nextBaseFee);
    this.candles = new CandleModel(options.candles);
    this.books = new OrderBookModel(options.marginRules, {
      of: (id) => this.candles.day(id, this.blocks.head.block.header.timestampMs),
    });
    this.books.load(options.records, options.head.block.header.height);
    for (const { height, events } of options.recentEvents) this.books.addEvents(height, events);
    this.hotAccounts = new HotAccounts(limits.hotAccounts);
    this.pending = new PendingTransactions(consensus, limits.pendingHashesMax);
    const chain = new ChainService(this.blocks, reader, this.inclusions);
    const keyring = new Keyring(options.crypto, info.chainId, options.unlockedKeys, consensus);
    const ports: RpcPorts = {
      chain,
      state: new StateService(reader, this.blocks, this.hotAccounts, backends.inlineCalls),
      pool: transactionPool(consensus),
      actions: new ActionService({
        backends: { ...backends, consensus },
        blocks: this.blocks,
        inclusions: this.inclusions,
        keyring,
        chainId: info.chainId,
        timeoutMs: limits.actionTimeoutMs,
      }),
      network: {
        status: () => consensus.networkStatus(),
        consensus: () => consensus.consensusStatus(),
        nodes: () => consensus.knownNodes(),
      },
      books: this.books,
      ordersProver: { prove: (key) => execution.ordersProof(key) },
      accounts: keyring,
      traces: {
        transaction: (...args) => reader.traceTransaction(...args),
        block: (...args) => reader.traceBlock(...args),
        call: (...args) => reader.traceCall(...args),
        accessList: (...args) => reader.accessList(...args),
        simulate: (request) => reader.simulate(request),
      },
      filters: new FilterService(chain, this.pending, limits, options.nowMs),
      clock: options.clock,
    };
    this.hub = new StreamHub({
      info,
      subscriptionsMax: limits.subscriptionsMax,
      books: this.books,
      candles: this.candles,
      pending: this.pending,
      networkStatus: () => consensus.networkStatus(),
      head: options.head,
    });
    this.surfaces = new Surfaces(ports, this.hub, () => this.blocks.headHeight, options);
  }

  get port(): number {
    return this.surfaces.port;
  }

  get operatorPort(): number | null {
    return this.surfaces.operatorPort;
  }

  get httpLibrary(): string {
    return this.surfaces.httpLibrary;
  }

  get connections(): number {
    return this.surfaces.connections;
  }

  markets(countMax: number): ReturnType<Gateway['markets']> {
    return { count: this.books.marketCount, first: this.books.standing(countMax) };
  }

  start(): Promise<void> {
    return this.surfaces.start();
  }

  shut(): void {
    this.surfaces.shut();
  }

  letIn(): Promise<void> {
    return this.surfaces.letIn();
  }

  async close(): Promise<void> {
    this.inclusions.close();
    await this.surfaces.close();
  }

  abort(): void {
    this.surfaces.abort();
  }

  applyDelta(delta: OpenedDelta): void {
    if (!this.blocks.add(delta)) return;
    this.hotAccounts.apply(delta.accounts);
    const { height, timestampMs } = delta.block.header;
    const changes = this.books.apply(decodeRecordFrames(delta.clobRecords), height);
    const block = this.blocks.recent(height)!;
    this.books.addEvents(height, delta.events);
    this.candles.add(height, timestampMs, delta.events);
    this.onBlock('visible', delta);
    // From here on, so that whoever is told also reads the state after it.
    this.hub.onBlock(block, changes);
    this.inclusions.settle(delta.actionHashes);
    this.inclusions.settle(delta.transactionHashes);
    this.onBlock('delivered', delta);
  }

  applyPending(batch: PendingBatch): void {
    this.pending.add(batch);
  }
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

/** Builds the server and its read models from the state at the head; nothing listens before `start`. */
export const createGateway = (options: GatewayOptions, backends: GatewayBackends): Gateway =>
  new RpcGateway(options, backends);
