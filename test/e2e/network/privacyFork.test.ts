import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RpcError, rpc } from '@prime/load/rpc';
import { sample } from '@prime/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';

/** A real network whose genesis names a fork block, asked over both surfaces before and after it. */
const forkBlock = 16;

let testnet: Testnet;
/** Of a transfer in a block before the fork. */
let hash: string;
let height: string;

beforeAll(async () => {
  testnet = await createTestnet({
    validators: 4,
    // What is asked before the fork has to be done by then.
    idlePace: 'still',
    genesis: (genesis) => {
      genesis['privacyForkBlock'] = forkBlock;
    },
  });
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

const head = async (): Promise<number> => Number(await rpc<string>(testnet.url(0), 'eth_blockNumber'));

const receiptOf = (node: number, of: string) =>
  rpc<{ blockNumber: string } | null>(testnet.operatorUrl(node), 'eth_getTransactionReceipt', [of]);

/** Sends 1 wei through a node and waits for its block; returns the hash. */
async function transfer(node: number): Promise<string> {
  const request = { from: sample.address, to: sample.otherAddress, value: '0x1' };
  const sent = await rpc<string>(testnet.url(node), 'eth_sendTransaction', [request]);
  await until('in a block', () => receiptOf(node, sent));
  return sent;
}

/** Code of the error that a call answers with; 0 when it has a result. */
async function codeOf(url: string, method: string, params: readonly unknown[]): Promise<readonly [string, number]> {
  try {
    await rpc(url, method, params);
    return [method, 0];
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (error.code === -32004)
      expect(error.message).toContain(`${method} is disabled on the public surface after the privacy fork`);
    return [method, error.code];
  }
}

/** What the fork hides, of a block from before it. */
const calls = (): readonly (readonly [string, readonly unknown[]])[] => [
  ['eth_getTransactionByHash', [hash]],
  ['prime_getTransactionByHash', [hash]],
  ['eth_getTransactionReceipt', [hash]],
  ['prime_getTransactionReceipt', [hash]],
  ['eth_getTransactionByBlockNumberAndIndex', [height, '0x0']],
  ['eth_getBlockReceipts', [height]],
  ['eth_getBlockByNumber', [height, true]],
  ['prime_getBlockByNumber', [height, true]],
  ['eth_getLogs', [{ fromBlock: height, toBlock: height }]],
  ['prime_getLogs', [{ fromBlock: height, toBlock: height }]],
  ['prime_getDomainEvents', [{ fromBlock: height, toBlock: height }]],
  ['primeorders_getOpenOrders', [sample.address]],
  ['txpool_content', []],
];

const codes = (url: string): Promise<(readonly [string, number])[]> =>
  Promise.all(calls().map(([method, params]) => codeOf(url, method, params)));
const all = (code: number): (readonly [string, number])[] => calls().map(([method]) => [method, code]);

describe('a network with a privacy fork', () => {
  it('before its height: every node tells everything on its public surface', async () => {
    hash = await transfer(0);
    height = (await receiptOf(0, hash))?.blockNumber ?? '';
    for (const url of testnet.urls()) {
      await until(
        'the block everywhere',
        async () => Number(await rpc<string>(url, 'eth_blockNumber')) >= Number(height),
      );
      expect(await codes(url)).toEqual(all(0));
    }
    expect(await head()).toBeLessThan(forkBlock);
  });

  it('from its height on: every node refuses it there, and its operator still sees it', async () => {
    while ((await head()) < forkBlock) await transfer(0);
    for (const [index, url] of testnet.urls().entries()) {
      await until('the fork', async () => Number(await rpc<string>(url, 'eth_blockNumber')) >= forkBlock);
      expect(await codes(url)).toEqual(all(-32004));
      expect(await codes(testnet.operatorUrl(index))).toEqual(all(0));
      expect(await codeOf(url, 'eth_getBlockByNumber', [height, false])).toEqual(['eth_getBlockByNumber', 0]);
    }
  });

  it('transactions go on as before', async () => {
    const late = await transfer(1);
    expect(await codeOf(testnet.url(1), 'eth_getTransactionReceipt', [late])).toEqual([
      'eth_getTransactionReceipt',
      -32004,
    ]);
  });
});
