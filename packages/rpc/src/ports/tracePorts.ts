import type {
  AccessListOutcome,
  CallTrace,
  SimulatedBlock,
  SimulationRequest,
  StateContext,
  TraceOptions,
} from '@prime/codec';
import type { Height, Hex } from '@prime/primitives';
import type { CallRequest } from './statePorts.ts';

/** How a call is traced, and at which place within its block. */
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
  simulate(request: SimulationRequest<Hex>): Promise<readonly SimulatedBlock[]>;
}
