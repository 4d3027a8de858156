import type { Block } from '@ethereumjs/block';
import type { Common } from '@ethereumjs/common';
import { EVMError } from '@ethereumjs/evm';
import { createTxFromRLP, type TypedTransaction } from '@ethereumjs/tx';
import { EthereumJSError } from '@ethereumjs/util';
import { runTx, type VM } from '@ethereumjs/vm';
import type { Receipt, VerifiedTransaction } from '@prime/codec';
import { bigintMax } from '@prime/primitives';
import { libraryAddress } from './environment.ts';
import { floorDataGas, intrinsicGas, type MessageShape } from './gas.ts';
import { executedReceipt, type ReceiptPlace, skippedReceipt } from './receipts.ts';
import { emptyAccount, hasCode, isDelegation } from './state/account.ts';
import type { StateOverlay } from './state/overlay.ts';

/** What a transaction is executed in. */
export interface ExecutionContext {
  readonly vm: VM;
  readonly common: Common;
  readonly block: Block;
  readonly overlay: StateOverlay;
  readonly baseFee: bigint;
  readonly gasLimit: bigint;
}

/** The library's transaction. */
const decodeTransaction = (raw: Uint8Array, common: Common): TypedTransaction =>
  createTxFromRLP(raw, { common, freeze: false });

/**
 * Runs one transaction, or finds that it can not be executed.
 *
 * The conditions are checked here and not left to the library, because what it throws does not tell a transaction that is not
 * executable from a broken surrounding. The sender was recovered when the transaction was verified and is not recovered again.
 */
export async function executeTransaction(
  context: ExecutionContext,
  transaction: VerifiedTransaction,
  place: ReceiptPlace,
): Promise<Receipt> {
  const decoded = decodeOrNull(transaction, context.common);
  if (decoded === null || !isExecutable(context, transaction, decoded, place.gasBefore))
    return skippedReceipt(transaction, place);
  const sender = libraryAddress(transaction.sender);
  decoded.getSenderAddress = () => sender;
  try {
    const result = await runTx(context.vm, {
      tx: decoded,
      block: context.block,
      blockGasUsed: place.gasBefore,
      skipHardForkValidation: true,
    });
    return executedReceipt(transaction, result, place);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return skippedReceipt(transaction, place);
  }
}

/** Decoding is a function of the bytes alone, so whatever it throws says that they are no transaction. */
function decodeOrNull(transaction: VerifiedTransaction, common: Common): TypedTransaction | null {
  try {
    return decodeTransaction(transaction.raw, common);
  } catch {
    return null;
  }
}

/** The library refuses in its own two error classes; everything else is a fault of this machine or program and stops the node. */
const isRefusal = (error: unknown): boolean => error instanceof EVMError || error instanceof EthereumJSError;

function isExecutable(
  context: ExecutionContext,
  transaction: VerifiedTransaction,
  decoded: TypedTransaction,
  gasBefore: bigint,
): boolean {
  const { overlay } = context;
  const account = overlay.account(transaction.sender) ?? emptyAccount;
  if (account.nonce !== BigInt(transaction.nonce)) return false;
  if (transaction.gasLimit > context.gasLimit - gasBefore) return false;
  if (transaction.maxFeePerGas < context.baseFee) return false;
  if (account.balance < transaction.value + transaction.gasLimit * transaction.maxFeePerGas) return false;
  if (hasCode(account) && !isDelegation(overlay.codeOf(account))) return false;
  return transaction.gasLimit >= minimumGas(shapeOf(decoded), context.common);
}

/** Least gas limit that a transaction needs to be executed at all. */
function minimumGas(shape: MessageShape, common: Common): bigint {
  const intrinsic = intrinsicGas(shape);
  return common.isActivatedEIP(7623) ? bigintMax(intrinsic, floorDataGas(shape.data)) : intrinsic;
}

function shapeOf(transaction: TypedTransaction): MessageShape {
  const accessList = 'accessList' in transaction ? transaction.accessList : [];
  return {
    data: transaction.data,
    isCreation: transaction.to === undefined,
    accessListAddresses: accessList.length,
    accessListSlots: accessList.reduce((count, [, slots]) => count + slots.length, 0),
    authorizations: 'authorizationList' in transaction ? transaction.authorizationList.length : 0,
  };
}
