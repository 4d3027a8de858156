import { compareStrings } from '@prime/primitives';
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
import { type CancelReason, cancelReasons } from '../actions/orderEnds.ts';
import { decodeRlp, encodeRlp, rlpBytesAt, type RlpItem, type RlpValue } from '../encoding/rlp.ts';
import type {
  ActionError,
  ActionResult,
  ActionValue,
  Deleverage,
  LiquidatedPosition,
  ProcessedTransfer,
  TradeValue,
} from '../types.ts';

/** Storage form of what actions answered: [1, value type, …] for a success, [0, code, message, data] for a refusal. */

const tradeCodec = struct<TradeValue>({
  tradeId: integer(1),
  price: amount,
  size: amount,
  makerOrderId: orderId,
  takerOrderId: orderId,
  maker: address,
  taker: address,
  side,
  fee: signedWei,
});

const deleverageCodec = struct<Deleverage>({ address, size: wei, value: wei });
const liquidatedPositionCodec = struct<LiquidatedPosition>({
  marketId,
  size: signedSize,
  closed: wei,
  trades: listOf(tradeCodec),
  fee: wei,
  insurancePaid: wei,
  adl: listOf(deleverageCodec),
  remaining: wei,
});
const transferFields = { transferId: integer(1), from: address, to: address, amount: wei } as const;
const processedCodec = struct<ProcessedTransfer>({
  ...transferFields,
  status: oneOf<ProcessedTransfer['status']>(['completed', 'failed']),
  reason: nullable(text(256)),
});

type ValueOf<Type extends ActionValue['type']> = Omit<Extract<ActionValue, { readonly type: Type }>, 'type'>;

const valueTypes = [
  'order',
  'cancel',
  'addMarket',
  'deposit',
  'cancelAll',
  'setMargin',
  'batch',
  'done',
  'liquidate',
  'transferQueued',
  'dequeued',
  'transfer',
] as const;
const valueType = oneOf<ActionValue['type']>(valueTypes, 1);

const valueCodecs: { readonly [Type in ActionValue['type']]: StructCodec<ValueOf<Type>> } = {
  order: struct<ValueOf<'order'>>({
    orderId,
    marketId,
    filled: amount,
    remaining: amount,
    trades: listOf(tradeCodec),
    status: oneOf(orderStatuses),
    decremented: amount,
    reason: nullable(oneOf<CancelReason>(cancelReasons, 1)),
  }),
  cancel: struct<ValueOf<'cancel'>>({ orderId, remaining: amount }),
  addMarket: struct<ValueOf<'addMarket'>>({ marketId }),
  deposit: struct<ValueOf<'deposit'>>({ address, amount: wei, collateral: signedWei }),
  cancelAll: struct<ValueOf<'cancelAll'>>({ orderIds: listOf(orderId) }),
  setMargin: struct<ValueOf<'setMargin'>>({
    marketId: nullable(marketId),
    initialMarginBps: bps,
    maintenanceMarginBps: bps,
  }),
  // Through functions, because results and values contain each other.
  batch: struct<ValueOf<'batch'>>({
    results: listOf<ActionResult>({
      toRlp: (result, field) => resultCodec.toRlp(result, field),
      fromRlp: (item, field) => resultCodec.fromRlp(item, field),
    }),
  }),
  done: struct<ValueOf<'done'>>({}),
  liquidate: struct<ValueOf<'liquidate'>>({
    address,
    positions: listOf(liquidatedPositionCodec),
    cancelledOrders: listOf(orderId),
    collateral: signedWei,
    badDebt: wei,
  }),
  transferQueued: struct<ValueOf<'transferQueued'>>({ ...transferFields, direction: transferDirection }),
  dequeued: struct<ValueOf<'dequeued'>>({
    direction: transferDirection,
    processed: listOf(processedCodec),
    pending: uint32,
  }),
  transfer: struct<ValueOf<'transfer'>>({ from: address, to: address, amount: wei, collateral: signedWei }),
};

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
    if (items.length === 0) return null;
    if (items.length !== 2) return invalidField(field, `expected 2 fields, got ${items.length}`);
    const kind = integer(1, 2).fromRlp(items[0]!, field);
    if (kind === 1) return datumText.fromRlp(items[1]!, field);
    const value = Number(datumNumber.fromRlp(items[1]!, field));
    return Number.isSafeInteger(value) ? value : invalidField(field, 'not a safe integer');
  },
};

const entryCodec = struct<{ readonly key: string; readonly value: Datum }>({ key: text(64), value: datum });

/** Entries in ascending order of their keys. */
const dataCodec: Codec<ActionError['data']> = {
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

const errorCodec = struct<ActionError>({ code: text(64), message: text(1024), data: dataCodec });

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
export const encodeActionResult = (result: ActionResult): Uint8Array =>
  encodeRlp(resultCodec.toRlp(result, 'action result'));
/** @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const decodeActionResult = (bytes: Uint8Array): ActionResult =>
  resultCodec.fromRlp(decodeRlp(bytes), 'action result');

/** Whether an encoded result is a success; nothing else of it is decoded. @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const isEncodedSuccess = (bytes: Uint8Array): boolean => okOf(rlpBytesAt(bytes, 0));
