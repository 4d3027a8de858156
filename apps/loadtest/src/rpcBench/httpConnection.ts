import { connect, type Socket } from 'node:net';

/** Bytes that one read may bring. */
const readBytes = 256 * 1024;
const headEnd = Buffer.from('\r\n\r\n', 'latin1');
const statusOk = 'HTTP/1.1 200';
const lengthHeader = /\r\ncontent-length: *(\d+)/i;

/**
 * A keep-alive connection that has one request under way at a time. As little as HTTP needs, so that one core of the measuring
 * side is enough for a server that has the other: an answer must be `200` with a `Content-Length`, and is not copied when it came in
 * one read.
 */
export class HttpConnection {
  readonly #socket: Socket;
  readonly #onAnswer: (body: Buffer, connection: HttpConnection) => void;
  readonly #onFailure: (error: Error) => void;
  /** Start of an answer whose rest has not come yet. */
  #partial: Buffer | null = null;
  #closed = false;

  /** @param onAnswer gets a body that is valid during the call only */
  constructor(
    port: number,
    onAnswer: (body: Buffer, connection: HttpConnection) => void,
    onFailure: (error: Error) => void,
  ) {
    this.#onAnswer = onAnswer;
    this.#onFailure = onFailure;
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(readBytes),
        callback: (size, buffer) => {
          this.#receive((buffer as Buffer).subarray(0, size));
          return true;
        },
      },
    });
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error(`port ${port} closed the connection`)));
  }

  /** @param request a whole HTTP request, ASCII */
  send(request: string): void {
    this.#socket.write(request, 'latin1');
  }

  close(): void {
    this.#closed = true;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    const bytes = this.#partial === null ? chunk : Buffer.concat([this.#partial, chunk]);
    const end = bytes.indexOf(headEnd);
    if (end < 0) return this.#keep(bytes, chunk);
    const head = bytes.toString('latin1', 0, end);
    if (!head.startsWith(statusOk))
      return this.#fail(new Error(`unexpected answer: ${bytes.toString('latin1', 0, 500)}`));
    const length = lengthHeader.exec(head)?.[1];
    if (length === undefined) return this.#fail(new Error(`answer without a content-length: ${head}`));
    const start = end + headEnd.length;
    const total = start + Number(length);
    if (bytes.length < total) return this.#keep(bytes, chunk);
    if (bytes.length > total) return this.#fail(new Error('more than one answer to one request'));
    this.#partial = null;
    this.#onAnswer(bytes.subarray(start), this);
  }

  #keep(bytes: Buffer, chunk: Buffer): void {
    // The chunk lies in memory that the next read overwrites.
    this.#partial = bytes === chunk ? Buffer.from(chunk) : bytes;
  }

  #fail(error: Error): void {
    if (this.#closed) return;
    this.close();
    this.#onFailure(error);
  }
}

/** Headers as a JSON-RPC client sends them, and the body. */
export const httpRequest = (port: number, body: string): string =>
  `POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nAccept: */*\r\n` +
  `User-Agent: prime-bench\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
