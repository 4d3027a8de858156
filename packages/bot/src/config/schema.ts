import { type Static, type TSchema, Type } from '@sinclair/typebox';

/** The strategy file: what a person writes. Amounts are decimal text in whole units of base or quote. */

const object = <T extends Parameters<typeof Type.Object>[0]>(fields: T, options: object = {}) =>
  Type.Object(fields, { additionalProperties: false, ...options });
/** Units of keys, as the reference page tells them. */
type Unit =
  | 'ms'
  | 's'
  | 'bps'
  | '%'
  | 'ticks'
  | 'base'
  | 'quote'
  | 'quote for one base'
  | 'items'
  | 'quotes'
  | 'number';
const whole = (minimum: number, maximum: number, standard: number, unit: Unit, description: string) =>
  Type.Integer({ minimum, maximum, default: standard, 'x-unit': unit, description });
const decimal = (unit: Unit, description: string, standard?: string) =>
  Type.String({
    pattern: '^[0-9]{1,40}(\\.[0-9]{1,40})?$',
    'x-unit': unit,
    description,
    ...(standard === undefined ? {} : { default: standard }),
  });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
/** A part that may be left out, then with its defaults. */
const part = <T extends Parameters<typeof Type.Object>[0]>(description: string, fields: T) =>
  object(fields, { default: {}, description });

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
  fair_price: part('where the price comes from around which it trades', {
    source: Type.Unsafe<'book' | 'fixed' | 'http' | 'index'>({
      enum: ['book', 'fixed', 'http', 'index'],
      default: 'book',
      description:
        '`book`: middle of what others quote, else the last price, else `start`. `fixed`: `start`. `http`: a number in the JSON at `url`. `index`: what validators report of a market with an oracle',
    }),
    start: optional(decimal('quote for one base', 'price before anybody quotes or trades; needed with `fixed`')),
    url: optional(
      Type.String({ pattern: '^https?://', description: 'what is asked for the price; needed with `http`' }),
    ),
    field: Type.String({
      default: 'price',
      description: 'where the number is in the JSON of the answer, such as `data.price`',
    }),
    poll_ms: whole(100, dayMs, 1_000, 'ms', 'between two questions'),
    max_age_ms: whole(
      100,
      dayMs,
      5_000,
      'ms',
      'an older price of `http` or `index` is none; an answer may take as long',
    ),
  }),
  execution: part('how wanted quotes become orders', {
    price_tolerance_ticks: whole(0, 1_000_000, 0, 'ticks', 'an order this near to its quote keeps its place'),
    refill_below_percent: whole(1, 100, 50, '%', 'an order with less than this part of its quote is refilled'),
    order_seconds: whole(5, daySeconds, 30, 's', 'life of an order; what a dead bot leaves is gone after it'),
    refresh_seconds: whole(
      1,
      daySeconds,
      10,
      's',
      'an order with less life than this is replaced; less than `order_seconds`',
    ),
    batch_max: whole(1, 100, 100, 'items', 'greatest batch'),
    action_ttl_ms: whole(1_000, 600_000, 5_000, 'ms', 'block time for which what is sent is good'),
    tick_ms: whole(20, 60_000, 250, 'ms', 'the strategy is asked at least this often'),
  }),
  limits: part('what it may hold, lose and send; what is left out has no limit', {
    position: optional(decimal('base', 'greatest position either way')),
    notional: optional(decimal('quote', 'greatest position and open orders of a side together')),
    loss: optional(
      decimal('quote', 'greatest loss since it was reset, restarts included; beyond it the bot stops for good'),
    ),
    items_per_second: whole(1, 10_000, 100, 'items', 'orders and modifies in a second; cancels are always sent'),
  }),
  dead_man: part('silences after which all orders are cancelled', {
    feed_silent_ms: whole(
      500,
      dayMs,
      10_000,
      'ms',
      'without a new block for so long; more than the time between two empty blocks of the network',
    ),
    stale_ms: whole(500, dayMs, 5_000, 'ms', 'without a book and an account that are surely right'),
    strategy_silent_ms: whole(500, dayMs, 5_000, 'ms', 'without an answer of the strategy'),
  }),
} as const;

const makerFile = object({
  strategy: Type.Literal('maker', { description: 'quotes both sides of a market' }),
  name: name('maker'),
  market,
  maker: part('how it quotes', {
    spread_bps: whole(0, 10_000, 20, 'bps', 'between best bid and best ask, of the fair price'),
    levels: whole(1, 50, 3, 'quotes', 'on each side'),
    level_gap_bps: whole(0, 10_000, 10, 'bps', 'between two levels, at least a tick'),
    size: decimal('base', 'of each quote', '1'),
    min_edge_bps: whole(0, 10_000, 2, 'bps', 'no quote is nearer to the fair price'),
    target_position: decimal('base', 'position that it likes to have', '0'),
    max_position: decimal('base', 'distance of the target at which it stops to add', '10'),
    skew_bps: whole(0, 10_000, 10, 'bps', 'how far quotes move against the position when it is that large'),
  }),
  ...common,
});

const takerFile = object({
  strategy: Type.Literal('taker', { description: 'trades against who quotes, now and then' }),
  name: name('taker'),
  market,
  taker: part('how it trades', {
    interval_ms: whole(1, dayMs, 1_000, 'ms', 'mean time between two orders'),
    size_min: decimal('base', 'least order', '1'),
    size_max: decimal('base', 'greatest order', '3'),
    max_position: decimal('base', 'position at which it only trades back', '10'),
    slippage_ticks: whole(0, 1_000_000, 10, 'ticks', 'how far beyond the best price it pays'),
    seed: whole(0, 4_294_967_295, 1, 'number', 'the same seed draws the same flow'),
  }),
  ...common,
});

/** JSON Schema of a strategy file, by the word in its `strategy`. */
export const strategySchemas = { maker: makerFile, taker: takerFile } as const;
/** A word that `strategy` in a strategy file may have. */
export type StrategyKind = keyof typeof strategySchemas;
/** A strategy file that was checked, with its defaults filled in. */
export type StrategyFile = Static<typeof makerFile> | Static<typeof takerFile>;
