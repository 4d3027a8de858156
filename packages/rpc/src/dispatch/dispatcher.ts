import { type Admission, openAdmission } from './admission.ts';
import { type DispatchAnswer, errorAnswer, resultText } from './answer.ts';
import { AnswerCache } from './answerCache.ts';
import { AnswerRoom, type Room } from './answerRoom.ts';
import { type Call, idOf, invalidRequest, isNotification, isObject, parseCall, type RequestId } from './call.ts';
import type { MethodContext, MethodDefinition } from '../define.ts';
import { isInternalError, limitExceeded, overloaded, RpcError } from '../errors/errors.ts';
import type { Eventual } from './eventual.ts';
import { keepExactIds } from './exactIds.ts';
import { isNestedDeeper, nestingDepth } from './nestingDepth.ts';
import { type LimitReason, limitReasonOf } from './limitReasons.ts';
import { type MethodClass, methodClassOf } from './methodClass.ts';
import type { NodeInfo, RpcPorts } from '../ports/ports.ts';
import { checkPrivacy, isPrivate } from './privacy.ts';
import { definitions } from '../registry.ts';
import type { RequestContext } from './requestContext.ts';
import { type LoggedBody, loggedBody, type RequestLog, LoggedRequest } from './requestLog.ts';
import { type ParamsParser, paramsParser } from '../schema/validate.ts';

/** JSON-RPC 2.0 without a transport: the text of a request or batch in, the text of the answer out. */

/** Limits of requests and batches, and what observes each call. */
export interface DispatcherOptions {
  readonly info: NodeInfo;
  /** Requests in one batch. */
  readonly batchItemsMax: number;
  /** Heavy requests of one batch that are worked on at once. */
  readonly batchHeavyMax: number;
  /** Characters of the answers to one batch. */
  readonly responseLengthMax: number;
  /** Characters of the answer to a request that is in no batch. */
  readonly answerLengthMax: number;
  /** Levels of nested arrays and objects in a body. */
  readonly nestingDepthMax: number;
  /** Requests being worked on at once, batch items counted one by one. */
  readonly inFlightMax: number;
  /** Characters of answers that are kept until the next block. */
  readonly answerCacheLengthMax: number;
}

/** Limits of a node with default settings: numbers of requests, and lengths in characters. */
export const defaultDispatcherLimits = {
  batchItemsMax: 1000,
  batchHeavyMax: 8,
  responseLengthMax: 25_000_000,
  answerLengthMax: 100_000_000,
  nestingDepthMax: 64,
  inFlightMax: 4096,
  answerCacheLengthMax: 32 * 1024 * 1024,
} as const;

/** What is worth counting or logging about a request. */
export interface DispatcherHooks {
  /** A handler failed in a way that is the node's fault. */
  readonly onInternalError?: (method: string, error: unknown) => void;
  /** @param ms from the start of the work to the answer */
  readonly onAnswered?: (answered: MethodClass, ok: boolean, ms: number) => void;
  /** A clock that only goes forward, ms; without it all answers took no time. */
  readonly nowMs?: () => number;
  /** How many requests are being worked on, whenever it is another number; those that are answered at once are not told of. */
  readonly onInFlight?: (requests: number) => void;
  /** Something was not done because of a limit, see {@link limitReasons}. */
  readonly onLimited?: (reason: LimitReason) => void;
  /** Told of every request while it is on. */
  readonly requestLog?: RequestLog;
}

/** JSON-RPC 2.0 from text to text, for every transport. */
export interface Dispatcher {
  /**
   * Answer to a body; null when it held nothing but notifications. At once when all of it is in memory. Never throws or rejects.
   */
  handle(body: string, request: RequestContext): Eventual<DispatchAnswer | null>;
  /** Requests being worked on. */
  readonly inFlight: number;
}

const methodNameShown = 100;

function methodNotFound(method: string): RpcError {
  const shown = method.slice(0, methodNameShown);
  return new RpcError(`the method ${shown} does not exist/is not available`, {
    code: 'RPC_METHOD_NOT_FOUND',
    method: shown,
  });
}

