import type { HttpResponse, TemplatedApp, us_listen_socket } from 'uWebSockets.js-20.30';
import { type Connection, type HttpAnswer, writeHead } from './httpMessages.ts';

/** Connections of the library: how long they are kept, when they are read, what is written to them. */

/** Answers of this size and more, in characters, are sent as the caller takes them; smaller ones the library keeps. */
const largeAnswerLength = 64 * 1024;
const millisecondsPerSecond = 1000;
/** The library looks at its connections in turns of so many seconds. */
const sweepS = 4;
/** How long the library lets a connection be without a request or a byte of a body, unless it is told otherwise, s. */
const usualIdleS = 10;
/** The typings lack this form, which the library has. */
export type Listen = (
  host: string,
  port: number,
  options: number,
  callback: (socket: us_listen_socket | false) => void,
) => void;

/** What the newer build has and its typings lack. Both in seconds. */
interface IdleSettings {
  /** From the start of a connection to its first request. */
  setIdleTimeout(seconds: number): unknown;
  /** Behind an answer, and between the bytes of a body. */
  setResponseTimeout(seconds: number): unknown;
}

/** One request from its head to its answer. */
export interface Exchange<Context> extends Connection {
  awaitsContinue: boolean;
  readonly response: HttpResponse;
  readonly context: Context;
  readonly chunks: Uint8Array[];
  /** Bytes received, also those that are thrown away. */
  received: number;
  buffered: number;
  timer: ReturnType<typeof setTimeout> | null;
  /** When waiting for the body began, and when its latest byte came; ms of the process. */
  begunAt: number;
  heardAt: number;
  /** The whole body is here. */
  isComplete: boolean;
  /** Nothing is read from the connection. */
  isPaused: boolean;
  /** Its answer goes out piece by piece. */
  isSending: boolean;
  /** Answered, aborted or refused: no more may be written. */
  done: boolean;
  released: boolean;
}

/**
 * Lets connections be without requests for as long as the library can.
 *
 * @returns for how many seconds a client may count on it
 */
export function keepIdle(app: TemplatedApp, idleMs: number): number {
  const settings = app as unknown as Partial<IdleSettings>;
  const wantedS = Math.ceil(idleMs / millisecondsPerSecond);
  const isSettable = settings.setIdleTimeout !== undefined && settings.setResponseTimeout !== undefined;
  if (isSettable) {
    settings.setIdleTimeout!(usualIdleS);
    settings.setResponseTimeout!(wantedS);
  }
  // One turn early at worst, and a second for the way of a request.
  const idleS = isSettable ? wantedS : usualIdleS;
  return Math.max(1, (Math.ceil(idleS / sweepS) - 1) * sweepS - 1);
}

/** Nothing more is read until the request is answered. */
export function pause(exchange: Exchange<unknown>): void {
  if (exchange.isPaused) return;
  exchange.isPaused = true;
  exchange.response.pause();
}

/** Reads on after {@link pause}; nothing happens to a request that is read already. */
export function resume(exchange: Exchange<unknown>): void {
  if (!exchange.isPaused) return;
  exchange.isPaused = false;
  exchange.response.resume();
}

/** Begins the library's wait for the next bytes anew. It goes on with what it did before a pause, so there has to be one. */
export function keepReading({ response }: Exchange<unknown>): void {
  response.pause();
  response.resume();
}

/** The library can not close behind an answer that it sends piece by piece. */
export const isLarge = ({ body }: HttpAnswer, { isClosing, closesByLibrary }: Connection): boolean =>
  body.length >= largeAnswerLength && (!isClosing || closesByLibrary);

/** Inside of the library's own call, where everything is corked. */
export function writeNow(response: HttpResponse, answer: HttpAnswer, connection: Connection, isHead: boolean): void {
  writeHead(response, answer, connection);
  if (!isHead) response.end(answer.body, connection.isClosing);
  else endHead(response, answer, connection);
}

/** The length is that of what GET is answered with (RFC 9110, section 8.6). */
function endHead(response: HttpResponse, { body }: HttpAnswer, { isClosing, closesByLibrary }: Connection): void {
  // The library waits for a body whose length it is told, and closes only where it is told one.
  if (isClosing && !closesByLibrary) return void response.endWithoutBody(0, true);
  response.writeHeader('Content-Length', `${Buffer.byteLength(body)}`);
  response.endWithoutBody();
}
