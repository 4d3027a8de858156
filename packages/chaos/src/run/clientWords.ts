import { BaseError } from 'viem';

/** What went wrong, in one line: viem's messages go on with the whole request. */
export const wordsOf = (thrown: unknown): string =>
  thrown instanceof BaseError ? `${thrown.shortMessage} ${thrown.details}`.trim() : (thrown as Error).message;
