import type { BotOptions } from '../botState.ts';
import { createClientIds } from '../execution/clientIds.ts';
import type { AccountView, Book, OwnOrder } from '../market.ts';
import type { Strategy, Wanted } from '../strategy/strategy.ts';

export const fakeMarket = { marketId: 1, symbol: 'A/B', tickSize: 1n, lotSize: 1n } as const;
const fakeIds = createClientIds('fake', 1);

/** A strategy that wants what it is told to, or throws. */
export class FakeStrategy implements Strategy {
  readonly name = 'fake';
  wanted: Wanted | Error = { quotes: [{ side: 'buy', price: 99n, size: 10n }], takes: [] };
  decide(): Wanted {
    if (this.wanted instanceof Error) throw this.wanted;
    return this.wanted;
  }
}

export const fakeOptions = (strategy: Strategy, changes: Partial<BotOptions> = {}): BotOptions => ({
  market: fakeMarket,
  strategy,
  ids: fakeIds,
  execution: { priceToleranceTicks: 0, refillBelowPercent: 50, orderSeconds: 30, refreshSeconds: 10, batchMax: 100 },
  limits: { positionMax: null, notionalMax: null, lossMax: null },
  deadMan: { feedSilentMs: 1_000, staleMs: 1_000, strategySilentMs: 1_000 },
  openOrdersMax: 100,
  itemsPerSecond: 100,
  actionTtlMs: 5_000,
  ...changes,
});

export const fakeBook: Book = { bids: [{ price: 98n, size: 5n }], asks: [{ price: 102n, size: 5n }] };

export const fakeOrder = (changes: Partial<OwnOrder> = {}): OwnOrder => ({
  orderId: 1,
  clientId: fakeIds.next(1n, 0),
  side: 'buy',
  price: 99n,
  size: 10n,
  expiresAtSeconds: 0,
  ...changes,
});

export const fakeAccount = (changes: Partial<AccountView> = {}): AccountView => ({
  blockNumber: 1n,
  collateral: 1_000n,
  position: 0n,
  entry: 0n,
  orders: [],
  openOrders: changes.orders?.length ?? 0,
  ...changes,
});
