import type { ExecutionRoots, Log, Receipt } from '@prime/codec';
import type { Address, Hash, Height } from '@prime/primitives';
import type { BlockRecord } from './chainPorts.ts';
import type { AccessListEntry, AccountOverride, BlockOverrides, CallRequest, StateContext } from './statePorts.ts';

/** Which trace is wanted; names and settings are go-ethereum's. */
export type TracerSettings =
  | {
      readonly tracer: 'structLogger';
      readonly disableStack: boolean;
      readonly disableStorage: boolean;
      readonly enableMemory: boolean;
      readonly enableReturnData: boolean;
      /** Most steps that are kept; 0 keeps all. */
      readonly limit: number;
    }
  | { readonly tracer: 'callTracer'; readonly onlyTopCall: boolean; readonly withLog: boolean }
  | {
      readonly tracer: 'prestateTracer';
      readonly diffMode: boolean;
      readonly disableCode: boolean;
      readonly disableStorage: boolean;
      readonly includeEmpty: boolean;
    }
  | { readonly tracer: '4byteTracer' }
  | { readonly tracer: 'noopTracer' }
  /** All of them in one run, each once. */
  | { readonly tracer: 'muxTracer'; readonly tracers: readonly TracerSettings[] };

export interface TraceOptions {
  readonly tracer: TracerSettings;
  /** Wall-clock time of the whole; the node's own limit holds, too. */
  readonly timeoutMs: number;
}

export interface TracedCallOptions extends TraceOptions {
  /** How many transactions of the block run before the call; null is all of them. */
  readonly txIndex: number | null;
}

/** Runs what happened, or what might, again while a tracer watches. Answers are JSON text. */
export interface Traces {
  /** @throws PrimeError `EVM_NOT_EXECUTED`, `EVM_CALL_TIMEOUT`, `EVM_TRACE_TOO_LARGE` */
  transaction(height: Height, index: number, options: TraceOptions): Promise<string>;
  /** @throws PrimeError `EVM_CALL_TIMEOUT`, `EVM_TRACE_TOO_LARGE` */
  block(height: Height, options: TraceOptions): Promise<string>;
  /** @throws PrimeError `EVM_CALL_TIMEOUT`, `EVM_TRACE_TOO_LARGE` */
  call(request: CallRequest, at: StateContext, options: TracedCallOptions): Promise<CallTrace>;
  /** @throws PrimeError `EVM_CALL_TIMEOUT`, `EVM_TRACE_TOO_LARGE` */
  accessList(request: CallRequest, at: StateContext): Promise<AccessListOutcome>;
  /** @throws PrimeError `EVM_SIMULATION_REFUSED`, `EVM_CALL_TIMEOUT`, `EVM_TRACE_TOO_LARGE` */
  simulate(request: SimulationRequest): Promise<readonly SimulatedBlock[]>;
}

/** Blocks to run after a block of the chain without proposing them. */
export interface SimulationRequest {
  readonly base: Pick<BlockRecord, 'hash' | 'roots'> & { readonly header: BlockRecord['block']['header'] };
  readonly blocks: readonly {
    readonly blockOverrides: BlockOverrides;
    readonly stateOverrides: readonly AccountOverride[];
    readonly calls: readonly CallRequest[];
  }[];
  /** Nonces, fees and funds have to be right, as in a block. */
  readonly validation: boolean;
  /** Movements of wei are shown as logs. */
  readonly traceTransfers: boolean;
}

export interface SimulatedBlock {
  readonly header: BlockRecord['block']['header'];
  readonly hash: Hash;
  readonly roots: ExecutionRoots;
  /** Encodings with a signature of zeros. */
  readonly transactions: readonly Uint8Array[];
  readonly receipts: readonly Receipt[];
  readonly calls: readonly SimulatedCall[];
}

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

/** The access list with which a message costs least. */
export type AccessListOutcome =
  | {
      readonly status: 'listed';
      readonly accessList: readonly AccessListEntry[];
      readonly gasUsed: bigint;
      /** Why the message fails, in go-ethereum's words; null when it does not. */
      readonly error: string | null;
    }
  | { readonly status: 'failure'; readonly message: string };

export type CallTrace =
  | { readonly status: 'traced'; readonly trace: string }
  | { readonly status: 'failure'; readonly message: string };
