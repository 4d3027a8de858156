import { bigintAbs, bigintMax } from '@prime/primitives';
import type { FlowFill, FlowLine, FlowOutcome, OrderRef } from '../flow/flow.ts';
import type { Intent, TradingIntent } from './intents.ts';

/** What an account of a replay must have, so that nothing which was carried out in the flow is refused for lack of money. */
export interface AccountNeeds {
  /** Wei of collateral before the first operation. 0 for an account that does not trade. */
  readonly collateral: bigint;
  /** Wei that it sends or deposits, and what else of it leaves the EVM; without gas. */
  readonly wei: bigint;
  /** Gas of its transactions. */
  readonly gas: bigint;
}

interface Holding {
  position: bigint;
  /** Base units of open orders. */
  open: bigint;
  /** Most that position and open orders could be charged with at one time, base units. */
  peak: bigint;
}

interface Account {
  readonly holdings: Map<number, Holding>;
  /** Sold for minus bought for, wei. */
  cash: bigint;
  /** The least that {@link cash} was. */
  least: bigint;
  traded: bigint;
  outflow: bigint;
  wei: bigint;
  gas: bigint;
  trades: boolean;
}

interface Live {
  readonly account: number;
  readonly market: number;
  readonly isBuy: boolean;
  remaining: bigint;
}

/** Fees are at most a hundredth of what trades. */
const feeDivisor = 100n;

/**
 * Follows the intents of a flow and what they came to, and bounds what margin can ask of each account.
 *
 * At any time an account is asked for at most what its position could have lost, the initial margin of position and open orders, and the loss of open orders
 * at the mark. A mark lies between the prices of the orders of its market, and margin is at most the notional; so three times the open orders and twice the
 * position at the highest price, and what was paid for the position, always suffice. What is too much is given back.
 */
export class Needs {
  readonly #accounts: Account[] = [];
  readonly #live = new Map<OrderRef, Live>();
  /** By market. */
  readonly #highest = new Map<number, bigint>();

  /** Takes a line with what is done for it. */
  add(line: FlowLine, intents: readonly Intent[]): void {
    if (line.kind === 'account') this.#account(line.account);
    for (const intent of intents) this.#intend(intent);
    if (line.kind === 'action' || line.kind === 'contract' || line.kind === 'network')
      this.#happen(line.outcome, intents);
  }

  /** By index of the account. */
  all(): AccountNeeds[] {
    return this.#accounts.map(({ holdings, least, traded, outflow, wei, gas, trades }) => {
      let collateral = outflow - least + traded / feeDivisor;
      for (const [market, { peak }] of holdings) collateral += peak * (this.#highest.get(market) ?? 0n);
      return { collateral: trades ? bigintMax(collateral, 1n) : 0n, wei, gas };
    });
  }

  /** Orders that are followed: as many as rest at one time. */
  get followed(): number {
    return this.#live.size;
  }

  #intend(intent: Intent): void {
    switch (intent.does) {
      case 'batch':
        for (const item of intent.items) this.#trade(item);
        return;
      case 'plain':
        return this.#plain(this.#account(intent.account), intent.action);
      case 'transaction': {
        const account = this.#account(intent.line.account);
        account.wei += BigInt(intent.line.value);
        account.gas += BigInt(intent.line.gas);
        return;
      }
      default:
        return this.#trade(intent);
    }
  }

  #plain(account: Account, action: Extract<Intent, { readonly does: 'plain' }>['action']): void {
    account.trades = true;
    if (action.type === 'withdraw' || action.type === 'transfer') account.outflow += BigInt(action.amount);
    if (action.type === 'deposit' || action.type === 'enqueueEvmToOrders') account.wei += BigInt(action.amount);
  }

  #trade(intent: TradingIntent): void {
    this.#account(intent.account).trades = true;
    if (intent.does === 'order') {
      const { market, price, side } = intent.order;
      const remaining = BigInt(intent.order.size);
      this.#highest.set(market, bigintMax(this.#highest.get(market) ?? 0n, BigInt(price)));
      this.#live.set(intent.ref, { account: intent.account, market, isBuy: side === 'buy', remaining });
      this.#open(intent.account, market, remaining);
    } else if (intent.does === 'shrink') this.#shrink(intent.ref, BigInt(intent.size));
    else if (intent.does === 'cancel') this.#end(intent.ref);
  }

  #happen({ fills = [], removed = [], reduced = [] }: FlowOutcome, intents: readonly Intent[]): void {
    for (const fill of fills) for (const ref of [fill.maker, fill.taker]) this.#fill(ref, fill);
    for (const { order } of removed) this.#end(order);
    for (const { order, rests } of reduced) this.#shrink(order, BigInt(rests));
    for (const intent of intents.flatMap((one): readonly Intent[] => (one.does === 'batch' ? one.items : [one])))
      if (intent.does === 'order' && !intent.rests) this.#end(intent.ref);
  }

  #fill(ref: OrderRef, { market, price, size }: FlowFill): void {
    const live = this.#live.get(ref);
    if (live === undefined) return;
    const [account, units] = [this.#account(live.account), BigInt(size)];
    const notional = units * BigInt(price);
    account.cash += live.isBuy ? -notional : notional;
    if (account.cash < account.least) account.least = account.cash;
    account.traded += notional;
    holdingOf(account, market).position += live.isBuy ? units : -units;
    this.#open(live.account, market, -units);
    live.remaining -= units;
    if (live.remaining <= 0n) this.#live.delete(ref);
  }

  #shrink(ref: OrderRef, remaining: bigint): void {
    const live = this.#live.get(ref);
    if (live === undefined) return;
    this.#open(live.account, live.market, remaining - live.remaining);
    live.remaining = remaining;
  }

  #end(ref: OrderRef): void {
    const live = this.#live.get(ref);
    if (live === undefined) return;
    this.#open(live.account, live.market, -live.remaining);
    this.#live.delete(ref);
  }

  #open(account: number, market: number, change: bigint): void {
    const holding = holdingOf(this.#account(account), market);
    holding.open += change;
    holding.peak = bigintMax(holding.peak, 2n * bigintAbs(holding.position) + 3n * holding.open);
  }

  #account(index: number): Account {
    while (this.#accounts.length <= index)
      this.#accounts.push({
        holdings: new Map(),
        cash: 0n,
        least: 0n,
        traded: 0n,
        outflow: 0n,
        wei: 0n,
        gas: 0n,
        trades: false,
      });
    return this.#accounts[index]!;
  }
}

function holdingOf({ holdings }: Account, market: number): Holding {
  const known = holdings.get(market) ?? { position: 0n, open: 0n, peak: 0n };
  holdings.set(market, known);
  return known;
}
