import { BaseError } from 'viem';

/** What an error is told with. */
export interface PrimeErrorParameters {
  readonly cause?: Error | undefined;
  /** More lines of the message. */
  readonly metaMessages?: string[] | undefined;
}

/**
 * Root of all errors of the SDK, with what viem's errors have: `shortMessage`, `details`, `cause` and `walk()`.
 *
 * Decide by class (`instanceof`) or by `code`, which never changes.
 */
export class PrimeSdkError extends BaseError {
  /** Stable word for programs, SCREAMING_SNAKE. */
  readonly code: string;
  // Written out in every class: a minifier renames classes.
  override name = 'PrimeSdkError';

  constructor(code: string, shortMessage: string, { cause, metaMessages }: PrimeErrorParameters = {}) {
    super(shortMessage, { cause, metaMessages });
    this.code = code;
  }
}
