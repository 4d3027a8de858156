import { type Static, type TSchema, Type } from '@sinclair/typebox';

/** The strategy file: what a person writes. Amounts are decimal text in whole units of base or quote. */

const object = <T extends Parameters<typeof Type.Object>[0]>(fields: T, options: object = {}) =>
  Type.Object(fields, { additionalProperties: false, ...options });
const whole = (minimum: number, maximum: number, standard: number, description: string) =>
  Type.Integer({ minimum, maximum, default: standard, description });
const decimal = (description: string, standard?: string) =>
  Type.String({
    pattern: '^[0-9]{1,40}(\\.[0-9]{1,40})?$',
    description,
    ...(standard === undefined ? {} : { default: standard }),
  });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
/** A part that may be left out, then with its defaults. */
const part = <T extends Parameters<typeof Type.Object>[0]>(fields: T) => object(fields, { default: {} });

/** Longest time that anything here may take, ms and s. */
const dayMs = 86_400_000;
const daySeconds = 86_400;

const market = Type.Union([Type.String({ minLength: 1 }), Type.Integer({ minimum: 1 })], {
  description: 'symbol, such as `PRM/USD`, or id',
});
const name = (standard: string) =>
  Type.String({
    pattern: '^[a-z0-9][a-z0-9-]{0,31}$',
    default: standard,
    description: 'the orders of a bot are known by it; two bots of one account have different ones',
  });

const common = {
  fair_price: part({
    source: Type.Unsafe<'book' | 'fixed' | 'http'>({
      enum: ['book', 'fixed', 'http'],
      default: 'book',
      description:
        '`book`: middle of what others quote, else the last price, else `start`. `fixed`: `start`. `http`: a number in the JSON at `url`',
    }),
    start: optional(decimal('quote for one base')),
    url: optional(Type.String({ pattern: '^https?://' })),
    field: Type.String({ default: 'price', description: 'where the number is in the answer, such as `data.price`' }),
    poll_ms: whole(100, dayMs, 1_000, 'between two questions, ms'),
    max_age_ms: whole(100, dayMs, 5_000, 'older prices are not quoted by, ms'),
  }),
  execution: part({
    price_tolerance_ticks: whole(0, 1_000_000, 0, 'an order this near to its quote keeps its place, ticks'),
    refill_below_percent: whole(1, 100, 50, 'an order with less than this part of its quote is refilled, %'),
    order_seconds: whole(5, daySeconds, 30, 'life of an order; what a dead bot leaves is gone after it, s'),
    refresh_seconds: whole(1, daySeconds, 10, 'an order with less life than this is replaced, s'),
    batch_max: whole(1, 100, 100, 'items of one batch'),
    action_ttl_ms: whole(1_000, 600_000, 5_000, 'block time for which what is sent is good, ms'),
    tick_ms: whole(20, 60_000, 250, 'the strategy is asked at least this often, ms'),
  }),
  limits: part({
    position: optional(decimal('greatest position either way, base')),
    notional: optional(decimal('greatest position and open orders of a side together, quote')),
    loss: optional(
      decimal('greatest loss since it was reset, restarts included; beyond it the bot stops for good, quote'),
    ),
    items_per_second: whole(1, 10_000, 100, 'orders and modifies in a second; cancels are always sent'),
  }),
  dead_man: part({
    feed_silent_ms: whole(500, dayMs, 10_000, 'without a new block for so long all orders are cancelled, ms'),
    stale_ms: whole(500, dayMs, 5_000, 'without a book and an account that are surely right, ms'),
    strategy_silent_ms: whole(500, dayMs, 5_000, 'without an answer of the strategy, ms'),
  }),
} as const;

const makerFile = object({
  strategy: Type.Literal('maker'),
  name: name('maker'),
  market,
  maker: part({
    spread_bps: whole(0, 10_000, 20, 'between best bid and best ask, hundredths of a percent of the fair price'),
    levels: whole(1, 50, 3, 'quotes on each side'),
    level_gap_bps: whole(0, 10_000, 10, 'between two levels, at least a tick'),
    size: decimal('of each quote, base', '1'),
    min_edge_bps: whole(0, 10_000, 2, 'no quote is nearer to the fair price'),
    target_position: decimal('position that it likes to have, base', '0'),
    max_position: decimal('distance of the target at which it stops to add, base', '10'),
    skew_bps: whole(0, 10_000, 10, 'how far quotes move against the position when it is that large'),
  }),
  ...common,
});

const takerFile = object({
  strategy: Type.Literal('taker'),
  name: name('taker'),
  market,
  taker: part({
    interval_ms: whole(1, dayMs, 1_000, 'mean time between two orders, ms'),
    size_min: decimal('least order, base', '1'),
    size_max: decimal('greatest order, base', '3'),
    max_position: decimal('position at which it only trades back, base', '10'),
    slippage_ticks: whole(0, 1_000_000, 10, 'how far beyond the best price it pays, ticks'),
    seed: whole(0, 4_294_967_295, 1, 'the same seed draws the same flow'),
  }),
  ...common,
});

export const strategySchemas = { maker: makerFile, taker: takerFile } as const;
export type StrategyKind = keyof typeof strategySchemas;
export type StrategyFile = Static<typeof makerFile> | Static<typeof takerFile>;
