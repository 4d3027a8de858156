import { type ReadonlySignal, signal, type Signal, useSignal, useSignalEffect } from '@preact/signals';
import type { Market, OrderBookState, Side } from '@prime/sdk';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Card, Empty, ErrorState, formatPercent, priceText, Select, sizeText, Skeleton } from '../../../kit/index.ts';
import { LastPrice } from '../LastPrice.tsx';
import type { LiveProof } from '../proof/liveProof.ts';
import { ProofMark, ProofNote } from '../proof/Proof.tsx';
import { useTicket } from '../ticket/ticketState.ts';
import { barOf, type Ladder, ladderOf, type Rung, spreadOf, stepsOf } from './ladder.ts';
import type { LiveBook } from './liveBook.ts';

/** Lines of each side, whose place is there before they are. */
export const ladderRows = 12;

/** What a line says of its proof: it was proven, or it is not what the validators signed. */
type RungMark = 'proven' | 'wrong' | null;

interface BookProps {
  readonly market: Market;
  readonly live: LiveBook;
  /** Whether somebody's own orders rest at a price. */
  readonly ownPrices: ReadonlySignal<ReadonlySet<bigint>>;
  readonly proof: LiveProof;
}

/** The order book: asks above bids, best in the middle. */
export function Book({ market, live, ownPrices, proof }: BookProps): JSX.Element {
  const step = useSignal(market.tickSize);
  const rows = useRows({ market, book: live.book, ownPrices, markOf: proof.markOf, step });
  const isEmpty = live.book.value?.bids.length === 0 && live.book.value.asks.length === 0;
  if (live.error.value !== null && live.book.value === null)
    return (
      <Card title="Order book">
        <ErrorState what="The order book" error={live.error.value} />
      </Card>
    );
  return (
    <Card title="Order book" aside={<ProofMark market={market} proof={proof} />} flush>
      <div class={live.status.value === 'live' ? 'book' : 'book waiting'} role="region" aria-label="Order book">
        <ProofNote proof={proof} />
        <div class="book-tools">
          <span class="faint">
            {market.quote} for one {market.base}
          </span>
          <StepChoice market={market} step={step} />
        </div>
        <table class="ladder">
          <thead>
            <tr>
              <th scope="col">Price</th>
              <th scope="col">Size</th>
              <th scope="col">Total</th>
            </tr>
          </thead>
          <tbody aria-label="Asks">
            {rows.asks.toReversed().map((row, index) => (
              <Line key={index} row={row} side="sell" place={ladderRows - 1 - index} />
            ))}
          </tbody>
          <tbody>
            <tr class="middle">
              <td colSpan={3}>
                <span>
                  <LastPrice market={market} />
                  <Spread market={market} book={live.book} />
                </span>
              </td>
            </tr>
          </tbody>
          <tbody aria-label="Bids">
            {rows.bids.map((row, index) => (
              <Line key={index} row={row} side="buy" place={index} />
            ))}
          </tbody>
        </table>
        {isEmpty && (
          <div class="book-empty">
            <Empty title="Nobody rests here">The first order appears within a block.</Empty>
          </div>
        )}
      </div>
    </Card>
  );
}

interface RowView {
  readonly price: bigint;
  readonly priceText: string;
  readonly sizeText: string;
  readonly totalText: string;
  readonly bar: number;
  readonly isOwn: boolean;
  readonly mark: RungMark;
}
type Row = Signal<RowView | null>;

interface RowOptions {
  readonly market: Market;
  readonly book: ReadonlySignal<OrderBookState | null>;
  readonly ownPrices: ReadonlySignal<ReadonlySet<bigint>>;
  readonly markOf: LiveProof['markOf'];
  readonly step: ReadonlySignal<bigint>;
}

const isSame = (a: RowView | null, b: RowView | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.price === b.price &&
    a.sizeText === b.sizeText &&
    a.totalText === b.totalText &&
    a.bar === b.bar &&
    a.isOwn === b.isOwn &&
    a.mark === b.mark);

