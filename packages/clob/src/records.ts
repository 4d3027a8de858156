import {
  accountRecordKey,
  agentRecordKey,
  decodeAccountRecord,
  decodeAgentRecord,
  decodeClosedOrdersRecord,
  decodeGlobalRecord,
  decodeMarketRecord,
  decodeNonceRecord,
  decodeOrderRecord,
  decodeSignerRecord,
  decodeTransferRecord,
  encodeAccountRecord,
  encodeAgentRecord,
  encodeGlobalRecord,
  encodeMarketRecord,
  encodeNonceRecord,
  encodeOrderRecord,
  encodeSignerRecord,
  encodeTransferRecord,
  globalRecordKey,
  marketRecordKey,
  nonceRecordKey,
  type OrderRecord,
  orderRecordKey,
  type RecordWrite,
  recordKind,
  signerRecordKey,
  type TransferRecord,
  transferRecordKey,
} from '@prime/codec';
import { assert, compareBytes } from '@prime/primitives';
import type { Account } from './accounts.ts';
import { createNarrowBook, createWideBook, fitsNarrow, widened } from './book.ts';
import { checkConservation, countWorth } from './ledger.ts';
import { type Market, neverTraded } from './markets.ts';
import { buySide, sellSide } from './orderPool.ts';
import type { ClobState } from './state.ts';
import { sideNames } from './takers.ts';

/** The state as records, and back. What is not written here is derived and rebuilt by {@link loadRecords}. */

/** Records of everything that the block touched, sorted by key; some may be as they were. */
export function dirtyRecords(state: ClobState): RecordWrite[] {
  const writes: RecordWrite[] = [{ key: globalRecordKey(), value: encodeGlobalRecord(state.globals) }];
  for (const market of state.dirtyMarkets)
    if (state.market(market.id) === market)
      writes.push({ key: marketRecordKey(market.id), value: encodeMarketRecord({ ...market, marketId: market.id }) });
  // Most records are orders: in the order of their keys, so that sorting finds them sorted.
  for (const number of Float64Array.from(state.dirtyOrders).sort()) {
    const id = number as OrderRecord['orderId'];
    const handle = state.orders.byId.get(id);
    const value = handle === undefined ? null : encodeOrderRecord(orderRecord(state, handle));
    writes.push({ key: orderRecordKey(id), value });
  }
  for (const account of state.dirtyAccounts)
    writes.push({ key: accountRecordKey(account.address), value: accountValue(account) });
  for (const id of state.transfers.dirty) {
    const transfer = state.transfers.byId.get(id);
    writes.push({ key: transferRecordKey(id), value: transfer === undefined ? null : encodeTransferRecord(transfer) });
  }
  writes.push(...state.memory.writes(state.height));
  for (const signer of state.dirtyGateways) {
    const record = state.gatewayNonces.get(signer);
    writes.push({ key: nonceRecordKey(signer), value: record === undefined ? null : encodeNonceRecord(record) });
  }
  for (const signer of state.dirtySigners) {
    const nonces = state.signerNonces.get(signer);
    const value = nonces === undefined ? null : encodeSignerRecord({ signer, nonces });
    writes.push({ key: signerRecordKey(signer), value });
  }
  for (const [account, agent] of state.dirtyAgents.values()) {
    const record = state.agent(account, agent);
    writes.push({ key: agentRecordKey(account, agent), value: record === null ? null : encodeAgentRecord(record) });
  }
  return writes.sort((a, b) => compareBytes(a.key, b.key));
}

/** An account without anything has no record, so that the records do not tell who once had one. */
function accountValue({ address, collateral, locked, exposures }: Account): Uint8Array | null {
  const positions = exposures
    .filter(({ size }) => size !== 0n)
    .map(({ marketId, size, entry }) => ({ marketId: marketId as Market['id'], size, entry }));
  if (collateral === 0n && !locked && positions.length === 0) return null;
  return encodeAccountRecord({ address, collateral, locked, positions });
}

