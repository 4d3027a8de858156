import { endpointOf, requestWriter } from '../../endpoint.ts';
import { LoadError } from '../../errors.ts';
import { HttpChannel } from '../../httpChannel.ts';
import { SocketChannel } from '../../socketChannel.ts';

/** What became of one request. */
export type Outcome =
  | { readonly kind: 'acknowledged'; readonly result: unknown }
  | { readonly kind: 'refused'; readonly code: number; readonly message: string; readonly data: unknown }
  /** Nothing is known of it: the connection ended, or what came was no answer. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Called once for each request. */
export type OnOutcome = (outcome: Outcome) => void;

/**
 * Connections to one node. Requests of one key go over one connection in their order, as long as it holds; where it breaks, a new one is opened,
 * again and again. What is sent while none is up is unknown at once.
 */
export interface Lane {
  readonly isUp: boolean;
  /** @param key of whoever's requests have to keep their order @param call JSON text of method and parameters: `"method":"…","params":[…]` */
  send(key: number, call: string, onOutcome: OnOutcome): void;
  close(): void;
}

/** How operations are sent to nodes: over WebSockets, or over HTTP. */
export const transports = ['ws', 'http'] as const;
/** One of {@link transports}. */
export type Transport = (typeof transports)[number];

/** Connections of one lane, when nobody says how many. */
const usualConnections = { ws: 4, http: 64 } as const;
const reconnectMs = 250;

/** @throws LoadError `LOAD_URL_INVALID`, `LOAD_CONNECTION_LOST` when nobody listens */
export async function openLane(url: string, transport: Transport, connections: number | null): Promise<Lane> {
  const count = connections ?? usualConnections[transport];
  const lane = transport === 'ws' ? new SocketLane(url, count) : new HttpLane(url, count);
  try {
    await lane.open();
    return lane;
  } catch (error) {
    lane.close();
    throw error;
  }
}

function outcomeOf(body: Buffer): Outcome {
  try {
    const { result, error } = JSON.parse(body.toString()) as {
      readonly result?: unknown;
      readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
    };
    if (error !== undefined) {
      const { code, message, data = null } = error;
      // The node says of itself that it does not know.
      const reason = (data as { readonly reason?: unknown } | null)?.reason;
      return reason === 'outcome_unknown'
        ? { kind: 'unknown', reason: message }
        : { kind: 'refused', code, message, data };
    }
    return { kind: 'acknowledged', result };
  } catch {
    return { kind: 'unknown', reason: `no answer of JSON-RPC: ${body.toString('latin1', 0, 100)}` };
  }
}

const notConnected: Outcome = { kind: 'unknown', reason: 'not connected' };

/** Over WebSockets, any number of requests under way on each. */
class SocketLane implements Lane {
  readonly #url: string;
  readonly #count: number;
  /** Null while one is opened anew. */
  readonly #channels: (SocketChannel | null)[] = [];
  /** By channel and id: whoever waits for an outcome. */
  readonly #waiting: Map<number, OnOutcome>[] = [];
  #nextId = 1;
  #isClosed = false;

  constructor(url: string, count: number) {
    const { href } = new URL(url);
    this.#url = href.replace(/^http/, 'ws');
    this.#count = count;
  }

  get isUp(): boolean {
    return this.#channels.some((channel) => channel !== null);
  }

