import { PrimeError } from '@prime/primitives';

/** Codes of {@link LoadError}, each with what explains it. */
export type LoadErrorDetail =
  /** What a server sent is no HTTP answer that belongs to a request. */
  | { readonly code: 'LOAD_ANSWER_MALFORMED'; readonly reason: string }
  /** No address of a JSON-RPC server. */
  | { readonly code: 'LOAD_URL_INVALID'; readonly url: string }
  /** No worker listens there, or it has another token. */
  | { readonly code: 'LOAD_WORKER_UNREACHABLE'; readonly address: string }
  /** All workers of a run are gone. */
  | { readonly code: 'LOAD_NO_WORKER'; readonly workers: number }
  /** The nodes do not belong to one network, or tell something that no network does. */
  | { readonly code: 'LOAD_NETWORK_UNFIT'; readonly reason: string }
  /** Nobody pays for the accounts of a run, or has too little. */
  | { readonly code: 'LOAD_FUNDS_MISSING'; readonly wei: bigint; readonly reason: string }
  /** What has to be there before a run did not come about. */
  | { readonly code: 'LOAD_SETUP_FAILED'; readonly step: string; readonly reason: string }
  /** The admin endpoint of a node refuses to tell of stages, or to be told. */
  | { readonly code: 'LOAD_STAGES_REFUSED'; readonly url: string; readonly status: number }
  /** The connection ended; requests that had no answer may have been carried out. */
  | { readonly code: 'LOAD_CONNECTION_LOST'; readonly unanswered: number }
  /** A scenario file is no TOML. */
  | {
      readonly code: 'LOAD_SCENARIO_MALFORMED';
      readonly file: string;
      readonly line: number;
      readonly column: number;
      readonly reason: string;
    }
  /** A scenario file has a key that there is not, lacks one, or a value that is not allowed. */
  | {
      readonly code: 'LOAD_SCENARIO_INVALID';
      readonly file: string;
      /** Of the key: `mix[2].kind`. */
      readonly path: string;
      readonly problem: string;
      readonly allowed: string;
    }
  /** No scenario that is built in has this name. */
  | { readonly code: 'LOAD_SCENARIO_UNKNOWN'; readonly name: string; readonly known: readonly string[] }
  /** The scenario can not be sent like this: its size, accounts and workers do not go together, or go beyond a limit of the network. */
  | { readonly code: 'LOAD_SCENARIO_UNFIT'; readonly reason: string }
  /** The scenario trades in a market that the network does not have. */
  | { readonly code: 'LOAD_MARKET_MISSING'; readonly symbol: string }
  /** What should be an encoded histogram is none, or one of another range. */
  | { readonly code: 'LOAD_HISTOGRAM_MALFORMED'; readonly reason: string }
  /** A file is no report of a run: not JSON, or a field is not what the schema says. */
  | { readonly code: 'LOAD_REPORT_MALFORMED'; readonly path: string; readonly reason: string }
  /** A report of another version of the format. */
  | { readonly code: 'LOAD_REPORT_FORMAT'; readonly format: string }
  /** A server answered a request with an error of JSON-RPC: its number, words and data. */
  | {
      readonly code: 'LOAD_CALL_REFUSED';
      readonly method: string;
      readonly rpcCode: number;
      readonly words: string;
      readonly data?: unknown;
    }
  /** The first line is not the header of a recorded flow that this program reads. */
  | { readonly code: 'LOAD_FLOW_FORMAT'; readonly reason: string }
  /** A line of a recorded flow is not what the format allows in that place. Lines count from 1. */
  | { readonly code: 'LOAD_FLOW_LINE'; readonly line: number; readonly reason: string }
  /** A recorded flow ends before its last line, or has not what that line counts: it was cut. */
  | { readonly code: 'LOAD_FLOW_CUT'; readonly line: number; readonly reason: string }
  /** Heights that a network has not, or has no more. */
  | { readonly code: 'LOAD_FLOW_RANGE'; readonly from: number; readonly to: number; readonly reason: string }
  /** A replay that has to keep its order stopped: an operation was refused, or did not come into a block. */
  | { readonly code: 'LOAD_REPLAY_STOPPED'; readonly line: number; readonly reason: string }
  /** Bytes that are no TotalView-ITCH 5.0; `offset` is that of the message's length in the unpacked file. */
  | { readonly code: 'LOAD_ITCH_MALFORMED'; readonly offset: number; readonly reason: string };
/** What stops a run, a recording or a replay. What a network does wrong in a run is a finding of its report. */
export class LoadError extends PrimeError<LoadErrorDetail> {}

/**
 * Ends the reading of what a node answered.
 *
 * @throws LoadError `LOAD_ANSWER_MALFORMED`
 */
export function malformedAnswer(reason: string): never {
  throw new LoadError(`malformed answer: ${reason}`, { code: 'LOAD_ANSWER_MALFORMED', reason });
}

/**
 * Ends the reading of an encoded histogram.
 *
 * @throws LoadError `LOAD_HISTOGRAM_MALFORMED`
 */
export function malformedHistogram(reason: string, cause?: unknown): never {
  throw new LoadError(`malformed histogram: ${reason}`, { code: 'LOAD_HISTOGRAM_MALFORMED', reason }, { cause });
}
