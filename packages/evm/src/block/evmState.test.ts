import { ordersAddress } from '@prime/codec';
import { describe, expect, it } from '@jest/globals';
import type { Genesis, GenesisAccount, VerifiedTransaction } from '@prime/codec';
import { primeOrdersCode } from '@prime/predeploy';
import { cryptoProvider, keccakHex } from '@prime/crypto';
import {
  type Address,
  bigintToBytes,
  bytesToBigint,
  bytesToHash,
  bytesToHex,
  concatBytes,
  createPrng,
  type Hash,
  type Height,
  hexToBytes,
  type TimestampMs,
  utf8ToBytes,
} from '@prime/primitives';
import fc from 'fast-check';
import { privateKeyToAccount } from 'viem/accounts';
import { createCommon, createCustomCrypto } from '../library/common.ts';
import { createEvmState } from './evmState.ts';
import { allocateState, genesisState } from './genesisState.ts';
import { createLibraryVm } from '../library/libraryVm.ts';
import type { BlockEnvironment, EvmState } from '../ports.ts';
import { create2DeployerAddress, historyAddress, multicall3Address, predeploys } from './predeploys.ts';
import { createStateReader } from '../read/stateReader.ts';
import { emptyReceiptsRoot } from './receipts.ts';
import { bytesOf, wordOf } from '../state/bytes.ts';
import { createFlatSource } from '../state/flatSource.ts';
import { OverlayStateManager } from '../state/stateManager.ts';
import { createMemoryDatabase, createTestAccount, createTestVerifier, type MemoryDatabase } from '../testing/index.ts';

const chainId = 7919;
const provider = await cryptoProvider();
const common = createCommon(chainId, createCustomCrypto(provider));
const verify = createTestVerifier(chainId, provider);
const [alice, bob] = [createTestAccount('alice', common, provider), createTestAccount('bob', common, provider)];
const proposer = `0x${'ee'.repeat(20)}` as Address;
const counter = `0x${'c0'.repeat(20)}` as Address;
const reverter = `0x${'c1'.repeat(20)}` as Address;
const logger = `0x${'c2'.repeat(20)}` as Address;
const reporter = `0x${'c3'.repeat(20)}` as Address;
const word = (value: bigint): Hash => bytesToHash(wordOf(value));
const ordersRoot = word(0xabcdefn);
/** Selector of UnknownFunction(bytes4). */
const unknownFunction = keccakHex(utf8ToBytes('UnknownFunction(bytes4)')).slice(0, 10);

const account = (address: Address, fields: Partial<GenesisAccount> = {}): GenesisAccount => ({
  address,
  balance: 0n,
  nonce: 0,
  code: new Uint8Array(0),
  storage: [],
  ...fields,
});

const alloc: readonly GenesisAccount[] = [
  account(alice.address, { balance: 10n ** 20n }),
  account(bob.address, { balance: 10n ** 20n }),
  // storage[0]++
  account(counter, { code: hexToBytes('0x60005460010160005500'), storage: [{ slot: word(0n), value: word(41n) }] }),
  // stores, logs, then reverts with the byte 0x2a
  account(reverter, { code: hexToBytes('0x6001600055600160006000a1602a60005360016000fd') }),
  // LOG2 of 32 bytes
  account(logger, { code: hexToBytes('0x602a600052600260016020 6000a200'.replace(' ', '')) }),
  // returns NUMBER, TIMESTAMP, COINBASE, PREVRANDAO, BASEFEE, CHAINID, BLOCKHASH(number - 1) as words
  account(reporter, {
    code: hexToBytes(
      '0x4360005242602052416040524460605248608052 4660a0526001430340 60c05260e06000f3'.replaceAll(' ', ''),
    ),
  }),
];

const genesis = { alloc, clob: {} } as unknown as Genesis;

const environment = (height: number, fields: Partial<BlockEnvironment> = {}): BlockEnvironment => ({
  height: height as Height,
  timestampMs: (1_700_000_000_999 + height * 250) as TimestampMs,
  proposer,
  gasLimit: 30_000_000n,
  baseFee: 10n ** 9n,
  parentHash: keccakHex(Uint8Array.of(height)),
  prevRandao: keccakHex(Uint8Array.of(height)),
  ...fields,
});

async function open(): Promise<{ evm: EvmState; database: MemoryDatabase }> {
  const { stateRoot, writes } = await genesisState(genesis, ordersRoot, null);
  const database = createMemoryDatabase(writes);
  const blockHashOf = (height: Height): Hash => word(BigInt(height) + 500n);
  return { database, evm: await createEvmState({ database, common, stateRoot, blockHashOf }) };
}

async function execute(evm: EvmState, transactions: readonly VerifiedTransaction[], at = environment(1)) {
  const block = evm.begin(at);
  await block.run(transactions);
  return { block, outcome: await block.finish() };
}

