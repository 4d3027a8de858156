import type { Limit, Num, Params, Since, Structure } from '../library.ts';
import type { OrderArguments } from '../rest/orderRequest.ts';
import * as orders from '../rest/orders.ts';
import * as trading from '../rest/trading.ts';
import type { ClassOf } from './base.ts';
import type { PrimeAccount } from './account.ts';

type Row = Promise<Structure>;
type Rows = Promise<Structure[]>;

/** Orders: placed, changed, cancelled, and what became of them. What each gives is said in ccxt's manual. */
export interface PrimeRest extends PrimeAccount {
  createOrder(symbol: string, type: string, side: string, amount: Num, price?: Num, params?: Params): Row;
  createOrders(orders: readonly OrderArguments[], params?: Params): Rows;
  editOrder(id: string, symbol: string, type?: string, side?: string, amount?: Num, price?: Num, params?: Params): Row;
  cancelOrder(id: string | undefined, symbol?: string, params?: Params): Row;
  cancelOrders(ids: readonly string[], symbol?: string, params?: Params): Rows;
  cancelAllOrders(symbol?: string, params?: Params): Rows;
  fetchOrder(id: string | undefined, symbol?: string, params?: Params): Row;
  fetchOrderTrades(id: string, symbol?: string, since?: Since, limit?: Limit, params?: Params): Rows;
  fetchOpenOrders(symbol?: string, since?: Since, limit?: Limit, params?: Params): Rows;
  fetchClosedOrders(symbol?: string, since?: Since, limit?: Limit, params?: Params): Rows;
  fetchCanceledOrders(symbol?: string, since?: Since, limit?: Limit, params?: Params): Rows;
  fetchCanceledAndClosedOrders(symbol?: string, since?: Since, limit?: Limit, params?: Params): Rows;
  fetchOrders(symbol?: string, since?: Since, limit?: Limit, params?: Params): Rows;
  fetchMyTrades(symbol?: string, since?: Since, limit?: Limit, params?: Params): Rows;
}

/** Adds orders and transfers, which a key signs, to the class that reads accounts. */
export function withTrading(Base: ClassOf<PrimeAccount>): ClassOf<PrimeRest> {
  return class prime extends Base implements PrimeRest {
    createOrder(symbol: string, type: string, side: string, amount: Num, price?: Num, params: Params = {}): Row {
      return this.onDesk((desk) => trading.createOrder(desk, { symbol, type, side, amount, price, params }));
    }
    createOrders(list: readonly OrderArguments[], params: Params = {}): Rows {
      const merged = list.map((order) => ({ ...order, params: { ...params, ...order.params } }));
      return this.onDesk((desk) => trading.createOrders(desk, merged));
    }
    editOrder(id: string, _symbol: string, _type?: string, _side?: string, amount?: Num, price?: Num): Row {
      return this.onDesk((desk) => trading.editOrder(desk, { id, amount, price }));
    }
    cancelOrder(id: string | undefined, symbol?: string, params: Params = {}): Row {
      return this.onDesk((desk) => trading.cancelOrder(desk, id, symbol, params));
    }
    cancelOrders(ids: readonly string[], symbol?: string): Rows {
      return this.onDesk((desk) => trading.cancelOrders(desk, ids, symbol));
    }
    cancelAllOrders(symbol?: string): Rows {
      return this.onDesk((desk) => trading.cancelAllOrders(desk, symbol));
    }
    fetchOrder(id: string | undefined, _symbol?: string, params: Params = {}): Row {
      return this.onDesk((desk) => orders.fetchOrder(desk, id, params));
    }
    fetchOrderTrades(id: string, _symbol?: string, _since?: Since, _limit?: Limit, params: Params = {}): Rows {
      return this.onDesk((desk) => orders.fetchOrderTrades(desk, id, params));
    }
    fetchOpenOrders(symbol?: string, since?: Since, limit?: Limit): Rows {
      return this.onDesk((desk) => orders.fetchOpenOrders(desk, symbol, since, limit));
    }
    fetchClosedOrders(symbol?: string, since?: Since, limit?: Limit): Rows {
      return this.onDesk((desk) => orders.fetchEndedOrders(desk, 'closed', { symbol, since, limit }));
    }
    fetchCanceledOrders(symbol?: string, since?: Since, limit?: Limit): Rows {
      return this.onDesk((desk) => orders.fetchEndedOrders(desk, 'canceled', { symbol, since, limit }));
    }
    fetchCanceledAndClosedOrders(symbol?: string, since?: Since, limit?: Limit): Rows {
      return this.onDesk((desk) => orders.fetchEndedOrders(desk, 'all', { symbol, since, limit }));
    }
    fetchOrders(symbol?: string, since?: Since, limit?: Limit): Rows {
      return this.onDesk((desk) => orders.fetchOrders(desk, symbol, since, limit));
    }
    fetchMyTrades(symbol?: string, since?: Since, limit?: Limit): Rows {
      return this.onDesk((desk) => orders.fetchMyTrades(desk, symbol, since, limit));
    }
  };
}
