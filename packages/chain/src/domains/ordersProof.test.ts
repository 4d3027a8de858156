import { describe, expect, it } from '@jest/globals';
import {
  accountRecordKey,
  checkOrdersProof,
  decodeAccountRecord,
  decodeLevelRecord,
  decodeMarketRecord,
  decodeOrderRecord,
  encodeLevelRecord,
  globalRecordKey,
  levelRecordKey,
  marketRecordKey,
  orderRecordKey,
  ordersAddress,
  type StateProofOfRecord,
} from '@prime/codec';
import { createNodeCommon, createStateReader } from '@prime/evm';
import { type Address, type Hash, hexToBytes, type MarketId, type OrderId } from '@prime/primitives';
import {
  action,
  alice,
  bob,
  certificateOf,
  copyOf,
  createTestChain,
  type TestChain,
  testGenesis,
  orderOf,
} from '../testing/chain.ts';

const slotZero = `0x${'0'.repeat(64)}` as Hash;
const order = (account: Address, side: 'buy' | 'sell', price: bigint) =>
  action(account, orderOf({ side, price, size: 5n }));

async function tradedChain(genesis = testGenesis()): Promise<TestChain> {
  const chain = await createTestChain(genesis);
  await chain.run({ actions: [action(alice, { type: 'deposit', amount: 10n ** 10n })] });
  await chain.run({ actions: Array.from({ length: 20 }, (_, index) => order(alice, 'buy', BigInt(100 + index))) });
  return chain;
}

async function proofOf(
  chain: TestChain,
  key: Uint8Array,
): Promise<{ stateRoot: Uint8Array; proof: StateProofOfRecord }> {
  const { steps, record, stateRoot } = await chain.pipeline.prove(key);
  const states = await createStateReader({
    database: chain.database,
    common: await createNodeCommon(7919),
    blockHashOf: () => null,
  });
  const account = states.proof(ordersAddress, [slotZero], stateRoot);
  const proof = { accountProof: account.proof, storageProof: account.slots[0]!.proof, steps, record };
  return { stateRoot: hexToBytes(stateRoot), proof };
}

describe('proofs of the order book under the state root', () => {
  it('an order, a market, an account and the totals: the verifier gives back the record', async () => {
    const chain = await tradedChain();
    const valueOf = async (key: Uint8Array): Promise<Uint8Array> => {
      const { stateRoot, proof } = await proofOf(chain, key);
      const shown = checkOrdersProof(stateRoot, key, proof);
      if (shown.status !== 'present') throw new Error(shown.status);
      return shown.value;
    };
    expect(decodeOrderRecord(await valueOf(orderRecordKey(7 as OrderId)))).toMatchObject({ owner: alice, price: 106n });
    expect(decodeMarketRecord(await valueOf(marketRecordKey(1 as MarketId)))).toMatchObject({ symbol: 'PRM/USD' });
    expect(decodeAccountRecord(await valueOf(accountRecordKey(alice)))).toMatchObject({ collateral: 10n ** 10n });
    await valueOf(globalRecordKey());
  });

  it('a price level, and that nobody rests at another price', async () => {
    const { clob, ...rest } = testGenesis();
    const chain = await tradedChain({ ...rest, clob: { ...clob, levelProofs: true } });
    const shownAt = async (side: 'buy' | 'sell', price: bigint) => {
      const key = levelRecordKey({ marketId: 1 as MarketId, side, price });
      const { stateRoot, proof } = await proofOf(chain, key);
      return { key, stateRoot, proof, shown: checkOrdersProof(stateRoot, key, proof) };
    };
    await chain.run({ actions: [order(alice, 'buy', 107n)] });
    const { key, stateRoot, proof, shown } = await shownAt('buy', 107n);
    if (shown.status !== 'present') throw new Error(shown.status);
    expect(decodeLevelRecord(shown.value)).toEqual({ marketId: 1, side: 'buy', price: 107n, size: 10n });
    const record = { key, value: encodeLevelRecord({ marketId: 1 as MarketId, side: 'buy', price: 107n, size: 11n }) };
    expect(checkOrdersProof(stateRoot, key, { ...proof, record })).toEqual({ status: 'invalid' });
    expect((await shownAt('sell', 107n)).shown).toEqual({ status: 'absent' });
    expect((await shownAt('buy', 99n)).shown).toEqual({ status: 'absent' });
    // A node that begins again with what is stored proves the same.
    const again = await createTestChain(chain.genesis, await copyOf(chain.database));
    const after = await proofOf(again, key);
    expect(after).toEqual({ stateRoot, proof });
    await again.run({ actions: [action(alice, { type: 'cancelAll', marketId: null })] });
    expect((await again.pipeline.prove(key)).record).not.toMatchObject({ key });
  });

  it('no level is proven absent where levels are no records', async () => {
    const chain = await tradedChain();
    const key = levelRecordKey({ marketId: 1 as MarketId, side: 'buy', price: 107n });
    await expect(chain.pipeline.prove(key)).rejects.toMatchObject({ code: 'CHAIN_LEVELS_NOT_KEPT' });
  });

  it('what is not there is proven absent', async () => {
    const chain = await tradedChain();
    for (const key of [orderRecordKey(99 as OrderId), orderRecordKey((2 ** 40) as OrderId), accountRecordKey(bob)]) {
      const { stateRoot, proof } = await proofOf(chain, key);
      expect(checkOrdersProof(stateRoot, key, proof)).toEqual({ status: 'absent' });
    }
  });

  it('a block that is executed but not committed does not show', async () => {
    const chain = await tradedChain();
    const next = chain.block({ actions: [action(alice, { type: 'cancelAll', marketId: null })] });
    await chain.pipeline.check(next);
    await chain.pipeline.execute(next.hash);
    const key = orderRecordKey(7 as OrderId);
    const before = await proofOf(chain, key);
    expect(checkOrdersProof(before.stateRoot, key, before.proof).status).toBe('present');
    await chain.pipeline.commit(next.hash, certificateOf(next));
    const after = await proofOf(chain, key);
    expect(checkOrdersProof(after.stateRoot, key, after.proof)).toEqual({ status: 'absent' });
    expect(checkOrdersProof(after.stateRoot, key, before.proof)).toEqual({ status: 'invalid' });
  });

  it('another root, another key, a changed value or a missing part shows nothing', async () => {
    const chain = await tradedChain();
    const key = orderRecordKey(7 as OrderId);
    const { stateRoot, proof } = await proofOf(chain, key);
    const status = (changes: Partial<StateProofOfRecord>, of = key): string =>
      checkOrdersProof(stateRoot, of, { ...proof, ...changes }).status;
    expect(status({})).toBe('present');
    expect(checkOrdersProof(new Uint8Array(32).fill(1), key, proof).status).toBe('invalid');
    expect(status({ record: null })).toBe('invalid');
    expect(status({ record: { key, value: Uint8Array.of(1) } })).toBe('invalid');
    expect(status({ steps: proof.steps.slice(1) })).toBe('invalid');
    expect(status({ storageProof: [] })).toBe('invalid');
    expect(status({ accountProof: proof.accountProof.slice(1) })).toBe('invalid');
    expect(status({}, orderRecordKey(8 as OrderId))).not.toBe('present');
  });
});
