import { isPrimeError } from '@prime/primitives';
import { ChainError } from '../errors.ts';

/** Neither of these says anything about the records: the disk, the thread that was asked, or what was found out already. */
const isOfAnother = /^(?:STATE_DATABASE|BUS|CHAIN)_/;

/**
 * Builds a part of the state from its records.
 *
 * @throws ChainError `CHAIN_STATE_UNREADABLE` for records that can not be read; what the disk and other threads throw goes through
 */
export async function readable<T>(part: 'order book' | 'staking', build: () => Promise<T>): Promise<T> {
  try {
    return await build();
  } catch (cause) {
    if (isPrimeError(cause) && isOfAnother.test(cause.code)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ChainError(
      `the state can not be used, of its ${part} ${reason}. prime db check looks at all of it, prime db repair makes it anew`,
      { code: 'CHAIN_STATE_UNREADABLE', part, reason },
      { cause },
    );
  }
}
