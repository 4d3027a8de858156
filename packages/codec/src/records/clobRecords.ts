import type { Address, MarketId, OrderId } from '@prime/primitives';
import { invalidField } from '../encoding/errors.ts';
import {
  address,
  byteString,
  type Codec,
  clientId,
  flag,
  grownStruct,
  integer,
  listOf,
  nullable,
  oneOf,
  requiredClientId,
  struct,
  text,
} from '../encoding/fieldCodecs.ts';
import {
  agentNameBytesMax,
  amount,
  bps,
  height,
  marketId,
  orderId,
  riskTier,
  riskTiersMax,
  selfTradeMode,
  side,
  signedSize,
  signedWei,
  symbolBytesMax,
  timeInForce,
  transferDirection,
  uint32,
  wei,
} from '../encoding/protocolFields.ts';
import { type OrderEnd, orderEnds } from '../actions/orderEnds.ts';
import { decodeRlp, encodeRlp, rlpItemAt } from '../encoding/rlp.ts';
import { type FundingPool, fundingPoolCodec, type MarketFunding, marketFundingCodec } from './fundingRecords.ts';
import type { RiskTier } from '../genesis/genesisTypes.ts';
import { type MarketDecimals, marketDecimalsFields } from '../genesis/marketDecimals.ts';
import type { SelfTradeMode, Side, TimeInForce, TransferDirection } from '../types.ts';

/** Values of the records of the order book domain: their types, and the one encoding of each. Their keys are in recordKeys.ts. */

/** Basis points of notional: what opening a position needs, and what keeping it needs. */
export interface MarginParams {
  readonly initialMarginBps: number;
  readonly maintenanceMarginBps: number;
}

/** Counters, sums and defaults; exactly one. */
export interface GlobalRecord {
  readonly nextOrderId: OrderId;
  readonly nextTradeId: number;
  readonly nextMarketId: MarketId;
  readonly nextTransferId: number;
  /** Insurance fund, wei. */
  readonly insurance: bigint;
  /** All collateral that ever came in, wei. */
  readonly totalDeposits: bigint;
  /** All collateral that ever went out, wei. */
  readonly totalWithdrawals: bigint;
  /** Margin of the markets without an override. */
  readonly defaultMargin: MarginParams;
  /** Absent: the network has no funding, or no block yet. */
  readonly funding?: FundingPool | undefined;
}

/** Part of each market's record, and shown to clients. */
export type MarketStatus = 'open' | 'closed';

/** Key: kind, market id. Prices are wei per base unit, sizes base units. */
export interface MarketRecord extends MarketDecimals {
  readonly marketId: MarketId;
  readonly symbol: string;
  readonly tickSize: bigint;
  readonly lotSize: bigint;
  /** Price of the latest trade; null before the first. */
  readonly lastPrice: bigint | null;
  /** Mark price of the block to come; null while undefined. */
  readonly markPrice: bigint | null;
  readonly margin: MarginParams | null;
  readonly status: MarketStatus;
  /** Blocks in which the market traded, counted up to the number that liquidations ask for. */
  readonly tradeBlocks: number;
  /** Absent: margin does not depend on the size of a position. */
  readonly riskTiers?: readonly RiskTier[] | undefined;
  /** Absent: the market had no mark price yet, or the network has no funding. */
  readonly funding?: MarketFunding | undefined;
}

/** A resting order; a level's queue is in the order of ids. */
export interface OrderRecord {
  readonly orderId: OrderId;
  readonly marketId: MarketId;
  readonly owner: Address;
  readonly side: Side;
  readonly price: bigint;
  readonly size: bigint;
  readonly remaining: bigint;
  readonly tif: TimeInForce;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly selfTrade: SelfTradeMode;
  readonly clientId: string | null;
  readonly expiresAt: number;
  readonly createdBlock: number;
}

/** A position within the record of its account. */
export interface PositionRecord {
  readonly marketId: MarketId;
  /** Base units, negative is short, never 0. */
  readonly size: bigint;
  /** Notional at which the position was opened, wei, >= 0. */
  readonly entry: bigint;
  /** Index of the market up to which the position has settled its funding; absent for 0. */
  readonly fundingIndex?: bigint | undefined;
}

/** Key: kind, address. What an account holds in the order book, apart from its orders. */
export interface AccountRecord {
  readonly address: Address;
  /** Wei; negative is bad debt. */
  readonly collateral: bigint;
  /** Only signed actions are accepted from now on. */
  readonly locked: boolean;
  /** By market id ascending, each once. */
  readonly positions: readonly PositionRecord[];
}

/** Which nonces a gateway used: a ring of one bit for each of the {@link nonceWindowSize} numbers up to `newest`. */
export interface NonceRecord {
  readonly signer: Address;
  readonly newest: number;
  /** 512 bytes; the bit of nonce n is bit n % 8 of byte floor(n / 8) % 512. */
  readonly used: Uint8Array;
}

