import { DisabledOnSurfaceError, HistoryPrunedError, LimitExceededError } from '../errors/rpc.ts';

/** null for what the node deleted, hides, or has too much of for one answer: the rest of an explanation stands without it. */
export const keptOrNull = <Result>(promise: Promise<Result>): Promise<Result | null> =>
  promise.catch((error: unknown) => {
    if (
      error instanceof HistoryPrunedError ||
      error instanceof DisabledOnSurfaceError ||
      error instanceof LimitExceededError
    )
      return null;
    throw error;
  });
