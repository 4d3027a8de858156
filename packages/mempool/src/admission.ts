import type { VerifiedTransaction } from '@prime/codec';
import type { Address } from '@prime/primitives';
import { checkSize, refuse } from './errors.ts';
import type { MempoolLimits } from './options.ts';
import type { Account, Entry, SenderQueue } from './senderQueue.ts';

/** Checks before a transaction may wait, in go-ethereum's order and words; each throws MempoolError with the code in its name. */

/** What can be said without looking at other transactions. */
export function checkAlone(
  transaction: VerifiedTransaction,
  account: Account,
  limits: MempoolLimits,
  blockGasLimit: bigint,
): void {
  checkSize('transaction', transaction.raw.length, limits.transactionSizeMax);
  if (transaction.gasLimit > blockGasLimit)
    refuse('exceeds block gas limit', {
      code: 'MEMPOOL_GAS_LIMIT',
      gasLimit: transaction.gasLimit.toString(),
      limit: blockGasLimit.toString(),
    });
  if (transaction.maxPriorityFeePerGas > transaction.maxFeePerGas)
    refuse('max priority fee per gas higher than max fee per gas', { code: 'MEMPOOL_TIP_ABOVE_FEE_CAP' });
  const tip = transaction.maxPriorityFeePerGas;
  if (tip < limits.tipMin)
    refuse(`transaction gas price below minimum: gas tip cap ${tip}, minimum needed ${limits.tipMin}`, {
      code: 'MEMPOOL_TIP_TOO_LOW',
      tip: tip.toString(),
      minimum: limits.tipMin.toString(),
    });
  if (transaction.nonce < account.nonce)
    refuse(`nonce too low: next nonce ${account.nonce}, tx nonce ${transaction.nonce}`, {
      code: 'MEMPOOL_NONCE_TOO_LOW',
      nextNonce: account.nonce,
      nonce: transaction.nonce,
    });
}

const fundsWords = 'insufficient funds for gas * price + value';

/** All that waits of a sender can be paid together. */
export function checkFunds(queue: SenderQueue, { cost }: Entry, replaced: Entry | null): void {
  const { balance } = queue.account;
  const waitingCost = queue.cost - (replaced?.cost ?? 0n);
  const overshot = waitingCost + cost - balance;
  if (overshot <= 0n) return;
  const words =
    cost > balance
      ? `tx cost ${cost}, overshot ${cost - balance}`
      : replaced === null
        ? `queued cost ${queue.cost}, tx cost ${cost}, overshot ${overshot}`
        : `queued cost ${queue.cost}, tx bumped ${cost - replaced.cost}, overshot ${overshot}`;
  refuse(`${fundsWords}: balance ${balance}, ${words}`, {
    code: 'MEMPOOL_INSUFFICIENT_FUNDS',
    balance: balance.toString(),
    waitingCost: waitingCost.toString(),
    cost: cost.toString(),
  });
}

/**
 * EIP-7702: where code may spend for an account, one block can make all that the account has waiting unpayable. So it may have one
 * transaction in flight, and one that is about to delegate may not have more.
 *
 * @param isAuthority whether a waiting transaction carries an authorization of the account
 * @param waitingOf   how many transactions of an account wait
 */
export function checkDelegation(
  queue: SenderQueue,
  { transaction }: Entry,
  replaced: Entry | null,
  { isAuthority, waitingOf }: { isAuthority: (account: Address) => boolean; waitingOf: (account: Address) => number },
): void {
  const { account, sender } = queue;
  if (account.delegated === true || isAuthority(sender)) {
    if (queue.pendingCount === 0 && transaction.nonce !== account.nonce)
      refuse('gapped-nonce tx from delegated accounts', {
        code: 'MEMPOOL_DELEGATED_GAP',
        nextNonce: account.nonce,
      });
    const replacesPending = replaced !== null && transaction.nonce < account.nonce + queue.pendingCount;
    if (queue.pendingCount > 0 && !replacesPending)
      refuse('in-flight transaction limit reached for delegated accounts', { code: 'MEMPOOL_INFLIGHT_LIMIT' });
  }
  const busy = transaction.authorities?.find((authority) => waitingOf(authority) > 1);
  if (busy !== undefined) refuse('authority already reserved', { code: 'MEMPOOL_AUTHORITY_RESERVED', authority: busy });
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

/** Room in the sender's queue and behind gaps. @param queuedCount of all senders */
export function checkRoom(queue: SenderQueue, entry: Entry, queuedCount: number, limits: MempoolLimits): void {
  const { sender, account, entries, pendingCount } = queue;
  const accountLimit = (limit: number, what: string): never =>
    refuse(`account limit exceeded: ${limit} transactions of ${sender} wait${what}`, {
      code: 'MEMPOOL_ACCOUNT_LIMIT',
      limit,
    });
  if (entries.length >= limits.senderTransactionsMax) accountLimit(limits.senderTransactionsMax, '');
  if (entry.transaction.nonce <= account.nonce + pendingCount) return;
  if (entries.length - pendingCount >= limits.senderQueuedMax)
    accountLimit(limits.senderQueuedMax, ' behind a nonce gap');
  if (queuedCount >= limits.queuedCountMax)
    refuse('txpool is full: too many transactions wait behind a nonce gap', {
      code: 'MEMPOOL_FULL',
      limit: `${limits.queuedCountMax} queued transactions`,
    });
}
