import type { Socket } from 'node:net';
import { type RawData, WebSocket } from 'ws';
import { LoadError } from './errors.ts';

/** Where one WebSocket goes, and who hears of it. */
export interface SocketChannelOptions {
  /** `ws://` or `wss://`. */
  readonly url: string;
  /** Called once when the connection ends before {@link SocketChannel.close}: as {@link HttpChannelOptions.onLost}. */
  readonly onLost: (error: LoadError) => void;
  /** Gets what belongs to no request: notifications of subscriptions. */
  readonly onNotification?: (message: Buffer) => void;
}

/**
 * JSON-RPC over one WebSocket: requests are sent without waiting, and answers found by their id, in whichever order they come. What is sent in one turn
 * of the event loop is one write.
 */
export class SocketChannel {
  readonly #socket: WebSocket;
  readonly #url: string;
  readonly #onLost: SocketChannelOptions['onLost'];
  readonly #onNotification: (message: Buffer) => void;
  readonly #waiting = new Map<number, (body: Buffer) => void>();
  /** What the WebSocket writes to. */
  readonly #carrier: Socket;
  #isCorked = false;
  #isOver = false;

  private constructor(socket: WebSocket, carrier: Socket, { url, onLost, onNotification }: SocketChannelOptions) {
    this.#socket = socket;
    this.#carrier = carrier;
    this.#url = url;
    this.#onLost = onLost;
    this.#onNotification = onNotification ?? (() => undefined);
    let cause: Error | null = null;
    socket.on('error', (error) => (cause = error));
    socket.on('close', (code, reason) => this.#lose(code, reason.toString(), cause));
    socket.on('message', (message: RawData) => this.#receive(message as Buffer));
  }

  /** @throws LoadError `LOAD_CONNECTION_LOST` when nobody answers the handshake */
  static open(options: SocketChannelOptions): Promise<SocketChannel> {
    const { url } = options;
    // Compression is off: it would be the generator's work that is measured.
    const socket = new WebSocket(url, { perMessageDeflate: false, skipUTF8Validation: true });
    return new Promise((resolve, reject) => {
      const refuse = (cause: Error): void => {
        const words = `the connection to ${url} was not opened: ${cause.message}`;
        reject(new LoadError(words, { code: 'LOAD_CONNECTION_LOST', unanswered: 0 }, { cause }));
      };
      socket.once('error', refuse);
      let carrier: Socket | null = null;
      socket.once('upgrade', (response) => (carrier = response.socket));
      socket.once('open', () => {
        socket.off('error', refuse);
        resolve(new SocketChannel(socket, carrier!, options));
      });
    });
  }

  /** Requests that were sent and have no answer. */
  get unanswered(): number {
    return this.#waiting.size;
  }

  /**
   * @param id that `request` has, and no other one that waits
   * @param onReply is not called over a channel that is lost or closed; the body is its own
   */
  send(id: number, request: string, onReply: (body: Buffer) => void): void {
    if (this.#isOver) return;
    this.#waiting.set(id, onReply);
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#carrier.cork();
      process.nextTick(() => {
        this.#isCorked = false;
        this.#carrier.uncork();
      });
    }
    this.#socket.send(request);
  }

  /** Ends the connection; answers that are on their way are not handed out. */
  close(): void {
    this.#isOver = true;
    this.#socket.terminate();
  }

  #receive(message: Buffer): void {
    if (this.#isOver) return;
    const id = idOf(message);
    if (id === null) return this.#onNotification(message);
    const onReply = this.#waiting.get(id);
    if (onReply === undefined) return this.#onNotification(message);
    this.#waiting.delete(id);
    onReply(message);
  }

  #lose(code: number, reason: string, cause: Error | null): void {
    if (this.#isOver) return;
    this.close();
    const words = [`the connection to ${this.#url} ended with ${code}`, reason, cause?.message ?? ''];
    const detail = { code: 'LOAD_CONNECTION_LOST', unanswered: this.unanswered } as const;
    this.#onLost(new LoadError(words.filter((word) => word !== '').join(': '), detail, { cause }));
  }
}

/** How answers of most servers begin; others are parsed. */
const usualBegin = /^\{(?:"jsonrpc":"2\.0",)?"id":(\d{1,15})[,}]/;
/** Longer than whatever that matches. */
const beginBytes = 48;

/** @returns null where a message has no id, or one that no request of a generator has */
function idOf(message: Buffer): number | null {
  const usual = usualBegin.exec(message.toString('latin1', 0, beginBytes));
  if (usual !== null) return Number(usual[1]);
  try {
    const { id } = JSON.parse(message.toString()) as { readonly id?: unknown };
    return typeof id === 'number' ? id : null;
  } catch {
    return null;
  }
}
