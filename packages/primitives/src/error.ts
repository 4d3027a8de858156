/**
 * One error class for all packages: a message for people, and a detail with a stable code for programs.
 *
 * Errors cross threads, where `instanceof` fails, so they are recognised by a registered symbol and decided by `code`.
 */
const primeErrorBrand = Symbol.for('prime.error');

/**
 * What a program needs to decide about an error. Each package has a union of these, with the data that explains each
 * code.
 */
export interface ErrorDetail {
  /** SCREAMING_SNAKE with the package first; never renamed. */
  readonly code: string;
}

/** What an error looks like on the bus. */
export interface ErrorObject {
  readonly code: string;
  readonly message: string;
  readonly detail: ErrorDetail;
}

/**
 * Base class of every error that a package throws on purpose. `name` is that of the subclass, `code` that of the
 * detail.
 */
export class PrimeError<Detail extends ErrorDetail = ErrorDetail> extends Error {
  readonly [primeErrorBrand] = true;
  readonly detail: Detail;

  constructor(message: string, detail: Detail, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.detail = detail;
  }

  get code(): Detail['code'] {
    return this.detail.code;
  }

  toObject(): ErrorObject {
    return { code: this.code, message: this.message, detail: this.detail };
  }
}

/** Holds for errors of another realm or another copy of this package too, where `instanceof` fails. */
export const isPrimeError = (value: unknown): value is PrimeError =>
  typeof value === 'object' && value !== null && primeErrorBrand in value;

/** Rebuilds an error that came from another thread. */
export const errorFromObject = (object: ErrorObject): PrimeError => new PrimeError(object.message, object.detail);

/** Any thrown value as an {@link ErrorObject}; what is not a PrimeError becomes `INTERNAL`. */
export function toErrorObject(thrown: unknown): ErrorObject {
  if (isPrimeError(thrown)) return thrown.toObject();
  const message = thrown instanceof Error || isErrorLike(thrown) ? thrown.message : String(thrown);
  return { code: 'INTERNAL', message, detail: { code: 'INTERNAL' } };
}

const isErrorLike = (value: unknown): value is { message: string } =>
  typeof value === 'object' && value !== null && typeof (value as { message?: unknown }).message === 'string';

/** A broken invariant: never caught for recovery, always stops the node. */
export class InvariantError extends PrimeError<{ readonly code: 'INVARIANT_BROKEN' }> {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, { code: 'INVARIANT_BROKEN' }, options);
  }
}

/** Stops the node when something that must hold does not. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** Marks a branch that the types say can not be reached. */
export function unreachable(value: never): never {
  throw new InvariantError(`unreachable value: ${JSON.stringify(value)}`);
}
