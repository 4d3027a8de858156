import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Hash } from '@prime/primitives';
import { definitions } from '@prime/rpc';
import { addressOf, hashOf } from '../testing/fakeNode.ts';
import { type RunningGateway, startGateway } from '../testing/testGateway.ts';

/** Every method with a block parameter takes every way to name a block: numbers, tags, hashes and EIP-1898 objects. */
const account = addressOf('alice');
const before: Readonly<Record<string, readonly unknown[]>> = {
  getBalance: [account],
  getTransactionCount: [account],
  getCode: [account],
  getStorageAt: [account, '0x0'],
  getProof: [account, []],
  call: [{ to: account }],
  estimateGas: [{ to: account }],
  feeHistory: ['0x1'],
};
const after: Readonly<Record<string, readonly unknown[]>> = {
  getBlockByNumber: [false],
  getTransactionByBlockNumberAndIndex: ['0x0'],
  getUncleByBlockNumberAndIndex: ['0x0'],
  feeHistory: [[]],
};
const alone = ['getBlockReceipts', 'getBlockTransactionCountByNumber', 'getUncleCountByBlockNumber'];
const names = [...new Set([...Object.keys(before), ...Object.keys(after), ...alone])];
const methods = definitions.map(({ name }) => name).filter((name) => names.includes(name.replace(/^(eth|prime)_/, '')));

describe('block parameters', () => {
  let running: RunningGateway;
  beforeAll(async () => {
    running = await startGateway();
    for (let count = 0; count < 3; count++) running.gateway.applyDelta(running.node.commit());
  });
  afterAll(() => running.gateway.close());

  const paramsOf = (method: string, block: unknown): unknown[] => {
    const name = method.replace(/^(eth|prime)_/, '');
    return [...(before[name] ?? []), block, ...(after[name] ?? [])];
  };

  it('are looked at for both name spaces', () => {
    expect(methods.length).toBeGreaterThan(names.length);
  });

  for (const method of methods) {
    it(`${method}: a number, a tag, a hash and EIP-1898 objects name the same block`, async () => {
      const hash: Hash = hashOf('block 2');
      const same = [
        2,
        '0x2',
        hash,
        { blockNumber: '0x2' },
        { blockNumber: 2 },
        { blockHash: hash },
        { blockHash: hash, requireCanonical: true },
      ];
      const expected = await running.call(method, ...paramsOf(method, '0x2'));
      for (const block of same)
        expect([block, await running.call(method, ...paramsOf(method, block))]).toEqual([block, expected]);
      for (const tag of ['latest', 'earliest', 'safe', 'finalized', 'pending', { blockNumber: 'latest' }])
        await running.call(method, ...paramsOf(method, tag));
    });

    // "always 0x0", whatever is asked.
    if (method !== 'eth_getUncleCountByBlockNumber')
      it(`${method}: a hash that no block has is not some other block`, async () => {
        const unknown = { blockHash: hashOf('no block') };
        const answer = await running
          .call(method, ...paramsOf(method, unknown))
          .catch((error: unknown) => String(error));
        expect(answer ?? 'not found').toEqual(expect.stringMatching(/not found|beyond head/));
      });
  }
});
