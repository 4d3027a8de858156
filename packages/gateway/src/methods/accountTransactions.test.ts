import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ActionPayload,
  type ActionResult,
  type BlockPlace,
  encodeNativeTransaction,
  nativeTransactionHash,
} from '@prime/codec';
import { keccakHex } from '@prime/crypto';
import type { Address, Hex, Height } from '@prime/primitives';
import { type AccountQuery, historyPruned } from '@prime/rpc';
import { parseTransaction, serializeTransaction } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { addressOf } from '../testing/fakeNode.ts';
import { type RunningGateway, startGateway } from '../testing/testGateway.ts';

interface Shown {
  readonly transactions: readonly {
    readonly roles: readonly string[];
    readonly status: string;
    readonly transaction: { readonly hash: string; readonly blockNumber: string; readonly transactionIndex: string };
  }[];
  readonly next: { readonly block_number: string; readonly transaction_index: string } | null;
  readonly oldest_block: string;
}

const alice = addressOf('alice');
const bob = addressOf('bob');
const agent = addressOf('agent');
const done: ActionResult = { ok: true, value: { type: 'done' } };
const refused: ActionResult = { ok: false, error: { code: 'CLOB_NONCE', message: 'nonce was used', data: {} } };

function actionOf(account: Address, payload: ActionPayload, result: ActionResult) {
  const raw = encodeNativeTransaction({
    chainId: 7919,
    nonce: 1_700_000_000_000,
    expiresAt: 0,
    account,
    payload,
    signatureKind: 'raw',
    signature: new Uint8Array(65),
  });
  return { raw, hash: nativeTransactionHash(raw), result };
}

