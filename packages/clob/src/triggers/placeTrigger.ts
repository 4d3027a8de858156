import type { ActionResult, TriggerFields } from '@prime/codec';
import type { Address, OrderId } from '@prime/primitives';
import { type Account, findExposure } from '../state/accounts.ts';
import type { Answer } from '../records/blockLog.ts';
import { addTrigger, replaceTrigger, triggerNamed } from './triggerChanges.ts';
import { changeGlobals, ensureAccount } from '../state/changes.ts';
import { closableBy } from '../orders/closable.ts';
import { refusedByState } from '../orders/marketStates.ts';
import { refusedExpiry } from '../orders/admission.ts';
import { refusal } from '../rules/errors.ts';
import { buySide, sellSide } from '../book/orderPool.ts';
import type { Market } from '../state/markets.ts';
import type { ClobState } from '../state/state.ts';
import type { Refused } from '../state/takerOrder.ts';
import type { Trigger } from './triggers.ts';

/**
 * Orders that wait for the mark of their market. While one waits it holds no margin: whether its order may come in is asked when it fires (fireTriggers.ts).
 *
 * @see docs/protocol/clob.md, Triggers
 */

/** Takes a trigger in. It has the next id. */
export function placeTrigger(state: ClobState, owner: Address, fields: TriggerFields): Answer {
  const market = state.market(fields.marketId);
  if (market === undefined) return refusal.unknownMarket(fields.marketId);
  const account = ensureAccount(state, owner);
  const refused =
    refusedFields(state, market, account, fields) ??
    refusedClientId(state, account, fields.clientId) ??
    refusedCount(state, account, market);
  if (refused !== null) return refused;
  const id = changeGlobals(state).nextOrderId;
  state.globals.nextOrderId = (id + 1) as OrderId;
  addTrigger(state, { ...fieldsOf(fields), id, account, createdBlock: state.height, queued: null });
  state.emit('trigger_placed', {
    order_id: id,
    market_id: market.id,
    owner,
    side: fields.side,
    trigger: fields.kind,
    trigger_price: fields.triggerPrice,
    limit_price: fields.limitPrice,
    size: fields.size,
    tif: fields.tif,
    reduce_only: fields.reduceOnly,
    position: fields.position,
    stp: fields.selfTrade,
    client_id: fields.clientId,
    expires_at: fields.expiresAt,
    group: fields.group,
  });
  return waits(id, fields);
}

/** Gives a trigger another price at which it fires and another size. It keeps its id, and waits anew where its turn was to come. */
export function modifyTrigger(
  state: ClobState,
  trigger: Trigger,
  { price, size }: { readonly price: bigint; readonly size: bigint },
): Answer {
  const { id, account, marketId } = trigger;
  const after = { ...trigger, triggerPrice: price, size, queued: null };
  const refused = refusedFields(state, state.market(marketId)!, account, after);
  if (refused !== null) return refused;
  replaceTrigger(state, trigger, after);
  state.emit('trigger_changed', {
    order_id: id,
    market_id: marketId,
    owner: account.address,
    trigger_price: price,
    size,
  });
  return waits(id, after);
}

/** The answer is that of an order that rests. */
const waits = (orderId: OrderId, { marketId, size }: Pick<TriggerFields, 'marketId' | 'size'>): ActionResult => ({
  ok: true,
  value: {
    type: 'order',
    orderId,
    marketId,
    filled: 0n,
    remaining: size,
    trades: [],
    status: 'open',
    decremented: 0n,
    reason: null,
  },
});

/** Only these: a payload has its type besides. */
const fieldsOf = (fields: TriggerFields): TriggerFields => {
  const { marketId, side, kind, triggerPrice, limitPrice, size, tif } = fields;
  const { reduceOnly, position, selfTrade, clientId, expiresAt, group } = fields;
  const order = { reduceOnly, position, selfTrade, clientId, expiresAt, group };
  return { marketId, side, kind, triggerPrice, limitPrice, size, tif, ...order };
};

function refusedFields(state: ClobState, market: Market, account: Account, fields: TriggerFields): Refused | null {
  const { triggerPrice, limitPrice, size, tif, position } = fields;
  const { tickSize, lotSize } = market;
  if (market.status !== 'trading' && market.status !== 'post_only') return refusedByState(market);
  if (triggerPrice <= 0n) return refusal.badPrice(triggerPrice, tickSize);
  if (triggerPrice % tickSize !== 0n) return refusal.priceOffTick(triggerPrice, tickSize);
  if (limitPrice % tickSize !== 0n) return refusal.priceOffTick(limitPrice, tickSize);
  if (limitPrice === 0n && tif !== 'ioc') return refusal.badFlags('a trigger without a limit must be ioc');
  if (position && size !== 0n) return refusal.badFlags('a trigger for a position has no size');
  if (!position && size <= 0n) return refusal.badSize(size, lotSize);
  if (size % lotSize !== 0n) return refusal.sizeOffLot(size, lotSize);
  const expired = refusedExpiry(state, fields.expiresAt);
  if (expired !== null) return expired;
  return position && heldAgainst(account, fields) <= 0n ? refusal.reduceOnlyWouldIncrease() : null;
}

/** Base units of the position that a trigger is against; 0 or less where there is none. */
export function heldAgainst(account: Account, { marketId, side }: Pick<TriggerFields, 'marketId' | 'side'>): bigint {
  const exposure = findExposure(account, marketId);
  return exposure === undefined ? 0n : closableBy(exposure, side === 'buy' ? buySide : sellSide);
}

function refusedClientId(state: ClobState, account: Account, clientId: string | null): Refused | null {
  if (clientId === null) return null;
  const order = account.clientIds.get(clientId);
  const known =
    triggerNamed(state, account, clientId)?.id ??
    (order === undefined ? account.endedClientIds?.get(clientId) : state.orders.id[order]!);
  return known === undefined ? null : refusal.duplicateClientId(known);
}

function refusedCount({ params, triggers }: ClobState, account: Account, { id }: Market): Refused | null {
  const { perAccountMax, perMarketMax } = params.trigger ?? { perAccountMax: 0, perMarketMax: 0 };
  if ((account.triggers?.ids.size ?? 0) >= perAccountMax) return refusal.tooManyTriggers(perAccountMax);
  return (triggers.ofMarket.get(id)?.count ?? 0) >= perMarketMax ? refusal.tooManyTriggers(perMarketMax) : null;
}