/** A method with what is looked up once. */
interface Method extends Pick<MethodDefinition, 'name' | 'format' | 'handler' | 'fixedAtHead'> {
  readonly definition: MethodDefinition;
  readonly isHeavy: boolean;
  readonly counted: MethodClass;
  readonly parse: ParamsParser;
}

const methodOf = (definition: MethodDefinition): Method => ({
  definition,
  name: definition.name,
  format: definition.format,
  handler: definition.handler,
  fixedAtHead: definition.fixedAtHead,
  isHeavy: definition.cost === 'heavy',
  counted: methodClassOf(definition),
  parse: paramsParser(definition),
});

/** A request that is being answered. */
interface Work {
  readonly id: RequestId;
  readonly method: Method;
  readonly startedMs: number;
}

/** Bodies of more characters are looked through for their depth before anything is made of them. */
const parsedFirstLength = 64 * 1024;

class RpcDispatcher implements Dispatcher {
  inFlight = 0;
  private readonly methods: ReadonlyMap<string, Method>;
  private readonly ports: RpcPorts;
  private readonly options: DispatcherOptions;
  private readonly hooks: DispatcherHooks;
  private readonly nowMs: () => number;
  private readonly admission: Admission;
  private readonly answers: AnswerCache;
  /** Of requests that share it with no other. */
  private readonly alone: Room;

  constructor(ports: RpcPorts, options: DispatcherOptions, hooks: DispatcherHooks, admission: Admission) {
    this.methods = new Map(definitions.map((definition) => [definition.name, methodOf(definition)]));
    this.ports = ports;
    this.options = options;
    this.hooks = hooks;
    this.nowMs = hooks.nowMs ?? (() => 0);
    this.admission = admission;
    this.answers = new AnswerCache(options.answerCacheLengthMax);
    this.alone = { take: (length) => length <= options.answerLengthMax, lengthMax: options.answerLengthMax };
  }

  handle(body: string, context: RequestContext): Eventual<DispatchAnswer | null> {
    const { requestLog } = this.hooks;
    const logged = requestLog?.isOn === true ? loggedBody(context, body) : null;
    let request: unknown;
    try {
      request = this.parseBody(body);
    } catch (error) {
      return this.refused(this.loggedRequest(logged, null, undefined), null, error);
    }
    return Array.isArray(request)
      ? this.answerBatch(request, context, logged)
      : this.answer(request, this.methodOf(request), context, this.loggedRequest(logged, null, request), this.alone);
  }

  /** What becomes a line of the log; null while nobody reads it. */
  private loggedRequest(body: LoggedBody | null, batch: number | null, request: unknown): LoggedRequest | null {
    const { requestLog } = this.hooks;
    if (body === null || requestLog === undefined) return null;
    const name = isObject(request) ? request['method'] : undefined;
    const method = typeof name === 'string' ? name.slice(0, methodNameShown) : null;
    return new LoggedRequest(requestLog, body, batch, method);
  }

  /** Answer to what was not even begun. */
  private refused(logged: LoggedRequest | null, id: RequestId, error: unknown): DispatchAnswer {
    const answer = this.errorAnswer(id, error);
    logged?.end(answer);
    return answer;
  }

