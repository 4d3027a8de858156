import { callRpc, type PrimeClient } from '../client.ts';
import { toBigint } from '../decode/quantity.ts';
import type { RpcReceipt } from '../generated/methods.ts';
import type { ActionResult, ActionType } from '../types/action.ts';
import type { Hash } from '../types/primitives.ts';
import type { Inclusion } from '../types/results.ts';
import { decodeActionOutput } from './decodeResult.ts';

/** The receipt of an action; null while it is in no block. */
export const receiptOf = async (client: PrimeClient, hash: Hash): Promise<RpcReceipt | null> =>
  callRpc(client, 'eth_getTransactionReceipt', [hash]);

/** What an action answered, and where. @throws RefusalError, AnswerUnreadableError */
export const resultOf = <type extends ActionType>(receipt: RpcReceipt): ActionResult<type> & Inclusion => ({
  ...decodeActionOutput<type>(receipt.output, receipt.transactionHash),
  hash: receipt.transactionHash,
  blockNumber: toBigint(receipt.blockNumber),
});

/** @param ms from now on, of the timer of this machine */
export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
