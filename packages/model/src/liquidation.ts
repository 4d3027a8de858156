import type { Address } from '@prime/primitives';
import { tradeText } from './form.ts';
import { fundingUnit } from './funding.ts';
import { bestOf, abs, ceil, floor, margin, max, min, type ModelOrder, profitOf } from './state.ts';
import { ordersOf } from './fields.ts';
import { cutReducers } from './reducing.ts';
import { type ModelHost, tradeWith } from './matching.ts';

/** The rules of liquidation, taken from docs/protocol/clob.md line by line. */
export class ModelLiquidator {
  readonly #host: ModelHost;

  constructor(host: ModelHost) {
    this.#host = host;
  }

  /** Money an account has if all its positions are closed at the marks; of those that count for liquidation, or of all. */
  equity(address: string, matureOnly: boolean): bigint {
    const { state } = this.#host;
    const account = state.accounts[address];
    if (account === undefined) return 0n;
    return Object.entries(account.positions).reduce((sum, [id, position]) => {
      const counts = !matureOnly || this.#mature(Number(id));
      return sum + floor(position.owed, fundingUnit) + (counts ? profitOf(position, this.#price(Number(id))) : 0n);
    }, account.collateral);
  }

  liquidatable(address: string): boolean {
    const needed = this.#needs(address).reduce((sum, { need }) => sum + need, 0n);
    return needed > 0n && this.equity(address, true) < needed;
  }

  /** Riskiest first: equity over maintenance margin, as fractions. */
  riskiest(): string[] {
    const { state } = this.#host;
    return Object.keys(state.accounts)
      .filter((address) => this.liquidatable(address))
      .map((address) => ({
        address,
        equity: this.equity(address, true),
        need: this.#needs(address).reduce((sum, { need }) => sum + need, 0n),
      }))
      .sort((a, b) => {
        const [left, right] = [a.equity * b.need, b.equity * a.need];
        return left === right ? (a.address < b.address ? -1 : 1) : left < right ? -1 : 1;
      })
      .map(({ address }) => address);
  }

  liquidate(address: string): unknown {
    if (!this.liquidatable(address)) return 'CLOB_NOT_LIQUIDATABLE';
    const host = this.#host;
    if (host.changes >= host.most) return 'CLOB_BLOCK_FULL';
    const own = ordersOf(host.state, address, null);
    for (const order of own) host.cancel(order, 'liquidation');
    host.settle(address, null);
    const positions: unknown[] = [];
    while (this.liquidatable(address)) positions.push(this.#close(address));
    const account = host.state.accounts[address]!;
    const badDebt = this.coverDebt(address);
    return {
      type: 'liquidate',
      address,
      positions,
      cancelledOrders: own.map(({ id }) => id),
      collateral: account.collateral,
      badDebt,
    };
  }

  /** Pays what somebody owes who has no position any more, as far as the fund goes. @returns what is left */
  coverDebt(address: string): bigint {
    const { state, undo, events } = this.#host;
    const account = state.accounts[address]!;
    if (Object.keys(account.positions).length > 0 || account.collateral >= 0n) return 0n;
    const paid = min(state.insurance, -account.collateral);
    undo.add(account, 'collateral', paid);
    if (paid > 0n) events.push(`covered ${address} ${paid}`);
    this.#changeFund(-paid);
    if (account.collateral < 0n) events.push(`bad debt ${address} ${-account.collateral}`);
    return -account.collateral;
  }

  #close(address: string): unknown {
    const { state, events, undo } = this.#host;
    const needs = this.#needs(address);
    const total = needs.reduce((sum, { need }) => sum + need, 0n);
    needs.sort((a, b) => (a.need === b.need ? a.market - b.market : a.need > b.need ? -1 : 1));
    const { market, need } = needs[0]!;
    const size = state.accounts[address]!.positions[market]!.size;
    const share = floor(this.equity(address, true) * need, total);
    const notional = abs(size) * this.#price(market);
    const rest = { left: abs(size), target: size > 0n ? notional - share : notional + share, long: size > 0n };
    const id = undo.next(state, 'nextOrder');
    const { trades, fee, paid } = this.#inBook(id, address, market, rest);
    events.push(`liquidation ${id} ${address} ${market} ${size} ${fee} ${paid}`);
    if (fee !== paid) events.push(`fund ${fee - paid} ${state.insurance}`);
    const adl = rest.left > 0n ? this.#againstOthers(id, address, market, rest) : [];
    return { market, size, trades, fee, paid, adl };
  }

  #inBook(
    id: number,
    address: string,
    market: number,
    rest: { left: bigint; target: bigint; readonly long: boolean },
  ): { readonly trades: string[]; readonly fee: bigint; readonly paid: bigint } {
    const host = this.#host;
    const { lot } = host.state.markets[market - 1]!;
    const trades: string[] = [];
    let [fee, paid] = [0n, 0n];
    const until = host.changes + host.most;
    for (;;) {
      const maker = bestOf(host.state, market, rest.long);
      if (maker === undefined || rest.left === 0n) break;
      const wanted = min(maker.remaining, rest.left);
      const gainOf = (size: bigint): bigint => this.#gain(rest, size, maker.price);
      const fund = this.#isFar(rest.long, maker.price, market) ? 0n : host.state.insurance;
      const size = mostThat(wanted / lot, (lots) => -gainOf(lots * lot) <= fund) * lot;
      if (size === 0n || host.changes >= until) break;
      if (host.expired(maker)) {
        host.cancel(maker, 'expired');
        continue;
      }
      if (!host.makerMay(maker, size)) {
        host.cancel(maker, 'margin');
        continue;
      }
      const gain = gainOf(size);
      const charged =
        gain >= 0n ? min(gain, floor(maker.price * size * BigInt(host.params.liquidationFeeBps), 10_000n)) : gain;
      const base = this.#base(rest, size);
      trades.push(this.#trade(address, maker, { id, size, charged }));
      if (charged > 0n) fee += charged;
      else paid -= charged;
      rest.left -= size;
      rest.target -= base;
      if (size < wanted) break;
    }
    return { trades, fee, paid };
  }

  /** Whether the fund does not pay at a price. */
  #isFar(long: boolean, price: bigint, market: number): boolean {
    const { insuranceSlippageBps: bps } = this.#host.params;
    const distance = (this.#price(market) - price) * (long ? 1n : -1n);
    return bps !== undefined && distance * 10_000n > this.#price(market) * BigInt(bps);
  }

  #trade(
    address: string,
    maker: ModelOrder,
    { id, size, charged }: { readonly id: number; readonly size: bigint; readonly charged: bigint },
  ): string {
    const host = this.#host;
    const trade = tradeWith(host, maker, { id, owner: address as Address, size }, (notional) => {
      host.undo.add(host.state.accounts[address]!, 'collateral', -charged);
      host.undo.add(host.state, 'insurance', charged);
      const fee = max(0n, charged);
      const { events } = host.fees.charge({ taker: address, maker: maker.owner, notional, owed: 0n, rebateFrom: fee });
      return { fee, events };
    });
    return tradeText(trade);
  }

  /** Closes against the opposite positions, best ranked first. */
  #againstOthers(
    id: number,
    address: string,
    market: number,
    rest: { left: bigint; target: bigint; readonly long: boolean },
  ): unknown[] {
    const host = this.#host;
    const { state } = host;
    const price = this.#price(market);
    const others = Object.entries(state.accounts)
      .filter(([, { positions }]) => {
        const theirs = positions[market];
        return theirs !== undefined && theirs.size > 0n !== rest.long;
      })
      .map(([other, { positions }]) => {
        const position = positions[market]!;
        const profit = profitOf(position, price);
        return profit > 0n
          ? {
              other,
              over: profit * abs(position.size) * price,
              under: position.entry * max(this.equity(other, false), 1n),
            }
          : { other, over: profit, under: position.entry };
      })
      .sort((a, b) => {
        const [left, right] = [a.over * b.under, b.over * a.under];
        return left === right ? (a.other < b.other ? -1 : 1) : left > right ? -1 : 1;
      });
    const closed: unknown[] = [];
    for (const { other } of others) {
      if (rest.left === 0n) break;
      const size = min(rest.left, abs(state.accounts[other]!.positions[market]!.size));
      const base = this.#base(rest, size);
      const value = max(0n, base);
      this.#closeFor(other, market, size, value);
      this.#closeFor(address, market, size, value);
      rest.left -= size;
      rest.target -= base;
      host.events.push(`deleveraged ${id} ${address} ${other} ${market} ${rest.long ? size : -size} ${value}`);
      closed.push({ address: other, size, value });
    }
    if (rest.left !== 0n) throw new Error(`nobody is left to close ${rest.left} of ${address} against`);
    return closed;
  }

