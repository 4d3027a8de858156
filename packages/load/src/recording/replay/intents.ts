import {
  type FlowAction,
  type FlowFate,
  type FlowLine,
  type FlowLineOf,
  type FlowOrder,
  type FlowOutcome,
  type FlowTradingAction,
  type OrderRef,
  orderRefOf,
  plainOrder,
} from '../flow/flow.ts';

/** What a replay does for a line of a flow, before anybody signs it. */
export type TradingIntent =
  | {
      readonly does: 'order';
      readonly account: number;
      readonly ref: OrderRef;
      readonly order: FlowOrder;
      readonly rests: boolean;
    }
  | { readonly does: 'cancel'; readonly account: number; readonly ref: OrderRef; readonly market: number }
  | { readonly does: 'cancelAll'; readonly account: number; readonly market: number | null }
  /** To this open size, in its place in the queue. */
  | {
      readonly does: 'shrink';
      readonly account: number;
      readonly ref: OrderRef;
      readonly price: string;
      readonly size: string;
    };
/** Actions that a replay repeats as they are; accounts are still indices. */
export type PlainAction = Exclude<
  FlowAction,
  { readonly type: FlowTradingAction['type'] | 'batch' | 'liquidate' | 'other' }
>;
/**
 * What a replay does for a line of a flow: a trading intent, several in a batch, or one that is repeated as it is.
 */
export type Intent =
  | TradingIntent
  /** Of one account, one after the other. */
  | { readonly does: 'batch'; readonly account: number; readonly items: readonly TradingIntent[] }
  | { readonly does: 'plain'; readonly account: number; readonly action: PlainAction }
  | { readonly does: 'transaction'; readonly line: FlowLineOf<'transaction'> };

/** What a replay does for one line. */
export interface Intents {
  /** In the order in which they have to be carried out. */
  readonly intents: readonly Intent[];
  /** Why something of the line is not done; null when all of it is. */
  readonly leftOut: string | null;
}

/**
 * What has to be done so that the same orders meet the same orders as in the flow.
 *
 * A fill depends on which orders rest, and these on more than orders and cancels: margin, expiry and liquidation take orders out by the state of accounts and
 * by time, which no replay has again. So what they did is done in their place: an order that ended so is cancelled by its owner right before the line that
 * tells of it, the trades of a position in liquidation are an order of its account for exactly that, and an order whose rest was dropped for such a reason is
 * sent for what it traded. What was refused changed nothing, and is left out.
 */
export function intentsOf(line: FlowLine): Intents {
  switch (line.kind) {
    case 'earlier':
      return all([earlierOrder(line)]);
    case 'action':
      return actionIntents(line);
    case 'contract':
      return contractIntents(line);
    case 'network':
      return all([...cancelsOf(line.outcome, () => true), ...takerOrders(line.outcome)]);
    case 'transaction':
      if (line.outcome.writes !== undefined)
        return {
          intents: [],
          leftOut: 'transactions of contracts that trade: their orders are sent by their accounts',
        };
      return all([{ does: 'transaction', line }]);
    default:
      return all([]);
  }
}

const all = (intents: readonly Intent[]): Intents => ({ intents, leftOut: null });

const earlierOrder = ({ line, account, order }: FlowLineOf<'earlier'>): TradingIntent => ({
  does: 'order',
  account,
  ref: orderRefOf(line),
  order: { ...order, ...plainOrder, tif: 'gtc' },
  rests: true,
});

/** Why orders leave that nobody sent for: by the state of accounts, or by time. */
const outsideReasons: ReadonlySet<string> = new Set(['margin', 'expired', 'liquidation']);
/** Ends that an order comes to again when it meets the same orders. */
const ownEnds: ReadonlySet<string> = new Set(['fok', 'self_trade']);

const cancelsOf = (
  { removed = [] }: FlowOutcome,
  isMeant: (reason: string, by: OrderRef | undefined) => boolean,
): TradingIntent[] =>
  removed.flatMap(({ order, account, market, reason, by }) =>
    isMeant(reason, by) ? [{ does: 'cancel' as const, account, ref: order, market }] : [],
  );

function actionIntents({ line, account, action, outcome }: FlowLineOf<'action'>): Intents {
  if (outcome.refused !== undefined) return { intents: [], leftOut: `refused: ${outcome.refused}` };
  const before = cancelsOf(outcome, (reason) => outsideReasons.has(reason));
  const isTrading = ['order', 'cancel', 'cancelAll', 'modify', 'batch'].includes(action.type);
  // A cancelAll that found nothing would find something in another place.
  if (isTrading && outcome.silent === true) return { intents: before, leftOut: `${action.type} that changed nothing` };
  switch (action.type) {
    case 'liquidate':
      return all([...before, ...takerOrders(outcome)]);
    case 'other':
      return { intents: before, leftOut: `actions of the type ${action.name}` };
    case 'batch':
      return batchIntents({ account, ref: orderRefOf(line), outcome }, action.items);
    case 'order':
    case 'cancel':
    case 'cancelAll':
    case 'modify': {
      const own = tradingIntents({ account, ref: orderRefOf(line), outcome }, action, outcome);
      const leftOut = own.length > 0 ? null : `${action.type} of nothing`;
      return { intents: [...before, ...together(account, own)], leftOut };
    }
    default:
      return all([...before, { does: 'plain', account, action }]);
  }
}

