/** What an item of the write path costs a validator, in counts that are the same on every machine. They may fall; what rises, somebody has to mean. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cryptoProvider } from '@prime/crypto';
import { rpc } from '@prime/load/rpc';
import { CountedNode, counterNames, type Counts, type LoadName, prepareLoad, sendLoad } from '@prime/loadtest';
import { createTestnet, type Testnet, until } from '@prime/testkit';

/** Messages of a load: few enough for one block, and enough that what a block costs by itself, and the start and end of a node, are little beside it. */
const messages: Readonly<Record<LoadName, number>> = { transfers: 1_280, erc20: 640, orders: 640, batches: 64 };

/** Ceilings of one item: an order of a batch is one. Lower them when the code does better. */
const ceilings: Readonly<Record<LoadName, Counts>> = {
  transfers: { recoveries: 1.01, decodings: 1.1, encodings: 3.2, records: 1.12, bytes: 430, keccaks: 5.4 },
  erc20: { recoveries: 1.01, decodings: 1.25, encodings: 3.4, records: 1.32, bytes: 1_060, keccaks: 8.8 },
  orders: { recoveries: 1.01, decodings: 1.55, encodings: 1.35, records: 2.4, bytes: 570, keccaks: 4.7 },
  batches: { recoveries: 0.012, decodings: 0.2, encodings: 0.06, records: 0.41, bytes: 260, keccaks: 0.25 },
};

let testnet: Testnet;
let node: CountedNode;

beforeAll(async () => {
  testnet = await createTestnet({
    validators: 1,
    remoteSigners: true,
    idlePace: 'still',
    // Nothing is given up for that waits for the signer, and no block is too slow for the ones after it to be as large.
    environment: { PRIME_CONSENSUS_PROPOSE_MS: '60000' },
    genesis: (genesis) => {
      // A second, so that the node is ended before the block that only has the results of the load.
      Object.assign(genesis['consensus'] as object, { minBlockIntervalMs: 1_000, maxBlockBytes: 1 << 20 });
      // A node begins with blocks that are a quarter of what is allowed.
      Object.assign(genesis['evm'] as object, { gasLimit: '400000000' });
    },
  });
  node = new CountedNode(testnet, 0);
  await testnet.signer(0).start();
  await testnet.start(0);
});
afterAll(() => testnet.destroy());

/** Round in progress, -1 while there is none, and how many messages wait for the signer. */
async function consensus(): Promise<{ readonly round: number; readonly signer: { readonly waiting: number } }> {
  return (await (await fetch(`${testnet.adminUrl(0)}/consensus`)).json()) as Awaited<ReturnType<typeof consensus>>;
}

/** The chain has nothing to do: its newest block has no more than the results of the one before. */
async function becomesStill(): Promise<void> {
  const url = testnet.url(0);
  await until('the newest block is empty', async () => {
    const { transactions } = await rpc<{ transactions: unknown[] }>(url, 'eth_getBlockByNumber', ['latest', false]);
    const { actions } = await rpc<{ actions: unknown[] }>(url, 'prime_getBlockByNumber', ['latest', false]);
    return transactions.length + actions.length === 0 && (await consensus()).round === -1;
  });
}

/** From now on blocks wait for the signer to go on: the next one has a transfer, and the one after it all that has come by then. */
async function holdBlocks(): Promise<void> {
  await becomesStill();
  testnet.signer(0).signal('SIGSTOP');
  const url = testnet.url(0);
  const account = (await rpc<string[]>(url, 'eth_accounts')).at(-1);
  await rpc(url, 'eth_sendTransaction', [{ from: account, to: account, value: '0x1' }]);
  await until('the proposal waits to be signed', async () => (await consensus()).signer.waiting > 0);
}

/** All messages in one block: each block costs something by itself, and what one leaves in the book, the next one loads. */
async function countsOf(name: LoadName): Promise<Counts> {
  const url = testnet.url(0);
  const load = await prepareLoad(name, { url, provider: await cryptoProvider() });
  await holdBlocks();
  await node.begin();
  let counts: Counts | null = null;
  const { blocks } = await sendLoad(load, {
    url,
    messages: messages[name],
    outstandingMax: Number.MAX_SAFE_INTEGER,
    // What a reader makes a node do is no part of an item.
    unread: true,
    onSent: () => testnet.signer(0).signal('SIGCONT'),
    onIncluded: async () => {
      counts = await node.end(messages[name] * load.itemsPerMessage);
      // For who verifies what was included, and for the next load.
      await testnet.start(0);
    },
  });
  expect(blocks).toBe(1);
  return counts!;
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
