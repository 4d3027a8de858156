import type { MarketId } from '@prime/primitives';
import {
  selfTradeModes,
  type SelfTradeMode,
  type Side,
  type TimeInForce,
  type TriggerKind,
  triggerKinds,
} from './orderWords.ts';
import { invalidField } from '../encoding/errors.ts';
import {
  address,
  type Codec,
  clientId,
  flag,
  hash,
  integer,
  itemList,
  listOf,
  nullable,
  oneOf,
  requiredClientId,
  type StructCodec,
  signature,
  struct,
  text,
  type FieldsOf,
  type ValueOf,
} from '../encoding/fieldCodecs.ts';
import { changeCodec, proposalFields } from '../genesis/changes.ts';
import { marketDecimalsFields } from '../genesis/marketDecimals.ts';
import {
  agentNameBytesMax,
  amount,
  bps,
  compressedKey,
  marketId,
  monikerBytesMax,
  orderId,
  selfTradeMode,
  side,
  symbolBytesMax,
  timeInForce,
  timestampMs,
  transferDirection,
  uint32,
  wei,
  endpointFields,
} from '../encoding/protocolFields.ts';
import type { RlpItem, RlpValue } from '../encoding/rlp.ts';
import { subAccountIndex } from './subAccounts.ts';

/** Action types of native transactions: their numbers and field lists. Never renumbered; new types get new numbers. */

/** An order as its owner asks for it. `size` is in base units of the market, and a multiple of its lot. */
export interface OrderFields {
  readonly marketId: MarketId;
  readonly side: Side;
  /** Wei per size unit. */
  readonly price: bigint;
  readonly size: bigint;
  readonly tif: TimeInForce;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly selfTrade: SelfTradeMode;
  /** 16 bytes as hex, or null. */
  readonly clientId: string | null;
  /** Block time in seconds after which the order is gone; 0 is never. */
  readonly expiresAt: number;
}

/** An order that waits until the mark of its market is at a price. */
export interface TriggerFields {
  readonly marketId: MarketId;
  readonly side: Side;
  readonly kind: TriggerKind;
  /** Wei per base unit: on the grid of prices. */
  readonly triggerPrice: bigint;
  /** The same of the order; 0: a market order, whose limit follows from the mark when it fires. */
  readonly limitPrice: bigint;
  /** Base units; 0 with `position`. */
  readonly size: bigint;
  /** Of the order. A market order is ioc. */
  readonly tif: Exclude<TimeInForce, 'fok'>;
  readonly reduceOnly: boolean;
  /** Closes the whole position, however large it is then, and goes when that is gone or on the other side. */
  readonly position: boolean;
  readonly selfTrade: SelfTradeMode;
  /** 16 bytes as hex, or null. */
  readonly clientId: string | null;
  /** Block time in seconds after which it is gone, as its order is; 0 is never. */
  readonly expiresAt: number;
  /** Of those with the same number of an account one fires; 0 is no group. */
  readonly group: number;
}

type ActionType = ActionPayload['type'];

/** Number of each type in the encoding. */
export const actionTypeCode = {
  order: 1,
  cancel: 2,
  cancelByClientId: 3,
  cancelAll: 4,
  batch: 5,
  modify: 6,
  deposit: 7,
  withdraw: 8,
  transfer: 9,
  liquidate: 10,
  addMarket: 11,
  setMargin: 12,
  approveAgent: 13,
  revokeAgent: 14,
  bridgeDequeue: 15,
  noop: 16,
  lockAccount: 17,
  enqueueEvmToOrders: 18,
  scheduleCancel: 19,
  createSubAccount: 20,
  trigger: 21,
  oracleReport: 24,
  change: 25,
  validatorJoin: 32,
  validatorLeave: 33,
  validatorBond: 34,
  validatorUnbond: 35,
  validatorRotateSigner: 36,
  validatorUnjail: 37,
  validatorJail: 38,
  validatorSetEndpoint: 39,
  validatorSetOracleKey: 40,
  propose: 41,
  vote: 42,
} as const satisfies Readonly<Record<ActionType, number>>;

const typeOfCode = new Map<number, ActionType>(
  (Object.keys(actionTypeCode) as ActionType[]).map((type) => [actionTypeCode[type], type]),
);

/** Most actions in a batch; a batch holds no batch. */
export const batchItemsMax = 100;

/** What the encoding packs into one number: bit 0 post-only, bit 1 reduce-only, bits 2-3 self-trade mode. */
type OrderFlags = Pick<OrderFields, 'postOnly' | 'reduceOnly' | 'selfTrade'>;
const flagsCodec: Codec<OrderFlags> = {
  toRlp: (value, field) =>
    (value.postOnly ? 1 : 0) |
    (value.reduceOnly ? 2 : 0) |
    ((selfTradeMode.toRlp(value.selfTrade, field) as number) << 2),
  fromRlp(item, field) {
    const bits = integer(0, 15).fromRlp(item, field);
    const selfTrade = selfTradeModes[bits >> 2]!;
    return { postOnly: (bits & 1) === 1, reduceOnly: (bits & 2) === 2, selfTrade };
  },
};