const transfer = (nonce: number, value = 1n) => verify(alice.sign({ nonce, to: bob.address, value }));

describe('EvmState', () => {
  it('transfer: moves value, pays the tip to the proposer and burns the base fee', async () => {
    const { evm, database } = await open();
    const { block, outcome } = await execute(evm, [transfer(0, 5n)]);
    const [receipt] = outcome.receipts;
    expect(receipt).toMatchObject({ status: 1, gasUsed: 21_000n, effectiveGasPrice: 2n * 10n ** 9n, type: 2 });
    expect(outcome.gasUsed).toBe(21_000n);
    const balances = Object.fromEntries(outcome.accounts.map(({ address, balance }) => [address, balance]));
    expect(balances).toEqual({
      [alice.address]: 10n ** 20n - 5n - 21_000n * 2n * 10n ** 9n,
      [bob.address]: 10n ** 20n + 5n,
      [proposer]: 21_000n * 10n ** 9n,
    });
    await database.write(outcome.writes, { sync: false });
    block.commit();
    expect(evm.stateRoot).toBe(outcome.stateRoot);
    expect(evm.account(alice.address)).toEqual({ nonce: 1, balance: balances[alice.address] });
  });

  it('contract calls: logs, bloom, revert data and cumulative gas are in the receipts', async () => {
    const { evm } = await open();
    const gasLimit = 100_000n;
    const { outcome } = await execute(evm, [
      verify(alice.sign({ nonce: 0, to: logger, gasLimit })),
      verify(alice.sign({ nonce: 1, to: reverter, gasLimit, type: 0 })),
      verify(alice.sign({ nonce: 2, to: null, data: hexToBytes('0x60016000f3'), gasLimit, type: 1 })),
    ]);
    const [logged, reverted, created] = outcome.receipts;
    expect(logged!.logs).toEqual([{ address: logger, topics: [word(1n), word(2n)], data: wordOf(42n) }]);
    expect(logged!.logsBloom.some((byte) => byte !== 0)).toBe(true);
    expect(reverted).toMatchObject({ status: 0, logs: [], output: Uint8Array.of(42), type: 0 });
    expect(reverted!.gasUsed).toBeGreaterThan(21_000n);
    expect(created).toMatchObject({ status: 1, to: null, type: 1 });
    expect(created!.contractAddress).toMatch(/^0x[0-9a-f]{40}$/);
    expect(created!.cumulativeGasUsed).toBe(logged!.gasUsed + reverted!.gasUsed + created!.gasUsed);
    expect(outcome.receiptsRoot).not.toBe(emptyReceiptsRoot);
  });

  it.each([
    ['nonce too high', () => alice.sign({ nonce: 1, to: bob.address })],
    ['value beyond the balance', () => alice.sign({ nonce: 0, to: bob.address, value: 10n ** 20n })],
    [
      'fee cap below the base fee',
      () => alice.sign({ nonce: 0, to: bob.address, maxFeePerGas: 5n, maxPriorityFeePerGas: 1n }),
    ],
    ['gas limit above what the block has left', () => alice.sign({ nonce: 0, to: bob.address, gasLimit: 29_990_000n })],
    ['unfunded sender', () => createTestAccount('nobody', common, provider).sign({ nonce: 0, to: bob.address })],
  ])('%s: a receipt with status 0, no gas and no change', async (_name, sign) => {
    const { evm } = await open();
    const empty = await execute(evm, [verify(bob.sign({ nonce: 0, to: bob.address }))]);
    empty.block.discard();
    const { outcome } = await execute(evm, [verify(bob.sign({ nonce: 0, to: bob.address })), verify(sign())]);
    expect(outcome.receipts[1]).toMatchObject({ status: 0, gasUsed: 0n, cumulativeGasUsed: 21_000n, logs: [] });
    expect(outcome.stateRoot).toBe(empty.outcome.stateRoot);
    expect(outcome.accounts).toEqual(empty.outcome.accounts);
  });

  it('a skipped transaction does not stop the ones after it', async () => {
    const { evm } = await open();
    const { outcome } = await execute(evm, [transfer(1), transfer(0), transfer(1)]);
    expect(outcome.receipts.map(({ status }) => status)).toEqual([0, 1, 1]);
  });

  it('transfer(): moves what is there, refuses what is not, and removes an account that it empties', async () => {
    const { evm } = await open();
    const block = evm.begin(environment(1));
    expect(await block.transfer(alice.address, ordersAddress, 7n)).toBe(true);
    expect(await block.transfer(ordersAddress, bob.address, 8n)).toBe(false);
    expect(await block.transfer(alice.address, bob.address, -1n)).toBe(false);
    expect(await block.transfer(bob.address, alice.address, 10n ** 20n)).toBe(true);
    expect([block.balance(ordersAddress), block.balance(bob.address)]).toEqual([7n, 0n]);
    const { accounts, writes } = await block.finish();
    expect(accounts).toContainEqual({ address: bob.address, nonce: 0, balance: 0n });
    expect(writes.filter(({ value }) => value === null).length).toBe(1);
  });

  it('setStorage(): the root covers slot 0 of the order book account', async () => {
    const { evm, database } = await open();
    const roots = new Set<Hash>();
    for (const value of [1n, 2n, 1n]) {
      const block = evm.begin(environment(1));
      await block.setStorage(ordersAddress, word(0n), word(value));
      const { stateRoot } = await block.finish();
      roots.add(stateRoot);
      block.discard();
    }
    expect(roots.size).toBe(2);
    expect(database.size).toBeGreaterThan(0);
  });

  it('header fields: code sees number, seconds, proposer, randao, base fee, chain id and parent hash', async () => {
    const { evm } = await open();
    const { outcome } = await execute(
      evm,
      [verify(alice.sign({ nonce: 0, to: reporter, gasLimit: 100_000n }))],
      environment(9),
    );
    const { output } = outcome.receipts[0]!;
    const words = Array.from({ length: 7 }, (_, index) => bytesToBigint(output.subarray(index * 32, index * 32 + 32)));
    const at = environment(9);
    expect(words).toEqual([9n, 1_700_000_003n, BigInt(proposer), BigInt(at.prevRandao), at.baseFee, 7919n, 508n]);
  });

  it('EIP-2935: the history contract answers the parent hash in its block', async () => {
    const { evm } = await open();
    const at = environment(7);
    const data = wordOf(6n);
    const { outcome } = await execute(
      evm,
      [verify(alice.sign({ nonce: 0, to: historyAddress, data, gasLimit: 100_000n }))],
      at,
    );
    expect(outcome.receipts[0]).toMatchObject({ status: 1, output: bytesOf(at.parentHash) });
  });

  it('misuse: a second block while one is open, and any call after commit or discard, are errors with a code', async () => {
    const { evm } = await open();
    const block = evm.begin(environment(1));
    const misuse = expect.objectContaining({ code: 'EVM_BLOCK_MISUSE' });
    expect(() => evm.begin(environment(1))).toThrow(misuse);
    expect(() => block.commit()).toThrow(misuse);
    block.discard();
    block.discard();
    await expect(block.run([])).rejects.toThrow(misuse);
    expect(() => block.commit()).toThrow(misuse);
  });
});

