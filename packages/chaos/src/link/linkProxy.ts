/**
 * The way from one validator's dialler to another one's listener, through this process.
 *
 * A connection carries both directions, and either end may have dialled it, so what is done to the directed link a → b is done to
 * the bytes that travel from a to b in every connection of the pair, whichever proxy it came through. Bytes can not be left out of a TLS
 * stream without breaking it, which no network does: on a link that is cut they are held back, as they are in the sender's TCP when no
 * acknowledgement comes, and travel on when it heals. What ends a connection is held back with them. A new connection needs both
 * directions, as TCP's handshake does. One thing is kinder than the truth: while a → b is cut, what b sends still reaches a without an
 * end, although a's acknowledgements would not get through.
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { type LinkRule, LinkShaper, type Piece } from './shape.ts';

/** One ordered pair of nodes: where the dialler comes in, where the listener is, and the rule of each direction at the moment. */
export interface LinkProxyOptions {
  /** 0 lets the system choose. */
  readonly listenPort: number;
  readonly targetPort: number;
  /** What happens to the bytes from the dialler to the listener now. */
  readonly forwards: () => LinkRule;
  readonly backwards: () => LinkRule;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** Bytes on their way in one direction of a connection; above that the sender is not read from, as with a full TCP window. */
const windowBytes = 1 << 20;
const host = '127.0.0.1';

/** Listens in the place of a node, and passes the bytes of both directions on as the rules say. */
export class LinkProxy {
  readonly #options: LinkProxyOptions;
  readonly #server: Server;
  readonly #connections = new Set<ProxiedConnection>();

  constructor(options: LinkProxyOptions) {
    this.#options = options;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket));
  }

  /** @returns the port on which it listens */
  async open(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port: this.#options.listenPort }, resolve);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  /** Rules have changed: looks at them now instead of when the next bytes come. */
  refresh(): void {
    for (const connection of this.#connections) connection.refresh();
  }

  /** Both ends of every connection get an RST. */
  reset(): void {
    for (const connection of this.#connections) connection.reset();
  }

  async close(): Promise<void> {
    this.reset();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #accept(socket: Socket): void {
    const connection = new ProxiedConnection(socket, this.#options, () => this.#connections.delete(connection));
    this.#connections.add(connection);
    connection.refresh();
  }
}

class ProxiedConnection {
  readonly #options: LinkProxyOptions;
  readonly #dialler: Socket;
  readonly #onEnd: () => void;
  #pipes: readonly [Pipe, Pipe] | null = null;
  /** What came before the way was open. It is read at once, so that a dialler that gives up is noticed. */
  readonly #early: Uint8Array[] = [];
  readonly #keepEarly = (chunk: Uint8Array): number => this.#early.push(chunk);
  #ended = false;

  constructor(dialler: Socket, options: LinkProxyOptions, onEnd: () => void) {
    this.#options = options;
    this.#dialler = dialler;
    this.#onEnd = onEnd;
    dialler.on('data', this.#keepEarly);
    dialler.once('end', () => this.#gone());
    dialler.on('error', () => this.#gone());
    dialler.once('close', () => this.#gone());
  }

  refresh(): void {
    const { forwards, backwards } = this.#options;
    if (this.#ended) return;
    if (this.#pipes === null && !forwards().isCut && !backwards().isCut) this.#dial();
    for (const pipe of this.#pipes ?? []) pipe.refresh();
  }

  reset(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#dialler.resetAndDestroy();
    for (const pipe of this.#pipes ?? []) pipe.reset();
    this.#onEnd();
  }

  /** The handshake gets through: on to the listener. */
  #dial(): void {
    const { targetPort, forwards, backwards, random } = this.#options;
    const listener = connect({ host, port: targetPort, allowHalfOpen: true, noDelay: true });
    const done = (): void => {
      if (this.#pipes?.every((pipe) => pipe.isDone) === true) this.#gone();
    };
    this.#dialler.off('data', this.#keepEarly);
    this.#pipes = [
      new Pipe(this.#dialler, listener, forwards, random, done),
      new Pipe(listener, this.#dialler, backwards, random, done),
    ];
    for (const chunk of this.#early) this.#pipes[0].take(chunk);
  }

  /** Before it was joined a dialler that leaves is simply gone; later the pipes carry its end to the other side. */
  #gone(): void {
    if (this.#ended || this.#pipes?.every((pipe) => pipe.isDone) === false) return;
    this.#ended = true;
    this.#dialler.destroy();
    this.#onEnd();
  }
}

/** One direction: what comes out of a source goes into a sink when the link lets it. */
class Pipe {
  readonly #source: Socket;
  readonly #sink: Socket;
  readonly #rule: () => LinkRule;
  readonly #shaper: LinkShaper;
  readonly #onDone: () => void;
  #queue: Piece[] = [];
  #queuedBytes = 0;
  #isBlocked = false;
  #timer: NodeJS.Timeout | null = null;
  /** How the source ended, once it has: told to the sink behind the last bytes. */
  #ending: 'end' | 'reset' | null = null;
  isDone = false;

  constructor(source: Socket, sink: Socket, rule: () => LinkRule, random: () => number, onDone: () => void) {
    this.#source = source;
    this.#sink = sink;
    this.#rule = rule;
    this.#shaper = new LinkShaper(random);
    this.#onDone = onDone;
    source.on('data', (chunk: Buffer) => this.take(chunk));
    source.once('end', () => this.#finish('end'));
    source.on('error', () => this.#finish('reset'));
    source.once('close', () => this.#finish('end'));
    sink.on('drain', () => {
      this.#isBlocked = false;
      this.refresh();
    });
    sink.once('close', () => this.#done());
    this.refresh();
  }

  refresh(): void {
    if (this.isDone) return;
    if (this.#rule().isCut || this.#queuedBytes >= windowBytes) this.#source.pause();
    else this.#source.resume();
    this.#pump();
  }

  reset(): void {
    this.#done();
    this.#source.resetAndDestroy();
    this.#sink.resetAndDestroy();
  }

  take(chunk: Uint8Array): void {
    for (const piece of this.#shaper.enter(chunk, performance.now(), this.#rule())) this.#queue.push(piece);
    this.#queuedBytes += chunk.length;
    this.refresh();
  }

  #finish(ending: 'end' | 'reset'): void {
    this.#ending ??= ending;
    this.#pump();
  }

  #pump(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.isDone || this.#isBlocked || this.#rule().isCut) return;
    const before = this.#queuedBytes;
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      const waitMs = next.dueMs - performance.now();
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#pump(), waitMs);
        break;
      }
      this.#queue.shift();
      this.#queuedBytes -= next.bytes.length;
      if (!this.#sink.write(next.bytes)) {
        this.#isBlocked = true;
        break;
      }
    }
    if (before >= windowBytes && this.#queuedBytes < windowBytes) this.#source.resume();
    if (this.#queue.length === 0 && this.#ending !== null) this.#passEnding();
  }

  #passEnding(): void {
    if (this.#ending === 'reset') this.#sink.resetAndDestroy();
    else this.#sink.end();
    this.#done();
  }

  #done(): void {
    if (this.isDone) return;
    this.isDone = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#queue = [];
    this.#onDone();
  }
}
