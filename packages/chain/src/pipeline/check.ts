import {
  type BlockCheck,
  debitsByAccount,
  type ExecutableBlock,
  type ExecutionStatus,
  type VerifiedTransaction,
} from '@prime/codec';
import type { Address } from '@prime/primitives';

/**
 * What makes a proposed block acceptable before it is executed.
 *
 * Execution is optimistic and its root stands in the next header, so a block has to be judged by its parent's state alone. The
 * rules are chosen so that a block that passes runs to its end: nonces of each sender continue the account's, the sender can
 * pay for all of its transactions at their highest price, and the gas limits add up to at most the block's. What an earlier
 * transaction of the same block can still spoil (an EIP-7702 delegation that spends for its owner) ends in a receipt with
 * status 0 that changes nothing.
 */

type Account = { readonly nonce: number; readonly balance: bigint };

/** The state that a block is judged by: its parent's. Balances are in wei. */
export interface CheckContext {
  readonly head: ExecutionStatus;
  readonly gasLimit: bigint;
  readonly account: (address: Address) => Account;
}

const refuse = (reason: string, diverged = false): BlockCheck => ({ ok: false, diverged, reason });

/** Judges a block against the committed parent. Pure. */
export function checkBlock(block: ExecutableBlock, context: CheckContext): BlockCheck {
  const { header } = block.block;
  const { head } = context;
  if (header.height !== head.height + 1) return refuse(`height ${header.height} does not follow ${head.height}`);
  if (header.parentHash !== head.hash) return refuse(`parent ${header.parentHash} is not the head ${head.hash}`);
  if (header.gasLimit !== context.gasLimit) return refuse(`gas limit ${header.gasLimit} is not ${context.gasLimit}`);
  const results = checkParentResults(block, head);
  if (!results.ok) return results;
  if (header.baseFee !== head.nextBaseFee) return refuse(`base fee ${header.baseFee} is not ${head.nextBaseFee}`);
  return checkTransactions(block, context);
}

function checkParentResults(block: ExecutableBlock, head: ExecutionStatus): BlockCheck {
  const claimed = block.block.header.parentResults;
  for (const name of ['stateRoot', 'receiptsRoot', 'eventsRoot', 'gasUsed'] as const)
    if (claimed[name] !== head.roots[name])
      return refuse(`${name} of height ${head.height} is ${claimed[name]}, computed here ${head.roots[name]}`, true);
  return { ok: true };
}

function checkTransactions(block: ExecutableBlock, context: CheckContext): BlockCheck {
  const { header } = block.block;
  const accounts = new Map<Address, Account>();
  const deposits = debitsByAccount(block.actions);
  let gas = 0n;
  for (const [index, transaction] of block.transactions.entries()) {
    const { sender } = transaction;
    const account = accounts.get(sender) ?? spendable(context.account(sender), deposits.get(sender) ?? 0n);
    const cost = highestCost(transaction);
    if (transaction.nonce !== account.nonce)
      return refuse(`transaction ${index} has nonce ${transaction.nonce}, next is ${account.nonce}`);
    if (cost > account.balance)
      return refuse(`transaction ${index} may cost ${cost}, its sender has ${account.balance}`);
    if (transaction.maxFeePerGas < header.baseFee)
      return refuse(`transaction ${index} pays at most ${transaction.maxFeePerGas}, base fee is ${header.baseFee}`);
    accounts.set(sender, { nonce: account.nonce + 1, balance: account.balance - cost });
    gas += transaction.gasLimit;
  }
  return gas <= header.gasLimit ? { ok: true } : refuse(`gas limits add up to ${gas}, above ${header.gasLimit}`);
}

/** Deposits leave the account before the transactions run; a faucet may pay for what is missing. */
const spendable = (account: Account, deposited: bigint): Account => ({
  nonce: account.nonce,
  balance: account.balance > deposited ? account.balance - deposited : 0n,
});

/** The most that a transaction can take from its sender. */
export const highestCost = (transaction: VerifiedTransaction): bigint =>
  transaction.gasLimit * transaction.maxFeePerGas + transaction.value;
