import type { MethodContext, MethodDefinition } from './define.ts';
import { isInternalError, jsonRpcCode, type JsonRpcError, limitExceeded, RpcError, toJsonRpcError } from './errors.ts';
import { nestingDepth } from './nestingDepth.ts';
import type { NodeInfo, RpcPorts } from './ports.ts';
import { checkPrivacy, isPrivate } from './privacy.ts';
import { definitions } from './registry.ts';
import type { RequestContext } from './requestContext.ts';
import { parseParams } from './validate.ts';

/** JSON-RPC 2.0 without a transport: the text of a request or batch in, the text of the answer out. */

export interface DispatcherOptions {
  readonly info: NodeInfo;
  /** Requests in one batch. */
  readonly batchItemsMax: number;
  /** Characters of the answers to one body. */
  readonly responseLengthMax: number;
  /** Levels of nested arrays and objects in a body. */
  readonly nestingDepthMax: number;
  /** Requests being worked on at once, batch items counted one by one. */
  readonly inFlightMax: number;
}

export const defaultDispatcherLimits = {
  batchItemsMax: 1000,
  responseLengthMax: 25_000_000,
  nestingDepthMax: 64,
  inFlightMax: 4096,
} as const;

/** What is worth counting or logging about a request. */
export interface DispatcherHooks {
  /** A handler failed in a way that is the node's fault. */
  readonly onInternalError?: (method: string, error: unknown) => void;
  readonly onAnswered?: (method: string, ok: boolean) => void;
}

export interface Dispatcher {
  /** Answer to a body; null when it held nothing but notifications. Never rejects. */
  handle(body: string, request: RequestContext): Promise<string | null>;
  /** Requests being worked on. */
  readonly inFlight: number;
}

type RequestId = string | number | null;
interface Call {
  readonly id: RequestId;
  readonly isNotification: boolean;
  readonly method: string;
  readonly params: readonly unknown[];
}

const idText = (id: RequestId): string => JSON.stringify(id);
const resultText = (id: RequestId, result: unknown): string =>
  `{"jsonrpc":"2.0","id":${idText(id)},"result":${JSON.stringify(result)}}`;
const errorText = (id: RequestId, error: JsonRpcError): string =>
  `{"jsonrpc":"2.0","id":${idText(id)},"error":${JSON.stringify(error)}}`;

const invalidRequest = (what: string): RpcError =>
  new RpcError(`invalid request: ${what}`, { code: 'RPC_INVALID_REQUEST' });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (value: unknown): value is RequestId =>
  value === null || typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));

/** The id to answer with when the request itself is bad. */
const idOf = (request: unknown): RequestId => (isObject(request) && isId(request['id']) ? request['id'] : null);

/** @throws RpcError `RPC_INVALID_REQUEST`, `RPC_INVALID_PARAMS` */
function parseCall(request: unknown): Call {
  if (!isObject(request)) throw invalidRequest('it must be an object');
  const { jsonrpc, method, id, params } = request;
  if (id !== undefined && !isId(id)) throw invalidRequest('id must be a string, a number or null');
  if (jsonrpc !== '2.0') throw invalidRequest('jsonrpc must be "2.0"');
  if (typeof method !== 'string') throw invalidRequest('method must be a string');
  if (params !== undefined && params !== null && !Array.isArray(params))
    throw new RpcError('invalid params: params must be an array', { code: 'RPC_INVALID_PARAMS', path: 'params' });
  return { id: id ?? null, isNotification: id === undefined, method, params: params ?? [] };
}

const methodNameShown = 100;

class RpcDispatcher implements Dispatcher {
  inFlight = 0;
  private readonly methods: ReadonlyMap<string, MethodDefinition>;
  private readonly ports: RpcPorts;
  private readonly options: DispatcherOptions;
  private readonly hooks: DispatcherHooks;

  constructor(ports: RpcPorts, options: DispatcherOptions, hooks: DispatcherHooks) {
    this.methods = new Map(definitions.map((definition) => [definition.name, definition]));
    this.ports = ports;
    this.options = options;
    this.hooks = hooks;
  }

