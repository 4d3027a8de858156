import type { HistoryPage } from '@prime/sdk';
import { type Desk, marketIdOf, numberParameter } from './desk.ts';
import { rowsDefault, type RowsQuery } from './library.ts';
import { fetchTime } from './rest/markets.ts';

/** Which page of a list of an account's history is asked for. */
export interface PageQuery {
  readonly address: `0x${string}`;
  readonly market?: number | undefined;
  /** Block times, both included, ms. */
  readonly fromTimeMs?: number | undefined;
  readonly toTimeMs?: number | undefined;
  readonly limit: number;
  readonly cursor: `0x${string}` | null;
}

/** One of the SDK's reads of a list, the last entry first: `getFills` and its kin. */
export type ReadPage<entry> = (query: PageQuery) => Promise<HistoryPage<entry>>;

/** Whose entries are wanted, and of which time. */
export type Span = Omit<PageQuery, 'limit' | 'cursor'>;

/** Entries that one answer of a node holds at most. */
const pageMax = 1000;
/** Length of the first window of a walk forwards, ms; each window is twice as long as the one before. */
const windowFirstMs = 60_000;

/** Entries of a time, the last first, page by page. */
export async function* walkPages<entry>(read: ReadPage<entry>, span: Span): AsyncGenerator<HistoryPage<entry>> {
  let cursor: `0x${string}` | null = null;
  do {
    const page: HistoryPage<entry> = await read({ ...span, limit: pageMax, cursor });
    yield page;
    cursor = page.next;
  } while (cursor !== null);
}

/** What is wanted of a list. */
interface Wanted<entry> {
  readonly count: number;
  readonly isWanted: (entry: entry) => boolean;
}

/** The newest so many, oldest first: as far back as the options say. */
async function newestOf<entry>(
  desk: Desk,
  read: ReadPage<entry>,
  span: Span,
  { count, isWanted }: Wanted<entry>,
): Promise<readonly entry[]> {
  const found: entry[] = [];
  for await (const { entries } of newestPages(desk, read, span)) {
    found.push(...entries.filter(isWanted));
    if (found.length >= count) break;
  }
  return found.slice(0, count).toReversed();
}

/** The newest pages, until so many entries were looked at as the options say. */
export async function* newestPages<entry>(
  { exchange }: Desk,
  read: ReadPage<entry>,
  span: Span,
): AsyncGenerator<HistoryPage<entry>> {
  const most = Number(exchange.options['historyEntries']);
  let seen = 0;
  for await (const page of walkPages(read, span)) {
    yield page;
    seen += page.entries.length;
    if (seen >= most) return;
  }
}

/**
 * The oldest so many, oldest first. Nodes answer the last entry first: where one answer does not hold all, windows of time are read, each
 * longer than the one before, so that a question about long ago reads little of what came since.
 */
async function oldestOf<entry>(
  desk: Desk,
  read: ReadPage<entry>,
  span: Span,
  { count, isWanted }: Wanted<entry>,
): Promise<readonly entry[]> {
  const newest = await read({ ...span, limit: pageMax, cursor: null });
  if (newest.next === null) return newest.entries.toReversed().filter(isWanted).slice(0, count);
  const headMs = (await fetchTime(desk)) ?? 0;
  const endMs = Math.min(headMs, span.toTimeMs ?? headMs);
  const found: entry[] = [];
  let fromTimeMs = Math.max(span.fromTimeMs ?? 0, newest.oldestMs);
  for (let lengthMs = windowFirstMs; fromTimeMs <= endMs && found.length < count; lengthMs *= 2) {
    const toTimeMs = Math.min(endMs, fromTimeMs + lengthMs - 1);
    // Of a window only its oldest entries can be wanted.
    let kept: readonly entry[] = [];
    for await (const { entries } of walkPages(read, { ...span, fromTimeMs, toTimeMs }))
      kept = [...kept, ...entries.filter(isWanted)].slice(-count);
    found.push(...kept.toReversed());
    fromTimeMs = toTimeMs + 1;
  }
  return found.slice(0, count);
}

/** Whose history a method of ccxt asks about, and of which time: `params.until` ends it. */
export const spanOf = (desk: Desk, { symbol, since, params = {} }: RowsQuery): Span => ({
  address: desk.address(),
  market: marketIdOf(desk, symbol),
  fromTimeMs: since,
  toTimeMs: numberParameter(desk, params, 'until'),
});

/** Entries of an account's history, oldest first: the first ones since a time, or the newest where none is given. A node tells what it keeps. */
export function findEntries<entry>(
  desk: Desk,
  read: ReadPage<entry>,
  query: RowsQuery,
  isWanted: (entry: entry) => boolean = () => true,
): Promise<readonly entry[]> {
  const wanted = { count: query.limit ?? rowsDefault, isWanted };
  const span = spanOf(desk, query);
  return query.since === undefined ? newestOf(desk, read, span, wanted) : oldestOf(desk, read, span, wanted);
}
