import type { FlowFill, FlowLine, OrderRef } from './flow.ts';
import { ReplayIds } from '../replay/replayIds.ts';

/** How far a replay traded what the flow had traded. */
export interface FillComparison {
  /** Fills of the flow, and of the replay's orders on the target. */
  readonly recorded: number;
  readonly replayed: number;
  /** Fills that are in both, wherever they stand: same maker, taker, price and size. */
  readonly agreeing: number;
  /** Whether each market has the same fills in the same order. */
  readonly identical: boolean;
  /** Wei: Σ price · size. */
  readonly recordedNotional: bigint;
  readonly replayedNotional: bigint;
  readonly agreeingNotional: bigint;
  /** Of the recorded notional, millionths, rounded down; 1 000 000 when nothing was traded. */
  readonly agreeingPpm: number;
  /** Where a market's fills differ for the first time, of the flow's markets the one that does so first. */
  readonly first: {
    /** Its fills are in terms of the flow: the orders by the lines that placed them. */
    readonly place: number;
    readonly recorded: FlowFill | null;
    readonly replayed: FlowFill | null;
  } | null;
}

/** What joins fills of a replay with those of its flow. */
export interface CompareOptions {
  /** Of the replay. */
  readonly secret: string;
  /** {@link Replay.markets}. */
  readonly markets: ReadonlyMap<number, number>;
}

/**
 * Compares the fills of a flow with those of its replay, which was recorded from the target. Both are read once, side by side; only fills that have no counterpart
 * yet are kept.
 */
export async function compareFills(
  recorded: AsyncIterable<FlowLine>,
  replayed: AsyncIterable<FlowLine>,
  { secret, markets }: CompareOptions,
): Promise<FillComparison> {
  const comparison = new Comparison();
  const sides = [
    { side: 'recorded' as const, fills: fillsOf(recorded) },
    { side: 'replayed' as const, fills: replayFillsOf(replayed, new ReplayIds(secret), markets) },
  ];
  // In turns, so that neither side is far ahead and has to be kept.
  let open = sides;
  while (open.length > 0) {
    const more: typeof sides = [];
    for (const each of open) {
      const next = await each.fills.next();
      if (next.done === true) continue;
      comparison.take(next.value, each.side);
      more.push(each);
    }
    open = more;
  }
  return comparison.result();
}

const outcomeOf = (line: FlowLine) =>
  line.kind === 'action' || line.kind === 'contract' || line.kind === 'network' ? line.outcome : null;

async function* fillsOf(lines: AsyncIterable<FlowLine>): AsyncGenerator<FlowFill> {
  for await (const line of lines) yield* outcomeOf(line)?.fills ?? [];
}

/** Fills of both sides' own orders, by the names that the replay gave them. */
async function* replayFillsOf(
  lines: AsyncIterable<FlowLine>,
  ids: ReplayIds,
  markets: ReadonlyMap<number, number>,
): AsyncGenerator<FlowFill> {
  const marketOf = new Map([...markets].map(([own, target]) => [target, own]));
  /** By name in the record of the target; as many as rest there, and those of the line that is read. */
  const names = new Map<OrderRef, { readonly ref: OrderRef; rests: bigint }>();
  for await (const line of lines) {
    for (const { name, clientId, size } of placedBy(line)) {
      const ref = ids.refOf(clientId);
      if (ref !== null) names.set(name, { ref, rests: BigInt(size) });
    }
    const outcome = outcomeOf(line);
    for (const fill of outcome?.fills ?? []) {
      const [maker, taker] = [names.get(fill.maker), names.get(fill.taker)];
      if (maker === undefined || taker === undefined) continue;
      yield { ...fill, market: marketOf.get(fill.market) ?? fill.market, maker: maker.ref, taker: taker.ref };
      for (const [name, order] of [
        [fill.maker, maker],
        [fill.taker, taker],
      ] as const) {
        order.rests -= BigInt(fill.size);
        if (order.rests <= 0n) names.delete(name);
      }
    }
    for (const { order } of outcome?.removed ?? []) names.delete(order);
    for (const name of endedBy(line)) names.delete(name);
  }
}

function placedBy(line: FlowLine): { readonly name: OrderRef; readonly clientId: string; readonly size: string }[] {
  if (line.kind !== 'action') return [];
  const items = line.action.type === 'batch' ? line.action.items : [line.action];
  return items.flatMap((item, index) =>
    item.type === 'order' && item.clientId !== undefined
      ? [{ name: nameIn(line, index), clientId: item.clientId, size: item.size }]
      : [],
  );
}

