import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';

/**
 * JSON-RPC over HTTP as who judges a node needs it: each answer is told as the node wrote it, each has a deadline for the whole of it, answers of a batch
 * belong to their requests by id, and a refusal is a value. Everybody else asks with `@prime/sdk` (docs/adr/0155-clients-in-the-repository.md).
 */

/** Code of what a node refuses because it has too much to do, or too much of this client. */
export const limitExceeded = -32_005;
/** Code of a fault of the node, whatever it was asked. */
export const internalError = -32_603;

/** The node answered, and refused: its error object. */
export class RpcError extends Error {
  readonly code: number;
  /** The node's words; those of the error have the method as well. */
  readonly words: string;
  /** As it came; undefined where there is none. */
  readonly data: unknown;

  constructor(method: string, { code, message, data }: ErrorObject) {
    super(`${method}: ${message} (${code})`);
    this.name = 'RpcError';
    this.code = code;
    this.words = message;
    this.data = data;
  }
}

interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A JSON-RPC call without its id. */
export interface RpcRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: ErrorObject;
}

/** Time for a whole answer where none is told, ms: longer than nodes take for what they accept. */
const answerMsMax = 60_000;

/** One call. @throws RpcError when the node refuses; anything else when it can not be reached in time */
export async function rpc<Result>(
  url: string,
  method: string,
  params: readonly unknown[] = [],
  timeoutMs = answerMsMax,
): Promise<Result> {
  const answer = (await post(url, { jsonrpc: '2.0', id: 1, method, params }, timeoutMs)) as Answer;
  if (answer.error !== undefined) throw new RpcError(method, answer.error);
  return answer.result as Result;
}

/** One call to a node that may be busy: it is given time, as {@link rpcAll} gives it. @throws as {@link rpc} */
export async function patientRpc<Result>(
  url: string,
  method: string,
  params: readonly unknown[] = [],
  timeoutMs = answerMsMax,
): Promise<Result> {
  const [answer] = await rpcAll(url, [{ method, params }], timeoutMs);
  if (answer instanceof RpcError) throw answer;
  return answer as Result;
}

const requestsPerBatch = 50;
/** What a node refuses because it has too much to do is asked again, so often and with this wait, ms: for a minute. */
const attemptsMax = 240;
const busyWaitMs = 250;

/** Many calls in order; a refused one is its {@link RpcError}. A node that is busy is given time. */
export async function rpcAll(
  url: string,
  requests: readonly RpcRequest[],
  timeoutMs = answerMsMax,
): Promise<unknown[]> {
  const results: unknown[] = [];
  for (let start = 0; start < requests.length; start += requestsPerBatch) {
    const batch = requests.slice(start, start + requestsPerBatch);
    let answers = await askFitting(url, batch, timeoutMs);
    for (let attempt = 1; attempt < attemptsMax && answers.some(isBusy); attempt++) {
      await new Promise((resolve) => setTimeout(resolve, busyWaitMs));
      const open = batch.filter((_, index) => isBusy(answers[index]));
      const again = await askFitting(url, open, timeoutMs);
      answers = answers.map((answer) => (isBusy(answer) ? again.shift() : answer));
    }
    results.push(...answers);
  }
  return results;
}

/** Whether an answer is too long for where it was asked for: a batch has less room than a call alone. */
const isTooLong = (answer: unknown): boolean =>
  answer instanceof RpcError && (answer.data as { readonly limit?: unknown } | undefined)?.limit === 'responseSize';

const isBusy = (answer: unknown): boolean =>
  answer instanceof RpcError && answer.code === limitExceeded && !isTooLong(answer);

/** A batch, and what did not fit into the room that a batch has one by one. */
async function askFitting(url: string, batch: readonly RpcRequest[], timeoutMs: number): Promise<unknown[]> {
  const answers = await askBatch(url, batch, timeoutMs);
  for (const [index, { method, params }] of batch.entries())
    if (isTooLong(answers[index]))
      answers[index] = await rpc(url, method, params, timeoutMs).catch((error: unknown) => {
        if (error instanceof RpcError) return error;
        throw error;
      });
  return answers;
}

const isList = (answers: readonly Answer[] | Answer | null): answers is readonly Answer[] => Array.isArray(answers);

async function askBatch(url: string, batch: readonly RpcRequest[], timeoutMs: number): Promise<unknown[]> {
  const body = batch.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }));
  const answers = (await post(url, body, timeoutMs)) as readonly Answer[] | Answer | null;
  if (!isList(answers)) {
    const error = answers?.error;
    if (error === undefined) throw new Error(`${url} answered a batch with ${JSON.stringify(answers)}`);
    // A node that is busy refuses the whole request, before it looks into it.
    return batch.map(({ method }) => new RpcError(method, error));
  }
  const byId = new Map(answers.map((answer) => [answer.id, answer] as const));
  return batch.map(({ method }, id) => {
    const answer = byId.get(id);
    if (answer === undefined) throw new Error(`${url} left out the answer to ${method}`);
    return answer.error === undefined ? answer.result : new RpcError(method, answer.error);
  });
}

/**
 * Who judges shares its processors with the nodes: connections are kept, and `fetch` would take four times as much for a call. They are given up before a node
 * gives them up, after 6 s at the soonest.
 */
const agent = new Agent({ keepAlive: true, timeout: 4_000 });

/** What a node signs itself, and would do a second time where it heard the first one. */
const isUnsafe = (content: string): boolean =>
  /"(?:(?:eth|prime)_sendTransaction|primeorders_(?!get|is)\w+|primebridge_\w+)"/.test(content);

async function post(url: string, body: unknown, timeoutMs: number): Promise<unknown> {
  const content = JSON.stringify(body);
  try {
    return await postOnce(url, content, timeoutMs);
  } catch (error) {
    // The node closed a kept connection while the request was on its way.
    if (!(error instanceof KeptConnectionClosed) || isUnsafe(content)) throw error;
    return postOnce(url, content, timeoutMs);
  }
}

class KeptConnectionClosed extends Error {}

function postOnce(url: string, text: string, timeoutMs: number): Promise<unknown> {
  const content = Buffer.from(text);
  const headers = { 'content-type': 'application/json', 'content-length': content.length };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', agent, headers });
    const deadline = setTimeout(
      () => asked.destroy(new Error(`${url} did not answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
    asked.once('close', () => clearTimeout(deadline));
    asked.once('error', (error: NodeJS.ErrnoException) => {
      const isKept = asked.reusedSocket && error.code === 'ECONNRESET';
      reject(isKept ? new KeptConnectionClosed(error.message, { cause: error }) : error);
    });
    asked.once('response', (response) => {
      json(response).then(resolve, reject);
    });
    asked.end(content);
  });
}

/** A JSON-RPC quantity: hex without leading zeros. */
export const toHex = (value: number | bigint): string => `0x${value.toString(16)}`;
