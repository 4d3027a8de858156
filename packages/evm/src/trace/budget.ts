import { EvmError } from '../errors.ts';

/** Bounds what an answer may grow to: one is kept whole until it is sent. */
export interface TraceBudget {
  /** @throws EvmError `EVM_TRACE_TOO_LARGE` */
  spend(characters: number): void;
}

/** @param max characters of JSON that the answer may have */
export function createTraceBudget(max: number): TraceBudget {
  let left = max;
  return {
    spend(characters) {
      left -= characters;
      if (left < 0)
        throw new EvmError(`answer is larger than ${max} characters`, { code: 'EVM_TRACE_TOO_LARGE', limit: max });
    },
  };
}
