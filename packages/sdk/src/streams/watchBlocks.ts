import type { NativeBlockHead } from '../types/chain.ts';
import type { Link, Member, Session } from './connection/session.ts';
import { type StreamError, toStreamError } from './errors.ts';
import { refusedForever } from './feed/refusal.ts';
import { sessionOf, type StreamsClient } from './streams.ts';
import type { StreamStatus } from './types.ts';
import type { Unwatch, WatchParameters } from './watch.ts';
import { readBlockHead } from './wire/messages.ts';

/** Who is told of new blocks. */
export interface WatchBlocksParameters extends WatchParameters {
  /** Blocks in order; of the time without a connection there are none. */
  readonly onBlock: (block: NativeBlockHead) => void;
}

class BlockWatcher implements Member {
  readonly #session: Session;
  readonly #parameters: WatchBlocksParameters;
  #leave: Unwatch = () => undefined;
  #link: Link | null = null;
  #subscription: string | null = null;
  #newest = -1n;
  #wasServed = false;
  #status: StreamStatus = 'syncing';

  constructor(session: Session, parameters: WatchBlocksParameters) {
    this.#session = session;
    this.#parameters = parameters;
  }

  start(): void {
    this.#leave = this.#session.join(this);
  }

  stop(): void {
    if (this.#status === 'ended') return;
    this.#status = 'ended';
    if (this.#subscription !== null) this.#link?.unsubscribe(this.#subscription);
    this.#link = null;
    this.#leave();
  }

  onLink(link: Link): void {
    this.#link = link;
    this.#tellStatus('syncing');
    const onResult = (result: unknown): void => {
      if (this.#link === link) this.#take(result);
    };
    link.subscribe('newHeads', null, onResult, 'prime_subscribe').then(
      (id) => {
        if (this.#link !== link) return link.unsubscribe(id);
        this.#subscription = id;
        this.#wasServed = true;
        this.#tellStatus('live');
      },
      (thrown: unknown) => this.#trouble(link, toStreamError(thrown)),
    );
  }

  onHead(): void {}

  onDown(error: StreamError): void {
    this.#link = null;
    this.#subscription = null;
    this.#tellStatus('interrupted');
    this.#parameters.onError?.(error);
  }

  onOver(error: StreamError): void {
    if (this.#status === 'ended') return;
    this.stop();
    this.#parameters.onStatus?.('ended');
    this.#parameters.onError?.(error);
  }

  #take(result: unknown): void {
    const block = readBlockHead(result);
    // Another node may be a few blocks behind the one before.
    if (block.number <= this.#newest) return;
    this.#newest = block.number;
    this.#parameters.onBlock(block);
  }

  #trouble(link: Link, error: StreamError): void {
    if (this.#link !== link || !link.isOpen) return;
    const refusal = refusedForever(error, 'newHeads', this.#wasServed);
    if (refusal !== null) this.onOver(refusal);
    else link.fail(error);
  }

  #tellStatus(status: StreamStatus): void {
    if (this.#status === 'ended' || this.#status === status) return;
    this.#status = status;
    this.#parameters.onStatus?.(status);
  }
}

/**
 * Tells each new block: its header, how much is in it, and who signed for it. Blocks of the time without a connection are not told: read those that
 * are wanted when `onStatus` tells `live` again.
 */
export function watchBlocks(client: StreamsClient, parameters: WatchBlocksParameters): Unwatch {
  const watcher = new BlockWatcher(sessionOf(client), parameters);
  watcher.start();
  return () => watcher.stop();
}
