import { isUtf8 } from 'node:buffer';
import type { Prng } from '@prime/primitives';
import { definitions } from '@prime/rpc';
import { assumingRequest } from './assumptions.ts';
import { handshake, oddFrames, textFrame } from './socketFrames.ts';
import { anyValue, mutateBytes, mutateValue } from './mutate.ts';

/** What the fuzzer writes to a connection, and how the node may answer. */
export interface FuzzRequest {
  readonly transport: 'http' | 'webSocket';
  /** For messages. */
  readonly what: string;
  /** Text of the body as it was meant. */
  readonly body: string;
  /** Written one after the other, each when the one before has left. */
  readonly parts: readonly Buffer[];
  /**
   * `answer`: a whole HTTP answer with JSON or nothing in it. `answerOrClose`: that, or a closed connection, because it is no proper
   * HTTP request. `leave`: the fuzzer hangs up without waiting.
   */
  readonly expected: 'answer' | 'answerOrClose' | 'leave';
}

/** Answered after everything else that a connection was sent and that is answered at once. */
const lastId = 'the last one';
const lastMessage = JSON.stringify({ jsonrpc: '2.0', id: lastId, method: 'eth_chainId' });

/** Whether a message answers the one that ends an exchange. */
export const isLast = (message: string): boolean => message.includes(`"id":"${lastId}"`);

/** Methods that wait on purpose, for so long that a run would do little else. */
const slow: ReadonlySet<string> = new Set(['eth_sendRawTransactionSync']);

const methods = definitions.filter(({ name }) => !slow.has(name));

/** A request object, from an example of a method and mostly with a fault, or with assumptions about state and block. */
function call(random: Prng, known: readonly unknown[]): unknown {
  if (random.chance(1, 4)) return { jsonrpc: '2.0', id: random.below(1_000), ...assumingRequest(random) };
  const { name, examples } = methods[random.below(methods.length)]!;
  const example = examples[random.below(examples.length)];
  let params: unknown = [...(example?.params ?? [])];
  for (let fault = random.below(4); fault > 0; fault--) params = mutateValue(random, params, known);
  const request: Record<string, unknown> = { jsonrpc: '2.0', id: random.below(1_000), method: name, params };
  if (random.chance(1, 12)) return mutateValue(random, request, known);
  if (random.chance(1, 40)) return anyValue(random);
  return request;
}

function body(random: Prng, known: readonly unknown[]): Buffer {
  const value = random.chance(1, 8)
    ? Array.from({ length: random.below(12) }, () => call(random, known))
    : call(random, known);
  const text = JSON.stringify(value) ?? '';
  return random.chance(1, 6) ? mutateBytes(random, text) : Buffer.from(text);
}

const head = (lines: readonly string[]): Buffer =>
  Buffer.from(['POST / HTTP/1.1', 'Host: fuzz', ...lines, '', ''].join('\r\n'));
const json = 'Content-Type: application/json';

/** The next request of a run. @param known values of the live chain: hashes, addresses, heights */
export function nextRequest(random: Prng, known: readonly unknown[]): FuzzRequest {
  const content = body(random, known);
  const text = content.toString();
  const what = text.slice(0, 2_000);
  const length = `Content-Length: ${content.length}`;
  if (random.chance(1, 5)) return overSocket(random, content, what);
  if (!random.chance(1, 6))
    return {
      transport: 'http',
      what,
      body: text,
      parts: [Buffer.concat([head([json, length]), content])],
      expected: 'answer',
    };
  return hostile(random, content, what);
}

/**
 * The same body as a message of a WebSocket. A message of notifications is answered with nothing, so that every fuzzed one is followed
 * by a good one, whose answer ends the exchange.
 */
function overSocket(random: Prng, content: Buffer, what: string): FuzzRequest {
  const isOdd = random.chance(1, 6);
  const message = isOdd ? oddFrames(random, content) : textFrame(content);
  return {
    transport: 'webSocket',
    what: `WebSocket: ${what}`,
    body: String(content),
    parts: [handshake, Buffer.concat([message, textFrame(Buffer.from(lastMessage))])],
    // Text that is no UTF-8 ends a WebSocket (RFC 6455, section 8.1).
    expected: isOdd || !isUtf8(content) ? 'answerOrClose' : 'answer',
  };
}

/** The same body in a transport that is split, lied about or broken. */
function hostile(random: Prng, content: Buffer, what: string): FuzzRequest {
  const length = `Content-Length: ${content.length}`;
  const request = (name: string, parts: readonly Buffer[], expected: FuzzRequest['expected']): FuzzRequest => ({
    transport: 'http',
    what: `${name}: ${what}`,
    body: String(content),
    parts,
    expected,
  });
  switch (random.below(12)) {
    case 0:
      return request('in pieces', [head([json, length]), ...pieces(random, content)], 'answer');
    case 1:
      return request('chunked', [head([json, 'Transfer-Encoding: chunked']), ...chunks(random, content)], 'answer');
    case 2:
      return request('cut short', [head([json, `Content-Length: ${content.length + 5}`]), content], 'leave');
    case 3:
      return request(
        'too long',
        [Buffer.concat([head([json, `Content-Length: ${content.length >> 1}`]), content])],
        'answerOrClose',
      );
    case 4:
      return request(
        'pipelined',
        [Buffer.concat([head([json, length]), content, head([json, length]), content])],
        'answerOrClose',
      );
    case 5:
      return request('no length', [Buffer.concat([head([json]), content])], 'answerOrClose');
    case 6:
      return request('wrong type', [Buffer.concat([head(['Content-Type: text/plain', length]), content])], 'answer');
    case 7:
      return request(
        'many headers',
        [Buffer.concat([head([json, length, ...padding(random)]), content])],
        'answerOrClose',
      );
    case 8:
      return request('left early', [head([json, length]), content.subarray(0, content.length >> 1)], 'leave');
    case 9:
      return request(
        'broken head',
        [mutateBytes(random, `${String(head([json, length]))}${String(content)}`)],
        'leave',
      );
    case 10:
      return request('expect', [head([json, length, 'Expect: 100-continue']), content], 'answer');
    default: {
      const method = ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PATCH'][random.below(7)]!;
      return request(method, [Buffer.from(`${method} / HTTP/1.1\r\nHost: fuzz\r\nOrigin: http://x\r\n\r\n`)], 'answer');
    }
  }
}

const padding = (random: Prng): string[] =>
  Array.from({ length: random.below(80) }, (_, index) => `X-${index}: ${'a'.repeat(random.below(200))}`);

function pieces(random: Prng, content: Buffer): Buffer[] {
  const cuts = Array.from({ length: random.below(8) }, () => random.below(content.length + 1)).toSorted(
    (a, b) => a - b,
  );
  return [0, ...cuts].map((start, index) => content.subarray(start, cuts[index] ?? content.length));
}

const chunks = (random: Prng, content: Buffer): Buffer[] => [
  ...pieces(random, content)
    .filter((piece) => piece.length > 0)
    .map((piece) => Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])),
  Buffer.from('0\r\n\r\n'),
];
