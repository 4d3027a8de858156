import type { ActionPayload, BracketFields, TriggerFields } from '@prime/codec';
import { gateOf } from '../state/markets.ts';
import type { ClobState } from '../state/state.ts';
import { goesWithPosition, isAsleep, risesTo, type Trigger } from '../triggers/triggers.ts';
import { heldAgainst } from '../triggers/heldAgainst.ts';
import { marketId } from './harness.ts';
import type { RefusalCase } from './refusalCase.ts';

/** Networks of tests that have triggers at all. */
export const fewTriggers = { slippageBps: 1000, perAccountMax: 5, perMarketMax: 8, perBlockMax: 3 };

/** A stop of market 2 that sells one base unit at the market, with changes. */
export const stop = (triggerPrice: bigint, more: Partial<TriggerFields> = {}): ActionPayload => ({
  type: 'trigger',
  marketId: marketId(2),
  side: 'sell',
  kind: 'stop',
  triggerPrice,
  limitPrice: 0n,
  size: 1n,
  tif: 'ioc',
  reduceOnly: false,
  position: false,
  selfTrade: 'cancel_maker',
  clientId: null,
  expiresAt: 0,
  group: 0,
  ...more,
});

/** A bracket of market 2: buys one base unit at 100, stop at 90 and take-profit at 110, with changes. */
export const bracket = (more: Partial<BracketFields> = {}): ActionPayload => ({
  type: 'bracket',
  marketId: marketId(2),
  side: 'buy',
  price: 100n,
  size: 1n,
  tif: 'gtc',
  postOnly: false,
  reduceOnly: false,
  selfTrade: 'cancel_maker',
  clientId: null,
  expiresAt: 0,
  stop: { triggerPrice: 90n, limitPrice: 0n },
  takeProfit: { triggerPrice: 110n, limitPrice: 0n },
  ...more,
});

const params = { trigger: fewTriggers };

/** Refusals of triggers. */
export const triggerRefusalCases: readonly RefusalCase[] = [
  {
    name: 'a trigger where there are none',
    code: 'CLOB_TOO_MANY_TRIGGERS',
    words: 'too many triggers',
    payload: stop(90n),
  },
  {
    name: 'a trigger without a limit that is to rest',
    code: 'CLOB_BAD_FLAGS',
    words: 'a trigger without a limit must be ioc',
    payload: stop(90n, { tif: 'gtc' }),
    params,
  },
  {
    name: 'a trigger for a position and a size',
    code: 'CLOB_BAD_FLAGS',
    words: 'a trigger for a position has no size',
    payload: stop(90n, { position: true }),
    params,
  },
  {
    name: 'a trigger for a position that is not there',
    code: 'CLOB_REDUCE_ONLY_WOULD_INCREASE',
    words: 'reduce-only order would increase the position',
    payload: stop(90n, { position: true, size: 0n }),
    params,
  },
  {
    name: 'a trigger at no price',
    code: 'CLOB_BAD_PRICE',
    words: 'price must be positive',
    payload: stop(0n),
    params,
  },
  {
    name: 'a trigger for nothing',
    code: 'CLOB_BAD_SIZE',
    words: 'size must be positive',
    payload: stop(90n, { size: 0n }),
    params,
  },
  {
    name: 'a trigger whose time is over',
    code: 'CLOB_ORDER_EXPIRED',
    words: 'order is expired',
    payload: stop(90n, { expiresAt: 1 }),
    params,
  },
  {
    name: 'a trigger whose time is in milliseconds',
    code: 'CLOB_BAD_EXPIRY',
    words: 'expires_at is in seconds: 1700000000000 is a time in milliseconds',
    payload: stop(90n, { expiresAt: 1_700_000_000_000 }),
    params,
  },
  {
    name: 'a bracket where there are no triggers',
    code: 'CLOB_TOO_MANY_TRIGGERS',
    words: 'too many triggers',
    payload: bracket(),
  },
  {
    name: 'a bracket of an order alone',
    code: 'CLOB_BAD_FLAGS',
    words: 'a bracket has a stop, a take-profit, or both',
    payload: bracket({ stop: null, takeProfit: null }),
    params,
  },
  {
    name: 'a bracket of an order that opens nothing',
    code: 'CLOB_BAD_FLAGS',
    words: 'a bracket is for an order that is not reduce-only',
    payload: bracket({ reduceOnly: true }),
    params,
  },
  {
    name: 'a bracket whose stop is where its take-profit should be',
    code: 'CLOB_BAD_FLAGS',
    words: 'the stop of a bracket is on the losing side of its take-profit',
    payload: bracket({ side: 'sell' }),
    params,
  },
  {
    name: 'a bracket with a stop at no price',
    code: 'CLOB_BAD_PRICE',
    words: 'price must be positive',
    payload: bracket({ stop: { triggerPrice: 0n, limitPrice: 0n } }),
    params,
  },
];

/** The lists and sums of triggers are what their records say, none that waits has its condition fulfilled, and those of a position have one. */
export function triggerInvariants(state: ClobState): string[] {
  const { triggers, accounts, markets } = state;
  const broken: string[] = [];
  const all = [...triggers.byId.values()];
  const inMarkets = [...triggers.ofMarket.values()].reduce((sum, { count }) => sum + count, 0);
  const ofAccounts = accounts.reduce((sum, { triggers: own }) => sum + (own?.ids.size ?? 0), 0);
  const queued = all.filter((trigger) => trigger.queued !== null).length;
  if (inMarkets !== all.length || ofAccounts !== all.length || queued !== triggers.queued)
    broken.push(
      `I10 ${all.length} triggers, ${inMarkets} in markets, ${ofAccounts} of accounts, ${triggers.queued} due`,
    );
  for (const trigger of all) {
    const { id, marketId: of, account, triggerPrice } = trigger;
    const market = markets[of - 1]!;
    const { markPrice: mark } = market;
    if (!account.triggers!.ids.has(id)) broken.push(`I10 trigger ${id} is not its account's`);
    if (goesWithPosition(trigger) && heldAgainst(account, trigger) <= 0n) broken.push(`trigger ${id} has no position`);
    broken.push(...brokenAttachment(state, trigger));
    if (isAsleep(trigger) || trigger.queued !== null || mark === null || gateOf(market) !== 'open') continue;
    if (risesTo(trigger) ? mark >= triggerPrice : mark <= triggerPrice)
      broken.push(`T1 trigger ${id} waits for ${triggerPrice} at ${mark}`);
  }
  return broken;
}

/** What is attached to an open order stands in its list, has an order of the same owner and market and another side, and no more than that filled. */
function brokenAttachment(
  { triggers, orders }: ClobState,
  { id, attached, account, marketId: of, side }: Trigger,
): string[] {
  if (attached === null) return [];
  const { orderId, isOpen } = attached;
  const handle = orders.byId.get(orderId);
  const isListed = triggers.ofOrder.get(orderId)?.has(id) === true;
  if (isOpen !== (handle !== undefined) || isOpen !== isListed)
    return [`trigger ${id} is attached to order ${orderId}`];
  if (handle === undefined) return [];
  const isOfIt = orders.owner[handle] === account.index && orders.market[handle] === of;
  const isAgainst = (orders.side[handle] === 0) === (side === 'sell');
  return isOfIt && isAgainst ? [] : [`trigger ${id} closes nothing of order ${orderId}`];
}
