/**
 * The unified structures of ccxt's manual as checks of one's own: which keys there have to be, of which type, and what holds between
 * them. ccxt's package brought its own checks along until 2.0; those run beside these (shipped.mjs).
 */
import assert from 'node:assert/strict';
import ccxt from 'ccxt';

const optional = (type) => ({ type, optional: true });
const number = 'number';
const text = 'string';
const flag = 'boolean';
const list = 'array';
const object = 'object';

const typeOf = (value) => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);

/** Every key of the format is there, with its type, or undefined where that is allowed. */
function hasShape(what, structure, format) {
  assert.equal(typeOf(structure), 'object', `${what} is an object`);
  for (const [key, wanted] of Object.entries(format)) {
    assert.ok(key in structure, `${what} has ${key}: ${JSON.stringify(structure)}`);
    const { type, optional: mayMiss } = typeof wanted === 'string' ? { type: wanted, optional: false } : wanted;
    const value = structure[key];
    if (mayMiss && value === undefined) continue;
    assert.equal(typeOf(value), type, `${what}.${key} of ${JSON.stringify(structure)}`);
    if (type === 'number') assert.ok(Number.isFinite(value), `${what}.${key} is finite`);
  }
}

const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

function hasTime(what, exchange, { timestamp, datetime }) {
  if (timestamp === undefined) return assert.equal(datetime, undefined, `${what} has no datetime without a timestamp`);
  assert.ok(
    Number.isInteger(timestamp) && timestamp > 1_500_000_000_000 && timestamp <= Date.now(),
    `${what} has a time in ms`,
  );
  return assert.equal(datetime, exchange.iso8601(timestamp));
}

const limits = { leverage: object, amount: object, price: object, cost: object };

export function checkMarket(exchange, market) {
  hasShape('market', market, {
    id: text,
    symbol: text,
    base: text,
    quote: text,
    settle: text,
    baseId: text,
    quoteId: text,
    settleId: text,
    type: text,
    subType: text,
    spot: flag,
    margin: flag,
    swap: flag,
    future: flag,
    option: flag,
    contract: flag,
    active: flag,
    linear: flag,
    inverse: flag,
    quanto: flag,
    taker: number,
    maker: number,
    contractSize: number,
    expiry: optional(number),
    expiryDatetime: optional(text),
    strike: optional(number),
    optionType: optional(text),
    created: optional(number),
    precision: object,
    limits: object,
    marginModes: object,
    info: object,
  });
  hasShape('market.limits', market.limits, limits);
  for (const [name, limit] of Object.entries(market.limits)) {
    hasShape(`market.limits.${name}`, limit, { min: optional(number), max: optional(number) });
    if (limit.min !== undefined && limit.max !== undefined) assert.ok(limit.max >= limit.min);
  }
  hasShape('market.precision', market.precision, { amount: number, price: number });
  assert.ok(market.precision.amount > 0 && market.precision.price > 0);
  assert.equal(market.symbol, `${market.base}/${market.quote}:${market.settle}`);
  assert.deepEqual([market.linear, market.inverse, market.swap, market.type], [true, false, true, 'swap']);
  for (const side of ['base', 'quote', 'settle']) assert.equal(exchange.currency(market[side]).id, market[`${side}Id`]);
  assert.deepEqual(JSON.parse(JSON.stringify(market.info)), market.info);
}

export function checkCurrency(exchange, currency) {
  hasShape('currency', currency, {
    id: text,
    code: text,
    name: text,
    type: text,
    active: flag,
    deposit: flag,
    withdraw: flag,
    fee: optional(number),
    precision: number,
    limits: object,
    networks: object,
    info: object,
  });
  // Moves in and out, or is only a name.
  assert.equal(currency.active, currency.deposit && currency.withdraw);
  assert.equal(exchange.safeCurrency(currency.id).code, currency.code);
}

