import { malformedAnswer } from './errors.ts';

/** Most bytes of a head; what servers send has some hundreds. */
const headBytesMax = 64 * 1024;
const headEnd = Buffer.from('\r\n\r\n', 'latin1');
const lineEnd = Buffer.from('\r\n', 'latin1');
const statusLine = /^HTTP\/1\.[01] (\d{3})(?: |\r|$)/;
const lengthField = /\r\ncontent-length:[ \t]*(\d{1,15})[ \t]*(?=\r|$)/i;
const codingField = /\r\ntransfer-encoding:[ \t]*([^\r]*?)[ \t]*(?=\r|$)/i;

interface Head {
  readonly status: number;
  /** Bytes of the body, or null where chunks tell it. */
  readonly bodyBytes: number | null;
}

/** @param body is valid during the call only */
export type OnAnswer = (status: number, body: Buffer) => void;

/**
 * Cuts what a server sends into the answers to requests that were pipelined (RFC 9112 §6, §7.1, §9.3.2). An answer ends where its `Content-Length` or
 * its chunks say; one that only the end of the connection would end is refused, because none could follow it.
 *
 * An answer whose head is that of the answer before is not parsed again: a server under load sends few different ones.
 */
export class AnswerReader {
  readonly #onAnswer: OnAnswer;
  /** Start of an answer whose rest has not come yet. */
  #kept: Buffer[] = [];
  #keptBytes = 0;
  /** Bytes from which on it is worth looking again. */
  #wanted = 0;
  #usualHead: Buffer = Buffer.alloc(0);
  #usual: Head = { status: 0, bodyBytes: null };

  constructor(onAnswer: OnAnswer) {
    this.#onAnswer = onAnswer;
  }

  /**
   * @param chunk may be written over behind the call
   * @throws LoadError `LOAD_ANSWER_MALFORMED`: the connection is of no use any more
   */
  take(chunk: Buffer): void {
    if (this.#keptBytes === 0) return this.#read(chunk);
    this.#keep(chunk);
    if (this.#keptBytes < this.#wanted) return;
    const bytes = Buffer.concat(this.#kept);
    this.#kept = [];
    this.#keptBytes = 0;
    this.#read(bytes);
  }

  #read(bytes: Buffer): void {
    let offset = 0;
    while (offset < bytes.length) {
      const next = this.#answerAt(bytes, offset);
      if (next < 0) {
        this.#wanted = -next;
        return this.#keep(bytes.subarray(offset));
      }
      offset = next;
    }
  }

  /** @returns where the answer ends, or the negative of how many bytes it has at least */
  #answerAt(bytes: Buffer, offset: number): number {
    const start = this.#headAt(bytes, offset);
    if (start < 0) return offset - bytes.length - 1;
    const { status, bodyBytes } = this.#usual;
    if (bodyBytes === null) return this.#chunksAt(bytes, offset, start);
    const end = start + bodyBytes;
    if (bytes.length < end) return offset - end;
    // 1xx: the answer itself follows (RFC 9110 §15.2).
    if (status >= 200) this.#onAnswer(status, bytes.subarray(start, end));
    return end;
  }

  /** @returns where the head ends; -1 when it does not yet */
  #headAt(bytes: Buffer, offset: number): number {
    const usual = this.#usualHead;
    const usualEnd = offset + usual.length;
    if (usual.length > 0 && usualEnd <= bytes.length && bytes.compare(usual, 0, usual.length, offset, usualEnd) === 0)
      return usualEnd;
    const end = bytes.indexOf(headEnd, offset);
    if (end < 0) {
      if (bytes.length - offset > headBytesMax) malformedAnswer(`a head of more than ${headBytesMax} bytes`);
      return -1;
    }
    this.#usual = headOf(bytes.toString('latin1', offset, end));
    this.#usualHead = Buffer.from(bytes.subarray(offset, end + headEnd.length));
    return end + headEnd.length;
  }

  /** Chunks and the trailer behind them (RFC 9112 §7.1). */
  #chunksAt(bytes: Buffer, offset: number, start: number): number {
    const parts: Buffer[] = [];
    let at = start;
    for (;;) {
      const end = bytes.indexOf(lineEnd, at);
      if (end < 0) return offset - bytes.length - 1;
      const size = chunkSize(bytes.toString('latin1', at, end));
      at = end + lineEnd.length;
      if (size === 0) break;
      if (bytes.length < at + size + lineEnd.length) return offset - (at + size + lineEnd.length);
      parts.push(bytes.subarray(at, at + size));
      at += size + lineEnd.length;
    }
    for (;;) {
      const end = bytes.indexOf(lineEnd, at);
      if (end < 0) return offset - bytes.length - 1;
      const isLast = end === at;
      at = end + lineEnd.length;
      if (isLast) break;
    }
    this.#onAnswer(this.#usual.status, Buffer.concat(parts));
    return at;
  }

  #keep(bytes: Buffer): void {
    this.#kept.push(Buffer.from(bytes));
    this.#keptBytes += bytes.length;
  }
}

function headOf(text: string): Head {
  const status = Number(statusLine.exec(text)?.[1] ?? Number.NaN);
  if (!(status >= 100)) malformedAnswer(`no status line: ${text.slice(0, 100)}`);
  const coding = codingField.exec(text)?.[1];
  if (coding !== undefined) {
    if (coding.toLowerCase() !== 'chunked') malformedAnswer(`transfer coding ${coding}`);
    return { status, bodyBytes: null };
  }
  if (status < 200 || status === 204 || status === 304) return { status, bodyBytes: 0 };
  const length = lengthField.exec(text)?.[1];
  if (length === undefined) malformedAnswer('an answer with neither a length nor chunks');
  return { status, bodyBytes: Number(length) };
}

function chunkSize(line: string): number {
  const digits = /^[0-9a-f]{1,8}(?=[ \t]*(?:;|$))/i.exec(line)?.[0];
  if (digits === undefined) return malformedAnswer(`size of a chunk: ${line.slice(0, 100)}`);
  return Number.parseInt(digits, 16);
}
