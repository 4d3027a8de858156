import { type ReadonlySignal, signal } from '@preact/signals';
import {
  type AccountTransaction,
  type AccountTransactions,
  type Address,
  type BlockPlace,
  getAccountTransactions,
} from '@prime/sdk';
import { createPoll, type Poll } from '../../live/poll.ts';
import type { RpcClient } from '../../node/rpcClient.ts';

/** Transactions of an account from the newest one as far back as somebody asked for. */
export interface AccountHistory extends Poll<AccountTransactions> {
  /** Whether it is looking back now. */
  readonly isReading: ReadonlySignal<boolean>;
  /** Reads what was before. */
  readOlder(): void;
}

const pageLength = 25;
const everyMs = 1_500;

/** Looks for new transactions while somebody holds it; older ones come page by page when asked for. */
export function createAccountHistory({ sdk }: Pick<RpcClient, 'sdk'>, address: Address): AccountHistory {
  const value = signal<AccountTransactions | null>(null);
  const isReading = signal(false);
  const read = (before: BlockPlace | null): Promise<AccountTransactions> =>
    getAccountTransactions(sdk, { address, limit: pageLength, before });
  const { hold, error, reload } = createPoll(async () => {
    const newest = await read(null);
    // The list as it is now: older ones may have come meanwhile.
    value.value = withNewest(value.value, newest);
  }, everyMs);
  return {
    value,
    error,
    isReading,
    hold,
    reload,
    readOlder() {
      const before = value.value?.next ?? null;
      if (before === null || isReading.value) return;
      isReading.value = true;
      read(before)
        .then((page) => {
          // Where the list began anew meanwhile, the page is not what follows it.
          const list = value.value;
          if (list !== null && isSamePlace(list.next, before))
            value.value = { ...page, transactions: [...list.transactions, ...page.transactions] };
        })
        // The list tells why the node does not answer when it asks the next time.
        .catch(reload)
        .finally(() => {
          isReading.value = false;
        });
    },
  };
}

const isSamePlace = (a: BlockPlace | null, b: BlockPlace): boolean =>
  a !== null && a.blockNumber === b.blockNumber && a.transactionIndex === b.transactionIndex;

const isAfter = (a: AccountTransaction, b: AccountTransaction): boolean =>
  a.blockNumber === b.blockNumber ? a.transactionIndex > b.transactionIndex : a.blockNumber > b.blockNumber;

/** A list with what came since; the page alone where there may be more between them than it holds. */
export function withNewest(list: AccountTransactions | null, page: AccountTransactions): AccountTransactions {
  const [first] = list?.transactions ?? [];
  if (list === null || first === undefined) return page;
  const newer = page.transactions.filter((one) => isAfter(one, first));
  if (newer.length === 0) return list;
  if (newer.length === page.transactions.length && page.next !== null) return page;
  return { ...list, transactions: [...newer, ...list.transactions] };
}