export function checkOrder(exchange, order, symbol) {
  hasShape('order', order, {
    id: text,
    clientOrderId: optional(text),
    timestamp: number,
    datetime: text,
    lastTradeTimestamp: optional(number),
    lastUpdateTimestamp: optional(number),
    symbol: text,
    type: text,
    timeInForce: text,
    postOnly: optional(flag),
    reduceOnly: optional(flag),
    side: text,
    price: optional(number),
    triggerPrice: optional(number),
    amount: number,
    cost: number,
    average: optional(number),
    filled: number,
    remaining: number,
    status: text,
    fee: optional(object),
    fees: list,
    trades: list,
    info: object,
  });
  hasTime('order', exchange, order);
  assert.equal(order.symbol, symbol ?? order.symbol);
  assert.ok(['buy', 'sell'].includes(order.side));
  assert.ok(['limit', 'market'].includes(order.type));
  assert.ok(['GTC', 'IOC', 'FOK', 'PO', 'GTD'].includes(order.timeInForce));
  assert.ok(['open', 'closed', 'canceled', 'expired'].includes(order.status));
  assert.ok(order.filled <= order.amount && order.remaining <= order.amount);
  // One that waited is over when another one came in its place.
  if (order.status === 'closed' && order.triggerPrice === undefined) assert.equal(order.filled, order.amount);
  if (order.status !== 'canceled') assert.ok(near(order.filled + order.remaining, order.amount));
  if (order.filled > 0)
    assert.ok(near(order.cost, order.filled * (order.average ?? order.price)), JSON.stringify(order));
  for (const trade of order.trades) {
    checkTrade(exchange, trade, order.symbol);
    assert.equal(trade.order, order.id);
  }
}

export function checkTrade(exchange, trade, symbol) {
  hasShape('trade', trade, {
    id: text,
    order: optional(text),
    timestamp: number,
    datetime: text,
    symbol: text,
    type: optional(text),
    side: text,
    takerOrMaker: optional(text),
    price: number,
    amount: number,
    cost: number,
    fee: object,
    fees: list,
    info: object,
  });
  hasTime('trade', exchange, trade);
  assert.equal(trade.symbol, symbol ?? trade.symbol);
  assert.ok(trade.price > 0 && trade.amount > 0);
  assert.ok(near(trade.cost, trade.price * trade.amount));
  assert.ok(['taker', 'maker', undefined].includes(trade.takerOrMaker));
  // Of one's own trades the fee is known.
  if (trade.order !== undefined) hasShape('fee', trade.fee, { cost: number, currency: text });
}

export function checkTicker(exchange, ticker) {
  const prices = Object.fromEntries(
    [
      'markPrice',
      'indexPrice',
      'high',
      'low',
      'bid',
      'bidVolume',
      'ask',
      'askVolume',
      'vwap',
      'open',
      'close',
      'last',
      'previousClose',
    ].map((key) => [key, optional(number)]),
  );
  const changes = Object.fromEntries(
    ['change', 'percentage', 'average', 'baseVolume', 'quoteVolume'].map((key) => [key, optional(number)]),
  );
  hasShape('ticker', ticker, { symbol: text, timestamp: number, datetime: text, ...prices, ...changes, info: object });
  hasTime('ticker', exchange, ticker);
  assert.equal(ticker.last, ticker.close);
  if (ticker.bid !== undefined && ticker.ask !== undefined) assert.ok(ticker.bid < ticker.ask);
}

export function checkBook(book, symbol) {
  hasShape('book', book, {
    symbol: text,
    nonce: optional(number),
    timestamp: optional(number),
    datetime: optional(text),
  });
  assert.equal(book.symbol, symbol);
  for (const [side, direction] of [
    ['bids', -1],
    ['asks', 1],
  ]) {
    const prices = [...book[side]].map(([price, amount]) => {
      assert.ok(price > 0 && amount > 0);
      return price;
    });
    assert.deepEqual(
      prices,
      prices.toSorted((a, b) => direction * (a - b)),
    );
    assert.equal(new Set(prices).size, prices.length);
  }
  if (book.bids.length > 0 && book.asks.length > 0) assert.ok(book.bids[0][0] < book.asks[0][0]);
}

export function checkBalance(exchange, balance) {
  hasShape('balance', balance, { free: object, used: object, total: object, info: object });
  for (const code of Object.keys(balance.total)) {
    assert.ok(code in exchange.currencies, `${code} is a currency`);
    hasShape(code, balance[code], { free: number, used: number, total: number });
    const { free, used, total } = balance[code];
    // As decimals: floats add up to something else.
    const sum = ccxt.Precise.stringAdd(String(free), String(used));
    assert.ok(ccxt.Precise.stringEq(sum, String(total)), JSON.stringify(balance[code]));
  }
}

