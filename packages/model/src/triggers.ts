import { kindOfCode, type OrderFields, type TriggerFields } from '@prime/codec';
import type { Address } from '@prime/primitives';
import { isKept, ordersOf } from './fields.ts';
import type { ModelHost } from './matching.ts';
import { abs, ceil, floor, max, type ModelState, type ModelTrigger } from './state.ts';

/** Orders that wait for the mark; clob.md, Triggers. */

/** What the rules of triggers need of the model's other rules. */
export interface TriggerHost extends ModelHost {
  readonly height: number;
  readonly seconds: number;
  /** Carries an order out, and takes back what it did when it is refused. */
  attempt(account: Address, fields: OrderFields, before: () => void): unknown;
}

/** Those of an account by id, of one market or of all. */
export const triggersOf = (state: ModelState, owner: string, market: number | null): ModelTrigger[] =>
  [...state.triggers.values()]
    .filter((trigger) => trigger.owner === owner && (market === null || trigger.fields.marketId === market))
    .sort((a, b) => a.id - b.id);

/** Base units of the position that a trigger would make smaller; below 0 where it would make it larger. */
export function against(state: ModelState, owner: string, { marketId, side }: TriggerFields): bigint {
  const held = state.accounts[owner]?.positions[marketId]?.size ?? 0n;
  return side === 'buy' ? -held : held;
}

const stateCode = (status: string): string =>
  status === 'cancel_only' ? 'CLOB_CANCEL_ONLY_MARKET' : `CLOB_MARKET_${status.toUpperCase()}`;

/** What is wrong with it, but for its size. */
export function malformed(host: TriggerHost, fields: TriggerFields): string | null {
  const { triggerPrice, limitPrice, tif, expiresAt } = fields;
  const market = host.state.markets[fields.marketId - 1]!;
  const { tick, status } = market;
  // As of an order that would never take.
  const shut = status === 'trading' || status === 'post_only' ? null : stateCode(status);
  if (shut !== null) return shut;
  if (triggerPrice <= 0n) return 'CLOB_BAD_PRICE';
  if (triggerPrice % tick !== 0n || limitPrice % tick !== 0n) return 'CLOB_PRICE_OFF_TICK';
  if (limitPrice === 0n && tif === 'gtc') return 'CLOB_BAD_FLAGS';
  return expiresAt !== 0 && expiresAt < host.seconds ? 'CLOB_ORDER_EXPIRED' : null;
}

function wrongSize(host: TriggerHost, owner: string, fields: TriggerFields): string | null {
  const { marketId, size, position } = fields;
  if (position && size > 0n) return 'CLOB_BAD_FLAGS';
  if (position) return against(host.state, owner, fields) > 0n ? null : 'CLOB_REDUCE_ONLY_WOULD_INCREASE';
  if (size <= 0n) return 'CLOB_BAD_SIZE';
  return size % host.state.markets[marketId - 1]!.lot === 0n ? null : 'CLOB_SIZE_OFF_LOT';
}

/** Whether an account, or a market, may have some more. */
export function tooMany({ state, params }: TriggerHost, owner: string, marketId: number, more: number): boolean {
  const inMarket = [...state.triggers.values()].filter(({ fields }) => fields.marketId === marketId);
  const { perAccountMax, perMarketMax } = params.trigger ?? { perAccountMax: 0, perMarketMax: 0 };
  return triggersOf(state, owner, null).length + more > perAccountMax || inMarket.length + more > perMarketMax;
}

/** What its owner is told. */
const waits = (id: number, remaining: bigint) => ({
  type: 'order',
  id,
  filled: 0n,
  remaining,
  trades: [],
  status: 'open',
  decremented: 0n,
  reason: null,
});

/** Takes a trigger in. */
export function placeTrigger(host: TriggerHost, owner: Address, fields: TriggerFields): unknown {
  const { state, undo } = host;
  const { marketId, clientId } = fields;
  if (state.markets[marketId - 1] === undefined) return 'CLOB_UNKNOWN_MARKET';
  const wrong = malformed(host, fields) ?? wrongSize(host, owner, fields);
  if (wrong !== null) return wrong;
  const own = triggersOf(state, owner, null);
  if (clientId !== null) {
    const names = [...own, ...ordersOf(state, owner, null)].map((one) => one.fields.clientId);
    if (names.includes(clientId) || isKept(state, owner + clientId)) return 'CLOB_DUPLICATE_CLIENT_ID';
  }
  if (tooMany(host, owner, marketId, 1)) return 'CLOB_TOO_MANY_TRIGGERS';
  const id = undo.next(state, 'nextOrder');
  undo.put(state.triggers, id, { id, owner, fields, since: null, passed: 0n, parent: 0 });
  host.events.push(`trigger ${id} ${fields.size} of 0`);
  return waits(id, fields.size);
}

/** Another price and size. */
export function changeTrigger(host: TriggerHost, trigger: ModelTrigger, triggerPrice: bigint, size: bigint): unknown {
  const { id, owner, parent } = trigger;
  // Of a bracket 0 is as it was.
  const stays = parent > 0 && size === 0n;
  const fields = { ...trigger.fields, triggerPrice, size: stays ? trigger.fields.size : size };
  const wrong = malformed(host, fields) ?? (stays ? null : wrongSize(host, owner, fields));
  if (wrong !== null) return wrong;
  if (!stays && host.state.orders.has(parent)) return 'CLOB_BAD_FLAGS';
  host.undo.put(host.state.triggers, id, { id, owner, fields, since: null, passed: 0n, parent });
  host.events.push(`trigger ${id} at ${triggerPrice} ${fields.size} of ${parent}`);
  return waits(id, fields.size);
}

