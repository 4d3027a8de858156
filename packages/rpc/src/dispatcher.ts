import { isPrimeError } from '@prime/primitives';
import { type Admission, openAdmission } from './admission.ts';
import type { MethodContext, MethodDefinition } from './define.ts';
import { isInternalError, type JsonRpcError, limitExceeded, overloaded, RpcError, toJsonRpcError } from './errors.ts';
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
  /** Heavy requests of one batch that are worked on at once. */
  readonly batchHeavyMax: number;
  /** Characters of the answers to one body. */
  readonly responseLengthMax: number;
  /** Levels of nested arrays and objects in a body. */
  readonly nestingDepthMax: number;
  /** Requests being worked on at once, batch items counted one by one. */
  readonly inFlightMax: number;
}

export const defaultDispatcherLimits = {
  batchItemsMax: 1000,
  batchHeavyMax: 8,
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

/** Why nothing was done for the only request of a body, for transports that have words of their own for it. */
export interface Refusal {
  readonly kind: 'rate' | 'overload';
  readonly retryAfterMs: number;
}

export interface DispatchAnswer {
  readonly text: string;
  /** Always null for a batch: its items tell one by one. */
  readonly refusal: Refusal | null;
}

export interface Dispatcher {
  /** Answer to a body; null when it held nothing but notifications. Never rejects. */
  handle(body: string, request: RequestContext): Promise<DispatchAnswer | null>;
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

/** An answer that says what was thrown. */
function failure(id: RequestId, thrown: unknown): DispatchAnswer {
  return { text: errorText(id, toJsonRpcError(thrown)), refusal: refusalOf(thrown) };
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

const invalidRequest = (what: string): RpcError =>
  new RpcError(`invalid request: ${what}`, { code: 'RPC_INVALID_REQUEST' });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (value: unknown): value is RequestId =>
  value === null || typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));

/** The id to answer with when the request itself is bad. */
const idOf = (request: unknown): RequestId => (isObject(request) && isId(request['id']) ? request['id'] : null);

const isNotification = (request: unknown): boolean => isObject(request) && request['id'] === undefined;

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

function methodNotFound(method: string): RpcError {
  const shown = method.slice(0, methodNameShown);
  return new RpcError(`the method ${shown} does not exist/is not available`, {
    code: 'RPC_METHOD_NOT_FOUND',
    method: shown,
  });
}

class RpcDispatcher implements Dispatcher {
  inFlight = 0;
  private readonly methods: ReadonlyMap<string, MethodDefinition>;
  private readonly ports: RpcPorts;
  private readonly options: DispatcherOptions;
  private readonly hooks: DispatcherHooks;
  private readonly admission: Admission;

  constructor(ports: RpcPorts, options: DispatcherOptions, hooks: DispatcherHooks, admission: Admission) {
    this.methods = new Map(definitions.map((definition) => [definition.name, definition]));
    this.ports = ports;
    this.options = options;
    this.hooks = hooks;
    this.admission = admission;
  }

  async handle(body: string, context: RequestContext): Promise<DispatchAnswer | null> {
    let request: unknown;
    try {
      request = this.parseBody(body);
    } catch (error) {
      return failure(null, error);
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

  private async answerBatch(requests: readonly unknown[], context: RequestContext): Promise<DispatchAnswer | null> {
    const { batchItemsMax, batchHeavyMax, responseLengthMax } = this.options;
    if (requests.length === 0) return failure(null, invalidRequest('empty batch'));
    if (requests.length > batchItemsMax)
      return failure(null, limitExceeded('batchItems', batchItemsMax, `batch of ${requests.length} requests`));
    const texts: (string | null)[] = requests.map(() => null);
    let length = 0;
    const take = async (index: number): Promise<void> => {
      const request = requests[index];
      const full = length > responseLengthMax && !isNotification(request);
      const answer = full ? this.tooLong(idOf(request)) : await this.answer(request, context);
      if (answer === null) return;
      length += answer.text.length;
      // What does not fit is let go of at once: a thousand answers of the largest size would not fit into memory.
      texts[index] = length > responseLengthMax ? this.tooLong(idOf(request)).text : answer.text;
    };
    const indexes = requests.map((_, index) => index);
    const heavy = indexes.filter((index) => this.isHeavy(requests[index]));
    const heavySet = new Set(heavy);
    // The light ones start now and in order: actions of a batch share a block, and submissions keep their order.
    const light = indexes.filter((index) => !heavySet.has(index)).map(take);
    const lanes = Array.from({ length: Math.min(batchHeavyMax, heavy.length) }, async () => {
      for (let index = heavy.shift(); index !== undefined; index = heavy.shift()) await take(index);
    });
    await Promise.all([...light, ...lanes]);
    const kept = texts.filter((text) => text !== null);
    return kept.length === 0 ? null : { text: `[${kept.join(',')}]`, refusal: null };
  }

  private isHeavy(request: unknown): boolean {
    const method = isObject(request) ? request['method'] : undefined;
    return typeof method === 'string' && this.methods.get(method)?.cost === 'heavy';
  }

  private tooLong(id: RequestId): DispatchAnswer {
    const { responseLengthMax } = this.options;
    return failure(id, limitExceeded('responseSize', responseLengthMax, 'response too large'));
  }

  /** Answer to one request; null to a notification. */
  private async answer(request: unknown, context: RequestContext): Promise<DispatchAnswer | null> {
    const { inFlightMax, responseLengthMax } = this.options;
    if (this.inFlight >= inFlightMax)
      return failure(idOf(request), overloaded('inFlight', inFlightMax, `${inFlightMax} requests are in work`));
    this.inFlight++;
    try {
      const call = parseCall(request);
      const answer = await this.run(call, context);
      if (call.isNotification) return null;
      return answer.text.length > responseLengthMax ? this.tooLong(call.id) : answer;
    } catch (error) {
      return failure(idOf(request), error);
    } finally {
      this.inFlight--;
    }
  }

  /** @throws RpcError of the admission, `RPC_METHOD_NOT_FOUND`; what the method throws is an answer */
  private async run(call: Call, request: RequestContext): Promise<DispatchAnswer> {
    const { id, method } = call;
    const definition = this.methods.get(method);
    if (definition === undefined) throw methodNotFound(method);
    let entered = false;
    try {
      this.admission.enter(definition, request);
      entered = true;
      const result = await this.call(definition, call.params, request);
      this.hooks.onAnswered?.(method, true);
      return { text: resultText(id, result), refusal: null };
    } catch (error) {
      if (isInternalError(error)) this.hooks.onInternalError?.(method, error);
      this.hooks.onAnswered?.(method, false);
      return failure(id, error);
    } finally {
      if (entered) this.admission.leave(request);
    }
  }

  private async call(definition: MethodDefinition, params: readonly unknown[], request: RequestContext) {
    const { ports } = this;
    const { info } = this.options;
    const args = parseParams(definition, params);
    // Only a chain with a fork has to look at its head first.
    const hide = info.privacyForkBlock !== null && (await isPrivate(ports, info, request));
    if (hide) checkPrivacy(definition, args);
    const context: MethodContext = { ports, info, format: definition.format, request, isPrivate: hide };
    return definition.handler(context, ...args);
  }
}

/** A dispatcher over all methods of the registry. */
export const createDispatcher = (
  ports: RpcPorts,
  options: DispatcherOptions,
  hooks: DispatcherHooks = {},
  admission: Admission = openAdmission,
): Dispatcher => new RpcDispatcher(ports, options, hooks, admission);
