import {
  type BlockPlace,
  eventCodes,
  eventCodesIn,
  heightOfKey,
  type LogMatch,
  postingLists,
  statePrefix,
  type TermKey,
  termHeightKey,
} from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import { type Address, bytesToHex, type Height, hexToBytes } from '@prime/primitives';
import { readEventFrames, readLastApplied } from './history.ts';
import { joinPostings, postingsDown, type Range } from './postings.ts';
import { kindTerm } from './terms.ts';

/** Finds logs by address and topic, domain events by kind, and what concerns an account (docs/adr/0047-log-index.md, 0228-postings-by-window.md). */

type Scans = Pick<StateDatabase, 'getSync' | 'scan'>;

/** Where matching items of a block are; null stands for all of them. */
export interface Places {
  readonly height: Height;
  readonly positions: readonly number[] | null;
}

/** Places of the logs that have the terms, by height. Without terms every block that has logs is named. */
export function findLogs(database: Scans, terms: LogMatch, range: Range): AsyncIterable<Places> {
  const key =
    (list: number) =>
    (value: string): TermKey => ({ list, term: hexToBytes(value) });
  const groups = [
    terms.addresses.map(key(postingLists.logAddress)),
    ...terms.topics.map((topics, position) => (topics ?? []).map(key(postingLists.logAddress + 1 + position))),
  ].filter((group) => group.length > 0);
  return groups.length === 0
    ? heightsOf(database, statePrefix.logs, range)
    : joinPostings(database, groups.map(distinct), range);
}

/** Places of the domain events of a domain and kind, by height; null is any. */
export async function* findEvents(
  database: Scans,
  domain: string | null,
  kind: string | null,
  range: Range,
): AsyncGenerator<Places> {
  if (domain === null && kind === null) return yield* heightsOf(database, statePrefix.events, range);
  const codes = new Set(eventCodes(domain, kind));
  if (codes.size === 0) return;
  // Genesis is in no window.
  const genesis = 0 as Height;
  if (range.fromHeight <= genesis && genesis <= range.toHeight) yield* placesOf(database, genesis, codes);
  const terms = [...codes].map((code) => ({ list: postingLists.eventKind, term: kindTerm(code) }));
  for await (const { height } of joinPostings(database, [terms], {
    ...range,
    fromHeight: Math.max(range.fromHeight, 1),
  }))
    yield* placesOf(database, height, codes);
}

/** Places of the events of some kinds in a block; nothing where it has none. */
function* placesOf(database: Scans, height: Height, codes: ReadonlySet<number>): Generator<Places> {
  const frames = readEventFrames(database, height);
  if (frames === null) return;
  const positions = eventCodesIn(frames).flatMap((code, position) => (codes.has(code) ? [position] : []));
  if (positions.length > 0) yield { height, positions };
}

/**
 * Places of the transactions and actions that concern an account, the last first, at most so many: it sent or signed one, was called or created, owns one or
 * is named by it. Places of actions follow those of the transactions.
 *
 * @param before only those in front of this place
 */
export async function findAccountPlaces(
  database: Scans,
  address: Address,
  before: BlockPlace,
  count: number,
): Promise<readonly BlockPlace[]> {
  const found: BlockPlace[] = [];
  if (count === 0) return found;
  for await (const place of placesDown(database, { list: postingLists.account, term: hexToBytes(address) }, 1, before))
    if (found.push(place) >= count) break;
  return found;
}

/** Places of a term, the last first. @param from lowest height @param before only those in front of this place */
export async function* placesDown(
  database: Scans,
  key: TermKey,
  from: number,
  before: BlockPlace,
): AsyncGenerator<BlockPlace, void, undefined> {
  const range = { fromHeight: from, toHeight: Math.min(before.height, readLastApplied(database) ?? 0) };
  for await (const { height, positions } of postingsDown(database, key, range))
    for (const index of positions.toReversed())
      if (height < before.height || index < before.index) yield { height, index };
}

/** A client may name a term twice. */
const distinct = (keys: readonly TermKey[]): TermKey[] => [
  ...new Map(keys.map((key) => [bytesToHex(key.term), key])).values(),
];

const heightsPerRead = 256;

/** Heights that have a record with the prefix. */
async function* heightsOf(database: Scans, prefix: number, { fromHeight, toHeight }: Range): AsyncGenerator<Places> {
  const none = new Uint8Array(0);
  const scan = database.scan(termHeightKey(prefix, none, fromHeight), termHeightKey(prefix, none, toHeight + 1));
  try {
    for (;;) {
      const entries = await scan.next(heightsPerRead);
      if (entries.length === 0) return;
      for (const [key] of entries) yield { height: heightOfKey(key), positions: null };
    }
  } finally {
    await scan.close();
  }
}
