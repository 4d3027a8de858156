import type { BlockDelta } from '@prime/codec';
import type { CryptoProvider } from '@prime/crypto';
import { bytesToHex, hexToBytes } from '@prime/primitives';
import {
  type BlockRecord,
  createDispatcher,
  defaultDispatcherLimits,
  type DispatcherHooks,
  type NodeInfo,
  type RpcPorts,
  type Surface,
  type TransactionPool,
} from '@prime/rpc';
import { ActionService } from './actionService.ts';
import type { ConsensusBackend, GatewayBackends, PooledTransaction } from './backends.ts';
import { ChainService } from './chainService.ts';
import { createHttpServer, type HttpServer } from './httpServer.ts';
import { Inclusions } from './inclusions.ts';
import { Keyring } from './keyring.ts';
import { HotAccounts } from './readModel/hotAccounts.ts';
import { OrderBookModel } from './readModel/orderBooks.ts';
import { RecentBlocks } from './readModel/recentBlocks.ts';
import { type HttpContext, RpcHttp } from './rpcHttp.ts';
import { StateService } from './stateService.ts';

/** Limits of the server and sizes of its read models; every one may be set by configuration. */
export const defaultGatewayLimits = {
  ...defaultDispatcherLimits,
  bodyBytesMax: 5 * 1024 * 1024,
  bodyTimeoutMs: 30_000,
  requestsMax: 4096,
  bufferedBytesMax: 256 * 1024 * 1024,
  closeTimeoutMs: 5000,
  /** From admission of an action to the block that executes it. */
  actionTimeoutMs: 10_000,
  recentBlocks: 256,
  hotAccounts: 10_000,
} as const;
export type GatewayLimits = { readonly [Name in keyof typeof defaultGatewayLimits]: number };

/** Where a surface listens. */
interface GatewayListener {
  readonly host: string;
  /** 0 lets the kernel choose. */
  readonly port: number;
}

export interface GatewayOptions {
  /** The public surface. */
  readonly listen: GatewayListener;
  /** The operator's surface; null serves none. */
  readonly operatorListen: GatewayListener | null;
  /** Of the public surface; no page calls the operator's. */
  readonly corsOrigins: readonly string[];
  readonly info: NodeInfo;
  readonly limits: GatewayLimits;
  /** What height 0 shows, see {@link genesisBlockRecord}. */
  readonly genesis: BlockRecord;
  /** Newest committed block at start; the genesis record on a new chain. */
  readonly head: BlockRecord;
  /** Base fee of the block after the head, wei. */
  readonly nextBaseFee: bigint;
  /** Private keys of the accounts that the node signs for, 32 bytes each. */
  readonly unlockedKeys: readonly Uint8Array[];
  readonly crypto: CryptoProvider;
  /** Order book records at the head; keys as clobRecords.ts makes them, without a database prefix. */
  readonly records: Iterable<readonly [key: Uint8Array, value: Uint8Array]>;
  readonly hooks: DispatcherHooks;
}

export interface Gateway {
  /** The port of the public surface; 0 before {@link start}. */
  readonly port: number;
  /** The port of the operator's surface; null when there is none. */
  readonly operatorPort: number | null;
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
  applyDelta(delta: BlockDelta): void;
}

class RpcGateway implements Gateway {
  private readonly blocks: RecentBlocks;
  private readonly books = new OrderBookModel();
  private readonly hotAccounts: HotAccounts;
  private readonly inclusions = new Inclusions();
  private readonly publicServer: HttpServer;
  private readonly operatorServer: HttpServer | null;

  constructor(options: GatewayOptions, backends: GatewayBackends) {
    const { limits, info } = options;
    const { consensus, reader } = backends;
    this.blocks = new RecentBlocks(limits.recentBlocks, options.genesis, options.head, options.nextBaseFee);
    this.books.load(options.records);
    this.hotAccounts = new HotAccounts(limits.hotAccounts);
    const ports: RpcPorts = {
      chain: new ChainService(this.blocks, reader, this.inclusions),
      state: new StateService(reader, this.blocks, this.hotAccounts),
      pool: transactionPool(consensus),
      actions: new ActionService(backends, this.blocks, this.inclusions, limits.actionTimeoutMs),
      network: { status: () => consensus.networkStatus() },
      books: this.books,
      accounts: new Keyring(options.crypto, info.chainId, options.unlockedKeys, consensus),
    };
    const dispatcher = createDispatcher(ports, { info, ...limits }, options.hooks);
    const serve = (surface: Surface, listen: GatewayListener, corsOrigins: readonly string[]): HttpServer => {
      const http = new RpcHttp(dispatcher, { surface, corsOrigins, ...limits });
      return createHttpServer<HttpContext>({
        ...listen,
        ...limits,
        accept: (head) => http.accept(head),
        handle: (context, body) => http.handle(context, body),
        refuse: (context, refusal) => http.refuse(context, refusal),
      });
    };
    this.publicServer = serve('public', options.listen, options.corsOrigins);
    this.operatorServer = options.operatorListen === null ? null : serve('operator', options.operatorListen, []);
  }

  get port(): number {
    return this.publicServer.port;
  }

  get operatorPort(): number | null {
    return this.operatorServer?.port ?? null;
  }

  async start(): Promise<void> {
    await this.publicServer.start();
    await this.operatorServer?.start();
  }

  async close(): Promise<void> {
    this.inclusions.close();
    await Promise.all([this.publicServer.close(), this.operatorServer?.close()]);
  }

  abort(): void {
    this.publicServer.abort();
    this.operatorServer?.abort();
  }

  applyDelta(delta: BlockDelta): void {
    if (!this.blocks.add(delta)) return;
    this.hotAccounts.apply(delta.accounts);
    this.books.apply(delta.clobRecords);
    // Last, so that whoever is told about a result also reads the state after it.
    this.inclusions.settle(delta.actionHashes);
    this.inclusions.settle(delta.transactionHashes);
  }
}

const pooled = ({ raw, hash, sender }: PooledTransaction) => ({ raw: bytesToHex(raw), hash, from: sender });

const transactionPool = (consensus: ConsensusBackend): TransactionPool => ({
  submit: (raw) => consensus.submitTransaction(hexToBytes(raw)),
  pendingNonce: (address) => consensus.pendingNonce(address),
  status: () => consensus.poolStatus(),
  transaction: async (hash) => {
    const found = await consensus.pooledTransaction(hash);
    return found === null ? null : pooled(found);
  },
  content: async (sender) =>
    (await consensus.poolContent(sender)).map(({ status, nonce, ...entry }) => ({ status, nonce, ...pooled(entry) })),
  proposal: async () => (await consensus.proposalTransactions()).map(pooled),
});

/** Builds the server and its read models from the state at the head; nothing listens before `start`. */
export const createGateway = (options: GatewayOptions, backends: GatewayBackends): Gateway =>
  new RpcGateway(options, backends);
