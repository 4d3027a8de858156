import { selfTradeModes, sides, timesInForce } from '@prime/codec';
import { type Static, Type } from '@sinclair/typebox';

/**
 * The lines of a recorded flow, `prime-flow-1`; docs/reference/flow.md says what they mean.
 *
 * Amounts (prices, sizes, wei, gas) are decimal text, because JSON numbers end at 2^53. Counts, lines, accounts, markets and times are numbers.
 */
export const flowFormat = 'prime-flow-1';

const object = <T extends Parameters<typeof Type.Object>[0]>(fields: T) =>
  Type.Object(fields, { additionalProperties: false });
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(of: T) => Type.Union([of, Type.Null()]);
const oneOf = <const T extends string>(words: readonly T[]) => Type.Unsafe<T>({ enum: [...words] });

const safeInteger = (minimum: number) => Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER });
const count = safeInteger(0);
const decimal = Type.String({ pattern: '^(0|[1-9][0-9]{0,77})$' });
/** An amount that is there: above 0. */
const positive = Type.String({ pattern: '^[1-9][0-9]{0,77}$' });
const bytes = Type.String({ pattern: '^0x([0-9a-f]{2})*$' });
const word = Type.String({ minLength: 1, maxLength: 256 });
const market = Type.Integer({ minimum: 1, maximum: 2 ** 32 - 1 });
/** Index of an account that a line before has introduced. */
const account = count;
/** An order: the number of the line that placed it; of a line that placed several, with the place among them from 0 on, as in `17.2`. */
const orderRef = Type.String({ pattern: '^[1-9][0-9]{0,15}(\\.(0|[1-9][0-9]{0,8}))?$' });

const place = { line: safeInteger(1) } as const;
/** ms since the begin of the flow: of the block, since no block says when what is in it was sent. */
const time = { ...place, ms: count } as const;
const side = oneOf(sides);

const orderFields = {
  market,
  side,
  price: positive,
  size: positive,
  tif: oneOf(timesInForce),
  postOnly: Type.Boolean(),
  reduceOnly: Type.Boolean(),
  selfTrade: oneOf(selfTradeModes),
  /** 16 bytes that its owner called it by. A replay gives its orders others; they join the record of a replay with the flow. */
  clientId: Type.Optional(Type.String({ pattern: '^0x[0-9a-f]{32}$' })),
} as const;
const orderSchema = object(orderFields);

const tradingActions = [
  /** What was refused may ask for 0. */
  object({ type: Type.Literal('order'), ...orderFields, price: decimal, size: decimal }),
  /** `order` is null where there is none that the flow knows. */
  object({ type: Type.Literal('cancel'), order: orNull(orderRef), market: orNull(market) }),
  /** null is all markets. */
  object({ type: Type.Literal('cancelAll'), market: orNull(market) }),
  /** To this price and open size. */
  object({ type: Type.Literal('modify'), order: orNull(orderRef), price: decimal, size: decimal }),
] as const;

const actionSchema = Type.Union([
  ...tradingActions,
  object({ type: Type.Literal('batch'), items: Type.Array(Type.Union([...tradingActions])) }),
  object({ type: Type.Literal('deposit'), amount: decimal }),
  object({ type: Type.Literal('withdraw'), amount: decimal, to: account }),
  object({ type: Type.Literal('transfer'), amount: decimal, to: account }),
  object({ type: Type.Literal('enqueueEvmToOrders'), amount: decimal, to: account }),
  object({ type: Type.Literal('bridgeDequeue'), direction: oneOf(['orders_to_evm', 'evm_to_orders']), max: count }),
  object({ type: Type.Literal('approveAgent'), agent: account, permissions: count, name: Type.String() }),
  object({ type: Type.Literal('revokeAgent'), agent: account }),
  object({ type: Type.Literal('liquidate'), of: account }),
  object({ type: Type.Literal('noop') }),
  object({ type: Type.Literal('lockAccount') }),
  /** What nobody else can do again: of validators, of who administers the network. `name` is its type. */
  object({ type: Type.Literal('other'), name: word }),
]);

