import type { ActionPayload, OrderFields, SelfTradeMode, TimeInForce } from '@prime/codec';
import type { Prng } from '@prime/primitives';
import { addressOf, marketId, order, orderId, type Step } from './harness.ts';

/** Random but reproducible blocks that get into every corner: crossing, own orders, thin collateral, expiry, refusals. */

const traders = [1, 2, 3, 4, 5].map(addressOf);

export interface StreamOptions {
  /** Multiplies prices and sizes; beyond 2^53 lots only the wide book can count. */
  readonly scale?: bigint;
  readonly nowSeconds: number;
}

export function randomBlock(random: Prng, count: number, options: StreamOptions): Step[] {
  return Array.from({ length: count }, () => {
    const account = pick(random, traders);
    return { account, payload: randomPayload(random, options) };
  });
}

const pick = <T>(random: Prng, values: readonly T[]): T => values[random.below(values.length)]!;
const clientIdOf = (index: number): string => `0x${index.toString(16).padStart(32, '0')}`;

function randomPayload(random: Prng, options: StreamOptions): ActionPayload {
  const dice = random.below(100);
  if (dice < 62) return randomOrder(random, options);
  if (dice < 72) return { type: 'deposit', amount: BigInt(random.below(4000)) * (options.scale ?? 1n) };
  if (dice < 80) return { type: 'batch', items: Array.from({ length: 3 }, () => randomTrading(random, options)) };
  if (dice < 83) {
    const initialMarginBps = pick(random, [200, 1000, 5000]);
    return {
      type: 'setMargin',
      marketId: random.chance(1, 2) ? null : marketId(1 + random.below(2)),
      initialMarginBps,
      maintenanceMarginBps: initialMarginBps / 2,
    };
  }
  return randomTrading(random, options);
}

function randomTrading(random: Prng, options: StreamOptions): ActionPayload {
  const dice = random.below(10);
  const some = orderId(1 + random.below(120));
  if (dice < 3) return { type: 'cancel', orderId: some };
  if (dice < 4)
    return { type: 'cancelByClientId', marketId: marketId(1 + random.below(2)), clientId: clientIdOf(random.below(4)) };
  if (dice < 5) return { type: 'cancelAll', marketId: random.chance(1, 2) ? null : marketId(1 + random.below(2)) };
  const { price, size } = randomOrder(random, options);
  return dice < 8 ? { type: 'modify', orderId: some, price, size } : randomOrder(random, options);
}

function randomOrder(random: Prng, { scale = 1n, nowSeconds }: StreamOptions): { type: 'order' } & OrderFields {
  const market = 1 + random.below(2);
  const tif: TimeInForce = pick(random, ['gtc', 'gtc', 'gtc', 'ioc', 'fok']);
  // Market 1 has tick 5 and lot 10; now and then a value is off the grid.
  const [tick, lot] = market === 1 && !random.chance(1, 30) ? [5n, 10n] : [1n, 1n];
  const price = BigInt(95 + random.below(11)) * tick * (scale === 1n ? 1n : 1n + BigInt(random.below(2)));
  const size = BigInt(random.below(40)) * lot * (random.chance(1, 4) ? scale : 1n);
  const payload = order(pick(random, ['buy', 'sell']), price, size, {
    marketId: marketId(random.chance(1, 60) ? 3 : market),
    tif,
    postOnly: tif === 'gtc' && random.chance(1, 8),
    reduceOnly: tif !== 'gtc' && random.chance(1, 3),
    selfTrade: pick<SelfTradeMode>(random, ['cancel_maker', 'cancel_taker', 'cancel_both', 'decrement']),
    clientId: random.chance(1, 5) ? clientIdOf(random.below(4)) : null,
    expiresAt: random.chance(1, 6) ? nowSeconds + random.below(4) : 0,
  });
  return payload as { type: 'order' } & OrderFields;
}
