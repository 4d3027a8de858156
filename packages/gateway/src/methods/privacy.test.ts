import { afterEach, describe, expect, it } from '@jest/globals';
import type { DomainEvent } from '@prime/codec';
import { bytesToHex, hexToBytes, type Address, type Hash, type MarketId } from '@prime/primitives';
import { definitions } from '@prime/rpc';
import { privateKeyToAccount } from 'viem/accounts';
import { addressOf, FakeNode } from '../testing/fakeNode.ts';
import { askAt, devAddress, devKey, type RunningGateway, startGateway } from '../testing/testGateway.ts';

/** Both surfaces on both sides of the privacy fork, which is at block 2 here. */
const forkBlock = 2;
const alice = addressOf('alice');

const running: RunningGateway[] = [];
afterEach(() => Promise.all(running.splice(0).map(({ gateway }) => gateway.close())));

const marketAdded: DomainEvent = {
  domain: 'orders',
  kind: 'market_added',
  actionIndex: null,
  data: { market_id: 1 as MarketId, symbol: 'A/B', tick_size: 1n, lot_size: 1n, base_decimals: 18, quote_decimals: 18 },
};
const deposited: DomainEvent = {
  domain: 'orders',
  kind: 'collateral_deposited',
  actionIndex: null,
  data: { address: alice, amount: 1n, collateral: 1n },
};

interface Chain extends RunningGateway {
  readonly transactionHash: Hash;
  /** Commits the next block: a transfer and two events. */
  commit(): Promise<void>;
}

async function start(privacyForkBlock: number | null): Promise<Chain> {
  const node = new FakeNode();
  const gateway = await startGateway({ node, info: { privacyForkBlock } });
  running.push(gateway);
  const account = privateKeyToAccount(bytesToHex(devKey) as `0x${string}`);
  const commit = async (nonce: number): Promise<Hash> => {
    const raw = hexToBytes(
      await account.signTransaction({
        type: 'legacy',
        chainId: 7919,
        nonce,
        gas: 21_000n,
        gasPrice: 5n,
        to: alice as `0x${string}`,
      }),
    );
    const transaction = { raw, from: devAddress as Address, to: alice, type: 0, effectiveGasPrice: 5n };
    const delta = node.commit({ transactions: [transaction], events: [marketAdded, deposited] });
    gateway.gateway.applyDelta(delta);
    return delta.transactionHashes[0]!;
  };
  let nonce = 1;
  return {
    ...gateway,
    transactionHash: await commit(0),
    commit: async () => {
      await commit(nonce++);
    },
  };
}

const refused = (method: string) => ({
  code: -32004,
  message: `${method} is disabled on the public surface after the privacy fork`,
});

/** Calls that the fork hides, as clients make them. */
const hiddenCalls = (hash: Hash): readonly (readonly [string, readonly unknown[]])[] =>
  (['eth', 'prime'] as const)
    .flatMap((space): (readonly [string, readonly unknown[]])[] => [
      [`${space}_getBlockByNumber`, ['0x1', true]],
      [`${space}_getBlockByNumber`, ['pending', true]],
      [`${space}_getTransactionByHash`, [hash]],
      [`${space}_getTransactionReceipt`, [hash]],
      [`${space}_getLogs`, [{ fromBlock: '0x0', toBlock: 'latest' }]],
    ])
    .concat([
      ['eth_getBlockReceipts', ['0x1']],
      ['eth_getTransactionByBlockNumberAndIndex', ['0x1', '0x0']],
      ['eth_getTransactionByBlockHashAndIndex', [hash, '0x0']],
      ['prime_getDomainEvents', [{ fromBlock: '0x0', toBlock: 'latest' }]],
      ['prime_getDomainEvents', [{ fromBlock: '0x0', toBlock: 'latest', domain: 'orders' }]],
      ['prime_getDomainEvents', [{ fromBlock: '0x0', toBlock: 'latest', kind: 'trade' }]],
      ['primeorders_getOpenOrders', [alice]],
    ]);