  async handle(body: string, context: RequestContext): Promise<string | null> {
    let request: unknown;
    try {
      request = this.parseBody(body);
    } catch (error) {
      return errorText(null, toJsonRpcError(error));
    }
    return Array.isArray(request) ? this.answerBatch(request, context) : this.answer(request, context);
  }

  private parseBody(body: string): unknown {
    const { nestingDepthMax } = this.options;
    if (nestingDepth(body, nestingDepthMax) > nestingDepthMax)
      throw invalidRequest(`nested deeper than ${nestingDepthMax} levels`);
    try {
      return JSON.parse(body);
    } catch {
      throw new RpcError('parse error: the body is not valid JSON', { code: 'RPC_PARSE_ERROR' });
    }
  }

  private async answerBatch(requests: readonly unknown[], context: RequestContext): Promise<string | null> {
    const { batchItemsMax, responseLengthMax } = this.options;
    if (requests.length === 0) return errorText(null, toJsonRpcError(invalidRequest('empty batch')));
    if (requests.length > batchItemsMax) {
      const error = limitExceeded('batchItems', batchItemsMax, `batch of ${requests.length} requests`);
      return errorText(null, toJsonRpcError(error));
    }
    // All start now and in order: actions of a batch share a block, and submissions keep their order.
    const answers = await Promise.all(requests.map((request) => this.answer(request, context)));
    let length = 0;
    const kept: string[] = [];
    answers.forEach((answer, index) => {
      if (answer === null) return;
      length += answer.length;
      kept.push(length > responseLengthMax ? this.tooLong(idOf(requests[index])) : answer);
    });
    return kept.length === 0 ? null : `[${kept.join(',')}]`;
  }

  private tooLong(id: RequestId): string {
    const { responseLengthMax } = this.options;
    return errorText(id, toJsonRpcError(limitExceeded('responseSize', responseLengthMax, 'response too large')));
  }

  /** Answer to one request; null to a notification. */
  private async answer(request: unknown, context: RequestContext): Promise<string | null> {
    const { inFlightMax, responseLengthMax } = this.options;
    if (this.inFlight >= inFlightMax)
      return errorText(
        idOf(request),
        toJsonRpcError(limitExceeded('inFlight', inFlightMax, 'too many requests at once')),
      );
    this.inFlight++;
    try {
      const call = parseCall(request);
      const text = await this.run(call, context);
      if (call.isNotification) return null;
      return text.length > responseLengthMax ? this.tooLong(call.id) : text;
    } catch (error) {
      return errorText(idOf(request), toJsonRpcError(error));
    } finally {
      this.inFlight--;
    }
  }

  private async run(call: Call, request: RequestContext): Promise<string> {
    const { id, method } = call;
    const definition = this.methods.get(method);
    if (definition === undefined) {
      const shown = method.slice(0, methodNameShown);
      return errorText(id, {
        code: jsonRpcCode.methodNotFound,
        message: `the method ${shown} does not exist/is not available`,
      });
    }
    const { ports } = this;
    const { info } = this.options;
    try {
      const args = parseParams(definition, call.params);
      // Only a chain with a fork has to look at its head first.
      const hide = info.privacyForkBlock !== null && (await isPrivate(ports, info, request));
      if (hide) checkPrivacy(definition, args);
      const context: MethodContext = { ports, info, format: definition.format, request, isPrivate: hide };
      const result = await definition.handler(context, ...args);
      this.hooks.onAnswered?.(method, true);
      return resultText(id, result);
    } catch (error) {
      if (isInternalError(error)) this.hooks.onInternalError?.(method, error);
      this.hooks.onAnswered?.(method, false);
      return errorText(id, toJsonRpcError(error));
    }
  }
}

/** A dispatcher over all methods of the registry. */
export const createDispatcher = (
  ports: RpcPorts,
  options: DispatcherOptions,
  hooks: DispatcherHooks = {},
): Dispatcher => new RpcDispatcher(ports, options, hooks);
