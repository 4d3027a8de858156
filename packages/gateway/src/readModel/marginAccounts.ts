import {
  accountMargin,
  type Holdings,
  liquidationState,
  type MarginMarket,
  noStake,
  storedMarginMarket,
  unrealized,
  unsettledFunding,
} from '@prime/clob';
import {
  type AccountRecord,
  type ClobParams,
  decodeAccountRecord,
  decodeGlobalRecord,
  decodeParametersRecord,
  type FeeParams,
  type FundingPool,
  type MarginParams,
  type MarketRecord,
  type OrderRecord,
} from '@prime/codec';
import { type Address, assert, compareStrings, type MarketId, type OrderId } from '@prime/primitives';
import type { InsolventAccount, MarginAccount, MarketInfo } from '@prime/rpc';
import { SubAccounts } from './subAccounts.ts';

/** Where the other half of an account's margin stands. */
export interface MarginSources {
  market(id: MarketId): MarketRecord | undefined;
  openOrdersOf(owner: Address): Iterable<OrderRecord>;
}

/** What the records do not say. */
export interface MarginRules {
  /** Blocks with trades that a market needs before it counts for liquidations. */
  readonly minTrades: number;
  readonly fees?: FeeParams | undefined;
  /** Length of an interval of funding; absent on networks without. */
  readonly fundingIntervalSeconds?: number | undefined;
  /** Who alone may add markets, and change parameters by itself. */
  readonly admin?: Address | null;
}

/** What of a network's parameters counts here. */
export const marginRulesOf = ({ mark, fees, funding, admin }: ClobParams): MarginRules => ({
  minTrades: mark.minTrades,
  fees,
  fundingIntervalSeconds: funding?.intervalSeconds,
  admin,
});

/** Collateral and positions of all accounts, and their margin at the head, computed when it is asked for. */
export class MarginAccounts {
  private readonly accounts = new Map<Address, AccountRecord>();
  private readonly sources: MarginSources;
  private rules: MarginRules;
  /** Of the next order that comes. */
  nextOrderId = 1 as OrderId;
  private defaultMargin: MarginParams = { initialMarginBps: 0, maintenanceMarginBps: 0 };
  private funding: FundingPool | undefined;
  readonly subAccounts = new SubAccounts();
  /** Base units of all longs. */
  private readonly longs = new Map<number, bigint>();

  /** @param rules of genesis, as long as no record has other ones */
  constructor(sources: MarginSources, rules: MarginRules) {
    this.sources = sources;
    this.rules = rules;
  }

  writeParameters(value: Uint8Array | null): void {
    if (value !== null) this.rules = marginRulesOf(decodeParametersRecord(value));
  }

  writeGlobal(value: Uint8Array | null): void {
    if (value === null) return;
    const { defaultMargin, funding, nextOrderId } = decodeGlobalRecord(value);
    this.defaultMargin = defaultMargin;
    this.nextOrderId = nextOrderId;
    this.funding = funding;
  }

  writeAccount(address: Address, value: Uint8Array | null): void {
    const record = value === null ? undefined : decodeAccountRecord(value);
    this.count(this.accounts.get(address), -1n);
    this.count(record, 1n);
    if (record === undefined) this.accounts.delete(address);
    else {
      this.accounts.set(address, record);
      this.subAccounts.note(record);
    }
  }

  private count(record: AccountRecord | undefined, sign: bigint): void {
    for (const { marketId, size } of record?.positions ?? [])
      if (size > 0n) this.longs.set(marketId, this.openInterest(marketId) + sign * size);
  }

  /** As the newest block has it; null where there is none. */
  get admin(): Address | null {
    return this.rules.admin ?? null;
  }

  /** Base units that longs hold. */
  openInterest(id: MarketId): bigint {
    return this.longs.get(id) ?? 0n;
  }

  private get hasFunding(): boolean {
    return this.funding !== undefined;
  }

  /** When the interval of funding ends that the head is in, ms; null without. */
  get fundingEndMs(): number | null {
    const { funding } = this;
    const seconds = this.rules.fundingIntervalSeconds;
    return funding === undefined || seconds === undefined ? null : (funding.interval + 1) * seconds * 1000;
  }