/** Takes a trigger out. @returns what its owner is told who cancelled it */
export function endTrigger(
  host: TriggerHost,
  { id, fields }: ModelTrigger,
  reason: string,
  refusal: string | null = null,
): unknown {
  host.undo.drop(host.state.triggers, id);
  host.finished(id, false, null);
  host.events.push(`trigger ${id} ended ${reason} ${refusal}`);
  return { type: 'cancel', id, remaining: fields.size };
}

/** After a position changed. */
export function endOfPosition(host: TriggerHost, owner: string, market: number): void {
  const { orders } = host.state;
  const goesWithIt = ({ fields, parent }: ModelTrigger): boolean =>
    fields.position || (parent > 0 && !orders.has(parent));
  for (const trigger of triggersOf(host.state, owner, market))
    if (goesWithIt(trigger) && against(host.state, owner, trigger.fields) <= 0n) endTrigger(host, trigger, 'position');
}

/** Ends those whose time is over. */
export function expireTriggers(host: TriggerHost): void {
  const over = [...host.state.triggers.values()].filter(
    ({ fields: { expiresAt } }) => expiresAt !== 0 && expiresAt < host.seconds,
  );
  over.sort((a, b) => a.fields.expiresAt - b.fields.expiresAt || a.id - b.id);
  for (const trigger of over.slice(0, 1000)) endTrigger(host, trigger, 'expired');
}

/** Whether the price of a market can be relied on. */
function isFit(host: TriggerHost, market: number): boolean {
  const { mark, oracle, status } = host.state.markets[market - 1]!;
  if (mark === null || status !== 'trading') return false;
  return oracle === null || (oracle.staleSince === null && host.timeMs >= oracle.resumesAt);
}

/** Notes whose condition holds at the new marks. */
export function noteReached(host: TriggerHost): void {
  const { state, undo } = host;
  for (const trigger of state.triggers.values()) {
    const { side, kind, triggerPrice, marketId } = trigger.fields;
    const sleeps = trigger.parent > 0 && trigger.fields.size === 0n;
    if (sleeps || trigger.since !== null || !isFit(host, marketId)) continue;
    const mark = state.markets[marketId - 1]!.mark!;
    const waitsForRise = side === 'buy' ? kind === 'stop' : kind === 'take_profit';
    if (waitsForRise ? mark < triggerPrice : mark > triggerPrice) continue;
    undo.put(state.triggers, trigger.id, { ...trigger, since: host.height, passed: abs(mark - triggerPrice) });
  }
}

/** Fires those whose turn it is. */
export function fireAll(host: TriggerHost): void {
  const most = host.params.trigger?.perBlockMax ?? 0;
  for (let count = 0; count < most && host.changes < host.most; count++) {
    const waiting = [...host.state.triggers.values()].filter(
      ({ since, fields }) => since !== null && isFit(host, fields.marketId),
    );
    waiting.sort(
      (a, b) =>
        a.since! - b.since! ||
        a.fields.marketId - b.fields.marketId ||
        (a.passed === b.passed ? a.id - b.id : a.passed > b.passed ? -1 : 1),
    );
    if (waiting.length === 0) return;
    fire(host, waiting[0]!);
  }
}

function fire(host: TriggerHost, trigger: ModelTrigger): void {
  const { state } = host;
  const { id, owner, fields, parent } = trigger;
  const { marketId, side, limitPrice, tif, position, selfTrade, clientId, expiresAt, group } = fields;
  const { tick } = state.markets[marketId - 1]!;
  const mark = state.markets[marketId - 1]!.mark!;
  const away = BigInt(host.params.trigger!.slippageBps) * (side === 'buy' ? 1n : -1n);
  const price = mark * (10_000n + away);
  const ticks = side === 'buy' ? floor(price, 10_000n * tick) : ceil(price, 10_000n * tick);
  const order: OrderFields = {
    marketId,
    side,
    price: limitPrice > 0n ? limitPrice : max(1n, ticks) * tick,
    size: position ? against(state, owner, fields) : fields.size,
    tif,
    postOnly: false,
    reduceOnly: fields.reduceOnly || position,
    selfTrade,
    clientId,
    expiresAt,
  };
  const answer = host.attempt(owner, order, () => {
    host.undo.drop(state.triggers, id);
    host.finished(id, false, null);
    host.events.push(`trigger ${id} fired ${mark} ${state.nextOrder}`);
    if (parent === 0) return;
    for (const other of triggersOf(state, owner, null)) if (other.parent === parent) endTrigger(host, other, 'group');
    const entry = state.orders.get(parent);
    if (entry !== undefined) host.cancel(entry, 'group');
  });
  if (typeof answer === 'string') endTrigger(host, trigger, 'refused', kindOfCode(answer));
  else if (group > 0)
    for (const other of triggersOf(state, owner, null))
      if (other.fields.group === group) endTrigger(host, other, 'group');
}
