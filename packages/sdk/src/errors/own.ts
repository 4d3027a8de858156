import type { Price, Size } from '../types/primitives.ts';
import { PrimeSdkError } from './base.ts';

/** Text that is no decimal number: digits, at most one point, no exponent. */
export class InvalidDecimalError extends PrimeSdkError {
  override name = 'InvalidDecimalError';
  readonly value: string;

  constructor(value: string) {
    super('INVALID_DECIMAL', `"${value}" is no decimal number such as "3012.55".`);
    this.value = value;
  }
}

/** Valid values on both sides of one that is not; null where there is none. */
export interface Nearest<value> {
  readonly below: value | null;
  readonly above: value | null;
}

interface OffGrid<value> {
  readonly value: string;
  readonly symbol: string;
  /** Least step, as people write it. */
  readonly step: string;
  readonly nearest: Nearest<value>;
  /** The same as people write them. */
  readonly nearestText: Nearest<string>;
}

const inWords = ({ below, above }: Nearest<string>): string =>
  [below, above].filter((text) => text !== null).join(' and ');

/** A price that the market does not have. `nearest` has the valid ones on both sides of it. */
export class InvalidPriceError extends PrimeSdkError {
  override name = 'InvalidPriceError';
  readonly value: string;
  readonly nearest: Nearest<Price>;
  readonly nearestText: Nearest<string>;

  constructor({ value, symbol, step, nearest, nearestText }: OffGrid<Price>) {
    super('INVALID_PRICE', `${value} is no price of ${symbol}: prices are multiples of ${step}.`, {
      metaMessages: [
        `Nearest: ${inWords(nearestText)}`,
        "Or name a rounding: market.price(value, { rounding: 'down' }).",
      ],
    });
    this.value = value;
    this.nearest = nearest;
    this.nearestText = nearestText;
  }
}

/** A size that the market does not have. `nearest` has the valid ones on both sides of it. */
export class InvalidSizeError extends PrimeSdkError {
  override name = 'InvalidSizeError';
  readonly value: string;
  readonly nearest: Nearest<Size>;
  readonly nearestText: Nearest<string>;

  constructor({ value, symbol, step, nearest, nearestText }: OffGrid<Size>) {
    super('INVALID_SIZE', `${value} is no size of ${symbol}: sizes are multiples of ${step}.`, {
      metaMessages: [
        `Nearest: ${inWords(nearestText)}`,
        "Or name a rounding: market.size(value, { rounding: 'down' }).",
      ],
    });
    this.value = value;
    this.nearest = nearest;
    this.nearestText = nearestText;
  }
}

/** An amount of the quote with more digits than the quote has. */
export class InvalidAmountError extends PrimeSdkError {
  override name = 'InvalidAmountError';
  readonly value: string;

  constructor(value: string, symbol: string, decimals: number) {
    super('INVALID_AMOUNT', `${value} has more than the ${decimals} decimals of the quote of ${symbol}.`);
    this.value = value;
  }
}

/** A field of an action that can not be signed; the message says what is allowed. */
export class InvalidActionError extends PrimeSdkError {
  override name = 'InvalidActionError';
  /** Path of the field. */
  readonly field: string;

  constructor(field: string, what: string, cause?: Error) {
    super('INVALID_ACTION', `${field} ${what}.`, { cause });
    this.field = field;
  }
}

/** A batch holds 1 to 100 items. */
export class BatchSizeError extends PrimeSdkError {
  override name = 'BatchSizeError';
  readonly size: number;
  readonly limit: number;

  constructor(size: number, limit: number) {
    super('BATCH_SIZE', `A batch holds 1 to ${limit} items, not ${size}.`);
    this.size = size;
    this.limit = limit;
  }
}

/** A wallet action without an account: neither the client nor the call names one. */
export class AccountMissingError extends PrimeSdkError {
  override name = 'AccountMissingError';
  constructor() {
    super('ACCOUNT_MISSING', 'No account: give one to createWalletClient, or to this call.');
  }
}

/** A `failover` over no transport at all. */
export class TransportMissingError extends PrimeSdkError {
  override name = 'TransportMissingError';
  constructor() {
    super('TRANSPORT_MISSING', 'No node: give failover() at least one transport.');
  }
}

/** No market has the symbol or id. */
export class MarketNotFoundError extends PrimeSdkError {
  override name = 'MarketNotFoundError';
  readonly market: string | number;
  /** Symbols that there are. */
  readonly symbols: readonly string[];

  constructor(market: string | number, symbols: readonly string[]) {
    super('MARKET_NOT_FOUND', `There is no market ${market}.`, { metaMessages: [`Markets: ${symbols.join(', ')}`] });
    this.market = market;
    this.symbols = symbols;
  }
}

/** A node answered with something that its method never answers. */
export class AnswerUnreadableError extends PrimeSdkError {
  override name = 'AnswerUnreadableError';
  constructor(what: string, cause?: Error) {
    super('ANSWER_UNREADABLE', `The node's answer can not be read: ${what}.`, { cause });
  }
}
