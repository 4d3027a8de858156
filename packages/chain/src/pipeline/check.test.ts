import { describe, expect, it } from '@jest/globals';
import type { ExecutableBlock, VerifiedAction, VerifiedTransaction } from '@prime/codec';
import { keccakHex } from '@prime/crypto';
import { type Address, utf8ToBytes } from '@prime/primitives';
import { checkBlock } from './check.ts';
import { action, alice, bob, createTestChain, testGenesis } from '../testing/chain.ts';
import { createActor } from '../testing/contracts.ts';

const chain = await createTestChain(testGenesis());
const head = chain.pipeline.status();
const gas = 21_000n;
const price = 2n * head.nextBaseFee;

let count = 0;
const transaction = (
  sender: Address,
  nonce: number,
  changes: Partial<VerifiedTransaction> = {},
): VerifiedTransaction => {
  const raw = utf8ToBytes(`transaction ${count++}`);
  const fields = { maxFeePerGas: price, maxPriorityFeePerGas: 1n, value: 0n, to: bob, gasLimit: gas };
  return { raw, hash: keccakHex(raw), type: 2, sender, nonce, ...fields, ...changes };
};

/** Alice has so many wei, and has sent three transactions. */
const reasonOf = (block: ExecutableBlock, balance = 10n ** 20n): string | null => {
  const account = (address: Address) => (address === alice ? { nonce: 3, balance } : { nonce: 0, balance: 0n });
  const verdict = checkBlock(block, { head, gasLimit: chain.genesis.evm.gasLimit, account });
  return verdict.ok ? null : verdict.reason;
};
const reasonFor = (
  transactions: readonly VerifiedTransaction[],
  balance?: bigint,
  actions?: readonly VerifiedAction[],
) => reasonOf(chain.block({ transactions, ...(actions !== undefined && { actions }) }), balance);

describe('nonces', () => {
  it('those of a sender continue the account, whoever stands in between', () => {
    const free = { gasLimit: 0n };
    expect(reasonFor([transaction(alice, 3), transaction(bob, 0, free), transaction(alice, 4)])).toBeNull();
  });

  it.each<[string, readonly number[], RegExp]>([
    ['behind the account', [2], /^transaction 0 has nonce 2, next is 3/],
    ['with a gap', [3, 5], /^transaction 1 has nonce 5, next is 4/],
    ['twice', [3, 3], /^transaction 1 has nonce 3, next is 4/],
    ['in the wrong order', [4, 3], /^transaction 0 has nonce 4, next is 3/],
  ])('%s: refused', (_, nonces, reason) => {
    expect(reasonFor(nonces.map((nonce) => transaction(alice, nonce)))).toMatch(reason);
  });
});

describe('what a sender can pay', () => {
  const cost = gas * price;

  it('all of its transactions at their highest price, to the wei', () => {
    const two = [transaction(alice, 3, { value: 7n }), transaction(alice, 4)];
    expect(reasonFor(two, 2n * cost + 7n)).toBeNull();
    expect(reasonFor(two, 2n * cost + 6n)).toMatch(/^transaction 1 may cost/);
    expect(reasonFor([transaction(alice, 3, { value: 7n })], cost + 6n)).toMatch(/^transaction 0 may cost/);
  });

  it('what its actions deposit in the same block is gone before', () => {
    const deposit = [action(alice, { type: 'deposit', amount: 5n })];
    expect(reasonFor([transaction(alice, 3)], cost + 5n, deposit)).toBeNull();
    expect(reasonFor([transaction(alice, 3)], cost + 4n, deposit)).toMatch(/^transaction 0 may cost/);
  });

  it('less than the base fee is too little', () => {
    expect(reasonFor([transaction(alice, 3, { maxFeePerGas: head.nextBaseFee })])).toBeNull();
    expect(reasonFor([transaction(alice, 3, { maxFeePerGas: head.nextBaseFee - 1n })])).toMatch(/base fee is/);
  });
});

it('gas limits of transactions add up to that of the block, and not to one more', () => {
  const { gasLimit } = chain.genesis.evm;
  const pair = (last: bigint) => [transaction(alice, 3), transaction(alice, 4, { gasLimit: last })];
  expect(reasonFor(pair(gasLimit - gas))).toBeNull();
  expect(reasonFor(pair(gasLimit - gas + 1n))).toMatch(/^gas limits add up to/);
});

it('another gas limit than that of genesis, or another height: refused', () => {
  const good = chain.block({});
  const withHeader = (changes: Partial<typeof good.block.header>): ExecutableBlock => ({
    ...good,
    block: { ...good.block, header: { ...good.block.header, ...changes } },
  });
  expect(reasonOf(good)).toBeNull();
  expect(reasonOf(withHeader({ gasLimit: good.block.header.gasLimit + 1n }))).toMatch(/^gas limit/);
  expect(reasonOf(withHeader({ height: good.block.header.height, parentHash: good.hash }))).toMatch(/^parent/);
  expect(reasonOf(chain.block({ status: { ...head, height: 5 as typeof head.height } }))).toMatch(/^height 6/);
});

it.each(['stateRoot', 'receiptsRoot', 'eventsRoot', 'gasUsed'] as const)(
  'another %s of the parent: refused, and said to be a difference',
  (name) => {
    const roots = { ...head.roots, [name]: name === 'gasUsed' ? 1n : keccakHex(utf8ToBytes('other')) };
    const verdict = checkBlock(chain.block({ status: { ...head, roots } }), {
      head,
      gasLimit: chain.genesis.evm.gasLimit,
      account: () => ({ nonce: 0, balance: 0n }),
    });
    expect(verdict).toMatchObject({ ok: false, diverged: true, reason: expect.stringContaining(name) });
  },
);

it('the pipeline refuses blocks with transactions against the rules, and takes a good one afterwards as if they had not been', async () => {
  const actor = await createActor('sender', 7919);
  const rich = { address: actor.address, balance: 10n ** 20n, nonce: 0, code: new Uint8Array(0), storage: [] };
  const genesis = testGenesis({ alloc: [rich] });
  const [tried, plain] = [await createTestChain(genesis), await createTestChain(genesis)];
  const [first, second] = [actor.send(bob, 1n), actor.send(bob, 2n)];
  const poor = await createActor('without a wei', 7919);
  for (const transactions of [[second, first], [first, first], [second], [poor.send(bob, 1n)]]) {
    const verdict = await tried.pipeline.check(tried.block({ transactions }));
    expect(verdict).toMatchObject({ ok: false, diverged: false });
  }
  const wrongFee = tried.block({ transactions: [first], status: { nextBaseFee: head.nextBaseFee + 1n } });
  expect(await tried.pipeline.check(wrongFee)).toMatchObject({ ok: false, diverged: false });
  for (const one of [tried, plain]) {
    const { receipts } = await one.run({ transactions: [first, second] });
    expect(receipts.map(({ status }) => status)).toEqual([1, 1]);
  }
  expect(tried.pipeline.status()).toEqual(plain.pipeline.status());
});
