import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { AnswerReader } from './answerReader.ts';
import type { Endpoint } from './endpoint.ts';
import { LoadError, malformedAnswer } from './errors.ts';

/** Bytes that one read may bring. */
const readBytes = 256 * 1024;

/** Answered requests after which the list of those that wait is made anew, so that it does not grow while some always wait. */
const answeredMax = 4096;

/** Gets the answer to one request; `body` is valid during the call only. */
export type OnReply = (status: number, body: Buffer) => void;

/** Where one connection goes, and who hears that it ended. */
export interface HttpChannelOptions {
  readonly endpoint: Endpoint;
  /**
   * Called once when the connection ends before {@link HttpChannel.close}, `LOAD_CONNECTION_LOST` or `LOAD_ANSWER_MALFORMED`: requests without an
   * answer get none any more, and whether they were carried out is not known.
   */
  readonly onLost: (error: LoadError) => void;
}

/**
 * A keep-alive connection over which requests are pipelined: sent without waiting, answered in their order (RFC 9112 §9.3.2). What is sent in one
 * turn of the event loop is one write, and what one read brings is handed out without a copy.
 *
 * How many wait for an answer is up to the caller ({@link unanswered}). A server may close a connection on which a request follows one that takes
 * time; with one at a time, over as many connections as there are to wait, every server can be loaded.
 */
export class HttpChannel {
  readonly #socket: Socket;
  readonly #onLost: HttpChannelOptions['onLost'];
  readonly #reader = new AnswerReader((status, body) => this.#answer(status, body));
  /** Whom answers are for, in the order of their requests; from {@link #oldest} on. */
  #waiting: OnReply[] = [];
  #oldest = 0;
  #unsent = '';
  #isOver = false;

  constructor({ endpoint, onLost }: HttpChannelOptions) {
    const { host, port, isTls } = endpoint;
    const onread = {
      buffer: Buffer.allocUnsafe(readBytes),
      callback: (size: number, buffer: Uint8Array): boolean => {
        this.#receive((buffer as Buffer).subarray(0, size));
        return true;
      },
    };
    this.#onLost = onLost;
    if (isTls) {
      // A TLS socket has no buffer of its own to read into. No name is asked for where the host is an address (RFC 6066 §3).
      this.#socket = connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }) });
      this.#socket.setNoDelay(true);
      this.#socket.on('data', (chunk) => this.#receive(chunk));
    } else this.#socket = connect({ host, port, noDelay: true, onread });
    let cause: Error | null = null;
    this.#socket.on('error', (error: Error) => (cause = error));
    this.#socket.on('close', () => this.#lose(this.#lostError(endpoint, cause)));
  }

  /** Requests that were sent and have no answer. */
  get unanswered(): number {
    return this.#waiting.length - this.#oldest;
  }

  /** @param request a whole HTTP request; over a channel that is lost or closed nothing is sent, and `onReply` is not called */
  send(request: string, onReply: OnReply): void {
    if (this.#isOver) return;
    this.#waiting.push(onReply);
    if (this.#unsent === '') process.nextTick(() => this.#flush());
    this.#unsent += request;
  }

  /** Ends the connection; answers that are on their way are not handed out. */
  close(): void {
    this.#isOver = true;
    this.#socket.destroy();
  }

  #flush(): void {
    const text = this.#unsent;
    this.#unsent = '';
    if (!this.#isOver) this.#socket.write(text);
  }

  #receive(chunk: Buffer): void {
    if (this.#isOver) return;
    try {
      this.#reader.take(chunk);
    } catch (error) {
      if (!(error instanceof LoadError)) throw error;
      this.#lose(error);
    }
  }

  #answer(status: number, body: Buffer): void {
    if (this.#isOver) return;
    const onReply = this.#waiting[this.#oldest];
    if (onReply === undefined) return malformedAnswer('more answers than requests');
    this.#oldest++;
    if (this.#oldest === this.#waiting.length || this.#oldest >= answeredMax) {
      this.#waiting = this.#waiting.slice(this.#oldest);
      this.#oldest = 0;
    }
    onReply(status, body);
  }

  #lostError({ host, port }: Endpoint, cause: Error | null): LoadError {
    const { unanswered } = this;
    const words = cause === null ? '' : `: ${cause.message}`;
    const detail = { code: 'LOAD_CONNECTION_LOST', unanswered } as const;
    return new LoadError(`the connection to ${host} port ${port} ended${words}`, detail, { cause });
  }

  #lose(error: LoadError): void {
    if (this.#isOver) return;
    this.close();
    this.#onLost(error);
  }
}
