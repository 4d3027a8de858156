import type { Desk } from '../desk.ts';
import type { CcxtMarket, Limit, Num, Params, Since, Structure } from '../library.ts';
import * as account from '../rest/account.ts';
import * as funding from '../rest/funding.ts';
import * as markets from '../rest/markets.ts';
import type { OrderArguments } from '../rest/orderRequest.ts';
import * as orders from '../rest/orders.ts';
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

/** What each gives is said in ccxt's manual. Behind these parameters all take `params`, of which most know none. */
export const deskMethods = {
  fetchOrderBook: markets.fetchOrderBook,
  fetchTrades: markets.fetchTrades,
  fetchTicker: markets.fetchTicker,
  fetchTickers: markets.fetchTickers,
  fetchTradingFee: async ({ exchange }: Desk, symbol: string) => markets.tradingFeeOf(exchange.market(symbol)),
  fetchTradingFees: async ({ exchange }: Desk): Promise<Record<string, Structure>> => {
    const feeOf = (market: CcxtMarket) => [market.symbol, markets.tradingFeeOf(market)] as const;
    return Object.fromEntries(Object.values(exchange.markets ?? {}).map(feeOf));
  },
  fetchFundingRate: funding.fetchFundingRate,
  fetchFundingRates: funding.fetchFundingRates,
  fetchFundingRateHistory: (desk: Desk, symbol?: string, since?: Since, limit?: Limit): Rows =>
    funding.fetchFundingRateHistory(desk, { symbol, since, limit }),
  fetchFundingHistory: (desk: Desk, symbol?: string, since?: Since, limit?: Limit): Rows =>
    funding.fetchFundingHistory(desk, { symbol, since, limit }),
  fetchBalance: account.fetchBalance,
  fetchPositions: account.fetchPositions,
  fetchPosition: async (desk: Desk, symbol: string): Promise<Structure | undefined> =>
    (await account.fetchPositions(desk, [symbol]))[0],
  fetchDepositAddress: account.fetchDepositAddress,
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
  fetchOrder: (desk: Desk, id: string | undefined, _symbol?: Unused, params?: Params) =>
    orders.fetchOrder(desk, id, params),
  fetchOrderTrades: (desk: Desk, id: string, ...[, , , params]: [Unused?, Unused?, Unused?, Params?]): Rows =>
    orders.fetchOrderTrades(desk, id, params),
  fetchOpenOrders: orders.fetchOpenOrders,
  fetchClosedOrders: orders.fetchEndedOrders('closed'),
  fetchCanceledOrders: orders.fetchEndedOrders('canceled'),
  fetchCanceledAndClosedOrders: orders.fetchEndedOrders('all'),
  fetchOrders: orders.fetchOrders,
  fetchMyTrades: orders.fetchMyTrades,
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
  'fetchL2OrderBook',
  'fetchOrderWithClientOrderId',
];

/** Unified methods over HTTP that the venue serves. Everything else that ccxt knows is told as `false`, with its reason in docs/ccxt.md. */
export const restMethods: readonly string[] = [...Object.keys(bareMethods), ...Object.keys(deskMethods), ...madeByCcxt];
