import { Feed, type FeedEntry, type FeedSource } from './feed/feed.ts';
import type { WatchParameters } from './feed/subscriber.ts';
import { StreamError } from './errors.ts';
import { sessionOf, type StreamsClient } from './streams.ts';
import type { BlockPosition, LostGap, Overflow } from './types.ts';

/** What watchers of things that happen take besides: each is delivered once and in order. */
export interface FeedParameters extends WatchParameters {
  /** Blocks whose content nobody can tell any more. Default: they are told to `onError` as `STREAM_GAP_LOST`. */
  readonly onGap?: ((gap: LostGap) => unknown) | undefined;
  /** The reader is slower than the stream; nothing is lost. Default: it is told to `onError` as `STREAM_OVERFLOW`. */
  readonly onOverflow?: ((overflow: Overflow) => void) | undefined;
  /** Items that wait while the reader works on others. Default 10 000. */
  readonly queueMax?: number | undefined;
}

/** Where a watcher may begin. */
export interface FromBlock {
  /** First block to be told. Default: the block after the newest one. */
  readonly fromBlock?: bigint | undefined;
}

/** Ends a watcher: nothing is told after it. */
export type Unwatch = () => void;

const ignore = (): void => undefined;
const queueDefault = 10_000;

const lostError = (gap: LostGap): StreamError =>
  new StreamError(`What blocks ${gap.fromBlock} to ${gap.toBlock} held can not be told (${gap.reason}).`, {
    code: 'STREAM_GAP_LOST',
    ...gap,
  });

const overflowError = (overflow: Overflow): StreamError =>
  new StreamError(
    `The reader is slower than the stream: ${overflow.queueMax} items wait, and block ${overflow.fromBlock} is fetched later.`,
    { code: 'STREAM_OVERFLOW', ...overflow },
  );

/** Watches a feed. @param onItems gets what one block held; the next block comes when its promise is settled */
export function watchFeed<live, item>(
  client: StreamsClient,
  source: FeedSource<live, item>,
  { onError = ignore, onStatus = ignore, onGap, onOverflow, queueMax = queueDefault }: FeedParameters,
  onItems: (items: readonly item[], block: BlockPosition) => unknown,
  fromBlock: bigint | null,
): Unwatch {
  const tellGap = onGap ?? ((gap: LostGap) => onError(lostError(gap)));
  const tellOverflow = onOverflow ?? ((overflow: Overflow) => onError(overflowError(overflow)));
  const feed = new Feed({
    session: sessionOf(client),
    source,
    fromBlock,
    queueMax,
    onEntry: (entry: FeedEntry<item>) =>
      entry.kind === 'gap'
        ? tellGap(entry.gap)
        : onItems(entry.items, { blockNumber: entry.blockNumber, blockHash: entry.blockHash, timeMs: entry.timeMs }),
    onOverflow: tellOverflow,
    onError,
    onStatus,
  });
  feed.start();
  return () => feed.stop();
}
