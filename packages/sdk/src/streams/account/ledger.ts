import { bigintAbs } from '@prime/primitives';
import type { OpenOrder } from '../../types/order.ts';
import type { Address } from '../../types/primitives.ts';
import type { DomainEventOf } from '../domainEvents.ts';
import type {
  AccountDifference,
  AccountFill,
  BlockPosition,
  FundingPayment,
  HeldPosition,
  OrderUpdate,
} from '../types.ts';
import { fillsFromEvents } from './fills.ts';
import { type OpenOrders, stepOrders } from './orders.ts';
import { closePart, fillPosition, type PositionStep } from './positions.ts';

/** All that an account has in the order book after a block. Never changed, only replaced. */
export interface Ledger {
  readonly blockNumber: bigint;
  /** Wei; negative is a debt. Funding that is not settled yet is not in it. */
  readonly collateral: bigint;
  /** By market; none of size 0. */
  readonly positions: ReadonlyMap<number, HeldPosition>;
  /** By order id. */
  readonly orders: OpenOrders;
}

/** What a block did to an account. */
export interface LedgerStep {
  readonly ledger: Ledger;
  readonly fills: readonly AccountFill[];
  readonly funding: readonly FundingPayment[];
  readonly orders: readonly OrderUpdate[];
  /** What the block says and the ledger does not: it was wrong before. */
  readonly differences: readonly AccountDifference[];
}

/** The account whose events are added up, and what they do not say themselves. */
export interface Followed {
  readonly address: Address;
  /** Account that gets a part of fees, which its events do not name; null where there is none. */
  readonly treasury: Address | null;
}

/** An account as it stood after a block. Positions of size 0 are left out. */
export const createLedger = (
  blockNumber: bigint,
  collateral: bigint,
  positions: readonly HeldPosition[],
  orders: readonly OpenOrder[],
): Ledger => ({
  blockNumber,
  collateral,
  positions: new Map(positions.filter(({ size }) => size !== 0n).map((position) => [position.marketId, position])),
  orders: new Map(orders.map((order) => [order.orderId, order])),
});

/** Money and positions while the events of a block are taken. */
class Purse {
  collateral: bigint;
  readonly positions: Map<number, HeldPosition>;
  readonly differences: AccountDifference[] = [];
  readonly #followed: Followed;

  constructor({ collateral, positions }: Ledger, followed: Followed) {
    this.collateral = collateral;
    this.positions = new Map(positions);
    this.#followed = followed;
  }

  take(event: DomainEventOf): void {
    const { kind, data } = event;
    if (kind === 'trade') {
      const { size: traded }: { readonly size: bigint } = data;
      const bought = data.side === 'buy' ? traded : -traded;
      this.#move(data.taker, data.marketId, (size, entry) => fillPosition(size, entry, bought, data.price));
      this.#move(data.maker, data.marketId, (size, entry) => fillPosition(size, entry, -bought, data.price));
    } else if (kind === 'deleveraged') {
      const closed = bigintAbs(data.size);
      for (const account of [data.address, data.counterparty])
        this.#move(account, data.marketId, (size, entry) =>
          // Nothing to close: the ledger is wrong, and reconciliation says where.
          size === 0n ? { size, entry, realized: 0n } : closePart(size, entry, closed, data.value),
        );
    } else if (kind === 'position_settled') {
      const closed = bigintAbs(data.size);
      this.#move(data.address, data.marketId, (size, entry) =>
        size === 0n ? { size, entry, realized: 0n } : closePart(size, entry, closed, closed * data.price),
      );
    } else if (kind === 'loss_settled') {
      const { amount }: { readonly amount: bigint } = data;
      this.#move(data.address, data.marketId, (size) => ({ size, entry: data.entry, realized: -amount }));
    } else this.#money(event);
  }

  #money({ kind, data }: DomainEventOf): void {
    switch (kind) {
      case 'trade_fees':
        this.#take(data.taker, data.takerFee);
        this.#take(data.maker, data.makerFee);
        if (this.#followed.treasury !== null) this.#pay(this.#followed.treasury, data.treasury);
        return;
      case 'collateral_deposited':
        this.#pay(data.address, data.amount);
        return this.#compare(data.address, data.collateral);
      case 'collateral_withdrawn':
        this.#take(data.address, data.amount);
        return this.#compare(data.address, data.collateral);
      case 'collateral_transferred':
        this.#take(data.from, data.amount);
        return this.#pay(data.to, data.amount);
      case 'liquidation':
        return this.#pay(data.address, data.insurancePaid - data.fee);
      case 'liquidation_reward':
        return this.#pay(data.liquidator, data.amount);
      case 'bad_debt':
      case 'debt_covered':
      case 'funding_paid':
        return this.#pay(data.address, data.amount);
      default:
    }
  }

  #pay(account: Address, amount: bigint): void {
    if (account === this.#followed.address) this.collateral += amount;
  }

  #take(account: Address, amount: bigint): void {
    this.#pay(account, -amount);
  }

  /** Some events tell what the account has afterwards. */
  #compare(account: Address, chain: bigint): void {
    if (account !== this.#followed.address || chain === this.collateral) return;
    this.differences.push({ what: 'collateral', local: this.collateral, chain });
    this.collateral = chain;
  }

  #move(account: Address, marketId: number, step: (size: bigint, entry: bigint) => PositionStep): void {
    if (account !== this.#followed.address) return;
    const { size: held = 0n, entry: paid = 0n } = this.positions.get(marketId) ?? {};
    const { size, entry, realized } = step(held, paid);
    this.collateral += realized;
    if (size === 0n) this.positions.delete(marketId);
    else this.positions.set(marketId, { marketId, size, entry });
  }
}