const openCalls: readonly (readonly [string, readonly unknown[]])[] = [
  ['eth_getBlockByNumber', ['0x1', false]],
  ['eth_getBlockByNumber', ['latest']],
  ['prime_getBlockByNumber', ['0x1']],
  ['eth_getBlockTransactionCountByNumber', ['0x1']],
  ['prime_getDomainEvents', [{ fromBlock: '0x0', toBlock: 'latest', domain: 'validators' }]],
  ['prime_getDomainEvents', [{ fromBlock: '0x0', toBlock: 'latest', kind: 'market_added' }]],
  ['eth_getBalance', [alice]],
  ['txpool_status', []],
];

describe('privacy fork', () => {
  it('the block before it is the head: the public surface tells everything', async () => {
    const { url, transactionHash } = await start(forkBlock);
    for (const [method, params] of hiddenCalls(transactionHash))
      expect([method, params, (await askAt(url, method, params)).error]).toEqual([method, params, undefined]);
  });

  it('at its height: the public surface refuses what it hides, and serves the rest', async () => {
    const { url, transactionHash, commit } = await start(forkBlock);
    await commit();
    for (const [method, params] of hiddenCalls(transactionHash))
      expect([params, (await askAt(url, method, params)).error]).toEqual([params, refused(method)]);
    for (const [method, params] of openCalls)
      expect([method, params, (await askAt(url, method, params)).error]).toEqual([method, params, undefined]);
  });

  it('past it: every method that is marked so is refused, in a batch too', async () => {
    const { url, commit } = await start(forkBlock);
    for (let block = 0; block < 3; block++) await commit();
    const marked = definitions.filter(({ privacy }) => privacy === 'operatorAfterFork');
    expect(marked.length).toBeGreaterThan(8);
    const batch = marked.map(({ name, examples }, id) => ({
      jsonrpc: '2.0',
      id,
      method: name,
      params: examples[0]!.params,
    }));
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(batch),
    });
    expect(await response.json()).toEqual(marked.map(({ name }, id) => ({ jsonrpc: '2.0', id, error: refused(name) })));
  });

  it("past it: the operator's surface tells everything", async () => {
    const { operatorUrl, transactionHash, commit } = await start(forkBlock);
    await commit();
    for (const [method, params] of [...hiddenCalls(transactionHash), ...openCalls])
      expect([method, params, (await askAt(operatorUrl, method, params)).error]).toEqual([method, params, undefined]);
  });

  it('past it: a block shows the events that name no account, with their places', async () => {
    const { url, operatorUrl, commit } = await start(forkBlock);
    await commit();
    for (const method of ['eth_getBlockByNumber', 'prime_getBlockByNumber']) {
      const kinds = async (at: string): Promise<unknown> => {
        const { result } = await askAt(at, method, ['0x1']);
        return (result as { domain_events: { kind: string; index: string }[] }).domain_events.map(({ kind, index }) => [
          kind,
          index,
        ]);
      };
      expect(await kinds(url)).toEqual([['market_added', '0x0']]);
      expect(await kinds(operatorUrl)).toEqual([
        ['market_added', '0x0'],
        ['collateral_deposited', '0x1'],
      ]);
    }
  });

  it('a network without one: nothing is ever hidden', async () => {
    const { url, transactionHash, commit } = await start(null);
    for (let block = 0; block < 3; block++) await commit();
    for (const [method, params] of hiddenCalls(transactionHash))
      expect([method, params, (await askAt(url, method, params)).error]).toEqual([method, params, undefined]);
  });

  it('at block 0 it holds from the start', async () => {
    const { url, transactionHash } = await start(0);
    expect(await askAt(url, 'eth_getTransactionByHash', [transactionHash])).toMatchObject({
      error: refused('eth_getTransactionByHash'),
    });
  });
});
