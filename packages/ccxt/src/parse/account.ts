import type { MarginAccount, Position } from '@prime/sdk';
import { collateralOf, unitsOf } from '../desk.ts';
import type { CcxtExchange, CcxtMarket, Structure } from '../library.ts';
import { decimalText, magnitude } from '../numbers.ts';
import { plain } from '../plain.ts';
import { averagePriceText } from './trade.ts';

const bpsDecimals = 4;
const bpsOne = 10_000n;

/** Decimals of balances: with more, floats of free and used do not add up to that of total. `info` has every wei. */
const balanceDecimals = 8;

/** An amount, rounded down to what is shown. */
function shown(wei: bigint, decimals: number): string {
  const step = 10n ** BigInt(Math.max(0, decimals - balanceDecimals));
  const rest = ((wei % step) + step) % step;
  return decimalText(wei - rest, decimals);
}

/** The margin account: total is equity, free is what new positions may still need as margin. */
export function parseMarginBalance(exchange: CcxtExchange, account: MarginAccount): Structure {
  const { code, decimals } = collateralOf(exchange);
  const free = account.freeCollateral > 0n ? account.freeCollateral : 0n;
  return exchange.safeBalance({
    info: plain(account),
    [code]: { free: shown(free, decimals), total: shown(account.equity, decimals) },
  });
}

/** The account in the EVM: coins that are not margin. */
export function parseWalletBalance(exchange: CcxtExchange, address: string, wei: bigint): Structure {
  const { code, decimals } = collateralOf(exchange);
  const text = shown(wei, decimals);
  return exchange.safeBalance({
    info: { address, balance: wei.toString() },
    [code]: { free: text, used: '0', total: text },
  });
}

const ceilDivide = (numerator: bigint, denominator: bigint): bigint => (numerator + denominator - 1n) / denominator;

/** The price that the profit of a position was reckoned at; null without one. */
function markOf({ size, entry, unrealized }: Position): bigint | null {
  if (unrealized === null) return null;
  return (size > 0n ? entry + unrealized : entry - unrealized) / magnitude(size);
}

/**
 * A position. Margin is that of the position alone, at the market's own rate; the account's, with its open orders and risk tiers, is in
 * the balance. There is no liquidation price: margin is of the whole account, and depends on every market in it.
 */
export function parsePosition(
  exchange: CcxtExchange,
  market: CcxtMarket,
  { position, account }: { readonly position: Position; readonly account: MarginAccount },
): Structure {
  const { formatSize, formatPrice, formatQuoteAmount } = unitsOf(market);
  const number = (text: string | undefined): number | undefined => exchange.parseNumber(text);
  const size = magnitude(position.size);
  const mark = markOf(position);
  const notional = mark === null ? undefined : mark * size;
  const bps = (field: string): bigint => BigInt(String(market.info[field]));
  const margin = (field: string): number | undefined =>
    notional === undefined ? undefined : number(formatQuoteAmount(ceilDivide(notional * bps(field), bpsOne)));
  const rate = (field: string): number | undefined => number(decimalText(bps(field), bpsDecimals));
  return exchange.safePosition({
    info: plain(position),
    id: undefined,
    symbol: market.symbol,
    timestamp: undefined,
    datetime: undefined,
    lastUpdateTimestamp: undefined,
    hedged: false,
    side: position.size > 0n ? 'long' : 'short',
    contracts: number(formatSize(size)),
    contractSize: number('1'),
    entryPrice: number(averagePriceText(market, position.entry, size)),
    markPrice: mark === null ? undefined : number(formatPrice(mark)),
    lastPrice: undefined,
    notional: notional === undefined ? undefined : number(formatQuoteAmount(notional)),
    leverage: undefined,
    collateral: number(decimalText(account.equity, collateralOf(exchange).decimals)),
    initialMargin: margin('initialMarginBps'),
    initialMarginPercentage: rate('initialMarginBps'),
    maintenanceMargin: margin('maintenanceMarginBps'),
    maintenanceMarginPercentage: rate('maintenanceMarginBps'),
    unrealizedPnl: position.unrealized === null ? undefined : number(formatQuoteAmount(position.unrealized)),
    realizedPnl: undefined,
    liquidationPrice: undefined,
    marginMode: 'cross',
    marginRatio: marginRatio(exchange, account),
    percentage: undefined,
    stopLossPrice: undefined,
    takeProfitPrice: undefined,
  });
}

const ratioDecimals = 6;

/** Maintenance margin of the account by its equity: liquidation begins above 1. */
function marginRatio(exchange: CcxtExchange, { maintenanceMargin, equity }: MarginAccount): number | undefined {
  if (equity <= 0n || maintenanceMargin === 0n) return undefined;
  return exchange.parseNumber(decimalText((maintenanceMargin * 10n ** BigInt(ratioDecimals)) / equity, ratioDecimals));
}
