import type { CallFailure } from './callTypes.ts';
import type { AccessListEntry } from '../transactions/transactionFields.ts';

/** What can be watched of code that runs again, and what comes of it. Names and settings are go-ethereum's. */

/** What the trace of single instructions shows; names and meanings are go-ethereum's. */
export interface StructLoggerSettings {
  readonly disableStack: boolean;
  readonly disableStorage: boolean;
  readonly enableMemory: boolean;
  readonly enableReturnData: boolean;
  /** Most steps that are kept; 0 keeps all. */
  readonly limit: number;
}

/** Options of `callTracer`, as go-ethereum names them. */
export interface CallTracerSettings {
  readonly onlyTopCall: boolean;
  readonly withLog: boolean;
}

/** Options of `prestateTracer`, as go-ethereum names them. */
export interface PrestateTracerSettings {
  /** State before and after what changed, instead of all that was touched. */
  readonly diffMode: boolean;
  readonly disableCode: boolean;
  readonly disableStorage: boolean;
  /** Accounts that did not exist are shown, too. */
  readonly includeEmpty: boolean;
}

/** Which trace is wanted. */
export type TracerSettings =
  | ({ readonly tracer: 'structLogger' } & StructLoggerSettings)
  | ({ readonly tracer: 'callTracer' } & CallTracerSettings)
  | ({ readonly tracer: 'prestateTracer' } & PrestateTracerSettings)
  | { readonly tracer: '4byteTracer' }
  | { readonly tracer: 'noopTracer' }
  /** All of them in one run, each once. */
  | { readonly tracer: 'muxTracer'; readonly tracers: readonly TracerSettings[] };

/** What one trace shows and how long it may take. */
export interface TraceOptions {
  readonly tracer: TracerSettings;
  /** Wall-clock time of the whole, of what has to run before included; the node's own limit holds, too. */
  readonly timeoutMs: number;
}

/** JSON text of the trace of a call, or why it could not begin. */
export type CallTrace = { readonly status: 'traced'; readonly trace: string } | CallFailure;

/** The access list (EIP-2930) with which a message costs least, or why the message could not begin. */
export type AccessListOutcome =
  | {
      readonly status: 'listed';
      readonly accessList: readonly AccessListEntry[];
      readonly gasUsed: bigint;
      /** Why the message failed with it, in go-ethereum's words; null when it did not. */
      readonly error: string | null;
    }
  | CallFailure;
