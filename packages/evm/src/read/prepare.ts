import type { Block } from '@ethereumjs/block';
import type { Common } from '@ethereumjs/common';
import type { VM } from '@ethereumjs/vm';
import type { CallMessage, CallOutcome, StateContext } from '@prime/codec';
import type { StateOverlay } from '../state/overlay.ts';
import type { OverlayStateManager } from '../state/stateManager.ts';
import type { ReadExecution } from './execution.ts';
import { type Fees, feesOf } from './message.ts';
import { type BlockOf, overrideAccounts, overrideContext, overridePrecompiles, withPrecompiles } from './overrides.ts';

/** What calls of one thread share, and the state that this one starts from. */
export interface CallSurroundings {
  readonly vm: VM;
  readonly common: Common;
  readonly manager: OverlayStateManager;
  /** A state of its own for each run. */
  readonly openState: () => StateOverlay;
  readonly blockOf: BlockOf;
}

/** A call with everything that it assumes in place. */
export interface PreparedCall {
  readonly fees: Fees;
  readonly block: Block;
  /** A fresh state, as the call finds it. */
  openState(): StateOverlay;
  /** Runs work on a fresh state, with the precompiles of the call. */
  run<T>(work: (execution: ReadExecution, fees: Fees) => Promise<T>): Promise<T>;
}

/** @returns the outcome instead, for a call whose fees or overrides contradict each other */
export function prepareCall(
  { vm, common, manager, openState: open, blockOf }: CallSurroundings,
  message: CallMessage,
  stored: StateContext,
): PreparedCall | CallOutcome {
  const { stateOverrides, blockOverrides } = message;
  const at = overrideContext(stored, blockOverrides);
  const fees = feesOf(message, at.baseFee);
  if ('refusal' in fees) return refused(fees.refusal);
  const precompiles = overridePrecompiles(vm.evm.precompiles, stateOverrides);
  if ('refusal' in precompiles) return refused(precompiles.refusal);
  const block = blockOf(at, blockOverrides, fees.baseFee);
  const openState = (): StateOverlay => {
    const overlay = open();
    overrideAccounts(overlay, stateOverrides);
    return overlay;
  };
  return {
    fees,
    block,
    openState,
    run: (work) =>
      withPrecompiles(vm, precompiles, () => work({ vm, common, manager, overlay: openState(), block }, fees)),
  };
}

const refused = (message: string): CallOutcome => ({ status: 'failure', message, gasUsed: 0n });
