import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runStory } from '@prime/examples';
import { rpc } from '@prime/load/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';

let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({ validators: 4 });
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

interface Block {
  readonly number: string;
  readonly hash: string;
  readonly stateRoot: string;
}
const { call, heightOf } = nodesOf(() => testnet);
const block = (index: number, height: string): Promise<Block> => call(index, 'eth_getBlockByNumber', [height, false]);

/** The same block hash and state root at one height on the given validators. */
async function expectAgreement(height: string, indexes: readonly number[]): Promise<void> {
  const blocks = await Promise.all(indexes.map((index) => block(index, height)));
  for (const other of blocks) {
    expect(other.hash).toBe(blocks[0]!.hash);
    expect(other.stateRoot).toBe(blocks[0]!.stateRoot);
  }
}

describe('a network of four processes', () => {
  it('serves the demo: an ERC-20 with viem, a matched order, the same roots everywhere', async () => {
    const lines: string[] = [];
    const result = await runStory({ rpcUrls: testnet.urls(), log: (line) => lines.push(line) });
    expect(result.token.sender).toBe(750n * 10n ** 18n);
    expect(result.token.receiver).toBe(250n * 10n ** 18n);
    expect(result.market.filled).toBe(200n);
    expect(result.market.tradeCount).toBe(1);
    expect([result.market.bids, result.market.asks]).toEqual([0, 1]);
  });

  it('one validator killed: the others go on, and it catches up when it comes back', async () => {
    await testnet.kill(3, 'SIGKILL');
    const before = await heightOf(0);
    await until('three validators commit', async () => (await heightOf(0)) >= before + 3);
    const deposit = { address: '0x00000000000000000000000000000000000000d1', amount: '0x3e8' };
    await call(1, 'primeorders_depositCollateral', [deposit.address, deposit.amount]);
    const target = await heightOf(1);
    await testnet.start(3);
    await until('the killed one catches up', async () => (await heightOf(3)) >= target);
    await expectAgreement(`0x${target.toString(16)}`, [0, 1, 2, 3]);
  });

  it('all four killed and started again: nothing acknowledged is gone', async () => {
    const sender = (await call<string[]>(2, 'eth_accounts'))[5]!;
    const receiver = '0x00000000000000000000000000000000000000d2';
    const hash = await call<string>(2, 'eth_sendTransaction', [{ from: sender, to: receiver, value: '0x7b' }]);
    const receipt = await until('the transfer is committed', () =>
      call<{ blockNumber: string } | null>(2, 'eth_getTransactionReceipt', [hash]),
    );
    await Promise.all([0, 1, 2, 3].map((index) => testnet.kill(index, 'SIGKILL')));
    await testnet.startAll();
    for (const index of [0, 1, 2, 3]) {
      await until(
        'the balance is there',
        async () => BigInt(await rpc<string>(testnet.url(index), 'eth_getBalance', [receiver, 'latest'])) === 123n,
      );
    }
    await expectAgreement(receipt.blockNumber, [0, 1, 2, 3]);
    const head = await heightOf(0);
    await until('the network goes on', async () => (await heightOf(0)) > head + 1);
  });

  it('SIGTERM: a validator exits with 0, as it does within ten seconds only', async () => {
    expect(await testnet.kill(2, 'SIGTERM')).toBe(0);
    await testnet.start(2);
  });
});
