import {
  agentRecordKey,
  decodeAccountRecord,
  decodeAgentRecord,
  decodeClosedOrdersRecord,
  decodeGlobalRecord,
  decodeLevelRecord,
  decodeMarketRecord,
  decodeNonceRecord,
  decodeOrderRecord,
  decodeRefusedOrdersRecord,
  decodeSignerRecord,
  decodeTransferRecord,
  endAccount,
  encodeAgentRecord,
  encodeGlobalRecord,
  encodeMarketRecord,
  encodeNonceRecord,
  encodeOrderPage,
  encodeSignerRecord,
  encodeTransferRecord,
  globalRecordKey,
  type LevelRecord,
  leafKeyOf,
  marketRecordKey,
  nonceRecordKey,
  orderPageIds,
  orderPageOf,
  type OrderRecord,
  type OrderRecordParts,
  recordKind,
  type RlpBackwards,
  signerRecordKey,
  type TransferRecord,
  transferRecordKey,
  writeGlobalRecord,
  writeMarketRecord,
  writeOrderRecord,
  writePosition,
} from '@prime/codec';
import { assert, compareBytes, compareStrings } from '@prime/primitives';
import type { Account } from './accounts.ts';
import { createNarrowBook, createWideBook, fitsNarrow, widened } from './book.ts';
import type { Globals } from './globals.ts';
import { checkLevels } from './levels.ts';
import { checkConservation, countWorth } from './ledger.ts';
import { baseUnits, createQuickMarket, type Market, neverTraded } from './markets.ts';
import { buySide, noOrder, sellSide } from './orderPool.ts';
import type { RecordBatch } from './recordBatch.ts';
import { type OrderRowView, RowMerge } from './shards/orderRows.ts';
import type { ClobState } from './state.ts';

/** The state as records, and back. What is not written here is derived and rebuilt by {@link loadRecords}. */

/** Writes the records of everything that the block touched, in the order of their keys, into a batch; some may be as they were. */
export function writeDirty(state: ClobState, batch: RecordBatch): void {
  addGlobals(state.globals, batch);
  for (const market of [...state.dirtyMarkets].sort((a, b) => a.id - b.id))
    if (state.market(market.id) === market) addMarket(market, batch);
  addOrders(state, batch);
  // An account whose making was taken back may have been made again: then both were noted, and one of them is nobody's.
  const accounts = [...state.dirtyAccounts].filter((account) => state.accounts[account.index] === account);
  for (const account of accounts.sort((a, b) => compareStrings(a.address, b.address))) addAccount(account, batch);
  for (const signer of sorted(state.dirtyGateways)) {
    const record = state.gatewayNonces.get(signer);
    batch.add({ key: nonceRecordKey(signer), value: record === undefined ? null : encodeNonceRecord(record) });
  }
  for (const place of sorted(state.dirtyAgents.keys())) {
    const [account, agent] = state.dirtyAgents.get(place)!;
    const record = state.agent(account, agent);
    batch.add({ key: agentRecordKey(account, agent), value: record === null ? null : encodeAgentRecord(record) });
  }
  for (const signer of sorted(state.dirtySigners)) {
    const nonces = state.signerNonces.get(signer);
    const value = nonces === undefined ? null : encodeSignerRecord({ signer, nonces });
    batch.add({ key: signerRecordKey(signer), value });
  }
  for (const id of [...state.transfers.dirty].sort((a, b) => a - b)) {
    const transfer = state.transfers.byId.get(id);
    batch.add({ key: transferRecordKey(id), value: transfer === undefined ? null : encodeTransferRecord(transfer) });
  }
  state.memory.writeTo(batch, state.height, state.accounts);
  for (const write of state.refused.writes(state.height)) batch.add(write);
  if (state.levels !== null) for (const write of state.levels.writes(state)) batch.add(write);
}

function addGlobals(globals: Globals, batch: RecordBatch): void {
  const key = globalRecordKey();
  if (globals.funding !== undefined) {
    batch.add({ key, value: encodeGlobalRecord(globals) });
    return;
  }
  const from = batch.writer.length;
  writeGlobalRecord(batch.writer, globals);
  batch.put(key, from);
}

function addMarket(market: Market, batch: RecordBatch): void {
  const key = marketRecordKey(market.id);
  if (market.riskTiers !== undefined || market.funding !== undefined) {
    batch.add({ key, value: encodeMarketRecord({ ...market, marketId: market.id }) });
    return;
  }
  const from = batch.writer.length;
  writeMarketRecord(batch.writer, market.id, market);
  batch.put(key, from);
}

/** Lower-case addresses have the order of their bytes. */
const sorted = <T extends string>(addresses: Iterable<T>): T[] => [...addresses].sort(compareStrings);

