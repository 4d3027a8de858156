import { absolute } from '../../chain/absolute.ts';
import type { DomainEventData, DomainEventOf } from '@prime/sdk';

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
  /** Positions of others that were closed against it. */
  readonly deleveraged: readonly Of<'deleveraged'>[];
  /** Price at which that was done: where the account has nothing left; null without. */
  readonly bankruptcyPrice: bigint | null;
  readonly fee: bigint;
  readonly insurancePaid: bigint;
  /** Of the whole account, after all of its positions. */
  readonly debtCovered: bigint;
  readonly badDebt: bigint;
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

/** @param events all of the block that name the account in liquidation */
export function storyOf(liquidation: DomainEventOf<'liquidation'>, events: readonly DomainEventOf[]): LiquidationStory {
  const { orderId, size, fee, insurancePaid, address } = liquidation.data;
  const ofKind = <kind extends keyof DomainEventData>(kind: kind): readonly Of<kind>[] =>
    events.filter((event) => event.kind === kind).map(({ data }) => data as unknown as Of<kind>);
  const trades = ofKind('trade').filter(({ takerOrderId }) => takerOrderId === orderId);
  const deleveraged = ofKind('deleveraged').filter((one) => one.orderId === orderId);
  const inBook = sum(trades.map((trade) => trade.size));
  const against = sum(deleveraged.map((one) => absolute(one.size)));
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
    deleveraged,
    bankruptcyPrice: against === 0n ? null : sum(deleveraged.map(({ value }) => value)) / against,
    fee,
    insurancePaid,
    debtCovered: own('debt_covered'),
    badDebt: own('bad_debt'),
  };
}
