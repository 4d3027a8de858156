import type { MarketId } from '@prime/primitives';
import { invalidField } from '../encoding/errors.ts';
import { type Codec, clientId, integer, itemList, nullable, oneOf, struct } from '../encoding/fieldCodecs.ts';
import { amount, marketId, selfTradeMode, side, timeInForce, uint32 } from '../encoding/protocolFields.ts';
import {
  selfTradeModes,
  type SelfTradeMode,
  type Side,
  type TimeInForce,
  type TriggerKind,
  triggerKinds,
} from './orderWords.ts';

/** Orders, triggers and brackets as actions hold them: their fields and the one encoding of each. */

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

/** A price at which an order's fills are closed again. */
export interface BracketLeg {
  /** Wei per base unit: on the grid of prices. */
  readonly triggerPrice: bigint;
  /** The same of the order that closes; 0: a market order, whose limit follows from the mark when it fires. */
  readonly limitPrice: bigint;
}

/** An order, and the triggers that close what it fills: a stop, a take-profit, or both. */
export interface BracketFields extends OrderFields {
  readonly stop: BracketLeg | null;
  readonly takeProfit: BracketLeg | null;
}

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

const bracketLeg = nullable(struct({ triggerPrice: amount, limitPrice: amount }));

/** An order as actions have it. */
export const orderCodec: Codec<OrderFields> = {
  toRlp(order, field) {
    if (order.clientId === undefined) return invalidField('clientId', 'missing');
    return wireOrder.toRlp({ ...order, flags: order }, field);
  },
  fromRlp(item, field) {
    const order = wireOrder.fromRlp(item, field);
    return {
      marketId: order.marketId,
      side: order.side,
      price: order.price,
      size: order.size,
      tif: order.tif,
      ...order.flags,
      clientId: order.clientId,
      expiresAt: order.expiresAt,
    };
  },
};

/** A bracket as actions have it: the list of its order, then the two legs. */
export const bracketCodec: Codec<BracketFields> = {
  toRlp: (bracket, field) => [
    orderCodec.toRlp(bracket, field),
    bracketLeg.toRlp(bracket.stop, 'stop'),
    bracketLeg.toRlp(bracket.takeProfit, 'takeProfit'),
  ],
  fromRlp(item, field) {
    const [order, stop, takeProfit, ...rest] = itemList(item, field);
    if (order === undefined || stop === undefined || takeProfit === undefined || rest.length > 0)
      return invalidField(field, 'expected [order, stop, takeProfit]');
    return {
      ...orderCodec.fromRlp(order, field),
      stop: bracketLeg.fromRlp(stop, 'stop'),
      takeProfit: bracketLeg.fromRlp(takeProfit, 'takeProfit'),
    };
  },
};
