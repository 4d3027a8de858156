import { PrimeSdkError } from '../errors/base.ts';
import type { Address } from '../types/primitives.ts';
import type { AccountDifference, LostGap } from './types.ts';

/** What a stream tells its reader of; `code` never changes. */
export type StreamErrorDetail =
  /** A connection ended or could not be opened. The stream connects again, to the next URL, and fetches what it missed. */
  | { readonly code: 'STREAM_DISCONNECTED'; readonly url: string; readonly closeCode: number | null }
  /** The node did not answer a request or a ping in time; it is treated as gone. */
  | { readonly code: 'STREAM_TIMEOUT'; readonly url: string; readonly method: string; readonly timeoutMs: number }
  /** The node sent what is no message of the protocol. The connection is given up. */
  | { readonly code: 'STREAM_MESSAGE_MALFORMED'; readonly what: string }
  /** The node answered with an error; `rpcCode` and `data` are those of JSON-RPC. */
  | {
      readonly code: 'STREAM_REQUEST_FAILED';
      readonly method: string;
      readonly rpcCode: number;
      readonly data: unknown;
    }
  /** No node will ever serve the subscription: it is unknown, wrong or not for the public. The watcher has ended. */
  | {
      readonly code: 'STREAM_REFUSED';
      readonly kind: string;
      readonly rpcCode: number;
      readonly data: unknown;
    }
  /** The URL belongs to another chain than the one that was read before; it is not asked again. */
  | { readonly code: 'STREAM_CHAIN_MISMATCH'; readonly url: string; readonly expected: string; readonly actual: string }
  /** The node is so many blocks behind what was read already that another one is asked. */
  | { readonly code: 'STREAM_NODE_BEHIND'; readonly url: string; readonly head: bigint; readonly known: bigint }
  /** Blocks, or the messages of one stream, do not follow each other. The connection is given up. */
  | { readonly code: 'STREAM_SEQUENCE_BROKEN'; readonly expected: string; readonly actual: string }
  /**
   * What these blocks held can not be told: no node of the list keeps them (pruned) or may tell it (hidden), or one sent it too late (disorder).
   * `oldestBlock` is the oldest that is kept; null where no node said so.
   */
  | {
      readonly code: 'STREAM_GAP_LOST';
      readonly fromBlock: bigint;
      readonly toBlock: bigint;
      readonly reason: LostGap['reason'];
      readonly oldestBlock: bigint | null;
    }
  /** The reader was slower than the stream: from `fromBlock` on it is fetched again when the reader has caught up. Nothing is lost. */
  | { readonly code: 'STREAM_OVERFLOW'; readonly fromBlock: bigint; readonly queueMax: number }
  /** A book does not have the checksum that the node told; it is not shown, and subscribed to again. */
  | {
      readonly code: 'STREAM_CHECKSUM_WRONG';
      readonly marketId: number;
      readonly blockNumber: bigint;
      readonly expected: string;
      readonly actual: string;
    }
  /** An account as it was followed is not as the chain has it at that block. The chain's version is taken. */
  | {
      readonly code: 'STREAM_ACCOUNT_DISAGREES';
      readonly address: Address;
      readonly blockNumber: bigint;
      readonly differences: readonly AccountDifference[];
    }
  /** The reader's own callback threw; the cause is what it threw. */
  | { readonly code: 'STREAM_HANDLER_FAILED' }
  /** There is no URL to connect to, or none is left. Nothing more comes. */
  | { readonly code: 'STREAM_NO_URL' }
  /** The streams were closed. */
  | { readonly code: 'STREAM_CLOSED' };

/** What a {@link StreamError} says in its `code`; the type of its detail follows from it. */
export type StreamErrorCode = StreamErrorDetail['code'];

/** After these nothing more comes; after every other the stream goes on by itself. */
const fatalCodes: ReadonlySet<StreamErrorCode> = new Set(['STREAM_REFUSED', 'STREAM_NO_URL', 'STREAM_CLOSED']);

/** Decide by `detail.code`: the type of `detail` follows from it. */
export class StreamError<detail extends StreamErrorDetail = StreamErrorDetail> extends PrimeSdkError {
  declare readonly code: detail['code'];
  readonly detail: detail;
  /** Whether the watcher has ended. */
  readonly isFatal: boolean;

  constructor(message: string, detail: detail, cause?: unknown) {
    super(detail.code, message, { cause: cause === undefined ? undefined : errorOf(cause) });
    this.detail = detail;
    this.isFatal = fatalCodes.has(detail.code);
  }
}

const errorOf = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** Whether it is a stream's error of this code; then its detail has the type of that code. */
export const isStreamError = <code extends StreamErrorCode>(
  thrown: unknown,
  code: code,
): thrown is StreamError<Extract<StreamErrorDetail, { readonly code: code }>> =>
  thrown instanceof StreamError && thrown.code === code;

/** @param what what is wrong with it, and what was expected */
export const malformed = (what: string): StreamError =>
  new StreamError(`The node sent what is no message of the protocol: ${what}`, {
    code: 'STREAM_MESSAGE_MALFORMED',
    what,
  });

/** Of a watcher whose session is over. */
export const streamsClosed = (): StreamError => new StreamError('The streams were closed.', { code: 'STREAM_CLOSED' });

/** Whatever was thrown, as an error of a stream. */
export const toStreamError = (thrown: unknown): StreamError =>
  thrown instanceof StreamError ? thrown : malformed(errorOf(thrown).message);