/** A signal for each line: only those are drawn again that look different. */
function useRows({ market, book, ownPrices, markOf, step }: RowOptions): {
  readonly bids: readonly Row[];
  readonly asks: readonly Row[];
} {
  const rows = useMemo(() => {
    const side = (): Row[] => Array.from({ length: ladderRows }, () => signal<RowView | null>(null));
    return { bids: side(), asks: side() };
  }, []);
  useSignalEffect(() => {
    const ladder: Ladder = book.value === null ? none : ladderOf(book.value, { rows: ladderRows, step: step.value });
    const most = [ladder.bids, ladder.asks].map((rungs) => rungs.at(-1)?.total ?? 0n);
    const deepest = most[0]! > most[1]! ? most[0]! : most[1]!;
    const own = ownPrices.value;
    const isFine = step.value === market.tickSize;
    const view = ({ price, size, total }: Rung, side: Side): RowView => ({
      price,
      priceText: priceText(market, price),
      sizeText: sizeText(market, size),
      totalText: sizeText(market, total),
      bar: barOf(total, deepest),
      isOwn: isFine && own.has(price),
      mark: isFine ? markOf(side, price, size) : null,
    });
    const fill = (signals: readonly Row[], rungs: readonly Rung[], side: Side): void => {
      for (const [index, row] of signals.entries()) {
        const rung = rungs[index];
        const next = rung === undefined ? null : view(rung, side);
        if (!isSame(row.peek(), next)) row.value = next;
      }
    };
    fill(rows.bids, ladder.bids, 'buy');
    fill(rows.asks, ladder.asks, 'sell');
  });
  return rows;
}

const none: Ladder = { bids: [], asks: [] };
const markWords = { proven: 'signed by the validators', wrong: 'not what the validators signed' } as const;

/** @param place how many lines are better */
function Line({ row, side, place }: { readonly row: Row; readonly side: Side; readonly place: number }): JSX.Element {
  const ticket = useTicket();
  const view = row.value;
  const far = place >= 8 ? ' far' : '';
  if (view === null)
    return (
      <tr class={`rung${far}`}>
        <td />
        <td />
        <td />
      </tr>
    );
  const { price, priceText: text, mark, isOwn } = view;
  return (
    <tr class={`rung ${side}-side${far}${mark === null ? '' : ` ${mark}`}`} data-price={price}>
      <td>
        <button
          type="button"
          class={`price ${side}`}
          tabIndex={-1}
          onClick={() => ticket.price(text.replaceAll(',', ''))}
          title={mark === null ? 'Take this price' : `Take this price; ${markWords[mark]}`}
        >
          {isOwn && <span class="own" title="Your order rests here" />}
          {text}
        </button>
      </td>
      <td>{view.sizeText}</td>
      <td>
        <span class="bar" style={{ transform: `scaleX(${view.bar})` }} aria-hidden="true" />
        <span class="total">{view.totalText}</span>
      </td>
    </tr>
  );
}

function Spread({ market, book }: { readonly market: Market; readonly book: LiveBook['book'] }): JSX.Element {
  if (book.value === null) return <Skeleton width="9ch" />;
  const spread = spreadOf(book.value);
  return (
    <span class="muted" title="Gap between the best prices">
      {spread === null ? 'no spread' : `${priceText(market, spread.gap)} · ${formatPercent(spread.share, 3)}`}
    </span>
  );
}

const StepChoice = ({ market, step }: { readonly market: Market; readonly step: Signal<bigint> }): JSX.Element => (
  <Select
    class="select small"
    label="Prices in steps of"
    value={step.value.toString()}
    options={stepsOf(market.tickSize).map((size) => ({ value: size.toString(), text: priceText(market, size) }))}
    onChoose={(size) => {
      step.value = BigInt(size);
    }}
  />
);
