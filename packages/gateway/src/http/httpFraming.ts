/**
 * What the headers of a request say about where it ends and what happens to its connection (RFC 9110, RFC 9112). The library goes by the first
 * header of a name and takes any transfer coding for chunked; a proxy that reads it otherwise and the node would not agree on where the next
 * request begins, and one client's bytes would become another's request. So what is ambiguous is refused, before anything of it is carried out.
 */

/** Why a request can not be taken, from its head alone. */
export interface HeadFault {
  /** Code and words: `400 Bad Request`. */
  readonly status: string;
  readonly message: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** How a request is framed as RFC 9112 has it, and where the library sees it otherwise. */
export interface Framing {
  /** Bytes of the body; 0 when none is announced or it is chunked. */
  readonly contentLength: number;
  readonly isChunked: boolean;
  /** The client waits for an interim answer, and the library, which knows one spelling, has not given it. */
  readonly awaitsContinue: boolean;
  /** The client wants the connection closed behind the answer. */
  readonly closes: boolean;
  /** The library knows that as well: it takes a value of five characters for `close`. */
  readonly closesByLibrary: boolean;
  readonly fault: HeadFault | null;
}

const decimal = /^[0-9]{1,15}$/;
/** The spelling that the library answers by itself. */
const knownExpectation = '100-continue';

const fault = (status: string, message: string, headers: HeadFault['headers'] = []): HeadFault => ({
  status,
  message,
  headers,
});
const badRequest = (message: string): HeadFault => fault('400 Bad Request', message);

const hasToken = (list: string, token: string): boolean =>
  list.split(',').some((item) => item.trim().toLowerCase() === token);

/**
 * @param names in lower case, as they came
 * @param count of the headers; both arrays may be longer
 */
export function framingOf(names: readonly string[], values: readonly string[], count: number): Framing {
  let length: string | null = null;
  let contentLength = 0;
  let coding: string | null = null;
  let expectation = '';
  let closes = false;
  let connection: string | null = null;
  let hosts = 0;
  let found: HeadFault | null = null;
  for (let index = 0; index < count; index++) {
    const name: string = names[index]!;
    const value = values[index]!;
    switch (name) {
      case 'content-length':
        if (length !== null) found ??= badRequest('Content-Length is given more than once');
        else if (!decimal.test(value)) found ??= badRequest('Content-Length is a decimal number of bytes');
        length = value;
        contentLength = Number(value);
        break;
      case 'transfer-encoding':
        coding = coding === null ? value : `${coding},${value}`;
        break;
      case 'trailer':
        found ??= fault('501 Not Implemented', 'fields behind the body (Trailer) are not taken');
        break;
      case 'host':
        hosts++;
        break;
      case 'expect':
        expectation = value;
        break;
      case 'connection':
        closes ||= hasToken(value, 'close');
        connection ??= value;
        break;
    }
  }
  if (hosts > 1) found ??= badRequest('Host is given more than once');
  const isChunked = coding !== null;
  if (coding !== null && coding.toLowerCase() !== 'chunked')
    found ??= fault('501 Not Implemented', 'the only transfer coding is chunked, and it is applied once');
  if (expectation !== '' && expectation.toLowerCase() !== knownExpectation)
    found ??= fault('417 Expectation Failed', 'the only expectation is 100-continue');
  const awaitsContinue = expectation !== '' && expectation !== knownExpectation;
  const closesByLibrary = connection !== null && connection.length === 'close'.length;
  return { contentLength, isChunked, awaitsContinue, closes, closesByLibrary, fault: found };
}

const webSocketVersion = '13';
/** 16 bytes in base64. */
const webSocketKey = /^[A-Za-z0-9+/]{21}[AQgw]==$/;

/** Why a request can not become a WebSocket (RFC 6455 §4.2.1, §4.2.2); null when it can. */
export function upgradeFault(header: (name: string) => string): HeadFault | null {
  const needs = [
    ['Upgrade', 'websocket'],
    ['Connection', 'upgrade'],
  ] as const;
  for (const [name, token] of needs)
    if (!hasToken(header(name.toLowerCase()), token))
      return badRequest(`a WebSocket is asked for with ${name}: ${token}`);
  if (header('sec-websocket-version') !== webSocketVersion)
    return fault('426 Upgrade Required', `the version of the WebSocket protocol is ${webSocketVersion}`, [
      ['Sec-WebSocket-Version', webSocketVersion],
      ['Upgrade', 'websocket'],
    ]);
  if (!webSocketKey.test(header('sec-websocket-key'))) return badRequest('Sec-WebSocket-Key is 16 bytes in base64');
  return null;
}

/** The fault of a request for a WebSocket that the library has not taken for one: its key has not the right length. */
export const misledUpgrade = (method: string, header: (name: string) => string): HeadFault | null =>
  method === 'GET' && hasToken(header('upgrade'), 'websocket') ? upgradeFault(header) : null;
