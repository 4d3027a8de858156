import type { Eventual } from '@prime/rpc';
import type { GatewayLimits } from '../gatewayLimits.ts';
import type { HeadFault } from './httpFraming.ts';
import type { HttpAnswer, RequestHead } from './httpMessages.ts';
import type { WebSocketOptions } from '../webSocket/webSocketRoute.ts';

/** What the HTTP server of httpServer.ts is told. */

/** What is done about a request: answer at once, or read its body and then ask {@link HttpServerOptions.handle}. */
export type Decision<Context> =
  | { readonly kind: 'answer'; readonly answer: HttpAnswer }
  | { readonly kind: 'read'; readonly context: Context };

/** What requests and connections may take. */
export type HttpServerLimits = Pick<
  GatewayLimits,
  'bodyBytesMax' | 'bodyTimeoutMs' | 'bodyStallMs' | 'idleMs' | 'requestsMax' | 'bufferedBytesMax' | 'closeTimeoutMs'
>;

/** Where the server listens, what a request may take, and who answers it. */
export interface HttpServerOptions<Context, SocketContext> extends HttpServerLimits {
  readonly host: string;
  /** 0 lets the kernel choose. */
  readonly port: number;
  readonly webSocket: WebSocketOptions<SocketContext>;
  readonly accept: (head: RequestHead) => Decision<Context>;
  /** The body is valid during the call only. Must not throw or reject. */
  readonly handle: (context: Context, body: ArrayBuffer | Uint8Array) => Eventual<HttpAnswer>;
  /** Answer for a request that is refused while its body is read. */
  readonly refuse: (context: Context, refusal: HttpRefusal) => HttpAnswer;
  /** Answer for what is refused by its head, as no request that HTTP knows. */
  readonly malformed: (fault: HeadFault) => HttpAnswer;
}

/** Why a body is not taken: it is too long, takes too long, stopped coming, or finds no room. */
export type HttpRefusal = 'tooLarge' | 'tooSlow' | 'stalled' | 'overloaded';
