import {
  accountLists,
  eachEndedOrder,
  eachListedAccount,
  eachLogTerm,
  eachReceiptAccount,
  orderPage,
  postingLists,
  termBytes,
  type TermKey,
} from '@prime/codec';
import { assert } from '@prime/primitives';
import { eachActionAccount } from './blockHashes.ts';
import type { BlockRecords } from './blockRecords.ts';

/**
 * What a block is found by: its terms, with the places at which it has them. All are made of records that the block left anyway: whoever has these needs
 * no index (docs/adr/0228-postings-by-window.md). A term is kept whole and not as a hash or a filter bit: nothing is named that does not match, and nobody
 * can make one term hide behind another.
 */

/** Gets a term: code of its list, where its bytes begin, and a place. Places of a term ascend; one may come twice in a row. */
type TellTerm = (list: number, bytes: Uint8Array, start: number, position: number) => void;

/** Tells of all terms of a block. */
export function eachTerm(records: BlockRecords, tell: TellTerm): void {
  for (const source of Object.values(sources)) source.tell(records, tell);
}

/** Records that terms come from. */
interface Source {
  readonly tell: (records: BlockRecords, tell: TellTerm) => void;
  /** Records that have the terms' bytes in them as they are, which is soon seen. */
  readonly verbatim: (records: BlockRecords) => readonly (Uint8Array | null)[];
}

const sources = {
  logs: { tell: tellLogs, verbatim: ({ logs }) => [logs] },
  events: { tell: tellEvents, verbatim: ({ events }) => [events] },
  accounts: { tell: tellAccounts, verbatim: ({ receipts, hashes }) => [receipts, hashes] },
  ended: { tell: tellEnded, verbatim: ({ ended }) => [ended] },
} satisfies Readonly<Record<string, Source>>;

/** Orders that ended, by account. */
const listOfOrders: number = postingLists.accountLists + accountLists.orders;

function sourceOf(list: number): Source {
  if (list < postingLists.eventKind) return sources.logs;
  if (list === postingLists.account) return sources.accounts;
  return list === postingLists.orderPage || list === listOfOrders ? sources.ended : sources.events;
}

function tellLogs({ logs }: BlockRecords, tell: TellTerm): void {
  if (logs === null) return;
  eachLogTerm(logs, (position, start, place) => tell(postingLists.logAddress + position, logs, start, place));
}

/** Term of a kind of events, by its code. */
export const kindTerm = (code: number): Uint8Array => Uint8Array.of(code >> 8, code & 255);

function tellEvents({ events }: BlockRecords, tell: TellTerm): void {
  if (events === null) return;
  const kinds = new Set<number>();
  eachListedAccount(
    events,
    (list, start, place) => tell(postingLists.accountLists + list, events, start, place),
    kinds,
  );
  for (const code of kinds) tell(postingLists.eventKind, kindTerm(code), 0, 0);
}

function tellAccounts({ receipts, hashes }: BlockRecords, tell: TellTerm): void {
  if (receipts !== null)
    eachReceiptAccount(receipts, (start, place) => tell(postingLists.account, receipts, start, place));
  if (hashes !== null) eachActionAccount(hashes, (start, place) => tell(postingLists.account, hashes, start, place));
}

const pageOf = (id: number): number => Math.floor(id / orderPage);

/** Term of the page on which an order's id is. */
export const pageTerm = (id: number): Uint8Array => termOfPage(pageOf(id));

function termOfPage(page: number): Uint8Array {
  const term = new Uint8Array(bytesOf(postingLists.orderPage));
  new DataView(term.buffer).setBigUint64(0, BigInt(page));
  return term;
}

/** Place of an ended order on its page's list. */
const placeOnPage = (place: number, id: number): number => place * orderPage + (id % orderPage);

/** The place of an order among the ends of its block, by {@link placeOnPage}; null where it is of another order of the page. */
export const endedPlace = (position: number, id: number): number | null =>
  position % orderPage === id % orderPage ? Math.floor(position / orderPage) : null;

function tellEnded({ ended }: BlockRecords, tell: TellTerm): void {
  if (ended === null) return;
  const pages = new Map<number, number[]>();
  eachEndedOrder(ended, (id, start, place) => {
    tell(listOfOrders, ended, start, place);
    const position = placeOnPage(place, id);
    const positions = pages.get(pageOf(id));
    if (positions === undefined) pages.set(pageOf(id), [position]);
    else positions.push(position);
  });
  for (const [page, positions] of pages) {
    const term = termOfPage(page);
    for (const position of positions) tell(postingLists.orderPage, term, 0, position);
  }
}

/** Places in one block at which, of every group of terms, at least one occurs; ascending. @param groups at least one, none empty */
export function placesIn(records: BlockRecords, groups: readonly (readonly TermKey[])[]): readonly number[] {
  if (!groups.every((group) => mayHave(records, group))) return [];
  const found = groups.map(() => new Set<number>());
  const wanted = wantedOf(groups);
  for (const source of new Set(groups.flatMap((group) => group.map(({ list }) => sourceOf(list)))))
    source.tell(records, (list, bytes, start, position) => {
      for (const { key, group } of wanted.get(lastByte(list, bytes, start)) ?? none)
        if (key.list === list && startsWith(bytes, start, key.term)) found[group]!.add(position);
    });
  const [first, ...others] = found;
  return [...first!].filter((position) => others.every((each) => each.has(position)));
}

/** Terms that are looked for one by one before a block is gone through. */
const lookedForMax = 8;

/** Whether a block may have one of the terms. Most have not, and searching for bytes is many times as fast as going through records. */
const mayHave = (records: BlockRecords, group: readonly TermKey[]): boolean =>
  group.length > lookedForMax ||
  group.some(({ list, term }) => {
    const source = sourceOf(list);
    return isComputed(list) || source.verbatim(records).some((bytes) => bytes !== null && includes(bytes, term));
  });

const isComputed = (list: number): boolean => list === postingLists.eventKind || list === postingLists.orderPage;

const includes = (bytes: Uint8Array, term: Uint8Array): boolean => bufferOf(bytes).includes(bufferOf(term));

/** The same bytes, with the methods of Node.js. */
export const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);

interface WantedTerm {
  readonly key: TermKey;
  /** Place of its group. */
  readonly group: number;
}
const none: readonly WantedTerm[] = [];

const lastByte = (list: number, bytes: Uint8Array, start: number): number => bytes[start + bytesOf(list) - 1]!;

/** By their last byte, which tells most of them apart. */
function wantedOf(groups: readonly (readonly TermKey[])[]): ReadonlyMap<number, readonly WantedTerm[]> {
  const wanted = new Map<number, WantedTerm[]>();
  groups.forEach((keys, group) => {
    for (const key of keys) {
      const byte = key.term.at(-1)!;
      const others = wanted.get(byte);
      if (others === undefined) wanted.set(byte, [{ key, group }]);
      else others.push({ key, group });
    }
  });
  return wanted;
}

function startsWith(bytes: Uint8Array, start: number, term: Uint8Array): boolean {
  for (let at = 0; at < term.length; at++) if (bytes[start + at] !== term[at]) return false;
  return true;
}

/** Bytes of a list's terms. */
export function bytesOf(list: number): number {
  const bytes = termBytes[list];
  // Thousands of terms of a block: the words are made where they are needed.
  if (bytes === undefined) assert(false, `there is no list ${list} of postings`);
  return bytes;
}
