import type { NativeBlockHead } from '../types/chain.ts';
import type { Link, Session } from './connection/session.ts';
import { type StreamError, toStreamError } from './errors.ts';
import { refusedForever } from './feed/refusal.ts';
import { Subscriber, type WatchParameters } from './feed/subscriber.ts';
import { sessionOf, type StreamsClient } from './streams.ts';
import type { Unwatch } from './watch.ts';
import { readBlockHead } from './wire/messages.ts';

/** Who is told of new blocks. */
export interface WatchBlocksParameters extends WatchParameters {
  /** Blocks in order; of the time without a connection there are none. */
  readonly onBlock: (block: NativeBlockHead) => void;
}

class BlockWatcher extends Subscriber {
  readonly #parameters: WatchBlocksParameters;
  #newest = -1n;
  #wasServed = false;

  constructor(session: Session, parameters: WatchBlocksParameters) {
    super(session, parameters);
    this.#parameters = parameters;
  }

  override onLink(link: Link): void {
    this.link = link;
    this.tellStatus('syncing');
    const onResult = (result: unknown): void => {
      if (this.link === link) this.#take(result);
    };
    link.subscribe('newHeads', null, onResult, 'prime_subscribe').then(
      (id) => {
        if (this.link !== link) return link.unsubscribe(id);
        this.subscription = id;
        this.#wasServed = true;
        this.tellStatus('live');
      },
      (thrown: unknown) => this.#trouble(link, toStreamError(thrown)),
    );
  }

  override onHead(): void {}

  protected override release(): void {}

  #take(result: unknown): void {
    const block = readBlockHead(result);
    // Another node may be a few blocks behind the one before.
    if (block.number <= this.#newest) return;
    this.#newest = block.number;
    this.#parameters.onBlock(block);
  }

  #trouble(link: Link, error: StreamError): void {
    if (this.link !== link || !link.isOpen) return;
    const refusal = refusedForever(error, 'newHeads', this.#wasServed);
    if (refusal !== null) this.onOver(refusal);
    else link.fail(error);
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
