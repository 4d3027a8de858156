import type { Link, Session } from '../connection/session.ts';
import type { DomainEventOf, DomainEventFilter } from '../domainEvents.ts';
import { isStreamError, StreamError, toStreamError } from '../errors.ts';
import type { BlockPosition, LostGap, Overflow } from '../types.ts';
import { type Json, toAmount } from '../wire/fields.ts';
import { history } from './history.ts';
import { Outlet } from './outlet.ts';
import { BlockSequencer } from './sequencer.ts';
import { refusedForever } from './refusal.ts';
import { Subscriber, type WatchParameters } from './subscriber.ts';

/** A block of a feed: as the stream told it, or the events from which the same is made. */
export type FeedBlock<live> = BlockPosition & ({ readonly live: live } | { readonly events: readonly DomainEventOf[] });

/** What a feed is about: how it is subscribed to, and how history tells the same. */
export interface FeedSource<live, item> {
  readonly kind: string;
  readonly options: Json;
  /** Which events history has to bring. */
  readonly filters: readonly DomainEventFilter[];
  /** Asks for what options and filters depend on, before they are read. */
  readonly prepare?: (link: Link) => Promise<void>;
  /** Reads a notification, which tells all of its block. @throws StreamError `STREAM_MESSAGE_MALFORMED` */
  read(result: unknown): BlockPosition & { readonly live: live };
  /** What the reader gets of a block. Called once for each block, in order. */
  convert(block: FeedBlock<live>): readonly item[];
  /**
   * Of a feed whose blocks mean something only on top of a state: reads that state, at the beginning and where blocks were lost.
   *
   * @returns height of the state; blocks up to it are not delivered
   */
  readonly snapshot?: (link: Link) => Promise<bigint>;
}

/** What a reader gets: all items of one block, or blocks that can not be had any more. */
export type FeedEntry<item> =
  | (BlockPosition & { readonly kind: 'block'; readonly items: readonly item[] })
  | { readonly kind: 'gap'; readonly gap: LostGap };

/** Where items come from, from which block on, and who gets them. */
export interface FeedOptions<live, item> extends WatchParameters {
  readonly session: Session;
  readonly source: FeedSource<live, item>;
  /** First block to deliver; without it the block after the newest one. */
  readonly fromBlock: bigint | null;
  /** Items that wait for a reader at work. */
  readonly queueMax: number;
  /** Gets one entry at a time; the next one when its promise is settled. */
  readonly onEntry: (entry: FeedEntry<item>) => unknown;
  readonly onOverflow: (overflow: Overflow) => void;
  /** Everything up to the head was delivered; from now on blocks come as they are made. */
  readonly onCaughtUp?: (link: Link) => void;
  /** There is a new block, whether it concerns the feed or not. */
  readonly onHead?: (blockNumber: bigint) => void;
}

/** Blocks that may wait while history is fetched. */
const waitingBlocksMax = 4_096;
/** Attempts on one connection before another one is made. */
const attemptsMax = 4;

function broken(expected: string, blockNumber: bigint): StreamError {
  const actual = `block ${blockNumber}`;
  const detail = { code: 'STREAM_SEQUENCE_BROKEN', expected, actual } as const;
  return new StreamError(
    `The blocks of a stream do not follow each other: expected ${expected}, got ${actual}.`,
    detail,
  );
}

/** Delivers what blocks hold for one reader: each block once and in order, whatever happens to connections. */
export class Feed<live, item> extends Subscriber {
  readonly #options: FeedOptions<live, item>;
  readonly #sequencer: BlockSequencer<FeedBlock<live>>;
  readonly #outlet: Outlet<FeedEntry<item>>;
  #attempts = 0;
  #wasLive = false;