  async open(): Promise<void> {
    for (let place = 0; place < this.#count; place++) this.#waiting.push(new Map());
    await Promise.all(this.#waiting.map((_, place) => this.#connect(place)));
  }

  send(key: number, call: string, onOutcome: OnOutcome): void {
    const place = this.#placeOf(key);
    if (place < 0) return onOutcome(notConnected);
    const channel = this.#channels[place]!;
    const id = this.#nextId++;
    const waiting = this.#waiting[place]!;
    waiting.set(id, onOutcome);
    channel.send(id, `{"jsonrpc":"2.0","id":${id},${call}}`, (body) => {
      waiting.delete(id);
      onOutcome(outcomeOf(body));
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const channel of this.#channels) channel?.close();
  }

  /** The channel of a key, or the next one that is open; -1: none. */
  #placeOf(key: number): number {
    for (let step = 0; step < this.#count; step++) {
      const place = (key + step) % this.#count;
      if ((this.#channels[place] ?? null) !== null) return place;
    }
    return -1;
  }

  async #connect(place: number): Promise<void> {
    const channel = await SocketChannel.open({ url: this.#url, onLost: (error) => this.#lost(place, error) });
    if (this.#isClosed) channel.close();
    else this.#channels[place] = channel;
  }

  #lost(place: number, error: LoadError): void {
    this.#channels[place] = null;
    const waiting = this.#waiting[place]!;
    const outcomes = [...waiting.values()];
    waiting.clear();
    for (const onOutcome of outcomes) onOutcome({ kind: 'unknown', reason: error.message });
    this.#reconnect(place);
  }

  #reconnect(place: number): void {
    setTimeout(() => {
      if (this.#isClosed) return;
      this.#connect(place).catch(() => this.#reconnect(place));
    }, reconnectMs).unref();
  }
}

interface HttpRequest {
  readonly text: string;
  readonly onOutcome: OnOutcome;
}

/** Over HTTP/1.1, one request under way on each connection: a node closes one on which a request follows another that takes time. */
class HttpLane implements Lane {
  readonly #url: string;
  readonly #count: number;
  readonly #idle: HttpChannel[] = [];
  readonly #busy = new Map<HttpChannel, OnOutcome>();
  /** Requests that no connection is free for, in the order in which they came. */
  #queue: HttpRequest[] = [];
  readonly #write: (body: string) => string;
  #nextId = 1;
  #isClosed = false;

  constructor(url: string, count: number) {
    this.#url = url;
    this.#count = count;
    this.#write = requestWriter(endpointOf(url));
  }

  get isUp(): boolean {
    return this.#idle.length + this.#busy.size > 0;
  }

  async open(): Promise<void> {
    for (let place = 0; place < this.#count; place++) this.#connect();
    // The first answer says that somebody is there.
    const outcome = await new Promise<Outcome>((resolve) =>
      this.send(0, '"method":"eth_chainId","params":[]', resolve),
    );
    if (outcome.kind === 'unknown')
      throw new LoadError(outcome.reason, { code: 'LOAD_CONNECTION_LOST', unanswered: 1 });
  }

  send(_key: number, call: string, onOutcome: OnOutcome): void {
    if (!this.isUp) return onOutcome(notConnected);
    const text = this.#write(`{"jsonrpc":"2.0","id":${this.#nextId++},${call}}`);
    this.#queue.push({ text, onOutcome });
    this.#pump();
  }

  close(): void {
    this.#isClosed = true;
    for (const channel of [...this.#idle, ...this.#busy.keys()]) channel.close();
  }

  #pump(): void {
    while (this.#queue.length > 0 && this.#idle.length > 0) {
      const channel = this.#idle.pop()!;
      const { text, onOutcome } = this.#queue.shift()!;
      this.#busy.set(channel, onOutcome);
      channel.send(text, (_status, body) => {
        this.#busy.delete(channel);
        this.#idle.push(channel);
        onOutcome(outcomeOf(body));
        this.#pump();
      });
    }
  }

  #connect(): void {
    const channel = new HttpChannel({
      endpoint: endpointOf(this.#url),
      onLost: (error) => {
        const at = this.#idle.indexOf(channel);
        if (at >= 0) this.#idle.splice(at, 1);
        const onOutcome = this.#busy.get(channel);
        this.#busy.delete(channel);
        onOutcome?.({ kind: 'unknown', reason: error.message });
        if (!this.isUp) {
          const queue = this.#queue;
          this.#queue = [];
          for (const { onOutcome: waiting } of queue) waiting(notConnected);
        }
        setTimeout(() => {
          if (!this.#isClosed) this.#connect();
        }, reconnectMs).unref();
      },
    });
    this.#idle.push(channel);
  }
}
