/**
 * Raw HTTP as clients, proxies and strangers write it, with the section of the RFC that says what is right and the answer of each build of
 * uWebSockets.js. httpConformance.test.ts holds the build that is loaded against its column, and docs/http.md shows both.
 */

/** What comes back, and what happens to the connection. */
export interface Outcome {
  /** Status codes in their order. */
  readonly statuses: readonly number[];
  /** `silent`: closed by the library's clock after 8 to 12 s, without a word. */
  readonly end: 'open' | 'closed' | 'silent';
  /** Where it depends on how the system joins segments: the other outcome. */
  readonly or?: Outcome;
}

export interface HttpCase {
  readonly name: string;
  readonly section: string;
  /** Each is a segment of its own. */
  readonly parts: readonly (string | Uint8Array)[];
  readonly former: Outcome;
  readonly current: Outcome;
}

const chainId = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
const size = chainId.length;
const json = 'Content-Type: application/json';
const line = 'POST / HTTP/1.1';
const host = 'Host: prime';

const lines = (...all: readonly string[]): string => [...all, '', ''].join('\r\n');
const head = (...more: readonly string[]): string => lines(line, host, json, ...more);
const post = (...more: readonly string[]): string => head(...more, `Content-Length: ${size}`) + chainId;
const chunked = (body: string, ...more: readonly string[]): string =>
  head('Transfer-Encoding: chunked', ...more) + body;
const chunk = `${size.toString(16)}\r\n${chainId}\r\n`;
const manyHeaders = (count: number): string[] => Array.from({ length: count }, (_, index) => `X-${index}: v`);

const open = (...statuses: readonly number[]): Outcome => ({ statuses, end: 'open' });
const closed = (...statuses: readonly number[]): Outcome => ({ statuses, end: 'closed' });
const silent: Outcome = { statuses: [], end: 'silent' };

type Row = readonly [
  name: string,
  section: string,
  parts: readonly (string | Uint8Array)[],
  former: Outcome,
  current: Outcome,
];

const messages: readonly Row[] = [
  ['a request', 'RFC 9112 §2.1', [post()], open(200), open(200)],
  ['an empty line before a request', 'RFC 9112 §2.2', [`\r\n${post()}`], silent, silent],
  ['lines that end with LF alone', 'RFC 9112 §2.2', ['POST / HTTP/1.1\nHost: prime\n\n'], silent, closed(505)],
  ['HTTP/1.0', 'RFC 9110 §2.5', ['POST / HTTP/1.0\r\n\r\n'], silent, closed(505)],
  ['HTTP/1.0 with Host', 'RFC 9110 §2.5', [lines('POST / HTTP/1.0', host)], silent, closed(505)],
  ['HTTP/1.2', 'RFC 9110 §2.5', [lines('POST / HTTP/1.2', host)], silent, closed(505)],
  ['the preface of HTTP/2', 'RFC 9113 §3.4', ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], silent, closed(505)],
  ['a TLS handshake', 'RFC 8446 §4.1.2', [Buffer.from('16030100c4010000c00303', 'hex')], silent, closed(505)],
  ['no HTTP at all', 'RFC 9112 §3', ['\u0000\u0001 nonsense\r\n\r\n'], silent, closed(505)],
  ['a method in lower case', 'RFC 9110 §9.1', [lines('post / HTTP/1.1', host)], closed(), open(405)],
  ['absolute form', 'RFC 9112 §3.2.2', [lines('GET http://prime/ HTTP/1.1', host)], silent, closed(505)],
  ['authority form', 'RFC 9112 §3.2.3', [lines('CONNECT prime:80 HTTP/1.1', host)], silent, closed(505)],
  ['asterisk form', 'RFC 9112 §3.2.4', [lines('OPTIONS * HTTP/1.1', host)], silent, closed(505)],
  ['no Host', 'RFC 9112 §3.2', ['GET / HTTP/1.1\r\n\r\n'], silent, closed(400)],
  ['two Host', 'RFC 9112 §3.2', [post(host)], closed(400), closed(400)],
  ['a space before the colon', 'RFC 9112 §5.1', [lines(line, 'Host : prime')], silent, closed(400)],
  ['a folded header', 'RFC 9112 §5.2', [post('X: a\r\n b')], silent, closed(400)],
  ['NUL in a header', 'RFC 9110 §5.5', [post('X: a\u0000b')], silent, closed(400)],
];

