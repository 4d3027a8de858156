import { accountsOf, authorityOf, brokenInvariants, createInspectableEngine, moneyOf } from '@prime/clob/testing';
import { decodeOrderRecord, decodeTransferRecord, type Genesis, recordKind } from '@prime/codec';
import { type Model, modelAccounts, modelAuthority, modelMoney, textOf } from '@prime/model';
import { bookOf } from './audit.ts';
import { type Clients, hex } from './clients.ts';
import type { StoredChain } from './decidedBlocks.ts';

/** End states against the model: what is on a validator's disk, and what it answers. */

type Json = Readonly<Record<string, unknown>>;

const shown = 500;

function same(what: string, found: unknown, expected: unknown): string[] {
  const [left, right] = [textOf(found), textOf(expected)];
  if (left === right) return [];
  let at = 0;
  while (left[at] === right[at]) at++;
  const from = Math.max(0, at - 100);
  return [`${what}: validator …${left.slice(from, from + shown)}, model …${right.slice(from, from + shown)}`];
}

/** Everything that the records of the order book hold, in an engine that is made of them. @returns a line for each difference */
export function wrongRecords(
  { records }: Pick<StoredChain, 'records'>,
  model: Model,
  { clob, actions }: Genesis,
): string[] {
  const empty = records.filter(([, value]) => value.length === 0).length;
  if (empty > 0) return [`${empty} records are empty`];
  const { engine, state } = createInspectableEngine({ params: clob, actionsMode: actions });
  engine.restore(records);
  engine.ordersRoot();
  const { orders, transfers, escrow, paid } = model.state;
  return [
    ...same('accounts', accountsOf({ state }), modelAccounts(model)),
    ...same('money', moneyOf({ state }, escrow, paid), modelMoney(model)),
    ...same('authority', authorityOf({ state }), modelAuthority(model)),
    ...same('open orders', storedOrders(records), modelOrders(orders)),
    ...same('queued transfers', storedTransfers(records), transfers),
    ...brokenInvariants(state).map((broken) => `invariant: ${broken}`),
  ];
}

type Records = StoredChain['records'];

const ofKind = <T>(records: Records, kind: ReturnType<typeof recordKind>, decode: (value: Uint8Array) => T): T[] =>
  records.filter(([key]) => recordKind(key) === kind).map(([, value]) => decode(value));

const storedOrders = (records: Records): unknown =>
  ofKind(records, 'order', decodeOrderRecord)
    .sort((a, b) => a.orderId - b.orderId)
    .map(({ orderId, marketId, owner, side, price, size, remaining, clientId, expiresAt }) => [
      [orderId, marketId, owner, side],
      [price, size, remaining, clientId, expiresAt],
    ]);

const modelOrders = (orders: Model['state']['orders']): unknown =>
  [...orders]
    .sort((a, b) => a.id - b.id)
    .map(({ id, market, owner, buy, price, size, remaining, fields }) => [
      [id, market, owner, buy ? 'buy' : 'sell'],
      [price, size, remaining, fields.clientId, fields.expiresAt],
    ]);

const storedTransfers = (records: Records): unknown =>
  ofKind(records, 'transfer', decodeTransferRecord)
    .sort((a, b) => a.transferId - b.transferId)
    .map(({ transferId: id, direction, from, to, amount }) => ({ id, direction, from, to, amount }));

const signed = (value: bigint): string => (value < 0n ? `-0x${(-value).toString(16)}` : hex(value));

/** What a validator that runs answers. @returns a line for each difference */
export async function wrongReads(clients: Clients, node: number, model: Model): Promise<string[]> {
  const { state } = model;
  const read: Read = (method, ...params) => clients.read(method, params, node);
  const owners = [...new Set(state.orders.map((order) => order.owner))];
  const faults = await Promise.all([
    wrongMarkets(read, model),
    ...[...state.markets.keys()].map((index) => wrongBook(read, model, index + 1)),
    ...Object.keys(state.accounts).map(async (address) =>
      same(
        `account ${address}`,
        accountShown(await read<Json>('primeorders_getAccount', address)),
        accountExpected(model, address),
      ),
    ),
    ...owners.map((owner) => wrongOpenOrders(read, model, owner)),
    read<string>('eth_getBalance', escrowAddress, 'latest').then((wei) =>
      same('wei in escrow', BigInt(wei), state.escrow),
    ),
  ]);
  return faults.flat().map((fault) => `validator${node} answers ${fault}`);
}

type Read = <Result>(method: string, ...params: readonly unknown[]) => Promise<Result>;

async function wrongMarkets(read: Read, { state }: Model): Promise<string[]> {
  const price = (of: bigint | null): unknown => (of === null ? null : hex(of));
  const found = (await read<Json[]>('primeorders_getMarkets')).map((market) => [
    market['last_price'],
    market['mark_price'],
  ]);
  const expected = state.markets.map(({ last, mark }) => [price(last), price(mark)]);
  return same('markets', found, expected);
}

async function wrongBook(read: Read, model: Model, market: number): Promise<string[]> {
  const { bids, asks } = bookOf(model, market);
  const levels = (side: typeof bids): unknown => side.map(([price, size]) => ({ price: hex(price), size: hex(size) }));
  const book = await read('primeorders_getOrderBook', hex(market));
  return same(`book ${market}`, book, { bids: levels(bids), asks: levels(asks) });
}

async function wrongOpenOrders(read: Read, { state }: Model, owner: string): Promise<string[]> {
  const open = (await read<Json[]>('primeorders_getOpenOrders', owner)).map((order) => [
    order['order_id'],
    order['price'],
    order['size'],
    order['remaining'],
  ]);
  const own = state.orders.filter((order) => order.owner === owner).sort((a, b) => a.id - b.id);
  const expected = own.map(({ id, price, size, remaining }) => [hex(id), hex(price), hex(size), hex(remaining)]);
  return same(`open orders of ${owner}`, open, expected);
}

const escrowAddress = `0x${'100'.padStart(40, '0')}`;

const accountShown = (account: Json): unknown => ({
  collateral: account['collateral'],
  free: account['free_collateral'],
  withdrawable: account['withdrawable'],
  locked: account['locked'],
  openOrders: Number(account['open_orders']),
  positions: (account['positions'] as Json[]).map(({ market_id: id, size, entry }) => [id, size, entry]),
});

function accountExpected(model: Model, address: string): unknown {
  const { state } = model;
  const { collateral, positions } = state.accounts[address]!;
  return {
    collateral: signed(collateral),
    free: signed(model.free(address)),
    withdrawable: hex(model.withdrawable(address)),
    locked: state.locked.includes(address),
    openOrders: state.orders.filter(({ owner }) => owner === address).length,
    positions: Object.entries(positions).map(([id, { size, entry }]) => [Number(id), signed(size), hex(entry)]),
  };
}
