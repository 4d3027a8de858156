import type { Desk } from '../desk.ts';
import type { CcxtMarket, Limit, Num, Params, RowsQuery, Since, Structure } from '../library.ts';
import * as account from '../rest/account.ts';
import * as candles from '../rest/candles.ts';
import * as fills from '../rest/fills.ts';
import * as funding from '../rest/funding.ts';
import * as ledger from '../rest/ledger.ts';
import * as markets from '../rest/markets.ts';
import type { OrderArguments } from '../rest/orderRequest.ts';
import * as orders from '../rest/orders.ts';
import * as tickers from '../rest/tickers.ts';
import * as trading from '../rest/trading.ts';

type Rows = Promise<Structure[]>;
/** Parameters that ccxt's signature has and that say nothing here: an order is known by its id. */
type Unused = unknown;

/** What is asked before there are markets. */
export const bareMethods = {
  fetchMarkets: markets.fetchMarkets,
  fetchCurrencies: markets.fetchCurrencies,
  fetchTime: markets.fetchTime,
  fetchStatus: markets.fetchStatus,
};

/** A list of the account's history, with the parameters that all of them have. */
const ofAccount =
  (find: (desk: Desk, query: RowsQuery) => Rows) =>
  (desk: Desk, symbol?: string, since?: Since, limit?: Limit, params?: Params): Rows =>
    find(desk, { symbol, since, limit, params });

/** What each gives is said in ccxt's manual. Behind these parameters all take `params`, of which most know none. */
export const deskMethods = {
  fetchOrderBook: markets.fetchOrderBook,
  fetchTrades: markets.fetchTrades,
  fetchTicker: tickers.fetchTicker,
  fetchTickers: tickers.fetchTickers,
  fetchMarkPrices: tickers.fetchTickers,
  fetchBidsAsks: tickers.fetchBidsAsks,
  fetchLastPrices: tickers.fetchLastPrices,
  fetchOpenInterests: tickers.fetchOpenInterests,
  fetchOHLCV: candles.fetchOHLCV,
  fetchTradingFee: async ({ exchange }: Desk, symbol: string) => markets.tradingFeeOf(exchange.market(symbol)),
  fetchTradingFees: async ({ exchange }: Desk): Promise<Record<string, Structure>> => {
    const feeOf = (market: CcxtMarket) => [market.symbol, markets.tradingFeeOf(market)] as const;
    return Object.fromEntries(Object.values(exchange.markets ?? {}).map(feeOf));
  },
  fetchFundingRate: funding.fetchFundingRate,
  fetchFundingRates: funding.fetchFundingRates,
  fetchFundingRateHistory: (desk: Desk, symbol?: string, since?: Since, limit?: Limit): Rows =>
    funding.fetchFundingRateHistory(desk, { symbol, since, limit }),
  fetchFundingHistory: ofAccount(funding.fetchFundingHistory),
  fetchBalance: account.fetchBalance,
  fetchPositions: account.fetchPositions,
  fetchPosition: async (desk: Desk, symbol: string): Promise<Structure | undefined> =>
    (await account.fetchPositions(desk, [symbol]))[0],
  fetchDepositAddress: account.fetchDepositAddress,
  fetchLedger: ledger.fetchLedger,
  fetchTransfers: ledger.fetchTransfers,
  transfer: account.transfer,
  withdraw: account.withdraw,
  createOrder: (desk: Desk, ...[symbol, type, side, amount, price, params]: CreateOrderParameters) =>
    trading.createOrder(desk, { symbol, type, side, amount, price, params }),
  createOrders: (desk: Desk, list: readonly OrderArguments[], params: Params = {}): Rows =>
    trading.createOrders(
      desk,
      list.map((order) => ({ ...order, params: { ...params, ...order.params } })),
    ),
  editOrder: (desk: Desk, ...[id, , , , amount, price, params]: EditOrderParameters) =>
    trading.editOrder(desk, { id, amount, price, params }),
  cancelOrder: trading.cancelOrder,
  cancelOrders: trading.cancelOrders,
  cancelAllOrders: trading.cancelAllOrders,
  cancelAllOrdersAfter: trading.cancelAllOrdersAfter,
  fetchOrder: (desk: Desk, id: string | undefined, _symbol?: Unused, params?: Params) =>
    orders.fetchOrder(desk, id, params),
  fetchOrderTrades: (desk: Desk, id: string, ...[, , , params]: [Unused?, Unused?, Unused?, Params?]): Rows =>
    orders.fetchOrderTrades(desk, id, params),
  fetchOpenOrders: orders.fetchOpenOrders,
  fetchClosedOrders: ofAccount(orders.fetchEndedOrders('closed')),
  fetchCanceledOrders: ofAccount(orders.fetchEndedOrders('canceled')),
  fetchCanceledAndClosedOrders: ofAccount(orders.fetchEndedOrders('all')),
  fetchOrders: ofAccount(orders.fetchOrders),
  fetchMyTrades: ofAccount(fills.fetchMyTrades),
  fetchMyLiquidations: ofAccount(fills.fetchMyLiquidations),
};

type CreateOrderParameters = [symbol: string, type: string, side: string, amount: Num, price?: Num, params?: Params];
type EditOrderParameters = [
  id: string,
  symbol: string,
  type?: string,
  side?: string,
  amount?: Num,
  price?: Num,
  params?: Params,
];

/** Methods that ccxt's base class makes of those. */
const madeByCcxt = [
  'cancelOrderWithClientOrderId',
  'createLimitBuyOrder',
  'createLimitOrder',
  'createLimitSellOrder',
  'createMarketBuyOrder',
  'createMarketOrder',
  'createMarketSellOrder',
  'createOrderWithTakeProfitAndStopLoss',
  'createPostOnlyOrder',
  'createReduceOnlyOrder',
  'createStopLimitOrder',
  'createStopLossOrder',
  'createStopMarketOrder',
  'createStopOrder',
  'createTakeProfitOrder',
  'createTriggerOrder',
  'fetchIndexOHLCV',
  'fetchL2OrderBook',
  'fetchMarkOHLCV',
  'fetchOpenInterest',
  'fetchOrderWithClientOrderId',
];

/** Unified methods over HTTP that the venue serves. Everything else that ccxt knows is told as `false`, with its reason in docs/ccxt.md. */
export const restMethods: readonly string[] = [...Object.keys(bareMethods), ...Object.keys(deskMethods), ...madeByCcxt];
