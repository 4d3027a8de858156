import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';

/** JSON-RPC as a client that expects the worst: every call has a deadline, and a failure is a value of its own. */

/** The node answered, and refused. */
export class RefusedCall extends Error {
  readonly code: number;

  constructor(method: string, error: { readonly code: number; readonly message: string }) {
    super(`${method}: ${error.message} (${error.code})`);
    this.name = 'RefusedCall';
    this.code = error.code;
  }
}

export interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** One call. @throws RefusedCall when the node refuses; anything else when it can not be reached in time */
export async function call<Result>(
  url: string,
  method: string,
  params: readonly unknown[] = [],
  timeoutMs = 15_000,
): Promise<Result> {
  const answer = (await post(url, { jsonrpc: '2.0', id: 1, method, params }, timeoutMs)) as Answer;
  if (answer.error !== undefined) throw new RefusedCall(method, answer.error);
  return answer.result as Result;
}

const callsPerBatch = 50;
/** What a node refuses because it has too much to do is asked again, so often and with this wait, ms. */
const attemptsMax = 40;
const busyWaitMs = 250;
const limitExceeded = -32_005;

/** Many calls in order; a refused one is its {@link RefusedCall}. A node that is busy is given time. */
export async function callAll(url: string, calls: readonly Call[], timeoutMs = 60_000): Promise<unknown[]> {
  const results: unknown[] = [];
  for (let start = 0; start < calls.length; start += callsPerBatch) {
    const batch = calls.slice(start, start + callsPerBatch);
    let answers = await callBatch(url, batch, timeoutMs);
    for (let attempt = 1; attempt < attemptsMax && answers.some(isBusy); attempt++) {
      await new Promise((resolve) => setTimeout(resolve, busyWaitMs));
      const open = batch.filter((_, index) => isBusy(answers[index]));
      const again = await callBatch(url, open, timeoutMs);
      answers = answers.map((answer) => (isBusy(answer) ? again.shift() : answer));
    }
    results.push(...answers);
  }
  return results;
}

const isBusy = (answer: unknown): boolean => answer instanceof RefusedCall && answer.code === limitExceeded;

async function callBatch(url: string, batch: readonly Call[], timeoutMs: number): Promise<unknown[]> {
  const body = batch.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }));
  const answers = (await post(url, body, timeoutMs)) as readonly Answer[];
  if (!Array.isArray(answers)) throw new Error(`${url} answered a batch with ${JSON.stringify(answers)}`);
  const byId = new Map(answers.map((answer: Answer) => [answer.id, answer] as const));
  return batch.map(({ method }, id) => {
    const answer = byId.get(id);
    if (answer === undefined) throw new Error(`${url} left out the answer to ${method}`);
    return answer.error === undefined ? answer.result : new RefusedCall(method, answer.error);
  });
}

/**
 * The runner shares its processors with the nodes: connections are kept, and `fetch` would take twice as much for a call. They are given up before a node
 * gives them up, after 6 s at the soonest.
 */
const agent = new Agent({ keepAlive: true, timeout: 4_000 });

/** What a node would do a second time, where it heard the first one. */
const isUnsafe = (content: string): boolean => content.includes('"eth_sendTransaction"');

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

export const toHex = (value: number | bigint): string => `0x${value.toString(16)}`;
