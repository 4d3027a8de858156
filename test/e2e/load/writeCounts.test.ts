/** What an item of the write path costs a validator, in counts that are the same on every machine. They may fall; what rises, somebody has to mean. */
import { describe, expect, it } from '@jest/globals';
import { cryptoProvider } from '@prime/crypto';
import { CountedNode, counterNames, type Counts, type LoadName, prepareLoad, sendLoad } from '@prime/loadtest';
import { createTestnet } from '@prime/testkit';

/** Messages of a run: few enough for one block, and enough that what a block costs by itself, and the start and end of a node, are little beside it. */
const messages: Readonly<Record<LoadName, number>> = { transfers: 1_280, erc20: 640, orders: 640, batches: 64 };
/** Least time from block to block, ms. Where a machine does not send everything within one, they come more seldom. */
const blockIntervalsMs = [2_000, 6_000, 18_000];

/** Ceilings of one item: an order of a batch is one. Lower them when the code does better. */
const ceilings: Readonly<Record<LoadName, Counts>> = {
  transfers: { recoveries: 1.01, decodings: 1.25, encodings: 3.2, records: 1.3, bytes: 440, keccaks: 5.4 },
  erc20: { recoveries: 1.01, decodings: 1.25, encodings: 3.3, records: 1.8, bytes: 1_100, keccaks: 8.8 },
  orders: { recoveries: 1.01, decodings: 1.7, encodings: 4.6, records: 3.2, bytes: 580, keccaks: 4.8 },
  batches: { recoveries: 0.012, decodings: 0.22, encodings: 2.7, records: 1.3, bytes: 275, keccaks: 0.25 },
};

/** All messages in one block: each block costs something by itself, and what one leaves in the book, the next one loads. @throws Error when they never are */
async function countsOf(name: LoadName): Promise<Counts> {
  for (const blockIntervalMs of blockIntervalsMs) {
    const { counts, blocks } = await countedRun(name, blockIntervalMs);
    if (blocks === 1) return counts;
  }
  throw new Error(`${messages[name]} messages are never in one block`);
}

/** On a network of its own: what one load leaves behind is nothing that the next one pays for. */
async function countedRun(
  name: LoadName,
  blockIntervalMs: number,
): Promise<{ readonly counts: Counts; readonly blocks: number }> {
  const testnet = await createTestnet({
    validators: 1,
    genesis: (genesis) => {
      Object.assign(genesis['consensus'] as object, {
        minBlockIntervalMs: blockIntervalMs,
        emptyBlockIntervalMs: 600_000,
        maxBlockBytes: 1 << 20,
      });
      // A node begins with blocks that are a quarter of what is allowed.
      Object.assign(genesis['evm'] as object, { gasLimit: '400000000' });
    },
  });
  try {
    const node = new CountedNode(testnet, 0);
    await testnet.start(0);
    const url = testnet.url(0);
    const load = await prepareLoad(name, { url, provider: await cryptoProvider() });
    await node.begin();
    let counts: Counts | null = null;
    const { blocks } = await sendLoad(load, {
      url,
      messages: messages[name],
      outstandingMax: Number.MAX_SAFE_INTEGER,
      // What a reader makes a node do is no part of an item.
      unread: true,
      onIncluded: async () => {
        counts = await node.end(messages[name] * load.itemsPerMessage);
        // For who verifies what was included.
        await testnet.start(0);
      },
    });
    return { counts: counts!, blocks };
  } finally {
    await testnet.destroy();
  }
}

describe('counts of an item', () => {
  it.each(Object.entries(ceilings) as [LoadName, Counts][])('%s', async (name, ceiling) => {
    const counts = await countsOf(name);
    const rose = counterNames.filter((counter) => counts[counter] > ceiling[counter]);
    expect({ counts, rose }).toEqual({ counts, rose: [] });
    // A counter that sees nothing any more would never rise.
    const blind = counterNames.filter((counter) => counts[counter] === 0);
    expect(blind).toEqual([]);
  });
});
