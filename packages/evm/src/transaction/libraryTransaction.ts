import { EVMError } from '@ethereumjs/evm';
import { createTxFromRLP } from '@ethereumjs/tx';
import { EthereumJSError } from '@ethereumjs/util';
import { runTx, type VM } from '@ethereumjs/vm';
import type { Receipt, VerifiedTransaction } from '@prime/codec';
import { bytesToAddress } from '@prime/primitives';
import { logsBloom } from '../block/bloom.ts';
import { libraryAddress } from '../block/environment.ts';
import { logOf } from '../interpreter/messageState.ts';
import { executedReceipt, type ReceiptPlace, skippedReceipt } from '../block/receipts.ts';
import type { ExecutionContext } from './transact.ts';

/** Runs a transaction as the library does: for those who follow it step by step, and for gas that our loop has no numbers for. */
export async function executeThroughLibrary(
  vm: VM,
  { common, block }: ExecutionContext,
  transaction: VerifiedTransaction,
  place: ReceiptPlace,
): Promise<Receipt> {
  const tx = createTxFromRLP(transaction.raw, { common, freeze: false });
  const sender = libraryAddress(transaction.sender);
  tx.getSenderAddress = () => sender;
  try {
    const blockGasUsed = place.gasBefore;
    const { execResult, totalGasSpent, createdAddress } = await runTx(vm, {
      tx,
      block,
      blockGasUsed,
      skipHardForkValidation: true,
    });
    const failed = execResult.exceptionError !== undefined;
    const logs = failed ? [] : (execResult.logs ?? []).map(logOf);
    const contract = createdAddress === undefined ? null : bytesToAddress(createdAddress.bytes);
    const result = { failed, gasUsed: totalGasSpent, logs, logsBloom: logsBloom(logs), output: execResult.returnValue };
    return executedReceipt(transaction, { ...result, contract }, place);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return skippedReceipt(transaction, place);
  }
}

/** The library refuses in its own two error classes; everything else is a fault of this machine or program and stops the node. */
const isRefusal = (error: unknown): boolean => error instanceof EVMError || error instanceof EthereumJSError;