  /** The parser itself takes any depth, at a price in memory that only a long text can ask for. */
  private parseBody(body: string): unknown {
    const { nestingDepthMax } = this.options;
    const isTooDeep = (): boolean => nestingDepth(body, nestingDepthMax) > nestingDepthMax;
    const tooDeep = (): RpcError => invalidRequest(`nested deeper than ${nestingDepthMax} levels`);
    if (body.length > parsedFirstLength && isTooDeep()) throw tooDeep();
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      if (isTooDeep()) throw tooDeep();
      throw new RpcError('parse error: the body is not valid JSON', { code: 'RPC_PARSE_ERROR' });
    }
    if (isNestedDeeper(value, nestingDepthMax)) throw tooDeep();
    keepExactIds(value, body);
    return value;
  }

  private answerBatch(
    requests: readonly unknown[],
    context: RequestContext,
    body: LoggedBody | null,
  ): Eventual<DispatchAnswer | null> {
    const { batchHeavyMax, responseLengthMax } = this.options;
    const size = requests.length;
    const misfit = this.batchMisfit(size);
    if (misfit !== null) return this.refused(this.loggedRequest(body, size, undefined), null, misfit);
    const texts: (string | null)[] = requests.map(() => null);
    const room = new AnswerRoom(responseLengthMax);
    const keep = (index: number, answer: DispatchAnswer | null): void => {
      texts[index] = answer === null ? null : answer.text;
    };
    const take = (index: number, method: Method | null): Eventual<DispatchAnswer | null> => {
      const request = requests[index];
      const logged = this.loggedRequest(body, size, request);
      const full = room.isFull && !isNotification(request);
      return full ? this.tooLong(room, idOf(request), logged) : this.answer(request, method, context, logged, room);
    };
    const heavy: { readonly index: number; readonly method: Method }[] = [];
    const coming: Promise<void>[] = [];
    // The light ones start now and in order: actions of a batch share a block, and submissions keep their order.
    for (let index = 0; index < requests.length; index++) {
      const method = this.methodOf(requests[index]);
      if (method?.isHeavy === true) {
        heavy.push({ index, method });
        continue;
      }
      const answer = take(index, method);
      if (answer instanceof Promise) coming.push(answer.then((late) => keep(index, late)));
      else keep(index, answer);
    }
    const joined = (): DispatchAnswer | null => {
      const kept = texts.includes(null) ? texts.filter((text) => text !== null) : texts;
      return kept.length === 0 ? null : { text: `[${kept.join(',')}]`, error: null, refusal: null };
    };
    if (heavy.length === 0 && coming.length === 0) return joined();
    const lanes = Array.from({ length: Math.min(batchHeavyMax, heavy.length) }, async () => {
      for (let next = heavy.shift(); next !== undefined; next = heavy.shift())
        keep(next.index, await take(next.index, next.method));
    });
    return Promise.all([...coming, ...lanes]).then(joined);
  }

  private batchMisfit(size: number): RpcError | null {
    const { batchItemsMax } = this.options;
    if (size === 0) return invalidRequest('empty batch');
    return size > batchItemsMax ? limitExceeded('batchItems', batchItemsMax, `batch of ${size} requests`) : null;
  }

  /** The method that a request names; null where it names none that there is. */
  private methodOf(request: unknown): Method | null {
    const name = isObject(request) ? request['method'] : undefined;
    return typeof name === 'string' ? (this.methods.get(name) ?? null) : null;
  }

  private tooLong({ lengthMax }: Room, id: RequestId, logged: LoggedRequest | null = null): DispatchAnswer {
    return this.refused(logged, id, limitExceeded('responseSize', lengthMax, 'response too large'));
  }

  /** Answer to one request, and the method that it names; null to a notification. */
  private answer(
    request: unknown,
    method: Method | null,
    context: RequestContext,
    logged: LoggedRequest | null,
    room: Room,
  ): Eventual<DispatchAnswer | null> {
    const { inFlightMax } = this.options;
    if (this.inFlight >= inFlightMax) {
      const error = overloaded('inFlight', inFlightMax, `${inFlightMax} requests are in work`);
      return this.refused(logged, idOf(request), error);
    }
    let call: Call;
    try {
      call = parseCall(request);
    } catch (error) {
      return this.refused(logged, idOf(request), error);
    }
    this.inFlight++;
    const answer = this.run(call, method, context);
    if (!(answer instanceof Promise)) return this.finish(call, answer, logged, room);
    this.hooks.onInFlight?.(this.inFlight);
    return answer.then((late) => {
      const finished = this.finish(call, late, logged, room);
      this.hooks.onInFlight?.(this.inFlight);
      return finished;
    });
  }

  private finish(
    { id, isNotification }: Call,
    answer: DispatchAnswer,
    logged: LoggedRequest | null,
    room: Room,
  ): DispatchAnswer | null {
    this.inFlight--;
    // What does not fit is let go of at once: a thousand answers of the largest size would not fit into memory.
    if (!isNotification && !room.take(answer.text.length)) return this.tooLong(room, id, logged);
    logged?.end(answer);
    return isNotification ? null : answer;
  }

  /** Never throws or rejects: whatever goes wrong is an answer. */
  private run(call: Call, method: Method | null, request: RequestContext): Eventual<DispatchAnswer> {
    if (method === null) return this.errorAnswer(call.id, methodNotFound(call.method));
    const work = { id: call.id, method, startedMs: this.nowMs() };
    try {
      this.admission.enter(method.definition, request);
    } catch (error) {
      return this.failed(work, error);
    }
    try {
      const result = this.call(method, call.params, request);
      if (!(result instanceof Promise)) return this.succeeded(work, result, request);
      return result
        .then((value) => this.succeeded(work, value, request))
        .catch((error: unknown) => this.failedWithin(work, error, request));
    } catch (error) {
      return this.failedWithin(work, error, request);
    }
  }

  private succeeded(work: Work, result: unknown, request: RequestContext): DispatchAnswer {
    const text = resultText(work.id, result);
    this.admission.leave(request);
    this.count(work, true);
    return { text, error: null, refusal: null };
  }

  private failedWithin(work: Work, error: unknown, request: RequestContext): DispatchAnswer {
    this.admission.leave(request);
    return this.failed(work, error);
  }

  private failed(work: Work, error: unknown): DispatchAnswer {
    if (isInternalError(error)) this.hooks.onInternalError?.(work.method.name, error);
    this.count(work, false);
    return this.errorAnswer(work.id, error);
  }

  private count({ method, startedMs }: Work, ok: boolean): void {
    this.hooks.onAnswered?.(method.counted, ok, this.nowMs() - startedMs);
  }

  private errorAnswer(id: RequestId, error: unknown): DispatchAnswer {
    const reason = limitReasonOf(error);
    if (reason !== null) this.hooks.onLimited?.(reason);
    return errorAnswer(id, error);
  }

  private call(method: Method, params: readonly unknown[], request: RequestContext): unknown {
    const { ports } = this;
    const { info } = this.options;
    // Only a chain with a fork has to look at its head first.
    if (info.privacyForkBlock !== null)
      return isPrivate(ports, info, request).then((hide) => this.invoke(method, params, request, hide));
    if (!method.fixedAtHead) return this.invoke(method, params, request, false);
    const head = ports.chain.head();
    return head instanceof Promise
      ? head.then((record) => this.recall(method, params, request, record))
      : this.recall(method, params, request, head);
  }

  /** Asks once per block what can not change before the next one. */
  private recall(method: Method, params: readonly unknown[], request: RequestContext, head: object): unknown {
    const key = `${method.name}${JSON.stringify(params)}`;
    // Whatever names the pending block may depend on the mempool.
    if (key.includes('"pending"')) return this.invoke(method, params, request, false);
    return this.answers.answer(head, key, () => this.invoke(method, params, request, false));
  }

  private invoke(method: Method, params: readonly unknown[], request: RequestContext, hide: boolean): unknown {
    const args = method.parse(params);
    if (hide) checkPrivacy(method.definition, args);
    const { ports } = this;
    const { info } = this.options;
    const context: MethodContext = { ports, info, format: method.format, request, isPrivate: hide };
    return method.handler(context, ...args);
  }
}

/** A dispatcher over all methods of the registry. */
export const createDispatcher = (
  ports: RpcPorts,
  options: DispatcherOptions,
  hooks: DispatcherHooks = {},
  admission: Admission = openAdmission,
): Dispatcher => new RpcDispatcher(ports, options, hooks, admission);
