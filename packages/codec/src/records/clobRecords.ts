import { decoder, encoder } from '../encoding/messages.ts';
import { invalidField } from '../encoding/errors.ts';
import {
  address,
  byteString,
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
  type ValueOf,
  type Codec,
} from '../encoding/fieldCodecs.ts';
import {
  agentNameBytesMax,
  amount,
  bps,
  height,
  marketId,
  orderId,
  riskTier,
  marketLimits,
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
import { triggerCodec, type TriggerFields } from '../actions/orderPayloads.ts';
import { type TriggerKind, triggerKinds } from '../actions/orderWords.ts';
import { type OrderEnd, orderEnds } from '../actions/orderEnds.ts';
import { decodeIntegers } from '../encoding/integerList.ts';
import { decodeRlp, rlpBytesAt, rlpItemAt } from '../encoding/rlp.ts';
import { subAccountCodec } from '../actions/subAccounts.ts';
import { fundingPoolCodec, marketFundingCodec } from './fundingRecords.ts';
import { marketOracleCodec } from './oracleRecords.ts';
import { type MarketStatus, marketStatuses } from '../genesis/marketStatuses.ts';
import { marketDecimalsFields } from '../genesis/marketDecimals.ts';

/** Values of the records of the order book domain: their types, and the one encoding of each. Their keys are in recordKeys.ts. */

/** Nonces kept per signer; below the lowest of a full list nothing is accepted. */
export const signerNoncesMax = 64;
/** Numbers below the newest of a gateway that are still told apart; older ones are refused. */
export const nonceWindowSize = 4096;

const counter = integer(1);
/** Whose records say that much and no more: a number of a block. */
const blockHeight: Codec<number> = height;
const margin = struct({
  initialMarginBps: bps,
  maintenanceMarginBps: bps,
});
/** Basis points of notional: what opening a position needs, and what keeping it needs. */
export interface MarginParams extends ValueOf<typeof margin> {}

const globalCodec = grownStruct(
  {
    nextOrderId: orderId,
    nextTradeId: counter,
    nextMarketId: marketId,
    nextTransferId: counter,
    /** Insurance fund, wei. */
    insurance: wei,
    /** All collateral that ever came in, wei. */
    totalDeposits: wei,
    /** All collateral that ever went out, wei. */
    totalWithdrawals: wei,
    /** Margin of the markets without an override. */
    defaultMargin: margin,
  },
  {
    /** Absent: the network has no funding, or no block yet. */
    funding: fundingPoolCodec,
  },
);
/** Counters, sums and defaults; exactly one. */
export interface GlobalRecord extends ValueOf<typeof globalCodec> {}

const marketCodec = grownStruct(
  {
    marketId,
    symbol: text(symbolBytesMax),
    tickSize: amount,
    lotSize: amount,
    ...marketDecimalsFields,
    /** Price of the latest trade; null before the first. */
    lastPrice: nullable(amount),
    /** Mark price of the block to come; null while undefined. */
    markPrice: nullable(amount),
    margin: nullable(margin),
    status: oneOf<MarketStatus>(marketStatuses),
    /** Blocks in which the market traded, counted up to the number that liquidations ask for. */
    tradeBlocks: uint32,
  },
  {
    /** Absent: margin does not depend on the size of a position. */
    riskTiers: listOf(riskTier, riskTiersMax),
    /** Absent: the market had no mark price yet, or the network has no funding. */
    funding: marketFundingCodec,
    /** Absent: no price comes from outside. */
    oracle: marketOracleCodec,
    /** Absent: orders of the market have no bounds. */
    limits: marketLimits,
    /** Losses that were paid in and no profit took out yet, wei; absent for 0. */
    profitPool: wei,
    /** Losses that nobody paid, wei; absent for 0. */
    debt: wei,
  },
);
/** Key: kind, market id. Prices are wei per base unit, sizes base units. */
export interface MarketRecord extends ValueOf<typeof marketCodec> {}

/** Price is wei per base unit, size base units: what the order was made for, less what was taken off it since it rests. */
const orderFields = { orderId, marketId, owner: address, side, price: amount, size: amount } as const;
const orderCodec = struct({
  ...orderFields,
  remaining: amount,
  tif: timeInForce,
  postOnly: flag,
  reduceOnly: flag,
  selfTrade: selfTradeMode,
  clientId,
  expiresAt: integer(),
  createdBlock: blockHeight,
});
/** A resting order; a level's queue is in the order of ids. */
export interface OrderRecord extends ValueOf<typeof orderCodec> {}

const positionCodec = grownStruct(
  {
    marketId,
    /** Base units, negative is short, never 0. */
    size: signedSize,
    /** Notional at which the position was opened, wei, >= 0. */
    entry: wei,
  },
  {
    /** Index of the market up to which the position has settled its funding; absent for 0. */
    fundingIndex: signedWei,
  },
);
/** A position within the record of its account. */
export interface PositionRecord extends ValueOf<typeof positionCodec> {}

const claimCodec = struct({
  marketId,
  /** Wei, never 0. Positive: profit that the market's pool did not pay yet. Negative: a loss that was not paid into it yet. */
  amount: signedWei,
});
/** What is open between an account and a market; it is a part of the account's collateral. */
export interface ClaimRecord extends ValueOf<typeof claimCodec> {}

const accountCodec = grownStruct(
  {
    address,
    /** Wei, claims included. */
    collateral: signedWei,
    /** Only signed actions are accepted from now on. */
    locked: flag,
    /** By market id ascending, each once. */
    positions: listOf(positionCodec),
  },
  {
    /** Absent: the account answers to its own key. */
    subAccount: subAccountCodec,
    /** By market id ascending, each once. Absent: none. */
    claims: listOf(claimCodec),
  },
);
/** Key: kind, address. What an account holds in the order book, apart from its orders. */
export interface AccountRecord extends ValueOf<typeof accountCodec> {}

const nonceCodec = struct({
  signer: address,
  newest: integer(),
  /** 512 bytes; the bit of nonce n is bit n % 8 of byte floor(n / 8) % 512. */
  used: byteString({ length: nonceWindowSize / 8 }),
});
/** Which nonces a gateway used: a ring of one bit for each of the {@link nonceWindowSize} numbers up to `newest`. */
export interface NonceRecord extends ValueOf<typeof nonceCodec> {}

const signerCodec = struct({
  signer: address,
  /** Ascending. */
  nonces: listOf(integer(), signerNoncesMax),
});
/** Millisecond nonces that a signer of `raw` and `eip712` actions used: the highest ones, at most {@link signerNoncesMax}. */
export interface SignerRecord extends ValueOf<typeof signerCodec> {}

const agentCodec = struct({
  account: address,
  agent: address,
  expiry: integer(),
  permissions: uint32,
  name: text(agentNameBytesMax),
  revoked: flag,
});
/** An approved agent, or the tombstone of a revoked one. */
export interface AgentRecord extends ValueOf<typeof agentCodec> {}

const scheduledCancelCodec = struct({
  account: address,
  /** Block time, ms. */
  atMs: integer(1),
});
/** When all orders of an account end. */
export interface ScheduledCancelRecord extends ValueOf<typeof scheduledCancelCodec> {}

const transferCodec = struct({
  transferId: integer(1),
  direction: transferDirection,
  from: address,
  to: address,
  amount: wei,
  createdBlock: blockHeight,
});
/** A transfer between the domains that waits for its turn; turns are in the order of ids. */
export interface TransferRecord extends ValueOf<typeof transferCodec> {}

const triggerRecordCodec = struct({
  orderId,
  owner: address,
  trigger: triggerCodec,
  createdBlock: blockHeight,
  /** Since its condition held once: the block at whose end it did, and how far the mark was beyond its price, wei. */
  queued: nullable(struct({ height: blockHeight, distance: amount })),
  /** Of a bracket: its order, and whether that is open. While it is, the trigger's size is what it filled, and at 0 the trigger sleeps. */
  attached: nullable(struct({ orderId, isOpen: flag })),
});
/** An order that waits for the mark of its market. */
export interface TriggerRecord extends ValueOf<typeof triggerRecordCodec> {
  readonly trigger: TriggerFields;
}

const endedTriggerCodec = struct({ kind: oneOf<TriggerKind>(triggerKinds), triggerPrice: amount });
/** What an ended order waited for. */
export interface EndedTrigger extends ValueOf<typeof endedTriggerCodec> {}

const closedOrderCodec = grownStruct(
  {
    ...orderFields,
    tif: timeInForce,
    end: oneOf<OrderEnd>(orderEnds),
    filled: amount,
    /** What was not filled when it left; what is missing to the size was decremented by self-trade prevention. */
    remaining: amount,
    clientId,
    createdBlock: blockHeight,
    /** Seconds; 0 for never. */
    expiresAt: integer(),
  },
  {
    /** Of a trigger, whose price is the limit of its order, 0 for none. Absent: it is none. */
    trigger: endedTriggerCodec,
  },
);
/** An order that is gone. */
export interface ClosedOrder extends ValueOf<typeof closedOrderCodec> {}

const closedOrdersCodec = struct({
  height: blockHeight,
  orders: listOf(closedOrderCodec),
});
/** The orders that left in one block, in the order in which they did. Kept for a number of blocks. */
export interface ClosedOrdersRecord extends ValueOf<typeof closedOrdersCodec> {}

const refusedOrderCodec = struct({ ticket: counter, owner: address, clientId: requiredClientId });
/** An order of a contract that was refused when its turn came; the contract itself can not be told any more. */
export interface RefusedOrder extends ValueOf<typeof refusedOrderCodec> {}

const refusedOrdersCodec = struct({
  height: blockHeight,
  orders: listOf(refusedOrderCodec),
});
/** The orders with a client id that were refused in one block, in the order in which they were. Kept as long as ended ones. */
export interface RefusedOrdersRecord extends ValueOf<typeof refusedOrdersCodec> {}

/** @throws CodecError `CODEC_FIELD_INVALID`; so do the other encoders of this file */
export const encodeGlobalRecord = encoder<GlobalRecord>(globalCodec, 'global record');
/** @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID`; so do the other decoders of this file */
export const decodeGlobalRecord = decoder<GlobalRecord>(globalCodec, 'global record');
/** Value under the market's key; see {@link MarketRecord}. */
export const encodeMarketRecord = encoder<MarketRecord>(marketCodec, 'market record');
/** Undoes {@link encodeMarketRecord}, and throws as {@link decodeGlobalRecord} does. */
export const decodeMarketRecord = decoder<MarketRecord>(marketCodec, 'market record');
/** Value under the order's key; see {@link OrderRecord}. */
export const encodeOrderRecord = encoder<OrderRecord>(orderCodec, 'order record');
/** Undoes {@link encodeOrderRecord}, and throws as {@link decodeGlobalRecord} does. */
export const decodeOrderRecord = decoder<OrderRecord>(orderCodec, 'order record');
/** Value under the account's key; positions have to be ascending by market. */
export const encodeAccountRecord = encoder<AccountRecord>(accountCodec, 'account record');
/** @throws CodecError `CODEC_FIELD_INVALID` also when positions are out of order or repeated */
export function decodeAccountRecord(value: Uint8Array): AccountRecord {
  const record = accountCodec.fromRlp(decodeRlp(value), 'account record');
  for (let index = 1; index < record.positions.length; index++)
    if (record.positions[index]!.marketId <= record.positions[index - 1]!.marketId)
      invalidField('positions', 'not in ascending order of market');
  return record;
}
/** Value under a gateway's key; see {@link NonceRecord}. */
export const encodeNonceRecord = encoder<NonceRecord>(nonceCodec, 'nonce record');
/** Undoes {@link encodeNonceRecord}, and throws as {@link decodeGlobalRecord} does. */
export const decodeNonceRecord = decoder<NonceRecord>(nonceCodec, 'nonce record');
/** Value under a signer's key; nonces have to be ascending. */
export const encodeSignerRecord = encoder<SignerRecord>(signerCodec, 'signer record');
/** @throws CodecError `CODEC_FIELD_INVALID` also when nonces are out of order or repeated */
export function decodeSignerRecord(value: Uint8Array): SignerRecord {
  const nonces = rlpItemAt(value, 1);
  const isLast = nonces.byteOffset + nonces.length === value.byteOffset + value.length;
  const record = isLast
    ? {
        signer: address.fromRlp(rlpBytesAt(value, 0), 'signer'),
        nonces: decodeIntegers(nonces, 'nonces', signerNoncesMax),
      }
    : signerCodec.fromRlp(decodeRlp(value), 'signer record');
  for (let index = 1; index < record.nonces.length; index++)
    if (record.nonces[index]! <= record.nonces[index - 1]!) invalidField('nonces', 'not ascending');
  return record;
}
/** Value under a transfer's key; see {@link TransferRecord}. */
export const encodeTransferRecord = encoder<TransferRecord>(transferCodec, 'transfer record');
/** Undoes {@link encodeTransferRecord}, and throws as {@link decodeGlobalRecord} does. */
export const decodeTransferRecord = decoder<TransferRecord>(transferCodec, 'transfer record');
/** Value under a height: the orders of the block in the order in which they left. */
export const encodeClosedOrdersRecord = encoder<ClosedOrdersRecord>(closedOrdersCodec, 'closed orders record');
/** Undoes {@link encodeClosedOrdersRecord}, and throws as {@link decodeGlobalRecord} does. */
export const decodeClosedOrdersRecord = decoder<ClosedOrdersRecord>(closedOrdersCodec, 'closed orders record');
/** One order of a record of closed orders. */
const decodeClosedOrder = decoder<ClosedOrder>(closedOrderCodec, 'closed order');
/** The same by its place there. */
export const decodeClosedOrderAt = (record: Uint8Array, index: number): ClosedOrder =>
  decodeClosedOrder(rlpItemAt(rlpItemAt(record, 1), index));
/** Its fields, in the order of the encoding. */
export const closedOrderFields: readonly string[] = closedOrderCodec.fieldNames;
/** Value under a height: the orders of contracts in the order in which they were refused. */
export const encodeRefusedOrdersRecord = encoder<RefusedOrdersRecord>(refusedOrdersCodec, 'refused orders record');
/** Undoes {@link encodeRefusedOrdersRecord}, and throws as {@link decodeGlobalRecord} does. */
export const decodeRefusedOrdersRecord = decoder<RefusedOrdersRecord>(refusedOrdersCodec, 'refused orders record');
/** Value under the account; see {@link ScheduledCancelRecord}. */
export const encodeScheduledCancelRecord = encoder<ScheduledCancelRecord>(
  scheduledCancelCodec,
  'scheduled cancel record',
);
/** Undoes {@link encodeScheduledCancelRecord}, and throws as {@link decodeGlobalRecord} does. */
export const decodeScheduledCancelRecord = decoder<ScheduledCancelRecord>(
  scheduledCancelCodec,
  'scheduled cancel record',
);
/** Value under the id; see {@link TriggerRecord}. */
export const encodeTriggerRecord = encoder<TriggerRecord>(triggerRecordCodec, 'trigger record');
/** Undoes {@link encodeTriggerRecord}, and throws as {@link decodeGlobalRecord} does. */
export const decodeTriggerRecord = decoder<TriggerRecord>(triggerRecordCodec, 'trigger record');
/** Value under account and agent; see {@link AgentRecord}. */
export const encodeAgentRecord = encoder<AgentRecord>(agentCodec, 'agent record');
/** Undoes {@link encodeAgentRecord}, and throws as {@link decodeGlobalRecord} does. */
export const decodeAgentRecord = decoder<AgentRecord>(agentCodec, 'agent record');
