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

/**
 * Compares markets, books, every account that the model knows, their open orders, insurance, next numbers and the wei in escrow with what a node answers.
 *
 * The node has to stand at the model's height, or at one at which nothing differs from it: see {@link settledReads}.
 *
 * @returns a line for each difference
 */
export async function wrongReads(call: Call, name: string, model: Model): Promise<string[]> {
  const { state } = model;
  const read: Read = (method, ...params) => call(method, params) as never;
  const owners = [...new Set(openOrders(model).map((order) => order.owner))];
  const questions: (() => Promise<string[]>)[] = [
    () => wrongMarkets(read, model),
    ...[...state.markets.keys()].map((index) => () => wrongBook(read, model, index + 1)),
    ...Object.keys(state.accounts).map((address) => () => wrongAccount(read, model, address)),
    ...owners.map((owner) => () => wrongOpenOrders(read, model, owner)),
    () => wrongTotals(read, model),
    async () =>
      differing('wei in escrow', BigInt(await read<string>('eth_getBalance', ordersAddress, 'latest')), state.escrow),
  ];
  const faults = await allInOrder(questions, width, (ask) => ask());
  return faults.flat().map((fault) => `${name} answers ${fault}`);
}

type Read = <Result>(method: string, ...params: readonly unknown[]) => Promise<Result>;

async function wrongMarkets(read: Read, { state }: Model): Promise<string[]> {
  const price = (of: bigint | null): unknown => (of === null ? null : toHex(of));
  const found = (await read<Json[]>('primeorders_getMarkets')).map((market) => [
    market['last_price'],
    market['mark_price'],
  ]);
  const expected = state.markets.map(({ last, mark }) => [price(last), price(mark)]);
  return differing('markets', found, expected);
}

async function wrongBook(read: Read, model: Model, market: number): Promise<string[]> {
  const { bids, asks } = bookOf(model, market);
  const levels = (side: typeof bids): unknown =>
    side.map(([price, size]) => ({ price: toHex(price), size: toHex(size) }));
  const book = await read('primeorders_getOrderBook', toHex(market));
  return differing(`book ${market}`, book, { bids: levels(bids), asks: levels(asks) });
}

const wrongAccount = async (read: Read, model: Model, address: string): Promise<string[]> =>
  differing(
    `account ${address}`,
    accountShown(await read<Json>('primeorders_getAccount', address)),
    accountExpected(model, address),
  );

async function wrongOpenOrders(read: Read, model: Model, owner: string): Promise<string[]> {
  const listed = await read<Json[]>('primeorders_getOpenOrders', owner);
  // What waits for a mark is in no book.
  const open = listed
    .filter(({ kind }) => kind === undefined)
    .map((order) => [order['order_id'], order['price'], order['size'], order['remaining']]);
  const expected = openOrders(model, owner).map(({ id, price, size, remaining }) => [
    toHex(id),
    toHex(price),
    toHex(size),
    toHex(remaining),
  ]);
  return differing(`open orders of ${owner}`, open, expected);
}

/** Insurance and the next numbers, which no method tells but the record that is proven. */
async function wrongTotals(read: Read, { state }: Model): Promise<string[]> {
  const { record } = await read<{ readonly record: { readonly value: string } | null }>('primeorders_getProof', {
    global: true,
  });
  if (record === null) return ['totals: there is no record of them'];
  const { insurance, nextOrderId, nextTradeId, nextTransferId } = decodeGlobalRecord(hexToBytes(record.value));
  return differing(
    'totals',
    { insurance, next: [nextOrderId, nextTradeId, nextTransferId] },
    { insurance: state.insurance, next: [state.nextOrder, state.nextTrade, state.nextTransfer] },
  );
}

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
