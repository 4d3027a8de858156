import type { OrderFields } from '@prime/codec';
import { max, min, type ModelAccount, type ModelState, ordersThat, type RulesHost } from '../state.ts';
import type { Undo } from '../undo.ts';

/** Books what an account won or lost in a market: it is collateral at once, and claimed until it is paid. */
export function realize(undo: Undo, account: ModelAccount, market: number, wei: bigint): void {
  undo.add(account, 'collateral', wei);
  claim(undo, account, market, wei);
}

/** Notes what is open between an account and a market, without a change of its collateral. */
export const claim = (undo: Undo, account: ModelAccount, market: number, wei: bigint): void =>
  setClaim(undo, account, market, (account.claims[market] ?? 0n) + wei);

function setClaim(undo: Undo, { claims }: ModelAccount, market: number, wei: bigint): void {
  if (wei !== 0n) undo.set(claims, market, wei);
  else if (claims[market] !== undefined) undo.remove(claims, market);
}

/** What rests on the other side at an order's limit or better, whoever it belongs to. */
export function reachable(state: ModelState, { marketId, side, price: limit }: OrderFields): bigint {
  const buy = side === 'buy';
  return ordersThat(
    state,
    (order) => order.market === marketId && order.buy !== buy && (buy ? order.price <= limit : order.price >= limit),
  ).reduce((sum, { remaining }) => sum + remaining, 0n);
}

/** Books a fill. @param quantity negative for a sale */
export function bookFill(undo: Undo, account: ModelAccount, market: number, quantity: bigint, price: bigint): void {
  const position = account.positions[market] ?? { size: 0n, entry: 0n, owed: 0n };
  let { size, entry } = position;
  // One base unit after the other would round differently: close first, then open, as the rule says.
  const opposite = size !== 0n && size > 0n !== quantity > 0n;
  let left = quantity < 0n ? -quantity : quantity;
  if (opposite) {
    const held = size < 0n ? -size : size;
    const closed = left < held ? left : held;
    const released = (entry * closed) / held;
    realize(undo, account, market, size > 0n ? closed * price - released : released - closed * price);
    entry -= released;
    size += quantity > 0n ? closed : -closed;
    left -= closed;
  }
  size += quantity > 0n ? left : -left;
  entry += left * price;
  if (size === 0n) undo.remove(account.positions, market);
  else undo.set(account.positions, market, { ...position, size, entry });
}

/** The rules of claims, pools and debts, from docs/protocol/clob.md. Nothing of them changes anybody's collateral, but what is written off. */
export class ModelClaims {
  readonly #host: RulesHost;

  constructor(host: RulesHost) {
    this.#host = host;
  }

  /** Profit that the pools can not pay. */
  unpaid(address: string): bigint {
    const { claims } = this.#host.account(address);
    return Object.entries(claims).reduce((sum, [id, wei]) => sum + max(0n, wei - this.#market(id).pool), 0n);
  }

  /** What the account would have if all its markets forgot it. */
  own(address: string): bigint {
    const { collateral, claims } = this.#host.account(address);
    return Object.values(claims).reduce((left, wei) => left - wei, collateral);
  }

  /** {@link realize}, of an account by its address. */
  realize(address: string, market: number, wei: bigint): void {
    realize(this.#host.undo, this.#host.account(address), market, wei);
  }

  payLosses(address: string): void {
    const { claims } = this.#host.account(address);
    for (const id of Object.keys(claims)) {
      const paid = min(-claims[Number(id)]!, this.own(address));
      if (paid > 0n) this.#move(address, id, -paid);
    }
  }

  /** At the end of a block all pay their losses first, and then who is short takes profit for them. */
  payAll(): void {
    const addresses = Object.keys(this.#host.state.accounts).sort((a, b) => (a < b ? -1 : 1));
    for (const address of addresses) this.payLosses(address);
    for (const address of addresses)
      if (this.own(address) < 0n || this.#owes(address) > 0n) this.takeProfit(address, 0n);
  }

  #owes(address: string): bigint {
    return Object.values(this.#host.account(address).claims).reduce((sum, wei) => sum + max(0n, -wei), 0n);
  }

  /** Has markets pay, the first ones first, until an amount is the account's own and none of its losses is unpaid. */
  takeProfit(address: string, amount: bigint): void {
    this.payLosses(address);
    const { claims } = this.#host.account(address);
    let missing = amount + this.#owes(address) - this.own(address);
    for (const id of Object.keys(claims)) {
      const paid = min(missing, min(claims[Number(id)]!, this.#market(id).pool));
      if (paid <= 0n) continue;
      this.#move(address, id, paid);
      missing -= paid;
    }
    this.payLosses(address);
  }

  /** Makes a loss of who holds nothing the debt of markets. */
  writeOff(address: string, closed: number): bigint {
    this.payLosses(address);
    const { undo, events, state } = this.#host;
    const account = this.#host.account(address);
    const loss = -account.collateral;
    undo.set(account, 'collateral', 0n);
    events.push(`bad debt ${address} ${loss}`);
    const losers = Object.entries(account.claims).filter(([, wei]) => wei < 0n);
    const shares =
      losers.length === 0 ? [[String(closed), 1n] as const] : losers.map(([id, wei]) => [id, -wei] as const);
    let left = loss;
    shares.forEach(([id, own], index) => {
      const rest = shares.slice(index).reduce((sum, [, wei]) => sum + wei, 0n);
      const share = (left * own) / rest;
      left -= share;
      if (share === 0n) return;
      setClaim(undo, account, Number(id), (account.claims[Number(id)] ?? 0n) + share);
      const market = state.markets[Number(id) - 1]!;
      undo.add(market, 'debt', share);
      events.push(`debt ${id} ${address} ${share} ${market.debt}`);
    });
    return loss;
  }

  repayDebts(): void {
    const { undo, events, state, params } = this.#host;
    state.markets.forEach((market, index) => {
      if (params.oracle !== undefined && market.oracle === null) return;
      const paid = min(market.debt, state.insurance);
      if (paid === 0n) return;
      undo.add(market, 'debt', -paid);
      undo.add(market, 'pool', paid);
      undo.add(state, 'insurance', -paid);
      events.push(`repaid ${index + 1} ${paid} ${market.debt}`, `fund ${-paid} ${state.insurance}`);
    });
  }

  #move(address: string, id: string, wei: bigint): void {
    const { undo } = this.#host;
    const account = this.#host.account(address);
    setClaim(undo, account, Number(id), account.claims[Number(id)]! - wei);
    undo.add(this.#market(id), 'pool', -wei);
  }

  #market(id: string): RulesHost['state']['markets'][number] {
    return this.#host.state.markets[Number(id) - 1]!;
  }
}
