import type { RpcResult } from '../generated/methods.ts';
import type { AccountTransaction, AccountTransactions } from '../types/accountTransaction.ts';
import type { Hex } from '../types/primitives.ts';
import { toBigint, toNumber } from './quantity.ts';

type Wire = RpcResult<'prime_getAccountTransactions'>;

/** What signed actions and placed transactions have besides. */
interface Placed {
  readonly blockNumber: Hex;
  readonly blockTimestamp: Hex;
  readonly transactionIndex: Hex;
  readonly action?: { readonly type: string };
}

function decodeEntry({ roles, status, transaction }: Wire['transactions'][number]): AccountTransaction {
  const { hash, type, from, to, value, nonce, input } = transaction;
  const { blockNumber, blockTimestamp, transactionIndex, action } = transaction as unknown as Placed;
  return {
    roles,
    isOk: toNumber(status) === 1,
    hash,
    type: toNumber(type),
    blockNumber: toBigint(blockNumber),
    transactionIndex: toNumber(transactionIndex),
    blockTimestamp: toNumber(blockTimestamp),
    from,
    to,
    value: toBigint(value),
    nonce: toBigint(nonce),
    input,
    actionType: action?.type ?? null,
  };
}

/** From wire form, with the place where the next page begins. */
export const decodeAccountTransactions = ({ transactions, next, oldest_block }: Wire): AccountTransactions => ({
  transactions: transactions.map(decodeEntry),
  next: next && { blockNumber: toBigint(next.block_number), transactionIndex: toNumber(next.transaction_index) },
  oldestBlock: toBigint(oldest_block),
});