const sizes: readonly Row[] = [
  ['40 headers', 'RFC 9110 §5.4', [post(...manyHeaders(36))], open(200), open(200)],
  ['60 headers', 'RFC 9110 §5.4', [post(...manyHeaders(56))], silent, open(200)],
  ['120 headers', 'RFC 6585 §5', [post(...manyHeaders(116))], silent, closed(431)],
  ['3 KB of headers in two segments', 'RFC 9110 §5.4', [...halves(3_000)], open(200), open(200)],
  ['8 KB of headers in two segments', 'RFC 9110 §5.4', [...halves(8_000)], { ...closed(), or: open(200) }, open(200)],
  ['20 KB of headers', 'RFC 6585 §5', [...halves(20_000)], { ...closed(), or: open(200) }, closed(431)],
];

function halves(bytes: number): string[] {
  const whole = post(`X: ${'a'.repeat(bytes)}`);
  return [whole.slice(0, bytes / 2), whole.slice(bytes / 2)];
}

const bodies: readonly Row[] = [
  ['a chunked body', 'RFC 9112 §7.1', [chunked(`${chunk}0\r\n\r\n`)], closed(200), closed(200)],
  [
    'a chunked body with a field behind it',
    'RFC 9112 §7.1.2',
    [chunked(`${chunk}0\r\n`), 'X: y\r\n\r\n'],
    closed(200),
    { ...closed(505), or: closed(200) },
  ],
  ['such a field that is announced', 'RFC 9110 §6.6.2', [chunked(chunk, 'Trailer: X')], closed(501), closed(501)],
  [
    'a chunk extension',
    'RFC 9112 §7.1.1',
    [chunked(`${size.toString(16)};a=b\r\n${chainId}\r\n0\r\n\r\n`)],
    closed(408),
    closed(408),
  ],
  ['a chunk of no size', 'RFC 9112 §7.1', [chunked('zz\r\n')], closed(), closed(400)],
  ['another transfer coding', 'RFC 9112 §6.1', [head('Transfer-Encoding: gzip, chunked')], closed(501), closed(501)],
  ['Transfer-Encoding: identity', 'RFC 9112 §6.1', [head('Transfer-Encoding: identity')], closed(501), closed(501)],
  [
    'Transfer-Encoding: Chunked',
    'RFC 9112 §7',
    [head('Transfer-Encoding: Chunked') + `${chunk}0\r\n\r\n`],
    closed(200),
    closed(200),
  ],
  ['a length beside chunks', 'RFC 9112 §6.3', [chunked(chunk, `Content-Length: ${size}`)], closed(), closed(400)],
  [
    'two lengths',
    'RFC 9112 §6.3',
    [head(`Content-Length: ${size + 9}`, `Content-Length: ${size}`) + chainId],
    closed(400),
    closed(400),
  ],
  ['two equal lengths', 'RFC 9110 §8.6', [post(`Content-Length: ${size}`)], closed(400), closed(400)],
  ['two lengths in one', 'RFC 9110 §8.6', [head(`Content-Length: ${size}, ${size}`)], closed(), closed(400)],
  ['a negative length', 'RFC 9110 §8.6', [head('Content-Length: -5')], closed(), closed(400)],
  ['a length with a sign', 'RFC 9110 §8.6', [head(`Content-Length: +${size}`)], closed(), closed(400)],
  ['an empty length', 'RFC 9110 §8.6', [head('Content-Length: ')], closed(400), closed(400)],
  ['a length beyond 2^64', 'RFC 9110 §8.6', [head('Content-Length: 99999999999999999999')], closed(), closed(400)],
  ['a body that does not come', 'RFC 9110 §15.5.9', [head(`Content-Length: ${size}`)], closed(408), closed(408)],
  ['a body that stops', 'RFC 9110 §15.5.9', [head(`Content-Length: ${size}`), '{'], closed(408), closed(408)],
  [
    'a request inside of what two lengths leave open',
    'RFC 9112 §11.2',
    [head('Content-Length: 0', `Content-Length: ${size}`) + post()],
    closed(),
    closed(),
  ],
];

