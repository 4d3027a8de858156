import {
  type Receipt,
  type TransactionPayload,
  transactionPayload,
  transactionTypes,
  type VerifiedTransaction,
} from '@prime/codec';
import type { Common } from '@ethereumjs/common';
import type { VM } from '@ethereumjs/vm';
import { bigintMax } from '@prime/primitives';
import { initCodeBytesMax, type MessageGas, messageGas } from '../transaction/gas.ts';
import { gasMax } from '../interpreter/frame.ts';
import { machineryFor } from '../interpreter/install.ts';
import { executeThroughLibrary } from '../transaction/libraryTransaction.ts';
import { type ReceiptPlace, skippedReceipt } from './receipts.ts';
import { emptyAccount, hasCode, isDelegation } from '../state/account.ts';
import { type ExecutionContext, TransactionExecutor } from '../transaction/transact.ts';

/** The transactions of one block, one after the other. */
export class BlockExecution {
  readonly #vm: VM;
  readonly #context: ExecutionContext;
  #executor: TransactionExecutor | null = null;

  constructor(vm: VM, context: ExecutionContext) {
    this.#vm = vm;
    this.#context = context;
  }

  /**
   * Runs one transaction, or finds that it can not be executed. What somebody follows goes the library's way.
   *
   * The sender was recovered when the transaction was verified and is not recovered again.
   *
   * @returns a promise only for what can not be had within this turn
   */
  execute(transaction: VerifiedTransaction, place: ReceiptPlace): Receipt | Promise<Receipt> {
    const payload = transactionPayload(transaction.raw, transaction.type);
    if (payload === null) return skippedReceipt(transaction, place);
    const gas = gasOf(transaction, payload);
    if (!isExecutable(this.#context, transaction, payload, gas, place.gasBefore))
      return skippedReceipt(transaction, place);
    const machinery = transaction.gasLimit > gasMax ? null : machineryFor(this.#vm);
    if (machinery === null) return executeThroughLibrary(this.#vm, this.#context, transaction, place);
    this.#executor ??= new TransactionExecutor(machinery, this.#context);
    return this.#executor.execute(transaction, payload, gas, place);
  }
}

const gasOf = ({ to }: VerifiedTransaction, { data, accessList, authorizations }: TransactionPayload): MessageGas =>
  messageGas({
    data,
    isCreation: to === null,
    accessListAddresses: accessList.length,
    accessListSlots: accessList.reduce((count, { storageKeys }) => count + storageKeys.length, 0),
    authorizations: authorizations.length,
  });

function isExecutable(
  { overlay, gasLimit, baseFee, common }: ExecutionContext,
  transaction: VerifiedTransaction,
  { data }: TransactionPayload,
  gas: MessageGas,
  gasBefore: bigint,
): boolean {
  const account = overlay.account(transaction.sender) ?? emptyAccount;
  if (account.nonce !== BigInt(transaction.nonce)) return false;
  if (transaction.gasLimit > gasLimit - gasBefore) return false;
  if (transaction.maxFeePerGas < baseFee) return false;
  if (account.balance < transaction.value + transaction.gasLimit * transaction.maxFeePerGas) return false;
  if (hasCode(account) && !isDelegation(overlay.codeOf(account))) return false;
  if (transaction.to === null && !mayCreate(transaction, data, common)) return false;
  return transaction.gasLimit >= leastGas(gas, common);
}

/** EIP-3860, 7702 */
const mayCreate = ({ type }: VerifiedTransaction, data: Uint8Array, common: Common): boolean =>
  type !== transactionTypes.setCode && (data.length <= initCodeBytesMax || !common.isActivatedEIP(3860));

/** Least gas limit that a transaction needs to be executed at all. */
const leastGas = ({ intrinsic, floor }: MessageGas, common: Common): bigint =>
  common.isActivatedEIP(7623) ? bigintMax(intrinsic, floor) : intrinsic;