/** One trade. `taker` is the order that came, `maker` the one that rested. */
const fillSchema = object({ market, price: positive, size: positive, maker: orderRef, taker: orderRef });

/** What became of an order or an item: all left out is that it was carried out and there is nothing more to say. */
const fateFields = {
  /** Kind of the refusal; then nothing else happened. */
  refused: Type.Optional(word),
  /** What is left in the book. */
  rests: Type.Optional(positive),
  /** Why it ended, when it neither rests nor is filled. */
  ended: Type.Optional(word),
  /** Of a modify that gave the order a new id: the order that it placed. */
  placed: Type.Optional(orderSchema),
} as const;

/** An order that left the book without being filled. `by` is the order of the line that met it; left out where none did. */
const removedSchema = object({ order: orderRef, account, market, reason: word, by: Type.Optional(orderRef) });
/** An order that self-trade prevention made smaller, as `by` met it, to what `rests`. */
const reducedSchema = object({ order: orderRef, account, market, price: positive, rests: positive, by: orderRef });
/** An order that no action placed, and whose fills are there: of a position in liquidation. */
const takerSchema = object({ order: orderRef, account, market, side });

const outcomeSchema = object({
  ...fateFields,
  /** It told nothing, so that its place among the others of its block is not known: it stands behind them. It changed no order. */
  silent: Type.Optional(Type.Literal(true)),
  /** Of a batch, by item. */
  items: Type.Optional(Type.Array(object(fateFields))),
  /** In the order in which they happened. */
  fills: Type.Optional(Type.Array(fillSchema)),
  /** In the order in which they left, without those that are filled. */
  removed: Type.Optional(Type.Array(removedSchema)),
  reduced: Type.Optional(Type.Array(reducedSchema)),
  takers: Type.Optional(Type.Array(takerSchema)),
});

/** First line of a flow: where it comes from, and its markets with tick and lot in their smallest units. */
export const headerSchema = object({
  ...place,
  kind: Type.Literal('flow'),
  format: Type.Literal(flowFormat),
  source: Type.Union([
    object({ of: Type.Literal('network'), chainId: safeInteger(1), from: count, to: count }),
    object({ of: Type.Literal('itch') }),
  ]),
  /** Unix time in ms of `ms` 0; for a source without a date, of the day. */
  beganMs: count,
  markets: Type.Array(object({ market, symbol: word, tick: positive, lot: positive })),
});

/**
 * JSON Schema of a line by its `kind`. Amounts are decimal text in smallest units, accounts are indices of `account`
 * lines.
 */
export const lineSchemas = {
  flow: headerSchema,
  account: object({ ...place, kind: Type.Literal('account'), account, name: word }),
  earlier: object({
    ...place,
    kind: Type.Literal('earlier'),
    account,
    order: object({ market, side, price: positive, size: positive }),
  }),
  action: object({
    ...time,
    kind: Type.Literal('action'),
    account,
    /** The agent that signed it. */
    by: Type.Optional(account),
    action: actionSchema,
    outcome: outcomeSchema,
  }),
  transaction: object({
    ...time,
    kind: Type.Literal('transaction'),
    account,
    /** null creates a contract. */
    to: orNull(account),
    value: decimal,
    data: bytes,
    gas: decimal,
    outcome: object({
      status: oneOf(['ok', 'reverted']),
      gasUsed: decimal,
      created: Type.Optional(account),
      /** What it left to the order book, which carries it out in the next block: lines of the kind `contract`. */
      writes: Type.Optional(safeInteger(1)),
    }),
  }),
  contract: object({
    ...time,
    kind: Type.Literal('contract'),
    account,
    /** null where what it was can not be told from what it did. */
    action: orNull(Type.Union([tradingActions[0]])),
    did: Type.Array(word),
    outcome: outcomeSchema,
  }),
  network: object({ ...time, kind: Type.Literal('network'), did: Type.Array(word), outcome: outcomeSchema }),
  end: object({
    ...place,
    kind: Type.Literal('end'),
    totals: object({
      lines: count,
      accounts: count,
      earlier: count,
      actions: count,
      transactions: count,
      contract: count,
      network: count,
      refused: count,
      fills: count,
    }),
    /** What was in the source and can not be done again, or is not in the file. */
    lost: Type.Array(object({ what: word, count: safeInteger(1) })),
  }),
} as const;

