import { type MessageEvent, WebSocket } from 'undici';
import type { JsonAnswer } from './clients.ts';

interface Message extends JsonAnswer {
  readonly id?: number;
  readonly params?: { readonly subscription: string; readonly result: unknown };
}

/** JSON-RPC over one WebSocket. What waits when it ends is rejected. */
export class JsonSocket {
  /** Called with every notification, in order. */
  onNotification: (subscription: string, result: unknown) => void = () => undefined;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<
    number,
    { readonly resolve: (answer: JsonAnswer) => void; readonly reject: (e: Error) => void }
  >();
  #next = 1;
  #closed = false;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', (event: MessageEvent<string>) => this.#take(JSON.parse(event.data) as Message));
    socket.addEventListener('close', ({ code, reason }) => this.#end(`closed with ${code} ${reason}`));
    socket.addEventListener('error', () => this.#end('failed'));
  }

  static async open(url: string): Promise<JsonSocket> {
    const socket = new WebSocket(url.replace('http', 'ws'));
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve(), { once: true });
      socket.addEventListener('error', () => reject(new Error(`no WebSocket to ${url}`)), { once: true });
    });
    return new JsonSocket(socket);
  }

  get closed(): boolean {
    return this.#closed;
  }

  call(method: string, params: readonly unknown[]): Promise<JsonAnswer> {
    if (this.#closed) return Promise.reject(new Error('the WebSocket is closed'));
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  close(): void {
    this.#socket.close();
    this.#end('was closed');
  }

  #take(message: Message): void {
    if (message.params !== undefined) {
      this.onNotification(message.params.subscription, message.params.result);
      return;
    }
    const waiting = this.#waiting.get(message.id ?? 0);
    this.#waiting.delete(message.id ?? 0);
    waiting?.resolve(message);
  }

  #end(why: string): void {
    this.#closed = true;
    for (const { reject } of this.#waiting.values()) reject(new Error(`the WebSocket ${why}`));
    this.#waiting.clear();
  }
}
