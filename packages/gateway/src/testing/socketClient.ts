import { once } from 'node:events';
import { WebSocket } from 'ws';
import { callsOf, type RpcAnswer, type RpcCalls } from './rpcCalls.ts';

interface Message extends RpcAnswer {
  readonly id?: number | null;
  readonly method?: string;
  readonly params?: { readonly subscription: string; readonly result: unknown };
}

/** A WebSocket client that remembers what it was told. */
export interface SocketClient extends RpcCalls {
  readonly socket: WebSocket;
  /** Everything received, parsed, in order. */
  readonly messages: readonly unknown[];
  /** Sends text as it is; resolves with the next message. */
  exchange(text: string | Uint8Array): Promise<unknown>;
  /** Results of the notifications of a subscription, so far. */
  told(subscription: unknown): unknown[];
  /** Resolves when a subscription was told of so many things. */
  untilTold(subscription: unknown, count: number): Promise<unknown[]>;
  /** Code and reason of the close. */
  readonly closed: Promise<readonly [code: number, reason: string]>;
}

/** @throws when the upgrade is refused */
export async function connect(
  url: string,
  options: ConstructorParameters<typeof WebSocket>[2] = {},
  protocols: string[] = [],
): Promise<SocketClient> {
  const socket = new WebSocket(url.replace('http', 'ws'), protocols, options);
  const messages: Message[] = [];
  const bySubscription = new Map<unknown, unknown[]>();
  const toldTo = (subscription: unknown): unknown[] => {
    const told = bySubscription.get(subscription) ?? [];
    bySubscription.set(subscription, told);
    return told;
  };
  const waiters = new Set<() => void>();
  let nextId = 1;
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Message;
    messages.push(message);
    if (message.params !== undefined) toldTo(message.params.subscription).push(message.params.result);
    for (const wake of waiters) wake();
  });
  const closed = new Promise<readonly [number, string]>((resolve) => {
    socket.on('close', (code, reason) => resolve([code, reason.toString()]));
  });
  await once(socket, 'open');
  const until = <T>(look: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const wake = (): void => {
        const found = look();
        if (found === undefined) return;
        waiters.delete(wake);
        resolve(found);
      };
      waiters.add(wake);
      closed.then(([code, reason]) => reject(new Error(`closed: ${code} ${reason}`)), reject);
      wake();
    });
  const ask = async (method: string, params: readonly unknown[]): Promise<Message> => {
    const id = nextId++;
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return until(() => messages.find((message) => message.id === id));
  };
  const told = (subscription: unknown): unknown[] => [...toldTo(subscription)];
  return {
    socket,
    messages,
    closed,
    told,
    ...callsOf(ask),
    exchange: (text) => {
      const before = messages.length;
      socket.send(text);
      return until(() => messages[before]);
    },
    untilTold: (subscription, count) =>
      until(() => (toldTo(subscription).length >= count ? told(subscription) : undefined)),
  };
}

/** Status and body with which an upgrade is refused. */
export function refusedUpgrade(
  url: string,
  options: ConstructorParameters<typeof WebSocket>[2] = {},
): Promise<{ readonly status: number | undefined; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace('http', 'ws'), options);
    socket.on('open', () => reject(new Error('the upgrade was taken')));
    socket.on('error', reject);
    socket.on('unexpected-response', (_, response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode, body }));
    });
  });
}
