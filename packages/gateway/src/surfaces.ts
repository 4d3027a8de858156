import {
  createDispatcher,
  type DispatcherHooks,
  type NodeInfo,
  type RequestContext,
  type RpcPorts,
  type Surface,
} from '@prime/rpc';
import type { Height } from '@prime/primitives';
import { type ApiKeyGrant, ApiKeys } from './access/apiKeys.ts';
import { Callers } from './access/callers.ts';
import { trustedProxies } from './access/clientAddress.ts';
import { ClientAdmission } from './access/clientAdmission.ts';
import { LoadMonitor } from './access/loadMonitor.ts';
import { frontPage } from './http/frontPage.ts';
import type { GatewayLimits } from './gatewayLimits.ts';
import { type HttpAnswer, HttpServer, type HttpServerOptions } from './http/httpServer.ts';
import { type GatewayRequestLog, tellTurnedAway } from './http/requestLog.ts';
import { type HttpContext, RpcHttp } from './http/rpcHttp.ts';
import type { StreamHub } from './streams/streamHub.ts';
import {
  ConnectionCounts,
  RpcWebSocket,
  type WebSocketHooks,
  type WebSocketSettings,
} from './webSocket/rpcWebSocket.ts';
import { SharedBuffer } from './webSocket/sharedBuffer.ts';

/** Where a surface listens. */
interface Listener {
  readonly host: string;
  /** 0 lets the kernel choose. */
  readonly port: number;
}

/** Who may call what, and from where. */
export interface SurfacesOptions {
  /** The public surface. */
  readonly listen: Listener;
  /** The operator's surface; null serves none. */
  readonly operatorListen: Listener | null;
  /** Origins whose pages may call the public surface; no page calls the operator's. */
  readonly corsOrigins: readonly string[];
  /** Whether callers need a key on the public surface. */
  readonly access: 'open' | 'keys';
  readonly apiKeys: readonly ApiKeyGrant[];
  /** Addresses and networks whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  readonly info: NodeInfo;
  /** Of genesis. */
  readonly networkName: string;
  /** Where this network is shown to people: browsers are told, and its pages may call. Null where nobody named one. */
  readonly explorerUrl: string | null;
  readonly limits: GatewayLimits;
  readonly webSocket: WebSocketSettings;
  readonly hooks: DispatcherHooks & WebSocketHooks & { readonly requestLog?: GatewayRequestLog };
}

type Server = HttpServer<HttpContext, RequestContext>;

/** The listeners of a node over one dispatcher, with what decides who is let in. */
export class Surfaces {
  private readonly load: LoadMonitor;
  private readonly counts: ConnectionCounts;
  private readonly publicServer: Server;
  private readonly operatorServer: Server | null;

  /** @param headHeight of the newest block */
  constructor(ports: RpcPorts, hub: StreamHub, headHeight: () => Height, options: SurfacesOptions) {
    const { info, limits, hooks, access, apiKeys, webSocket } = options;
    const now = (): number => performance.now();
    const { clientRequestsPerSecond: requestsPerSecond, clientBurst: burst, clientConcurrency: concurrency } = limits;
    this.load = new LoadMonitor({ ...limits, now });
    const keys = new ApiKeys(apiKeys);
    const admission = new ClientAdmission({
      keys,
      grants: apiKeys,
      limits: { requestsPerSecond, burst, concurrency },
      load: this.load,
      clientsMax: limits.clientsMax,
      now,
    });
    const dispatcher = createDispatcher(ports, { info, ...limits }, hooks, admission);
    const callers = new Callers({ keys, proxies: trustedProxies(options.trustedProxies), access });
    const counts = new ConnectionCounts(limits);
    const buffer = new SharedBuffer(limits.socketsBufferedBytesMax);
    this.counts = counts;
    const serve = (
      surface: Surface,
      listen: Listener,
      corsOrigins: readonly string[],
      page: (() => HttpAnswer) | null,
    ): Server => {
      const parts = { dispatcher, callers, load: this.load, hooks, page };
      const http = new RpcHttp(parts, { surface, corsOrigins, ...limits });
      const sockets = new RpcWebSocket(
        { dispatcher, callers, load: this.load, hub, counts, buffer, hooks, settings: webSocket },
        {
          surface,
          corsOrigins,
          ...limits,
        },
      );
      const server: HttpServerOptions<HttpContext, RequestContext> = {
        ...listen,
        ...limits,
        webSocket: {
          messageBytesMax: limits.bodyBytesMax,
          idleMs: limits.socketIdleMs,
          accept: (head) => sockets.accept(head),
          open: (socket, request) => sockets.open(socket, request),
        },
        accept: (head) => http.accept(head),
        handle: (context, body) => http.handle(context, body),
        refuse: (context, refusal) => http.refuse(context, refusal),
        malformed: (fault) => http.malformed(fault),
      };
      return new HttpServer(tellTurnedAway(server, { surface, callers, log: hooks.requestLog }));
    };
    const { explorerUrl, operatorListen } = options;
    const origins = [...options.corsOrigins, ...(explorerUrl === null ? [] : [new URL(explorerUrl).origin])];
    const { networkName } = options;
    const facts = { networkName, chainId: info.chainId, clientVersion: info.clientVersion, access, explorerUrl };
    const page = (): HttpAnswer => frontPage(facts, headHeight());
    this.publicServer = serve('public', options.listen, origins, page);
    this.operatorServer = operatorListen === null ? null : serve('operator', operatorListen, [], null);
  }

  get port(): number {
    return this.publicServer.port;
  }

  get operatorPort(): number | null {
    return this.operatorServer?.port ?? null;
  }

  get httpLibrary(): string {
    return `uWebSockets.js ${this.publicServer.build}`;
  }

  /** Open WebSocket connections. */
  get connections(): number {
    return this.counts.total;
  }

  /** Of the public surface: operators are let in all the same. See {@link HttpServer.shut}. */
  shut(): void {
    this.publicServer.shut();
  }

  letIn(): Promise<void> {
    return this.publicServer.letIn();
  }

  async start(): Promise<void> {
    this.load.start();
    await this.publicServer.start();
    await this.operatorServer?.start();
  }

  async close(): Promise<void> {
    await Promise.all([this.publicServer.close(), this.operatorServer?.close()]);
    this.load.close();
  }

  abort(): void {
    this.load.close();
    this.publicServer.abort();
    this.operatorServer?.abort();
  }
}
