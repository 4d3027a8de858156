import { PrimeError } from '@prime/primitives';

/** Why a link is not usable any more: this side closed it, the other side did, or the other thread is gone. */
export type CloseReason = 'closed' | 'peerClosed' | 'peerLost';

/** `link` is the name of the link, `name` that of the request or stream. */
export type BusErrorDetail =
  /**
   * Backpressure: nothing was sent. `ring`: the reader is behind; `pending`: too many requests are unanswered; `outbox`: the
   * bound of reliable messages is reached; `handlers`: the other side runs as many requests as it may.
   */
  | {
      readonly code: 'BUS_FULL';
      readonly link: string;
      readonly reason: 'ring' | 'pending' | 'outbox' | 'handlers';
      readonly limit: number;
    }
  /** No answer in time. The request may still be carried out. */
  | { readonly code: 'BUS_DEADLINE'; readonly link: string; readonly name: string; readonly deadlineMs: number }
  /** The caller's signal was aborted; the cause is its reason. */
  | { readonly code: 'BUS_CANCELLED'; readonly link: string; readonly name: string }
  /** The link can not be used any more, or ended before the answer came; see {@link CloseReason}. */
  | { readonly code: 'BUS_CLOSED'; readonly link: string; readonly reason: CloseReason }
  /** The other side has no handler of that name. */
  | { readonly code: 'BUS_NO_HANDLER'; readonly link: string; readonly name: string }
  /** A message is longer than the link takes, in bytes; it was not sent. */
  | {
      readonly code: 'BUS_MESSAGE_TOO_LARGE';
      readonly link: string;
      readonly bytes: number;
      readonly limit: number;
    }
  /** A value that msgpack can not carry (a function, a symbol, a cycle). */
  | { readonly code: 'BUS_UNENCODABLE'; readonly link: string; readonly name: string }
  /** A size or bound of a link is out of range. */
  | { readonly code: 'BUS_OPTIONS_INVALID'; readonly option: string; readonly value: number };

/** What can go wrong on a link. Codes: {@link BusErrorDetail}. */
export class BusError extends PrimeError<BusErrorDetail> {}
