import { useComputed } from '@preact/signals';
import { sides } from '@prime/codec';
import type { Market, OrderBookState } from '@prime/sdk';
import type { JSX } from 'preact';
import { useAttempt } from '../../../app/useAttempt.ts';
import {
  Amount,
  Button,
  Card,
  Fact,
  formatDecimal,
  orNone,
  Select,
  Skeleton,
  submitting,
  toast,
} from '../../../kit/index.ts';
import type { WalletSession } from '../../../wallet/session.ts';
import type { LiveBook } from '../book/liveBook.ts';
import type { LiveAccount } from '../own/liveAccount.ts';
import { Connect } from './Connect.tsx';
import { type Exposure, largestSize, type OrderCost, orderCost } from './margin.ts';
import { type Life, lives, outcomeText, readPrice, readSize, requestOf, type TicketOrder } from './order.ts';
import { TicketField } from './TicketField.tsx';
import { type TicketState, useTicket } from './ticketState.ts';

interface TicketProps {
  readonly market: Market;
  readonly live: LiveBook;
  /** null until it is known which network this is. */
  readonly session: WalletSession | null;
  /** null while nobody is connected. */
  readonly account: LiveAccount | null;
}

/** Places an order, in units as people write them. */
export function Ticket(props: TicketProps): JSX.Element {
  const { session } = props;
  return (
    <Card title="Order">
      <div class="ticket">
        {session === null ? <Skeleton /> : <Connect session={session} />}
        <Form {...props} />
      </div>
    </Card>
  );
}

/** What the account has in this market. */
function exposureIn(market: Market, account: LiveAccount | null): Exposure {
  const view = account?.view.value ?? null;
  return {
    position: view?.positions.find(({ marketId }) => marketId === market.marketId)?.size ?? 0n,
    orders: view?.openOrders.filter(({ marketId }) => marketId === market.marketId) ?? [],
  };
}

function Form({ market, live, session, account }: TicketProps): JSX.Element {
  const ticket = useTicket();
  const { side, priceText, sizeText, life, isReduceOnly } = ticket;
  const price = readPrice(market, priceText.value);
  const size = readSize(market, sizeText.value);
  const order =
    price.value === null || size.value === null ? null : { side: side.value, price: price.value, size: size.value };
  const cost = order === null ? null : orderCost(exposureIn(market, account), order, market);
  const { send, isBusy, problem } = useSend({ market, session, ticket });
  const free = account?.margin.value.value?.freeCollateral ?? null;
  const isShort = cost !== null && free !== null && cost.margin + (cost.margin === 0n ? 0n : (cost.fee ?? 0n)) > free;
  const who = session?.identity.value ?? null;
  const verb = side.value === 'buy' ? 'Buy' : 'Sell';
  return (
    <form
      class="order-form"
      onSubmit={submitting(() => {
        if (order !== null) send({ ...order, life: life.value, isReduceOnly: isReduceOnly.value });
      })}
    >
      <Sides ticket={ticket} />
      <TicketField
        label="Limit price"
        unit={market.quote}
        text={priceText}
        typed={price}
        help={<BookPrices market={market} book={live.book.value} ticket={ticket} />}
        hint={`steps of ${market.formatPrice(market.tickSize)}`}
      />
      <TicketField
        label="Size"
        unit={market.base}
        text={sizeText}
        typed={size}
        help={<Shares market={market} account={account} ticket={ticket} price={price.value} free={free} />}
        hint={lotHint(market)}
      />
      <Life ticket={ticket} />
      <Summary cost={cost} free={free} quote={market.quote} hasFees={market.fees !== undefined} isShort={isShort} />
      <Button
        type="submit"
        tone={side.value}
        disabled={order === null || who === null || isBusy || !takesOrders(market.status)}
      >
        {isBusy
          ? who?.kind === 'wallet'
            ? 'Waiting for the wallet…'
            : 'On its way…'
          : `${verb} ${size.value === null ? market.base : `${formatDecimal(market.formatSize(size.value))} ${market.base}`}`}
      </Button>
      <p class={problem === null ? 'ticket-note' : 'ticket-note problem'} role="alert">
        {problem ?? (takesOrders(market.status) ? null : 'This market takes no orders now.')}
      </p>
    </form>
  );
}

/** Whether a state of a market lets any order in. */
const takesOrders = (status: Market['status']): boolean => status === 'trading' || status === 'post_only';

const lotHint = (market: Market): string => `steps of ${market.formatSize(market.lotSize)}`;

