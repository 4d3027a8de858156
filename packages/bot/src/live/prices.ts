import { type Book, midOf } from '../market.ts';
import type { PriceSource } from '../ports.ts';

/** Books of others whose best prices are further apart say nothing, bps of the bid. */
const spreadMaxBps = 500n;

/**
 * Middle of what others quote; where they quote nothing near each other, the last price; before any, the start.
 *
 * @param last newest price that somebody traded at, wei; null before the first
 */
export const createBookPrice = (last: () => bigint | null, start: bigint | null): PriceSource => ({
  price: (book) => (isTight(book) ? midOf(book) : (last() ?? start)),
  stop: () => undefined,
});

function isTight({ bids, asks }: Book): boolean {
  const [bid, ask] = [bids[0], asks[0]];
  return bid !== undefined && ask !== undefined && (ask.price - bid.price) * 10_000n <= bid.price * spreadMaxBps;
}

/** A fair price that never changes, wei of the quote for one base unit. */
export const createFixedPrice = (price: bigint): PriceSource => ({ price: () => price, stop: () => undefined });

/** When a price is asked for. A price older than `maxAgeMs` is none. */
interface Polling {
  readonly pollMs: number;
  readonly maxAgeMs: number;
  readonly now: () => number;
  readonly every: (ms: number, work: () => void) => () => void;
  readonly onTrouble: (message: string) => void;
}

/** Where a price is asked for and how it is read. */
export interface HttpPriceOptions extends Polling {
  readonly url: string;
  /** Where the number is in the answer, such as `data.price`. */
  readonly field: string;
  /** Decimal text as wei for one base unit; throws for what is none. */
  readonly parse: (text: string) => bigint;
  readonly get: (url: string) => Promise<unknown>;
}

/** Answers are read as text, and never become floats of ours: JSON numbers are printed as they are. */
export const createHttpPrice = ({ url, field, parse, get, ...polling }: HttpPriceOptions): PriceSource =>
  createPolledPrice(async () => parse(textAt(await get(url), field)), polling);

/** A price that is asked for again and again. @param question wei for one base unit; rejects where there is none */
export function createPolledPrice(question: () => Promise<bigint>, polling: Polling): PriceSource {
  const { maxAgeMs, now, onTrouble } = polling;
  let known: { readonly price: bigint; readonly atMs: number } | null = null;
  let isAsking = false;
  const ask = (): void => {
    if (isAsking) return;
    isAsking = true;
    // As old as the question: nobody says when within the answer's way it was made.
    const atMs = now();
    question()
      .then((price) => {
        known = { price, atMs };
      })
      .catch((thrown: unknown) => onTrouble(thrown instanceof Error ? thrown.message : String(thrown)))
      .finally(() => (isAsking = false));
  };
  ask();
  const stop = polling.every(polling.pollMs, ask);
  return {
    price: (_book, nowMs) => (known === null || nowMs - known.atMs > maxAgeMs ? null : known.price),
    stop,
  };
}

/** Longest answer of a price source. */
const answerBytesMax = 1_048_576;

/** Asks for JSON. @throws Error for another status than 2xx, an answer that is late, too long or no JSON */
export async function getJson(url: string, timeoutMs: number): Promise<unknown> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the answer has the status ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > answerBytesMax) throw new Error(`the answer is longer than ${answerBytesMax} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** @throws Error where there is no number */
function textAt(answer: unknown, field: string): string {
  const found = field
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key], answer);
  if (typeof found === 'string' || typeof found === 'number') return `${found}`;
  throw new Error(`the answer has no number at "${field}"`);
}