const together = (account: number, items: readonly TradingIntent[]): Intent[] =>
  items.length > 1 ? [{ does: 'batch', account, items }] : [...items];

/** An order that an item took out for lack of margin is cancelled right before that item, and not before those that may have traded with it. */
function batchIntents(batch: Placing, actions: readonly FlowTradingAction[]): Intents {
  const { account, ref, outcome } = batch;
  const intents: Intent[] = [];
  let items: TradingIntent[] = [];
  actions.forEach((action, index) => {
    const own = `${ref}.${index}`;
    const before = cancelsOf(outcome, (reason, by) => by === own && outsideReasons.has(reason));
    if (before.length > 0) {
      intents.push(...together(account, items), ...before);
      items = [];
    }
    items.push(...tradingIntents({ account, ref: own, outcome }, action, outcome.items?.[index] ?? {}));
  });
  intents.push(...together(account, items));
  const isWhole = (outcome.items ?? []).every(({ refused }) => refused === undefined);
  return { intents, leftOut: isWhole ? null : 'refused: items of batches' };
}

function contractIntents({ line, account, action, outcome }: FlowLineOf<'contract'>): Intents {
  if (action === null) {
    const intents = [...cancelsOf(outcome, () => true), ...takerOrders(outcome)];
    return { intents, leftOut: intents.length > 0 ? null : 'what contracts did besides orders and cancels' };
  }
  const before = cancelsOf(outcome, (reason) => outsideReasons.has(reason));
  return all([...before, ...tradingIntents({ account, ref: orderRefOf(line), outcome }, action, outcome)]);
}

interface Placing {
  readonly account: number;
  /** What the order is called that comes of it. */
  readonly ref: OrderRef;
  /** Of the whole line. */
  readonly outcome: FlowOutcome;
}

function tradingIntents(placing: Placing, action: FlowTradingAction, fate: FlowFate): TradingIntent[] {
  if (fate.refused !== undefined) return [];
  const { account } = placing;
  switch (action.type) {
    case 'order': {
      const { type: _, ...order } = action;
      return orderIntents(placing, order, fate);
    }
    case 'cancel':
      if (action.order === null || action.market === null) return [];
      return [{ does: 'cancel', account, ref: action.order, market: action.market }];
    case 'cancelAll':
      return [{ does: 'cancelAll', account, market: action.market }];
    default:
      return modifyIntents(placing, action, fate);
  }
}

/** A modify that takes the order's place away is a cancel and an order: nobody has to know the id that the network gave it. */
function modifyIntents(
  placing: Placing,
  { order, price, size }: Extract<FlowTradingAction, { readonly type: 'modify' }>,
  fate: FlowFate,
): TradingIntent[] {
  const { account } = placing;
  if (fate.placed === undefined) return order === null ? [] : [{ does: 'shrink', account, ref: order, price, size }];
  const { market } = fate.placed;
  const cancel = order === null ? [] : [{ does: 'cancel' as const, account, ref: order, market }];
  return [...cancel, ...orderIntents(placing, fate.placed, fate)];
}

function orderIntents(
  { account, ref, outcome }: Placing,
  order: FlowOrder,
  { rests, ended }: FlowFate,
): TradingIntent[] {
  const isItself =
    !order.reduceOnly && (ended === undefined || ownEnds.has(ended) || (ended === 'ioc' && order.tif === 'ioc'));
  if (isItself) return [{ does: 'order', account, ref, order, rests: rests !== undefined }];
  const traded = (outcome.fills ?? []).reduce((sum, { taker, size }) => (taker === ref ? sum + BigInt(size) : sum), 0n);
  const cut: FlowOrder = { ...order, tif: 'ioc', postOnly: false, reduceOnly: false, size: `${traded}` };
  const own = traded === 0n ? [] : [{ does: 'order' as const, account, ref, order: cut, rests: false }];
  return [...metOwn(ref, outcome), ...own];
}

/** What an order that is not sent whole did to orders of its owner. */
function metOwn(ref: OrderRef, outcome: FlowOutcome): TradingIntent[] {
  const shrinks = (outcome.reduced ?? []).flatMap(({ order, account, price, rests, by }) =>
    by === ref ? [{ does: 'shrink' as const, account, ref: order, price, size: rests }] : [],
  );
  return [...cancelsOf(outcome, (reason, by) => by === ref && reason === 'self_trade'), ...shrinks];
}

/** Orders for what positions in liquidation traded, at the worst price of it. */
function takerOrders({ takers = [], fills = [] }: FlowOutcome): TradingIntent[] {
  return takers.flatMap(({ order: ref, account, market, side }) => {
    const own = fills.filter(({ taker }) => taker === ref);
    const [first, ...more] = own.map(({ price }) => BigInt(price));
    if (first === undefined) return [];
    const price = more.reduce((worst, one) => (one > worst === (side === 'buy') ? one : worst), first);
    const size = own.reduce((sum, fill) => sum + BigInt(fill.size), 0n);
    const order: FlowOrder = { market, side, price: `${price}`, size: `${size}`, ...plainOrder, tif: 'ioc' };
    return [{ does: 'order' as const, account, ref, order, rests: false }];
  });
}
