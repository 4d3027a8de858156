import type { ActionResult, TriggerFields } from '@prime/codec';
import type { Address, OrderId } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import type { Answer } from '../records/blockLog.ts';
import { addTrigger, triggerNamed } from './triggerChanges.ts';
import { changeGlobals, ensureAccount } from '../state/changes.ts';
import { changeTrigger } from './changeTrigger.ts';
import { heldAgainst } from './heldAgainst.ts';
import { refusedByState } from '../orders/marketStates.ts';
import { refusedExpiry } from '../orders/admission.ts';
import { refusal } from '../rules/errors.ts';
import type { Market } from '../state/markets.ts';
import type { ClobState } from '../state/state.ts';
import type { Refused } from '../state/takerOrder.ts';
import type { Attachment, Trigger } from './triggers.ts';

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
    refusedFields(state, market, fields) ??
    refusedSize(market, account, fields) ??
    refusedClientId(state, account, fields.clientId) ??
    refusedCount(state, account, market, 1);
  return refused ?? waits(enterTrigger(state, account, fieldsOf(fields), null), fields);
}

/** Enters a trigger that may come, and tells of it. @returns its id, the next one */
export function enterTrigger(
  state: ClobState,
  account: Account,
  fields: TriggerFields,
  attached: Attachment | null,
): OrderId {
  const id = changeGlobals(state).nextOrderId;
  state.globals.nextOrderId = (id + 1) as OrderId;
  addTrigger(state, { ...fields, id, account, createdBlock: state.height, queued: null, attached });
  state.emit('trigger_placed', {
    order_id: id,
    market_id: fields.marketId,
    owner: account.address,
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
    parent_order_id: attached?.orderId ?? null,
  });
  return id;
}

/**
 * Gives a trigger another price at which it fires and another size. It keeps its id, and waits anew where its turn was to come. One of a bracket keeps
 * its size with 0, and has no other one while its order is open.
 */
export function modifyTrigger(
  state: ClobState,
  trigger: Trigger,
  { price, size }: { readonly price: bigint; readonly size: bigint },
): Answer {
  const { id, account, marketId, attached } = trigger;
  const market = state.market(marketId)!;
  const keepsSize = attached !== null && size === 0n;
  const after = { ...trigger, triggerPrice: price, size: keepsSize ? trigger.size : size, queued: null };
  const refused = refusedFields(state, market, after) ?? (keepsSize ? null : refusedSize(market, account, after));
  if (refused !== null) return refused;
  if (!keepsSize && attached?.isOpen === true)
    return refusal.badFlags('the size of a trigger is what its order filled while that is open');
  changeTrigger(state, trigger, after);
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

/** What is wrong with a trigger besides its size. */
export function refusedFields(state: ClobState, market: Market, fields: TriggerFields): Refused | null {
  const { triggerPrice, limitPrice, tif } = fields;
  const { tickSize } = market;
  if (market.status !== 'trading' && market.status !== 'post_only') return refusedByState(market);
  if (triggerPrice <= 0n) return refusal.badPrice(triggerPrice, tickSize);
  if (triggerPrice % tickSize !== 0n) return refusal.priceOffTick(triggerPrice, tickSize);
  if (limitPrice % tickSize !== 0n) return refusal.priceOffTick(limitPrice, tickSize);
  if (limitPrice === 0n && tif !== 'ioc') return refusal.badFlags('a trigger without a limit must be ioc');
  return refusedExpiry(state, fields.expiresAt);
}

function refusedSize({ lotSize }: Market, account: Account, fields: TriggerFields): Refused | null {
  const { size, position } = fields;
  if (position) {
    if (size !== 0n) return refusal.badFlags('a trigger for a position has no size');
    return heldAgainst(account, fields) > 0n ? null : refusal.reduceOnlyWouldIncrease();
  }
  if (size <= 0n) return refusal.badSize(size, lotSize);
  return size % lotSize === 0n ? null : refusal.sizeOffLot(size, lotSize);
}

function refusedClientId(state: ClobState, account: Account, clientId: string | null): Refused | null {
  if (clientId === null) return null;
  const order = account.clientIds.get(clientId);
  const known =
    triggerNamed(state, account, clientId)?.id ??
    (order === undefined ? account.endedClientIds?.get(clientId) : state.orders.id[order]!);
  return known === undefined ? null : refusal.duplicateClientId(known);
}

/** Why no more may wait. @param added triggers that are to come */
export function refusedCount(
  { params, triggers }: ClobState,
  account: Account,
  { id }: Market,
  added: number,
): Refused | null {
  const { perAccountMax, perMarketMax } = params.trigger ?? { perAccountMax: 0, perMarketMax: 0 };
  if ((account.triggers?.ids.size ?? 0) + added > perAccountMax) return refusal.tooManyTriggers(perAccountMax);
  return (triggers.ofMarket.get(id)?.count ?? 0) + added > perMarketMax ? refusal.tooManyTriggers(perMarketMax) : null;
}
