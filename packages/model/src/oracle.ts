import { type ActionPayload, type ClobParams, isQuorum } from '@prime/codec';
import type { Address } from '@prime/primitives';
import { abs, floor, max, min, type ModelAction, type ModelIndex, type ModelState } from './state.ts';
import type { Undo } from './undo.ts';

/** Who reports prices in a block, and how far their clocks may be ahead. */
export interface ModelReporters {
  readonly reporters: readonly {
    readonly validator: Address;
    readonly keys: readonly Address[];
    readonly power: bigint;
  }[];
  readonly precisionMs: number;
}

interface OracleHost {
  readonly state: ModelState;
  readonly undo: Undo;
  readonly events: string[];
  readonly params: ClobParams;
  readonly timeMs: number;
}

type Report = Extract<ActionPayload, { type: 'oracleReport' }>;

const sumOf = (powers: readonly bigint[]): bigint => powers.reduce((sum, power) => sum + power, 0n);

const minuteOf = (ms: number): number => Math.floor(ms / 60_000);

/** The rules of the oracle, taken from docs/protocol/clob.md line by line. */
export class ModelOracle {
  readonly #host: OracleHost;
  #reporters: ModelReporters = { reporters: [], precisionMs: 0 };

  constructor(host: OracleHost) {
    this.#host = host;
  }

  /** Indexes of the block. */
  begin(reporters: ModelReporters): void {
    this.#reporters = reporters;
    if (this.#host.params.oracle === undefined) return;
    if (this.#host.state.markets.some(({ oracle }) => oracle !== null)) this.#attend();
    this.#host.state.markets.forEach(({ oracle, status }, place) => {
      if (oracle !== null && status !== 'settling' && status !== 'delisted') this.#advance(place + 1, oracle);
    });
  }

  /** Why nobody looks at a report: its signer does not report for an active validator, and where there is no oracle nobody does. */
  refused({ account, signer = account, signatureKind }: ModelAction): string | null {
    const isReporter = this.#reporters.reporters.some(
      ({ validator, keys }) => validator === account && keys.some((key) => key === signer),
    );
    const isHeard = this.#host.params.oracle !== undefined && signatureKind === 'raw';
    return isHeard && isReporter ? null : 'CLOB_NOT_A_REPORTER';
  }

  report(validator: Address, { observedAtMs, prices }: Report): unknown {
    const { state, undo, timeMs } = this.#host;
    const params = this.#host.params.oracle!;
    const known = state.reports[validator] ?? { last: 0, prices: {} };
    const isInTime =
      observedAtMs > known.last &&
      observedAtMs >= timeMs - params.reportMaxAgeMs &&
      observedAtMs <= timeMs + this.#reporters.precisionMs;
    if (!isInTime || prices.length === 0) return 'CLOB_BAD_REPORT';
    for (const [place, { marketId, price }] of prices.entries()) {
      if (prices.slice(0, place).some((earlier) => earlier.marketId >= marketId)) return 'CLOB_BAD_REPORT';
      const market = state.markets[marketId - 1];
      if (market === undefined) return 'CLOB_UNKNOWN_MARKET';
      if (market.oracle === null || price === 0n || price >= 1n << 127n) return 'CLOB_BAD_REPORT';
    }
    const newer = Object.fromEntries(prices.map(({ marketId, price }) => [marketId, { price, at: observedAtMs }]));
    undo.set(state.reports, validator, { last: observedAtMs, prices: { ...known.prices, ...newer } });
    const { seen, told } = state.attendance[validator]!;
    undo.set(state.attendance, validator, { seen, told: [...told, minuteOf(timeMs)] });
    return { type: 'done' };
  }

  /** Whoever is here is here for the minute; at the first one of a day, the last day is looked back at. */
  #attend(): void {
    const { state, undo, timeMs, events } = this.#host;
    const minute = minuteOf(timeMs);
    for (const { validator } of [...this.#reporters.reporters].sort((a, b) => (a.validator < b.validator ? -1 : 1))) {
      const { seen, told } = state.attendance[validator] ?? { seen: [], told: [] };
      const last = seen.at(-1);
      const isSameDay = last === undefined || floor(BigInt(last), 1440n) === floor(BigInt(minute), 1440n);
      if (!isSameDay && new Set(told).size < new Set(seen).size / 2)
        events.push(`missing ${validator} ${new Set(told).size} of ${new Set(seen).size}`);
      undo.set(
        state.attendance,
        validator,
        isSameDay ? { seen: [...seen, minute], told } : { seen: [minute], told: [] },
      );
    }
  }

  #advance(id: number, oracle: ModelIndex): void {
    const { state, undo, params, timeMs, events } = this.#host;
    const { staleMs, maxMoveBps, resumeAfterMs, resumeMoveBps, resumeMs, eventBps } = params.oracle!;
    const { reporters } = this.#reporters;
    const fresh = reporters.flatMap(({ validator, power }) => {
      const price = state.reports[validator]?.prices[id];
      return price === undefined || price.at + staleMs < timeMs ? [] : [{ price: price.price, power }];
    });
    const market = state.markets[id - 1]!;
    const power = sumOf(fresh.map((report) => report.power));
    if (!isQuorum(power, sumOf(reporters.map((reporter) => reporter.power)))) {
      if (oracle.staleSince !== null) return;
      undo.set(market, 'oracle', { ...oracle, staleSince: timeMs });
      events.push(`stale ${id} ${oracle.index}`);
      return;
    }
    const upTo = (price: bigint): bigint => sumOf(fresh.filter((report) => report.price <= price).map((r) => r.power));
    const candidates = fresh.map(({ price }) => price).filter((price) => upTo(price) * 2n >= power);
    const median = candidates.reduce(min);
    const next = { ...oracle, index: median };
    if (oracle.index !== null && maxMoveBps > 0) {
      const most = max(1n, floor(oracle.index * BigInt(maxMoveBps), 10_000n));
      next.index = max(oracle.index - most, min(oracle.index + most, median));
    }
    if (oracle.staleSince !== null) {
      const isLong = timeMs - oracle.staleSince > resumeAfterMs;
      const isFar =
        oracle.index !== null && abs(median - oracle.index) * 10_000n > oracle.index * BigInt(resumeMoveBps);
      const waits = oracle.index !== null && resumeMs > 0 && (isLong || isFar);
      Object.assign(next, { staleSince: null, resumesAt: waits ? timeMs + resumeMs : 0 });
      events.push(`resumed ${id} ${median} ${next.resumesAt}`);
    }
    const isFarFromTold = abs(next.index - oracle.told) * 10_000n >= oracle.told * BigInt(eventBps);
    if ((next.index !== oracle.told && isFarFromTold) || timeMs >= oracle.toldAt + 60_000) {
      Object.assign(next, { told: next.index, toldAt: timeMs });
      events.push(`index ${id} ${next.index}`);
    }
    undo.set(market, 'oracle', next);
  }
}
