import type { LoadError } from '../errors.ts';
import { SocketCalls } from '../socketCalls.ts';
import { BookChecker } from './bookChecker.ts';
import type { StreamChecker, StreamResult } from './streamChecker.ts';
import { CommitsChecker, FillsChecker, TradesChecker } from './tradeCheckers.ts';

/** What a reader subscribes to. */
export type StreamTopic =
  | { readonly kind: 'orderBook' | 'trades'; readonly market: number }
  | { readonly kind: 'fills'; readonly account: string }
  | { readonly kind: 'commits' };
/** What a subscription is about. */
export type StreamKind = StreamTopic['kind'];

/** One connection with its subscriptions, and who is told. */
export interface StreamReaderOptions {
  /** `ws://` or `wss://`. */
  readonly url: string;
  readonly topics: readonly StreamTopic[];
  /** Called with each message after it was checked. */
  readonly onMessage: (topic: StreamTopic, message: StreamResult, faults: readonly string[]) => void;
  /** The connection ended before {@link StreamReader.close}: nothing more comes. */
  readonly onLost: (error: Error) => void;
}

interface Subscription {
  readonly topic: StreamTopic;
  readonly checker: StreamChecker;
}

function checkerOf(topic: StreamTopic): StreamChecker {
  switch (topic.kind) {
    case 'orderBook':
      return new BookChecker(topic.market);
    case 'trades':
      return new TradesChecker(topic.market);
    case 'fills':
      return new FillsChecker(topic.account);
    default:
      return new CommitsChecker();
  }
}

function paramsOf(topic: StreamTopic): readonly unknown[] {
  switch (topic.kind) {
    case 'orderBook':
    case 'trades':
      return [topic.kind, { market_id: topic.market }];
    case 'fills':
      return [topic.kind, { address: topic.account }];
    default:
      return [topic.kind];
  }
}

/**
 * One client of a node's streams, which checks all that it hears by itself. Behind a gap, or a book that is not the one that the node tells, it subscribes
 * again, as the protocol says.
 */
export class StreamReader {
  readonly #options: StreamReaderOptions;
  readonly #subscriptions = new Map<string, Subscription>();
  #calls: SocketCalls | null = null;
  #isOver = false;

  private constructor(options: StreamReaderOptions) {
    this.#options = options;
  }

  /**
   * Connects and subscribes; resolves when all subscriptions are answered.
   *
   * @throws LoadError `LOAD_CONNECTION_LOST`, `LOAD_CALL_REFUSED`
   */
  static async open(options: StreamReaderOptions): Promise<StreamReader> {
    const reader = new StreamReader(options);
    reader.#calls = await SocketCalls.open({
      url: options.url,
      onNotification: (message) => reader.#hear(message),
      onLost: (error) => reader.#lose(error),
    });
    try {
      await Promise.all(options.topics.map((topic) => reader.#subscribe(topic)));
    } catch (error) {
      reader.close();
      throw error;
    }
    return reader;
  }

  close(): void {
    this.#isOver = true;
    this.#calls?.close();
  }

  #lose(error: LoadError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.onLost(error);
  }

  #subscribe(topic: StreamTopic): Promise<void> {
    // In the turn of the answer: the first message may come in the same packet.
    return this.#calls!.call('prime_subscribe', paramsOf(topic), (id) => {
      this.#subscriptions.set(String(id), { topic, checker: checkerOf(topic) });
    }).then(() => undefined);
  }

  #hear(bytes: Buffer): void {
    if (this.#isOver) return;
    const { subscription, result } = (JSON.parse(bytes.toString()) as Notification).params ?? {};
    const known = this.#subscriptions.get(String(subscription));
    // Of a subscription that was ended while this one was on its way.
    if (known === undefined || result === undefined) return;
    const faults = known.checker.take(result);
    this.#options.onMessage(known.topic, result, faults);
    if (known.checker.isLost) this.#again(String(subscription), known.topic);
  }

  #again(id: string, topic: StreamTopic): void {
    this.#subscriptions.delete(id);
    const failed = (error: Error): void => {
      if (this.#isOver) return;
      this.close();
      this.#options.onLost(error);
    };
    this.#calls!.call('prime_unsubscribe', [id]).catch(failed);
    this.#subscribe(topic).catch(failed);
  }
}

interface Notification {
  readonly params?: { readonly subscription?: unknown; readonly result?: StreamResult };
}
