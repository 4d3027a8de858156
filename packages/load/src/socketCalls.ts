import { LoadError, malformedAnswer } from './errors.ts';
import { SocketChannel, type SocketChannelOptions } from './socketChannel.ts';

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Calls of JSON-RPC over one WebSocket, as promises: for what is not measured, and where the order matters. Calls that are made one after the other reach the
 * node in that order, without waiting for answers.
 */
export class SocketCalls {
  readonly #channel: SocketChannel;
  readonly #waiting: Map<number, Waiting>;
  #nextId = 1;
  #lost: () => LoadError | null;

  private constructor(channel: SocketChannel, waiting: Map<number, Waiting>, lost: () => LoadError | null) {
    this.#channel = channel;
    this.#waiting = waiting;
    this.#lost = lost;
  }

  /** @throws LoadError `LOAD_CONNECTION_LOST` when nobody answers the handshake */
  static async open(
    options: Pick<SocketChannelOptions, 'url' | 'onNotification'> & Partial<Pick<SocketChannelOptions, 'onLost'>>,
  ): Promise<SocketCalls> {
    const waiting = new Map<number, Waiting>();
    let lost: LoadError | null = null;
    const onLost = (error: LoadError): void => {
      lost = error;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
      options.onLost?.(error);
    };
    return new SocketCalls(await SocketChannel.open({ ...options, onLost }), waiting, () => lost);
  }

  /**
   * @param onResult gets the result before anything behind it is read; the promise settles later
   * @throws LoadError `LOAD_CALL_REFUSED`, `LOAD_CONNECTION_LOST`, `LOAD_ANSWER_MALFORMED`
   */
  readonly call = (
    method: string,
    params: readonly unknown[],
    onResult: (result: unknown) => void = () => undefined,
  ): Promise<unknown> => {
    const lost = this.#lost();
    if (lost !== null) return Promise.reject(lost);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#channel.send(id, JSON.stringify({ jsonrpc: '2.0', id, method, params }), (body) => {
        this.#waiting.delete(id);
        try {
          const result = resultOf(method, body);
          onResult(result);
          resolve(result);
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  };

  /** Whether the connection has ended, by whomever. */
  get isOver(): boolean {
    return this.#lost() !== null;
  }

  /** Ends the connection; what waits is rejected. */
  close(): void {
    this.#channel.close();
    const error = new LoadError('the connection was closed', {
      code: 'LOAD_CONNECTION_LOST',
      unanswered: this.#waiting.size,
    });
    this.#lost = () => error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

function resultOf(method: string, body: Buffer): unknown {
  let answer: {
    readonly result?: unknown;
    readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown };
  };
  try {
    answer = JSON.parse(body.toString()) as typeof answer;
  } catch {
    return malformedAnswer(`${method}: no JSON`);
  }
  if (answer.error === undefined) return answer.result ?? null;
  const { data } = answer.error;
  const [rpcCode, words] = [Number(answer.error.code), String(answer.error.message)];
  throw new LoadError(`${method}: ${words} (${rpcCode})`, { code: 'LOAD_CALL_REFUSED', method, rpcCode, words, data });
}
