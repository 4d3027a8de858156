import { HistoryPrunedError, type PrimeActions } from '@prime/sdk';

/** Times of blocks, which never change: each is asked for once. */
export interface BlockTimes {
  /** ms since 1970; undefined where the node has no such block, or not any more. */
  timeOf(block: bigint): Promise<number | undefined>;
  /** The first block whose time is not before `ms`, at most `head` + 1. Blocks that the node deleted count as earlier. */
  firstSince(ms: number, head: bigint): Promise<bigint>;
}

/** Times that are kept. */
const keptMax = 10_000;

/**
 * Keeps the times of the latest 10 000 blocks that were asked for; a block that the node lacks is asked for again.
 */
export function createBlockTimes(reader: Pick<PrimeActions, 'getNativeBlock'>): BlockTimes {
  const times = new Map<bigint, Promise<number | undefined>>();

  const ask = async (block: bigint): Promise<number | undefined> => {
    try {
      return (await reader.getNativeBlock({ block }))?.timestampMs;
    } catch (thrown) {
      if (thrown instanceof HistoryPrunedError) return undefined;
      throw thrown;
    }
  };

  const timeOf = (block: bigint): Promise<number | undefined> => {
    const known = times.get(block);
    if (known !== undefined) return known;
    const asked = ask(block);
    times.set(block, asked);
    if (times.size > keptMax) times.delete(times.keys().next().value!);
    // What is not known yet may be later.
    const forget = (): unknown => times.delete(block);
    asked.then((time) => time === undefined && forget(), forget);
    return asked;
  };

  return {
    timeOf,
    async firstSince(ms, head) {
      let [low, high] = [0n, head + 1n];
      while (low < high) {
        const middle = (low + high) / 2n;
        const time = await timeOf(middle);
        if (time === undefined || time < ms) low = middle + 1n;
        else high = middle;
      }
      return low;
    },
  };
}