function orderRecord(state: ClobState, handle: number): OrderRecord {
  const { orders } = state;
  const { id: marketId, book, tickSize, lotSize } = state.marketOf(handle);
  const { columns } = book;
  return {
    orderId: orders.id[handle]! as OrderRecord['orderId'],
    marketId,
    owner: state.accounts[orders.owner[handle]!]!.address,
    side: sideNames[orders.side[handle]!]!,
    price: BigInt(columns.ticks[handle]!) * tickSize,
    size: BigInt(columns.size[handle]!) * lotSize,
    remaining: BigInt(columns.remaining[handle]!) * lotSize,
    tif: 'gtc',
    postOnly: orders.isPostOnly(handle),
    reduceOnly: false,
    selfTrade: orders.selfTrade(handle),
    clientId: orders.clientId[handle]!,
    expiresAt: orders.expiresAt[handle]!,
    createdBlock: orders.createdBlock[handle]!,
  };
}

/** Fills an empty state from all records. Cost: linear, and sorting the orders. */
export function loadRecords(
  state: ClobState,
  records: Iterable<readonly [key: Uint8Array, value: Uint8Array]>,
  wideBooks: boolean,
): void {
  const markets: Market[] = [];
  const orders: OrderRecord[] = [];
  const transfers: TransferRecord[] = [];
  for (const [key, value] of records) {
    switch (recordKind(key)) {
      case 'global':
        Object.assign(state.globals, decodeGlobalRecord(value));
        break;
      case 'market':
        markets.push(loadMarket(state, value, wideBooks));
        break;
      case 'order':
        orders.push(decodeOrderRecord(value));
        break;
      case 'account':
        loadAccount(state, value);
        break;
      case 'nonce': {
        const record = decodeNonceRecord(value);
        state.gatewayNonces.set(record.signer, record);
        break;
      }
      case 'agent':
        state.setAgent(decodeAgentRecord(value));
        break;
      case 'signer': {
        const { signer, nonces } = decodeSignerRecord(value);
        state.signerNonces.set(signer, nonces);
        break;
      }
      case 'transfer':
        transfers.push(decodeTransferRecord(value));
        break;
      case 'closedOrders':
        state.memory.load(decodeClosedOrdersRecord(value));
        break;
      default:
        assert(false, `this version knows no records of kind ${recordKind(key)}`);
    }
  }
  for (const market of markets.sort((a, b) => a.id - b.id)) {
    assert(market.id === state.markets.length + 1, `market ${market.id} is out of sequence`);
    state.markets.push(market);
  }
  for (const order of orders.sort((a, b) => a.orderId - b.orderId)) loadOrder(state, order);
  state.dirtyAgents.clear();
  for (const transfer of transfers.sort((a, b) => a.transferId - b.transferId)) state.transfers.load(transfer);
  countWorth(state, state.accounts);
  checkConservation(state);
  for (const market of state.markets) state.movingMarkets.add(market);
  state.journal.clear();
}

function loadMarket(state: ClobState, value: Uint8Array, wideBooks: boolean): Market {
  const { marketId: id, ...record } = decodeMarketRecord(value);
  const book = wideBooks ? createWideBook(state.orders) : createNarrowBook(state.orders);
  return { id, ...record, book, tradedAt: neverTraded, savedIn: 0 };
}

function loadAccount(state: ClobState, value: Uint8Array): void {
  const { address, collateral, locked, positions } = decodeAccountRecord(value);
  const account = state.account(address);
  account.collateral = collateral;
  account.locked = locked;
  for (const { marketId, size, entry } of positions) Object.assign(state.exposure(account, marketId), { size, entry });
}

function loadOrder(state: ClobState, order: OrderRecord): void {
  const market = state.market(order.marketId);
  assert(market !== undefined, `order ${order.orderId} is in unknown market ${order.marketId}`);
  const side = order.side === 'buy' ? buySide : sellSide;
  const ticks = order.price / market.tickSize;
  const size = order.size / market.lotSize;
  if (typeof market.book.zero === 'number' && !fitsNarrow(market.book, side, ticks, size))
    market.book = widened(state.orders, market.book);
  const handle = state.orders.allocate({
    id: order.orderId,
    market: market.id,
    side,
    owner: state.account(order.owner).index,
    expiresAt: order.expiresAt,
    createdBlock: order.createdBlock,
    postOnly: order.postOnly,
    selfTrade: order.selfTrade,
    clientId: order.clientId,
  });
  const { book } = market;
  book.columns.ticks[handle] = book.of(ticks);
  book.columns.size[handle] = book.of(size);
  book.columns.remaining[handle] = book.of(order.remaining / market.lotSize);
  state.link(handle);
}
