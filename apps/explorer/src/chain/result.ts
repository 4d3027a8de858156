import { type ActionResult, type ActionValue, decodeActionResult } from '@prime/codec';
import { hexToBytes } from '@prime/primitives';
import { amountText, explainRefusal, toldRefusal } from '@prime/sdk/explain';
import { wordsOf } from '../kit/format.ts';
import { marketWords } from '../kit/marketFormat.ts';
import { type Markets, priceWords, sizeWords } from './markets.ts';

/** What an action answered, in words. */
export interface DescribedResult {
  readonly isDone: boolean;
  /** The answer, or why it was refused. */
  readonly words: string;
  /** Trades of an order; of a batch what each item answered. */
  readonly lines: readonly string[];
}

/** @param output of the receipt @param marketId of the action, where it is in one @returns null where this explorer cannot read it */
export function describeResult(
  output: `0x${string}`,
  markets: Markets,
  marketId: number | null = null,
): DescribedResult | null {
  try {
    return wordsOfResult(decodeActionResult(hexToBytes(output)), markets, marketId);
  } catch {
    return null;
  }
}

function wordsOfResult(result: ActionResult, markets: Markets, marketId: number | null): DescribedResult {
  if (result.ok)
    return { isDone: true, words: describeValue(result.value, markets), lines: linesOf(result.value, markets) };
  const market = marketId === null ? undefined : markets.get(marketId);
  const why = explainRefusal(toldRefusal(result.error), market === undefined ? null : marketWords(market));
  return { isDone: false, words: why, lines: [] };
}

function describeValue(value: ActionValue, markets: Markets): string {
  switch (value.type) {
    case 'order':
      return describeOrder(value, markets);
    case 'cancel':
      return `order ${value.orderId} taken out`;
    case 'cancelAll':
      return value.orderIds.length === 0 ? 'there was no order' : `${value.orderIds.length} orders taken out`;
    case 'createSubAccount':
      return `sub-account ${value.index} is ${value.address}`;
    case 'addMarket':
      return `market ${value.marketId} opened`;
    case 'deposit':
    case 'transfer':
      return `${amountText(value.amount)}, ${amountText(value.collateral)} afterwards`;
    case 'transferQueued':
      return `${amountText(value.amount)} wait as transfer ${value.transferId}`;
    case 'dequeued':
      return `${value.processed.length} transfers carried out, ${value.pending} wait`;
    case 'liquidate':
      return `${value.positions.length} positions closed, ${amountText(value.collateral)} left, ${amountText(value.badDebt)} of debt`;
    case 'batch': {
      const done = value.results.filter(({ ok }) => ok).length;
      return `${done} of ${value.results.length} items done`;
    }
    case 'setMargin':
    case 'done':
      return 'done';
  }
}

function describeOrder(value: Extract<ActionValue, { type: 'order' }>, markets: Markets): string {
  const size = (amount: bigint): string => sizeWords(markets.get(value.marketId), amount);
  const parts = [`order ${value.orderId} ${wordsOf(value.status)}`];
  if (value.filled > 0n) parts.push(`${size(value.filled)} filled in ${value.trades.length} trades`);
  if (value.remaining > 0n) parts.push(`${size(value.remaining)} left`);
  if (value.reason !== null) parts.push(wordsOf(value.reason));
  return parts.join(', ');
}

const batchLinesMax = 50;

function linesOf(value: ActionValue, markets: Markets): readonly string[] {
  if (value.type === 'order')
    return value.trades.map(({ tradeId, price, size }) => {
      const market = markets.get(value.marketId);
      return `trade ${tradeId}: ${sizeWords(market, size)} at ${priceWords(market, price)}`;
    });
  if (value.type !== 'batch') return [];
  const lines = value.results.slice(0, batchLinesMax).map((item, index) => {
    const { isDone, words } = wordsOfResult(item, markets, null);
    return `${index + 1}. ${isDone ? '' : 'refused: '}${words}`;
  });
  const more = value.results.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}
