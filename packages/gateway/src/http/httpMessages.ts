import type { HttpRequest, HttpResponse } from 'uWebSockets.js-20.30';
import { type Framing, framingOf } from './httpFraming.ts';

/** What is known of a request before its body. Valid during the call that it is given to. */
export interface RequestHead {
  /** As it came: methods know upper and lower case. */
  readonly method: string;
  readonly path: string;
  /** Value of a header, by its name in lower case; empty when it is absent. Of several the first. */
  header(name: string): string;
  /** Address of the other end of the connection, in its longest form for IPv6. Valid until the request is answered. */
  remoteAddress(): string;
}

/** A whole answer but for length and connection headers, which the server adds. */
export interface HttpAnswer {
  /** Code and words: `200 OK`. */
  readonly status: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Headers of the request that is looked at now. One call reads them all, which is cheaper than a call for each, and shows those given twice. */
const names: string[] = [];
const values: string[] = [];
let count = 0;
const collect = (name: string, value: string): void => {
  names[count] = name;
  values[count] = value;
  count++;
};

/** Copies nothing: headers are read from memory that the next request overwrites, so it is good for one turn. */
export class UwsHead implements RequestHead {
  readonly method: string;
  readonly path: string;
  readonly framing: Framing;
  private readonly response: HttpResponse;

  constructor(request: HttpRequest, response: HttpResponse) {
    this.method = request.getCaseSensitiveMethod();
    this.path = request.getUrl();
    this.response = response;
    count = 0;
    request.forEach(collect);
    this.framing = framingOf(names, values, count);
  }

  header(name: string): string {
    for (let index = 0; index < count; index++) if (names[index] === name) return values[index]!;
    return '';
  }

  remoteAddress(): string {
    return Buffer.from(this.response.getRemoteAddressAsText()).toString('latin1');
  }
}

/** What happens to the connection behind an answer. */
export interface Connection {
  /** An interim answer went before: the library thinks that the status is written. */
  readonly awaitsContinue: boolean;
  readonly isClosing: boolean;
  /** The library closes by itself, and says nothing about it. */
  readonly closesByLibrary: boolean;
  /** Seconds that the connection is kept at least without a request. */
  readonly keepAliveS: number;
}

/** What the library writes when it is told no status. */
const statusByDefault = '200 OK';

/**
 * Lets a client go on that waits for it. The library writes what it is given as a status between `HTTP/1.1 ` and the end of the line: with one
 * more end of line that is a whole interim answer.
 */
export const writeContinue = (response: HttpResponse): unknown => response.writeStatus('100 Continue\r\n');

/** Writes status and headers to the library, with those that say what becomes of the connection. */
export function writeHead(response: HttpResponse, { status, headers }: HttpAnswer, connection: Connection): void {
  const { awaitsContinue, isClosing, closesByLibrary, keepAliveS } = connection;
  // The library writes no second status: behind an interim answer the one that counts goes before the name of the first header.
  const first = awaitsContinue ? `HTTP/1.1 ${status}\r\n` : '';
  if (status !== statusByDefault && !awaitsContinue) response.writeStatus(status);
  if (!isClosing) {
    response.writeHeader(`${first}Connection`, 'keep-alive');
    response.writeHeader('Keep-Alive', `timeout=${keepAliveS}`);
  } else if (closesByLibrary || awaitsContinue) response.writeHeader(`${first}Connection`, 'close');
  for (const [name, value] of headers) response.writeHeader(name, value);
}