/** An account without anything has no record, so that the records do not tell who once had one. */
function addAccount({ recordKey, addressBytes, collateral, locked, exposures }: Account, batch: RecordBatch): void {
  const { writer } = batch;
  const from = writer.length;
  for (let index = exposures.length - 1; index >= 0; index--) {
    const exposure = exposures[index]!;
    const { lots, big, bigEntry } = exposure;
    if (big === null ? lots === 0 : big.size === 0n) continue;
    const size = lots * Number(exposure.grid.lotSize);
    const isExact = big === null && Math.abs(size) <= Number.MAX_SAFE_INTEGER;
    const entry = bigEntry ?? exposure.exactEntry;
    writePosition(writer, exposure.marketId, isExact ? size : exposure.size, entry, exposure.fundingIndex);
  }
  if (collateral === 0n && !locked && writer.length === from) batch.remove(recordKey);
  else {
    endAccount(writer, addressBytes, collateral, locked, from);
    batch.put(recordKey, from);
  }
}

/** Pages of the orders that changed. */
function addOrders(state: ClobState, batch: RecordBatch): void {
  const { ids, rows } = changedOrders(state);
  for (let from = 0; from < ids.length; ) {
    const page = orderPageOf(ids[from]!);
    let to = from + 1;
    while (to < ids.length && orderPageOf(ids[to]!) === page) to++;
    addPage(state, batch, page, ids, rows, from, to);
    from = to;
  }
}

/** Ids of the orders that changed, ascending; those that changed in a shard with their rows, by place. */
function changedOrders(state: ClobState): {
  readonly ids: Float64Array;
  readonly rows: ReadonlyMap<number, OrderRowView>;
} {
  const own = state.changedOrders();
  const { sharing } = state;
  if (sharing === null || sharing.orders.length === 0) return { ids: own, rows: noRows };
  const foreign = new RowMerge(sharing.orders);
  const ids: number[] = [];
  const rows = new Map<number, OrderRowView>();
  const takeForeign = (before: number): void => {
    for (let row = foreign.next(before); row !== null; row = foreign.next(before)) {
      rows.set(ids.length, row);
      ids.push(row.id);
    }
  };
  for (const id of own) {
    takeForeign(id);
    ids.push(id);
  }
  takeForeign(Number.POSITIVE_INFINITY);
  return { ids: Float64Array.from(ids), rows };
}

const noRows: ReadonlyMap<number, OrderRowView> = new Map();

/** @param ids ascending; those from `from` to `to` are the changed ones of the page */
function addPage(
  state: ClobState,
  batch: RecordBatch,
  page: number,
  ids: Float64Array,
  rows: ReadonlyMap<number, OrderRowView>,
  from: number,
  to: number,
): void {
  const { byId } = state.orders;
  const { writer } = batch;
  const begin = writer.length;
  const first = page * orderPageIds;
  let changed = to - 1;
  byId.readPage(first, pageHandles);
  for (let id = first + orderPageIds - 1; id >= first; id--) {
    const isChanged = changed >= from && ids[changed] === id;
    const row = isChanged && rows.size > 0 ? rows.get(changed) : undefined;
    if (isChanged) changed--;
    const place = writer.length;
    const handle = pageHandles[id - first]!;
    if (row === undefined ? handle !== noOrder : row.market !== 0) {
      if (row === undefined) writeOrder(state, writer, id, handle);
      else writeRow(state, writer, row);
      if (isChanged) batch.noteOrder(id, place);
    } else if (isChanged) batch.dropOrder(id);
  }
  batch.putPage(page, begin);
}

/** Of the page that is being written. */
const pageHandles = new Int32Array(orderPageIds);

/** {@link writeOrder} of an order that changed in a shard. */
function writeRow(state: ClobState, writer: RlpBackwards, row: OrderRowView): void {
  const market = state.markets[row.market - 1]!;
  const price = row.ticks * market.quick.tick;
  parts.orderId = row.id;
  parts.marketId = row.market;
  parts.owner = state.accounts[row.owner]!.addressBytes;
  parts.side = row.side;
  parts.price = price <= Number.MAX_SAFE_INTEGER ? price : BigInt(row.ticks) * market.tickSize;
  parts.size = baseUnits(market, row.size);
  parts.remaining = baseUnits(market, row.remaining);
  parts.isPostOnly = (row.flags & 1) !== 0;
  parts.selfTrade = row.flags >> 1;
  parts.clientId = row.clientId;
  parts.expiresAt = row.expiresAt;
  parts.createdBlock = row.createdBlock;
  writeOrderRecord(writer, parts);
}

