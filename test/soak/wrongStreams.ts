import { crc32 } from 'node:zlib';
import { type Level, type ModelOrderView, type StreamExpectation, tradeWords, type Wanted } from '@prime/audit';
import type { Heard, Recording } from './streamRecorder.ts';

/** What streams told, against the model after each block. */

type Json = Readonly<Record<string, unknown>>;
type Expectations = ReadonlyMap<number, StreamExpectation>;

const heightOf = ({ kind, result }: Heard): number =>
  Number(kind === 'newHeads' ? result['number'] : result['block_number']);

/** Which books have to be known at which heights to judge these recordings. */
export function wantedBy(recordings: readonly Recording[], accounts: readonly string[]): Wanted {
  const books = new Map<number, Set<number>>();
  for (const { heard } of recordings)
    for (const one of heard) {
      if (one.kind !== 'orderBook') continue;
      const at = books.get(heightOf(one)) ?? new Set<number>();
      at.add(Number(one.of));
      books.set(heightOf(one), at);
    }
  return { books, accounts };
}

/** @returns a line for each difference */
export function wrongStreams(recordings: readonly Recording[], expectations: Expectations): string[] {
  return recordings.flatMap((recording) => {
    const faults = [
      ...wrongHeads(recording, expectations),
      ...wrongBooks(recording, expectations),
      ...wrongTrades(recording, expectations),
      ...wrongOrders(recording, expectations),
    ];
    return faults.map((fault) => `streams of validator${recording.node}: ${fault}`);
  });
}

/** Each block once and in order, with the root that it has. */
function wrongHeads({ heard, after }: Recording, expectations: Expectations): string[] {
  const faults: string[] = [];
  let before: number | null = null;
  for (const one of heard) {
    if (one.kind !== 'newHeads') continue;
    const height = heightOf(one);
    if (before !== null && height !== before + 1) faults.push(`block ${height} came after block ${before}`);
    before = height;
    const root = expectations.get(height)?.stateRoot;
    if (root !== undefined && one.result['stateRoot'] !== root)
      faults.push(`block ${height} has root ${String(one.result['stateRoot'])}, not ${root}`);
  }
  const events = byHeight(heard, 'domainEvents', '');
  for (const height of heightsHeard(heard, after)) {
    const kinds = expectations.get(height)?.kinds ?? [];
    const told = (events.get(height) ?? []).flatMap(({ result }) => (result['events'] as Json[]).map((e) => e['kind']));
    if (expectations.has(height) && told.join() !== kinds.join())
      faults.push(`block ${height} told ${told.length} events, it has ${kinds.length}`);
  }
  return faults;
}

/**
 * Blocks of which everything must have been told: those after the last subscription, and before the newest one. A connection may have ended between
 * the messages of that one, of which the head is the first.
 */
function heightsHeard(heard: readonly Heard[], after: number): number[] {
  const heights = heard.filter(({ kind }) => kind === 'newHeads').map(heightOf);
  const newest = Math.max(...heights);
  return heights.filter((height) => after < height && height < newest);
}

function byHeight(heard: readonly Heard[], kind: Heard['kind'], of: string): Map<number, Heard[]> {
  const found = new Map<number, Heard[]>();
  for (const one of heard)
    if (one.kind === kind && one.of === of) found.set(heightOf(one), [...(found.get(heightOf(one)) ?? []), one]);
  return found;
}

const topicsOf = (heard: readonly Heard[], kind: Heard['kind']): string[] => [
  ...new Set(heard.filter((one) => one.kind === kind).map(({ of }) => of)),
];

/** A book put together from its messages. */
interface Put {
  readonly bids: Map<bigint, bigint>;
  readonly asks: Map<bigint, bigint>;
}

const sides = ['bids', 'asks'] as const;

function apply(book: Put, message: Json): void {
  for (const side of sides) {
    if (message['part'] === 1) book[side].clear();
    for (const { price, size } of message[side] as { price: string; size: string }[])
      if (BigInt(size) === 0n) book[side].delete(BigInt(price));
      else book[side].set(BigInt(price), BigInt(size));
  }
}

const ascending = (side: ReadonlyMap<bigint, bigint>): Level[] => [...side].sort(([a], [b]) => (a < b ? -1 : 1));

const checksumLevels = 25;

/** docs/protocol/streams.md, word for word. */
export function checksumOf(book: { readonly bids: readonly Level[]; readonly asks: readonly Level[] }): string {
  const [bids, asks] = [[...book.bids].reverse(), book.asks];
  const words: string[] = [];
  for (let place = 0; place < checksumLevels; place++)
    for (const level of [bids[place], asks[place]])
      if (level !== undefined) words.push(`0x${level[0].toString(16)}:0x${level[1].toString(16)}`);
  return `0x${crc32(words.join(':')).toString(16)}`;
}

const levelsText = (levels: readonly Level[]): string => levels.map(([price, size]) => `${size}@${price}`).join(' ');

