import { realize } from './margin/claims.ts';
import { floor, max, min, type RulesHost } from './state.ts';

/** Units of what is owed in one wei. */
export const fundingUnit = 1_000_000_000n;

/**
 * The rules of funding without an index: what each position is owed is written down for all of them at the end of each interval, and each
 * block weighs the marks that stood before it.
 */
export class ModelFunding {
  readonly #host: RulesHost;

  constructor(host: RulesHost) {
    this.#host = host;
  }

  /** Counts the prices that stood since the block before. */
  begin(timeMs: number): void {
    const { state, params, undo } = this.#host;
    const elapsed = BigInt(timeMs - state.timeMs);
    undo.set(state, 'timeMs', timeMs);
    if (params.funding === undefined) return;
    for (const market of state.markets) {
      if (['halted', 'settling', 'delisted'].includes(market.status)) continue;
      const { oracle } = market;
      if (oracle !== null) {
        if (oracle.index === null) continue;
        undo.add(market, 'indexMs', oracle.index * elapsed);
        if (oracle.staleSince === null) undo.add(market, 'premiumMs', oracle.premium * elapsed);
        undo.add(market, 'weight', elapsed);
        continue;
      }
      if (market.mark === null) continue;
      undo.add(market, 'weighted', market.mark * elapsed);
      undo.add(market, 'weight', elapsed);
    }
  }

  /** Pays what an interval that is over brought. */
  end(timeMs: number): void {
    const { state, params, undo } = this.#host;
    if (params.funding === undefined) return;
    const interval = Math.floor(Math.floor(timeMs / 1000) / params.funding.intervalSeconds);
    if (interval === state.interval) return;
    undo.set(state, 'interval', interval);
    state.markets.forEach((_, index) => this.#pay(index + 1));
  }

  #pay(id: number): void {
    const { state, params, undo } = this.#host;
    const { maxRateBps, premiumIntervals, referenceWeight } = params.funding!;
    const market = state.markets[id - 1]!;
    if (market.weight === 0n || ['settling', 'delisted'].includes(market.status)) return;
    if (market.oracle !== null) return this.#payAgainstIndex(id);
    const average = floor(market.weighted * fundingUnit, market.weight);
    undo.set(market, 'weighted', 0n);
    undo.set(market, 'weight', 0n);
    const { reference } = market;
    if (reference === null) {
      undo.set(market, 'reference', average);
      return;
    }
    const most = floor(reference * BigInt(maxRateBps), 10_000n);
    const change = max(-most, min(most, floor(average - reference, BigInt(premiumIntervals))));
    undo.set(market, 'reference', reference + floor((average - reference) * BigInt(referenceWeight), 256n));
    this.#book(id, change, average, reference);
  }

  #payAgainstIndex(id: number): void {
    const { state, params, undo } = this.#host;
    const { maxRateBps, premiumIntervals } = params.funding!;
    const market = state.markets[id - 1]!;
    const { weight, indexMs, premiumMs } = market;
    for (const name of ['weight', 'indexMs', 'premiumMs'] as const) undo.set(market, name, 0n);
    const index = floor(indexMs * fundingUnit, weight);
    const premium = floor(premiumMs * fundingUnit, weight);
    const most = floor(index * BigInt(maxRateBps), 10_000n);
    const change = max(-most, min(most, floor(premium, BigInt(premiumIntervals))));
    this.#book(id, change, index + premium, index);
  }

  #book(id: number, change: bigint, average: bigint, reference: bigint): void {
    const { state, events, undo } = this.#host;
    const market = state.markets[id - 1]!;
    if (change === 0n) return;
    undo.add(market, 'paid', change);
    events.push(`funding ${id} ${market.paid} ${change} ${average} ${reference}`);
    for (const { positions } of Object.values(state.accounts)) {
      const position = positions[id];
      if (position !== undefined) undo.add(position, 'owed', -position.size * change);
    }
  }

  /** @param market null: all of them */
  settle(owner: string, market: number | null): void {
    const { state, events, undo } = this.#host;
    const account = this.#host.account(owner);
    for (const [id, position] of Object.entries(account.positions)) {
      if (market !== null && Number(id) !== market) continue;
      if (position.owed === 0n) continue;
      const wei = floor(position.owed, fundingUnit);
      undo.add(state, 'dust', position.owed - wei * fundingUnit);
      undo.set(position, 'owed', 0n);
      const whole = state.dust / fundingUnit;
      undo.add(state, 'dust', -whole * fundingUnit);
      realize(undo, account, Number(id), wei);
      undo.add(state, 'insurance', whole);
      undo.add(state, 'pool', -(wei + whole));
      events.push(`settled ${owner} ${id} ${position.size} ${wei} ${state.markets[Number(id) - 1]!.paid} ${whole}`);
    }
  }
}
