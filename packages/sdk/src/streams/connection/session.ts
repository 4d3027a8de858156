import type { Hash } from '../../types/primitives.ts';
import { isStreamError, StreamError, streamsClosed, toStreamError } from '../errors.ts';
import type { Json } from '../wire/fields.ts';
import { type Head, readHead } from '../wire/messages.ts';
import { type BackoffOptions, reconnectDelayMs } from './backoff.ts';
import { type Call, Connection, type ConnectionLimits, type SubscribeMethod } from './connection.ts';
import type { StreamEnvironment } from './environment.ts';
import { Identity } from './identity.ts';

/** A connection that is open, checked, and followed by its heads. */
export interface Link {
  readonly url: string;
  readonly isOpen: boolean;
  /** Newest block that is known to be in the node. */
  readonly head: bigint;
  request(method: string, params: readonly unknown[]): Promise<unknown>;
  batch(calls: readonly Call[]): Promise<readonly unknown[]>;
  /** @param onResult may throw: the connection is given up then */
  subscribe(
    kind: string,
    options: Json | null,
    onResult: (result: unknown) => void,
    method?: SubscribeMethod,
  ): Promise<string>;
  unsubscribe(id: string): void;
  /** Gives the connection up; the session goes on to the next URL. */
  fail(error: StreamError): void;
  /**
   * Asks the other nodes of the list, one after the other, until one that has block `height` answers.
   *
   * @returns null when none did
   */
  elsewhere<T>(height: bigint, ask: (request: Link['request']) => Promise<T>): Promise<T | null>;
}

/** Whoever follows the connection. */
export interface Member {
  /** There is a connection: subscribe, and fetch what was missed. */
  onLink(link: Link): void;
  /** A block, in order and without gaps on one link. */
  onHead(head: Head): void;
  /** The connection ended, or an attempt failed. */
  onDown(error: StreamError): void;
  /** There will be no more. */
  onOver(error: StreamError): void;
}

/** Where a session stands between its nodes. */
export type SessionStatus =
  /** Nobody watches anything. */
  | { readonly status: 'idle' }
  | { readonly status: 'connecting'; readonly url: string }
  | { readonly status: 'connected'; readonly url: string }
  /** Until the next attempt, ms. */
  | { readonly status: 'waiting'; readonly url: string; readonly delayMs: number; readonly error: StreamError }
  | { readonly status: 'closed' };

/** Nodes that a session goes round, and when it leaves one for the next. */
export interface SessionOptions extends ConnectionLimits {
  /** Tried in turn. */
  readonly urls: readonly string[];
  readonly backoff: BackoffOptions;
  /** A connection that lived so long was a good one: the next attempt is the first again, ms. */
  readonly stableMs: number;
  /** A node that lacks more blocks than this of what was read is passed over where there is another one. */
  readonly behindBlocksMax: number;
  /** Without a new block for so long another node is asked, ms; null never does, because an idle chain may make none. */
  readonly staleMs: number | null;
  readonly environment: StreamEnvironment;
}

