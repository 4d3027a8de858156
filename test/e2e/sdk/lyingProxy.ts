import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { rpc, rpcAll, RpcError } from '@prime/load/rpc';
import { WebSocket, WebSocketServer } from 'ws';

/** One call as it goes to the node, and what comes back. */
export interface Passing {
  readonly method: string;
  readonly params: readonly unknown[];
}
export interface Answered {
  readonly result?: unknown;
  readonly error?: unknown;
}

/** What a proxy does to calls: `ask` goes on to the node. */
export type Lie = (call: Passing, ask: () => Promise<Answered>) => Promise<Answered>;

interface Request extends Passing {
  readonly id: unknown;
}

/** A node as its clients see it through somebody who lies about it, over HTTP and WebSocket. */
export class LyingProxy {
  readonly #node: string;
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  lie: Lie = (_, ask) => ask();
  /** What becomes of the messages of a stream on their way. */
  twist: (message: string) => string = (message) => message;

  private constructor(node: string) {
    this.#node = node;
    this.#server = createServer((request, response) => {
      // Pages of any origin may ask, as they may ask a node.
      response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', 'content-type');
      if (request.method === 'OPTIONS') {
        response.end();
        return;
      }
      void text(request)
        .then((body) => this.#answer(JSON.parse(body) as Request | Request[]))
        .then((answer) => response.end(JSON.stringify(answer)))
        .catch(() => request.socket.destroy());
    });
    this.#sockets = new WebSocketServer({ server: this.#server });
    this.#sockets.on('connection', (socket: WebSocket) => {
      const upstream = new WebSocket(node.replace(/^http/, 'ws'));
      const open = once(upstream, 'open');
      open.catch(() => socket.terminate());
      // Streams pass as they are; answers to calls of the proxy's own are none of them.
      upstream.on('message', (message: Buffer) => socket.send(this.twist(message.toString())));
      upstream.on('close', () => socket.terminate());
      upstream.on('error', () => socket.terminate());
      socket.on('close', () => upstream.terminate());
      socket.on('message', (message: Buffer) => {
        const request = JSON.parse(message.toString()) as Request | Request[];
        if (!Array.isArray(request) && request.method.endsWith('_subscribe'))
          void open.then(() => upstream.send(message.toString()));
        else
          void this.#answer(request).then(
            (answer) => socket.send(JSON.stringify(answer)),
            () => socket.terminate(),
          );
      });
    });
  }

  static async before(node: string): Promise<LyingProxy> {
    const proxy = new LyingProxy(node);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Nobody is there any more, until {@link back}. */
  async vanish(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#server.closeAllConnections();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  async close(): Promise<void> {
    await this.vanish();
    this.#sockets.close();
  }

  #answer(body: Request | Request[]): Promise<unknown> {
    return Array.isArray(body) ? this.#all(body) : this.#one(body, () => this.#ask(body));
  }

  /** A batch goes on as one, as far as a lie does not wait with a call of it: a node answers what comes together at one height. */
  async #all(requests: readonly Request[]): Promise<unknown[]> {
    const together: { readonly call: Passing; readonly told: (answer: Promise<Answered>) => void }[] = [];
    let isSent = false;
    const ask = (call: Passing): Promise<Answered> =>
      isSent ? this.#ask(call) : new Promise((resolve) => together.push({ call, told: resolve }));
    const answers = requests.map((request) => this.#one(request, () => ask(request)));
    isSent = true;
    const told = rpcAll(
      this.#node,
      together.map(({ call }) => call),
    );
    for (const [index, one] of together.entries()) one.told(told.then((all) => answered(all[index])));
    return Promise.all(answers);
  }

  async #one(request: Request, ask: () => Promise<Answered>): Promise<unknown> {
    const answer = await this.lie(request, ask);
    return { jsonrpc: '2.0', id: request.id, ...answer };
  }

  async #ask({ method, params }: Passing): Promise<Answered> {
    try {
      return answered(await rpc(this.#node, method, params));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return answered(error);
    }
  }
}

/** @param answer a result, or the refusal of a node */
function answered(answer: unknown): Answered {
  if (!(answer instanceof RpcError)) return { result: answer };
  const { code, words: message, data } = answer;
  return { error: { code, message, data } };
}
