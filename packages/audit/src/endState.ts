import { decodeGlobalRecord, ordersAddress } from '@prime/codec';
import { type Model, openOrders, textOf } from '@prime/model';
import { hexToBytes } from '@prime/primitives';
import { bookOf } from './book.ts';
import { allInOrder, type Call, toHex } from './rpc/call.ts';

/** What a node answers about the order book at its head, against the model. */

type Json = Readonly<Record<string, unknown>>;

const shown = 500;
/** Questions to one node at once. */
const width = 16;

/** A line that shows where two values differ; none when they do not. */
export function differing(what: string, found: unknown, expected: unknown): string[] {
  const [left, right] = [textOf(found), textOf(expected)];
  if (left === right) return [];
  let at = 0;
  while (left[at] === right[at]) at++;
  const from = Math.max(0, at - 100);
  return [`${what}: validator …${left.slice(from, from + shown)}, model …${right.slice(from, from + shown)}`];
}

/** A question about the order book, and what answers it at the height where a model stands. */
export interface BookRead {
  /** What is asked for, in words. */
  readonly what: string;
  readonly ask: (call: Call) => Promise<unknown>;
  readonly expected: (model: Model) => unknown;
}

/** An answer of a node, in the form of {@link BookRead.expected}. */
export interface BookAnswer {
  readonly read: BookRead;
  readonly found: unknown;
}

/** Markets, books, every account that the model knows, their open orders, insurance, next numbers and the wei in escrow. */
export function bookReads(model: Model): readonly BookRead[] {
  const { state } = model;
  const owners = [...new Set(openOrders(model).map((order) => order.owner))];
  return [
    marketsRead,
    ...[...state.markets.keys()].map((index) => levelsRead(index + 1)),
    ...Object.keys(state.accounts).map(accountRead),
    ...owners.map(openOrdersRead),
    totalsRead,
    escrowRead,
  ];
}

/** Asks a node, which may go on meanwhile. */
export const answersOf = (call: Call, reads: readonly BookRead[]): Promise<readonly BookAnswer[]> =>
  allInOrder(reads, width, async (read) => ({ read, found: await read.ask(call) }));

/** @returns a line where the answer is not what the model says */
export const wrongAnswer = ({ read: { what, expected }, found }: BookAnswer, model: Model): string[] =>
  differing(what, found, expected(model));

/**
 * Compares all {@link bookReads} with what a node answers that stands at the model's height, and stays there.
 *
 * @returns a line for each difference
 */
export async function wrongReads(call: Call, name: string, model: Model): Promise<string[]> {
  const answers = await answersOf(call, bookReads(model));
  return answers.flatMap((answer) => wrongAnswer(answer, model)).map((fault) => `${name} answers ${fault}`);
}

const marketsRead: BookRead = {
  what: 'markets',
  ask: async (call) =>
    ((await call('primeorders_getMarkets')) as Json[]).map((market) => [market['last_price'], market['mark_price']]),
  expected({ state }) {
    const price = (of: bigint | null): unknown => (of === null ? null : toHex(of));
    return state.markets.map(({ last, mark }) => [price(last), price(mark)]);
  },
};

const levelsRead = (market: number): BookRead => ({
  what: `book ${market}`,
  ask: (call) => call('primeorders_getOrderBook', [toHex(market)]),
  expected(model) {
    const { bids, asks } = bookOf(model, market);
    const levels = (side: typeof bids): unknown =>
      side.map(([price, size]) => ({ price: toHex(price), size: toHex(size) }));
    return { bids: levels(bids), asks: levels(asks) };
  },
});

const accountRead = (address: string): BookRead => ({
  what: `account ${address}`,
  ask: async (call) => accountShown((await call('primeorders_getAccount', [address])) as Json),
  expected: (model) => accountExpected(model, address),
});

const openOrdersRead = (owner: string): BookRead => ({
  what: `open orders of ${owner}`,
  async ask(call) {
    const listed = (await call('primeorders_getOpenOrders', [owner])) as Json[];
    // What waits for a mark is in no book.
    return listed
      .filter(({ kind }) => kind === undefined)
      .map((order) => [order['order_id'], order['price'], order['size'], order['remaining']]);
  },
  expected: (model) =>
    openOrders(model, owner).map(({ id, price, size, remaining }) => [
      toHex(id),
      toHex(price),
      toHex(size),
      toHex(remaining),
    ]),
});

/** Insurance and the next numbers, which no method tells but the record that is proven. */
const totalsRead: BookRead = {
  what: 'totals',
  async ask(call) {
    const { record } = (await call('primeorders_getProof', [{ global: true }])) as {
      readonly record: { readonly value: string } | null;
    };
    if (record === null) return 'no record';
    const { insurance, nextOrderId, nextTradeId, nextTransferId } = decodeGlobalRecord(hexToBytes(record.value));
    return { insurance, next: [nextOrderId, nextTradeId, nextTransferId] };
  },
  expected: ({ state }) => ({
    insurance: state.insurance,
    next: [state.nextOrder, state.nextTrade, state.nextTransfer],
  }),
};

const escrowRead: BookRead = {
  what: 'wei in escrow',
  ask: async (call) => BigInt((await call('eth_getBalance', [ordersAddress, 'latest'])) as string),
  expected: ({ state }) => state.escrow,
};

const accountShown = (account: Json): unknown => ({
  collateral: account['collateral'],
  free: account['free_collateral'],
  withdrawable: account['withdrawable'],
  locked: account['locked'],
  subAccount: account['sub_account'] ?? null,
  openOrders: Number(account['open_orders']),
  positions: (account['positions'] as Json[]).map(({ market_id: id, size, entry }) => [id, size, entry]),
});

function accountExpected(model: Model, address: string): unknown {
  const { state } = model;
  const { collateral, positions } = state.accounts[address]!;
  return {
    collateral: toHex(collateral),
    free: toHex(model.free(address)),
    withdrawable: toHex(model.withdrawable(address)),
    locked: state.locked.includes(address),
    subAccount: state.subAccounts[address] ?? null,
    openOrders: openOrders(model, address).length,
    positions: Object.entries(positions).map(([id, { size, entry }]) => [Number(id), toHex(size), toHex(entry)]),
  };
}