/** Millisecond nonces that a signer of `raw` and `eip712` actions used: the highest ones, at most {@link signerNoncesMax}. */
export interface SignerRecord {
  readonly signer: Address;
  /** Ascending. */
  readonly nonces: readonly number[];
}

/** A transfer between the domains that waits for its turn; turns are in the order of ids. */
export interface TransferRecord {
  readonly transferId: number;
  readonly direction: TransferDirection;
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
  readonly createdBlock: number;
}

/** An order that is gone. */
export interface ClosedOrder {
  readonly orderId: OrderId;
  readonly marketId: MarketId;
  readonly owner: Address;
  readonly side: Side;
  /** Wei. */
  readonly price: bigint;
  /** Base units it was made for; of an order that rested, less what was taken off it since. */
  readonly size: bigint;
  readonly tif: TimeInForce;
  readonly end: OrderEnd;
  readonly filled: bigint;
  /** What was not filled when it left; what is missing to the size was decremented by self-trade prevention. */
  readonly remaining: bigint;
  readonly clientId: string | null;
  readonly createdBlock: number;
  /** Seconds; 0 for never. */
  readonly expiresAt: number;
}

/** The orders that left in one block, in the order in which they did. Kept for a number of blocks. */
export interface ClosedOrdersRecord {
  readonly height: number;
  readonly orders: readonly ClosedOrder[];
}

/** An order of a contract that was refused when its turn came; the contract itself can not be told any more. */
export interface RefusedOrder {
  readonly ticket: number;
  readonly owner: Address;
  readonly clientId: string;
}

/** The orders with a client id that were refused in one block, in the order in which they were. Kept as long as ended ones. */
export interface RefusedOrdersRecord {
  readonly height: number;
  readonly orders: readonly RefusedOrder[];
}

/** An approved agent, or the tombstone of a revoked one. */
export interface AgentRecord {
  readonly account: Address;
  readonly agent: Address;
  readonly expiry: number;
  readonly permissions: number;
  readonly name: string;
  readonly revoked: boolean;
}

/** Nonces kept per signer; below the lowest of a full list nothing is accepted. */
export const signerNoncesMax = 64;
/** Numbers below the newest of a gateway that are still told apart; older ones are refused. */
export const nonceWindowSize = 4096;

const counter = integer(1);
const margin = struct<MarginParams>({ initialMarginBps: bps, maintenanceMarginBps: bps });
const globalCodec = grownStruct<GlobalRecord>(
  {
    nextOrderId: orderId,
    nextTradeId: counter,
    nextMarketId: marketId,
    nextTransferId: counter,
    insurance: wei,
    totalDeposits: wei,
    totalWithdrawals: wei,
    defaultMargin: margin,
  },
  { funding: fundingPoolCodec },
);
const marketCodec = grownStruct<MarketRecord>(
  {
    marketId,
    symbol: text(symbolBytesMax),
    tickSize: amount,
    lotSize: amount,
    ...marketDecimalsFields,
    lastPrice: nullable(amount),
    markPrice: nullable(amount),
    margin: nullable(margin),
    status: oneOf<MarketStatus>(['open', 'closed']),
    tradeBlocks: uint32,
  },
  { riskTiers: listOf(riskTier, riskTiersMax), funding: marketFundingCodec },
);
const orderCodec = struct<OrderRecord>({
  orderId,
  marketId,
  owner: address,
  side,
  price: amount,
  size: amount,
  remaining: amount,
  tif: timeInForce,
  postOnly: flag,
  reduceOnly: flag,
  selfTrade: selfTradeMode,
  clientId,
  expiresAt: integer(),
  createdBlock: height,
});
const accountCodec = struct<AccountRecord>({
  address,
  collateral: signedWei,
  locked: flag,
  positions: listOf(
    grownStruct<PositionRecord>({ marketId, size: signedSize, entry: wei }, { fundingIndex: signedWei }),
  ),
});
const nonceCodec = struct<NonceRecord>({
  signer: address,
  newest: integer(),
  used: byteString({ length: nonceWindowSize / 8 }),
});
const signerCodec = struct<SignerRecord>({ signer: address, nonces: listOf(integer(), signerNoncesMax) });
const agentCodec = struct<AgentRecord>({
  account: address,
  agent: address,
  expiry: integer(),
  permissions: uint32,
  name: text(agentNameBytesMax),
  revoked: flag,
});

const transferCodec = struct<TransferRecord>({
  transferId: integer(1),
  direction: transferDirection,
  from: address,
  to: address,
  amount: wei,
  createdBlock: height,
});
const closedOrderCodec = struct<ClosedOrder>({
  orderId,
  marketId,
  owner: address,
  side,
  price: amount,
  size: amount,
  tif: timeInForce,
  end: oneOf<OrderEnd>(orderEnds),
  filled: amount,
  remaining: amount,
  clientId,
  createdBlock: height,
  expiresAt: integer(),
});
const closedOrdersCodec = struct<ClosedOrdersRecord>({ height, orders: listOf(closedOrderCodec) });

