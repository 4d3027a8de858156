import type { Address, Hex } from '@prime/primitives';
import { type Holdings, accountMargin, noStake } from '@prime/clob';
import {
  type MarketRecord,
  type OrderRecord,
  decodeAccountRecord,
  decodeClosedOrdersRecord,
  decodeGlobalRecord,
  decodeMarketRecord,
  decodeOrderRecord,
  decodeRefusedOrdersRecord,
  recordKind,
  statePrefix,
} from '@prime/codec';
import type { MemoryDatabase } from '@prime/evm/testing';

/** A client id as records have it. */
export const clientHex = (id: bigint): Hex => `0x${id.toString(16).padStart(32, '0')}` as Hex;

/** What the contract of the order book answers, counted again from all records. */
export class Recount {
  readonly orders = new Map<number, OrderRecord>();
  readonly markets = new Map<number, MarketRecord>();
  readonly accounts = new Map<Address, ReturnType<typeof decodeAccountRecord>>();
  readonly ended: {
    readonly height: number;
    readonly rank: number;
    readonly owner: Address;
    readonly clientId: string | null;
    readonly answer: readonly unknown[];
  }[] = [];
  global!: ReturnType<typeof decodeGlobalRecord>;

  static async of(database: MemoryDatabase): Promise<Recount> {
    const recount = new Recount();
    for await (const [key, value] of database.entries(Uint8Array.of(statePrefix.clobRecord)))
      recount.#add(key.slice(1), value);
    return recount;
  }

  #add(key: Uint8Array, value: Uint8Array): void {
    const kind = recordKind(key);
    if (kind === 'global') this.global = decodeGlobalRecord(value);
    if (kind === 'market') {
      const market = decodeMarketRecord(value);
      this.markets.set(market.marketId, market);
    }
    if (kind === 'order') {
      const order = decodeOrderRecord(value);
      this.orders.set(order.orderId, order);
    }
    if (kind === 'account') {
      const account = decodeAccountRecord(value);
      this.accounts.set(account.address, account);
    }
    if (kind === 'closedOrders') {
      const { height, orders } = decodeClosedOrdersRecord(value);
      for (const { owner, clientId, orderId, end, filled } of orders)
        this.ended.push({
          height,
          rank: 1,
          owner,
          clientId,
          answer: [BigInt(orderId), end === 'filled' ? 2 : 3, filled],
        });
    }
    if (kind === 'refusedOrders') {
      const { height, orders } = decodeRefusedOrdersRecord(value);
      for (const { owner, clientId } of orders)
        this.ended.push({ height, rank: 0, owner, clientId, answer: [0n, 4, 0n] });
    }
  }

  #levels(marketId: number, side: 'buy' | 'sell', depth: number): { price: bigint; size: bigint }[] {
    const sizes = new Map<bigint, bigint>();
    for (const order of this.orders.values())
      if (order.marketId === marketId && order.side === side)
        sizes.set(order.price, (sizes.get(order.price) ?? 0n) + order.remaining);
    const levels = [...sizes].map(([price, size]) => ({ price, size }));
    levels.sort((a, b) => (a.price < b.price === (side === 'sell') ? -1 : 1));
    return levels.slice(0, depth);
  }

  #margin(owner: Address) {
    const account = this.accounts.get(owner);
    const exposures = [...this.markets.keys()].map((marketId) => {
      const sums = { marketId, ...noStake };
      Object.assign(
        sums,
        account?.positions.find((position) => position.marketId === marketId),
      );
      sums.claim = account?.claims?.find((claim) => claim.marketId === marketId)?.amount ?? 0n;
      for (const { marketId: of, owner: whose, side, price, remaining } of this.orders.values()) {
        if (of !== marketId || whose !== owner) continue;
        sums[side === 'buy' ? 'buySize' : 'sellSize'] += remaining;
        sums[side === 'buy' ? 'buyNotional' : 'sellNotional'] += remaining * price;
      }
      return sums;
    });
    const holdings: Holdings = { collateral: account?.collateral ?? 0n, exposures };
    return accountMargin(holdings, (id) => {
      const { markPrice, lastPrice, margin, profitPool = 0n } = this.markets.get(id)!;
      const params = margin ?? this.global.defaultMargin;
      return { price: markPrice ?? lastPrice, params, fundingIndex: 0n, liquidates: true, profitPool };
    });
  }

  answer(name: string, args: readonly unknown[]): unknown {
    const [first, second] = args as [never, never];
    const market = this.markets.get(first)!;
    switch (name) {
      case 'markets':
        return [...this.markets.keys()];
      case 'insuranceFund':
        return this.global.insurance;
      case 'market': {
        const { initialMarginBps, maintenanceMarginBps } = market.margin ?? this.global.defaultMargin;
        const { symbol, tickSize, lotSize, baseDecimals, quoteDecimals } = market;
        return [symbol, tickSize, lotSize, initialMarginBps, maintenanceMarginBps, baseDecimals, quoteDecimals];
      }
      case 'bestPrices':
        return [
          this.#levels(first, 'buy', 1)[0]?.price ?? 0n,
          this.#levels(first, 'sell', 1)[0]?.price ?? 0n,
          market.lastPrice ?? 0n,
          market.markPrice ?? 0n,
        ];
      case 'book':
        return [this.#levels(first, 'buy', second), this.#levels(first, 'sell', second)];
      case 'position': {
        const position = this.accounts.get(first)?.positions.find(({ marketId }) => marketId === second);
        return [position?.size ?? 0n, position?.entry ?? 0n];
      }
      case 'account': {
        const { equity, initial, maintenance, withdrawable } = this.#margin(first);
        return [this.accounts.get(first)?.collateral ?? 0n, equity, initial, maintenance, withdrawable];
      }
      case 'isLiquidatable':
        return this.#margin(first).isLiquidatable;
      case 'order': {
        const order = this.orders.get(Number(first));
        if (order === undefined) return [`0x${'0'.repeat(40)}`, 0, false, 0n, 0n];
        return [order.owner, order.marketId, order.side === 'buy', order.price, order.remaining];
      }
      default:
        return this.#clientOrder(first, second);
    }
  }

  #clientOrder(owner: Address, id: bigint): unknown {
    const clientId = clientHex(id);
    for (const order of this.orders.values())
      if (order.owner === owner && order.clientId === clientId)
        return [BigInt(order.orderId), 1, order.size - order.remaining];
    const own = this.ended.filter((one) => one.owner === owner && one.clientId === clientId);
    own.sort((a, b) => a.height - b.height || a.rank - b.rank);
    return own.at(-1)?.answer ?? [0n, 0, 0n];
  }
}
