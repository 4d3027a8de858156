/** The checks that ccxt's own package brought along until 2.0: of structures, and of methods as a whole. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const load = (name) => require(`ccxt-checks/js/test/Exchange/test.${name}.js`);

export const shippedOrder = (exchange, order, symbol) => load('order')(exchange, order, symbol, Date.now());
export const shippedTrade = (exchange, trade, symbol) => load('trade')(exchange, trade, symbol, Date.now());
export const shippedBook = (exchange, book, symbol) => load('orderbook')(exchange, book, 'watchOrderBook', symbol);
export const shippedPosition = (exchange, position, symbol) => load('position')(exchange, position, symbol, Date.now());

/**
 * Checks of methods, which call them on the exchange, by the symbol where they take one. Without that of balances: it compares a sum of
 * floats with ===.
 */
export const shippedMethods = {
  loadMarkets: [],
  fetchMarkets: [],
  fetchCurrencies: [],
  fetchStatus: [],
  fetchTicker: ['symbol'],
  fetchTickers: ['symbol'],
  fetchOrderBook: ['symbol'],
  fetchL2OrderBook: ['symbol'],
  fetchTrades: ['symbol'],
  fetchPositions: ['symbol'],
  fetchOrders: ['symbol'],
  fetchOpenOrders: ['symbol'],
  fetchClosedOrders: ['symbol'],
  fetchMyTrades: ['symbol'],
  fetchTradingFee: ['symbol'],
  fetchTradingFees: [],
};

export const runShipped = (exchange, method, symbol) =>
  load(method)(exchange, ...shippedMethods[method].map(() => symbol));
