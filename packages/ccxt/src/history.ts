import { type DomainEventKind, type DomainEventOf, HistoryPrunedError, LimitExceededError } from '@prime/sdk';
import type { Desk } from './desk.ts';

/** What happened in markets, from the events of past blocks; what happened to an account is in lists of its own. */

type Found<kind extends DomainEventKind> = readonly DomainEventOf<kind>[];

/** Blocks of the first question; it grows while answers are short. */
const spanFirst = 1_000n;
const spanMax = 50_000n;

type Range = { readonly fromBlock: bigint; readonly toBlock: bigint };

/** All events of a range, in order. A range with more events than one answer holds is asked for in halves. */
async function readRange<kind extends DomainEventKind>(
  desk: Desk,
  kind: kind,
  { fromBlock, toBlock }: Range,
): Promise<Found<kind>> {
  try {
    return await desk.reader.getDomainEvents({ kind, domain: 'orders', fromBlock, toBlock });
  } catch (thrown) {
    // Other limits are of requests and not of ranges: they stand, as do those of a range that can not be halved.
    if (!(thrown instanceof LimitExceededError) || thrown.retryAfterMs !== null || fromBlock === toBlock) throw thrown;
    const middle = (fromBlock + toBlock) / 2n;
    const first = await readRange(desk, kind, { fromBlock, toBlock: middle });
    return [...first, ...(await readRange(desk, kind, { fromBlock: middle + 1n, toBlock }))];
  }
}

const lower = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const higher = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** A range of which the node may have deleted the beginning; null where it deleted all of it. */
async function readKept<kind extends DomainEventKind>(
  desk: Desk,
  kind: kind,
  range: Range,
): Promise<{ readonly events: Found<kind>; readonly oldest: bigint } | null> {
  try {
    return { events: await readRange(desk, kind, range), oldest: range.fromBlock };
  } catch (thrown) {
    if (!(thrown instanceof HistoryPrunedError) || thrown.oldest === null) throw thrown;
    if (thrown.oldest > range.toBlock || thrown.oldest <= range.fromBlock) return null;
    return readKept(desk, kind, { ...range, fromBlock: thrown.oldest });
  }
}

/** Puts pages together until `isEnough` says so or `more` has none, each over more blocks than the one before. */
async function gather<kind extends DomainEventKind>(
  isEnough: (events: Found<kind>) => boolean,
  more: (found: Found<kind>, span: bigint) => Promise<Found<kind> | null>,
): Promise<Found<kind>> {
  let found: Found<kind> = [];
  for (let span = spanFirst; !isEnough(found); span = lower(2n * span, spanMax)) {
    const next = await more(found, span);
    if (next === null) break;
    found = next;
  }
  return found;
}

/**
 * Events from a time on, the oldest first, until `isEnough` says so. A caller who asks for a time that the node does not keep gets what
 * it keeps.
 */
export async function eventsSince<kind extends DomainEventKind>(
  desk: Desk,
  kind: kind,
  since: number,
  isEnough: (events: Found<kind>) => boolean,
): Promise<Found<kind>> {
  const head = await desk.reader.getBlockNumber({ cacheTime: 0 });
  let from = await desk.times.firstSince(since, head);
  return gather(isEnough, async (found, span) => {
    if (from > head) return null;
    const toBlock = lower(from + span - 1n, head);
    const page = await readKept(desk, kind, { fromBlock: from, toBlock });
    from = toBlock + 1n;
    return [...found, ...(page?.events ?? [])];
  });
}

/** The newest events, in order, until `isEnough` says so or `blocksMax` blocks were read. */
export async function latestEvents<kind extends DomainEventKind>(
  desk: Desk,
  kind: kind,
  blocksMax: number,
  isEnough: (events: Found<kind>) => boolean,
): Promise<Found<kind>> {
  let to = await desk.reader.getBlockNumber({ cacheTime: 0 });
  let floor = higher(0n, to - BigInt(blocksMax) + 1n);
  return gather(isEnough, async (found, span) => {
    if (to < floor) return null;
    const fromBlock = higher(floor, to - span + 1n);
    const page = await readKept(desk, kind, { fromBlock, toBlock: to });
    // Before the oldest block that it keeps there is nothing to ask for.
    if (page === null || page.oldest > fromBlock) floor = to;
    to = fromBlock - 1n;
    return [...(page?.events ?? []), ...found];
  });
}

/** Events of one kind since a time, or the newest where none is given, until `isEnough` says so. */
export function findEvents<kind extends DomainEventKind>(
  desk: Desk,
  kind: kind,
  since: number | undefined,
  isEnough: (events: Found<kind>) => boolean,
): Promise<Found<kind>> {
  return since === undefined
    ? latestEvents(desk, kind, Number(desk.exchange.options['historyBlocks']), isEnough)
    : eventsSince(desk, kind, since, isEnough);
}