describe('prime_getAccountTransactions', () => {
  let running: RunningGateway;
  let signed: Hex;
  const transferOf = (raw: Hex, to: Address) => ({
    raw: Uint8Array.from(Buffer.from(raw.slice(2), 'hex')),
    from: alice,
    to,
    type: 2,
    effectiveGasPrice: 1n,
  });
  /** What history has of everyone who asks, the last first: two actions behind a transaction in block 2, a transaction in block 1. */
  const places: readonly BlockPlace[] = [
    { height: 2 as Height, index: 2 },
    { height: 2 as Height, index: 1 },
    { height: 2 as Height, index: 0 },
    { height: 1 as Height, index: 0 },
  ];
  let asked: AccountQuery[] = [];
  const list = (...params: unknown[]): Promise<Shown> =>
    running.call('prime_getAccountTransactions', ...params) as Promise<Shown>;

  beforeAll(async () => {
    running = await startGateway({ limits: { recentBlocks: 1 } });
    const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
    const fields = { type: 'eip1559', chainId: 7919, gas: 21_000n, maxFeePerGas: 10n ** 10n } as const;
    signed = (await account.signTransaction({ ...fields, to: bob as `0x${string}`, value: 5n })) as Hex;
    const toSelf = (await account.signTransaction({ ...fields, nonce: 1, to: alice as `0x${string}` })) as Hex;
    const { gateway, node } = running;
    gateway.applyDelta(node.commit({ transactions: [transferOf(signed, bob)] }));
    gateway.applyDelta(
      node.commit({
        transactions: [transferOf(toSelf, alice)],
        actions: [
          actionOf(alice, { type: 'transfer', to: bob, amount: 7n }, done),
          actionOf(
            bob,
            {
              type: 'batch',
              items: [{ type: 'noop' }, { type: 'approveAgent', agent: alice, expiry: 0, permissions: 1, name: 'a' }],
            },
            refused,
          ),
        ],
      }),
    );
  });
  beforeEach(() => {
    asked = [];
    running.node.accountPlaces = (query) => {
      asked.push(query);
      const { before, count } = query;
      const isInFront = ({ height, index }: BlockPlace): boolean =>
        height < before.height || (height === before.height && index < before.index);
      return { places: places.filter(isInFront).slice(0, count), oldest: 1 as Height };
    };
  });
  afterAll(() => running.gateway.close());

  it('shows transactions and actions as they are shown by hash, with what the account is to each', async () => {
    const ofAlice = await list(alice);
    expect(ofAlice).toMatchObject({ next: null, oldest_block: '0x1' });
    expect(ofAlice.transactions.map(({ roles, status }) => [roles, status])).toEqual([
      [['named'], '0x0'],
      [['sender'], '0x1'],
      [['sender', 'recipient'], '0x1'],
      [['sender'], '0x1'],
    ]);
    for (const { transaction } of ofAlice.transactions)
      expect(transaction).toEqual(await running.call('eth_getTransactionByHash', transaction.hash));
    expect(ofAlice.transactions[3]!.transaction.hash).toBe(
      keccakHex(Uint8Array.from(Buffer.from(signed.slice(2), 'hex'))),
    );
    expect((await list(bob)).transactions.map(({ roles }) => roles)).toEqual([
      ['sender'],
      ['named'],
      [],
      ['recipient'],
    ]);
    expect((await list(agent)).transactions.slice(0, 2).map(({ roles }) => roles)).toEqual([['agent'], ['agent']]);
  });

  it('pages of any length follow one another without a gap', async () => {
    for (const limit of [1, 2, 3, 4]) {
      const shown: string[] = [];
      let before: Shown['next'] = null;
      do {
        const page = await list(alice, { limit, before });
        expect(page.transactions.length).toBeLessThanOrEqual(limit);
        shown.push(
          ...page.transactions.map(
            ({ transaction: { blockNumber, transactionIndex } }) => `${blockNumber} ${transactionIndex}`,
          ),
        );
        before = page.next;
      } while (before !== null);
      expect(shown).toEqual(['0x2 0x2', '0x2 0x1', '0x2 0x0', '0x1 0x0']);
    }
  });

  it('reads the outcomes of a block once, however much of the page it holds', async () => {
    const { asked: reads } = running.node;
    const before = reads['receipts'] ?? 0;
    // One transaction is in block 1, which is in memory no more; a page that names it thrice asks for its receipts once.
    running.node.accountPlaces = () => ({
      places: Array.from({ length: 3 }, () => ({ height: 1 as Height, index: 0 })),
      oldest: 1 as Height,
    });
    expect((await list(alice, { limit: 50 })).transactions).toHaveLength(3);
    expect((reads['receipts'] ?? 0) - before).toBe(1);
  });

  it('asks history for nothing behind the head of the gateway, and for one more than it shows', async () => {
    await list(alice, { limit: 3 });
    await list(alice, { limit: 100, before: { block_number: '0xfffff', transaction_index: 9 } });
    await list(alice, { before: { block_number: 2, transaction_index: '0x1' } });
    expect(asked.map(({ before: { height, index }, count }) => [height, index, count])).toEqual([
      [3, 0, 4],
      [3, 0, 101],
      [2, 1, 26],
    ]);
  });

  it('a page ends where its transactions become large, and the next one goes on there', async () => {
    const { gateway, node } = running;
    const large = serializeTransaction(
      { type: 'eip1559', chainId: 7919, data: `0x${'ff'.repeat(600_000)}` },
      { r: '0x1', s: '0x1', yParity: 0 },
    );
    expect(parseTransaction(large).data).toHaveLength(1_200_002);
    gateway.applyDelta(node.commit({ transactions: [0, 1, 2].map(() => transferOf(large as Hex, bob)) }));
    const { height } = node;
    running.node.accountPlaces = ({ before, count }) => ({
      places: [2, 1, 0]
        .map((index) => ({ height, index }))
        .filter(({ index }) => before.height > height || index < before.index)
        .slice(0, count),
      oldest: 1 as Height,
    });
    const first = await list(bob);
    expect(first.transactions).toHaveLength(1);
    expect(first.next).toEqual({ block_number: '0x3', transaction_index: '0x2' });
    const second = await list(bob, { before: first.next });
    expect(second.next).toEqual({ block_number: '0x3', transaction_index: '0x1' });
    expect((await list(bob, { before: second.next })).next).toBeNull();
  });

  it('says what a node that prunes began with, and that a block has gone meanwhile', async () => {
    running.node.accountPlaces = () => ({ places: [], oldest: 77 as Height });
    expect(await list(addressOf('nobody'))).toEqual({ transactions: [], next: null, oldest_block: '0x4d' });
    const { block } = running.node.backends.reader;
    running.node.accountPlaces = () => ({ places: [{ height: 1 as Height, index: 0 }], oldest: 1 as Height });
    running.node.backends.reader.block = async () => {
      throw historyPruned(1, 2);
    };
    expect(await running.failure('prime_getAccountTransactions', addressOf('late'))).toMatchObject({
      code: 4444,
      message: expect.stringMatching(/block 1 is older than 2/),
    });
    running.node.backends.reader.block = block;
  });

  it.each([
    ['no address', []],
    ['a page of none', [alice, { limit: 0 }]],
    ['a page of too many', [alice, { limit: 101 }]],
    ['a page of less than none', [alice, { limit: -1 }]],
    ['a part of a place', [alice, { before: { block_number: '0x1' } }]],
    ['a word', [alice, 'latest']],
    ['an unknown part', [alice, { after: 1 }]],
  ])('refuses %s, and says what is allowed', async (_, params) => {
    expect(await running.failure('prime_getAccountTransactions', ...params)).toMatchObject({ code: -32602 });
    expect(asked).toEqual([]);
  });
});
