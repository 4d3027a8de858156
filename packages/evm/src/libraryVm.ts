import type { Common } from '@ethereumjs/common';
import { createVM, type VM } from '@ethereumjs/vm';
import { type BlockHashOf, createHashSource } from './environment.ts';
import { kzgFunctions } from './kzg.ts';
import type { OverlayStateManager } from './state/stateManager.ts';

/** A VM of the library over our state, with the measures that the library has no option for. */
export async function createLibraryVm(
  common: Common,
  stateManager: OverlayStateManager,
  blockHashOf: BlockHashOf,
): Promise<VM> {
  // Here and not with the rest of the cryptography: who only verifies signatures need not load a pairing.
  common.customCrypto.kzg ??= kzgFunctions;
  const vm = await createVM({ common, stateManager, blockchain: createHashSource(blockHashOf) as never });
  await keepJumpAnalysis(vm);
  return vm;
}

/** The part of the library's interpreter that is wrapped; it is not among its exports. */
interface InterpreterPrototype {
  [analysisKept]?: true;
  _getValidJumpDestinations(code: Uint8Array): object;
}

const analysisKept = Symbol('jump analysis is kept');

/**
 * Keeps the analysis of jump destinations by code.
 *
 * The interpreter walks the whole code of a contract, and makes a bigint of each pushed number, every time the contract is called:
 * more than half of the time of a token transfer. Our state gives the same array for the same code hash, so the result can be kept
 * with the array. It refers to the opcode table of one EVM, hence the first level.
 */
async function keepJumpAnalysis(vm: VM): Promise<void> {
  const { runState } = await vm.evm.runCode({ code: Uint8Array.of(0), gasLimit: 1n });
  const prototype = Object.getPrototypeOf(runState!.interpreter) as InterpreterPrototype;
  if (prototype[analysisKept] === true) return;
  const analyse = prototype._getValidJumpDestinations;
  const kept = new WeakMap<object, WeakMap<Uint8Array, object>>();
  prototype._getValidJumpDestinations = function (this: InterpreterPrototype & { _evm: object }, code) {
    let byCode = kept.get(this._evm);
    if (byCode === undefined) {
      byCode = new WeakMap();
      kept.set(this._evm, byCode);
    }
    let result = byCode.get(code);
    if (result === undefined) {
      result = analyse.call(this, code);
      byCode.set(code, result);
    }
    return result;
  };
  prototype[analysisKept] = true;
}
