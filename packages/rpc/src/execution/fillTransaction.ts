import { estimateAt } from '../lookup/blocks.ts';
import type { TransactionArguments } from './callObjects.ts';
import { refuseOtherChain, successOf } from './calls.ts';
import type { MethodContext } from '../define.ts';
import { invalidParams, RpcError } from '../errors/errors.ts';
import { suggestedPriorityFee } from './fees.ts';
import type { CallRequest, SendRequest } from '../ports/ports.ts';
import { latest } from '../schema/valueTypes.ts';

/** Completing what a client left open of a transaction; shared by the methods that sign, send or only fill. */

/** Fees that the request leaves open: room for the base fee to double, as wallets do. */
async function feesOf(context: MethodContext, request: CallRequest): Promise<SendRequest['fees']> {
  if (request.gasPrice !== null) return { kind: 'legacy', gasPrice: request.gasPrice };
  const maxPriorityFeePerGas = request.maxPriorityFeePerGas ?? (await suggestedPriorityFee(context));
  if (request.maxFeePerGas === null) {
    const baseFee = await context.ports.chain.nextBaseFee();
    return { kind: 'dynamic', maxFeePerGas: 2n * baseFee + maxPriorityFeePerGas, maxPriorityFeePerGas };
  }
  // A suggested tip must not make the caller's own maximum invalid.
  const { maxFeePerGas } = request;
  const tip = maxPriorityFeePerGas < maxFeePerGas ? maxPriorityFeePerGas : maxFeePerGas;
  return { kind: 'dynamic', maxFeePerGas, maxPriorityFeePerGas: tip };
}

async function gasOf(context: MethodContext, request: TransactionArguments): Promise<bigint> {
  if (request.gas !== null) return request.gas;
  const at = await estimateAt(context, latest);
  return successOf(await context.ports.state.estimateGas(request, at)).gasUsed;
}

function check(context: MethodContext, request: TransactionArguments): void {
  const { to, data, authorizationList, gasPrice } = request;
  refuseOtherChain(context, request.chainId);
  if (to === null && data === '0x') throw invalidParams('transaction', 'contract creation without any data provided');
  if (authorizationList.length === 0) return;
  if (to === null) throw invalidParams('transaction', 'with an authorizationList needs a "to"');
  if (gasPrice !== null) throw invalidParams('transaction', 'with an authorizationList has no gasPrice');
}

/** Nonces of transactions are numbers in this program; only simulations may use the whole range. */
function sendableNonce(nonce: bigint | null): number | null {
  if (nonce === null || nonce <= BigInt(Number.MAX_SAFE_INTEGER)) return nonce === null ? null : Number(nonce);
  throw new RpcError(`nonce too high: ${nonce} is above 2^53`, { code: 'RPC_TRANSACTION_REFUSED' });
}

/**
 * The request with gas and fees filled in; the nonce only where the caller gave one.
 *
 * @throws RpcError `RPC_TRANSACTION_REFUSED`, `RPC_INVALID_PARAMS`, `RPC_EXECUTION_REVERTED`, `RPC_EXECUTION_FAILED`
 */
export async function fillRequest(context: MethodContext, request: TransactionArguments): Promise<SendRequest> {
  check(context, request);
  const { from, to, value, data, authorizationList } = request;
  const nonce = sendableNonce(request.nonce);
  const [fees, gas] = await Promise.all([feesOf(context, request), gasOf(context, request)]);
  return { from, to, value, data, gas, nonce, accessList: request.accessList ?? [], authorizationList, fees };
}

/** @throws RpcError `RPC_UNKNOWN_ACCOUNT` when the node does not hold the key */
export async function requireHeld({ ports }: MethodContext, address: TransactionArguments['from']): Promise<void> {
  if (!(await ports.accounts.addresses()).includes(address))
    throw new RpcError('unknown account', { code: 'RPC_UNKNOWN_ACCOUNT', address });
}