  account(address: Address): MarginAccount {
    const record = this.accounts.get(address);
    const holdings = this.holdingsOf(address, record);
    const margin = accountMargin(holdings, (id) => this.marginMarket(id));
    let openOrders = 0;
    for (const _ of this.sources.openOrdersOf(address)) openOrders++;
    return {
      address,
      collateral: holdings.collateral,
      equity: margin.equity,
      initialMargin: margin.initial,
      maintenanceMargin: margin.maintenance,
      freeCollateral: margin.free,
      withdrawable: margin.withdrawable,
      isLiquidatable: margin.isLiquidatable,
      isLocked: record?.locked ?? false,
      positions: (record?.positions ?? []).map(({ marketId, size, entry, fundingIndex = 0n }) => {
        const { price, fundingIndex: index } = this.marginMarket(marketId);
        const profit = price === null ? null : unrealized(size, entry, price);
        const position = { marketId, size, entry, unrealized: profit };
        return this.hasFunding ? { ...position, funding: unsettledFunding({ size, fundingIndex }, index) } : position;
      }),
      openOrders,
      ...(this.hasFunding ? { unsettledFunding: margin.unsettled } : {}),
      ...(record?.subAccount === undefined ? {} : { subAccount: record.subAccount }),
    };
  }

  /** Those who owe more than they have, least equity first, then by address. */
  insolvent(limit: number): InsolventAccount[] {
    const found: InsolventAccount[] = [];
    for (const [address, { collateral, positions }] of this.accounts) {
      if (collateral >= 0n && positions.length === 0) continue;
      const exposures = positions.map(({ fundingIndex = 0n, ...position }) => ({
        ...noStake,
        ...position,
        fundingIndex,
      }));
      const { equity } = liquidationState({ collateral, exposures }, (id) => this.marginMarket(id));
      if (equity < 0n) found.push({ address, equity, collateral });
    }
    found.sort((a, b) => (a.equity < b.equity ? -1 : a.equity > b.equity ? 1 : compareStrings(a.address, b.address)));
    return found.slice(0, limit);
  }

  marketInfo(record: MarketRecord): MarketInfo {
    const { marketId, symbol, tickSize, lotSize, baseDecimals, quoteDecimals } = record;
    const { status, lastPrice, markPrice, margin, riskTiers, limits, funding, oracle } = record;
    return {
      marketId,
      symbol,
      tickSize,
      lotSize,
      baseDecimals,
      quoteDecimals,
      status,
      lastPrice,
      markPrice,
      ...(margin ?? this.defaultMargin),
      ...(this.rules.fees === undefined ? {} : { fees: this.rules.fees }),
      ...(riskTiers === undefined ? {} : { riskTiers }),
      ...(limits === undefined ? {} : { limits }),
      ...(funding === undefined ? {} : { funding }),
      ...(oracle === undefined ? {} : { oracle }),
    };
  }

  /** Positions, with the sums of open orders that margin asks for. */
  private holdingsOf(address: Address, record: AccountRecord | undefined): Holdings {
    const exposures = new Map<number, ReturnType<typeof emptyExposure>>();
    const exposure = (id: number): ReturnType<typeof emptyExposure> => {
      const known = exposures.get(id) ?? emptyExposure(id);
      exposures.set(id, known);
      return known;
    };
    for (const { marketId, size, entry, fundingIndex = 0n } of record?.positions ?? [])
      Object.assign(exposure(marketId), { size, entry, fundingIndex });
    for (const { marketId, amount } of record?.claims ?? []) exposure(marketId).claim = amount;
    for (const { marketId, side, price, remaining } of this.sources.openOrdersOf(address)) {
      const sums = exposure(marketId);
      if (side === 'buy') {
        sums.buySize += remaining;
        sums.buyNotional += remaining * price;
      } else {
        sums.sellSize += remaining;
        sums.sellNotional += remaining * price;
      }
    }
    return { collateral: record?.collateral ?? 0n, exposures: [...exposures.values()] };
  }

  private marginMarket(id: number): MarginMarket {
    const record = this.sources.market(id as MarketId);
    assert(record !== undefined, `an account has an exposure in unknown market ${id}`);
    return storedMarginMarket(record, this.defaultMargin, this.rules.minTrades);
  }
}

const emptyExposure = (marketId: number) => ({ marketId, ...noStake });