const wireOrder = struct({
  marketId,
  side,
  price: amount,
  size: amount,
  tif: timeInForce,
  flags: flagsCodec,
  clientId,
  expiresAt: integer(),
});

/** What the encoding packs into one number: bit 0 ioc, bit 1 reduce-only, bits 2-3 self-trade mode, bit 4 whole position. */
type TriggerFlags = Pick<TriggerFields, 'tif' | 'reduceOnly' | 'position' | 'selfTrade'>;
const triggerFlagsCodec: Codec<TriggerFlags> = {
  toRlp: (value, field) =>
    (value.tif === 'ioc' ? 1 : 0) |
    (value.reduceOnly ? 2 : 0) |
    ((selfTradeMode.toRlp(value.selfTrade, field) as number) << 2) |
    (value.position ? 16 : 0),
  fromRlp(item, field) {
    const bits = integer(0, 31).fromRlp(item, field);
    const selfTrade = selfTradeModes[(bits >> 2) & 3]!;
    const tif = (bits & 1) === 1 ? 'ioc' : 'gtc';
    return { tif, reduceOnly: (bits & 2) === 2, position: (bits & 16) === 16, selfTrade };
  },
};

/** Bits of a trigger in one number, for signatures. */
export const triggerFlagBits = (flags: TriggerFlags): number => triggerFlagsCodec.toRlp(flags, 'flags') as number;

const wireTrigger = struct({
  marketId,
  side,
  kind: oneOf<TriggerKind>(triggerKinds),
  triggerPrice: amount,
  limitPrice: amount,
  size: amount,
  flags: triggerFlagsCodec,
  clientId,
  expiresAt: integer(),
  group: uint32,
});

/** A trigger as actions and records have it. */
export const triggerCodec: Codec<TriggerFields> = {
  toRlp(trigger, field) {
    if (trigger.clientId === undefined) return invalidField('clientId', 'missing');
    return wireTrigger.toRlp({ ...trigger, flags: trigger }, field);
  },
  fromRlp(item, field) {
    const { flags, ...fields } = wireTrigger.fromRlp(item, field);
    return { ...fields, ...flags };
  },
};

/** 0 stands for all markets. */
const marketOrAll: Codec<MarketId | null> = {
  toRlp: (value, field) => (value === null ? 0 : marketId.toRlp(value, field)),
  fromRlp(item, field) {
    const value = uint32.fromRlp(item, field);
    return value === 0 ? null : (value as MarketId);
  },
};

/** Most prices in a report. */
export const reportedPricesMax = 256;
/** Of a price in a report, and in the record of who made it. */
export const reportedPriceCodec = struct({ marketId, price: amount });
/** Wei for one base unit of a market, on no grid. */
export interface ReportedPrice extends ValueOf<typeof reportedPriceCodec> {}

const signerClaimFields = {
  /** Compressed, 33 bytes. */
  publicKey: compressedKey,
  /** 65 bytes r | s | yParity by that key, over {@link signerProofDigest}. */
  proof: signature,
} as const;
/** A hot key and the proof that whoever registers it has it. */
export interface SignerClaim extends FieldsOf<typeof signerClaimFields> {}

/** Types whose fields are encoded as they stand, in this order. */
const structCodecs = {
  cancel: struct({ orderId }),
  cancelByClientId: struct({ marketId, clientId: requiredClientId }),
  cancelAll: struct({ marketId: marketOrAll }),
  modify: struct({ orderId, price: amount, size: amount }),
  deposit: struct({ amount: wei }),
  withdraw: struct({ amount: wei, to: address }),
  transfer: struct({ to: address, amount: wei }),
  liquidate: struct({ address }),
  addMarket: struct({
    symbol: text(symbolBytesMax),
    tickSize: amount,
    lotSize: amount,
    ...marketDecimalsFields,
  }),
  setMargin: struct({ marketId: marketOrAll, initialMarginBps: bps, maintenanceMarginBps: bps }),
  approveAgent: struct({
    agent: address,
    expiry: integer(),
    permissions: uint32,
    name: text(agentNameBytesMax),
  }),
  revokeAgent: struct({ agent: address }),
  bridgeDequeue: struct({
    direction: transferDirection,
    max: uint32,
  }),
  noop: struct({}),
  lockAccount: struct({}),
  enqueueEvmToOrders: struct({ to: address, amount: wei }),
  /** Prices that a validator saw outside, for its own account. Ascending by market, each once. */
  oracleReport: struct({ observedAtMs: timestampMs, prices: listOf(reportedPriceCodec, reportedPricesMax) }),
  /** A change by the admin: at once (0), or at the begin of the block of that height. */
  change: struct({ change: changeCodec, atHeight: integer() }),
  /** A change that validators vote on until a height; it is made at the begin of the block of a later one. */
  propose: struct(proposalFields),
  /** What the owner of a validator says to a proposal; a later vote takes the place of an earlier one. */
  vote: struct({ proposal: hash, yes: flag }),
  /** Makes the owner's sub-account of that number, see subAccounts.ts. */
  createSubAccount: struct({ index: subAccountIndex }),
  /** Block time at which all orders of the account end, ms; 0 takes an earlier one back. */
  scheduleCancel: struct({ atMs: integer() }),
  /** Registers the account, jailed until `validatorUnjail`. `stake` are the wei that are bonded. */
  validatorJoin: struct({
    ...signerClaimFields,
    stake: wei,
    moniker: text(monikerBytesMax),
    ...endpointFields,
  }),
  /** Out of the set; all stake is returned after the unbonding period. */
  validatorLeave: struct({}),
  validatorBond: struct({ amount: wei }),
  validatorUnbond: struct({ amount: wei }),
  validatorRotateSigner: struct(signerClaimFields),
  validatorUnjail: struct({}),
  validatorJail: struct({}),
  validatorSetEndpoint: struct(endpointFields),
  /** Who signs price reports beside the signer; null is nobody. */
  validatorSetOracleKey: struct({ key: nullable(address) }),
} as const;
type StructType = keyof typeof structCodecs;

