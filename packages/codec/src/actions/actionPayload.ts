import type { MarketId } from '@prime/primitives';
import {
  bracketCodec,
  type BracketFields,
  orderCodec,
  type OrderFields,
  triggerCodec,
  type TriggerFields,
} from './orderPayloads.ts';
import { invalidField } from '../encoding/errors.ts';
import {
  address,
  type Codec,
  flag,
  hash,
  integer,
  itemList,
  listOf,
  nullable,
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
  symbolBytesMax,
  timestampMs,
  transferDirection,
  uint32,
  wei,
  endpointFields,
} from '../encoding/protocolFields.ts';
import type { RlpItem, RlpValue } from '../encoding/rlp.ts';
import { subAccountIndex } from './subAccounts.ts';

/** Action types of native transactions: their numbers and field lists. Never renumbered; new types get new numbers. */

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
  bracket: 22,
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
  | ({ readonly type: 'bracket' } & BracketFields)
  | { readonly type: 'batch'; readonly items: readonly ActionPayload[] }
  | { readonly [Type in StructType]: { readonly type: Type } & ValueOf<(typeof structCodecs)[Type]> }[StructType];

/** Changes of the validators; only the owner of a validator can sign them, never an agent or a gateway. */
export type ValidatorActionPayload = Extract<ActionPayload, { readonly type: `validator${string}` }>;

/**
 * The field list of a payload; its type number stands beside it.
 *
 * @throws CodecError `CODEC_FIELD_INVALID`
 */
export function payloadToRlp(payload: ActionPayload): RlpValue {
  switch (payload.type) {
    case 'order':
      return orderCodec.toRlp(payload, 'order');
    case 'trigger':
      return triggerCodec.toRlp(payload, 'trigger');
    case 'bracket':
      return bracketCodec.toRlp(payload, 'bracket');
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
  if (type === 'order') return { type, ...orderCodec.fromRlp(fields, 'order') };
  if (type === 'trigger') return { type, ...triggerCodec.fromRlp(fields, 'trigger') };
  if (type === 'bracket') return { type, ...bracketCodec.fromRlp(fields, 'bracket') };
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
