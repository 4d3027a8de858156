import { marketIdOf } from '../../decode/references.ts';
import type { Candle, CandleInterval } from '../../types/market.ts';
import type { MarketReference } from '../../types/primitives.ts';
import type { Link, Session } from '../connection/session.ts';
import { type StreamError, toStreamError } from '../errors.ts';
import { refusedForever } from '../feed/refusal.ts';
import { Subscriber, type WatchParameters } from '../feed/subscriber.ts';
import { sessionOf, type StreamsClient } from '../streams.ts';
import type { StreamedCandle } from '../types.ts';
import type { Unwatch } from '../watch.ts';
import { readCandle, readCandles } from '../wire/states.ts';

/** Of which market, how long they are, and who is told. */
export interface WatchCandlesParameters extends WatchParameters {
  readonly market: MarketReference;
  readonly interval: CandleInterval;
  /** A candle that grew, or a new one; the one before is as it was told last, then. */
  readonly onCandle: (candle: StreamedCandle) => void;
}

/** As many as a node answers at once. */
const missedMax = 1000;

class CandleWatcher extends Subscriber {
  readonly #parameters: WatchCandlesParameters;
  readonly #marketId: number;
  /** Begin of the candle that was told last, ms; null before the first. */
  #newestMs: number | null = null;
  /** What came while the candles before it are asked for; null when that is over. */
  #held: Candle[] | null = null;
  #wasServed = false;

  constructor(session: Session, parameters: WatchCandlesParameters) {
    super(session, parameters);
    this.#parameters = parameters;
    this.#marketId = marketIdOf(parameters.market);
  }

  override onLink(link: Link): void {
    this.link = link;
    this.#held = [];
    this.tellStatus('syncing');
    this.#open(link).catch((thrown: unknown) => this.#trouble(link, toStreamError(thrown)));
  }

  override onHead(): void {}

  protected override release(): void {
    this.#held = null;
  }

  async #open(link: Link): Promise<void> {
    const { interval } = this.#parameters;
    const onResult = (result: unknown): void => {
      if (this.link === link) this.#take(readCandle(result));
    };
    const id = await link.subscribe('candles', { market_id: this.#marketId, interval }, onResult);
    if (this.link !== link) return link.unsubscribe(id);
    this.subscription = id;
    const range = { limit: this.#newestMs === null ? 1 : missedMax };
    const answer = await link.request('primeorders_getCandles', [this.#marketId, interval, range]);
    if (this.link !== link) return;
    const missed = readCandles(answer);
    // What was held is told again, so that the last word is the newest.
    for (const candle of [...missed, ...(this.#held ?? [])]) this.#tell(candle);
    this.#held = null;
    this.#wasServed = true;
    this.tellStatus('live');
  }

  #take(candle: Candle): void {
    if (this.#held === null) this.#tell(candle);
    else this.#held.push(candle);
  }

  #tell(candle: Candle): void {
    // Another node may be a few blocks behind the one before.
    if (this.#newestMs !== null && candle.openTimeMs < this.#newestMs) return;
    this.#newestMs = candle.openTimeMs;
    this.#parameters.onCandle({ ...candle, marketId: this.#marketId, interval: this.#parameters.interval });
  }

  #trouble(link: Link, error: StreamError): void {
    if (this.link !== link || !link.isOpen) return;
    const refusal = refusedForever(error, 'candles', this.#wasServed);
    if (refusal !== null) this.onOver(refusal);
    else link.fail(error);
  }
}

/**
 * Tells the candle that grows now: as it is, and after each block that changed it. After a connection was lost those of the time in between come first,
 * at most 1000 of them.
 */
export function watchCandles(client: StreamsClient, parameters: WatchCandlesParameters): Unwatch {
  const watcher = new CandleWatcher(sessionOf(client), parameters);
  watcher.start();
  return () => watcher.stop();
}