interface SendParts {
  readonly market: Market;
  readonly session: WalletSession | null;
  readonly ticket: TicketState;
}

function useSend({ market, session, ticket }: SendParts) {
  const { isBusy, problem, attempt } = useAttempt();
  const send = (order: TicketOrder): void => {
    if (session === null || isBusy) return;
    attempt(async () => {
      const trader = await session.trader();
      const placed = await trader.place(requestOf(market, order));
      toast(outcomeText(market, order.side, placed), placed.status === 'killed' ? 'bad' : 'good');
      ticket.sizeText.value = '';
    });
  };
  return { send, isBusy, problem };
}

function Sides({ ticket: { side } }: { readonly ticket: TicketState }): JSX.Element {
  return (
    <div class="sides" role="group" aria-label="Side">
      {sides.map((one) => (
        <button
          key={one}
          type="button"
          class={one}
          aria-pressed={side.value === one}
          onClick={() => {
            side.value = one;
          }}
        >
          {one === 'buy' ? 'Buy' : 'Sell'}
        </button>
      ))}
    </div>
  );
}

interface BookPricesProps {
  readonly market: Market;
  readonly book: OrderBookState | null;
  readonly ticket: TicketState;
}

/** The best prices of the book, to be taken with one click. */
function BookPrices({ market, book, ticket }: BookPricesProps): JSX.Element {
  const choice = (name: string, price: bigint | undefined): JSX.Element => (
    <button
      type="button"
      class="quick"
      disabled={price === undefined}
      onClick={() => price !== undefined && ticket.price(market.formatPrice(price))}
    >
      {name}
    </button>
  );
  return (
    <>
      {choice('Best bid', book?.bids[0]?.price)}
      {choice('Best ask', book?.asks[0]?.price)}
    </>
  );
}

interface SharesProps {
  readonly market: Market;
  readonly account: LiveAccount | null;
  readonly ticket: TicketState;
  readonly price: bigint | null;
  readonly free: bigint | null;
}

/** Parts of the largest size that free collateral covers. */
function Shares({ market, account, ticket, price, free }: SharesProps): JSX.Element {
  const take = (percent: bigint): void => {
    if (price === null || free === null) return;
    const most = largestSize(exposureIn(market, account), { side: ticket.side.value, price }, free, market);
    const size = (most * percent) / 100n;
    ticket.sizeText.value = market.formatSize(size - (size % market.lotSize));
  };
  return (
    <>
      {[25n, 50n, 100n].map((percent) => (
        <button
          key={percent}
          type="button"
          class="quick"
          disabled={price === null || free === null}
          title={`${percent} % of what your free collateral covers`}
          onClick={() => take(percent)}
        >
          {percent === 100n ? 'Max' : `${percent} %`}
        </button>
      ))}
    </>
  );
}

function Life({ ticket: { life, isReduceOnly } }: { readonly ticket: TicketState }): JSX.Element {
  const chosen = useComputed(() => lives.find(({ id }) => id === life.value)!);
  return (
    <div class="life">
      <Select
        label="How long it lives"
        title={chosen.value.hint}
        value={life.value}
        options={lives.map(({ id, title }) => ({ value: id, text: title }))}
        onChoose={(next) => {
          life.value = next;
        }}
      />
      <label class="check" title="Only makes the position smaller: it is cut to it while it rests">
        <input
          type="checkbox"
          checked={isReduceOnly.value}
          onChange={(event) => {
            isReduceOnly.value = event.currentTarget.checked;
          }}
        />
        Reduce only
      </label>
    </div>
  );
}

interface SummaryProps {
  readonly cost: OrderCost | null;
  readonly free: bigint | null;
  readonly quote: string;
  readonly hasFees: boolean;
  readonly isShort: boolean;
}

/** What it costs, before it is sent. */
function Summary({ cost, free, quote, hasFees, isShort }: SummaryProps): JSX.Element {
  const after = cost === null || free === null ? null : free - cost.margin;
  const amount = (wei: bigint | null | undefined) =>
    orNone(wei, '–', (known) => <Amount wei={known} unit={quote} digitsMax={2} />);
  return (
    <dl class="summary">
      <Fact name="Order value">{amount(cost?.notional)}</Fact>
      <Fact name="Margin it takes">{amount(cost?.margin)}</Fact>
      {hasFees && <Fact name="Fee at most">{amount(cost?.fee)}</Fact>}
      <Fact name={isShort ? 'Not enough: free after' : 'Free after'} class={isShort ? 'short' : ''}>
        {amount(after ?? free)}
      </Fact>
    </dl>
  );
}
