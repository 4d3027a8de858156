import { describe, expect, it } from '@jest/globals';
import { genesisHash } from '@prime/codec';
import { Answer } from './answer.ts';
import { allInOrder } from './call.ts';
import type { DecidedBlock } from '../decidedBlock.ts';
import { readBlocksByRpc } from './rpcBlocks.ts';
import { readGenesisByRpc } from './rpcGenesis.ts';
import { addressOf, done, hashOf, refusal } from '../testing/blocks.ts';
import { depositOf, FakeNode, fakeGenesis } from '../testing/fakeNode.ts';

async function blocksOf(node: FakeNode, from: number, to: number): Promise<DecidedBlock[]> {
  const blocks: DecidedBlock[] = [];
  for await (const block of readBlocksByRpc(node.call, { chainId: 7919, from, to, width: 3 })) blocks.push(block);
  return blocks;
}
const code = (name: string, detail: object = {}) =>
  expect.objectContaining({ code: name, detail: expect.objectContaining(detail) }) as never;

describe('decided blocks over JSON-RPC', () => {
  it('come in order, and only what is there is asked for', async () => {
    const node = new FakeNode(fakeGenesis);
    node.head = 9;
    const raw = depositOf(addressOf('a1'), 5n, 1);
    node.actions.set(4, [{ raw, hash: hashOf('x'), result: done }]);
    const blocks = await blocksOf(node, 1, 9);
    expect(blocks.map(({ height }) => height)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(blocks[3]).toMatchObject({
      timeMs: 1_700_000_004_000,
      hash: hashOf('block 4'),
      baseFee: 7n,
      results: [done],
    });
    expect(blocks[3]!.actions[0]!.transaction).toMatchObject({
      account: addressOf('a1'),
      payload: { type: 'deposit', amount: 5n },
    });
    expect(node.asked.filter((method) => method !== 'prime_getBlockByNumber')).toEqual(['prime_getBlockActions']);
    expect(await blocksOf(node, 5, 4)).toEqual([]);
  });

  it('the same action in two blocks has in each what it answered there', async () => {
    const node = new FakeNode(fakeGenesis);
    node.head = 2;
    const raw = depositOf(addressOf('a1'), 5n, 1);
    node.actions.set(1, [{ raw, hash: hashOf('x'), result: done }]);
    node.actions.set(2, [{ raw, hash: hashOf('x'), result: refusal('CLOB_NONCE') }]);
    expect((await blocksOf(node, 1, 2)).map(({ results }) => results)).toEqual([[done], [refusal('CLOB_NONCE')]]);
  });

  it('a block that the node does not have ends it', async () => {
    const node = new FakeNode(fakeGenesis);
    node.head = 2;
    await expect(blocksOf(node, 1, 3)).rejects.toThrow(code('AUDIT_BLOCK_MISSING', { height: 3, head: 2n }));
  });

  it('an action with a broken signature, or of another chain, ends it', async () => {
    const raw = depositOf(addressOf('a1'), 5n, 1);
    const node = new FakeNode({ ...fakeGenesis, chainId: 7919 });
    node.head = 1;
    const broken = raw.slice();
    broken.fill(0xff, -33, -1);
    node.actions.set(1, [{ raw: broken, hash: hashOf('x'), result: done }]);
    await expect(blocksOf(node, 1, 1)).rejects.toThrow(code('AUDIT_ACTION_INVALID', { height: 1 }));
    node.actions.set(1, [{ raw, hash: hashOf('x'), result: done }]);
    const other = readBlocksByRpc(node.call, { chainId: 1, from: 1, to: 1 });
    await expect(other.next()).rejects.toThrow(code('AUDIT_ACTION_INVALID', { height: 1 }));
  });

  it.each<[string, object, string]>([
    ['no time', { timestamp_ms: undefined }, 'result.timestamp_ms'],
    ['a time beyond 2^53', { timestamp_ms: '0x20000000000000' }, 'result.timestamp_ms'],
    ['a short hash', { hash: '0x12' }, 'result.hash'],
    ['a number for a fee', { base_fee: 7 }, 'result.base_fee'],
    ['no list of transactions', { transactions: {} }, 'result.transactions'],
  ])('a block with %s is told by its field', async (_what, change, field) => {
    const node = new FakeNode(fakeGenesis);
    node.head = 1;
    const right = node.answers.get('prime_getBlockByNumber')! as (height: string) => object;
    node.answers.set('prime_getBlockByNumber', (height: string) => ({ ...right(height), ...change }));
    await expect(blocksOf(node, 1, 1)).rejects.toThrow(
      code('AUDIT_ANSWER_UNREADABLE', { method: 'prime_getBlockByNumber', field }),
    );
  });

  it('a failed call ends it with what it failed with', async () => {
    const node = new FakeNode(fakeGenesis);
    node.head = 5;
    node.answers.delete('prime_getBlockByNumber');
    await expect(blocksOf(node, 1, 5)).rejects.toThrow('the method prime_getBlockByNumber does not exist');
  });
});

describe('the genesis over JSON-RPC', () => {
  it('is the one of the node, by its hash', async () => {
    const genesis = await readGenesisByRpc(new FakeNode(fakeGenesis).call);
    expect(genesisHash(genesis)).toBe(genesisHash(fakeGenesis));
  });

  it('is refused where the node runs on another one', async () => {
    const node = new FakeNode(fakeGenesis);
    const other = new FakeNode({ ...fakeGenesis, networkName: 'other' });
    node.answers.set('prime_getGenesis', other.answers.get('prime_getGenesis')!);
    await expect(readGenesisByRpc(node.call)).rejects.toThrow(
      code('AUDIT_ANSWER_UNREADABLE', { method: 'prime_getGenesis' }),
    );
  });
});

describe('answers', () => {
  it('null is no address, and an address may be missing', () => {
    const answer = new Answer('m', { to: null });
    expect(answer.field('to').addressOrNull()).toBeNull();
    expect(() => answer.field('to').address()).toThrow(code('AUDIT_ANSWER_UNREADABLE', { field: 'result.to' }));
  });

  it('numbers may be negative, and have hex digits', () => {
    expect(new Answer('m', '-0x1f').quantity()).toBe(-31n);
    for (const value of ['31', '0x', '0xg', 31, null, undefined])
      expect(() => new Answer('m', value).quantity()).toThrow(code('AUDIT_ANSWER_UNREADABLE', { method: 'm' }));
  });
});

describe('work in order', () => {
  it('never has more under way than its width, and keeps the order', async () => {
    let [running, most] = [0, 0];
    const work = async (item: number): Promise<number> => {
      most = Math.max(most, ++running);
      // Later items are done sooner.
      for (let turn = item; turn < 10; turn++) await Promise.resolve();
      running--;
      return item * 2;
    };
    expect(await allInOrder([1, 2, 3, 4, 5, 6, 7], 3, work)).toEqual([2, 4, 6, 8, 10, 12, 14]);
    expect(most).toBe(3);
  });
});