function writeOrder(state: ClobState, writer: RlpBackwards, id: number, handle: number): void {
  const { orders } = state;
  const market = state.marketOf(handle);
  const { quick, tickSize } = market;
  const { columns } = market.book;
  const ticks = columns.ticks[handle]!;
  const price = Number(ticks) * quick.tick;
  parts.orderId = id;
  parts.marketId = market.id;
  parts.owner = state.accounts[orders.owner[handle]!]!.addressBytes;
  parts.side = orders.side[handle]!;
  parts.price = price <= Number.MAX_SAFE_INTEGER ? price : BigInt(ticks) * tickSize;
  parts.size = baseUnits(market, columns.size[handle]!);
  parts.remaining = baseUnits(market, columns.remaining[handle]!);
  parts.isPostOnly = orders.isPostOnly(handle);
  parts.selfTrade = orders.flags[handle]! >> 1;
  parts.clientId = orders.clientId(handle);
  parts.expiresAt = orders.expiresAt[handle]!;
  parts.createdBlock = orders.createdBlock[handle]!;
  writeOrderRecord(writer, parts);
}

/** Filled in for each order in turn. */
const parts: OrderRecordParts = {
  orderId: 0,
  marketId: 0,
  owner: new Uint8Array(20),
  side: 0,
  price: 0,
  size: 0,
  remaining: 0,
  isPostOnly: false,
  selfTrade: 0,
  clientId: null,
  expiresAt: 0,
  createdBlock: 0,
};

/** The leaves that records are, or are in. @param records sorted by key */
export function leavesOf(
  records: readonly (readonly [key: Uint8Array, value: Uint8Array])[],
): { readonly key: Uint8Array; readonly value: Uint8Array }[] {
  const leaves: { key: Uint8Array; value: Uint8Array }[] = [];
  for (let from = 0; from < records.length; ) {
    const [key, value] = records[from]!;
    const leafKey = leafKeyOf(key);
    let to = from + 1;
    if (leafKey === key) leaves.push({ key, value });
    else {
      while (to < records.length && compareBytes(leafKeyOf(records[to]![0]), leafKey) === 0) to++;
      leaves.push({ key: leafKey, value: encodeOrderPage(records.slice(from, to).map(([, order]) => order)) });
    }
    from = to;
  }
  return leaves;
}

/** Fills an empty state from all records. Cost: linear, and sorting the orders. */
export function loadRecords(
  state: ClobState,
  records: Iterable<readonly [key: Uint8Array, value: Uint8Array]>,
  wideBooks: boolean,
): void {
  const markets: Market[] = [];
  const accounts: Uint8Array[] = [];
  const orders: OrderRecord[] = [];
  const transfers: TransferRecord[] = [];
  const levels: LevelRecord[] = [];
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
        accounts.push(value);
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
      case 'refusedOrders':
        state.refused.load(decodeRefusedOrdersRecord(value));
        break;
      case 'level':
        levels.push(decodeLevelRecord(value));
        break;
      default:
        assert(false, `this version knows no records of kind ${recordKind(key)}`);
    }
  }
  for (const market of markets.sort((a, b) => a.id - b.id)) {
    assert(market.id === state.markets.length + 1, `market ${market.id} is out of sequence`);
    state.markets.push(market);
  }
  for (const value of accounts) loadAccount(state, value);
  for (const order of orders.sort((a, b) => a.orderId - b.orderId)) loadOrder(state, order);
  checkLevels(state, levels);
  state.dirtyAgents.clear();
  for (const transfer of transfers.sort((a, b) => a.transferId - b.transferId)) state.transfers.load(transfer);
  countWorth(state, state.accounts);
  state.holders.commit(state.accounts);
  checkConservation(state);
  for (const market of state.markets) state.movingMarkets.add(market);
  state.journal.clear();
}

function loadMarket(state: ClobState, value: Uint8Array, wideBooks: boolean): Market {
  const { marketId: id, riskTiers, funding, ...record } = decodeMarketRecord(value);
  const book = wideBooks ? createWideBook(state.orders) : createNarrowBook(state.orders);
  const quick = createQuickMarket(record.tickSize, record.lotSize);
  return { id, ...record, riskTiers, funding, book, quick, tradedAt: neverTraded, savedIn: 0, touchedIn: 0 };
}

function loadAccount(state: ClobState, value: Uint8Array): void {
  const { address, collateral, locked, positions } = decodeAccountRecord(value);
  const account = state.account(address);
  account.collateral = collateral;
  account.locked = locked;
  for (const { marketId, size, entry, fundingIndex = 0n } of positions)
    Object.assign(state.exposure(account, marketId), { size, entry, fundingIndex });
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
