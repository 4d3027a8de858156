import { HistoryPrunedError } from '@prime/sdk';

/** null for what the node refuses because it does not keep it any more. */
export const keptOrNull = <T>(promise: Promise<T>): Promise<T | null> =>
  promise.catch((error: unknown) => {
    if (error instanceof HistoryPrunedError) return null;
    throw error;
  });
