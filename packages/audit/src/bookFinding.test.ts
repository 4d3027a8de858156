import { describe, expect, it } from '@jest/globals';
import { type ActionResult, encodeGlobalRecord, type GlobalRecord } from '@prime/codec';
import { bytesToHex } from '@prime/primitives';
import { Audit } from './audit.ts';
import type { AuditedNode } from './rpc/call.ts';
import { bookFinding } from './bookFinding.ts';
import { addressOf, hashOf } from './testing/blocks.ts';
import { depositOf, FakeNode, fakeGenesis } from './testing/fakeNode.ts';

const alice = addressOf('a1');
const hex = (value: bigint): string => `0x${value.toString(16)}`;

/** A node whose only account deposits one wei in each of the first blocks; the head goes on with every look at it. */
function depositing(until: number, last = until): FakeNode {
  const node = new FakeNode(fakeGenesis);
  for (let height = 1; height <= until; height++) {
    const value = { type: 'deposit', address: alice, amount: 1n, collateral: BigInt(height) } as const;
    const result: ActionResult = { ok: true, value };
    node.actions.set(height, [{ raw: depositOf(alice, 1n, height), hash: hashOf(`deposit ${height}`), result }]);
  }
  const collateral = (): string => hex(BigInt(Math.min(node.head, until)));
  node.answers.set('eth_blockNumber', () => hex(BigInt((node.head = Math.min(node.head + 1, last)))));
  node.answers.set('primeorders_getMarkets', () =>
    fakeGenesis.markets.map(() => ({ last_price: null, mark_price: null })),
  );
  node.answers.set('primeorders_getOrderBook', () => ({ bids: [], asks: [] }));
  node.answers.set('primeorders_getAccount', () => ({
    collateral: collateral(),
    free_collateral: collateral(),
    withdrawable: collateral(),
    locked: false,
    open_orders: '0x0',
    positions: [],
  }));
  node.answers.set('eth_getBalance', collateral);
  const { initialMarginBps, maintenanceMarginBps } = fakeGenesis.clob;
  const totals = {
    nextOrderId: 1,
    nextTradeId: 1,
    nextMarketId: 2,
    nextTransferId: 1,
    insurance: 0n,
    totalDeposits: 0n,
    totalWithdrawals: 0n,
    defaultMargin: { initialMarginBps, maintenanceMarginBps },
  } as GlobalRecord;
  node.answers.set('primeorders_getProof', () => ({
    record: { key: '0x00', value: bytesToHex(encodeGlobalRecord(totals)) },
  }));
  return node;
}
const judged = (nodes: readonly AuditedNode[]) =>
  bookFinding({ nodes, audit: new Audit(fakeGenesis), genesis: fakeGenesis, pause: () => Promise.resolve() });

describe('the order book of a chain that goes on', () => {
  it('is compared while every block changes it: an answer is right at the height where it was given', async () => {
    const node = depositing(1000);
    // Each question comes one block later.
    const counting = async (method: string, params?: readonly unknown[]): Promise<unknown> => {
      node.head++;
      return node.call(method, params);
    };
    const { violations, seen } = await judged([{ name: 'busy', call: counting }]);
    expect(violations).toEqual([]);
    expect(seen).toMatch(/^1 accounts, 0 open orders, \d+ books on 1 nodes at blocks \d+ to \d+$/);
  });

  it.each([
    ['before the first look', -1, false],
    ['of the first look', 0, true],
    ['of the last look', 2, true],
    ['after the last look', 3, false],
  ])('an answer of the block %s', async (_when, by, isRight) => {
    const node = depositing(1000);
    const begin = node.head + 1;
    node.answers.set('eth_getBalance', () => hex(BigInt(begin + by)));
    const { violations, seen } = await judged([node]);
    expect(seen).toContain(`blocks ${begin} to ${begin + 2}`);
    expect(violations).toEqual(isRight ? [] : [expect.stringContaining('answers wei in escrow')]);
  });

  it('empty blocks do not matter', async () => {
    expect((await judged([depositing(1, 1000)])).violations).toEqual([]);
  });

  it('is compared when the node that tells the blocks comes after the others', async () => {
    const [slow, fast] = [depositing(1, 1000), depositing(1, 1000)];
    const ahead = 7n;
    fast.answers.set('eth_blockNumber', () => hex(BigInt((fast.head = fast.head + 1)) + ahead));
    expect((await judged([slow, { name: 'fast', call: fast.call }])).violations).toEqual([]);
  });

  it('differs: node, account and both values are told', async () => {
    const [right, wrong] = [depositing(2), depositing(2)];
    wrong.answers.set('eth_getBalance', () => '0x9');
    const liar: AuditedNode = { name: 'liar', call: wrong.call };
    const { violations } = await judged([right, liar]);
    expect(violations).toEqual([expect.stringMatching(/^liar answers wei in escrow: validator .*9n.*model .*2n/)]);
  });

  it('a node that stays behind is told, with both heights', async () => {
    const behind: AuditedNode = { name: 'behind', call: depositing(1).call };
    const { violations } = await judged([depositing(7), behind]);
    expect(violations).toEqual(
      expect.arrayContaining([expect.stringMatching(/^behind stays at block 1, others have \d$/)]),
    );
  });

  it('faults of the replay are told with it', async () => {
    const node = depositing(2);
    node.actions.set(2, [{ ...node.actions.get(2)![0]!, result: { ok: true, value: { type: 'done' } } }]);
    expect((await judged([node])).violations[0]).toMatch(/^block 2, action 0 \(deposit/);
  });
});
