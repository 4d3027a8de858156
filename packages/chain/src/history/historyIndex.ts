import {
  type BlockPlace,
  decodePositions,
  encodePositions,
  eventCodes,
  eventCodesIn,
  type EventKind,
  eventTable,
  heightOfKey,
  type LogMatch,
  type Receipt,
  type RecordWrite,
  statePrefix,
  termHeightKey,
} from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import { type Address, bytesToHex, concatBytes, type Height, hexToBytes } from '@prime/primitives';
import { joinPostings, type Posting, type Range, type TermKey } from './postings.ts';

/**
 * Indexes of logs by address and topic and of domain events by kind (docs/adr/0047-log-index.md). A term is kept whole and not as
 * a hash or a filter bit: the index never names a log that does not match, and nobody can make one term hide behind another.
 */

type Scans = Pick<StateDatabase, 'scan'>;

/** Position of the address among the kinds of terms; topic n is n + 1. */
const addressKind = 0;

const logTerm = (kind: number, value: string): Uint8Array => concatBytes(Uint8Array.of(kind), hexToBytes(value));

/** Places by term, in the order in which the terms came up. */
class PostingLists {
  readonly #lists = new Map<string, { readonly term: Uint8Array; readonly positions: number[] }>();

  add(name: string, term: () => Uint8Array, position: number): void {
    const list = this.#lists.get(name);
    if (list === undefined) this.#lists.set(name, { term: term(), positions: [position] });
    else if (list.positions.at(-1) !== position) list.positions.push(position);
  }

  writes(prefix: number, height: Height): RecordWrite[] {
    return [...this.#lists.values()].map(({ term, positions }) => ({
      key: termHeightKey(prefix, term, height),
      value: encodePositions(positions),
    }));
  }
}

/** Index entries of a block's logs. */
export function logIndexWrites(height: Height, receipts: readonly Receipt[]): RecordWrite[] {
  const lists = new PostingLists();
  let position = 0;
  for (const { logs } of receipts)
    for (const { address, topics } of logs) {
      lists.add(`${addressKind}${address}`, () => logTerm(addressKind, address), position);
      topics.forEach((topic, index) => {
        lists.add(`${index + 1}${topic}`, () => logTerm(index + 1, topic), position);
      });
      position++;
    }
  return lists.writes(statePrefix.logIndex, height);
}

const eventTerm = (code: number): Uint8Array => Uint8Array.of(code >> 8, code & 255);

/** Index entries of a block's domain events. @param events encoded, see eventFrames.ts of the codec */
export function eventIndexWrites(height: Height, events: Uint8Array): RecordWrite[] {
  const lists = new PostingLists();
  eventCodesIn(events).forEach((code, position) => {
    lists.add(String(code), () => eventTerm(code), position);
  });
  return lists.writes(statePrefix.eventIndex, height);
}

/** Places of the events of a kind in a block, ascending; none also where the block is not stored here. */
export function readPlacesOfKind(database: Pick<StateDatabase, 'getSync'>, height: Height, kind: EventKind): number[] {
  const key = termHeightKey(statePrefix.eventIndex, eventTerm(eventTable[kind].code), height);
  return decodePositions(database.getSync(key) ?? new Uint8Array(0));
}

/** Accounts that a block's transactions and actions concern. */
export interface BlockAccounts {
  readonly receipts: readonly Receipt[];
  /** Of each action, in their order; where only the keys of the entries are wanted, in any. */
  readonly actions: readonly (readonly Address[])[];
}

/**
 * Index entries of the accounts that a block's transactions and actions concern: who sent one, who was called or created, whose an action is
 * and whom it names. Places of actions follow those of the transactions.
 */
export function accountIndexWrites(height: Height, { receipts, actions }: BlockAccounts): RecordWrite[] {
  const lists = new PostingLists();
  const add = (account: Address, position: number): void => lists.add(account, () => hexToBytes(account), position);
  receipts.forEach(({ from, to, contractAddress }, position) => {
    add(from, position);
    if (to !== null) add(to, position);
    if (contractAddress !== null) add(contractAddress, position);
  });
  actions.forEach((accounts, index) => {
    for (const account of accounts) add(account, receipts.length + index);
  });
  return lists.writes(statePrefix.accountIndex, height);
}

/** Where matching items of a block are; null stands for all of them. */
export interface Places {
  readonly height: Height;
  readonly positions: readonly number[] | null;
}

/** Places of the logs that have the terms, by height. Without terms every block that has logs is named. */
export function findLogs(database: Scans, terms: LogMatch, range: Range): AsyncIterable<Places> {
  const key =
    (kind: number) =>
    (value: string): TermKey => ({
      prefix: statePrefix.logIndex,
      term: logTerm(kind, value),
    });
  const groups = [
    terms.addresses.map(key(addressKind)),
    ...terms.topics.map((topics, position) => (topics ?? []).map(key(position + 1))),
  ].filter((group) => group.length > 0);
  return groups.length === 0
    ? heightsOf(database, statePrefix.logs, range)
    : joinPostings(database, groups.map(distinct), range);
}

/** Places of the domain events of a domain and kind, by height; null is any. */
export function findEvents(
  database: Scans,
  domain: string | null,
  kind: string | null,
  range: Range,
): AsyncIterable<Places> {
  if (domain === null && kind === null) return heightsOf(database, statePrefix.events, range);
  const codes = eventCodes(domain, kind);
  return codes.length === 0
    ? nothing()
    : joinPostings(database, [codes.map((code) => ({ prefix: statePrefix.eventIndex, term: eventTerm(code) }))], range);
}

/**
 * Places of the transactions and actions that concern an account, the last first, at most so many.
 *
 * @param before only those in front of this place
 */
export async function findAccountPlaces(
  database: Scans,
  address: Address,
  before: BlockPlace,
  count: number,
): Promise<readonly BlockPlace[]> {
  const term = hexToBytes(address);
  const { accountIndex } = statePrefix;
  const scan = database.scan(
    termHeightKey(accountIndex, term, 0),
    termHeightKey(accountIndex, term, before.height + 1),
    'down',
  );
  const found: BlockPlace[] = [];
  try {
    while (found.length < count) {
      const entries = await scan.next(count - found.length);
      if (entries.length === 0) break;
      for (const [key, value] of entries) {
        // An account may stand in a block a thousand times.
        if (found.length >= count) break;
        const height = heightOfKey(key);
        const positions = decodePositions(value).filter((index) => height < before.height || index < before.index);
        found.push(...positions.reverse().map((index) => ({ height, index })));
      }
    }
  } finally {
    await scan.close();
  }
  return found.slice(0, count);
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

async function* nothing(): AsyncGenerator<Posting> {}
