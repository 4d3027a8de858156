import type { Common } from '@ethereumjs/common';
import { createVM, type VM } from '@ethereumjs/vm';
import { type BlockHashOf, createHashSource } from '../block/environment.ts';
import { useSynchronousLoop } from '../interpreter/install.ts';
import { Journal } from './journal.ts';
import { kzgFunctions } from './kzg.ts';
import { treatObjectsAsCode } from './legacyCode.ts';
import { noOrderViews, orderReads } from './orderReads.ts';
import type { OrderViews } from '../ports.ts';
import type { OverlayStateManager } from '../state/stateManager.ts';

/** The journal of a VM of {@link createLibraryVm}. */
export const journalOf = (vm: VM): Journal => vm.evm.journal as unknown as Journal;

/** A VM of the library over our state, with the measures that the library has no option for. */
export async function createLibraryVm(
  common: Common,
  stateManager: OverlayStateManager,
  blockHashOf: BlockHashOf,
  orderViews: OrderViews = noOrderViews,
): Promise<VM> {
  // Here and not with the rest of the cryptography: who only verifies signatures need not load a pairing.
  common.customCrypto.kzg ??= kzgFunctions;
  const vm = await createVM({
    common,
    stateManager,
    blockchain: createHashSource(blockHashOf) as never,
    evmOpts: { customPrecompiles: [orderReads(stateManager, orderViews)] },
  });
  treatObjectsAsCode(vm, common);
  const journal = new Journal(stateManager);
  (vm.evm as unknown as { journal: Journal }).journal = journal;
  await useSynchronousLoop(vm, common, { manager: stateManager, journal });
  return vm;
}
