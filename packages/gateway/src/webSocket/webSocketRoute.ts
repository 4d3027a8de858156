import type { HttpRequest, HttpResponse, TemplatedApp, us_socket_context_t } from 'uWebSockets.js-20.30';
import { type HeadFault, upgradeFault } from '../http/httpFraming.ts';
import { type HttpAnswer, type RequestHead, UwsHead, writeHead } from '../http/httpMessages.ts';
import type { UwsLibrary } from '../http/uwsBuild.ts';

/** One open WebSocket, as the side that writes sees it. Not to be used after {@link SocketUser.onClosed}. */
export interface Socket {
  /** Sends text messages, in one system call where that is possible. */
  send(messages: readonly string[]): void;
  /** What was sent and is still here, because the other side does not read. */
  bufferedBytes(): number;
  /** Says goodbye; nothing is read or sent any more. */
  end(code: number, reason: string): void;
}

/** What happens on a socket. */
export interface SocketUser {
  /** `bytes` are valid during the call only. */
  onMessage(bytes: Uint8Array): void;
  /** The other side has read some of what was buffered. */
  onDrain(): void;
  onClosed(): void;
  /** The server stops: finish what is in work and end. */
  stop(): void;
}

/** Limits of the protocol, who may open a connection, and who uses it then. */
export interface WebSocketOptions<Context> {
  /** Larger messages close the connection with 1009. */
  readonly messageBytesMax: number;
  /** A connection whose other side gives no sign of life for so long is closed; it is pinged before. ms */
  readonly idleMs: number;
  readonly accept: (head: RequestHead) => UpgradeDecision<Context>;
  readonly open: (socket: Socket, context: Context) => SocketUser;
}

/** An HTTP answer in place of the upgrade, or what the connection is opened with. */
export type UpgradeDecision<Context> =
  | { readonly kind: 'refuse'; readonly answer: HttpAnswer }
  | { readonly kind: 'upgrade'; readonly context: Context };

/** The WebSocket endpoint of one server. */
export interface WebSocketRoute {
  /** Lets connections end in order; resolves when all are gone. */
  stop(): Promise<void>;
}

interface UserData<Context> {
  readonly context: Context;
  user: SocketUser | null;
}

const millisecondsPerSecond = 1000;
/** What the library takes as idle timeout, seconds. */
const idleSeconds = { min: 8, max: 960 } as const;

interface RouteOptions<Context> extends WebSocketOptions<Context> {
  readonly uws: UwsLibrary;
  /** Answer for what asks for a WebSocket in a way that the protocol does not know. */
  readonly malformed: (fault: HeadFault) => HttpAnswer;
}

/** Serves WebSocket upgrades on every path of the app. */
export function addWebSocketRoute<Context>(app: TemplatedApp, options: RouteOptions<Context>): WebSocketRoute {
  const users = new Set<SocketUser>();
  let whenEmpty: (() => void) | null = null;
  const idle = Math.ceil(options.idleMs / millisecondsPerSecond);
  app.ws<UserData<Context>>('/*', {
    maxPayloadLength: options.messageBytesMax,
    idleTimeout: Math.min(Math.max(idle, idleSeconds.min), idleSeconds.max),
    sendPingsAutomatically: true,
    compression: options.uws.DISABLED,
    // The user of the socket holds the bound, because it can say why it ends.
    maxBackpressure: 0,
    upgrade: (response, request, context) => upgrade(options, response, request, context),
    open: (webSocket) => {
      const data = webSocket.getUserData();
      const socket: Socket = {
        send: (messages) => {
          webSocket.cork(() => {
            for (const message of messages) webSocket.send(message);
          });
        },
        bufferedBytes: () => webSocket.getBufferedAmount(),
        end: (code, reason) => webSocket.end(code, reason),
      };
      data.user = options.open(socket, data.context);
      users.add(data.user);
    },
    message: (webSocket, message) => webSocket.getUserData().user?.onMessage(new Uint8Array(message)),
    drain: (webSocket) => webSocket.getUserData().user?.onDrain(),
    close: (webSocket) => {
      const { user } = webSocket.getUserData();
      if (user === null) return;
      users.delete(user);
      user.onClosed();
      if (users.size === 0) whenEmpty?.();
    },
  });
  return {
    stop: async () => {
      for (const user of users) user.stop();
      if (users.size === 0) return;
      await new Promise<void>((resolve) => {
        whenEmpty = resolve;
      });
    },
  };
}

function upgrade<Context>(
  { accept, malformed }: RouteOptions<Context>,
  response: HttpResponse,
  request: HttpRequest,
  socketContext: us_socket_context_t,
): void {
  const head = new UwsHead(request, response);
  const header = (name: string): string => head.header(name);
  const fault = head.framing.fault ?? upgradeFault(header);
  const decision: UpgradeDecision<Context> =
    fault === null ? accept(head) : { kind: 'refuse', answer: malformed(fault) };
  if (decision.kind === 'refuse') {
    const { closesByLibrary } = head.framing;
    writeHead(response, decision.answer, { awaitsContinue: false, isClosing: true, closesByLibrary, keepAliveS: 0 });
    response.end(decision.answer.body, true);
    return;
  }
  const data: UserData<Context> = { context: decision.context, user: null };
  response.upgrade(
    data,
    header('sec-websocket-key'),
    header('sec-websocket-protocol'),
    header('sec-websocket-extensions'),
    socketContext,
  );
}