  #closeFor(address: string, market: number, size: bigint, value: bigint): void {
    this.#host.settle(address, market);
    const { undo, state } = this.#host;
    const account = state.accounts[address]!;
    const position = account.positions[market]!;
    const released = (position.entry * size) / abs(position.size);
    undo.add(account, 'collateral', position.size > 0n ? value - released : released - value);
    undo.add(position, 'entry', -released);
    undo.add(position, 'size', position.size > 0n ? -size : size);
    if (position.size === 0n) undo.remove(account.positions, market);
    cutReducers(this.#host, address, market);
  }

  #changeFund(by: bigint): void {
    if (by === 0n) return;
    const { state, events, undo } = this.#host;
    undo.add(state, 'insurance', by);
    events.push(`fund ${by} ${state.insurance}`);
  }

  #base({ left, target, long }: { left: bigint; target: bigint; readonly long: boolean }, size: bigint): bigint {
    return long ? ceil(target * size, left) : floor(target * size, left);
  }

  #gain(rest: { left: bigint; target: bigint; readonly long: boolean }, size: bigint, price: bigint): bigint {
    const base = this.#base(rest, size);
    return rest.long ? price * size - base : base - price * size;
  }

  #needs(address: string): { readonly market: number; readonly need: bigint }[] {
    const { state } = this.#host;
    return Object.entries(state.accounts[address]?.positions ?? {})
      .map(([id, { size }]) => ({ market: Number(id), size }))
      .filter(({ market }) => this.#mature(market))
      .map(({ market, size }) => ({
        market,
        need: margin(state, market, 'maintenanceMarginBps', size, this.#price(market)),
      }));
  }

  #mature(market: number): boolean {
    const { tradeBlocks, oracle, status } = this.#host.state.markets[market - 1]!;
    if (status !== 'trading') return false;
    if (oracle !== null) return oracle.staleSince === null && this.#host.timeMs >= oracle.resumesAt;
    return tradeBlocks >= this.#host.params.mark.minTrades;
  }

  #price(market: number): bigint {
    const { mark, last } = this.#host.state.markets[market - 1]!;
    return mark ?? last!;
  }
}

/** The largest count up to a limit for which something holds that holds for all smaller ones. */
function mostThat(limit: bigint, holds: (count: bigint) => boolean): bigint {
  let [low, high] = [0n, limit];
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (holds(middle)) low = middle;
    else high = middle - 1n;
  }
  return low;
}
