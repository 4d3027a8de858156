import {
  type ClobParams,
  decodeAccountRecord,
  decodeAgentRecord,
  decodeClosedOrdersRecord,
  decodeGlobalRecord,
  decodeLevelRecord,
  decodeMarketRecord,
  decodeNonceRecord,
  decodeOrderRecord,
  decodeParametersRecord,
  decodeProposalRecord,
  decodeRefusedOrdersRecord,
  decodeReporterRecord,
  decodeScheduledCancelRecord,
  decodeSignerRecord,
  decodeTransferRecord,
  decodeTriggerRecord,
  type LevelRecord,
  orderPageOf,
  type OrderRecord,
  recordKind,
  recordNumber,
  type TriggerRecord,
} from '@prime/codec';
import { assert, bytesToHex, InvariantError } from '@prime/primitives';
import { createNarrowBook, createWideBook, fitsNarrow, widened } from '../book/book.ts';
import { link } from '../triggers/triggerChanges.ts';
import { loadSchedule } from '../state/scheduleChanges.ts';
import { countSubAccount, ensureAccount, ensureExposure, setAgent, setParams } from '../state/changes.ts';
import { checkConservation, countWorth } from '../margin/ledger.ts';
import { checkLevels } from './levelRecords.ts';
import { derivedOf, neverTraded } from '../state/markets.ts';
import { createSettlement } from '../governance/settlements.ts';
import { hasRooms } from '../orders/sureOrders.ts';
import { linkOrder } from '../state/openOrders.ts';
import { buySide, sellSide, type SideIndex } from '../book/orderPool.ts';
import { RecordBatch } from './recordBatch.ts';
import type { RecordTrie } from './recordTrie.ts';
import type { ClobState } from '../state/state.ts';
import type { StoredRecords } from './storedRecords.ts';

/**
 * The state from its records, as records.ts writes them. A market of a million orders is a million records: each is decoded, put where it
 * belongs and forgotten before the next one.
 */

/**
 * Fills an empty state from all records. Cost: linear, where they come in the order of their keys.
 *
 * @throws InvariantError that names the record, for one that can not be read or that contradicts those before it
 */
export function loadRecords(state: ClobState, records: StoredRecords, wideBooks: boolean): void {
  const levels: LevelRecord[] = [];
  // Keys of markets come before those of orders, which are in them; of the same kind, numbers ascend.
  for (let index = 0; index < records.size; index++) {
    try {
      loadRecord(state, records, index, { levels, wideBooks });
    } catch (cause) {
      throw unreadable(records.key(index), cause);
    }
    // An order that is loaded is not one that came: nothing of it is to be undone.
    if ((index & journalMask) === 0) state.journal.clear();
  }
  checkLevels(state, levels);
  state.dirtyAgents.clear();
  countWorth(state, state.accounts);
  state.holders.commit(state.accounts);
  checkConservation(state);
  for (const market of state.markets) {
    state.movingMarkets.add(market);
    if (market.status === 'settling') state.settlements.set(market, createSettlement());
  }
  state.journal.clear();
}

/** The journal is emptied once in so many records. */
const journalMask = 1023;

function loadRecord(
  state: ClobState,
  records: StoredRecords,
  index: number,
  { levels, wideBooks }: { readonly levels: LevelRecord[]; readonly wideBooks: boolean },
): void {
  const kind = recordKind(records.key(index));
  const value = records.value(index);
  switch (kind) {
    case 'global':
      Object.assign(state.globals, decodeGlobalRecord(value));
      break;
    case 'market':
      loadMarket(state, value, wideBooks);
      break;
    case 'order':
      loadOrder(state, decodeOrderRecord(value));
      break;
    case 'account':
      loadAccount(state, value);
      break;
    case 'nonce': {
      // Of bytes of its own: a view would keep all that stands around it.
      const record = decodeNonceRecord(value.slice());
      state.gatewayNonces.set(record.signer, record);
      break;
    }
    case 'agent':
      setAgent(state, decodeAgentRecord(value));
      break;
    case 'signer': {
      const { signer, nonces } = decodeSignerRecord(value);
      state.signerNonces.set(signer, [...nonces]);
      break;
    }
    case 'reporter': {
      const record = decodeReporterRecord(value);
      state.reporters.set(record.validator, record);
      break;
    }
    case 'proposal': {
      const record = decodeProposalRecord(value);
      state.proposals.set(record.proposal, record);
      break;
    }
    case 'parameters':
      loadParams(state, decodeParametersRecord(value));
      break;
    case 'transfer':
      state.transfers.load(decodeTransferRecord(value));
      break;
    case 'closedOrders':
      state.memory.load(decodeClosedOrdersRecord(value), (owner) => ensureAccount(state, owner));
      break;
    case 'refusedOrders':
      state.refused.load(decodeRefusedOrdersRecord(value));
      break;
    case 'scheduledCancel':
      loadSchedule(state, decodeScheduledCancelRecord(value));
      break;
    case 'trigger':
      loadTrigger(state, decodeTriggerRecord(value));
      break;
    case 'level':
      levels.push(decodeLevelRecord(value));
      break;
    default:
      assert(false, `this version knows no records of kind ${recordKind(records.key(index))}`);
  }
}

