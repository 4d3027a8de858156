import { PrimeError } from '@prime/primitives';

export type LoadErrorDetail =
  /** What a server sent is no HTTP answer that belongs to a request. */
  | { readonly code: 'LOAD_ANSWER_MALFORMED'; readonly reason: string }
  /** No address of a JSON-RPC server. */
  | { readonly code: 'LOAD_URL_INVALID'; readonly url: string }
  /** The connection ended; requests that had no answer may have been carried out. */
  | { readonly code: 'LOAD_CONNECTION_LOST'; readonly unanswered: number };
export class LoadError extends PrimeError<LoadErrorDetail> {}

export function malformedAnswer(reason: string): never {
  throw new LoadError(`malformed answer: ${reason}`, { code: 'LOAD_ANSWER_MALFORMED', reason });
}
