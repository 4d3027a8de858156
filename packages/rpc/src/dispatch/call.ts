import { RpcError } from '../errors/errors.ts';
import { ExactNumber } from './exactIds.ts';

/** Requests of JSON-RPC 2.0 as values: what is one, and what of one that is none can be answered. */

/** Id of a request as it came; a number that JavaScript cannot hold stays its text, so that the answer repeats it. */
export type RequestId = string | number | ExactNumber | null;

/** A request that is well formed; whether there is such a method is not known yet. A notification gets no answer. */
export interface Call {
  readonly id: RequestId;
  readonly isNotification: boolean;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The error -32600: `RPC_INVALID_REQUEST`. */
export const invalidRequest = (what: string): RpcError =>
  new RpcError(`invalid request: ${what}`, { code: 'RPC_INVALID_REQUEST' });

/** Whether JSON is an object, which arrays and null are not. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (value: unknown): value is RequestId =>
  value === null || typeof value === 'string' || typeof value === 'number' || value instanceof ExactNumber;

/** The id to answer with when the request itself is bad. */
export const idOf = (request: unknown): RequestId => (isObject(request) && isId(request['id']) ? request['id'] : null);

/** A request without id (JSON-RPC 2.0 section 4.1); id null is one with an answer. */
export const isNotification = (request: unknown): boolean => isObject(request) && request['id'] === undefined;

/** @throws RpcError `RPC_INVALID_REQUEST`, `RPC_INVALID_PARAMS` */
export function parseCall(request: unknown): Call {
  if (!isObject(request)) throw invalidRequest('it must be an object');
  const { jsonrpc, method, id, params } = request;
  if (id !== undefined && !isId(id)) throw invalidRequest('id must be a string, a number or null');
  if (jsonrpc !== '2.0') throw invalidRequest('jsonrpc must be "2.0"');
  if (typeof method !== 'string') throw invalidRequest('method must be a string');
  if (params !== undefined && params !== null && !Array.isArray(params))
    throw new RpcError('invalid params: params must be an array', { code: 'RPC_INVALID_PARAMS', path: 'params' });
  return { id: id ?? null, isNotification: id === undefined, method, params: params ?? [] };
}
