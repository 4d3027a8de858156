import type { Market, PriceLevel, Trade } from '@prime/sdk';

/** Colours of a terminal, or none. */
export interface Paint {
  readonly ask: (text: string) => string;
  readonly bid: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

const as =
  (code: number) =>
  (text: string): string =>
    text.trim() === '' ? text : `\u001b[${code}m${text}\u001b[0m`;
const plain = (text: string): string => text;

/** For a terminal: ANSI colours, red for asks and green for bids. */
export const colored: Paint = { ask: as(31), bid: as(32), strong: as(1), faint: as(2) };

/** For pipes and terminals without colours: text goes through as it is. */
export const colorless: Paint = { ask: plain, bid: plain, strong: plain, faint: plain };

/** Digits behind the point that a column shows at most; more would push everything else off the screen. */
const fractionMax = 8;

/** Cut off, never rounded up: a book is not deeper than it is. */
function cut(text: string): string {
  const [whole = '', fraction = ''] = text.split('.');
  if (fraction.length <= fractionMax) return text;
  const kept = fraction.slice(0, fractionMax);
  if (/^0*$/.test(whole + kept)) return `<0.${'1'.padStart(fractionMax, '0')}`;
  return `${whole}.${kept}`;
}

/**
 * A title and a number for each item below it, all of one width, with their points below each other.
 *
 * @param least digits behind the point, also where no number has so many
 */
export function column<item>(title: string, items: readonly item[], text: (item: item) => string, least = 0): string[] {
  const shown = items.map((item) => cut(text(item)));
  const places = Math.max(least, ...shown.map((text) => text.split('.')[1]?.length ?? 0));
  const aligned = shown.map((text) => {
    if (places === 0) return text;
    const [whole, fraction = ''] = text.split('.');
    return `${whole}.${fraction.padEnd(places, '0')}`;
  });
  const width = Math.max(title.length, ...aligned.map((text) => text.length));
  return [title, ...aligned].map((text) => text.padStart(width));
}

/** A trade as a ladder shows it; the side is the taker's. */
export interface ShownTrade extends Pick<Trade, 'tradeId' | 'price' | 'size' | 'side'> {
  readonly blockNumber: bigint;
}

/** What a ladder shows. */
export interface LadderView {
  readonly market: Market;
  /** Best price first on both sides. */
  readonly bids: readonly PriceLevel[];
  readonly asks: readonly PriceLevel[];
  /** Newest first. */
  readonly trades: readonly ShownTrade[];
  /** Words behind the name of the market, such as the block. */
  readonly standing: string;
}

/** How much of a book is drawn, and how wide. */
export interface LadderLayout {
  /** Levels of each side, at most. */
  readonly depth: number;
  /** Newest trades, at most. */
  readonly trades: number;
  /** Columns of the terminal. */
  readonly width: number;
  /** Whether levels that are not there take a line, so that the spread stays at its place. */
  readonly isSteady: boolean;
  readonly paint: Paint;
}

/** Narrower bars say nothing, wider ones are far from their numbers. */
const barColumns = { min: 4, max: 40 } as const;
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of `part` of `whole`, in eighths of a column. */
export function bar(part: bigint, whole: bigint, columns: number): string {
  if (whole <= 0n || columns < 1) return '';
  const filled = Number((part * BigInt(8 * columns)) / whole);
  // What is there is seen.
  const shown = part > 0n ? Math.max(1, filled) : 0;
  return '█'.repeat(Math.floor(shown / 8)) + eighths[shown % 8]!;
}

interface Row {
  readonly price: bigint;
  readonly size: bigint;
  /** Sizes from the best level to this one. */
  readonly total: bigint;
}

function rowsOf(levels: readonly PriceLevel[], depth: number): Row[] {
  let total = 0n;
  return levels.slice(0, depth).map(({ price, size }) => ({ price, size, total: (total += size) }));
}

/** Digits behind the point of the least price step. */
const placesOf = ({ formatPrice, tickSize }: Market): number => formatPrice(tickSize).split('.')[1]?.length ?? 0;

const blanks = (count: number): string[] => Array.from({ length: Math.max(0, count) }, () => '');

/** Lines of a book: asks above, the best ones beside the spread, with bars of all sizes up to a level; then the newest trades. */
export function ladderLines(view: LadderView, layout: LadderLayout): string[] {
  const { market, standing } = view;
  const { depth, isSteady, paint, width } = layout;
  const asks = rowsOf(view.asks, depth);
  const bids = rowsOf(view.bids, depth);
  // Far levels of the asks stand on top.
  const rows = [...asks.toReversed(), ...bids];
  const prices = column('price', rows, ({ price }) => market.formatPrice(price), placesOf(market));
  const sizes = column('size', rows, ({ size }) => market.formatSize(size));
  const totals = column('total', rows, ({ total }) => market.formatSize(total));
  const numbers = (index: number): string => ` ${prices[index]}  ${sizes[index]}  ${totals[index]}`;
  const head = numbers(0);
  const columns = Math.min(barColumns.max, width - head.length - 3);
  const whole = [asks.at(-1)?.total ?? 0n, bids.at(-1)?.total ?? 0n].reduce((one, other) =>
    one > other ? one : other,
  );
  const line = ({ total }: Row, index: number): string => {
    const color = index < asks.length ? paint.ask : paint.bid;
    const drawn = columns < barColumns.min ? '' : `  ${bar(total, whole, columns)}`;
    return color(numbers(index + 1) + drawn);
  };
  const lines = rows.map(line);
  return [
    `${paint.strong(` ${market.symbol}`)}  ${paint.faint(standing)}`,
    paint.faint(head),
    ...(isSteady ? blanks(depth - asks.length) : []),
    ...lines.slice(0, asks.length),
    paint.strong(` ${spreadWords(view)}`),
    ...lines.slice(asks.length),
    ...(isSteady ? blanks(depth - bids.length) : []),
    ...tradeLines(view, layout),
  ].map((text) => text.trimEnd());
}

/** Basis points of the middle, with two decimals: exact, without floats. */
function spreadBps(bid: bigint, ask: bigint): string {
  const hundredths = ((ask - bid) * 2_000_000n) / (ask + bid);
  return `${hundredths / 100n}.${(hundredths % 100n).toString().padStart(2, '0')}`;
}

/** What stands between the sides. */
export function spreadWords({ market, bids, asks }: Pick<LadderView, 'market' | 'bids' | 'asks'>): string {
  const [bid, ask] = [bids[0], asks[0]];
  const mark = market.markPrice === null ? '' : `, mark ${market.formatPrice(market.markPrice)}`;
  if (bid === undefined && ask === undefined) return `no orders${mark}`;
  if (bid === undefined) return `no bids${mark}`;
  if (ask === undefined) return `no asks${mark}`;
  const spread = market.formatPrice(ask.price - bid.price);
  return `spread ${spread} ${market.quote} (${spreadBps(bid.price, ask.price)} bps)${mark}`;
}

function tradeLines({ market, trades }: LadderView, { trades: count, isSteady, paint }: LadderLayout): string[] {
  const shown = trades.slice(0, count);
  if (count === 0 || (shown.length === 0 && !isSteady)) return [];
  const sizes = column('', shown, ({ size }) => market.formatSize(size));
  const prices = column('', shown, ({ price }) => market.formatPrice(price), placesOf(market));
  const lines = shown.map(({ side, blockNumber }, index) => {
    const color = side === 'buy' ? paint.bid : paint.ask;
    const words = color(` ${side.padEnd(4)}  ${sizes[index + 1]} @ ${prices[index + 1]}`);
    return `${words}  ${paint.faint(`block ${blockNumber}`)}`;
  });
  return ['', paint.faint(shown.length === 0 ? ' no trades yet' : ' last trades'), ...lines];
}