/** Keeps one connection to one of several nodes, for as long as somebody needs it. */
export class Session {
  readonly #options: SessionOptions;
  readonly #members = new Set<Member>();
  readonly #listeners = new Set<(status: SessionStatus) => void>();
  readonly #identity = new Identity();
  /** Without those of another chain. */
  #urls: readonly string[];
  #at = 0;
  #failures = 0;
  /** Of the attempt that counts; what others come to is passed over. */
  #turn = 0;
  #connection: Connection | null = null;
  #link: Link | null = null;
  #head: Head | null = null;
  #cancelTimer: () => void = () => undefined;
  #cancelStale: () => void = () => undefined;
  #status: SessionStatus = { status: 'idle' };

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#urls = options.urls;
  }

  get status(): SessionStatus {
    return this.#status;
  }

  get environment(): StreamEnvironment {
    return this.#options.environment;
  }

  /** @returns what ends it */
  onStatus(listener: (status: SessionStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Connects for the first member. @returns what takes it out; the connection ends with the last one */
  join(member: Member): () => void {
    if (this.#status.status === 'closed') {
      member.onOver(streamsClosed());
      return () => undefined;
    }
    this.#members.add(member);
    if (this.#status.status === 'idle') this.#connect();
    else if (this.#link !== null) member.onLink(this.#link);
    return () => {
      if (this.#members.delete(member) && this.#members.size === 0) this.#rest('idle');
    };
  }

  /** Ends everything. */
  close(): void {
    this.#over(streamsClosed());
  }

  #over(error: StreamError): void {
    if (this.#status.status === 'closed') return;
    const members = [...this.#members];
    this.#members.clear();
    this.#rest('closed');
    for (const member of members) member.onOver(error);
  }

  #rest(status: 'idle' | 'closed'): void {
    this.#cancelTimer();
    this.#cancelStale();
    const connection = this.#connection;
    this.#connection = null;
    this.#link = null;
    this.#failures = 0;
    this.#turn++;
    this.#tell({ status });
    connection?.fail(streamsClosed());
  }

  #tell(status: SessionStatus): void {
    this.#status = status;
    for (const listener of this.#listeners) listener(status);
  }

  #connect(): void {
    const url = this.#urls[this.#at % this.#urls.length];
    if (url === undefined)
      return this.#over(new StreamError('There is no URL of a node to connect to.', { code: 'STREAM_NO_URL' }));
    this.#tell({ status: 'connecting', url });
    const turn = ++this.#turn;
    this.#open(url, turn).then(
      () => undefined,
      (error: unknown) => this.#failed(turn, url, toStreamError(error), 0),
    );
  }

  /** Opens, checks and follows a node, and tells the members. */
  async #open(url: string, turn: number): Promise<void> {
    const { environment } = this.#options;
    const sinceMs = environment.now();
    let told = false;
    const connection = await Connection.open({
      ...this.#options,
      url,
      onClosed: (error) => {
        if (told) this.#failed(turn, url, error, environment.now() - sinceMs);
      },
    });
    if (this.#turn !== turn) return connection.fail(streamsClosed());
    this.#connection = connection;
    try {
      await this.#identity.check(url, (method, params) => connection.request(method, params), this.#head);
      const early: Head[] = [];
      let take = (head: Head): void => void early.push(head);
      await connection.subscribe('newHeads', null, (result) => take(readHead(result)));
      const first = readHead(await connection.request('eth_getBlockByNumber', ['latest', false]));
      this.#refuseBehind(url, first.blockNumber);
      // It may have ended between the answer and this line.
      if (connection.ended !== null) throw connection.ended;
      const follower = new HeadFollower(first);
      const link = this.#linkOf(connection, follower);
      take = (head) => this.#onHead(follower, head);
      told = true;
      this.#link = link;
      this.#head = newer(this.#head, first);
      this.#identity.note(first);
      this.#tell({ status: 'connected', url });
      this.#watchStale(connection);
      this.#each((member) => member.onLink(link));
      for (const head of early) if (connection.isOpen) take(head);
    } catch (error) {
      told = false;
      connection.fail(toStreamError(error));
      throw error;
    }
  }

  /** Members may come and go meanwhile. */
  #each(tell: (member: Member) => void): void {
    const members = [...this.#members];
    for (const member of members) if (this.#members.has(member)) tell(member);
  }

  #refuseBehind(url: string, head: bigint): void {
    const known = this.#head?.blockNumber ?? 0n;
    if (this.#urls.length < 2 || head + BigInt(this.#options.behindBlocksMax) >= known) return;
    const detail = { code: 'STREAM_NODE_BEHIND', url, head, known } as const;
    throw new StreamError(`${url} is at block ${head}, and block ${known} was read already.`, detail);
  }

  #onHead(follower: HeadFollower, head: Head): void {
    if (!follower.take(head)) return;
    this.#head = newer(this.#head, head);
    if (this.#connection !== null) this.#watchStale(this.#connection);
    this.#each((member) => member.onHead(head));
  }

  #watchStale(connection: Connection): void {
    const { staleMs, environment } = this.#options;
    this.#cancelStale();
    if (staleMs === null) return;
    const detail = { code: 'STREAM_TIMEOUT', url: connection.url, method: 'newHeads', timeoutMs: staleMs } as const;
    const error = new StreamError(`${connection.url} told of no block for ${staleMs} ms.`, detail);
    this.#cancelStale = environment.setTimer(() => connection.fail(error), staleMs);
  }

  /** @param livedMs how long the connection served */
  #failed(turn: number, url: string, error: StreamError, livedMs: number): void {
    // Of an attempt that nobody waits for any more.
    if (this.#turn !== turn) return;
    this.#turn++;
    this.#connection = null;
    this.#link = null;
    this.#cancelStale();
    if (isStreamError(error, 'STREAM_CHAIN_MISMATCH')) this.#urls = this.#urls.filter((known) => known !== url);
    else this.#at = this.#urls.indexOf(url) + 1;
    this.#failures = livedMs >= this.#options.stableMs ? 1 : this.#failures + 1;
    const { backoff, environment } = this.#options;
    const delayMs = reconnectDelayMs(this.#failures, this.#urls.length, backoff, environment.random());
    this.#tell({ status: 'waiting', url, delayMs, error });
    this.#cancelTimer = environment.setTimer(() => this.#connect(), delayMs);
    this.#each((member) => member.onDown(error));
  }

  #linkOf(connection: Connection, follower: HeadFollower): Link {
    return {
      url: connection.url,
      get isOpen() {
        return connection.isOpen;
      },
      get head() {
        return follower.blockNumber;
      },
      request: (method, params) => connection.request(method, params),
      batch: (calls) => connection.batch(calls),
      subscribe: (kind, options, onResult, method) => connection.subscribe(kind, options, onResult, method),
      unsubscribe: (id) => connection.unsubscribe(id),
      fail: (error) => connection.fail(error),
      elsewhere: (height, ask) => this.#elsewhere(connection.url, height, ask),
    };
  }

  async #elsewhere<T>(
    besides: string,
    height: bigint,
    ask: (request: Link['request']) => Promise<T>,
  ): Promise<T | null> {
    for (const url of this.#urls.filter((known) => known !== besides)) {
      let connection: Connection | null = null;
      try {
        connection = await Connection.open({ ...this.#options, url, onClosed: () => undefined });
        const open = connection;
        await this.#identity.check(url, (method, params) => open.request(method, params), null);
        // A node that lacks the block would answer a range without it, and that would look complete.
        const head = readHead(await open.request('eth_getBlockByNumber', ['latest', false]));
        if (head.blockNumber >= height) return await ask((method, params) => open.request(method, params));
      } catch (error) {
        // Whatever is wrong with it, the next one may have it; the caller tells when nobody has.
        if (!(error instanceof StreamError)) throw error;
      } finally {
        connection?.fail(streamsClosed());
      }
    }
    return null;
  }
}

const newer = (known: Head | null, head: Head): Head =>
  known === null || head.blockNumber > known.blockNumber ? head : known;

/** Checks that the heads of one connection follow each other. */
class HeadFollower {
  #newest: { readonly blockNumber: bigint; readonly blockHash: Hash };

  constructor(first: Head) {
    this.#newest = first;
  }

  get blockNumber(): bigint {
    return this.#newest.blockNumber;
  }

  /** @returns whether it is new @throws StreamError `STREAM_SEQUENCE_BROKEN` */
  take(head: Head): boolean {
    const { blockNumber, blockHash } = this.#newest;
    if (head.blockNumber <= blockNumber) return false;
    if (head.blockNumber !== blockNumber + 1n || head.parentHash !== blockHash) {
      const expected = `block ${blockNumber + 1n} on ${blockHash}`;
      const actual = `block ${head.blockNumber} on ${head.parentHash}`;
      const detail = { code: 'STREAM_SEQUENCE_BROKEN', expected, actual } as const;
      throw new StreamError(`Heads do not follow each other: expected ${expected}, got ${actual}.`, detail);
    }
    this.#newest = head;
    return true;
  }
}
