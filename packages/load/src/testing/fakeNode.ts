import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type WebSocket, WebSocketServer } from 'ws';

export interface FakeRequest {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What a fake node does with a request: a body to answer with beside the id, nothing at all, or the end of the connection. */
export type FakeAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | 'silence'
  | 'hang up';

/** A server that answers JSON-RPC over HTTP and WebSocket as a test says. */
export class FakeNode {
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  /** In the order in which they came. */
  readonly requests: FakeRequest[] = [];
  answer: (request: FakeRequest) => FakeAnswer;

  private constructor(answer: FakeNode['answer']) {
    this.answer = answer;
    this.#server = createServer((request, response) => {
      void text(request).then((body) => {
        const asked = JSON.parse(body) as FakeRequest | FakeRequest[];
        const answers = [asked].flat().map((each) => ({ id: each.id, answered: this.#answer(each) }));
        if (answers.some(({ answered }) => answered === 'hang up')) return void request.socket.destroy();
        if (answers.some(({ answered }) => answered === 'silence')) return;
        const bodies = answers.map(({ id, answered }) => ({ jsonrpc: '2.0', id, ...(answered as object) }));
        response.end(JSON.stringify(Array.isArray(asked) ? bodies : bodies[0]));
      });
    });
    this.#sockets = new WebSocketServer({ server: this.#server });
    this.#sockets.on('connection', (socket: WebSocket) => {
      socket.on('message', (message: Buffer) => {
        const asked = JSON.parse(message.toString()) as FakeRequest;
        const answered = this.#answer(asked);
        if (answered === 'hang up') socket.terminate();
        else if (answered !== 'silence') socket.send(JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...answered }));
      });
    });
  }

  static async start(answer: FakeNode['answer'] = ({ id }) => ({ result: id }), port = 0): Promise<FakeNode> {
    const node = new FakeNode(answer);
    node.#server.listen(port, '127.0.0.1');
    await once(node.#server, 'listening');
    return node;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/`;
  }

  /** Told to whoever is connected by WebSocket. */
  notify(params: unknown): void {
    for (const socket of this.#sockets.clients)
      socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params }));
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#sockets.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: FakeRequest): FakeAnswer {
    this.requests.push(request);
    return this.answer(request);
  }
}
