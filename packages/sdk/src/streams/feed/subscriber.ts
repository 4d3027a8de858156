import { reconnectDelayMs } from '../connection/backoff.ts';
import type { Head } from '../wire/messages.ts';
import type { Link, Member, Session } from '../connection/session.ts';
import type { StreamError } from '../errors.ts';
import type { StreamStatus } from '../types.ts';

/** What every watcher takes besides what it watches. */
export interface WatchParameters {
  /** Whatever goes wrong. After an error with `isFatal` nothing more comes; after any other the stream goes on by itself. */
  readonly onError?: ((error: StreamError) => void) | undefined;
  readonly onStatus?: ((status: StreamStatus) => void) | undefined;
}

const retry = { baseMs: 200, maxMs: 5_000 } as const;

/** Keeps one subscription on whatever connection a session has, and tells how it stands. */
export abstract class Subscriber implements Member {
  protected readonly session: Session;
  /** The connection that counts; what comes by another one is passed over. */
  protected link: Link | null = null;
  protected subscription: string | null = null;
  readonly #parameters: WatchParameters;
  #leave: () => void = () => undefined;
  #cancelRetry: () => void = () => undefined;
  #status: StreamStatus = 'syncing';

  constructor(session: Session, parameters: WatchParameters) {
    this.session = session;
    this.#parameters = parameters;
  }

  abstract onLink(link: Link): void;
  abstract onHead(head: Head): void;
  /** Lets go of what belongs to a connection, or to the subscriber when `isOver`. */
  protected abstract release(isOver: boolean): void;

  start(): void {
    this.#leave = this.session.join(this);
  }

  /** Nothing is told any more, not even that. */
  stop(): void {
    if (this.hasEnded) return;
    this.#status = 'ended';
    this.#cancelRetry();
    this.release(true);
    this.drop();
    this.link = null;
    this.#leave();
  }

  onDown(error: StreamError): void {
    this.#cancelRetry();
    this.release(false);
    this.link = null;
    this.subscription = null;
    this.tellStatus('interrupted');
    this.tellError(error);
  }

  onOver(error: StreamError): void {
    if (this.hasEnded) return;
    this.stop();
    this.#parameters.onStatus?.('ended');
    this.tellError(error);
  }

  protected get hasEnded(): boolean {
    return this.#status === 'ended';
  }

  /** Ends the subscription at the node. */
  protected drop(): void {
    if (this.subscription !== null) this.link?.unsubscribe(this.subscription);
    this.subscription = null;
  }

  /** Subscribes once more on the same connection, the later the more attempts failed. */
  protected retryLater(link: Link, failures: number, subscribe: (link: Link) => void): void {
    const { environment } = this.session;
    const delayMs = reconnectDelayMs(failures, 1, retry, environment.random());
    this.#cancelRetry = environment.setTimer(() => {
      if (this.link === link && link.isOpen) subscribe(link);
    }, delayMs);
  }

  protected tellStatus(status: StreamStatus): void {
    if (this.hasEnded || this.#status === status) return;
    this.#status = status;
    this.#parameters.onStatus?.(status);
  }

  protected tellError(error: StreamError): void {
    this.#parameters.onError?.(error);
  }
}
