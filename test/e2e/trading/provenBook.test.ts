/** A network that keeps price levels as records and bounds the changes of orders in a block: what anybody can check of it over JSON-RPC, before and after all validators were killed. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  accountRecordKey,
  checkOrdersProof,
  decodeAccountRecord,
  decodeLevelRecord,
  levelRecordKey,
} from '@prime/codec';
import { toHex as hex } from '@prime/load/rpc';
import { type Hex, hexToBytes, type MarketId, parseAddress } from '@prime/primitives';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';
import { addressesOf } from './trading.ts';

let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({
    validators: 4,
    genesis: (genesis) => {
      Object.assign(genesis['clob'] as object, { levelProofs: true, orderChangesPerBlock: 4 });
    },
  });
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

const all = [0, 1, 2, 3];
const { call } = nodesOf(() => testnet);
const [alice, bob] = addressesOf('alice', 'bob');

interface Submitted {
  readonly filled: string;
  readonly remaining: string;
  readonly status: string;
  readonly block_number: string;
}
const order = (index: number, owner: string, side: 'buy' | 'sell', size: number, tif = 'gtc'): Promise<Submitted> =>
  call(index, 'primeorders_submitOrder', [{ owner, market_id: 1, side, price: hex(100), size: hex(size), tif }]);

interface Proof {
  readonly block_number: string;
  readonly steps: readonly { readonly depth: number; readonly children: readonly Hex[] }[];
  readonly record: { readonly key: Hex; readonly value: Hex } | null;
  readonly account_proof: {
    readonly accountProof: readonly Hex[];
    readonly storageProof: readonly { readonly proof: readonly Hex[] }[];
  };
}

/** What a node's proof shows, under the state root that another node has for that block. */
async function shown(index: number, selector: unknown, key: Uint8Array): Promise<Uint8Array | 'absent'> {
  const { block_number, steps, record, account_proof } = await call<Proof>(index, 'primeorders_getProof', [selector]);
  const block = await until('the block is there', () =>
    call<{ state_root: Hex } | null>((index + 1) % 4, 'prime_getBlockByNumber', [block_number, false]),
  );
  const bytes = (list: readonly Hex[]): Uint8Array[] => list.map((item) => hexToBytes(item));
  const result = checkOrdersProof(hexToBytes(block.state_root), key, {
    accountProof: bytes(account_proof.accountProof),
    storageProof: bytes(account_proof.storageProof[0]!.proof),
    steps: steps.map(({ depth, children }) => ({ depth, children: bytes(children) })),
    record: record === null ? null : { key: hexToBytes(record.key), value: hexToBytes(record.value) },
  });
  if (result.status === 'invalid') throw new Error('the proof shows nothing');
  return result.status === 'absent' ? 'absent' : result.value;
}

async function levelAt(index: number, side: 'buy' | 'sell', price: number): Promise<bigint | 'absent'> {
  const key = levelRecordKey({ marketId: 1 as MarketId, side, price: BigInt(price) });
  const value = await shown(index, { market_id: 1, side, price: hex(price) }, key);
  return value === 'absent' ? value : decodeLevelRecord(value).size;
}

it('levels and accounts are proven to whoever has a header, and an order that would change too much stops', async () => {
  for (const owner of [alice, bob]) await call(0, 'primeorders_depositCollateral', [owner, hex(100_000)]);
  for (let count = 0; count < 6; count++) await order(count % 4, alice, 'sell', 1);
  const { block_number: restedAt } = await order(1, alice, 'sell', 1);
  const allAt = (height: string): Promise<unknown> =>
    until('all nodes are there', async () => {
      const heights = await Promise.all(all.map((index) => call<string>(index, 'eth_blockNumber')));
      return heights.every((at) => Number(at) >= Number(height));
    });
  await allAt(restedAt);
  for (const index of all) expect(await levelAt(index, 'sell', 100)).toBe(7n);
  expect([await levelAt(2, 'buy', 100), await levelAt(3, 'sell', 101)]).toEqual(['absent', 'absent']);

  const taker = await order(2, bob, 'buy', 7);
  expect(taker).toMatchObject({ filled: hex(4), remaining: hex(3), status: 'cancelled' });
  await allAt(taker.block_number);
  for (const index of all) expect(await levelAt(index, 'sell', 100)).toBe(3n);

  for (const index of all) await testnet.kill(index, 'SIGKILL');
  await testnet.startAll();
  for (const index of all) expect(await levelAt(index, 'sell', 100)).toBe(3n);
  const account = await shown(0, { address: bob }, accountRecordKey(parseAddress(bob)));
  if (account === 'absent') throw new Error('the account is gone');
  expect(decodeAccountRecord(account).positions).toMatchObject([{ marketId: 1, size: 4n, entry: 400n }]);
});
