import { isPrimeError } from '@prime/primitives';
import { quoted, toJson } from './answerCache.ts';
import type { RequestId } from './call.ts';
import { type JsonRpcError, toJsonRpcError } from '../errors/errors.ts';
import { ExactNumber } from './exactIds.ts';

/** Responses of JSON-RPC 2.0 as text. */

/** Why nothing was done for the only request of a body, for transports that have words of their own for it. */
export interface Refusal {
  readonly kind: 'rate' | 'overload';
  readonly retryAfterMs: number;
}

/** A response body of JSON text, and what metrics count of it. */
export interface DispatchAnswer {
  readonly text: string;
  /** Number of the error that it tells; null of a result, and of a batch. */
  readonly error: number | null;
  /** Always null for a batch: its items tell one by one. */
  readonly refusal: Refusal | null;
}

function idText(id: RequestId): string {
  if (typeof id === 'string') return quoted(id);
  return id instanceof ExactNumber ? id.text : `${id}`;
}
/** The response with a result; {@link toJson} says of what. */
export const resultText = (id: RequestId, result: unknown): string =>
  `{"jsonrpc":"2.0","id":${idText(id)},"result":${toJson(result)}}`;
const errorText = (id: RequestId, error: JsonRpcError): string =>
  `{"jsonrpc":"2.0","id":${idText(id)},"error":${JSON.stringify(error)}}`;

/** An answer that says what was thrown. */
export function errorAnswer(id: RequestId, thrown: unknown): DispatchAnswer {
  const error = toJsonRpcError(thrown);
  return { text: errorText(id, error), error: error.code, refusal: refusalOf(thrown) };
}

/** Codes of other parts of the node that had no room for the request and did nothing about it. */
const busyCodes: ReadonlySet<string> = new Set(['READER_BUSY', 'ENGINE_BUSY', 'BUS_FULL']);
const retryAfterMsDefault = 1_000;

function refusalOf(thrown: unknown): Refusal | null {
  if (!isPrimeError(thrown)) return null;
  const { code, retryAfterMs = retryAfterMsDefault } = thrown.detail as { code: string; retryAfterMs?: number };
  if (code === 'RPC_RATE_LIMITED') return { kind: 'rate', retryAfterMs };
  return code === 'RPC_OVERLOADED' || busyCodes.has(code) ? { kind: 'overload', retryAfterMs } : null;
}
