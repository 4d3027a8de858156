import { definitions } from '@prime/rpc';
import { Ajv, type ValidateFunction } from 'ajv';

/** Whether an answer is one that a node may give, whatever was asked. */

/** An HTTP answer. */
export interface RawAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

const statuses: ReadonlySet<number> = new Set([200, 204, 400, 401, 403, 404, 405, 408, 413, 415, 429, 431, 503]);

/** What is wrong with an answer; null when nothing is. */
export function faultOf({ status, contentType, body }: RawAnswer): string | null {
  if (!statuses.has(status)) return `status ${status}`;
  // Notifications, OPTIONS and HEAD have nothing to say.
  if (body === '') return null;
  if (!contentType.startsWith('application/json')) return `content type ${contentType}`;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return 'no JSON';
  }
  for (const item of [value].flat()) {
    const fault = faultOfItem(item);
    if (fault !== null) return fault;
  }
  return null;
}

function faultOfItem(item: unknown): string | null {
  if (typeof item !== 'object' || item === null) return 'an answer that is no object';
  const { jsonrpc, id, result, error } = item as Record<string, unknown>;
  if (jsonrpc !== '2.0') return 'jsonrpc is not 2.0';
  if (id !== null && typeof id !== 'string' && typeof id !== 'number') return 'an id of no kind';
  if ((result === undefined) === (error === undefined)) return 'not exactly one of result and error';
  if (error === undefined) return null;
  const { code, message } = error as Record<string, unknown>;
  if (!Number.isInteger(code) || typeof message !== 'string' || message === '') return 'an error without code or words';
  return code === -32603 ? 'an internal error' : null;
}

const ajv = new Ajv({ strict: false, allowUnionTypes: true });
const shapes = new Map<string, ValidateFunction>();

/** The documented shape of a method's result; null for what is no method. */
function shapeOf(method: string): ValidateFunction | null {
  const definition = definitions.find(({ name }) => name === method);
  if (definition === undefined) return null;
  const shape = shapes.get(method) ?? ajv.compile(definition.result);
  shapes.set(method, shape);
  return shape;
}

/**
 * What is wrong with the result that one request got; null when nothing is, or when it can not be told.
 *
 * @param request text of the body
 */
export function faultOfResult(request: string, { body }: RawAnswer): string | null {
  try {
    const { method } = JSON.parse(request) as { method?: unknown };
    const { result } = JSON.parse(body) as { result?: unknown };
    const shape = typeof method === 'string' && result !== undefined ? shapeOf(method) : null;
    if (shape === null || shape(result)) return null;
    return `a result of another shape: ${ajv.errorsText(shape.errors)}`;
  } catch {
    return null;
  }
}