const refusedOrdersCodec = struct<RefusedOrdersRecord>({
  height,
  orders: listOf(struct<RefusedOrder>({ ticket: integer(1), owner: address, clientId: requiredClientId })),
});

const encoder =
  <T>(codec: Codec<T>, name: string) =>
  (record: T): Uint8Array =>
    encodeRlp(codec.toRlp(record, name));
const decoder =
  <T>(codec: Codec<T>, name: string) =>
  (value: Uint8Array): T =>
    codec.fromRlp(decodeRlp(value), name);

/** @throws CodecError `CODEC_FIELD_INVALID`; so do the other encoders of this file */
export const encodeGlobalRecord = encoder(globalCodec, 'global record');
/** @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID`; so do the other decoders of this file */
export const decodeGlobalRecord = decoder(globalCodec, 'global record');
/** Value under the market's key; see {@link MarketRecord}. */
export const encodeMarketRecord = encoder(marketCodec, 'market record');
/** Undoes {@link encodeMarketRecord}, and throws as {@link decodeGlobalRecord} does. */
export const decodeMarketRecord = decoder(marketCodec, 'market record');
/** Value under the order's key; see {@link OrderRecord}. */
export const encodeOrderRecord = encoder(orderCodec, 'order record');
/** Undoes {@link encodeOrderRecord}, and throws as {@link decodeGlobalRecord} does. */
export const decodeOrderRecord = decoder(orderCodec, 'order record');
/** Value under the account's key; positions have to be ascending by market. */
export const encodeAccountRecord = encoder(accountCodec, 'account record');
/** @throws CodecError `CODEC_FIELD_INVALID` also when positions are out of order or repeated */
export function decodeAccountRecord(value: Uint8Array): AccountRecord {
  const record = accountCodec.fromRlp(decodeRlp(value), 'account record');
  for (let index = 1; index < record.positions.length; index++)
    if (record.positions[index]!.marketId <= record.positions[index - 1]!.marketId)
      invalidField('positions', 'not in ascending order of market');
  return record;
}
/** Value under a gateway's key; see {@link NonceRecord}. */
export const encodeNonceRecord = encoder(nonceCodec, 'nonce record');
/** Undoes {@link encodeNonceRecord}, and throws as {@link decodeGlobalRecord} does. */
export const decodeNonceRecord = decoder(nonceCodec, 'nonce record');
/** Value under a signer's key; nonces have to be ascending. */
export const encodeSignerRecord = encoder(signerCodec, 'signer record');
/** @throws CodecError `CODEC_FIELD_INVALID` also when nonces are out of order or repeated */
export function decodeSignerRecord(value: Uint8Array): SignerRecord {
  const record = signerCodec.fromRlp(decodeRlp(value), 'signer record');
  for (let index = 1; index < record.nonces.length; index++)
    if (record.nonces[index]! <= record.nonces[index - 1]!) invalidField('nonces', 'not ascending');
  return record;
}
/** Value under a transfer's key; see {@link TransferRecord}. */
export const encodeTransferRecord = encoder(transferCodec, 'transfer record');
/** Undoes {@link encodeTransferRecord}, and throws as {@link decodeGlobalRecord} does. */
export const decodeTransferRecord = decoder(transferCodec, 'transfer record');
/** Value under a height: the orders of the block in the order in which they left. */
export const encodeClosedOrdersRecord = encoder(closedOrdersCodec, 'closed orders record');
/** Undoes {@link encodeClosedOrdersRecord}, and throws as {@link decodeGlobalRecord} does. */
export const decodeClosedOrdersRecord = decoder(closedOrdersCodec, 'closed orders record');
/** One order of a record of closed orders. */
export const decodeClosedOrder = decoder(closedOrderCodec, 'closed order');
/** The same by its place there. */
export const decodeClosedOrderAt = (record: Uint8Array, index: number): ClosedOrder =>
  decodeClosedOrder(rlpItemAt(rlpItemAt(record, 1), index));
/** Its fields, in the order of the encoding. */
export const closedOrderFields: readonly string[] = closedOrderCodec.fieldNames;
/** Value under a height: the orders of contracts in the order in which they were refused. */
export const encodeRefusedOrdersRecord = encoder(refusedOrdersCodec, 'refused orders record');
/** Undoes {@link encodeRefusedOrdersRecord}, and throws as {@link decodeGlobalRecord} does. */
export const decodeRefusedOrdersRecord = decoder(refusedOrdersCodec, 'refused orders record');
/** Value under account and agent; see {@link AgentRecord}. */
export const encodeAgentRecord = encoder(agentCodec, 'agent record');
/** Undoes {@link encodeAgentRecord}, and throws as {@link decodeGlobalRecord} does. */
export const decodeAgentRecord = decoder(agentCodec, 'agent record');
