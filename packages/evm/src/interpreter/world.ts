import type { Block } from '@ethereumjs/block';
import type { Address } from '@prime/primitives';
import type { Journal } from '../journal.ts';
import type { StateOverlay } from '../state/overlay.ts';
import type { OverlayStateManager } from '../state/stateManager.ts';
import type { Frame, LibraryRunState } from './frame.ts';
import type { Instructions } from './loop.ts';
import type { FramePool } from './memory.ts';
import type { LibraryEvm, Precompile } from './message.ts';
import { Party } from './party.ts';

/** What an EVM runs code with, as long as it lives. */
export interface Machinery {
  readonly evm: LibraryEvm;
  readonly instructions: Instructions;
  readonly manager: OverlayStateManager;
  readonly journal: Journal;
  readonly pool: FramePool;
  /** The library's run state of a frame that the loop entered by itself. */
  readonly openLibrary: (frame: Frame) => LibraryRunState;
}

/** What the frames of one transaction or call have in common. */
export class World {
  readonly machinery: Machinery;
  readonly instructions: Instructions;
  readonly manager: OverlayStateManager;
  readonly journal: Journal;
  readonly overlay: StateOverlay;
  readonly precompiles: ReadonlyMap<Address, Precompile>;
  private readonly around: { readonly block: Block };
  readonly origin: Party;
  /** wei per gas that the transaction pays */
  readonly gasPrice: bigint;

  /** @param around has the library's block, which is made when it is first asked for */
  constructor(machinery: Machinery, around: { readonly block: Block }, origin: Party, gasPrice: bigint) {
    this.machinery = machinery;
    this.instructions = machinery.instructions;
    this.manager = machinery.manager;
    this.journal = machinery.journal;
    this.overlay = machinery.manager.overlay;
    this.precompiles = precompilesOf(machinery.evm);
    this.around = around;
    this.origin = origin;
    this.gasPrice = gasPrice;
  }

  get block(): Block {
    return this.around.block;
  }

  /** Of code that the library's EVM runs. */
  static around(machinery: Machinery, { env }: LibraryRunState): World {
    return new World(machinery, env, Party.ofBytes(env.origin.bytes), env.gasPrice);
  }
}

const precompilesByKey = new WeakMap<object, ReadonlyMap<Address, Precompile>>();

/** The precompiles by address. The library's map is never changed, and has keys without a prefix. */
function precompilesOf({ precompiles }: LibraryEvm): ReadonlyMap<Address, Precompile> {
  let known = precompilesByKey.get(precompiles);
  if (known === undefined) {
    known = new Map([...precompiles].map(([key, run]) => [`0x${key}` as Address, run]));
    precompilesByKey.set(precompiles, known);
  }
  return known;
}

const addressesOf = new WeakMap<object, ReadonlySet<Address>>();

/** Addresses of precompiles; what every transaction finds warm (EIP-2929). */
export function precompileAddresses(precompiles: ReadonlyMap<string, unknown>): ReadonlySet<Address> {
  let known = addressesOf.get(precompiles);
  if (known === undefined) {
    known = new Set([...precompiles.keys()].map((key) => `0x${key}` as Address));
    addressesOf.set(precompiles, known);
  }
  return known;
}
