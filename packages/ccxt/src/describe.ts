import type { Structure } from './library.ts';
import { timeframes } from './rest/candles.ts';

/** Words of `has` that are no methods. */
const kinds = { publicAPI: true, privateAPI: true, CORS: true, sandbox: false };
const marketKinds = { spot: false, margin: false, swap: true, future: false, option: false, index: false };

/** `has` with an answer for every word that the base class knows: true, or false. */
export function hasOf(base: Structure, methods: readonly string[], isPro: boolean): Structure {
  const known = Object.fromEntries(Object.keys(base).map((name) => [name, false]));
  const offered = Object.fromEntries(methods.map((name) => [name, true]));
  return { ...known, ...kinds, ...marketKinds, ...offered, ws: isPro };
}

const pages = { marginMode: false, trigger: false, trailing: false, symbolRequired: false } as const;
/** As far back as the node keeps blocks, in any span of time. */
const history = { daysBack: undefined, untilDays: 100_000 } as const;

const features = {
  swap: {
    linear: {
      sandbox: false,
      createOrder: {
        marginMode: false,
        triggerPrice: true,
        triggerPriceType: { last: false, mark: true, index: false },
        triggerDirection: true,
        stopLossPrice: true,
        takeProfitPrice: true,
        attachedStopLossTakeProfit: { triggerPriceType: { last: false, mark: true, index: false }, price: true },
        timeInForce: { GTC: true, IOC: true, FOK: true, PO: true, GTD: true },
        hedged: false,
        trailing: false,
        leverage: false,
        marketBuyByCost: false,
        marketBuyRequiresPrice: false,
        selfTradePrevention: true,
        iceberg: false,
      },
      createOrders: { max: 100 },
      fetchMyTrades: { ...history, marginMode: false, limit: undefined, symbolRequired: false },
      fetchOrder: pages,
      fetchOpenOrders: { ...pages, limit: undefined },
      fetchOrders: { ...pages, ...history, limit: undefined },
      fetchClosedOrders: { ...pages, ...history, limit: undefined, daysBackCanceled: undefined },
      fetchOHLCV: { limit: 1000 },
    },
    inverse: undefined,
  },
} as const;

/** What `describe` says of the venue, besides what the base class says. */
export const description = {
  id: 'prime',
  name: 'Prime',
  countries: [],
  version: 'v1',
  // ms between two requests; a node tells its own limits with 429.
  rateLimit: 5,
  dex: true,
  certified: false,
  timeframes,
  urls: {
    // The network that `npm start` runs. A list names several nodes of one network, which are tried in turn.
    api: { rpc: 'http://127.0.0.1:8545', ws: undefined },
    www: undefined,
    doc: [],
  },
  api: {},
  requiredCredentials: { apiKey: false, secret: false, privateKey: true, walletAddress: false },
  fees: { trading: { tierBased: false, percentage: true, taker: 0, maker: 0 } },
  // Names of currencies are those of the markets.
  commonCurrencies: {},
  features,
  options: {
    // How far from the best price of the other side a market order may trade, as a part of it.
    slippage: '0.05',
    // Blocks that a question without `since` looks back for trades and funding rates of a market.
    historyBlocks: 100_000,
    // Entries of an account's history that a question without `since` looks at.
    historyEntries: 20_000,
    // Currency of collateral, and how many decimals of it are shown; without them the quote of the first market.
    collateral: undefined,
    collateralDecimals: undefined,
    // How long to wait for an action's block, ms.
    outcomeTimeout: 60_000,
    // Options of the SDK's createStreams: time limits, and sockets that need headers.
    streams: {},
  },
} as const;
