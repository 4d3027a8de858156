import {
  type Dispatcher,
  type JsonRpcError,
  jsonRpcCode,
  type LimitReason,
  limitExceeded,
  overloaded,
  type RequestContext,
  type RpcError,
  type Surface,
  toJsonRpcError,
} from '@prime/rpc';
import type { GatewayLimits } from '../gatewayLimits.ts';
import type { Callers } from '../access/callers.ts';
import type { Load } from '../access/loadMonitor.ts';
import type { RequestHead } from '../http/httpMessages.ts';
import type { StreamHub } from '../streams/streamHub.ts';
import { type ConnectionLimits, RpcConnection } from './connection.ts';
import type { SharedBuffer } from './sharedBuffer.ts';
import type { Socket, SocketUser, UpgradeDecision } from './webSocketRoute.ts';

/** What an operator can turn off: the whole WebSocket endpoint, or subscriptions only. */
export interface WebSocketSettings {
  readonly enabled: boolean;
  readonly subscriptions: boolean;
}

/** What is worth counting. */
export interface WebSocketHooks {
  /** @param count connections now */
  readonly onConnections?: (count: number) => void;
  /** The node ended a connection, with this close code. */
  readonly onConnectionEnded?: (code: number) => void;
  /** A connection was refused. */
  readonly onLimited?: (reason: LimitReason) => void;
}

type CountLimits = Pick<GatewayLimits, 'connectionsMax' | 'connectionsPerClientMax'>;

/** Connections of both surfaces, by client. */
export class ConnectionCounts {
  total = 0;
  private readonly limits: CountLimits;
  private readonly byClient = new Map<string, number>();

  constructor(limits: CountLimits) {
    this.limits = limits;
  }

  /** Why the client can not have one more; null when it can. */
  refusal(client: string): RpcError | null {
    const { connectionsMax, connectionsPerClientMax } = this.limits;
    const own = this.byClient.get(client) ?? 0;
    if (own >= connectionsPerClientMax)
      return limitExceeded('connectionsPerClient', connectionsPerClientMax, `the client has ${own} connections`);
    return this.total < connectionsMax
      ? null
      : limitExceeded('connections', connectionsMax, `${this.total} connections are open`);
  }

  add(client: string): void {
    this.total++;
    this.byClient.set(client, (this.byClient.get(client) ?? 0) + 1);
  }

  remove(client: string): void {
    this.total--;
    const remaining = (this.byClient.get(client) ?? 1) - 1;
    if (remaining === 0) this.byClient.delete(client);
    else this.byClient.set(client, remaining);
  }
}

/** What answers JSON-RPC over WebSocket, shared by all surfaces. */
export interface RpcWebSocketParts {
  readonly dispatcher: Dispatcher;
  readonly callers: Callers;
  readonly load: Load;
  readonly hub: StreamHub;
  readonly counts: ConnectionCounts;
  readonly buffer: SharedBuffer;
  readonly hooks: WebSocketHooks;
  readonly settings: WebSocketSettings;
}

/** Limits of connections, and whom one surface lets open them. */
export interface RpcWebSocketOptions extends ConnectionLimits {
  readonly surface: Surface;
  /** As for HTTP: browsers let any page open a WebSocket, so the server has to look. */
  readonly corsOrigins: readonly string[];
}

/** WebSockets of one surface: who may open one, and what happens on it. */
export class RpcWebSocket {
  private readonly parts: RpcWebSocketParts;
  private readonly options: RpcWebSocketOptions;

  constructor(parts: RpcWebSocketParts, options: RpcWebSocketOptions) {
    this.parts = parts;
    this.options = options;
  }

  accept(head: RequestHead): UpgradeDecision<RequestContext> {
    const { callers, counts, hooks, load, settings } = this.parts;
    const { surface } = this.options;
    if (head.path !== '/') return refuse('404 Not Found', invalid('requests go to /'));
    if (!settings.enabled)
      return refuse('501 Not Implemented', invalid('this node serves no WebSocket (ws.enabled), poll over HTTP POST'));
    if (!this.originMay(head.header('origin')))
      return refuse('403 Forbidden', invalid('pages of this origin may not connect'));
    if (surface === 'public' && load.level() === 'overloaded') {
      hooks.onLimited?.('overload');
      return refuse('503 Service Unavailable', this.overloadError(), retry);
    }
    let request: RequestContext;
    try {
      request = callers.identify(head, surface, 'webSocket');
    } catch (error) {
      return refuse('401 Unauthorized', toJsonRpcError(error), ['WWW-Authenticate', 'Bearer']);
    }
    const tooMany = counts.refusal(request.client.id);
    if (tooMany === null) return { kind: 'upgrade', context: request };
    hooks.onLimited?.('quota');
    return refuse('503 Service Unavailable', toJsonRpcError(tooMany), retry);
  }

  open(socket: Socket, request: RequestContext): SocketUser {
    const { buffer, counts, dispatcher, hub, hooks, settings } = this.parts;
    const { id } = request.client;
    counts.add(id);
    hooks.onConnections?.(counts.total);
    return new RpcConnection(socket, request, {
      dispatcher,
      hub: settings.subscriptions ? hub : null,
      limits: this.options,
      buffer,
      onClosed: () => {
        counts.remove(id);
        hooks.onConnections?.(counts.total);
      },
      onEnded: (code) => hooks.onConnectionEnded?.(code),
    });
  }

  private overloadError(): JsonRpcError {
    return toJsonRpcError(overloaded('overloadDelayMs', this.parts.load.overloadDelayMs, 'the node is overloaded'));
  }

  /** Programs send no origin. */
  private originMay(origin: string): boolean {
    const { corsOrigins } = this.options;
    return origin === '' || corsOrigins.includes('*') || corsOrigins.includes(origin);
  }
}

type Header = readonly [name: string, value: string];
const retry: Header = ['Retry-After', '1'];
const json: Header = ['Content-Type', 'application/json'];

const invalid = (message: string): JsonRpcError => ({ code: jsonRpcCode.invalidRequest, message });

function refuse(status: string, error: JsonRpcError, ...headers: readonly Header[]): UpgradeDecision<never> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error });
  return { kind: 'refuse', answer: { status, headers: [json, ...headers], body } };
}
