import { type Address, zeroAddress } from '@prime/primitives';
import { tradeText } from '../form.ts';
import { realize } from './claims.ts';
import { fundingUnit } from '../funding.ts';
import { abs, bestOf, ceil, floor, margin, max, min, type ModelOrder, profitOf } from '../state.ts';
import { ordersOf } from '../fields.ts';
import { type ModelHost, tradeWith } from '../matching.ts';

/** How a position was closed against another one. */
interface ModelDeleverage {
  readonly address: string;
  readonly size: bigint;
  readonly value: bigint;
}

/** What became of a position. */
interface ModelClosed {
  readonly market: number;
  readonly size: bigint;
  readonly closed: bigint;
  readonly remaining: bigint;
  readonly trades: string[];
  readonly fee: bigint;
  readonly paid: bigint;
  readonly adl: readonly ModelDeleverage[];
}

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

  /** @param sender null: the block does it by itself */
  liquidate(address: string, sender: string | null): unknown {
    if (!this.liquidatable(address)) return 'CLOB_NOT_LIQUIDATABLE';
    const host = this.#host;
    const { state, events, undo } = host;
    if (host.changes >= host.most) return 'CLOB_BLOCK_FULL';
    const own = ordersOf(state, address, null);
    for (const order of own) host.cancel(order, 'liquidation');
    host.settle(address, null);
    let [positions, badDebt]: [ModelClosed[], bigint] = [[], 0n];
    if (this.equity(address, true) >= 0n) positions = this.#reduce(address);
    else [positions, badDebt] = this.#closeAll(address);
    const fees = positions.reduce((sum, { fee }) => sum + fee, 0n);
    const rewardBps = BigInt(host.params.liquidation?.rewardBps ?? 0);
    const reward = sender === null || sender === zeroAddress ? 0n : floor(fees * rewardBps, 10_000n);
    if (sender !== null && reward > 0n) {
      undo.add(host.account(sender), 'collateral', reward);
      events.push(`reward ${address} ${sender} ${reward}`);
      this.#changeFund(-reward);
    }
    return {
      type: 'liquidate',
      address,
      positions,
      cancelledOrders: own.map(({ id }) => id),
      collateral: state.accounts[address]!.collateral,
      badDebt,
      reward,
    };
  }

  /** Slices of positions, the ones with most margin first. */
  #reduce(address: string): ModelClosed[] {
    const { state, undo } = this.#host;
    const closed: ModelClosed[] = [];
    for (const { market } of this.#ranked(address)) {
      if (!this.liquidatable(address)) break;
      const { size } = state.accounts[address]!.positions[market]!;
      const best = bestOf(state, market, size > 0n);
      if (best === undefined || this.#most(address, market, best.price, abs(size), false) === 0n) continue;
      const id = undo.next(state, 'nextOrder');
      const slice = this.#slice(market, abs(size));
      const inBook = this.#inBook(id, address, market, { slice, funded: false });
      closed.push(this.#tell(id, address, market, size, inBook));
    }
    return closed;
  }

  #slice(market: number, held: bigint): bigint {
    const { sliceBps, sliceNotionalMin } = this.#host.params.liquidation ?? { sliceBps: 0, sliceNotionalMin: 0n };
    const { lot } = this.#host.state.markets[market - 1]!;
    if (sliceBps === 0) return held;
    const least = max(ceil(held * BigInt(sliceBps), 10_000n), ceil(sliceNotionalMin, this.#price(market)));
    return min(held, ceil(least, lot) * lot);
  }

  /** All positions, of who has less than nothing. */
  #closeAll(address: string): [ModelClosed[], bigint] {
    const { state, undo } = this.#host;
    const prices: Record<number, bigint> = {};
    const order = this.#ranked(address).map(({ market }) => market);
    for (const market of order) prices[market] = this.#price(market);
    const closed = order.map((market): [number, ModelClosed] => {
      const id = undo.next(state, 'nextOrder');
      const { size } = state.accounts[address]!.positions[market]!;
      const canPay = this.equity(address, true) + this.#fund(address) >= 0n;
      const inBook = canPay
        ? this.#inBook(id, address, market, { slice: abs(size), funded: true, price: prices[market]! })
        : { trades: [], fee: 0n, paid: 0n };
      return [id, this.#tell(id, address, market, size, inBook)];
    });
    this.#payFromFund(address, -this.equity(address, true));
    const missing = max(0n, -this.equity(address, true));
    const losses: bigint[] = order.map((market) => {
      const position = state.accounts[address]!.positions[market];
      return position === undefined ? 0n : max(0n, -profitOf(position, prices[market]!));
    });
    if (!losses.some((loss) => loss > 0n)) losses[0] = 1n;
    let left = missing;
    order.forEach((market, index) => {
      const rest = losses.slice(index).reduce((sum, loss) => sum + loss, 0n);
      const share = rest === 0n ? 0n : floor(left * losses[index]!, rest);
      left -= share;
      const [id, told] = closed[index]!;
      const adl = this.#againstOthers(id, address, market, { share, price: prices[market]! });
      closed[index] = [
        id,
        { ...told, adl, closed: adl.reduce((sum, { size }) => sum + size, told.closed), remaining: 0n },
      ];
    });
    return [closed.map(([, told]) => told), this.settleLoss(address, order[0]!)];
  }

  /** @param size what the position was */
  #tell(
    id: number,
    address: string,
    market: number,
    size: bigint,
    { trades, fee, paid }: { readonly trades: string[]; readonly fee: bigint; readonly paid: bigint },
  ): ModelClosed {
    const { state, events } = this.#host;
    events.push(`liquidation ${id} ${address} ${market} ${size} ${fee} ${paid}`);
    if (fee !== paid) events.push(`fund ${fee - paid} ${state.insurance}`);
    const remaining = abs(state.accounts[address]!.positions[market]?.size ?? 0n);
    return { market, size, closed: abs(size) - remaining, remaining, trades, fee, paid, adl: [] };
  }

  /** What is left of who has no position. */
  settleLoss(address: string, market: number): bigint {
    const account = this.#host.account(address);
    if (account.collateral >= 0n || Object.keys(account.positions).length > 0) return 0n;
    this.#payFromFund(address, -account.collateral);
    return account.collateral < 0n ? this.#host.claims.writeOff(address, market) : 0n;
  }

  /** The fund for who has nothing to do with markets that nobody outside prices, where others are. */
  #fund(address: string): bigint {
    const { state, params } = this.#host;
    const { positions, claims } = this.#host.account(address);
    const owing = Object.keys(claims).filter((id) => claims[Number(id)]! < 0n);
    const isOut = [...Object.keys(positions), ...owing].some((id) => state.markets[Number(id) - 1]!.oracle === null);
    return params.oracle !== undefined && isOut ? 0n : state.insurance;
  }

  #payFromFund(address: string, loss: bigint): void {
    const { undo, events } = this.#host;
    const paid = min(loss, this.#fund(address));
    if (paid <= 0n) return;
    undo.add(this.#host.account(address), 'collateral', paid);
    events.push(`covered ${address} ${paid}`);
    this.#changeFund(-paid);
  }

  #inBook(
    id: number,
    address: string,
    market: number,
    { slice, funded, price: mark = this.#price(market) }: { slice: bigint; funded: boolean; price?: bigint },
  ): { readonly trades: string[]; readonly fee: bigint; readonly paid: bigint } {
    const host = this.#host;
    const trades: string[] = [];
    let [fee, paid, part] = [0n, 0n, slice];
    const until = host.changes + host.most;
    for (;;) {
      const held = host.state.accounts[address]!.positions[market]?.size ?? 0n;
      const maker = held === 0n ? undefined : bestOf(host.state, market, held > 0n);
      if (maker === undefined) break;
      const wanted = min(maker.remaining, min(part, abs(held)));
      const size = this.#most(address, market, maker.price, wanted, funded, mark);
      if (size === 0n || host.changes >= until) break;
      if (host.expired(maker) || !host.makerMay(maker, size)) {
        host.cancel(maker, host.expired(maker) ? 'expired' : 'margin');
        continue;
      }
      // What the account is worth when it has traded at the price, at the mark of now.
      const after = this.equity(address, true) - (held > 0n ? mark - maker.price : maker.price - mark) * size;
      const feeMost = floor(maker.price * size * BigInt(host.params.liquidationFeeBps), 10_000n);
      const short = min(this.equity(address, true), 0n) - after;
      const charged = funded ? -max(0n, short) : max(0n, [after, feeMost, host.claims.own(address)].reduce(min));
      trades.push(this.#trade(address, maker, { id, size, charged }));
      if (charged > 0n) fee += charged;
      else paid -= charged;
      part -= size;
      if (size < wanted) break;
      if (part > 0n) continue;
      if (!funded && !this.liquidatable(address)) break;
      part = slice;
    }
    return { trades, fee, paid };
  }

  /** How much of a size the account, or the fund, can have closed at a price that is near enough. */
  #most(
    address: string,
    market: number,
    price: bigint,
    size: bigint,
    funded: boolean,
    mark = this.#price(market),
  ): bigint {
    const { params, state } = this.#host;
    const { lot } = state.markets[market - 1]!;
    const long = state.accounts[address]!.positions[market]!.size > 0n;
    const worse = long ? mark - price : price - mark;
    const bounds = [params.liquidation?.bandBps || undefined, funded ? params.insuranceSlippageBps : undefined];
    if (worse > 0n && bounds.some((bps) => bps !== undefined && worse * 10_000n > mark * BigInt(bps))) return 0n;
    const money = this.equity(address, true) + (funded ? this.#fund(address) : 0n);
    return mostThat(size / lot, (lots) => worse <= 0n || lots * lot * worse <= money) * lot;
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
      const { owner, market } = maker;
      const { events } = host.fees.charge({
        market,
        taker: address,
        maker: owner,
        notional,
        owed: 0n,
        rebateFrom: fee,
      });
      return { fee, events };
    });
    return tradeText(trade);
  }

  /** Closes against the opposite positions, best ranked first, at the mark; a share of the loss comes out of their profit. */
  #againstOthers(
    id: number,
    address: string,
    market: number,
    { share, price }: { readonly share: bigint; readonly price: bigint },
  ): ModelDeleverage[] {
    const host = this.#host;
    const { state } = host;
    const held = state.accounts[address]!.positions[market]?.size ?? 0n;
    const closed: ModelDeleverage[] = [];
    let [left, unpaid] = [abs(held), share];
    for (const other of this.#opposite(market, held > 0n, price)) {
      if (left === 0n) break;
      const theirs = state.accounts[other]!.positions[market]!;
      const size = min(left, abs(theirs.size));
      const released = (theirs.entry * size) / abs(theirs.size);
      const profit = theirs.size > 0n ? size * price - released : released - size * price;
      const paid = max(0n, [unpaid, profit, this.equity(other, false)].reduce(min));
      const value = held > 0n ? size * price + paid : size * price - paid;
      this.#closeFor(other, market, size, value);
      this.#closeFor(address, market, size, value);
      left -= size;
      unpaid -= paid;
      host.events.push(`deleveraged ${id} ${address} ${other} ${market} ${held > 0n ? size : -size} ${value}`);
      closed.push({ address: other, size, value });
      this.settleLoss(other, market);
    }
    if (left !== 0n) throw new Error(`nobody is left to close ${left} of ${address} against`);
    return closed;
  }

  /** Holders of the other side, the most profitable for their risk first. */
  #opposite(market: number, long: boolean, price: bigint): string[] {
    return Object.entries(this.#host.state.accounts)
      .filter(([, { positions }]) => {
        const theirs = positions[market];
        return theirs !== undefined && theirs.size > 0n !== long;
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
      })
      .map(({ other }) => other);
  }

  #closeFor(address: string, market: number, size: bigint, value: bigint): void {
    this.#host.settle(address, market);
    const { undo, state } = this.#host;
    const account = state.accounts[address]!;
    const position = account.positions[market]!;
    const released = (position.entry * size) / abs(position.size);
    realize(undo, account, market, position.size > 0n ? value - released : released - value);
    undo.add(position, 'entry', -released);
    undo.add(position, 'size', position.size > 0n ? -size : size);
    if (position.size === 0n) undo.remove(account.positions, market);
    this.#host.moved(address, market);
  }

  #changeFund(by: bigint): void {
    if (by === 0n) return;
    const { state, events, undo } = this.#host;
    undo.add(state, 'insurance', by);
    events.push(`fund ${by} ${state.insurance}`);
  }

  /** Positions that count, the one with most margin first. */
  #ranked(address: string): { readonly market: number; readonly need: bigint }[] {
    return this.#needs(address).sort((a, b) => (a.need === b.need ? a.market - b.market : a.need > b.need ? -1 : 1));
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