const causeOf = (
  kind: 'trade' | 'liquidation' | 'deleveraging',
  liquidity: 'maker' | 'taker' | null,
): AccountFill['cause'] => {
  if (kind === 'deleveraging') return kind;
  return kind === 'liquidation' && liquidity === 'taker' ? 'liquidation' : 'order';
};

/** What events did to the positions of the account, and why. */
export const accountFills = (events: readonly DomainEventOf[], account: Address): readonly AccountFill[] =>
  fillsFromEvents(events, account).map(({ kind, ...fill }) => ({
    ...fill,
    cause: causeOf(kind, fill.liquidity),
  }));

/** Funding that events settled into the collateral of the account. */
export const accountFunding = (events: readonly DomainEventOf[], account: Address): readonly FundingPayment[] =>
  events.flatMap(({ kind, data, blockNumber, blockHash, timeMs }) =>
    kind === 'funding_paid' && data.address === account
      ? [{ blockNumber, blockHash, timeMs, marketId: data.marketId, size: data.size, amount: data.amount }]
      : [],
  );

/**
 * The account after a block.
 *
 * @param events of the block, in order: all that name the account, and those of trade_fees if it is the treasury; others are passed over
 */
export function stepLedger(
  ledger: Ledger,
  events: readonly DomainEventOf[],
  position: BlockPosition,
  followed: Followed,
): LedgerStep {
  const purse = new Purse(ledger, followed);
  for (const event of events) purse.take(event);
  const orders = stepOrders(ledger.orders, events, followed.address, position);
  const fills = accountFills(events, followed.address);
  const unknown = orders.unknown.map(
    (orderId): AccountDifference => ({ what: 'order', orderId, local: null, chain: null }),
  );
  return {
    ledger: {
      blockNumber: position.blockNumber,
      collateral: purse.collateral,
      positions: purse.positions,
      orders: orders.open,
    },
    fills,
    funding: accountFunding(events, followed.address),
    orders: orders.updates,
    differences: [...purse.differences, ...unknown],
  };
}

const sameOrder = (a: OpenOrder, b: OpenOrder): boolean =>
  a.marketId === b.marketId &&
  a.side === b.side &&
  a.price === b.price &&
  a.size === b.size &&
  a.remaining === b.remaining &&
  a.tif === b.tif &&
  a.clientId === b.clientId &&
  a.createdBlock === b.createdBlock &&
  a.expiresAtSeconds === b.expiresAtSeconds;

const samePosition = (a: HeldPosition, b: HeldPosition): boolean => a.size === b.size && a.entry === b.entry;

/** Where two maps differ, by key. */
function differing<T>(
  local: ReadonlyMap<number, T>,
  chain: ReadonlyMap<number, T>,
  isSame: (a: T, b: T) => boolean,
): readonly { readonly key: number; readonly local: T | null; readonly chain: T | null }[] {
  const keys = [...new Set([...local.keys(), ...chain.keys()])].toSorted((a, b) => a - b);
  return keys
    .map((key) => ({ key, local: local.get(key) ?? null, chain: chain.get(key) ?? null }))
    .filter((pair) => pair.local === null || pair.chain === null || !isSame(pair.local, pair.chain));
}

/** Where an account as it was followed is not as the chain has it. Both are of one block. */
export function compareLedgers(local: Ledger, chain: Ledger): readonly AccountDifference[] {
  const collateral: AccountDifference[] =
    local.collateral === chain.collateral
      ? []
      : [{ what: 'collateral', local: local.collateral, chain: chain.collateral }];
  const positions = differing(local.positions, chain.positions, samePosition).map(
    ({ key, ...pair }): AccountDifference => ({ what: 'position', marketId: key, ...pair }),
  );
  const orders = differing(local.orders, chain.orders, sameOrder).map(
    ({ key, ...pair }): AccountDifference => ({ what: 'order', orderId: key, ...pair }),
  );
  return [...collateral, ...positions, ...orders];
}
