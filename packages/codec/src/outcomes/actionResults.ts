import { compareStrings } from '@prime/primitives';
import { decoder, encoder } from '../encoding/messages.ts';
import { orderStatuses } from '../actions/orderWords.ts';
import { invalidField } from '../encoding/errors.ts';
import {
  address,
  type Codec,
  integer,
  itemList,
  listOf,
  nullable,
  oneOf,
  type StructCodec,
  signedQuantity,
  struct,
  text,
  type FieldsOf,
  type ValueOf,
} from '../encoding/fieldCodecs.ts';
import {
  amount,
  bps,
  marketId,
  orderId,
  side,
  signedSize,
  signedWei,
  transferDirection,
  uint32,
  wei,
} from '../encoding/protocolFields.ts';
import { cancelReasons } from '../actions/orderEnds.ts';
import { subAccountFields } from '../actions/subAccounts.ts';
import { rlpBytesAt, type RlpItem, type RlpValue } from '../encoding/rlp.ts';

/** Storage form of what actions answered: [1, value type, …] for a success, [0, code, message, data] for a refusal. */

const tradeCodec = struct({
  tradeId: integer(1),
  price: amount,
  size: amount,
  makerOrderId: orderId,
  takerOrderId: orderId,
  maker: address,
  taker: address,
  /** The taker's side. */
  side,
  fee: signedWei,
});
/** One match of two orders. Price is wei per base unit, size base units, `fee` the taker's in wei. */
export interface TradeValue extends ValueOf<typeof tradeCodec> {}

const deleverageCodec = struct({
  address,
  /** Base units. */
  size: wei,
  /** Wei that the closed part was closed for. */
  value: wei,
});
/** A position of somebody else that was closed against the liquidated one. */
export interface Deleverage extends ValueOf<typeof deleverageCodec> {}

const liquidatedPositionCodec = struct({
  marketId,
  /** Before, base units; negative is short. */
  size: signedSize,
  /** Base units closed, by trades and by deleveraging. */
  closed: wei,
  /** Against the book. */
  trades: listOf(tradeCodec),
  /** Wei that went to the insurance fund. */
  fee: wei,
  /** Wei that the insurance fund paid for trades that were worse than the mark. */
  insurancePaid: wei,
  adl: listOf(deleverageCodec),
  /** Base units that are still open: the book has no more for them within the band. */
  remaining: wei,
});
/** How a position of a liquidated account was closed. */
export interface LiquidatedPosition extends ValueOf<typeof liquidatedPositionCodec> {}
const liquidationCodec = struct({
  address,
  /** In the order in which they were closed. */
  positions: listOf(liquidatedPositionCodec),
  /** Ascending. */
  cancelledOrders: listOf(orderId),
  /** Afterwards, wei. */
  collateral: signedWei,
  /** Loss that nobody paid, wei: a debt of the markets where it arose. */
  badDebt: wei,
  /** Wei of the fee that went to the sender. */
  reward: wei,
});
/** What liquidating one account did. */
export interface LiquidationValue extends ValueOf<typeof liquidationCodec> {}

const transferFields = { transferId: integer(1), from: address, to: address, amount: wei } as const;
/** Wei that was put into the queue between the domains. */
export interface TransferValue extends FieldsOf<typeof transferFields> {}

const processedCodec = struct({
  ...transferFields,
  status: oneOf(['completed', 'failed']),
  /** Why it failed; null when it did not. */
  reason: nullable(text(256)),
});
/** A transfer whose turn came. One that failed went back to where it came from. */
export interface ProcessedTransfer extends ValueOf<typeof processedCodec> {}

const batchCodec: StructCodec<{ readonly results: readonly ActionResult[] }> = struct({
  // Through functions, because results and values contain each other.
  results: listOf<ActionResult>({
    toRlp: (result, field) => resultCodec.toRlp(result, field),
    fromRlp: (item, field) => resultCodec.fromRlp(item, field),
  }),
});

/** By the type of the value; the place of a type, from 1, is its number in the encoding. */
const valueCodecs = {
  order: struct({
    orderId,
    marketId,
    filled: amount,
    remaining: amount,
    trades: listOf(tradeCodec),
    status: oneOf(orderStatuses),
    /** Base units that self-trade prevention took off it: filled + remaining + decremented is its size. */
    decremented: amount,
    /** Why an order that neither rests nor is filled ended; else null. */
    reason: nullable(oneOf(cancelReasons, 1)),
  }),
  cancel: struct({ orderId, remaining: amount }),
  addMarket: struct({ marketId }),
  deposit: struct({ address, amount: wei, collateral: signedWei }),
  /** Ascending. */
  cancelAll: struct({ orderIds: listOf(orderId) }),
  setMargin: struct({ marketId: nullable(marketId), initialMarginBps: bps, maintenanceMarginBps: bps }),
  /** Results of the items, in their order; some may be refusals. */
  batch: batchCodec,
  /** Of actions that answer nothing but that they were carried out. */
  done: struct({}),
  liquidate: liquidationCodec,
  /** Of withdraw and enqueueEvmToOrders: the transfer waits in its queue. */
  transferQueued: struct({ ...transferFields, direction: transferDirection }),
  dequeued: struct({
    direction: transferDirection,
    /** In the order of their ids. */
    processed: listOf(processedCodec),
    /** Transfers of that direction that still wait. */
    pending: uint32,
  }),
  /** Collateral that moved to another account; `collateral` is what the sender has left. */
  transfer: struct({ from: address, to: address, amount: wei, collateral: signedWei }),
  /** Where the sub-account is. */
  createSubAccount: struct({ address, ...subAccountFields }),
} as const;
type ValueType = keyof typeof valueCodecs;
const valueTypes = Object.keys(valueCodecs) as ValueType[];
const valueType = oneOf(valueTypes, 1);
/** Numbers of the results that are written without a value, see resultWriters.ts. */
export const resultTypeCode = { order: valueTypes.indexOf('order') + 1, cancel: valueTypes.indexOf('cancel') + 1 };

