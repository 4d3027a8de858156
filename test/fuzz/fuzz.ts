import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { rpc } from '@prime/load/rpc';
import { createPrng, type Prng } from '@prime/primitives';
import { sample } from '@prime/rpc';
import { faultOf, faultOfResult, type RawAnswer } from './judge.ts';
import { type FuzzRequest, isLast, nextRequest } from './requests.ts';
import { messagesIn } from './socketFrames.ts';

/** Sends requests that are almost right to a live node, and says what the node should not have done. */
export interface FuzzOptions {
  readonly url: string;
  readonly seed: number;
  /** Ends after so many requests, or */
  readonly requests: number;
  /** after so much time, whatever comes first, ms. */
  readonly timeMs: number;
  /** Process of the node, whose memory is watched; null where it is not known. */
  readonly pid: number | null;
}

export interface FuzzResult {
  readonly requests: number;
  /** Answers by JSON-RPC code, `result` and `closed`. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
  /** Memory of the node, MB: at the start, most, at the end. */
  readonly memoryMb: readonly [number, number, number];
}

/** Requests that are on their way at once. */
const lanes = 8;
/** No answer within this is none at all, ms; beyond every time limit of the node. */
const answerTimeoutMs = 20_000;
/** Found faults that are kept; after these a run ends. */
const faultsMax = 20;

export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { url, seed, pid } = options;
  const random = createPrng(seed);
  const endsAt = Date.now() + options.timeMs;
  const outcomes: Record<string, number> = {};
  const faults: string[] = [];
  const known = await liveValues(url);
  const memory = [memoryMb(pid)];
  let sent = 0;
  const lane = async (own: Prng): Promise<void> => {
    while (sent < options.requests && Date.now() < endsAt && faults.length < faultsMax) {
      sent++;
      const request = nextRequest(own, known);
      const answer = await exchange(url, request);
      for (const outcome of outcomesOf(answer)) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      const fault = judge(request, answer);
      if (fault !== null) faults.push(`${fault}\n  request: ${request.what}\n  answer: ${describeAnswer(answer)}`);
      if (sent % 100 === 0) memory.push(memoryMb(pid));
    }
  };
  await Promise.all(Array.from({ length: lanes }, () => lane(random.fork())));
  await stillServes(url).catch((error: unknown) => faults.push(`the node does not serve any more: ${String(error)}`));
  return {
    requests: sent,
    outcomes,
    faults,
    memoryMb: [memory[0] ?? 0, Math.max(...memory), memoryMb(pid)],
  };
}

/** `closed`: the node ended the connection. `silent`: it neither answered nor closed. */
type Answer = RawAnswer | 'closed' | 'silent' | 'left';

function judge(request: FuzzRequest, answer: Answer): string | null {
  const { expected, body } = request;
  if (answer === 'silent') return 'no answer';
  if (answer === 'closed') return expected === 'answer' ? 'closed without an answer' : null;
  if (answer !== 'left' && isHead(request) && answer.body !== '') return 'a body behind the head';
  return answer === 'left' ? null : (faultOf(answer) ?? faultOfResult(body, answer));
}

const describeAnswer = (answer: Answer): string =>
  typeof answer === 'string' ? answer : `${answer.status} ${answer.body.slice(0, 500)}`;

function outcomesOf(answer: Answer): string[] {
  if (typeof answer === 'string') return [answer];
  if (answer.body === '') return [`empty ${answer.status}`];
  try {
    const items = [JSON.parse(answer.body) as { error?: { code: number } } | null].flat();
    return items.map((item) => String(item?.error?.code ?? 'result'));
  } catch {
    return ['no JSON'];
  }
}

/** One request on a connection of its own. */
function exchange(url: string, request: FuzzRequest): Promise<Answer> {
  const { parts, expected, transport } = request;
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    const chunks: Buffer[] = [];
    const finish = (answer: Answer): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => finish('silent'), answerTimeoutMs);
    socket.on('error', () => undefined);
    socket.on('close', () => finish('closed'));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      const answer = transport === 'http' ? wholeAnswer(bytes, isHead(request)) : socketAnswer(bytes);
      if (answer !== null) finish(answer);
    });
    let index = 0;
    const next = (): void => {
      // Frames may follow only when the handshake has been answered.
      if (transport === 'webSocket' && index === 1 && chunks.length === 0) return void socket.once('data', next);
      const part = parts[index++];
      if (part !== undefined) socket.write(part, () => setImmediate(next));
      else if (expected === 'leave') finish('left');
    };
    socket.on('connect', next);
  });
}

/** Whether nothing but a head may be the answer (RFC 9110, section 9.3.2). */
const isHead = ({ transport, parts }: FuzzRequest): boolean =>
  transport === 'http' && parts[0]!.toString('latin1', 0, 5) === 'HEAD ';

/**
 * The first final answer in what came; null while it is not whole.
 *
 * @param isOnlyHead its length is that of what GET would bring, and nothing follows
 */
function wholeAnswer(bytes: Buffer, isOnlyHead: boolean): RawAnswer | null {
  const text = bytes.toString('latin1');
  const start = text.startsWith('HTTP/1.1 100') ? text.indexOf('\r\n\r\n') + 4 : 0;
  const end = text.indexOf('\r\n\r\n', start);
  if (end < 0) return null;
  const head = text.slice(start, end);
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  const body = isOnlyHead ? bytes.subarray(end + 4) : bytes.subarray(end + 4, end + 4 + length);
  if (body.length < length && !isOnlyHead) return null;
  return {
    status: Number(head.split(' ', 2)[1]),
    contentType: /content-type: ([^\r]*)/i.exec(head)?.[1] ?? '',
    body: body.toString('utf8'),
  };
}

/** What came over a WebSocket, as one answer, once the good request has got its own; null before. */
function socketAnswer(bytes: Buffer): RawAnswer | null {
  const text = bytes.toString('latin1', 0, 12);
  if (text.length === 12 && text !== 'HTTP/1.1 101') return wholeAnswer(bytes, false);
  const messages = messagesIn(bytes);
  if (!messages.some(isLast)) return null;
  // Notifications of subscriptions are no answers.
  const answers = messages.filter((message) => !isLast(message) && !message.includes('"method":"'));
  return { status: 200, contentType: 'application/json', body: answers[0] ?? '' };
}

/** Values of this chain, which reach further into a node than made up ones. */
async function liveValues(url: string): Promise<readonly unknown[]> {
  const block = await rpc<{ hash: string; number: string; proposer: string }>(url, 'eth_getBlockByNumber', ['latest']);
  const hash = await rpc<string>(url, 'eth_sendTransaction', [
    { from: sample.address, to: sample.otherAddress, value: '0x1' },
  ]);
  return [block.hash, block.number, block.proposer, hash, sample.address, { blockHash: block.hash }];
}

/** The node answers, and its head moves. */
async function stillServes(url: string): Promise<void> {
  const head = async (): Promise<number> => Number(await rpc<string>(url, 'eth_blockNumber', []));
  const first = await head();
  const until = Date.now() + answerTimeoutMs;
  while ((await head()) <= first)
    if (Date.now() > until) throw new Error(`no block after ${first} within ${answerTimeoutMs} ms`);
}

/** Resident memory of a process, from /proc; 0 where there is none. */
function memoryMb(pid: number | null): number {
  if (pid === null) return 0;
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Math.round(Number(kilobytes ?? 0) / 1024);
  } catch {
    return 0;
  }
}