const nameIn = ({ line, action }: Extract<FlowLine, { readonly kind: 'action' }>, index: number): OrderRef =>
  action.type === 'batch' ? `${line}.${index}` : `${line}`;

/** Orders of a line that do not rest behind it. */
function endedBy(line: FlowLine): OrderRef[] {
  if (line.kind !== 'action') return [];
  const fates = line.outcome.items ?? [line.outcome];
  return fates.flatMap(({ rests }, index) => (rests === undefined ? [nameIn(line, index)] : []));
}

const keyOf = ({ market, price, size, maker, taker }: FlowFill): string =>
  `${market} ${maker} ${taker} ${price} ${size}`;
const notionalOf = ({ price, size }: FlowFill): bigint => BigInt(price) * BigInt(size);

interface MarketFills {
  /** The one side is ahead: what the other one has not told yet. */
  readonly recorded: FlowFill[];
  readonly replayed: FlowFill[];
  compared: number;
}

class Comparison {
  readonly #markets = new Map<number, MarketFills>();
  /** Fills without a counterpart: above 0 of the flow, below 0 of the replay. */
  readonly #unmatched = new Map<string, number>();
  readonly #counts = { recorded: 0, replayed: 0, agreeing: 0 };
  readonly #notional = { recordedNotional: 0n, replayedNotional: 0n, agreeingNotional: 0n };
  #first: FillComparison['first'] = null;

  take(fill: FlowFill, side: 'recorded' | 'replayed'): void {
    this.#counts[side]++;
    this.#notional[`${side}Notional`] += notionalOf(fill);
    this.#match(fill, side === 'recorded' ? 1 : -1);
    this.#place(fill, side);
  }

  result(): FillComparison {
    for (const { recorded, replayed, compared } of this.#markets.values())
      if (recorded.length + replayed.length > 0)
        this.#differ({ place: compared, recorded: recorded[0] ?? null, replayed: replayed[0] ?? null });
    const { recordedNotional, agreeingNotional } = this.#notional;
    const agreeingPpm = recordedNotional === 0n ? ppm : Number((agreeingNotional * BigInt(ppm)) / recordedNotional);
    return { ...this.#counts, ...this.#notional, agreeingPpm, identical: this.#first === null, first: this.#first };
  }

  #match(fill: FlowFill, sign: 1 | -1): void {
    const key = keyOf(fill);
    const before = this.#unmatched.get(key) ?? 0;
    if (before * sign < 0) {
      this.#counts.agreeing++;
      this.#notional.agreeingNotional += notionalOf(fill);
    }
    if (before + sign === 0) this.#unmatched.delete(key);
    else this.#unmatched.set(key, before + sign);
  }

  #place(fill: FlowFill, side: 'recorded' | 'replayed'): void {
    const market = this.#markets.get(fill.market) ?? { recorded: [], replayed: [], compared: 0 };
    this.#markets.set(fill.market, market);
    market[side].push(fill);
    const [recorded, replayed] = [market.recorded[0], market.replayed[0]];
    if (recorded === undefined || replayed === undefined) return;
    market.recorded.shift();
    market.replayed.shift();
    if (keyOf(recorded) !== keyOf(replayed)) this.#differ({ place: market.compared, recorded, replayed });
    market.compared++;
  }

  #differ(difference: NonNullable<FillComparison['first']>): void {
    const lineOf = ({ recorded, replayed }: NonNullable<FillComparison['first']>): number =>
      Number.parseInt((recorded ?? replayed)!.taker, 10);
    if (this.#first === null || lineOf(difference) < lineOf(this.#first)) this.#first = difference;
  }
}

const ppm = 1_000_000;

/** A comparison in words, for a report. */
export function fillComparisonWords(comparison: FillComparison): string[] {
  const { recorded, replayed, agreeing, agreeingPpm, first, identical } = comparison;
  const share = (agreeingPpm / 10_000).toFixed(2);
  const words = [
    `${agreeing} of ${recorded} fills agree, ${share} % of the recorded notional; the replay had ${replayed}.`,
  ];
  if (identical) words.push('All fills are the same, in the same order.');
  if (first !== null)
    words.push(
      `First difference, at fill ${first.place} of its market: ${fillWords(first.recorded)} in the flow, ${fillWords(first.replayed)} in the replay.`,
    );
  return words;
}

const fillWords = (fill: FlowFill | null): string =>
  fill === null
    ? 'none'
    : `${fill.size} at ${fill.price} in market ${fill.market}, order ${fill.taker} with order ${fill.maker}`;
