import { callRpc, type PrimeClient } from '../../../client.ts';
import { decodeAccountTransactions } from '../../../decode/accountTransactions.ts';
import { toQuantity } from '../../../decode/quantity.ts';
import type { AccountTransactions, BlockPlace } from '../../../types/accountTransaction.ts';
import type { Address } from '../../../types/primitives.ts';

/** Whose history it is, and which page of it. */
export interface GetAccountTransactionsParameters {
  readonly address: Address;
  /** At most so many, up to 100; fewer where they are large. Default 25. */
  readonly limit?: number | undefined;
  /** Only what stands in front of this place: the `next` of the page before. */
  readonly before?: BlockPlace | null | undefined;
}
/** One page, and where the next one begins. */
export type GetAccountTransactionsReturnType = AccountTransactions;

/**
 * Transactions and signed actions that concern an account, the last first. What contracts did on the way is in traces and logs, not here.
 *
 * @throws InvalidParametersError, HistoryPrunedError where a block of the page is deleted meanwhile
 */
export async function getAccountTransactions(
  client: PrimeClient,
  { address, limit, before }: GetAccountTransactionsParameters,
): Promise<GetAccountTransactionsReturnType> {
  const page = {
    ...(limit === undefined ? {} : { limit }),
    ...(before == null
      ? {}
      : {
          before: {
            block_number: toQuantity(before.blockNumber),
            transaction_index: toQuantity(before.transactionIndex),
          },
        }),
  };
  return decodeAccountTransactions(await callRpc(client, 'prime_getAccountTransactions', [address, page]));
}
