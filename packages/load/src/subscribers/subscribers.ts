import type { LoopClock } from '../openLoop.ts';
import { type StreamKind, StreamReader, type StreamTopic } from './streamReader.ts';

/** Heights whose times are kept, and for which messages wait. */
const heightsKept = 256;

/**
 * When blocks were made, by their own timestamps, for messages that tell only a height. A message may come before the time of its block is known here; then its
 * latency is told when it is.
 */
class BlockTimes {
  readonly #times = new Map<number, number>();
  readonly #waiting = new Map<number, ((timestampMs: number) => void)[]>();

  /** @param timestampMs Unix time that the block's proposer wrote */
  add(height: number, timestampMs: number): void {
    if (this.#times.has(height)) return;
    this.#times.set(height, timestampMs);
    for (const known of this.#waiting.get(height) ?? []) known(timestampMs);
    this.#waiting.delete(height);
    forgetOld(this.#times);
  }

  /** Calls back at once, or when the time is known, or never for a block that is long over. */
  whenKnown(height: number, known: (timestampMs: number) => void): void {
    const timestampMs = this.#times.get(height);
    if (timestampMs !== undefined) return known(timestampMs);
    const waiting = this.#waiting.get(height) ?? [];
    waiting.push(known);
    this.#waiting.set(height, waiting);
    forgetOld(this.#waiting);
  }
}

/** Insertion order is that of the heights, nearly. */
function forgetOld(byHeight: Map<number, unknown>): void {
  if (byHeight.size <= heightsKept) return;
  const [oldest] = byHeight.keys();
  if (oldest !== undefined) byHeight.delete(oldest);
}

/** Readers that subscribe like clients do, and check all that comes. */
export interface SubscribersOptions {
  /** Of nodes, `ws://` or `wss://`; readers are spread over them in turn. */
  readonly urls: readonly string[];
  readonly readers: number;
  /** What a reader subscribes to, by its index. */
  readonly topicsOf: (reader: number) => readonly StreamTopic[];
  readonly clock: LoopClock;
  /** Unix time in ms, to which blocks' timestamps are compared. */
  readonly unixMs: () => number;
  /** How long after the time of its block a message came, ms; below 0 when the clocks differ by more. */
  readonly onDelivery?: (kind: StreamKind, latencyMs: number) => void;
}

/** What all readers together got until now. */
export interface SubscriberTotals {
  /** Readers that are connected and subscribed. */
  readonly open: number;
  readonly messages: Readonly<Record<StreamKind, number>>;
  readonly faults: number;
  /** The first ones, in words. */
  readonly firstFaults: readonly string[];
  /** Connections that ended by themselves; each is opened anew. */
  readonly lost: number;
  readonly firstLost: readonly string[];
}

/** Words that are kept of faults and of lost connections each. */
const wordsMax = 100;
/** Readers that connect at one time. */
const opensAtOnce = 32;
/** Before a reader whose connection ended connects again, ms. */
const againMs = 1000;

/** n clients of nodes' streams in this process, each with its own connection and its own books. */
export class Subscribers {
  readonly #options: SubscribersOptions;
  readonly #times = new BlockTimes();
  readonly #readers = new Map<number, StreamReader>();
  readonly #messages: Record<StreamKind, number> = { orderBook: 0, trades: 0, fills: 0, commits: 0 };
  readonly #firstFaults: string[] = [];
  readonly #firstLost: string[] = [];
  #faults = 0;
  #lost = 0;
  #isOver = false;

  private constructor(options: SubscribersOptions) {
    this.#options = options;
  }

  /**
   * Connects all readers, and beside them one per node that hears of commits, for the times of blocks.
   *
   * @throws LoadError of the first one that could not be opened; then none is open
   */
  static async open(options: SubscribersOptions): Promise<Subscribers> {
    const subscribers = new Subscribers(options);
    try {
      await subscribers.#openAll();
    } catch (error) {
      subscribers.close();
      throw error;
    }
    return subscribers;
  }

  totals(): SubscriberTotals {
    return {
      open: this.#readers.size,
      messages: { ...this.#messages },
      faults: this.#faults,
      firstFaults: [...this.#firstFaults],
      lost: this.#lost,
      firstLost: [...this.#firstLost],
    };
  }

  close(): void {
    this.#isOver = true;
    for (const reader of this.#readers.values()) reader.close();
    this.#readers.clear();
  }

  async #openAll(): Promise<void> {
    const { urls, readers } = this.#options;
    const indexes = Array.from({ length: urls.length + readers }, (_, index) => index - urls.length);
    for (let from = 0; from < indexes.length; from += opensAtOnce)
      await Promise.all(indexes.slice(from, from + opensAtOnce).map((index) => this.#open(index)));
  }

  /** @param index of a reader; below 0 those that hear of commits */
  async #open(index: number): Promise<void> {
    const { urls, topicsOf } = this.#options;
    const url = urls[(index + urls.length) % urls.length]!;
    const topics = index < 0 ? [{ kind: 'commits' } as const] : topicsOf(index);
    const reader = await StreamReader.open({
      url,
      topics,
      onMessage: (topic, message, faults) => this.#hear(topic, message, faults, `reader ${index} of ${url}`),
      onLost: (error) => this.#lose(index, error),
    });
    if (this.#isOver) reader.close();
    else this.#readers.set(index, reader);
  }

  #hear(
    topic: StreamTopic,
    message: Readonly<Record<string, unknown>>,
    faults: readonly string[],
    reader: string,
  ): void {
    this.#messages[topic.kind]++;
    const height = Number(message['block_number']);
    if (topic.kind === 'commits') this.#times.add(height, Number(message['timestamp_ms']));
    if (faults.length > 0) this.#fault(faults, reader);
    const { onDelivery, unixMs } = this.#options;
    if (onDelivery === undefined) return;
    const nowMs = unixMs();
    // A first snapshot is of a block that may be long over.
    if (message['type'] !== 'snapshot')
      this.#times.whenKnown(height, (timestampMs) => onDelivery(topic.kind, nowMs - timestampMs));
  }

  #fault(faults: readonly string[], reader: string): void {
    this.#faults += faults.length;
    for (const words of faults) if (this.#firstFaults.length < wordsMax) this.#firstFaults.push(`${reader}: ${words}`);
  }

  #lose(index: number, error: Error): void {
    this.#readers.delete(index);
    if (this.#isOver) return;
    this.#lost++;
    if (this.#firstLost.length < wordsMax) this.#firstLost.push(`reader ${index}: ${error.message}`);
    const { clock } = this.#options;
    clock.wakeAt(clock.nowMs() + againMs, () => {
      if (!this.#isOver) this.#open(index).catch((cause: Error) => this.#lose(index, cause));
    });
  }
}
