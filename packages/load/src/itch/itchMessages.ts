/**
 * Messages of Nasdaq TotalView-ITCH 5.0, as its public specification lays them out: every message begins with its type, the stock's locate code, a tracking number
 * and the time, and goes on with the fields below, in this order and without gaps. Integers are big-endian.
 */

/** How one field stands in a message, and how it is read. */
export interface FieldLayout {
  /** `text`: printable ASCII, padded with spaces on the right. `number`: up to 6 bytes. `big`: 8 bytes. Prices are numbers with implied decimals. */
  readonly kind: 'text' | 'number' | 'big';
  readonly bytes: number;
}

const text = <const Bytes extends number>(bytes: Bytes) => ({ kind: 'text', bytes }) as const;
const number = { kind: 'number', bytes: 4 } as const;
const big = { kind: 'big', bytes: 8 } as const;
const stock = text(8);
const flag = text(1);
/** Of an order, unique in a day. */
const reference = big;
const shares = number;
/** Four decimals: 10 000 is one dollar. */
const price4 = number;
/** Eight decimals. */
const price8 = big;

const orderFields = { reference, side: flag, shares, stock, price: price4 } as const;

/** Fields of each message behind its common begin, by type, in their order (TotalView-ITCH 5.0, section 4). */
export const itchLayouts = {
  /** System event: begin and end of messages, system hours, market hours. */
  S: { event: flag },
  /** Stock directory. */
  R: {
    stock,
    marketCategory: flag,
    financialStatus: flag,
    roundLotSize: number,
    roundLotsOnly: flag,
    issueClassification: flag,
    issueSubType: text(2),
    authenticity: flag,
    shortSaleThreshold: flag,
    ipoFlag: flag,
    luldTier: flag,
    etpFlag: flag,
    etpLeverage: number,
    inverse: flag,
  },
  /** Stock trading action: halted, paused, quotation only, trading. */
  H: { stock, state: flag, reserved: flag, reason: text(4) },
  /** Reg SHO short sale price test. */
  Y: { stock, action: flag },
  /** Market participant position. */
  L: { participant: text(4), stock, primaryMaker: flag, makerMode: flag, participantState: flag },
  /** Levels of the market-wide circuit breaker. */
  V: { level1: price8, level2: price8, level3: price8 },
  /** The circuit breaker's level that was breached. */
  W: { level: flag },
  /** Quoting period of an IPO. */
  K: { stock, releaseTime: number, qualifier: flag, price: price4 },
  /** Auction collar of limit up, limit down. */
  J: { stock, referencePrice: price4, upperPrice: price4, lowerPrice: price4, extension: number },
  /** Operational halt. */
  h: { stock, market: flag, action: flag },
  /** Add order. */
  A: orderFields,
  /** Add order, with who it is from. */
  F: { ...orderFields, attribution: text(4) },
  /** Order executed at its own price. */
  E: { reference, shares, match: big },
  /** Order executed at another price. */
  C: { reference, shares, match: big, printable: flag, price: price4 },
  /** A part of an order was cancelled. */
  X: { reference, shares },
  /** Order deleted. */
  D: { reference },
  /** Order replaced. */
  U: { reference, newReference: reference, shares, price: price4 },
  /** Trade with an order that is not displayed. */
  P: { ...orderFields, match: big },
  /** Cross trade. */
  Q: { shares: big, stock, price: price4, match: big, crossType: flag },
  /** Broken trade. */
  B: { match: big },
  /** Net order imbalance. */
  I: {
    paired: big,
    imbalance: big,
    direction: flag,
    stock,
    farPrice: price4,
    nearPrice: price4,
    referencePrice: price4,
    crossType: flag,
    variation: flag,
  },
  /** Retail interest. */
  N: { stock, interest: flag },
  /** Direct listing with capital raise. */
  O: {
    stock,
    eligibility: flag,
    minimumPrice: price4,
    maximumPrice: price4,
    nearPrice: price4,
    nearTime: big,
    lowerPrice: price4,
    upperPrice: price4,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, FieldLayout>>>>;

/** Letter with which a message begins. */
export type ItchType = keyof typeof itchLayouts;

type ValueOf<Layout extends FieldLayout> = { text: string; number: number; big: bigint }[Layout['kind']];
type FieldsOf<Layouts> = {
  readonly [Name in keyof Layouts]: Layouts[Name] extends FieldLayout ? ValueOf<Layouts[Name]> : never;
};

interface ItchBegin {
  /** Code of the stock in this file; 0 where a message is about none. */
  readonly locate: number;
  readonly tracking: number;
  /** Nanoseconds since midnight. */
  readonly ns: number;
  /** Where the length of the message stands in the unpacked file. */
  readonly offset: number;
}

/** A message of one type with its fields by name. Prices are integers with four decimals, times ns since midnight. */
export type ItchMessageOf<Type extends ItchType> = ItchBegin & { readonly type: Type } & FieldsOf<
    (typeof itchLayouts)[Type]
  >;
/** A message of any type; `type` tells which. */
export type ItchMessage = { [Type in ItchType]: ItchMessageOf<Type> }[ItchType];

/** Type, locate, tracking number, time. */
export const itchBeginBytes = 11;

/** Length of a message of each type, bytes. */
export const itchLengths: Readonly<Record<ItchType, number>> = Object.fromEntries(
  Object.entries(itchLayouts).map(([type, fields]) => [
    type,
    Object.values(fields as Readonly<Record<string, FieldLayout>>).reduce(
      (sum, { bytes }) => sum + bytes,
      itchBeginBytes,
    ),
  ]),
) as Record<ItchType, number>;
