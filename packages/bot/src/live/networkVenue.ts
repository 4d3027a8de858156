import {
  type AccountChange,
  type AccountFill,
  type AccountView as StreamedAccount,
  type BatchItem,
  createLocalAccountState,
  type FundingPayment,
  type LocalAccountState,
  type Market,
  type StreamError,
  type Streams,
  watchMargin,
  watchOrderBook,
} from '@prime/sdk';
import type { PlannedItem } from '../execution/planQuotes.ts';
import type { BotFill, BotFunding } from '../ledger.ts';
import type { AccountView } from '../market.ts';
import type { Outcome, Venue, VenueListener } from '../ports.ts';
import { blockLaterThan, type Nodes, sendSurely } from './sendSurely.ts';

/** The market and the account of a bot that trades on a network. */
export interface NetworkVenueOptions {
  readonly nodes: Nodes;
  readonly streams: Streams;
  readonly market: Market;
  /** Whose orders they are. */
  readonly owner: `0x${string}`;
  readonly openOrdersMax: number;
  /** For which block time an earlier process of the bot may have signed, from its clock on, ms. */
  readonly actionTtlMs: number;
  /** First block whose fills are told; null: those behind the first account. */
  readonly fillsFrom: bigint | null;
}

/** How far clocks of machines and of blocks may be apart, ms. */
const clockSkewMs = 1_000;

/** A bot's market on a network, over the SDK. */
export function createNetworkVenue(options: NetworkVenueOptions): Venue {
  const { nodes, streams, market, owner, openOrdersMax, actionTtlMs, fillsFrom } = options;
  const { marketId } = market;
  let state: LocalAccountState | null = null;
  let stops: readonly (() => void)[] = [];
  const toView = (view: StreamedAccount): AccountView => accountOf(view, marketId);
  return {
    market,
    openOrdersMax,
    get head() {
      const { blockNumber = null } = state?.current ?? {};
      return blockNumber;
    },
    start(listener) {
      const onError = (error: StreamError): void => listener.onTrouble(error.shortMessage, error.code);
      state = createLocalAccountState(streams, { address: owner, onError, fillsFrom: fillsFrom ?? undefined });
      state.onChange((view, change) => tellAccount(listener, toView, marketId, view, change));
      const stopBook = watchOrderBook(streams, {
        market: marketId,
        onError,
        onStatus: (status) => listener.onBookStatus(status === 'live'),
        onOrderBook: (book) => listener.onBook(book, book.blockNumber),
      });
      stops = [stopBook, market.funding === undefined ? () => undefined : followFunding(options, listener)];
    },
    fence: async () => {
      const { blockNumber } = await blockLaterThan(nodes, nodes.now() + actionTtlMs + clockSkewMs);
      return blockNumber;
    },
    submit: (items, expiresAtMs) =>
      sendSurely(nodes, { type: 'batch', items: items.map((item) => toBatchItem(item, marketId)) }, expiresAtMs),
    cancelAll: (expiresAtMs): Promise<Outcome> =>
      sendSurely(nodes, { type: 'cancelAll', market: marketId }, expiresAtMs),
    stop() {
      for (const stop of stops) stop();
      state?.stop();
    },
  };
}

/** What the position is owed changes with each interval, which is no event of the account: its stream tells. @returns what ends it */
const followFunding = ({ streams, owner, market }: NetworkVenueOptions, listener: VenueListener): (() => void) =>
  watchMargin(streams, {
    address: owner,
    onError: (error) => listener.onTrouble(error.shortMessage, error.code),
    onMargin: ({ blockNumber, positions }) => {
      const held = positions.find((position) => position.marketId === market.marketId);
      listener.onUnsettledFunding({ blockNumber, amount: held?.unsettledFunding ?? 0n });
    },
  });

function tellAccount(
  listener: VenueListener,
  toView: (view: StreamedAccount) => AccountView,
  marketId: number,
  view: StreamedAccount,
  change: AccountChange,
): void {
  const ofMarket = (fills: readonly AccountFill[]): readonly BotFill[] =>
    fills.filter((fill) => fill.marketId === marketId).map(toFill);
  const settled = (payments: readonly FundingPayment[]): void => {
    const ofThis = payments.filter((payment) => payment.marketId === marketId).map(toFunding);
    if (ofThis.length > 0) listener.onFunding(ofThis);
  };
  if (change.kind === 'snapshot') {
    settled(change.funding);
    return listener.onAccountReset(toView(view), change.kind, change.gaps.length > 0 ? null : ofMarket(change.fills));
  }
  // What the account held back then does not count any more.
  if (change.kind === 'corrected' || change.kind === 'gap')
    return listener.onAccountReset(toView(view), change.kind, null);
  if (change.kind === 'block') settled(change.funding);
  const fills = change.kind === 'block' ? ofMarket(change.fills) : [];
  listener.onAccount(toView(view), { isSure: view.status === 'sure', fills });
}

const toFunding = ({ blockNumber, amount }: FundingPayment): BotFunding => ({ blockNumber, amount });

const toFill = (fill: AccountFill): BotFill => ({
  blockNumber: fill.blockNumber,
  tradeId: fill.tradeId,
  orderId: fill.orderId,
  side: fill.side,
  size: fill.size,
  value: fill.value,
  fee: fill.fee,
  liquidity: fill.liquidity,
});

function accountOf(view: StreamedAccount, marketId: number): AccountView {
  const held = view.positions.find((position) => position.marketId === marketId);
  return {
    blockNumber: view.blockNumber ?? 0n,
    collateral: view.collateral,
    position: held?.size ?? 0n,
    entry: held?.entry ?? 0n,
    orders: view.openOrders
      .filter((order) => order.marketId === marketId)
      .map(({ orderId, clientId, side, price, remaining, expiresAtSeconds }) => ({
        orderId,
        clientId,
        side,
        price,
        size: remaining,
        expiresAtSeconds,
      })),
    openOrders: view.openOrders.length,
  };
}

function toBatchItem(item: PlannedItem, market: number): BatchItem {
  switch (item.type) {
    case 'cancel':
    case 'modify':
      return item;
    case 'quote':
    case 'take': {
      const { side, price, size, clientId } = item;
      const order = { type: 'order', market, side, price, size, clientId } as const;
      return item.type === 'take'
        ? { ...order, tif: 'ioc' }
        : { ...order, tif: 'gtc', postOnly: true, expiresAtSeconds: item.expiresAtSeconds };
    }
  }
}
