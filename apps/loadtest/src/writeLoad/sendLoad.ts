import { HeadCounts } from './headCounts.ts';
import { Inclusion } from './inclusion.ts';
import { sendAll, type WriteLoad } from './loads.ts';
import type { SignedItem } from './signing.ts';

/** How fast a load came into blocks. */
export interface SentLoad {
  /** Orders of batches counted one by one. */
  readonly items: number;
  /** Items included a second between the first and the last block that has some. */
  readonly perSecond: number;
  /** From sending to the block, ms. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly blocks: number;
}

/** Where a load goes, and how much of it at one time. */
export interface SendOptions {
  readonly url: string;
  /** Messages, each with `itemsPerMessage` items; signed before anything is sent. */
  readonly messages: number;
  /** Messages that may wait for a block. */
  readonly outstandingMax: number;
  /** Follows the load by the heads alone and reads no block before `onIncluded` is done: a reader makes a node show what it included. Times and rates then tell nothing. */
  readonly unread?: boolean;
  /** Told when the node has accepted all of them: some may be included by then. */
  readonly onSent?: () => void;
  /** Told when all of them are included, before anything is verified. */
  readonly onIncluded?: () => void | Promise<void>;
}

/** Messages of one request. */
const requestSize = 20;
/** Lanes that send beside each other. */
const laneCount = 8;
/** Who may send no more looks again after this, ms. */
const fullMs = 5;

/**
 * Sends a load and follows it into blocks. The figures are only returned once each accepted hash stands in exactly one block and the chain has what was sent.
 *
 * @throws Error when a message is refused, lost, included twice, or when the state differs from what was sent
 */
export async function sendLoad(load: WriteLoad, options: SendOptions): Promise<SentLoad> {
  const { url, messages, outstandingMax, unread = false, onSent, onIncluded } = options;
  const signed = load.sign(messages);
  const inclusion = await Inclusion.open(url, load.of);
  const heads = unread ? await HeadCounts.open(url, load.of) : null;
  const outstanding = (): number => (heads === null ? inclusion.outstanding : inclusion.outstanding - heads.total);
  const lanes = Array.from({ length: laneCount }, (_, lane) =>
    interleave(signed.filter((_items, sender) => sender % laneCount === lane)),
  );
  const limit = Math.min(outstandingMax, load.outstandingPerSender * signed.length);
  let failed = false;
  const sendLane = async (items: readonly SignedItem[]): Promise<void> => {
    for (let from = 0; from < items.length && !failed; from += requestSize) {
      while (outstanding() + requestSize > limit && !failed)
        await new Promise((resolve) => setTimeout(resolve, fullMs));
      const request = items.slice(from, from + requestSize);
      for (const { hash } of request) inclusion.sent(hash);
      await sendAll(url, request);
    }
  };
  const sending = Promise.all(lanes.map(sendLane)).then(onSent);
  const following = (heads ?? inclusion).until(messages);
  try {
    await Promise.all([sending, following]);
  } finally {
    failed = true;
    (heads ?? inclusion).close();
  }
  await onIncluded?.();
  if (heads !== null) await inclusion.until(messages);
  inclusion.check();
  await load.verify(inclusion.blocks.map(({ height }) => height));
  const { blocks, waits } = inclusion;
  const seconds = (blocks.at(-1)!.seenMs - blocks[0]!.seenMs) / 1_000;
  // What the first block had was gathered before it.
  const counted = blocks.slice(1).reduce((sum, block) => sum + block.items, 0);
  const rank = (share: number): number => waits[Math.max(0, Math.ceil(share * waits.length) - 1)]!;
  return {
    items: messages * load.itemsPerMessage,
    perSecond: counted === 0 ? Number.NaN : (counted * load.itemsPerMessage) / seconds,
    p50Ms: rank(0.5),
    p99Ms: rank(0.99),
    blocks: blocks.length,
  };
}

/** One of each list in turn: nonces of a list stay in order. */
function interleave(lists: readonly (readonly SignedItem[])[]): readonly SignedItem[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat();
}
