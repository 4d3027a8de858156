import type { ActionPayload, BracketLeg, OrderFields, SelfTradeMode, TimeInForce } from '@prime/codec';
import type { Address, Prng } from '@prime/primitives';
import { noOrder } from '../book/orderPool.ts';
import type { ClobState } from '../state/state.ts';
import {
  addressOf,
  createHarness,
  type Harness,
  type HarnessOptions,
  marketId,
  order,
  orderId,
  type Step,
} from './harness.ts';

/** Random but reproducible blocks that get into every corner: crossing, own orders, thin collateral, expiry, refusals. */

export const traders = [1, 2, 3, 4, 5].map(addressOf);

export interface StreamOptions {
  /** Multiplies prices and sizes; beyond 2^53 lots only the wide book can count. */
  readonly scale?: bigint;
  readonly nowSeconds: number;
  /** Prices are around it; liquidations need it to wander. */
  readonly center?: number;
  /** Whether liquidations and transfers are among the actions. */
  readonly risky?: boolean;
  /** What an account could take out when the block begins: many take all of it, so that little moves the price too far. */
  readonly withdrawable?: (account: string) => bigint;
  /** Orders that are named have about this id. */
  readonly newestOrder?: number;
  /** Whether there are triggers among the actions. */
  readonly triggers?: boolean;
}

export function randomBlock(random: Prng, count: number, options: StreamOptions): Step[] {
  const steps = Array.from({ length: count }, (): Step => {
    const account = pick(random, traders);
    const payload = randomPayload(random, options);
    return { account, payload: drained(random, account, payload, options), funded: !random.chance(1, 20) };
  });
  return steps.flatMap((step) => [...earlyCancels(random, step), step]);
}

/** Cancels of the orders of a step, by their client ids: alone, or in a batch that takes out other orders or brings one. */
export function earlyCancels(random: Prng, { account, payload }: Step): Step[] {
  const items = payload.type === 'batch' ? payload.items : [payload];
  return items.flatMap((item): Step[] => {
    if (item.type !== 'order' && item.type !== 'trigger' && item.type !== 'bracket') return [];
    if (item.clientId === null || !random.chance(1, 3)) return [];
    const cancel: ActionPayload = { type: 'cancelByClientId', marketId: item.marketId, clientId: item.clientId };
    const dice = random.below(6);
    if (dice < 3) return [{ account, payload: cancel }];
    const other: ActionPayload = dice < 5 ? { type: 'cancel', orderId: orderId(1 + random.below(60)) } : item;
    return [{ account, payload: { type: 'batch', items: [cancel, other, cancel] } }];
  });
}

function drained(
  random: Prng,
  account: string,
  payload: ActionPayload,
  { withdrawable }: StreamOptions,
): ActionPayload {
  // The last two keep what they have: somebody has to make the market.
  const drains = traders.indexOf(account as Address) < 3;
  if (payload.type !== 'withdraw' || withdrawable === undefined || !drains) return payload;
  return { ...payload, amount: withdrawable(account) };
}

const pick = <T>(random: Prng, values: readonly T[]): T => values[random.below(values.length)]!;
const clientIdOf = (index: number): string => `0x${index.toString(16).padStart(32, '0')}`;

function randomPayload(random: Prng, options: StreamOptions): ActionPayload {
  if (options.triggers === true && random.chance(1, 7)) return randomTrigger(random, options);
  if (options.triggers === true && random.chance(1, 7)) return randomBracket(random, options);
  const dice = random.below(100);
  if (options.risky === true && random.chance(1, 4)) return randomRisk(random, options);
  if (dice < 62) return randomOrder(random, options);
  const depositMax = options.risky === true ? 12_000 : 4000;
  if (dice < 72) return { type: 'deposit', amount: BigInt(random.below(depositMax)) * (options.scale ?? 1n) };
  if (dice < 80) return { type: 'batch', items: Array.from({ length: 3 }, () => randomTrading(random, options)) };
  if (dice < 83) {
    const initialMarginBps = pick(random, options.risky === true ? [100, 400, 1600] : [200, 1000, 5000]);
    return {
      type: 'setMargin',
      marketId: random.chance(1, 2) ? null : marketId(1 + random.below(2)),
      initialMarginBps,
      maintenanceMarginBps: initialMarginBps / 2,
    };
  }
  return randomTrading(random, options);
}