export function checkPosition(exchange, position, symbol) {
  hasShape('position', position, {
    symbol: text,
    timestamp: optional(number),
    datetime: optional(text),
    hedged: flag,
    side: text,
    contracts: number,
    contractSize: number,
    entryPrice: number,
    markPrice: number,
    notional: number,
    leverage: optional(number),
    collateral: number,
    initialMargin: number,
    initialMarginPercentage: number,
    maintenanceMargin: number,
    maintenanceMarginPercentage: number,
    unrealizedPnl: number,
    liquidationPrice: optional(number),
    marginMode: text,
    marginRatio: optional(number),
    percentage: optional(number),
    info: object,
  });
  hasTime('position', exchange, position);
  assert.equal(position.symbol, symbol ?? position.symbol);
  assert.ok(['long', 'short'].includes(position.side));
  assert.equal(position.marginMode, 'cross');
  assert.ok(near(position.notional, position.contracts * position.markPrice));
  const gain = position.contracts * (position.markPrice - position.entryPrice) * (position.side === 'long' ? 1 : -1);
  assert.ok(Math.abs(gain - position.unrealizedPnl) < 1e-6, JSON.stringify(position));
}

export function checkFundingRate(exchange, rate) {
  hasShape('funding rate', rate, {
    symbol: text,
    timestamp: number,
    datetime: text,
    fundingRate: optional(number),
    markPrice: optional(number),
    fundingTimestamp: number,
    fundingDatetime: text,
    interval: text,
    info: object,
  });
  hasTime('funding rate', exchange, rate);
}

export function checkTransfer(exchange, entry) {
  hasShape('transfer', entry, {
    id: text,
    timestamp: number,
    datetime: text,
    currency: text,
    amount: number,
    fromAccount: text,
    toAccount: text,
    status: text,
    info: object,
  });
  hasTime('transfer', exchange, entry);
}

/** A row of {@link https://docs.ccxt.com/?id=ohlcv-structure}; only candles of trades have a volume. */
export function checkCandles(rows, lengthMs, hasVolume) {
  for (const [index, row] of rows.entries()) {
    const [begin, open, high, low, close, volume] = row;
    assert.equal(row.length, 6);
    assert.equal(begin % lengthMs, 0);
    if (index > 0) assert.ok(begin > rows[index - 1][0]);
    assert.ok(low <= open && low <= close && open <= high && close <= high && low > 0, JSON.stringify(row));
    if (hasVolume) assert.ok(volume > 0);
    else assert.equal(volume, undefined);
  }
}

export function checkLedgerEntry(exchange, entry) {
  hasShape('ledger entry', entry, {
    id: text,
    timestamp: number,
    datetime: text,
    direction: text,
    account: text,
    referenceId: optional(text),
    referenceAccount: text,
    type: text,
    currency: text,
    amount: number,
    before: optional(number),
    after: optional(number),
    status: text,
    info: object,
  });
  hasTime('ledger entry', exchange, entry);
  assert.ok(['in', 'out'].includes(entry.direction) && ['transaction', 'transfer'].includes(entry.type));
  if (entry.after !== undefined)
    assert.ok(near(entry.after - entry.before, entry.direction === 'in' ? entry.amount : -entry.amount));
}

export function checkWithdrawal(exchange, entry) {
  hasShape('withdrawal', entry, {
    id: text,
    txid: text,
    timestamp: number,
    datetime: text,
    address: text,
    addressTo: text,
    type: text,
    amount: number,
    currency: text,
    status: text,
    fee: object,
    info: object,
  });
  hasTime('withdrawal', exchange, entry);
}

/** What an exchange says of itself: every method that `has` promises is its own, and features name methods that it has. */
export function checkDescription(exchange, base) {
  for (const [name, value] of Object.entries(exchange.has)) {
    assert.ok([true, false].includes(value), `has.${name} is told`);
    if (
      value === true &&
      typeof base.prototype[name] === 'function' &&
      /^(fetch|create|cancel|edit|watch|transfer|withdraw|unWatch)/.test(name)
    ) {
      // Some are made of others by the base class.
      const isOwn = exchange[name] !== base.prototype[name];
      const isMadeOfOwn =
        /^(create(Limit|Market|OrderWith|PostOnly|ReduceOnly|Stop|TakeProfit|Trigger)|fetchL2OrderBook|fetch(Mark|Index)OHLCV|fetchOpenInterest$|.*WithClientOrderId$)/.test(
          name,
        );
      assert.ok(isOwn || isMadeOfOwn, `${name} is implemented`);
    }
  }
  const features = exchange.features.swap.linear;
  assert.equal(exchange.features.spot, undefined);
  for (const name of Object.keys(features).filter((key) => key !== 'sandbox'))
    assert.ok(name in exchange.has, `features.${name} is a method`);
  for (const name of [
    'createOrder',
    'fetchOrder',
    'fetchOpenOrders',
    'fetchOrders',
    'fetchClosedOrders',
    'fetchMyTrades',
  ])
    assert.equal(typeOf(features[name]), 'object');
  assert.equal(features.createOrder.timeInForce.PO, true);
}
