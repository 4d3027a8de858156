import {
  accountRecordKey,
  decodeAccountRecord,
  decodeGlobalRecord,
  decodeLevelRecord,
  decodeMarketRecord,
  decodeOrderRecord,
  globalRecordKey,
  levelRecordKey,
  marketRecordKey,
  orderRecordKey,
} from '@prime/codec';
import { type MarketId, type OrderId, parseAddress } from '@prime/primitives';
import { marketIdOf } from '../decode/references.ts';
import { InvalidActionError } from '../errors/own.ts';
import type { Hex } from '../types/primitives.ts';
import { plain } from './plain.ts';
import type { AccountRecord, LevelRecord, MarketRecord, OrderRecord, RecordReference, TotalsRecord } from './types.ts';

type AnyRecord = OrderRecord | LevelRecord | MarketRecord | AccountRecord | TotalsRecord;

/** Key of a record, and how its value is read (docs/protocol/encoding.md, 10). */
export interface RecordKind {
  readonly key: Uint8Array;
  readonly read: (value: Uint8Array) => AnyRecord;
}

/** Prices have 128 bits. */
const priceLimit = 1n << 128n;

/** @throws InvalidActionError for a reference that can name no record */
export function recordKindOf(reference: RecordReference): RecordKind {
  if ('orderId' in reference) return { key: orderRecordKey(orderIdOf(reference.orderId)), read: readOrder };
  if ('address' in reference) return { key: accountRecordKey(addressOf(reference.address)), read: readAccount };
  if ('global' in reference) return { key: globalRecordKey(), read: readTotals };
  const marketId = marketIdOf(reference.market) as MarketId;
  if (!('price' in reference)) return { key: marketRecordKey(marketId), read: readMarket };
  const { side, price } = reference;
  if (side !== 'buy' && side !== 'sell')
    throw new InvalidActionError('side', `has to be buy or sell, not ${String(side)}`);
  if (typeof price !== 'bigint' || price < 0n || price >= priceLimit)
    throw new InvalidActionError('price', `has to be a bigint from 0 to 2^128 - 1, not ${String(price)}`);
  return { key: levelRecordKey({ marketId, side, price }), read: readLevel };
}

function orderIdOf(orderId: number): OrderId {
  if (Number.isSafeInteger(orderId) && orderId >= 1) return orderId as OrderId;
  throw new InvalidActionError('orderId', `has to be a whole number of at least 1, not ${String(orderId)}`);
}

function addressOf(address: Hex) {
  try {
    return parseAddress(address);
  } catch (thrown) {
    throw new InvalidActionError('address', `has to be 0x and 40 hex digits, not ${String(address)}`, thrown as Error);
  }
}

function readOrder(value: Uint8Array): OrderRecord {
  const { owner, expiresAt, createdBlock, clientId, ...order } = decodeOrderRecord(value);
  return {
    ...order,
    owner: plain(owner),
    filled: order.size - order.remaining,
    clientId: clientId === null ? null : plain(clientId),
    createdBlock: BigInt(createdBlock),
    expiresAtSeconds: expiresAt,
  };
}

function readAccount(value: Uint8Array): AccountRecord {
  const { address, collateral, locked, positions } = decodeAccountRecord(value);
  return {
    address: plain(address),
    collateral,
    locked,
    positions: positions.map(({ marketId, size, entry }) => ({ marketId, size, entry })),
  };
}

function readMarket(value: Uint8Array): MarketRecord {
  const market = decodeMarketRecord(value);
  const { marketId, symbol, tickSize, lotSize, baseDecimals, quoteDecimals, status, lastPrice, markPrice } = market;
  return { marketId, symbol, tickSize, lotSize, baseDecimals, quoteDecimals, status, lastPrice, markPrice };
}

const readLevel = (value: Uint8Array): LevelRecord => decodeLevelRecord(value);

function readTotals(value: Uint8Array): TotalsRecord {
  const totals = decodeGlobalRecord(value);
  const { nextOrderId, nextTradeId, nextMarketId, insurance, totalDeposits, totalWithdrawals } = totals;
  return { nextOrderId, nextTradeId, nextMarketId, insurance, totalDeposits, totalWithdrawals };
}
