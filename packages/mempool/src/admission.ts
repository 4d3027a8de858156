import type { VerifiedTransaction } from '@prime/codec';
import { refuse } from './errors.ts';
import type { MempoolLimits } from './options.ts';
import type { Account, Entry, SenderQueue } from './senderQueue.ts';

/** Checks before a transaction may wait, cheapest first; each throws MempoolError with the code in its name. */

/** What can be said without looking at other transactions. */
export function checkAlone(
  transaction: VerifiedTransaction,
  account: Account,
  limits: MempoolLimits,
  blockGasLimit: bigint,
): void {
  const size = transaction.raw.length;
  if (size > limits.transactionSizeMax)
    refuse(`oversized data: transaction size ${size}, limit ${limits.transactionSizeMax}`, {
      code: 'MEMPOOL_OVERSIZED',
      size,
      limit: limits.transactionSizeMax,
    });
  if (transaction.gasLimit > blockGasLimit)
    refuse('exceeds block gas limit', {
      code: 'MEMPOOL_GAS_LIMIT',
      gasLimit: transaction.gasLimit.toString(),
      limit: blockGasLimit.toString(),
    });
  if (transaction.maxPriorityFeePerGas > transaction.maxFeePerGas)
    refuse('max priority fee per gas higher than max fee per gas', { code: 'MEMPOOL_TIP_ABOVE_FEE_CAP' });
  if (transaction.maxPriorityFeePerGas < limits.tipMin)
    refuse(
      `transaction underpriced: gas tip cap ${transaction.maxPriorityFeePerGas}, minimum needed ${limits.tipMin}`,
      {
        code: 'MEMPOOL_UNDERPRICED',
      },
    );
  if (transaction.nonce < account.nonce)
    refuse(`nonce too low: next nonce ${account.nonce}, tx nonce ${transaction.nonce}`, {
      code: 'MEMPOOL_NONCE_TOO_LOW',
      nextNonce: account.nonce,
      nonce: transaction.nonce,
    });
}

/** Both fees have to be higher, and at least by the bump (rounded down, as go-ethereum does). */
export function checkReplacement(next: VerifiedTransaction, replaced: Entry | null, limits: MempoolLimits): void {
  if (replaced === null) return;
  const old = replaced.transaction;
  const factor = BigInt(100 + limits.priceBumpPercent);
  const enough = (fee: bigint, oldFee: bigint): boolean => fee > oldFee && fee >= (oldFee * factor) / 100n;
  if (enough(next.maxFeePerGas, old.maxFeePerGas) && enough(next.maxPriorityFeePerGas, old.maxPriorityFeePerGas))
    return;
  refuse('replacement transaction underpriced', {
    code: 'MEMPOOL_REPLACEMENT_UNDERPRICED',
    bumpPercent: limits.priceBumpPercent,
  });
}

/** Funds for all that waits, and room in the sender's queue and behind gaps. */
export function checkQueue(
  queue: SenderQueue,
  entry: Entry,
  replaced: Entry | null,
  queuedCount: number,
  limits: MempoolLimits,
): void {
  const waitingCost = queue.cost - (replaced?.cost ?? 0n);
  const { balance, nonce } = queue.account;
  if (waitingCost + entry.cost > balance)
    refuse(
      `insufficient funds for gas * price + value: balance ${balance}, queued cost ${waitingCost}, tx cost ${entry.cost}`,
      {
        code: 'MEMPOOL_INSUFFICIENT_FUNDS',
        balance: balance.toString(),
        waitingCost: waitingCost.toString(),
        cost: entry.cost.toString(),
      },
    );
  if (replaced !== null) return;
  if (queue.entries.length >= limits.senderTransactionsMax)
    refuse(`account limit exceeded: ${limits.senderTransactionsMax} transactions of ${queue.sender} wait`, {
      code: 'MEMPOOL_ACCOUNT_LIMIT',
      limit: limits.senderTransactionsMax,
    });
  const behindGap = entry.transaction.nonce > nonce + queue.pendingCount;
  if (behindGap && queuedCount >= limits.queuedCountMax)
    refuse('txpool is full: too many transactions wait behind a nonce gap', {
      code: 'MEMPOOL_FULL',
      limit: `${limits.queuedCountMax} queued transactions`,
    });
}
