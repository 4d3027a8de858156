import type { BracketLeg, TriggerKind, Side } from '@prime/sdk';
import { type Desk, fail, type KnownMarket, textParameter } from '../desk.ts';
import type { Num, Params } from '../library.ts';

/** What ccxt's callers say of prices that orders wait for: an order that waits itself, or one that brings a stop and a take-profit. */

/** What an order waits for. */
export interface WaitsFor {
  readonly kind: TriggerKind;
  /** Wei per base unit. */
  readonly triggerPrice: bigint;
  /** Only closes: a stop-loss or a take-profit of a position. */
  readonly closes: boolean;
}

/** What is attached to an order. */
export interface Attached {
  readonly stop?: BracketLeg | undefined;
  readonly takeProfit?: BracketLeg | undefined;
}

const given = (params: Params, name: string): unknown => (params[name] === false ? undefined : params[name]);

/** A price to the nearest tick. @throws InvalidOrder for what is no number */
function priceOf(desk: Desk, units: KnownMarket, name: string, value: unknown): bigint {
  if (typeof value !== 'number' && typeof value !== 'string')
    return fail(desk, 'InvalidOrder', `takes a number for params.${name}, not ${String(value)}`);
  return units.price(desk.exchange.numberToString(value as Num), { rounding: 'nearest' });
}

/** Which way the mark has to go, where only a price is given: against who waits with a stop, unless params.triggerDirection says something else. */
function kindOf(desk: Desk, side: Side, params: Params): TriggerKind {
  const direction = textParameter(desk, params, 'triggerDirection') ?? (side === 'buy' ? 'ascending' : 'descending');
  if (direction !== 'ascending' && direction !== 'descending')
    return fail(desk, 'InvalidOrder', `takes triggerDirection ascending and descending, not ${direction}`);
  return (side === 'buy') === (direction === 'ascending') ? 'stop' : 'take_profit';
}

/** What an order waits for by triggerPrice, stopPrice, stopLossPrice or takeProfitPrice; null where it does not. @throws InvalidOrder, BadRequest */
export function waitsFor(desk: Desk, units: KnownMarket, side: Side, params: Params): WaitsFor | null {
  const names = ['triggerPrice', 'stopPrice', 'stopLossPrice', 'takeProfitPrice'];
  const named = names.filter((name) => given(params, name) !== undefined);
  const [name, ...others] = named;
  if (name === undefined) return null;
  if (others.length > 0)
    return fail(desk, 'InvalidOrder', `takes one of ${names.join(', ')}, not ${named.join(' and ')}`);
  const triggerPrice = priceOf(desk, units, name, params[name]);
  if (name === 'stopLossPrice') return { kind: 'stop', triggerPrice, closes: true };
  if (name === 'takeProfitPrice') return { kind: 'take_profit', triggerPrice, closes: true };
  return { kind: kindOf(desk, side, params), triggerPrice, closes: false };
}

/** What params.stopLoss and params.takeProfit attach to an order. @throws InvalidOrder, ArgumentsRequired, NotSupported */
export const attachedOf = (desk: Desk, units: KnownMarket, params: Params): Attached => ({
  stop: legOf(desk, units, params, 'stopLoss'),
  takeProfit: legOf(desk, units, params, 'takeProfit'),
});

function legOf(desk: Desk, units: KnownMarket, params: Params, name: string): BracketLeg | undefined {
  const leg = given(params, name);
  if (leg === undefined) return undefined;
  if (typeof leg !== 'object' || leg === null)
    return fail(desk, 'InvalidOrder', `takes an object with triggerPrice for params.${name}, not a ${typeof leg}`);
  const { triggerPrice, stopPrice, price, limitPrice, type, ...rest } = leg as Params;
  const [unknown] = Object.keys(rest);
  // An amount of its own would not hold: it closes what the order filled.
  if (unknown !== undefined) return fail(desk, 'NotSupported', `has no ${name} with ${unknown}`);
  const [trigger, limit] = [triggerPrice ?? stopPrice, price ?? limitPrice];
  if (trigger === undefined) return fail(desk, 'ArgumentsRequired', `needs a triggerPrice in params.${name}`);
  if (type !== undefined && type !== (limit === undefined ? 'market' : 'limit'))
    return fail(desk, 'InvalidOrder', `takes for params.${name} a type limit with a price, or market without`);
  return {
    triggerPrice: priceOf(desk, units, `${name}.triggerPrice`, trigger),
    ...(limit === undefined ? {} : { limitPrice: priceOf(desk, units, `${name}.price`, limit) }),
  };
}
