import type { Address, Hash, Hex } from '@prime/primitives';
import type { AccountOverride, BlockOverrides, CallMessage } from './callTypes.ts';
import type { ExecutionRoots, Header } from '../consensus/header.ts';
import type { Log, Receipt } from '../outcomes/outcomeTypes.ts';

/** Blocks that run after a block of the chain without being proposed (eth_simulateV1). */

/** `Bytes` as in {@link CallMessage}. */
export interface SimulationRequest<Bytes extends Uint8Array | Hex = Uint8Array> {
  /** The block after which the first one stands, with its hash and results. */
  readonly base: { readonly header: Header; readonly hash: Hash; readonly roots: ExecutionRoots };
  readonly blocks: readonly SimulationBlock<Bytes>[];
  /** Nonces, fees and funds have to be right, as in a block. */
  readonly validation: boolean;
  /** Movements of wei are shown as logs. */
  readonly traceTransfers: boolean;
}

/** One block to simulate: overrides of its header, overrides of the state before its first call, and its calls in order. */
export interface SimulationBlock<Bytes extends Uint8Array | Hex = Uint8Array> {
  readonly blockOverrides: BlockOverrides;
  readonly stateOverrides: readonly AccountOverride[];
  readonly calls: readonly CallMessage<Bytes>[];
}

/** What `eth_simulateV1` made of one block: the header over its outcome, and one transaction, receipt and call for each call given. */
export interface SimulatedBlock {
  readonly header: Header;
  readonly hash: Hash;
  readonly roots: ExecutionRoots;
  /** Encodings with a signature of zeros. */
  readonly transactions: readonly Uint8Array[];
  readonly receipts: readonly Receipt[];
  readonly calls: readonly SimulatedCall[];
}

/** Outcome of one call of a simulation; gas counts what a transaction would pay. */
export interface SimulatedCall {
  readonly from: Address;
  /** Empty for a call that failed. */
  readonly returnData: Uint8Array;
  readonly gasUsed: bigint;
  /** Before refunds. */
  readonly maxUsedGas: bigint;
  readonly logs: readonly Log[];
  /** null for success; words of go-ethereum. */
  readonly failure: {
    readonly words: string;
    /** What a revert gave back; null for any other failure. */
    readonly revertData: Uint8Array | null;
  } | null;
}