function loadTrigger(state: ClobState, { orderId: id, owner, trigger, ...more }: TriggerRecord): void {
  link(state, { ...trigger, id, account: ensureAccount(state, owner), ...more });
}

function loadParams(state: ClobState, params: ClobParams): void {
  setParams(state, params, hasRooms(params));
  state.storedParams = params;
}

function unreadable(key: Uint8Array, cause: unknown): InvariantError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new InvariantError(`the record ${kindName(key)} ${bytesToHex(key)} can not be read: ${reason}`, { cause });
}

function kindName(key: Uint8Array): string {
  try {
    return recordKind(key);
  } catch {
    return 'of an unknown kind';
  }
}

function loadMarket(state: ClobState, value: Uint8Array, wideBooks: boolean): void {
  const {
    marketId: id,
    riskTiers,
    funding,
    oracle,
    limits,
    profitPool = 0n,
    debt = 0n,
    ...record
  } = decodeMarketRecord(value);
  assert(id === state.markets.length + 1, `market ${id} is out of sequence`);
  const book = wideBooks ? createWideBook(state.orders) : createNarrowBook(state.orders);
  state.markets.push({
    id,
    ...record,
    riskTiers,
    funding,
    oracle,
    limits,
    profitPool,
    debt,
    book,
    ...derivedOf({ ...record, limits }),
    tradedAt: neverTraded,
    savedIn: 0,
    touchedIn: 0,
  });
}

function loadAccount(state: ClobState, value: Uint8Array): void {
  const { address, collateral, locked, positions, subAccount, claims = [] } = decodeAccountRecord(value);
  const account = ensureAccount(state, address);
  account.collateral = collateral;
  account.locked = locked;
  if (subAccount !== undefined) countSubAccount(state, account, subAccount);
  for (const { marketId, size, entry, fundingIndex = 0n } of positions) {
    const exposure = ensureExposure(state, account, marketId);
    Object.assign(exposure, { size, entry, fundingIndex });
    exposure.noteMoved(0);
  }
  for (const { marketId, amount } of claims) ensureExposure(state, account, marketId).claim = amount;
}

function loadOrder(state: ClobState, order: OrderRecord): void {
  const market = state.market(order.marketId);
  assert(market !== undefined, `order ${order.orderId} is in unknown market ${order.marketId}`);
  const side: SideIndex = order.side === 'buy' ? buySide : sellSide;
  const ticks = order.price / market.tickSize;
  const size = order.size / market.lotSize;
  if (typeof market.book.zero === 'number' && !fitsNarrow(market.book, side, ticks, size))
    market.book = widened(state.orders, market.book);
  const account = ensureAccount(state, order.owner);
  const { orderId: id, expiresAt, createdBlock, postOnly, reduceOnly, selfTrade, clientId } = order;
  const row = { id, market, account, side, expiresAt, postOnly, reduceOnly, selfTrade, clientId };
  const handle = state.orders.allocate(row, createdBlock);
  const { book } = market;
  book.columns.ticks[handle] = book.of(ticks);
  book.columns.size[handle] = book.of(size);
  book.columns.remaining[handle] = book.of(order.remaining / market.lotSize);
  linkOrder(state, handle);
}

/** Leaves that go into the trie together: their values stand in one buffer meanwhile. */
const leavesTogether = 4096;

/** Puts the leaves that records are, or are in, into an empty trie. */
export function loadTrie(trie: RecordTrie, records: StoredRecords): void {
  const batch = new RecordBatch();
  const put = (): void => {
    trie.apply(batch);
    batch.reset();
  };
  for (let index = 0; index < records.size; ) {
    const key = records.key(index);
    if (recordKind(key) === 'order') index = addPage(batch, records, index, orderPageOf(recordNumber(key)));
    else batch.add({ key, value: records.value(index++) });
    if (batch.count === leavesTogether) put();
  }
  put();
}

/** @param from the page's first order @returns where the page ends */
function addPage(batch: RecordBatch, records: StoredRecords, from: number, page: number): number {
  let to = from + 1;
  while (to < records.size && isOrderOf(page, records.key(to))) to++;
  const { writer } = batch;
  const begin = writer.length;
  for (let index = to - 1; index >= from; index--) writer.raw(records.value(index));
  batch.putPage(page, begin);
  return to;
}

const isOrderOf = (page: number, key: Uint8Array): boolean =>
  recordKind(key) === 'order' && orderPageOf(recordNumber(key)) === page;
