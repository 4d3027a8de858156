import {
  agentRecordKey,
  encodeAgentRecord,
  encodeGlobalRecord,
  encodeMarketRecord,
  encodeNonceRecord,
  encodeParametersRecord,
  encodeProposalRecord,
  encodeReporterRecord,
  encodeScheduledCancelRecord,
  encodeSignerRecord,
  encodeTransferRecord,
  encodeTriggerRecord,
  endAccount,
  endClaims,
  globalRecordKey,
  marketRecordKey,
  nonceRecordKey,
  orderPageIds,
  orderPageOf,
  parametersRecordKey,
  proposalRecordKey,
  type OrderRecordParts,
  type RlpBackwards,
  reporterRecordKey,
  scheduledCancelRecordKey,
  signerRecordKey,
  transferRecordKey,
  triggerRecordKey,
  writeClaim,
  writeGlobalRecord,
  writeMarketRecord,
  writeOrderRecord,
  writePosition,
  writeSubAccount,
} from '@prime/codec';
import { compareStrings, hexToBytes } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import type { Globals } from '../state/globals.ts';
import { levelWrites } from './levelRecords.ts';
import { baseUnits, type Market } from '../state/markets.ts';
import { isPostOnlyIn, isReduceOnlyIn, noOrder, selfTradeIn } from '../book/orderPool.ts';
import { type OrderRowView, RowMerge } from '../state/orderRows.ts';
import type { RecordBatch } from './recordBatch.ts';
import type { Trigger } from '../triggers/triggers.ts';
import type { ClobState } from '../state/state.ts';

/** The state as records. What is not written here is derived and rebuilt when they are read back, see loading.ts. */

/** Writes the records of everything that the block touched, in the order of their keys, into a batch; some may be as they were. */
export function writeDirty(state: ClobState, batch: RecordBatch): void {
  addGlobals(state.globals, batch);
  for (const market of [...state.dirtyMarkets].sort(byId))
    if (state.market(market.id) === market) addMarket(market, batch);
  addOrders(state, batch);
  // An account whose making was taken back may have been made again: then both were noted, and one of them is nobody's.
  for (const account of [...state.dirtyAccounts].sort(byAddress))
    if (state.accounts[account.index] === account) addAccount(account, batch);
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
  for (const validator of sorted(state.dirtyReporters)) {
    const record = state.reporters.get(validator);
    batch.add({ key: reporterRecordKey(validator), value: record === undefined ? null : encodeReporterRecord(record) });
  }
  for (const id of [...state.transfers.dirty].sort((a, b) => a - b)) {
    const transfer = state.transfers.byId.get(id);
    batch.add({ key: transferRecordKey(id), value: transfer === undefined ? null : encodeTransferRecord(transfer) });
  }
  state.memory.writeTo(batch, state.height, state.accounts);
  for (const write of state.refused.writes(state.height)) batch.add(write);
  if (state.levels !== null) for (const write of levelWrites(state, state.levels)) batch.add(write);
  for (const account of sorted(state.schedules.dirty)) {
    const atMs = state.schedules.timeOf.get(account);
    const value = atMs === undefined ? null : encodeScheduledCancelRecord({ account, atMs });
    batch.add({ key: scheduledCancelRecordKey(account), value });
  }
  for (const hash of sorted(state.dirtyProposals)) {
    const record = state.proposals.get(hash);
    batch.add({ key: proposalRecordKey(hash), value: record === undefined ? null : encodeProposalRecord(record) });
  }
  if (state.params !== state.storedParams)
    batch.add({ key: parametersRecordKey(), value: encodeParametersRecord(state.params) });
  for (const id of [...state.triggers.dirty].sort((a, b) => a - b)) {
    const trigger = state.triggers.byId.get(id);
    batch.add({ key: triggerRecordKey(id), value: trigger === undefined ? null : encodeTrigger(trigger) });
  }
}

const encodeTrigger = (trigger: Trigger): Uint8Array =>
  encodeTriggerRecord({
    orderId: trigger.id,
    owner: trigger.account.address,
    trigger,
    createdBlock: trigger.createdBlock,
    queued: trigger.queued,
    attached: trigger.attached,
  });

