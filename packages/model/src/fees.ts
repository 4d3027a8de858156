import { claim } from './margin/claims.ts';
import { max, min, type RulesHost } from './state.ts';

/** The rules of fees, from docs/protocol/clob.md. Without fees everything is 0. */
export class ModelFees {
  readonly #host: RulesHost;
  readonly #equity: (address: string) => bigint;

  constructor(host: RulesHost, equity: (address: string) => bigint) {
    this.#host = host;
    this.#equity = equity;
  }

  ofTaker(notional: bigint): bigint {
    return up(notional, this.#host.params.fees?.takerPpm ?? 0);
  }

  /** What an order could cost. */
  most(notional: bigint): bigint {
    return max(this.ofTaker(notional), this.mostOfMaker(notional));
  }

  mostOfMaker(notional: bigint): bigint {
    return up(notional, max(0n, BigInt(this.#host.params.fees?.makerPpm ?? 0)));
  }

  /** @param rebateFrom what there is for a rebate besides the taker's fee */
  charge({
    market,
    taker,
    maker,
    notional,
    owed,
    rebateFrom,
  }: {
    readonly market: number;
    readonly taker: string;
    readonly maker: string;
    readonly notional: bigint;
    readonly owed: bigint;
    readonly rebateFrom: bigint;
  }): { readonly fromTaker: bigint; readonly events: readonly string[] } {
    const { params, state, undo } = this.#host;
    const { fees } = params;
    if (fees === undefined) return { fromTaker: 0n, events: [] };
    const fromTaker = min(owed, max(0n, this.#equity(taker)));
    const isRebate = fees.makerPpm < 0;
    const fromMaker = isRebate
      ? -min((notional * BigInt(-fees.makerPpm)) / 1_000_000n, fromTaker + rebateFrom)
      : min(this.mostOfMaker(notional), max(0n, this.#equity(maker)));
    undo.add(this.#host.account(taker), 'collateral', -fromTaker);
    undo.add(this.#host.account(maker), 'collateral', -fromMaker);
    // What the maker gets of the taker's fee has changed hands in the market, like a better price.
    const rebate = min(max(0n, -fromMaker), fromTaker);
    claim(undo, this.#host.account(taker), market, -rebate);
    claim(undo, this.#host.account(maker), market, rebate);
    let kept = fromTaker + fromMaker;
    let passedOn = 0n;
    if (fees.treasury !== null && kept > 0n) {
      passedOn = (kept * BigInt(fees.treasuryShareBps)) / 10_000n;
      undo.add(this.#host.account(fees.treasury), 'collateral', passedOn);
      kept -= passedOn;
    }
    undo.add(state, 'insurance', kept);
    const isFree = fromTaker === 0n && fromMaker === 0n;
    return {
      fromTaker,
      events: isFree ? [] : [`fees ${taker} ${fromTaker} ${maker} ${fromMaker} ${kept} ${passedOn}`],
    };
  }
}

const up = (notional: bigint, ppm: number | bigint): bigint => (notional * BigInt(ppm) + 999_999n) / 1_000_000n;
