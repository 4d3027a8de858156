import { type ActionPayload, type ClobParams, defaultClobParams, type GenesisMarket, kindOfCode } from '@prime/codec';
import { Model, type ModelAction, openOrders } from '@prime/model';
import { type Address, type MarketId, type OrderId, parseAddress } from '@prime/primitives';
import type { PlannedItem } from '../execution/planQuotes.ts';
import type { BotFill } from '../ledger.ts';
import { bestFirst, type AccountView, type Book, type Level, type Side } from '../market.ts';

/** A trade as the model tells it. */
export interface ModelTrade {
  readonly tradeId: number;
  readonly price: bigint;
  readonly size: bigint;
  readonly makerOrderId: number;
  readonly maker: string;
  readonly takerOrderId: number;
  readonly taker: string;
  /** The taker's. */
  readonly side: Side;
  /** What the taker paid. */
  readonly fee: bigint;
}

/** What a block did: one result for each action in their order, and its trades. */
export interface ModelBlock {
  readonly results: readonly unknown[];
  readonly trades: readonly ModelTrade[];
}

/** Collateral of everybody who trades here, wei: margin is not what a simulation is about. */
const plenty = 10n ** 40n;
const tradePattern = /^trade (\d+) (\d+)@(\d+) (\d+)\/(0x[0-9a-f]+) (\d+)\/(0x[0-9a-f]+) (buy|sell) (-?\d+)$/;

/** The chain's order book without a chain: the rules of `@prime/model`, a block at a time. */
export class ModelMarket {
  readonly #model: Model;
  readonly #funded = new Set<string>();
  #block = 0n;

  constructor(markets: readonly GenesisMarket[], params: Partial<ClobParams> = {}) {
    this.#model = new Model({ ...defaultClobParams, ...params }, markets);
  }

  get blockNumber(): bigint {
    return this.#block;
  }

  /** One block. Whoever acts for the first time is given collateral. */
  block(actions: readonly ModelAction[], timeMs: number): ModelBlock {
    const deposits = [...new Set(actions.map(({ account }) => account))]
      .filter((account) => !this.#funded.has(account))
      .map((account): ModelAction => ({ account, payload: { type: 'deposit', amount: plenty } }));
    for (const { account } of deposits) this.#funded.add(account);
    const results = this.#model.block([...deposits, ...actions], timeMs);
    this.#block++;
    return { results: results.slice(deposits.length), trades: this.#model.events.flatMap(tradeOf) };
  }

  /** Of the newest trade in a market; null before the first. */
  lastPrice(marketId: number): bigint | null {
    return this.#model.state.markets[marketId - 1]?.last ?? null;
  }

  book(marketId: number): Book {
    const levels = new Map<string, Level & { readonly side: Side }>();
    for (const { market, buy, price, remaining } of openOrders(this.#model)) {
      if (market !== marketId) continue;
      const side = buy ? 'buy' : 'sell';
      const key = `${side}${price}`;
      levels.set(key, { side, price, size: (levels.get(key)?.size ?? 0n) + remaining });
    }
    const of = (side: Side): Level[] =>
      bestFirst([...levels.values()], side).map(({ price, size }) => ({ price, size }));
    return { bids: of('buy'), asks: of('sell') };
  }

  account(address: string, marketId: number): AccountView {
    const own = openOrders(this.#model, address);
    const { collateral = 0n, positions = {} } = this.#model.state.accounts[address] ?? {};
    const held = positions[marketId];
    return {
      blockNumber: this.#block,
      collateral,
      position: held?.size ?? 0n,
      entry: held?.entry ?? 0n,
      openOrders: own.length,
      orders: own
        .filter(({ market }) => market === marketId)
        .map(({ id, buy, price, remaining, fields }) => ({
          orderId: id,
          clientId: fields.clientId,
          side: buy ? 'buy' : 'sell',
          price,
          size: remaining,
          expiresAtSeconds: fields.expiresAt,
        })),
    };
  }
}

function tradeOf(event: string): ModelTrade[] {
  const match = tradePattern.exec(event);
  if (match === null) return [];
  const [, tradeId, size, price, makerOrderId, maker, takerOrderId, taker, side, fee] = match;
  return [
    {
      tradeId: Number(tradeId),
      price: BigInt(price!),
      size: BigInt(size!),
      makerOrderId: Number(makerOrderId),
      maker: maker!,
      takerOrderId: Number(takerOrderId),
      taker: taker!,
      side: side as Side,
      fee: BigInt(fee!),
    },
  ];
}

/** Fills of an account, of both sides where it traded with itself. */
export const fillsOf = (trades: readonly ModelTrade[], address: string, blockNumber: bigint): BotFill[] =>
  trades.flatMap(({ tradeId, price, size, maker, makerOrderId, taker, takerOrderId, side, fee }) => {
    const common = { blockNumber, tradeId, size, value: price * size };
    const opposite: Side = side === 'buy' ? 'sell' : 'buy';
    const fills: BotFill[] = [];
    if (maker === address)
      fills.push({ ...common, orderId: makerOrderId, side: opposite, fee: 0n, liquidity: 'maker' });
    if (taker === address) fills.push({ ...common, orderId: takerOrderId, side, fee, liquidity: 'taker' });
    return fills;
  });

/** A batch as the chain takes it. */
export function toPayload(items: readonly PlannedItem[], market: number): ActionPayload {
  const marketId = market as MarketId;
  return {
    type: 'batch',
    items: items.map((item): ActionPayload => {
      switch (item.type) {
        case 'cancel':
          return { type: 'cancel', orderId: item.orderId as OrderId };
        case 'modify':
          return { type: 'modify', orderId: item.orderId as OrderId, price: item.price, size: item.size };
        case 'quote':
        case 'take': {
          const { side, price, size, clientId } = item;
          const isQuote = item.type === 'quote';
          return {
            type: 'order',
            marketId,
            side,
            price,
            size,
            clientId,
            tif: isQuote ? 'gtc' : 'ioc',
            postOnly: isQuote,
            reduceOnly: false,
            selfTrade: 'cancel_maker',
            expiresAt: isQuote ? item.expiresAtSeconds : 0,
          };
        }
      }
    }),
  };
}

/** Refusals of a batch's result, as the chain names their kinds. */
export function refusalsOf(result: unknown): readonly string[] {
  if (typeof result === 'string') return [kindOfCode(result)];
  const { results = [] } = result as { readonly results?: readonly unknown[] };
  return results.filter((each): each is string => typeof each === 'string').map(kindOfCode);
}

/** A made-up account. */
export const modelAddress = (index: number): Address => parseAddress(`0x${(index + 1).toString(16).padStart(40, '0')}`);