/** State changes of the order book domain; action types and field lists of the native transaction format. */
export type ActionPayload =
  | ({ readonly type: 'order' } & OrderFields)
  | ({ readonly type: 'trigger' } & TriggerFields)
  | { readonly type: 'batch'; readonly items: readonly ActionPayload[] }
  | { readonly [Type in StructType]: { readonly type: Type } & ValueOf<(typeof structCodecs)[Type]> }[StructType];

/** Changes of the validators; only the owner of a validator can sign them, never an agent or a gateway. */
export type ValidatorActionPayload = Extract<ActionPayload, { readonly type: `validator${string}` }>;

function orderToRlp(order: OrderFields): RlpValue {
  if (order.clientId === undefined) return invalidField('clientId', 'missing');
  return wireOrder.toRlp({ ...order, flags: order }, 'order');
}

function orderFromRlp(item: RlpItem): ActionPayload {
  const {
    marketId: market,
    side: orderSide,
    price,
    size,
    tif,
    flags,
    clientId: id,
    expiresAt,
  } = wireOrder.fromRlp(item, 'order');
  return { type: 'order', marketId: market, side: orderSide, price, size, tif, ...flags, clientId: id, expiresAt };
}

/**
 * The field list of a payload; its type number stands beside it.
 *
 * @throws CodecError `CODEC_FIELD_INVALID`
 */
export function payloadToRlp(payload: ActionPayload): RlpValue {
  switch (payload.type) {
    case 'order':
      return orderToRlp(payload);
    case 'trigger':
      return triggerCodec.toRlp(payload, 'trigger');
    case 'batch':
      if (payload.items.length > batchItemsMax)
        return invalidField('items', `expected at most ${batchItemsMax}, got ${payload.items.length}`);
      return payload.items.map((item) => {
        if (item.type === 'batch') return invalidField('items', 'a batch inside of a batch');
        return [actionTypeCode[item.type], payloadToRlp(item)];
      });
    default:
      return (structCodecs[payload.type] as StructCodec<ActionPayload>).toRlp(payload, payload.type);
  }
}

/** The type with a number of {@link actionTypeCode}. @throws CodecError `CODEC_FIELD_INVALID` */
export const actionTypeOf = (code: number): ActionType =>
  typeOfCode.get(code) ?? invalidField('actionType', `unknown type ${code}`);

/** @throws CodecError `CODEC_FIELD_INVALID` */
export function payloadFromRlp(code: number, fields: RlpItem, insideBatch = false): ActionPayload {
  const type = actionTypeOf(code);
  if (type === 'order') return orderFromRlp(fields);
  if (type === 'trigger') return { type, ...triggerCodec.fromRlp(fields, 'trigger') };
  if (type !== 'batch') return structPayload(type, fields);
  if (insideBatch) return invalidField('items', 'a batch inside of a batch');
  const items = itemList(fields, 'items');
  if (items.length > batchItemsMax)
    return invalidField('items', `expected at most ${batchItemsMax}, got ${items.length}`);
  return { type, items: items.map(batchItem) };
}

/** Whether an action is for the staking state; the order book only takes its nonce and its signer. */
export const isValidatorAction = (payload: ActionPayload): payload is ValidatorActionPayload =>
  isValidatorType(payload.type);

/** The same of its type. */
export const isValidatorType = (type: ActionPayload['type']): boolean =>
  actionTypeCode[type] >= 32 && actionTypeCode[type] <= 40;

function batchItem(item: RlpItem): ActionPayload {
  const [code, fields, ...rest] = itemList(item, 'items');
  if (code === undefined || fields === undefined || rest.length > 0)
    return invalidField('items', 'expected [type, fields]');
  return payloadFromRlp(uint32.fromRlp(code, 'actionType'), fields, true);
}

function structPayload(type: StructType, fields: RlpItem): ActionPayload {
  return { type, ...structCodecs[type].fromRlp(fields, type) } as ActionPayload;
}
