import { bigintAbs } from '@prime/primitives';
import type { DomainEventData, DomainEventOf } from '../streams/domainEvents.ts';
import type { MarginAccount } from '../types/account.ts';
import { bad, good, type Explanation } from './explanation.ts';
import type { MarginFigures } from './order.ts';
import { amountText, countOf, formatInteger, type MarketWords, priceWords, sizeWords } from './words.ts';

type Of<kind extends keyof DomainEventData> = DomainEventData[kind];

/** How a position in liquidation was closed, in the figures that decided it. */
export interface LiquidationStory {
  /** Base units of the position; negative was short. */
  readonly size: bigint;
  /** Base units that the book took. */
  readonly inBook: bigint;
  /** Wei for one base unit, on average; null where the book took nothing. */
  readonly bookPrice: bigint | null;
  readonly trades: number;
  /** Base units that are still open. */
  readonly remaining: bigint;
  /** Positions of others that were closed against it. */
  readonly deleveraged: readonly Of<'deleveraged'>[];
  /** Price at which that was done, on average: the mark, and what profits on the other side paid of the loss; null without. */
  readonly closingPrice: bigint | null;
  readonly fee: bigint;
  readonly insurancePaid: bigint;
  /** Of the whole account, after all of its positions. */
  readonly debtCovered: bigint;
  readonly badDebt: bigint;
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);
/** @param events all of the block that name the account in liquidation */
export function liquidationStory(
  liquidation: DomainEventOf<'liquidation'>,
  events: readonly DomainEventOf[],
): LiquidationStory {
  const { orderId, size, fee, insurancePaid, address } = liquidation.data;
  const ofKind = <kind extends keyof DomainEventData>(kind: kind): readonly Of<kind>[] =>
    events.filter((event) => event.kind === kind).map(({ data }) => data as unknown as Of<kind>);
  const trades = ofKind('trade').filter(({ takerOrderId }) => takerOrderId === orderId);
  const deleveraged = ofKind('deleveraged').filter((one) => one.orderId === orderId);
  const inBook = sum(trades.map((trade) => trade.size));
  const against = sum(deleveraged.map((one) => bigintAbs(one.size)));
  const own = <kind extends 'debt_covered' | 'bad_debt'>(kind: kind): bigint =>
    sum(
      ofKind(kind)
        .filter((one) => one.address === address)
        .map(({ amount }) => amount),
    );
  return {
    size,
    inBook,
    bookPrice: inBook === 0n ? null : sum(trades.map((trade) => trade.price * trade.size)) / inBook,
    trades: trades.length,
    remaining: bigintAbs(size) - inBook - against,
    deleveraged,
    closingPrice: against === 0n ? null : sum(deleveraged.map(({ value }) => value)) / against,
    fee,
    insurancePaid,
    debtCovered: own('debt_covered'),
    badDebt: own('bad_debt'),
  };
}

/** The figures of a story in words, as rows and sentences show them. */
export interface LiquidationWords {
  readonly inBook: string;
  readonly against: string;
  readonly fee: string;
  readonly insurancePaid: string;
  readonly badDebt: string;
}

/** @param market null where it is not known: raw units then */
export function liquidationWords(story: LiquidationStory, market: MarketWords | null): LiquidationWords {
  const { inBook, bookPrice, trades, deleveraged, closingPrice, fee, insurancePaid } = story;
  return {
    inBook:
      bookPrice === null
        ? 'nothing'
        : `${sizeWords(market, inBook)} at ${priceWords(market, bookPrice)}${trades > 1 ? ` on average, in ${trades} trades` : ''}`,
    against:
      deleveraged.length === 0 || closingPrice === null
        ? 'nothing'
        : `${sizeWords(market, sum(deleveraged.map((one) => bigintAbs(one.size))))} at ${priceWords(market, closingPrice)}`,
    fee: amountText(fee),
    insurancePaid: amountText(insurancePaid + story.debtCovered),
    badDebt: story.badDebt === 0n ? 'none' : amountText(story.badDebt),
  };
}

