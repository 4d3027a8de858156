import type { Block } from '@ethereumjs/block';
import type { Address } from '@prime/primitives';
import type { Journal } from '../library/journal.ts';
import type { StateOverlay } from '../state/overlay.ts';
import type { OverlayStateManager } from '../state/stateManager.ts';
import type { LibraryEvm, LibraryRunState, Precompile } from './library.ts';
import type { FramePool } from './memory.ts';
import type { Metering } from './metering.ts';
import { Party } from './party.ts';

/** What the frames of one EVM work with, as long as it lives. */
export interface FrameMachinery {
  readonly evm: LibraryEvm;
  readonly instructions: Metering;
  readonly manager: OverlayStateManager;
  readonly journal: Journal;
  readonly pool: FramePool;
  /** The library's run state of a frame that the loop entered by itself. */
  readonly openLibrary: (frame: EnteredFrame) => LibraryRunState;
}

/** What the library is told of a frame that the loop entered by itself. */
export interface EnteredFrame {
  readonly code: Uint8Array;
  readonly address: Party;
  readonly caller: Party;
  readonly callData: Uint8Array;
  readonly callValue: bigint;
  readonly gas: number;
  readonly message: {
    readonly world: World;
    readonly depth: number;
    readonly isStatic: boolean;
    readonly refund: number;
    readonly created: Set<string>;
  } | null;
}

/** What the frames of one transaction or call have in common. */
export class World {
  readonly machinery: FrameMachinery;
  readonly instructions: Metering;
  readonly manager: OverlayStateManager;
  readonly journal: Journal;
  readonly overlay: StateOverlay;
  readonly precompiles: ReadonlyMap<Address, Precompile>;
  private readonly around: { readonly block: Block };
  readonly origin: Party;
  /** wei per gas that the transaction pays */
  readonly gasPrice: bigint;

  /** @param around has the library's block, which is made when it is first asked for */
  constructor(machinery: FrameMachinery, around: { readonly block: Block }, origin: Party, gasPrice: bigint) {
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
  static around(machinery: FrameMachinery, { env }: LibraryRunState): World {
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
