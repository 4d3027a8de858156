import { describe, expect, it } from '@jest/globals';
import { type ActionPayload, decodeAccountRecord, recordKind, statePrefix } from '@prime/codec';
import type { MemoryDatabase } from '@prime/evm/testing';
import { type Address, bytesToHex, createPrng, type Hex, type OrderId } from '@prime/primitives';
import {
  action,
  certificateOf,
  copyOf,
  createTestChain,
  type TestChain,
  testGenesis,
  orderOf,
} from '../testing/chain.ts';
import { type Actor, createActor } from '../testing/contracts.ts';

/** One thing that an account does, as a native action and as a call of 0x…0100. */
interface Step {
  readonly actor: number;
  readonly payload: ActionPayload;
  readonly call: readonly [name: string, args: readonly unknown[], value?: bigint];
}

const clientId = (id: number): Hex | null => (id === 0 ? null : (`0x${id.toString(16).padStart(32, '0')}` as Hex));
const actorsCount = 3;

/** What the accounts do in one block, deposits first: that is the order in which both ways run. */
function stepsOf(seed: number): () => Step[] {
  const random = createPrng(seed);
  const pick = <T>(items: readonly T[]): T => items[random.below(items.length)]!;
  const order = (): Omit<Step, 'actor'> => {
    const [side, tif, selfTrade, id] = [random.below(2), random.below(3), random.below(4), random.below(4)];
    const [price, size] = [BigInt(95 + random.below(10)), BigInt(1 + random.below(6))];
    const [postOnly, reduceOnly] = [random.below(4) === 0, random.below(6) === 0];
    const flags = (postOnly ? 1 : 0) | (reduceOnly ? 2 : 0) | (selfTrade << 2);
    return {
      payload: orderOf({
        side: side === 0 ? 'buy' : 'sell',
        price,
        size,
        tif: (['gtc', 'ioc', 'fok'] as const)[tif]!,
        postOnly,
        reduceOnly,
        selfTrade: (['cancel_maker', 'cancel_taker', 'cancel_both', 'decrement'] as const)[selfTrade]!,
        clientId: clientId(id),
      }),
      call: ['submitOrder', [1, side === 0, price, size, tif, flags, BigInt(id)]],
    };
  };
  const other = (): Omit<Step, 'actor'> => {
    const orderId = 1 + random.below(40);
    return pick<Omit<Step, 'actor'>>([
      { payload: { type: 'cancel', orderId: orderId as OrderId }, call: ['cancelOrder', [BigInt(orderId)]] },
      { payload: { type: 'cancelAll', marketId: null }, call: ['cancelAll', [0]] },
      { payload: { type: 'withdraw', amount: 40n, to: withdrawTo }, call: ['withdraw', [40n, withdrawTo]] },
    ]);
  };
  const step = (): Step => ({ actor: random.below(actorsCount), ...(random.below(5) === 0 ? other() : order()) });
  const deposit = (): Step => {
    const amount = BigInt(1 + random.below(300));
    return { actor: random.below(actorsCount), payload: { type: 'deposit', amount }, call: ['deposit', [], amount] };
  };
  return () => [...Array.from({ length: random.below(2) }, deposit), ...Array.from({ length: random.below(8) }, step)];
}
const withdrawTo = `0x${'e1'.repeat(20)}` as Address;

async function open(): Promise<{ chain: TestChain; actors: Actor[] }> {
  const actors = await Promise.all(['ann', 'ben', 'cat'].map((name) => createActor(name, 7919)));
  const rich = actors.map(({ address }) => ({
    address,
    balance: 10n ** 20n,
    nonce: 0,
    code: new Uint8Array(0),
    storage: [],
  }));
  const base = testGenesis();
  const evm = { gasLimit: 100_000_000n, initialBaseFee: 7n };
  const clob = { ...base.clob, autoDequeue: true };
  return { actors, chain: await createTestChain({ ...base, alloc: rich, clob, evm }) };
}

/** All records that say what is whose; who signs, and how, is in others. */
async function bookOf(database: MemoryDatabase): Promise<unknown[]> {
  const book: unknown[] = [];
  for await (const [key, value] of database.entries(Uint8Array.of(statePrefix.clobRecord))) {
    const kind = recordKind(key.slice(1));
    if (['nonce', 'signer', 'refusedOrders'].includes(kind)) continue;
    if (kind !== 'account') book.push([bytesToHex(key), bytesToHex(value)]);
    else {
      const { collateral, positions } = decodeAccountRecord(value);
      if (collateral !== 0n || positions.length > 0) book.push([bytesToHex(key), collateral, positions]);
    }
  }
  return book;
}

describe('the same actions, native and through 0x…0100', () => {
  it.each([1, 2, 3, 4])('give the same order book after every block: seed %i', async (seed) => {
    const [byContract, natively] = [await open(), await open()];
    const steps = stepsOf(seed);
    // A write runs in the block behind the one of its transaction.
    await natively.chain.run({});
    const first: Step[] = Array.from({ length: actorsCount }, (_, actor) => ({
      actor,
      payload: { type: 'deposit', amount: 500n },
      call: ['deposit', [], 500n],
    }));
    let compared = 0;
    for (let count = 0; count < 15; count++) {
      const block = count === 0 ? first : steps();
      const call = ({ actor, call: [name, args, value] }: Step) => byContract.actors[actor]!.orders(name, args, value);
      await byContract.chain.run({ transactions: block.map(call) });
      const act = ({ actor, payload }: Step) => action(natively.actors[actor]!.address, payload);
      await natively.chain.run({ actions: block.map(act) });
      // One more block of nothing would expire and liquidate alike: the book of the contract's chain is one block behind.
      const behind = await createTestChain(byContract.chain.genesis, await copyOf(byContract.chain.database));
      await behind.run({});
      expect({ count, book: await bookOf(behind.database) }).toEqual({
        count,
        book: await bookOf(natively.chain.database),
      });
      compared++;
    }
    expect(compared).toBe(15);
  });

  it('run again from genesis: the same roots, and the same bytes in the database', async () => {
    const { chain, actors } = await open();
    const steps = stepsOf(7);
    const blocks = [];
    for (let count = 0; count < 10; count++) {
      const transactions = steps().map(({ actor, call: [name, args, value] }) =>
        actors[actor]!.orders(name, args, value),
      );
      const block = chain.block({ transactions });
      await chain.pipeline.check(block);
      await chain.pipeline.commit(block.hash, certificateOf(block));
      blocks.push(block);
    }
    const again = await createTestChain(chain.genesis);
    for (const block of blocks) {
      expect(await again.pipeline.check(block)).toEqual({ ok: true });
      await again.pipeline.commit(block.hash, certificateOf(block));
    }
    expect(again.pipeline.status()).toEqual(chain.pipeline.status());
    expect(again.database.dump()).toEqual(chain.database.dump());
  });
});
