import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { endpointOf } from '../endpoint.ts';
import { LoadError, malformedAnswer } from '../errors.ts';
import type { Exchange } from './clockOffset.ts';
import { parseStampPage, type StampPage } from './stamps.ts';

/** The clock that operations and exchanges are timed by: wall time of this machine at the start of the process, monotonic from then on. ms since 1970 */
export const wallNowMs = (): number => performance.timeOrigin + performance.now();

const nowUs = (): number => wallNowMs() * 1_000;

/** What one answer may take, ms: nodes that are paused or gone must not hold up the others. */
const answerTimeoutMs = 5_000;
/** Of one answer, bytes: twice what a page may have. */
const answerBytesMax = 4 << 20;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly sentUs: number;
  readonly gotUs: number;
}

/** A page, and the exchange that it came by. */
export interface TimedPage {
  readonly page: StampPage;
  readonly exchange: Exchange;
}

/**
 * GET `/stages` of a node's admin endpoint.
 *
 * @param adminUrl such as http://127.0.0.1:9100
 * @param after `next` of the page before; null begins with the oldest stamp
 * @param limit stamps wanted at most; 0 asks for the clock alone; null as many as a page takes
 * @throws LoadError `LOAD_URL_INVALID`, `LOAD_CONNECTION_LOST`, `LOAD_STAGES_REFUSED`, `LOAD_ANSWER_MALFORMED`
 */
export async function readStampPage(adminUrl: string, after: string | null, limit: number | null): Promise<TimedPage> {
  const query = new URLSearchParams({
    ...(after !== null && { after }),
    ...(limit !== null && { limit: String(limit) }),
  });
  const { text, sentUs, gotUs } = await ask(adminUrl, `/stages?${query.toString()}`, null);
  const page = parseStampPage(text);
  const { receivedUs, answeredUs } = page;
  return { page, exchange: { sentUs, receivedUs, answeredUs, gotUs } };
}

/**
 * Tells a node how many stamps to keep; 0 ends it.
 *
 * @param token of the running node, which is in the file `admin.token` of its home
 * @throws LoadError `LOAD_URL_INVALID`, `LOAD_CONNECTION_LOST`, `LOAD_STAGES_REFUSED`
 */
export async function keepStamps(adminUrl: string, token: string, stamps: number): Promise<void> {
  await ask(adminUrl, '/stages/keep', { token, body: JSON.stringify({ stamps }) });
}

interface Command {
  readonly token: string;
  readonly body: string;
}

async function ask(adminUrl: string, path: string, command: Command | null): Promise<Answer> {
  const answer = await send(adminUrl, path, command).catch((cause: unknown) => {
    if (cause instanceof LoadError) throw cause;
    const words = `no answer from ${adminUrl}: ${(cause as Error).message}`;
    throw new LoadError(words, { code: 'LOAD_CONNECTION_LOST', unanswered: 1 }, { cause });
  });
  const { status, text } = answer;
  if (status === 200) return answer;
  const detail = { code: 'LOAD_STAGES_REFUSED', url: adminUrl, status } as const;
  throw new LoadError(`${adminUrl} does not tell of stages: ${status} ${text.slice(0, 200).trim()}`, detail);
}

/** Times count from the moment at which the connection is there: the node closes it after each answer. */
async function send(adminUrl: string, path: string, command: Command | null): Promise<Answer> {
  const { host, port, isTls, authority } = endpointOf(adminUrl);
  const options = {
    host,
    port,
    path,
    agent: false,
    method: command === null ? 'GET' : 'POST',
    headers: { host: authority, ...(command !== null && { authorization: `Bearer ${command.token}` }) },
    signal: AbortSignal.timeout(answerTimeoutMs),
  } as const;
  const asked = (isTls ? requestHttps : requestHttp)(options);
  let sentUs = nowUs();
  asked.once('socket', (socket) =>
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      sentUs = nowUs();
    }),
  );
  const answered = firstAnswer(asked);
  asked.end(command?.body);
  const response = await answered;
  const gotUs = nowUs();
  return { status: response.statusCode ?? 0, text: await textOf(response), sentUs, gotUs };
}

const firstAnswer = (asked: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    asked.once('response', resolve);
    asked.once('error', reject);
  });

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > answerBytesMax) return malformedAnswer(`more than ${answerBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