/** What an action did, by its type. Sizes are base units, amounts wei. */
export type ActionValue = {
  readonly [Type in ValueType]: { readonly type: Type } & ValueOf<(typeof valueCodecs)[Type]>;
}[ValueType];

/** Result of one action, by its place among the block's actions. */
export type ActionResult =
  | { readonly ok: true; readonly value: ActionValue }
  | { readonly ok: false; readonly error: ActionError };

type Datum = string | number | null;
const datumText = text(1024);
const datumNumber = signedQuantity(53);

/** [] null · [1, text] · [2, folded number] */
const datum: Codec<Datum> = {
  toRlp(value, field) {
    if (value === null) return [];
    if (typeof value === 'string') return [1, datumText.toRlp(value, field)];
    if (!Number.isSafeInteger(value)) return invalidField(field, `expected a safe integer, got ${value}`);
    return [2, datumNumber.toRlp(BigInt(value), field)];
  },
  fromRlp(item, field) {
    const items = itemList(item, field);
    const [kindItem, content] = items;
    if (kindItem === undefined) return null;
    if (content === undefined || items.length !== 2)
      return invalidField(field, `expected 2 fields, got ${items.length}`);
    const kind = integer(1, 2).fromRlp(kindItem, field);
    if (kind === 1) return datumText.fromRlp(content, field);
    const value = Number(datumNumber.fromRlp(content, field));
    return Number.isSafeInteger(value) ? value : invalidField(field, 'not a safe integer');
  },
};

const entryCodec = struct({ key: text(64), value: datum });

/** Entries in ascending order of their keys. */
const dataCodec: Codec<Readonly<Record<string, Datum>>> = {
  toRlp: (data, field) =>
    Object.keys(data)
      .sort(compareStrings)
      .map((key) => entryCodec.toRlp({ key, value: data[key]! }, field)),
  fromRlp(item, field) {
    const entries = itemList(item, field).map((entry) => entryCodec.fromRlp(entry, field));
    for (let index = 1; index < entries.length; index++)
      if (compareStrings(entries[index - 1]!.key, entries[index]!.key) >= 0)
        invalidField(field, 'keys are not ascending');
    return Object.fromEntries(entries.map(({ key, value }) => [key, value]));
  },
};

const errorCodec = struct({
  /** SCREAMING_SNAKE, see refusals.ts. */
  code: text(64),
  message: text(1024),
  data: dataCodec,
});
/** An expected refusal: code, words and data of docs/protocol; never an exception. */
export interface ActionError extends ValueOf<typeof errorCodec> {}

function appendValue(list: RlpValue[], value: ActionValue): void {
  list.push(valueType.toRlp(value.type, 'type'));
  (valueCodecs[value.type] as StructCodec<ActionValue>).append(list, value);
}

function readValue(items: readonly RlpItem[], field: string): ActionValue {
  const type = valueType.fromRlp(items[1] ?? invalidField(field, 'no value'), 'type');
  return { type, ...valueCodecs[type].readTail(items, 2, field) } as ActionValue;
}

const okField = integer(0, 1);
const okOf = (item: RlpItem): boolean => okField.fromRlp(item, 'ok') === 1;

const resultCodec: Codec<ActionResult> = {
  toRlp(result) {
    const list: RlpValue[] = [result.ok ? 1 : 0];
    if (result.ok) appendValue(list, result.value);
    else errorCodec.append(list, result.error);
    return list;
  },
  fromRlp(item, field) {
    const items = itemList(item, field);
    const ok = okOf(items[0] ?? invalidField(field, 'empty list'));
    return ok ? { ok, value: readValue(items, field) } : { ok, error: errorCodec.readTail(items, 1, field) };
  },
};

/** One result: the `output` of the action's receipt. */
export const encodeActionResult = encoder<ActionResult>(resultCodec, 'action result');
/** @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const decodeActionResult = decoder<ActionResult>(resultCodec, 'action result');

/** Whether an encoded result is a success; nothing else of it is decoded. @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const isEncodedSuccess = (bytes: Uint8Array): boolean => okOf(rlpBytesAt(bytes, 0));