function wrongBooks({ heard }: Recording, expectations: Expectations): string[] {
  const faults: string[] = [];
  for (const market of topicsOf(heard, 'orderBook')) {
    const book: Put = { bids: new Map(), asks: new Map() };
    let sequence: unknown = null;
    for (const one of heard) {
      if (one.kind !== 'orderBook' || one.of !== market) continue;
      const height = heightOf(one);
      const { result } = one;
      const where = `book ${market} at block ${height}`;
      if (result['type'] === 'update' && result['previous_sequence'] !== sequence)
        faults.push(`${where} follows ${String(result['previous_sequence'])}, told was ${String(sequence)}`);
      sequence = result['sequence'];
      apply(book, result);
      if (result['part'] !== result['parts']) continue;
      const levels = { bids: ascending(book.bids), asks: ascending(book.asks) };
      if (checksumOf(levels) !== result['checksum'])
        faults.push(`${where} has checksum ${String(result['checksum'])}, its levels ${checksumOf(levels)}`);
      const expected = expectations.get(height)?.books.get(Number(market));
      for (const side of sides)
        if (expected !== undefined && levelsText(levels[side]) !== levelsText(expected[side]))
          faults.push(
            `${where}: ${side} ${short(levelsText(levels[side]))}, model ${short(levelsText(expected[side]))}`,
          );
    }
  }
  return faults;
}

const short = (text: string): string => (text.length < 300 ? text : `${text.slice(0, 300)}…`);
const tradePrefix = 'trade ';

/** Trades of a market, and what the accounts see of theirs. The market is no part of the model's words. */
function wrongTrades({ heard, after }: Recording, expectations: Expectations): string[] {
  const faults: string[] = [];
  const markets = topicsOf(heard, 'trades');
  const trades = new Map<number, string[]>();
  for (const one of heard)
    if (one.kind === 'trades')
      for (const trade of one.result['trades'] as Json[]) {
        const at = trades.get(heightOf(one)) ?? [];
        at.push(tradeWords(trade));
        trades.set(heightOf(one), at);
      }
  for (const height of markets.length === 0 ? [] : heightsHeard(heard, after)) {
    const known = new Set(tradesAt(expectations, height));
    for (const trade of trades.get(height) ?? [])
      if (expectations.has(height) && !known.has(trade)) faults.push(`block ${height}: no trade ${trade}`);
  }
  for (const account of topicsOf(heard, 'fills')) {
    const fills = byHeight(heard, 'fills', account);
    for (const height of heightsHeard(heard, after)) {
      if (!expectations.has(height)) continue;
      const expected = tradesAt(expectations, height).filter((trade) => trade.includes(account));
      const told = (fills.get(height) ?? []).flatMap(({ result }) => result['fills'] as Json[]);
      const ids = new Set(told.flatMap((fill) => (fill['trade_id'] === undefined ? [] : [Number(fill['trade_id'])])));
      const missing = expected.filter((trade) => !ids.has(Number(trade.split(' ')[0])));
      if (missing.length > 0) faults.push(`block ${height}: fills of ${account} lack ${short(missing.join(', '))}`);
    }
  }
  return faults;
}

const tradesAt = (expectations: Expectations, height: number): string[] =>
  (expectations.get(height)?.events ?? [])
    .filter((event) => event.startsWith(tradePrefix))
    .map((event) => event.slice(tradePrefix.length));

/** Each order of the account that a block changed, as it is afterwards. */
function wrongOrders({ heard, after }: Recording, expectations: Expectations): string[] {
  const faults: string[] = [];
  for (const account of topicsOf(heard, 'orders')) {
    const told = byHeight(heard, 'orders', account);
    let before: ReadonlyMap<number, ModelOrderView> | undefined;
    for (const height of heightsHeard(heard, after)) {
      const now = expectations.get(height)?.orders.get(account);
      if (now === undefined) continue;
      const entries = (told.get(height) ?? []).flatMap(({ result }) => result['orders'] as Json[]);
      faults.push(...wrongEntries(entries, now).map((fault) => `block ${height}, ${account}: ${fault}`));
      const ids = new Set(entries.map((entry) => Number(entry['order_id'])));
      const missing = before === undefined ? [] : changedSince(before, now).filter((id) => !ids.has(id));
      if (missing.length > 0) faults.push(`block ${height}, ${account}: nothing of orders ${short(missing.join(' '))}`);
      before = now;
    }
  }
  return faults;
}

function wrongEntries(entries: readonly Json[], now: ReadonlyMap<number, ModelOrderView>): string[] {
  return entries.flatMap((entry) => {
    const order = now.get(Number(entry['order_id']));
    const shown = `order ${Number(entry['order_id'])} ${String(entry['status'])} ${String(entry['remaining'])} of ${String(entry['size'])}`;
    if (order === undefined) return entry['status'] === 'open' ? [`${shown}, and it is gone`] : [];
    const agrees =
      entry['status'] === 'open' &&
      BigInt(String(entry['size'])) === order.size &&
      BigInt(String(entry['remaining'])) === order.remaining;
    return agrees ? [] : [`${shown}, model ${order.remaining} of ${order.size}`];
  });
}

function changedSince(before: ReadonlyMap<number, ModelOrderView>, now: ReadonlyMap<number, ModelOrderView>): number[] {
  const gone = [...before.keys()].filter((id) => !now.has(id));
  const moved = [...now].filter(([id, { size, remaining }]) => {
    const old = before.get(id);
    return old === undefined || old.size !== size || old.remaining !== remaining;
  });
  return [...gone, ...moved.map(([id]) => id)];
}
