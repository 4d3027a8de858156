import { orderReadsAddress } from '@prime/codec';
import { EVMError, type ExecResult, type PrecompileInput } from '@ethereumjs/evm';
import { createAddressFromString } from '@ethereumjs/util';
import { readBaseGas, readByteGas } from '@prime/predeploy';
import { assert } from '@prime/primitives';
import type { OrderViews } from '../ports.ts';
import type { OverlayStateManager } from '../state/stateManager.ts';

/**
 * The precompile at 0x…0101: hands calldata to the order book as it was when the block began.
 *
 * It is a function of the state that runs, and of nothing that runs beside it: the overlay says after which block the order book is
 * meant. So a transaction, its replay years later and a call on the same state see the same.
 */
export function orderReads(manager: OverlayStateManager, views: OrderViews) {
  return {
    address: createAddressFromString(orderReadsAddress),
    async function({ data, gasLimit }: PrecompileInput): Promise<ExecResult> {
      if (gasLimit < readBaseGas) return outOfGas(gasLimit);
      const { bookHeight } = manager.overlay;
      assert(bookHeight !== null, 'code reads the order book on a state that has none');
      const { ok, output } = await views.read(data, bookHeight);
      const gas = readBaseGas + readByteGas * BigInt(output.length);
      if (gas > gasLimit) return outOfGas(gasLimit);
      const answer = { executionGasUsed: gas, returnValue: output };
      return ok ? answer : { ...answer, exceptionError: new EVMError(EVMError.errorMessages.REVERT) };
    },
  };
}

const outOfGas = (gasLimit: bigint): ExecResult => ({
  executionGasUsed: gasLimit,
  returnValue: new Uint8Array(0),
  exceptionError: new EVMError(EVMError.errorMessages.OUT_OF_GAS),
});

/** An order book that nobody put there: for tools and tests without one. */
export const noOrderViews: OrderViews = {
  read: async () => assert(false, 'there is no order book here') as never,
};