describe('EIP-7702', () => {
  it('an account that delegates runs the contract’s code on its own storage, and still sends transactions', async () => {
    const { evm, database } = await open();
    const owner = privateKeyToAccount(`0x${'22'.repeat(32)}`);
    const sponsored = owner.address.toLowerCase() as Address;
    const to = counter as unknown as `0x${string}`;
    const signed = await owner.signAuthorization({ chainId, address: to, nonce: 0 });
    const authorizations = [
      [
        bigintToBytes(7919n),
        bytesOf(counter),
        new Uint8Array(0),
        bigintToBytes(BigInt(signed.yParity!)),
        bigintToBytes(BigInt(signed.r)),
        bigintToBytes(BigInt(signed.s)),
      ],
    ];
    const gasLimit = 200_000n;
    const { outcome, block } = await execute(evm, [
      verify(alice.sign({ nonce: 0, type: 4, to: sponsored, value: 10n ** 18n, gasLimit, authorizations })),
      verify(alice.sign({ nonce: 1, to: sponsored, gasLimit })),
      verify(
        hexToBytes(
          await owner.signTransaction({ chainId, nonce: 1, to, gas: gasLimit, gasPrice: 10n ** 10n, type: 'legacy' }),
        ),
      ),
    ]);
    expect(outcome.receipts.map(({ status }) => status)).toEqual([1, 1, 1]);
    await database.write(outcome.writes, { sync: false });
    block.commit();
    const reader = await createStateReader({ database, common, blockHashOf: () => null });
    expect(reader.code(sponsored, evm.stateRoot)).toEqual(concatBytes(Uint8Array.of(0xef, 1, 0), bytesOf(counter)));
    expect(reader.storage(sponsored, word(0n), evm.stateRoot)).toBe(word(2n));
    expect(reader.storage(counter, word(0n), evm.stateRoot)).toBe(word(42n));
    expect(evm.account(sponsored).nonce).toBe(2);
  });
});

