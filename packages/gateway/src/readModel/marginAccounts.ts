import { accountMargin, type Holdings, type MarginMarket, unrealized } from '@prime/clob';
import {
  type AccountRecord,
  decodeAccountRecord,
  decodeGlobalRecord,
  type MarginParams,
  type MarketRecord,
  type OrderRecord,
} from '@prime/codec';
import type { Address, MarketId } from '@prime/primitives';
import type { MarginAccount, MarketInfo } from '@prime/rpc';

/** Where the other half of an account's margin stands. */
export interface MarginSources {
  market(id: MarketId): MarketRecord | undefined;
  openOrdersOf(owner: Address): Iterable<OrderRecord>;
}

/** Collateral and positions of all accounts, and their margin at the head, computed when it is asked for. */
export class MarginAccounts {
  private readonly accounts = new Map<Address, AccountRecord>();
  private readonly sources: MarginSources;
  private readonly minTrades: number;
  private defaultMargin: MarginParams = { initialMarginBps: 0, maintenanceMarginBps: 0 };

  /** @param minTrades blocks with trades that a market needs before it counts for liquidations */
  constructor(sources: MarginSources, minTrades: number) {
    this.sources = sources;
    this.minTrades = minTrades;
  }

  writeGlobal(value: Uint8Array | null): void {
    if (value !== null) this.defaultMargin = decodeGlobalRecord(value).defaultMargin;
  }

  writeAccount(address: Address, value: Uint8Array | null): void {
    if (value === null) this.accounts.delete(address);
    else this.accounts.set(address, decodeAccountRecord(value));
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
      positions: (record?.positions ?? []).map(({ marketId, size, entry }) => {
        const { price } = this.marginMarket(marketId);
        return { marketId, size, entry, unrealized: price === null ? null : unrealized(size, entry, price) };
      }),
      openOrders,
    };
  }

  marketInfo(record: MarketRecord): MarketInfo {
    const { marketId, symbol, tickSize, lotSize, status, lastPrice, markPrice, margin } = record;
    return { marketId, symbol, tickSize, lotSize, status, lastPrice, markPrice, ...(margin ?? this.defaultMargin) };
  }

  /** Positions, with the sums of open orders that margin asks for. */
  private holdingsOf(address: Address, record: AccountRecord | undefined): Holdings {
    const exposures = new Map<number, ReturnType<typeof emptyExposure>>();
    const exposure = (id: number): ReturnType<typeof emptyExposure> => {
      const known = exposures.get(id) ?? emptyExposure(id);
      exposures.set(id, known);
      return known;
    };
    for (const { marketId, size, entry } of record?.positions ?? []) Object.assign(exposure(marketId), { size, entry });
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
    return {
      price: record?.markPrice ?? record?.lastPrice ?? null,
      params: record?.margin ?? this.defaultMargin,
      liquidates: (record?.tradeBlocks ?? 0) >= this.minTrades,
    };
  }
}

const emptyExposure = (marketId: number) => ({
  marketId,
  size: 0n,
  entry: 0n,
  buySize: 0n,
  buyNotional: 0n,
  sellSize: 0n,
  sellNotional: 0n,
});
