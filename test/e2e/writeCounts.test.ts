/** What an item of the write path costs a validator, in counts that are the same on every machine. They may fall; what rises, somebody has to mean. */
import { describe, expect, it } from '@jest/globals';
import { cryptoProvider } from '@prime/crypto';
import { CountedNode, counterNames, type Counts, type LoadName, prepareLoad, sendLoad } from '@prime/loadtest';
import { createTestnet } from '@prime/testkit';

/** Messages of a run: enough that what a block costs by itself, and the start and end of a node, are little beside it. */
const messages: Readonly<Record<LoadName, number>> = { transfers: 1_280, erc20: 640, orders: 640, batches: 64 };
/** Blocks come so seldom, ms, that all messages are in a few of them, on a slow machine and on a fast one. */
const blockIntervalMs = 1_500;

/** Ceilings of one item: an order of a batch is one. Lower them when the code does better. */
const ceilings: Readonly<Record<LoadName, Counts>> = {
  transfers: { recoveries: 1.01, decodings: 1.1, encodings: 3.4, records: 1.5, bytes: 520, keccaks: 5.6 },
  erc20: { recoveries: 1.01, decodings: 1.1, encodings: 3.5, records: 2.1, bytes: 1_200, keccaks: 9.1 },
  orders: { recoveries: 1.01, decodings: 0.75, encodings: 4.9, records: 3.7, bytes: 620, keccaks: 5.1 },
  batches: { recoveries: 0.012, decodings: 0.28, encodings: 2.4, records: 1.6, bytes: 290, keccaks: 0.32 },
};

/** On a network of its own: what one load leaves behind is nothing that the next one pays for. */
async function countsOf(name: LoadName): Promise<Counts> {
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
    await sendLoad(load, {
      url,
      messages: messages[name],
      outstandingMax: messages[name],
      // What a reader makes a node do is no part of an item.
      unread: true,
      onIncluded: async () => {
        counts = await node.end(messages[name] * load.itemsPerMessage);
        // For who verifies what was included.
        await testnet.start(0);
      },
    });
    return counts!;
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