describe('re-execution', () => {
  const randomBlock = (seed: number): readonly VerifiedTransaction[] => {
    const prng = createPrng(seed);
    return Array.from({ length: 1 + prng.below(6) }, (_, nonce) => {
      const to = [bob.address, counter, reverter, logger, null][prng.below(5)]!;
      const data = to === null ? hexToBytes('0x60016000f3') : new Uint8Array(0);
      return verify(alice.sign({ nonce: prng.chance(1, 8) ? nonce + 1 : nonce, to, data, gasLimit: 100_000n }));
    });
  };

  it('discarded, executed again, and executed again after a restart: the same outcome, and nothing is written before commit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer(), async (seed, otherSeed) => {
        const { evm, database } = await open();
        const before = database.dump();
        const first = await execute(evm, randomBlock(seed));
        first.block.discard();
        const other = await execute(evm, randomBlock(otherSeed));
        other.block.discard();
        const second = await execute(evm, randomBlock(seed));
        expect(second.outcome).toEqual(first.outcome);
        second.block.discard();
        expect(database.dump()).toEqual(before);
        const { stateRoot } = evm;
        const restarted = await createEvmState({ database, common, stateRoot, blockHashOf: () => null });
        expect((await execute(restarted, randomBlock(seed))).outcome).toEqual(first.outcome);
      }),
      { numRuns: 10 },
    );
  });
});

describe('genesis', () => {
  it('predeploys carry the official code', () => {
    expect(Object.fromEntries(predeploys.map(({ address, code }) => [address, keccakHex(code)]))).toEqual({
      [historyAddress]: '0x6e49e66782037c0555897870e29fa5e552daf4719552131a0abce779daec0a5d',
      [create2DeployerAddress]: '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989',
      [multicall3Address]: '0xd5c15df687b16f2ff992fc8d767b4216323184a2bbc6ee2f9c398c318e770891',
    });
  });

  it('the order book account exists without code and survives being touched', async () => {
    const { evm, database } = await open();
    const { block, outcome } = await execute(evm, [verify(alice.sign({ nonce: 0, to: ordersAddress }))]);
    await database.write(outcome.writes, { sync: false });
    block.commit();
    expect(evm.account(ordersAddress)).toEqual({ nonce: 1, balance: 0n });
    expect(outcome.writes.every(({ value }) => value !== null)).toBe(true);
  });

  it('same allocation in another order: the same root; another orders root: another one', async () => {
    const reversed = { ...genesis, alloc: alloc.toReversed() };
    const [a, b, c] = await Promise.all([
      genesisState(genesis, ordersRoot, null),
      genesisState(reversed, ordersRoot, null),
      genesisState(genesis, word(1n), null),
    ]);
    expect(b.stateRoot).toBe(a.stateRoot);
    expect(b.writes).toEqual(a.writes);
    expect(c.stateRoot).not.toBe(a.stateRoot);
  });

  it('an allocation of nothing: the root of the empty trie', () => {
    expect(allocateState([]).stateRoot).toBe('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421');
  });
});

describe('rules', () => {
  it('Prague and not Osaka: 0x…0100 is no precompile, 0x…0a is one', async () => {
    const vm = await createLibraryVm(
      common,
      new OverlayStateManager(createFlatSource(createMemoryDatabase())),
      () => null,
    );
    expect(common.hardfork()).toBe('prague');
    expect(vm.evm.precompiles.has(ordersAddress.slice(2))).toBe(false);
    expect(vm.evm.precompiles.has(`${'00'.repeat(19)}0a`)).toBe(true);
  });

  it('0x…0100 is no precompile: P256VERIFY would take any call', async () => {
    const { evm } = await open();
    const data = concatBytes(...Array.from({ length: 5 }, () => wordOf(1n)));
    const { outcome } = await execute(evm, [
      verify(alice.sign({ nonce: 0, to: ordersAddress, data, gasLimit: 100_000n })),
    ]);
    // UnknownFunction(0x00000000) of our contract; the precompile would answer with success.
    expect(outcome.receipts[0]!.status).toBe(0);
    expect(bytesToHex(outcome.receipts[0]!.output.subarray(0, 4))).toBe(unknownFunction);
  });

  it('0x…0100 has the code of the order book and nonce 1, whatever the allocation says', async () => {
    const claimed = account(ordersAddress, { balance: 5n, code: Uint8Array.of(0) });
    const state = await genesisState({ ...genesis, alloc: [...alloc, claimed] }, ordersRoot, null);
    const database = createMemoryDatabase(state.writes);
    const reader = await createStateReader({ database, common, blockHashOf: () => null });
    expect(reader.code(ordersAddress, state.stateRoot)).toEqual(primeOrdersCode);
    expect(reader.account(ordersAddress, state.stateRoot)).toEqual({ nonce: 1, balance: 5n });
  });

  it('the rules can not be moved to another hardfork', () => {
    expect(() => common.setHardfork('osaka')).toThrow(expect.objectContaining({ code: 'EVM_UNSUPPORTED' }));
    expect(common.copy()).toBe(common);
  });
});