  constructor(options: FeedOptions<live, item>) {
    const { session, fromBlock, queueMax, onEntry } = options;
    super(session, options);
    this.#options = options;
    this.#sequencer = new BlockSequencer(fromBlock === null ? null : fromBlock - 1n, waitingBlocksMax);
    this.#outlet = new Outlet({
      max: queueMax,
      weigh: (entry) => (entry.kind === 'block' ? entry.items.length : 1),
      handle: onEntry,
      onFailed: (thrown) =>
        this.tellError(new StreamError('The reader of a stream threw.', { code: 'STREAM_HANDLER_FAILED' }, thrown)),
    });
  }

  override onLink(link: Link): void {
    this.link = link;
    this.#attempts = 0;
    this.#follow(link);
  }

  override onHead({ blockNumber }: { readonly blockNumber: bigint }): void {
    this.#sequencer.head(blockNumber);
    this.#options.onHead?.(blockNumber);
  }

  protected override release(isOver: boolean): void {
    if (isOver) this.#outlet.close();
    else this.#sequencer.stop();
  }

  /** Newest block up to which everything was delivered; null before it is known where to begin. */
  get cursor(): bigint | null {
    return this.#sequencer.cursor;
  }

  #follow(link: Link): void {
    const { source } = this.#options;
    this.#guard(link, async () => {
      await source.prepare?.(link);
      const { kind, options, snapshot } = source;
      if (this.#sequencer.cursor === null && snapshot === undefined) this.#sequencer.passTo(link.head);
      this.#sequencer.catchUp();
      const id = await link.subscribe(kind, options, (result) => this.#onLive(link, result));
      if (!this.#isCurrent(link)) return link.unsubscribe(id);
      this.subscription = id;
      await this.#catchUp(link, this.#sequencer.cursor === null);
    });
  }

  #isCurrent(link: Link): boolean {
    return this.link === link && link.isOpen;
  }

  #guard(link: Link, work: () => Promise<void>): void {
    work().catch((thrown: unknown) => this.#trouble(link, toStreamError(thrown)));
  }

  /** Fetches what is between the cursor and the head, and goes live. */
  async #catchUp(link: Link, needsState: boolean): Promise<void> {
    const { snapshot } = this.#options.source;
    this.tellStatus('syncing');
    let wantsState = needsState;
    let lost: LostGap | null = null;
    for (;;) {
      this.#sequencer.catchUp();
      const head = toAmount(await link.request('eth_blockNumber', []), 'eth_blockNumber');
      if (!this.#isCurrent(link)) return;
      if (snapshot !== undefined && wantsState) {
        const height = await snapshot(link);
        if (!this.#isCurrent(link)) return;
        this.#sequencer.passTo(height);
        if (lost !== null) this.#push({ kind: 'gap', gap: { ...lost, toBlock: height } });
        [wantsState, lost] = [false, null];
      } else {
        lost = await this.#fetch(link, head);
        if (!this.#isCurrent(link)) return;
        wantsState = lost !== null;
        if (wantsState) continue;
      }
      const waiting = this.#sequencer.goLive();
      if (waiting === null) continue;
      for (const block of waiting) this.#offer(link, block);
      break;
    }
    [this.#attempts, this.#wasLive] = [0, true];
    // What waited may have been too much for the reader.
    if (!this.#sequencer.isLive) return;
    this.tellStatus('live');
    this.#options.onCaughtUp?.(link);
  }

  /** @returns where a state has to be read anew, because blocks on top of which the next ones come are lost */
  async #fetch(link: Link, head: bigint): Promise<LostGap | null> {
    const { filters, snapshot } = this.#options.source;
    const range = this.#sequencer.missing(head);
    if (range === null) return null;
    for await (const part of history(link, filters, range)) {
      if (!this.#outlet.hasRoom) await this.#outlet.whenIdle();
      if (!this.#isCurrent(link)) return null;
      if (part.kind === 'blocks')
        for (const block of this.#sequencer.fetched(part.blocks, part.to)) this.#deliver(block);
      else if (snapshot !== undefined) return part.gap;
      else {
        this.#sequencer.passTo(part.to);
        this.#push({ kind: 'gap', gap: part.gap });
      }
    }
    return null;
  }

  #onLive(link: Link, result: unknown): void {
    const block = this.#options.source.read(result);
    if (!this.#isCurrent(link)) return;
    // All that a block brings comes before anything of the next one: without its head the block before was left out.
    const { blockNumber } = block;
    if (blockNumber > link.head + 1n) return link.fail(broken(`a block up to ${link.head + 1n}`, blockNumber));
    this.#offer(link, block);
  }

  #offer(link: Link, block: FeedBlock<live>): void {
    if (this.#sequencer.isLive && !this.#outlet.hasRoom) return this.#lag(link);
    const verdict = this.#sequencer.take(block);
    if (verdict === 'deliver') this.#deliver(block);
    else if (verdict === 'disorder') this.#refuseDisorder(link, block.blockNumber);
  }

  #deliver(block: FeedBlock<live>): void {
    const { blockNumber, blockHash, timeMs } = block;
    const items = this.#options.source.convert(block);
    if (items.length > 0) this.#push({ kind: 'block', blockNumber, blockHash, timeMs, items });
  }

  #push(entry: FeedEntry<item>): void {
    if (!this.hasEnded) this.#outlet.push(entry);
  }

  /** The reader is too slow: what comes now is fetched when it has had what waits. */
  #lag(link: Link): void {
    const { queueMax, onOverflow } = this.#options;
    this.#sequencer.stop();
    this.tellStatus('syncing');
    onOverflow({ fromBlock: (this.#sequencer.cursor ?? -1n) + 1n, queueMax });
    this.#guard(link, async () => {
      await this.#outlet.whenIdle();
      if (this.#isCurrent(link)) await this.#catchUp(link, false);
    });
  }

  #refuseDisorder(link: Link, blockNumber: bigint): void {
    const gap = { fromBlock: blockNumber, toBlock: blockNumber, reason: 'disorder', oldestBlock: null } as const;
    this.#push({ kind: 'gap', gap });
    link.fail(broken(`a block above ${this.#sequencer.cursor}`, blockNumber));
  }

  #trouble(link: Link, error: StreamError): void {
    if (!this.#isCurrent(link)) return;
    const { kind } = this.#options.source;
    const refusal = refusedForever(error, kind, this.#wasLive);
    if (refusal !== null) return this.onOver(refusal);
    this.#attempts++;
    // What the node refuses now it may answer soon; what it says wrongly it will not say better.
    if (!isStreamError(error, 'STREAM_REQUEST_FAILED') || this.#attempts >= attemptsMax) return link.fail(error);
    this.drop();
    this.#sequencer.stop();
    this.tellError(error);
    this.retryLater(link, this.#attempts, (current) => this.#follow(current));
  }
}
