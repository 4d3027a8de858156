import { PrimeError } from '@prime/primitives';

/** Codes of {@link StreamsError}, each with what explains it. */
export type StreamsErrorDetail =
  /** A configuration file of streams is no TOML. */
  | { readonly code: 'STREAMS_CONFIG_MALFORMED'; readonly file: string; readonly reason: string }
  /** A configuration file of streams has a key that there is not, lacks one, or a value that is not allowed. */
  | {
      readonly code: 'STREAMS_CONFIG_INVALID';
      readonly file: string;
      readonly path: string;
      readonly problem: string;
      readonly allowed: string;
    }
  /** A node or a sink is of another chain; nothing was written. */
  | {
      readonly code: 'STREAMS_OTHER_CHAIN';
      readonly where: string;
      readonly found: string;
      readonly expected: string;
    }
  /** No node keeps the next block any more. Nothing was written after the cursor. */
  | { readonly code: 'STREAMS_HISTORY_PRUNED'; readonly height: number; readonly oldest: number | null }
  /** The privacy fork hides events or logs on the surface that is asked. */
  | { readonly code: 'STREAMS_HIDDEN'; readonly method: string }
  /** What a node answers contradicts itself: events do not hash to what the block says, or ids have gaps. */
  | { readonly code: 'STREAMS_ANSWER_WRONG'; readonly height: number; readonly reason: string }
  /** The chain that nodes tell does not go on from the block that a sink holds. */
  | {
      readonly code: 'STREAMS_FORKED';
      readonly sink: string;
      readonly height: number;
      readonly found: string;
      readonly expected: string;
    }
  /** The tables of a database are of a newer program. */
  | { readonly code: 'STREAMS_SCHEMA_NEWER'; readonly found: number; readonly known: number }
  /** What a sink holds is not what streams write: a file or a message was changed, or something else writes there. */
  | { readonly code: 'STREAMS_STORE_DAMAGED'; readonly where: string; readonly reason: string }
  /** A stream lost its last message to retention, so nothing says where to go on. */
  | { readonly code: 'STREAMS_CURSOR_LOST'; readonly stream: string }
  /** A record is larger than the sink takes. */
  | { readonly code: 'STREAMS_RECORD_TOO_LARGE'; readonly id: string; readonly bytes: number; readonly maximum: number }
  /** A sink is not there, or did not take a block in time; it is tried again. */
  | { readonly code: 'STREAMS_SINK_FAILED'; readonly sink: string; readonly reason: string }
  /** There is nothing to verify. */
  | { readonly code: 'STREAMS_NOTHING_STORED'; readonly where: string }
  /** An export is verified to a block that no node has yet. */
  | { readonly code: 'STREAMS_BLOCK_MISSING'; readonly height: number; readonly head: number }
  /** What was exported is not what the chain has. */
  | { readonly code: 'STREAMS_NOT_VERIFIED'; readonly findings: number };

/** What streams can not do. */
export class StreamsError extends PrimeError<StreamsErrorDetail> {}

/** Whether trying again helps: of these it does. */
const passing: ReadonlySet<string> = new Set(['STREAMS_ANSWER_WRONG', 'STREAMS_SINK_FAILED']);

/** Whether a person has to do something before it can go on. */
export const isFatal = (error: unknown): error is StreamsError =>
  error instanceof StreamsError && !passing.has(error.code);

/** Another chain than expected. @param where whose it is, for the message */
export const otherChain = (where: string, found: string, expected: string): StreamsError =>
  new StreamsError(`${where} is of another chain: its genesis is ${found}, not ${expected}`, {
    code: 'STREAMS_OTHER_CHAIN',
    where,
    found,
    expected,
  });

/**
 * A `STREAMS_STORE_DAMAGED` to throw.
 *
 * @param where path of the file or folder
 */
export const damaged = (where: string, reason: string): StreamsError =>
  new StreamsError(`${where} is damaged: ${reason}`, { code: 'STREAMS_STORE_DAMAGED', where, reason });