/** The values of a line's `kind`. */
export type LineKind = keyof typeof lineSchemas;
/** Any line of a flow, once it was checked. */
export type FlowLine = { [Kind in LineKind]: Static<(typeof lineSchemas)[Kind]> }[LineKind];
/** Lines with this `kind`. */
export type FlowLineOf<Kind extends LineKind> = Extract<FlowLine, { readonly kind: Kind }>;
/** The line that every flow begins with. */
export type FlowHeader = FlowLineOf<'flow'>;
/** Counts in the last line, from which a reader sees that nothing is missing. */
type FlowTotals = FlowLineOf<'end'>['totals'];
/** An action as a flow has it: orders by the line that placed them, amounts as decimal text. */
export type FlowAction = Static<typeof actionSchema>;
/** Actions that a batch may hold: those that place, change or end orders. */
export type FlowTradingAction = Extract<FlowAction, { readonly type: 'order' | 'cancel' | 'cancelAll' | 'modify' }>;
/**
 * An order that was asked for: price in wei of the quote for one base unit, size in base units, both decimal text.
 */
export type FlowOrder = Static<typeof orderSchema>;
/** What came of a line in its block: its fate, its fills, and what it did to orders of others. */
export type FlowOutcome = Static<typeof outcomeSchema>;
/** What became of one order or one item of a batch. */
export type FlowFate = Pick<FlowOutcome, 'refused' | 'rests' | 'ended' | 'placed'>;
/** One trade of a flow, at the maker's price. */
export type FlowFill = Static<typeof fillSchema>;
/** The line that placed an order, and for one of several its index behind a dot: `17`, `17.2`. */
export type OrderRef = string;

/** The order that a line placed, or one of several. */
export const orderRefOf = (line: number, index?: number): OrderRef =>
  index === undefined ? `${line}` : `${line}.${index}`;

/** What an order says besides market, side, price, size and life when nothing special is asked of it. */
export const plainOrder = { postOnly: false, reduceOnly: false, selfTrade: 'cancel_maker' } as const;

/** The line that placed an order. */
export const lineOfRef = (ref: OrderRef): number => Number(ref.split('.')[0]);

/** {@link FlowTotals} while they are still counted. */
type FlowCounts = { -readonly [Name in keyof FlowTotals]: number };

/** Counts of a flow without a line. */
export const noCounts = (): FlowCounts => ({
  lines: 0,
  accounts: 0,
  earlier: 0,
  actions: 0,
  transactions: 0,
  contract: 0,
  network: 0,
  refused: 0,
  fills: 0,
});

const counterOf = {
  account: 'accounts',
  earlier: 'earlier',
  action: 'actions',
  transaction: 'transactions',
  contract: 'contract',
  network: 'network',
} as const;

/** Counts a line, as the last line of a flow has to tell it. `lines` is all of them, header and end included. */
export function countLine(counts: FlowCounts, line: FlowLine): void {
  counts.lines++;
  if (line.kind === 'flow' || line.kind === 'end') return;
  counts[counterOf[line.kind]]++;
  if (line.kind === 'action' || line.kind === 'contract' || line.kind === 'network') {
    counts.fills += line.outcome.fills?.length ?? 0;
    if (line.outcome.refused !== undefined) counts.refused++;
    for (const item of line.outcome.items ?? []) if (item.refused !== undefined) counts.refused++;
  }
}