/** What decided a liquidation, and how it ended. */
export interface LiquidationFacts {
  readonly block: bigint;
  /** Positions in the order in which they were closed, each with its market. */
  readonly positions: readonly { readonly story: LiquidationStory; readonly market: MarketWords | null }[];
  /** Of the account before the block; null where that is not kept. */
  readonly before: MarginFigures | null;
  /** Open orders that were cancelled for it. */
  readonly cancelledOrders: number;
}

/** Why and how an account was liquidated. */
export function explainLiquidation({ block, positions, before, cancelledOrders }: LiquidationFacts): Explanation {
  const why =
    before === null
      ? `In block ${formatInteger(block)} its equity was below its maintenance margin.`
      : `Before block ${formatInteger(block)} its equity was ${amountText(before.equity)} and its maintenance margin ${amountText(before.maintenanceMargin)}: ` +
        (before.equity < before.maintenanceMargin
          ? `${amountText(before.maintenanceMargin - before.equity)} were missing.`
          : 'it was a change in that block that took it below.');
  const orders =
    cancelledOrders === 0
      ? ''
      : ` ${countOf(cancelledOrders, 'open order')} of it ${cancelledOrders === 1 ? 'was' : 'were'} cancelled first.`;
  const closed = positions.map(({ story, market }) => positionText(story, market)).join(' ');
  const debt = positions[0]?.story.badDebt ?? 0n;
  return {
    tone: debt > 0n ? 'bad' : 'warn',
    title: `It was liquidated in block ${formatInteger(block)}`,
    text: `${why}${orders} ${closed}`,
  };
}

function positionText(story: LiquidationStory, market: MarketWords | null): string {
  const words = liquidationWords(story, market);
  const what = `Its ${story.size > 0n ? 'long' : 'short'} position of ${sizeWords(market, story.size)}${market === null ? '' : ` in ${market.symbol}`} was ${story.remaining === 0n ? 'closed' : 'reduced'}.`;
  const parts = [
    `The book took ${words.inBook}.`,
    story.deleveraged.length === 0
      ? null
      : `The rest was closed against ${countOf(story.deleveraged.length, 'position')} of others: ${words.against}.`,
    story.remaining === 0n ? null : `${sizeWords(market, story.remaining)} are still open.`,
    story.fee === 0n ? null : `The insurance fund got a fee of ${words.fee}.`,
    story.insurancePaid + story.debtCovered === 0n ? null : `The insurance fund paid ${words.insurancePaid}.`,
    story.badDebt === 0n ? null : `Nobody paid the other ${words.badDebt}, which is a debt of its markets.`,
  ];
  return [what, ...parts.filter((part) => part !== null)].join(' ');
}

/** What keeps an account that nobody liquidated. @param oldestBlock from which on its history was looked at */
export function explainNotLiquidated(
  { equity, maintenanceMargin, liquidatable }: Pick<MarginAccount, 'equity' | 'maintenanceMargin' | 'liquidatable'>,
  oldestBlock: bigint,
): Explanation {
  const since =
    oldestBlock <= 1n ? 'since genesis' : `since block ${formatInteger(oldestBlock)}, the oldest that was looked at`;
  if (liquidatable)
    return bad(
      'It may be liquidated now',
      `It was not liquidated ${since}. Its equity is ${amountText(equity)}, and its maintenance margin ${amountText(maintenanceMargin)}: ${amountText(maintenanceMargin - equity)} are missing.`,
    );
  return good(
    'It was not liquidated',
    `It was not liquidated ${since}. ` +
      (maintenanceMargin === 0n
        ? 'It has no position that could be.'
        : `Its equity is ${amountText(equity)}, and its maintenance margin ${amountText(maintenanceMargin)}: it may lose ${amountText(equity - maintenanceMargin)} before it can be.`),
  );
}