/** Liquidations and everything that moves money. */
function randomRisk(random: Prng, { scale = 1n }: StreamOptions): ActionPayload {
  const amount = BigInt(random.below(6) * random.below(4000)) * scale;
  // Now and then to where nothing can be paid.
  const to = random.chance(1, 12) ? addressOf(0x100) : pick(random, traders);
  const dice = random.below(100);
  if (dice < 35) return { type: 'liquidate', address: pick(random, traders) };
  if (dice < 65) return { type: 'withdraw', to, amount };
  if (dice < 75) return { type: 'transfer', to, amount };
  if (dice < 87) return { type: 'enqueueEvmToOrders', to, amount };
  const direction = pick(random, ['orders_to_evm', 'evm_to_orders'] as const);
  return { type: 'bridgeDequeue', direction, max: random.below(5) };
}

function randomTrigger(random: Prng, { nowSeconds, center = 100 }: StreamOptions): ActionPayload {
  const market = 1 + random.below(2);
  const [tick, lot] = market === 1 && !random.chance(1, 30) ? [5n, 10n] : [1n, 1n];
  const priceNear = (): bigint => BigInt(Math.max(0, center - 12 + random.below(25))) * tick;
  const position = random.chance(1, 4);
  const isMarket = random.chance(1, 2);
  return {
    type: 'trigger',
    marketId: marketId(random.chance(1, 60) ? 3 : market),
    side: pick(random, ['buy', 'sell']),
    kind: pick(random, ['stop', 'take_profit']),
    triggerPrice: random.chance(1, 40) ? 0n : priceNear(),
    limitPrice: isMarket ? 0n : priceNear(),
    size: position && !random.chance(1, 20) ? 0n : BigInt(random.below(30)) * lot,
    tif: isMarket && !random.chance(1, 20) ? 'ioc' : pick(random, ['gtc', 'ioc']),
    reduceOnly: random.chance(1, 3),
    position,
    selfTrade: pick<SelfTradeMode>(random, ['cancel_maker', 'cancel_taker', 'cancel_both', 'decrement']),
    clientId: random.chance(1, 5) ? clientIdOf(random.below(4)) : null,
    expiresAt: random.chance(1, 6) ? nowSeconds + random.below(6) : 0,
    group: random.chance(1, 2) ? random.below(3) : 0,
  };
}

/** An order near the price, so that it is filled, by parts or at once, with a stop and a take-profit around it. */
function randomBracket(random: Prng, options: StreamOptions): ActionPayload {
  const { type: _type, ...order } = randomOrder(random, options);
  const tick = order.marketId === 1 ? 5n : 1n;
  const away = (): bigint => BigInt(1 + random.below(8)) * tick * (order.side === 'buy' ? 1n : -1n);
  const leg = (by: bigint): BracketLeg => {
    const triggerPrice = order.price + by > 0n ? order.price + by : order.price;
    // Now and then off the grid, or below nothing.
    const wrong = random.chance(1, 40) ? pick(random, [0n, triggerPrice + 1n]) : triggerPrice;
    return { triggerPrice: wrong, limitPrice: random.chance(1, 3) ? triggerPrice : 0n };
  };
  const legs = random.below(20);
  return {
    type: 'bracket',
    ...order,
    reduceOnly: random.chance(1, 25),
    stop: legs > 4 ? leg(-away()) : null,
    takeProfit: legs < 16 && legs !== 0 ? leg(random.chance(1, 30) ? -away() * 2n : away()) : null,
  };
}

function randomTrading(random: Prng, options: StreamOptions): ActionPayload {
  if (options.triggers === true && random.chance(1, 6)) return randomTrigger(random, options);
  if (options.triggers === true && random.chance(1, 6)) return randomBracket(random, options);
  const dice = random.below(10);
  const { newestOrder } = options;
  const some = orderId(newestOrder === undefined ? 1 + random.below(120) : Math.max(1, newestOrder - random.below(25)));
  if (dice < 3) return { type: 'cancel', orderId: some };
  if (dice < 4)
    return { type: 'cancelByClientId', marketId: marketId(1 + random.below(2)), clientId: clientIdOf(random.below(4)) };
  if (dice < 5) return { type: 'cancelAll', marketId: random.chance(1, 2) ? null : marketId(1 + random.below(2)) };
  const { price, size } = randomOrder(random, options);
  // With 0 a trigger of a bracket keeps its size.
  const open = options.triggers === true && random.chance(1, 3) ? 0n : size;
  return dice < 8 ? { type: 'modify', orderId: some, price, size: open } : randomOrder(random, options);
}

