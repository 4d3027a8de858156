import type { BlockPosition } from '../types.ts';
import type { Link, Session } from '../connection/session.ts';
import { isStreamError, StreamError, toStreamError } from '../errors.ts';
import { Outlet } from './outlet.ts';
import { refusedForever } from './refusal.ts';
import { Subscriber, type WatchParameters } from './subscriber.ts';

/** What a whole message makes of what is kept: the next state, or nothing that may be shown. */
export type WholeStep<state, change> =
  /** `change` is null where the state is to be read as a whole. */
  | { readonly kind: 'state'; readonly state: state; readonly change: change | null }
  /** Subscribe again: only a whole state helps. */
  | { readonly kind: 'broken'; readonly error: StreamError };

/** The same of a message that may be a part of a state: then the others come behind it. */
export type KeptStep<state, change> = WholeStep<state, change> | { readonly kind: 'more' };

/** How something stands, and how messages of a node lead from one state to the next. */
export interface KeptSource<state extends BlockPosition, change> {
  /** What is subscribed to. */
  readonly kind: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** What it is called where its reader throws. */
  readonly name: string;
  /**
   * @param kept after the message before; null before the first one
   * @throws StreamError `STREAM_MESSAGE_MALFORMED`
   */
  step(kept: state | null, result: unknown): KeptStep<state, change>;
}

/** How a state came out of the one that was shown before. */
export interface KeptUpdate<change> {
  /** What changed since; null where it is to be read as a whole: at the beginning, and when states were skipped. */
  readonly change: change | null;
  /** States in between that a slow reader was not shown. */
  readonly skipped: number;
}

/** States of one connection that may break before another node is asked. */
const brokenMax = 3;

/** Keeps what a stream tells of how something stands, and shows the newest state to a reader who may be slow. */
class KeptWatcher<state extends BlockPosition, change> extends Subscriber {
  readonly #source: KeptSource<state, change>;
  readonly #onState: (state: state, update: KeptUpdate<change>) => unknown;
  /** Wakes the reader; what it is shown is {@link #next}. */
  readonly #outlet: Outlet<'wake'>;
  #kept: state | null = null;
  #next: { readonly state: state; readonly update: KeptUpdate<change> } | null = null;
  /** Newest block of which a state was handed on: an older one of another node is not shown. */
  #shownBlock = -1n;
  #brokenInARow = 0;
  #wasServed = false;

  /** @param onState while a promise of it is not settled newer states replace each other, and the newest is shown then */
  constructor(
    session: Session,
    source: KeptSource<state, change>,
    parameters: WatchParameters,
    onState: (state: state, update: KeptUpdate<change>) => unknown,
  ) {
    super(session, parameters);
    this.#source = source;
    this.#onState = onState;
    this.#outlet = new Outlet({
      max: 1,
      weigh: () => 1,
      handle: () => this.#show(),
      onFailed: (thrown) =>
        this.tellError(
          new StreamError(`The reader of ${source.name} threw.`, { code: 'STREAM_HANDLER_FAILED' }, thrown),
        ),
    });
  }

  override onLink(link: Link): void {
    this.link = link;
    this.#brokenInARow = 0;
    this.#subscribe(link);
  }

  override onHead(): void {}

  protected override release(isOver: boolean): void {
    if (isOver) this.#outlet.close();
    else this.#kept = null;
  }

  #subscribe(link: Link): void {
    this.#kept = null;
    this.tellStatus('syncing');
    // Messages of a subscription that was given up may still be under way.
    let isCurrent = true;
    const onResult = (result: unknown): void => {
      if (isCurrent && this.link === link) isCurrent = this.#take(link, result);
    };
    link.subscribe(this.#source.kind, this.#source.options, onResult).then(
      (id) => {
        if (this.link === link && isCurrent) this.subscription = id;
        else link.unsubscribe(id);
      },
      (thrown: unknown) => this.#trouble(link, toStreamError(thrown)),
    );
  }

  /** @returns whether the subscription goes on */
  #take(link: Link, result: unknown): boolean {
    const step = this.#source.step(this.#kept, result);
    if (step.kind === 'broken') {
      this.#break(link, step.error);
      return false;
    }
    if (step.kind === 'more') return true;
    const { state, change } = step;
    this.#kept = state;
    // A whole state that is right says nothing of the changes, which broke it before.
    if (change !== null) this.#brokenInARow = 0;
    this.#wasServed = true;
    if (state.blockNumber < this.#shownBlock) return true;
    this.#shownBlock = state.blockNumber;
    this.tellStatus('live');
    const replaced = this.#next;
    this.#next = {
      state,
      update: replaced === null ? { change, skipped: 0 } : { change: null, skipped: replaced.update.skipped + 1 },
    };
    if (replaced === null) this.#outlet.push('wake');
    return true;
  }

  #show(): unknown {
    const next = this.#next;
    this.#next = null;
    // Before a state that broke meanwhile is mended, what was good is still what the chain had at its block.
    return next === null ? undefined : this.#onState(next.state, next.update);
  }

  #break(link: Link, error: StreamError): void {
    this.#brokenInARow++;
    this.drop();
    this.tellError(error);
    if (this.#brokenInARow >= brokenMax) link.fail(error);
    else if (this.link === link) this.#subscribe(link);
  }

  #trouble(link: Link, error: StreamError): void {
    if (this.link !== link || !link.isOpen) return;
    const refusal = refusedForever(error, this.#source.kind, this.#wasServed);
    if (refusal !== null) return this.onOver(refusal);
    if (!isStreamError(error, 'STREAM_REQUEST_FAILED') || ++this.#brokenInARow >= brokenMax) return link.fail(error);
    this.tellError(error);
    this.retryLater(link, this.#brokenInARow, (current) => this.#subscribe(current));
  }
}

/** Follows how something stands. @returns what ends it */
export function watchKept<state extends BlockPosition, change>(
  session: Session,
  source: KeptSource<state, change>,
  parameters: WatchParameters,
  onState: (state: state, update: KeptUpdate<change>) => unknown,
): () => void {
  const watcher = new KeptWatcher(session, source, parameters, onState);
  watcher.start();
  return () => watcher.stop();
}

/** A source whose messages are each a whole state. @param read a message @throws StreamError `STREAM_MESSAGE_MALFORMED` */
export const wholeStates = <state extends BlockPosition>(
  kind: string,
  options: Readonly<Record<string, unknown>>,
  name: string,
  read: (result: unknown) => state,
): KeptSource<state, never> => ({
  kind,
  options,
  name,
  step: (_, result) => ({ kind: 'state', state: read(result), change: null }),
});
