import type { BracketFields, TriggerFields } from '@prime/codec';
import type { Address } from '@prime/primitives';
import { against, endTrigger, malformed, tooMany, type TriggerHost } from './triggers.ts';
import { min, type ModelOrder, type ModelState, type ModelTrigger } from './state.ts';

/** Orders with a stop and a take-profit attached; clob.md, Brackets. */

/** What is attached to an order, by id. */
const childrenOf = ({ triggers }: ModelState, order: number): ModelTrigger[] =>
  [...triggers.values()].filter(({ parent }) => parent === order).sort((a, b) => a.id - b.id);

/** No position is as large as that. */
const beyondPositions = 2n ** 127n;

function put(host: TriggerHost, trigger: ModelTrigger): void {
  const { id, fields, parent } = trigger;
  host.undo.put(host.state.triggers, id, trigger);
  host.events.push(`trigger ${id} at ${fields.triggerPrice} ${fields.size} of ${parent}`);
}

/** Adds a fill of an order to what its triggers close. */
export function grow(host: TriggerHost, order: number, filled: bigint): void {
  for (const child of childrenOf(host.state, order)) {
    const { lot } = host.state.markets[child.fields.marketId - 1]!;
    const most = beyondPositions - (beyondPositions % lot);
    put(host, { ...child, fields: { ...child.fields, size: min(child.fields.size + filled, most) } });
  }
}

/** After an order ended: what closes nothing ends. */
export function orderIsGone(host: TriggerHost, order: number): void {
  for (const child of childrenOf(host.state, order)) {
    if (child.fields.size === 0n) endTrigger(host, child, 'parent');
    else if (against(host.state, child.owner, child.fields) <= 0n) endTrigger(host, child, 'position');
  }
}

/** What an answer says of an order. */
interface Told {
  readonly id: number;
  readonly filled: bigint;
}

/** Takes an order in, then what is attached to it. @param place takes the order in */
export function placeBracket(host: TriggerHost, owner: Address, fields: BracketFields, place: () => unknown): unknown {
  const { state, undo } = host;
  const { marketId, side, stop, takeProfit, reduceOnly, selfTrade } = fields;
  if (state.markets[marketId - 1] === undefined) return 'CLOB_UNKNOWN_MARKET';
  if ((stop === null && takeProfit === null) || reduceOnly) return 'CLOB_BAD_FLAGS';
  const children: TriggerFields[] = [];
  for (const kind of ['stop', 'take_profit'] as const) {
    const leg = kind === 'stop' ? stop : takeProfit;
    if (leg === null) continue;
    const tif = leg.limitPrice > 0n ? 'gtc' : 'ioc';
    const closing = { marketId, side: side === 'buy' ? 'sell' : 'buy', tif, selfTrade, size: 0n } as const;
    const rest = { reduceOnly: true, position: false, clientId: null, expiresAt: 0, group: 0 };
    children.push({ kind, ...leg, ...closing, ...rest });
  }
  for (const child of children) {
    const wrong = malformed(host, child);
    if (wrong !== null) return wrong;
  }
  if (stop !== null && takeProfit !== null) {
    const [low, high] = side === 'buy' ? [stop, takeProfit] : [takeProfit, stop];
    if (low.triggerPrice >= high.triggerPrice) return 'CLOB_BAD_FLAGS';
  }
  if (tooMany(host, owner, marketId, children.length)) return 'CLOB_TOO_MANY_TRIGGERS';
  const answer = place();
  if (typeof answer === 'string') return answer;
  const { id: parent, filled: size } = answer as Told;
  if (size === 0n && !state.orders.has(parent)) return answer;
  for (const child of children) {
    const id = undo.next(state, 'nextOrder');
    undo.put(state.triggers, id, { id, owner, fields: { ...child, size }, since: null, passed: 0n, parent });
    host.events.push(`trigger ${id} ${size} of ${parent}`);
  }
  if (!state.orders.has(parent)) orderIsGone(host, parent);
  return answer;
}

/** Puts an order in the place of another one, with what is attached to that. @param replace takes the one out and the other one in */
export function inPlaceOf(host: TriggerHost, order: ModelOrder, replace: () => unknown): unknown {
  const { state, undo, events } = host;
  const children = childrenOf(state, order.id);
  const parent = state.nextOrder;
  for (const { id, fields } of children) {
    events.push(`trigger ${id} at ${fields.triggerPrice} ${fields.size} of ${parent}`);
    // Not there while neither order is, so that nothing that happens meanwhile is its affair.
    undo.drop(state.triggers, id);
  }
  const answer = replace();
  if (typeof answer === 'string') return answer;
  for (const child of children) undo.put(state.triggers, child.id, { ...child, parent });
  const { filled } = answer as Told;
  if (filled > 0n) grow(host, parent, filled);
  if (!state.orders.has(parent)) orderIsGone(host, parent);
  return answer;
}