function randomOrder(
  random: Prng,
  { scale = 1n, nowSeconds, center = 100 }: StreamOptions,
): { type: 'order' } & OrderFields {
  const market = 1 + random.below(2);
  const tif: TimeInForce = pick(random, ['gtc', 'gtc', 'gtc', 'ioc', 'fok']);
  // Market 1 has tick 5 and lot 10; now and then a value is off the grid.
  const [tick, lot] = market === 1 && !random.chance(1, 30) ? [5n, 10n] : [1n, 1n];
  const price = BigInt(center - 5 + random.below(11)) * tick * (scale === 1n ? 1n : 1n + BigInt(random.below(2)));
  const size = BigInt(random.below(40)) * lot * (random.chance(1, 4) ? scale : 1n);
  const payload = order(pick(random, ['buy', 'sell']), price, size, {
    marketId: marketId(random.chance(1, 60) ? 3 : market),
    tif,
    postOnly: tif === 'gtc' && random.chance(1, 8),
    reduceOnly: random.chance(1, tif === 'gtc' ? 5 : 3),
    selfTrade: pick<SelfTradeMode>(random, ['cancel_maker', 'cancel_taker', 'cancel_both', 'decrement']),
    clientId: random.chance(1, 5) ? clientIdOf(random.below(4)) : null,
    expiresAt: random.chance(1, 6) ? nowSeconds + random.below(4) : 0,
  });
  return payload as { type: 'order' } & OrderFields;
}

export const quoters = [1, 2, 3, 4].map((index) => addressOf(0x200 + index));

/** An engine whose marks, 100 ticks to begin with, follow the price slowly. @param wei the richest of the quoters gets, the others 3, 2 and 1 quarters of it */
export function quoting(options: HarnessOptions, wei: bigint): Harness {
  const mark = { impactNotional: 0n, emaWeight: 8, maxMoveBps: 20, minTrades: 0 };
  const harness = createHarness({ ...options, params: { maxOpenOrders: 12, mark, ...options.params } });
  for (const [index, quoter] of quoters.entries()) harness.deposit(quoter, (wei * BigInt(index + 1)) / 4n);
  const maker = addressOf(0x300);
  harness.deposit(maker, 10n ** 9n);
  for (const { id, tickSize } of harness.state.markets) {
    harness.act(maker, order('buy', 95n * tickSize, 10n, { marketId: id }));
    harness.act(maker, order('sell', 105n * tickSize, 10n, { marketId: id }));
  }
  harness.act(maker, { type: 'cancelAll', marketId: null });
  return harness;
}

/**
 * Quotes near a price and far from it, on the grid of both markets, and cancels and replacements of quotes: where marks stay behind the price, some
 * quotes of a side would lose at the mark, and others that make up for it come and go.
 */
export function randomQuotes(
  random: Prng,
  count: number,
  {
    state,
    accounts,
    center,
  }: { readonly state: ClobState; readonly accounts: readonly Address[]; readonly center: number },
): Step[] {
  return Array.from({ length: count }, () => {
    const account = pick(random, accounts);
    return { account, payload: randomQuote(random, ordersOf(state, account), state, center) };
  });
}

interface Quote {
  readonly id: number;
  readonly market: number;
  readonly isBuy: boolean;
}

function randomQuote(random: Prng, quotes: readonly Quote[], { markets }: ClobState, center: number): ActionPayload {
  const old = quotes.length > 0 && random.chance(1, 2) ? pick(random, quotes) : null;
  if (old !== null && random.chance(1, 2)) return { type: 'cancel', orderId: orderId(old.id) };
  const { market, isBuy } = old ?? { market: 1 + random.below(2), isBuy: random.chance(1, 2) };
  const away = random.chance(1, 3) ? -random.below(3) : 1 + random.below(random.chance(1, 2) ? 8 : 60);
  const { tickSize, lotSize } = markets[market - 1]!;
  const price = BigInt(Math.max(1, center + (isBuy ? -away : away))) * tickSize;
  const size = BigInt(1 + random.below(20)) * lotSize;
  if (old !== null) return { type: 'modify', orderId: orderId(old.id), price, size };
  const tif = random.chance(1, 5) ? 'ioc' : 'gtc';
  return order(isBuy ? 'buy' : 'sell', price, size, { marketId: marketId(market), tif });
}

function ordersOf({ accountOf, orders }: ClobState, address: Address): Quote[] {
  const quotes: Quote[] = [];
  let handle = accountOf.get(address)?.firstOrder ?? noOrder;
  for (; handle !== noOrder; handle = orders.ownerNext[handle]!)
    quotes.push({ id: orders.id[handle]!, market: orders.market[handle]!, isBuy: orders.side[handle] === 0 });
  return quotes;
}