// Not made for each block: what the compiler makes of a comparison would go with the latest one, at each large collection.
const byId = (a: Market, b: Market): number => a.id - b.id;
const byAddress = (a: Account, b: Account): number => compareStrings(a.address, b.address);

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
  const { riskTiers, funding, oracle, limits } = market;
  const profitPool = market.profitPool === 0n ? undefined : market.profitPool;
  const debt = market.debt === 0n ? undefined : market.debt;
  if ([riskTiers, funding, oracle, limits, profitPool, debt].some((later) => later !== undefined)) {
    batch.add({ key, value: encodeMarketRecord({ ...market, marketId: market.id, profitPool, debt }) });
    return;
  }
  const from = batch.writer.length;
  writeMarketRecord(batch.writer, market.id, market);
  batch.put(key, from);
}

/** Lower-case addresses have the order of their bytes. */
const sorted = <T extends string>(addresses: Iterable<T>): T[] => [...addresses].sort(compareStrings);

/** An account without anything has no record, so that the records do not tell who once had one. */
function addAccount(account: Account, batch: RecordBatch): void {
  const { recordKey, addressBytes, collateral, locked, subAccount, exposures } = account;
  const { writer } = batch;
  const begin = writer.length;
  const hasClaims = addClaims(account, writer);
  if (subAccount !== null) writeSubAccount(writer, hexToBytes(subAccount.owner, 20), subAccount.index);
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
  if (collateral === 0n && !locked && !hasClaims && writer.length === from) batch.remove(recordKey);
  else {
    endAccount(writer, addressBytes, collateral, locked, from, begin);
    batch.put(recordKey, begin);
  }
}

/** What is open between an account and its markets. @returns whether there is any */
function addClaims({ exposures, subAccount }: Account, writer: RlpBackwards): boolean {
  const begin = writer.length;
  for (let index = exposures.length - 1; index >= 0; index--) {
    const { marketId, exactClaim, bigClaim } = exposures[index]!;
    if (bigClaim !== null || exactClaim !== 0) writeClaim(writer, marketId, bigClaim ?? exactClaim);
  }
  if (writer.length === begin) return false;
  endClaims(writer, begin, subAccount !== null);
  return true;
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
  const price = row.ticks * market.floats.tick;
  parts.orderId = row.id;
  parts.marketId = row.market;
  parts.owner = state.accounts[row.owner]!.addressBytes;
  parts.side = row.side;
  parts.price = price <= Number.MAX_SAFE_INTEGER ? price : BigInt(row.ticks) * market.tickSize;
  parts.size = baseUnits(market, row.size);
  parts.remaining = baseUnits(market, row.remaining);
  setFlags(row.flags);
  parts.clientId = row.clientId;
  parts.expiresAt = row.expiresAt;
  parts.createdBlock = row.createdBlock;
  writeOrderRecord(writer, parts);
}

function writeOrder(state: ClobState, writer: RlpBackwards, id: number, handle: number): void {
  const { orders } = state;
  const market = state.marketOf(handle);
  const { floats, tickSize } = market;
  const { columns } = market.book;
  const ticks = columns.ticks[handle]!;
  const price = Number(ticks) * floats.tick;
  parts.orderId = id;
  parts.marketId = market.id;
  parts.owner = state.accounts[orders.owner[handle]!]!.addressBytes;
  parts.side = orders.side[handle]!;
  parts.price = price <= Number.MAX_SAFE_INTEGER ? price : BigInt(ticks) * tickSize;
  parts.size = baseUnits(market, columns.size[handle]!);
  parts.remaining = baseUnits(market, columns.remaining[handle]!);
  setFlags(orders.flags[handle]!);
  parts.clientId = orders.clientId(handle);
  parts.expiresAt = orders.expiresAt[handle]!;
  parts.createdBlock = orders.createdBlock[handle]!;
  writeOrderRecord(writer, parts);
}

function setFlags(flags: number): void {
  parts.isPostOnly = isPostOnlyIn(flags);
  parts.isReduceOnly = isReduceOnlyIn(flags);
  parts.selfTrade = selfTradeIn(flags);
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
  isReduceOnly: false,
  selfTrade: 0,
  clientId: null,
  expiresAt: 0,
  createdBlock: 0,
};
