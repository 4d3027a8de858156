import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Packr } from 'msgpackr';
import { LoadError } from '../../errors.ts';
import type { Operations } from '../../scenario/operation.ts';
import type { Assignment, FromWorker, ToWorker } from './messages.ts';
import { WorkerService } from './serveWorker.ts';
import type { WorkerLink, WorkerLinkEvents } from './workerLink.ts';

/**
 * Coordinator and worker over TCP. Each side proves that it knows the shared token before it is listened to: it answers the other one's 32 random bytes
 * with HMAC-SHA256(token, role | bytes). What follows are frames: length (4 bytes, big-endian) and MessagePack. It is not encrypted: the network between them has
 * to be trusted with what is sent, as it is with the load itself.
 */

const challengeBytes = 32;
const proofBytes = 32;
const frameBytesMax = 256 * 1024 * 1024;
/** A side that has not proved itself after so long is hung up on, ms. */
const proofMs = 5_000;

type Role = 'coordinator' | 'worker';

const proofOf = (token: string, role: Role, challenge: Uint8Array): Buffer =>
  createHmac('sha256', token).update(role).update(challenge).digest();

const packr = new Packr({ moreTypes: true, useBigIntExtension: true });

/** Reads a socket in pieces of known length. */
class Reader {
  #chunks: Buffer[] = [];
  #length = 0;
  #wanted: { readonly bytes: number; readonly resolve: (bytes: Buffer) => void } | null = null;

  constructor(socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#length += chunk.length;
      this.#serve();
    });
  }

  take(bytes: number): Promise<Buffer> {
    return new Promise((resolve) => {
      this.#wanted = { bytes, resolve };
      this.#serve();
    });
  }

  #serve(): void {
    const wanted = this.#wanted;
    if (wanted === null || this.#length < wanted.bytes) return;
    const all = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    this.#chunks = [all.subarray(wanted.bytes)];
    this.#length -= wanted.bytes;
    this.#wanted = null;
    wanted.resolve(all.subarray(0, wanted.bytes));
  }
}

/** Both prove that they know the token. @throws Error in words when the other side does not */
async function shakeHands(socket: Socket, reader: Reader, token: string, own: Role, other: Role): Promise<void> {
  const challenge = randomBytes(challengeBytes);
  socket.write(challenge);
  socket.write(proofOf(token, own, await reader.take(challengeBytes)));
  const proof = await reader.take(proofBytes);
  if (!timingSafeEqual(proof, proofOf(token, other, challenge))) throw new Error(`the ${other} has another token`);
}

async function listen<Message>(reader: Reader, onMessage: (message: Message) => void): Promise<never> {
  for (;;) {
    const length = (await reader.take(4)).readUInt32BE();
    if (length > frameBytesMax) throw new Error(`a frame of ${length} bytes, the limit is ${frameBytesMax}`);
    onMessage(packr.unpack(await reader.take(length)) as Message);
  }
}

function write(socket: Socket, message: ToWorker | FromWorker): void {
  const body = packr.pack(message);
  const head = Buffer.allocUnsafe(4);
  head.writeUInt32BE(body.length);
  socket.cork();
  socket.write(head);
  socket.write(body);
  process.nextTick(() => socket.uncork());
}

/** Where a worker waits for the run that it will serve. */
export interface WorkerListener {
  readonly host: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Serves coordinators, one at a time. */
export function listenAsWorker(of: {
  readonly host: string;
  /** 0 takes one that is free. */
  readonly port: number;
  readonly token: string;
  /** Told in words who came and went. */
  readonly say: (line: string) => void;
  readonly operationsOf: (assignment: Assignment) => Promise<Operations>;
}): Promise<WorkerListener> {
  let busy: Socket | null = null;
  const server: Server = createServer({ noDelay: true }, (socket) => {
    const who = `${socket.remoteAddress} port ${socket.remotePort}`;
    const reader = new Reader(socket);
    const service = new WorkerService(of.operationsOf, (message) => write(socket, message));
    const limit = setTimeout(() => socket.destroy(), proofMs);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(limit);
      service.close();
      if (busy !== socket) return;
      busy = null;
      of.say(`coordinator at ${who} is gone`);
    });
    const serve = async (): Promise<void> => {
      await shakeHands(socket, reader, of.token, 'worker', 'coordinator');
      clearTimeout(limit);
      if (busy !== null) {
        write(socket, { type: 'failed', words: 'this worker has a coordinator already' });
        return void socket.end();
      }
      busy = socket;
      of.say(`coordinator at ${who}`);
      await listen<ToWorker>(reader, (message) => void service.take(message));
    };
    serve().catch((error: Error) => {
      of.say(`${who} was hung up on: ${error.message}`);
      socket.destroy();
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(of.port, of.host, () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : of.port;
      const close = (): Promise<void> => {
        busy?.destroy();
        return new Promise((done) => server.close(() => done()));
      };
      resolve({ host: of.host, port, close });
    });
  });
}

/** Takes hold of a worker that listens. @throws LoadError `LOAD_WORKER_UNREACHABLE` */
export async function connectWorker(
  address: string,
  token: string,
  { onMessage, onEnd }: WorkerLinkEvents,
): Promise<WorkerLink> {
  const colon = address.lastIndexOf(':');
  const [host, port] = [address.slice(0, colon).replace(/^\[|\]$/g, ''), Number(address.slice(colon + 1))];
  const fail = (reason: string): never => {
    const detail = { code: 'LOAD_WORKER_UNREACHABLE', address } as const;
    throw new LoadError(`no worker at ${address}: ${reason}`, detail);
  };
  if (colon < 1 || !Number.isInteger(port) || port < 1 || port > 65_535) return fail('it is named by host:port');
  const socket = connect({ host, port, noDelay: true });
  const reader = new Reader(socket);
  let isClosed = false;
  const over = new Promise<never>((_, reject) => {
    let cause = 'the connection ended';
    socket.on('error', (error) => (cause = error.message));
    socket.on('close', () => reject(new Error(cause)));
  });
  over.catch(() => undefined);
  const limit = setTimeout(() => socket.destroy(new Error(`no proof within ${proofMs} ms`)), proofMs);
  try {
    await Promise.race([shakeHands(socket, reader, token, 'coordinator', 'worker'), over]);
  } catch (error) {
    socket.destroy();
    return fail((error as Error).message);
  } finally {
    clearTimeout(limit);
  }
  void Promise.race([listen<FromWorker>(reader, onMessage), over]).catch((error: Error) => {
    socket.destroy();
    if (!isClosed) onEnd(error.message);
  });
  return {
    name: address,
    send: (message) => write(socket, message),
    close: () => {
      isClosed = true;
      socket.end();
    },
  };
}