const connections: readonly Row[] = [
  ['Connection: close', 'RFC 9112 §9.6', [post('Connection: close')], closed(200), closed(200)],
  ['Connection: Close', 'RFC 9110 §7.6.1', [post('Connection: Close')], closed(200), closed(200)],
  ['close among others', 'RFC 9110 §7.6.1', [post('Connection: te, close')], closed(200), closed(200)],
  ['Connection: keep-alive', 'RFC 9112 §9.3', [post('Connection: keep-alive')], open(200), open(200)],
  [
    'three requests in one segment',
    'RFC 9112 §9.3.2',
    [post() + post() + post()],
    open(200, 200, 200),
    open(200, 200, 200),
  ],
  [
    'Expect: 100-continue',
    'RFC 9110 §10.1.1',
    [head(`Content-Length: ${size}`, 'Expect: 100-continue'), chainId],
    open(100, 200),
    open(100, 200),
  ],
  [
    'Expect: 100-Continue',
    'RFC 9110 §10.1.1',
    [head(`Content-Length: ${size}`, 'Expect: 100-Continue'), chainId],
    open(100, 200),
    open(100, 200),
  ],
  [
    'such a request that is refused',
    'RFC 9110 §10.1.1',
    [head('Content-Length: 999999999', 'Expect: 100-Continue')],
    closed(413),
    closed(413),
  ],
  [
    'another expectation',
    'RFC 9110 §10.1.1',
    [head(`Content-Length: ${size}`, 'Expect: tea')],
    closed(417),
    closed(417),
  ],
];

const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
const version = 'Sec-WebSocket-Version: 13';
const upgrade = (...all: readonly string[]): string => lines('GET / HTTP/1.1', host, ...all);

const webSockets: readonly Row[] = [
  [
    'an upgrade',
    'RFC 6455 §4.2.1',
    [upgrade('Upgrade: websocket', 'Connection: Upgrade', key, version)],
    open(101),
    open(101),
  ],
  [
    'Upgrade and Connection as lists',
    'RFC 9110 §7.8',
    [upgrade('Upgrade: foo/1, WebSocket', 'Connection: keep-alive, upgrade', key, version)],
    open(101),
    open(101),
  ],
  ['no Upgrade', 'RFC 6455 §4.2.1', [upgrade('Connection: Upgrade', key, version)], closed(400), closed(400)],
  ['no Connection', 'RFC 6455 §4.2.1', [upgrade('Upgrade: websocket', key, version)], closed(400), closed(400)],
  [
    'no version',
    'RFC 6455 §4.2.2',
    [upgrade('Upgrade: websocket', 'Connection: Upgrade', key)],
    closed(426),
    closed(426),
  ],
  [
    'another version',
    'RFC 6455 §4.4',
    [upgrade('Upgrade: websocket', 'Connection: Upgrade', key, 'Sec-WebSocket-Version: 8')],
    closed(426),
    closed(426),
  ],
  [
    'no key',
    'RFC 6455 §4.2.1',
    [upgrade('Upgrade: websocket', 'Connection: Upgrade', version)],
    closed(400),
    closed(400),
  ],
  [
    'a key that is too short',
    'RFC 6455 §4.2.1',
    [upgrade('Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Key: dGhl', version)],
    closed(400),
    closed(400),
  ],
  [
    'a key that is no base64',
    'RFC 6455 §4.2.1',
    [upgrade('Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Key: ${'!'.repeat(24)}`, version)],
    closed(400),
    closed(400),
  ],
];

export const httpCases: readonly HttpCase[] = [...messages, ...sizes, ...bodies, ...connections, ...webSockets].map(
  ([name, section, parts, former, current]) => ({ name, section, parts, former, current }),
);

function words({ statuses, end, or }: Outcome): string {
  if (or !== undefined) return `${words({ statuses, end })}, or ${words(or)}: as the segments arrive`;
  if (end === 'silent') return 'nothing, closed after 8 to 12 s';
  const answers = statuses.length === 0 ? 'no answer' : statuses.join(', ');
  return end === 'closed' ? `${answers}, closed` : answers;
}

/** The table of docs/http.md. */
export const httpTable = (): string =>
  [
    '| Case | Source | 20.57 | 20.30 |',
    '|---|---|---|---|',
    ...httpCases.map(
      ({ name, section, former, current }) => `| ${name} | ${section} | ${words(current)} | ${words(former)} |`,
    ),
    '',
  ].join('\n');
