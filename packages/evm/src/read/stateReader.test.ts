import { describe, expect, it } from '@jest/globals';
import type { CallMessage, GenesisAccount, StateContext } from '@prime/codec';
import { cryptoProvider, keccakHex } from '@prime/crypto';
import {
  type Address,
  bytesToHex,
  concatBytes,
  type Hash,
  type Height,
  hexToBytes,
  type TimestampMs,
} from '@prime/primitives';
import { callOf } from '../testing/calls.ts';
import { createCommon, createCustomCrypto } from '../library/common.ts';
import { createEvmState } from '../block/evmState.ts';
import { allocateState } from '../block/genesisState.ts';
import { bytesOf, wordOf } from '../state/bytes.ts';
import { codeKey } from '../state/flatSource.ts';
import { createMemoryDatabase, createTestAccount, createTestVerifier } from '../testing/index.ts';
import { createStateReader } from './stateReader.ts';

const chainId = 7919;
const provider = await cryptoProvider();
const common = createCommon(chainId, createCustomCrypto(provider));
const verify = createTestVerifier(chainId, provider);
const alice = createTestAccount('alice', common, provider);
const word = (value: bigint): Hash => bytesToHex(wordOf(value)) as Hash;
const at = (index: number): Address => `0x${index.toString(16).padStart(40, 'c')}` as Address;

const codes = {
  /** storage[0]++ and returns it */
  counter: '60005460010180600055 60005260206000f3',
  /** reverts with the word 42 */
  revert: '602a60005260206000fd',
  loop: '5b600056',
  invalid: 'fe',
  undefinedOpcode: '0c',
  underflow: '01',
  badJump: '600556',
  /** returns BASEFEE, GASPRICE, CALLER, NUMBER as words */
  report: '486000523a602052336040524360605260806000f3',
  /** uses little gas, and reverts unless it sees 200 000 of it */
  hungry: '5a62030d4011600a57 00 5b60006000fd',
  /** SSTORE in a static call to itself: CALLER is itself the second time */
  statically: '3330 14 601757 6000600060006000305afa 600052 60206000f3 5b 6001600055',
};
const names = Object.keys(codes) as (keyof typeof codes)[];
const address = (name: keyof typeof codes): Address => at(names.indexOf(name) + 1);
const empty = { balance: 0n, nonce: 0, code: new Uint8Array(0), storage: [] };
const alloc: readonly GenesisAccount[] = [
  { ...empty, address: alice.address, balance: 10n ** 18n },
  ...names.map((name) => ({
    ...empty,
    address: address(name),
    code: hexToBytes(`0x${codes[name].replaceAll(' ', '')}`),
    storage: [{ slot: word(0n), value: word(41n) }],
  })),
];

const message = (fields: Partial<CallMessage> = {}): CallMessage => callOf({ from: alice.address, ...fields });

async function open(options: { timeoutMs?: number; callGasMax?: bigint; now?: () => number } = {}) {
  const { stateRoot, writes } = allocateState(alloc);
  const database = createMemoryDatabase(writes);
  const reader = await createStateReader({ database, common, blockHashOf: () => null, ...options });
  const context: StateContext = {
    height: 5 as Height,
    timestampMs: 1_700_000_000_000 as TimestampMs,
    proposer: at(0xee),
    gasLimit: 30_000_000n,
    baseFee: 1000n,
    parentHash: word(1n),
    stateRoot,
  };
  return { reader, database, context, call: (fields: Partial<CallMessage>) => reader.call(message(fields), context) };
}

describe('StateReader', () => {
  it('reads accounts, code and storage at the root that is asked for, while the writer goes on', async () => {
    const { reader, database, context } = await open();
    const evm = await createEvmState({ database, common, stateRoot: context.stateRoot, blockHashOf: () => null });
    const block = evm.begin({ ...context, prevRandao: word(0n) });
    await block.run([verify(alice.sign({ nonce: 0, to: address('counter'), gasLimit: 100_000n }))]);
    const { stateRoot, writes } = await block.finish();
    await database.write(writes, { sync: false });
    block.commit();
    const slot = word(0n);
    const values = [context.stateRoot, stateRoot].map((root) => reader.storage(address('counter'), slot, root));
    expect(values).toEqual([word(41n), word(42n)]);
    expect(reader.account(alice.address, context.stateRoot)).toEqual({ nonce: 0, balance: 10n ** 18n });
    expect(reader.account(alice.address, stateRoot).nonce).toBe(1);
    expect(bytesToHex(reader.code(address('loop'), stateRoot))).toBe('0x5b600056');
    expect(reader.account(at(0xdead), stateRoot)).toEqual({ nonce: 0, balance: 0n });
    expect(reader.code(alice.address, stateRoot)).toEqual(new Uint8Array(0));
  });

  it('call: answers output and gas, and changes neither the database nor the next call', async () => {
    const { call, database } = await open();
    const before = database.dump();
    const first = await call({ to: address('counter') });
    expect(first).toMatchObject({ status: 'success', output: wordOf(42n) });
    expect(await call({ to: address('counter') })).toEqual(first);
    expect(database.dump()).toEqual(before);
  });

  it('call without fees: BASEFEE and GASPRICE are 0; with fees: the effective price and the base fee', async () => {
    const { call } = await open();
    const words = (output: Uint8Array): bigint[] =>
      [0, 1, 2, 3].map((index) => BigInt(bytesToHex(output.subarray(index * 32, index * 32 + 32))));
    const free = await call({ to: address('report'), from: null });
    const paid = await call({ to: address('report'), maxFeePerGas: 1500n, maxPriorityFeePerGas: 100n });
    if (free.status !== 'success' || paid.status !== 'success') throw new Error('a report failed');
    expect(words(free.output)).toEqual([0n, 0n, 0n, 5n]);
    expect(words(paid.output)).toEqual([1000n, 1100n, BigInt(alice.address), 5n]);
  });

  it.each([
    ['invalid', 'invalid opcode: INVALID'],
    ['undefinedOpcode', 'invalid opcode: opcode 0xc not defined'],
    ['underflow', 'stack underflow (0 <=> 2)'],
    ['badJump', 'invalid jump destination'],
    ['loop', 'out of gas'],
  ] as const)('call of %s: a failure in go-ethereum’s words', async (name, words) => {
    const { call } = await open();
    const gas = 100_000n;
    expect(await call({ to: address(name), gas })).toEqual({ status: 'failure', message: words, gasUsed: gas });
  });

  it('a static call may not write: the inner call fails and the outer one goes on', async () => {
    const { call } = await open();
    const outcome = await call({ to: address('statically'), gas: 1_000_000n });
    expect(outcome).toMatchObject({ status: 'success', output: wordOf(0n) });
  });

  it('revert: the data is there, for calls and estimates', async () => {
    const { reader, context, call } = await open();
    const expected = { status: 'revert', output: wordOf(42n) };
    expect(await call({ to: address('revert') })).toMatchObject(expected);
    expect(await reader.estimateGas(message({ to: address('revert') }), context)).toMatchObject(expected);
  });

  it.each([
    [
      { value: 10n ** 19n },
      /insufficient funds for gas \* price \+ value: address 0x\w{40} have 1000000000000000000 want 10000000000000000000/,
    ],
    [{ maxFeePerGas: 999n }, /max fee per gas less than block base fee/],
    [{ maxFeePerGas: 2000n, maxPriorityFeePerGas: 2001n }, /max priority fee per gas higher than max fee per gas/],
    [{ gasPrice: 1n, maxFeePerGas: 1n }, /both gasPrice and/],
    [{ gas: 20_999n }, /intrinsic gas too low: have 20999, want 21000/],
    [{ gas: 22_000n, data: new Uint8Array(100).fill(1) }, /intrinsic gas too low: have 22000, want 22600/],
    [
      { gas: 24_000n, data: new Uint8Array(100).fill(1) },
      /insufficient gas for floor data gas cost: have 24000, want 25000/,
    ],
  ])('call with %o: refused before it runs', async (fields, words) => {
    const { call } = await open();
    expect(await call({ to: alice.address, ...fields })).toEqual({
      status: 'failure',
      message: expect.stringMatching(words),
      gasUsed: 0n,
    });
  });

  it('an endless call ends at its gas cap of 50 million or at its deadline, whichever comes first', async () => {
    let clock = 0;
    const { call } = await open({ timeoutMs: 40, now: () => clock++ });
    const timeout = expect.objectContaining({ code: 'EVM_CALL_TIMEOUT' });
    await expect(call({ to: address('loop') })).rejects.toThrow(timeout);
    expect(await call({ to: address('counter') })).toMatchObject({ status: 'success' });
  });

  it('a reader told its own gas cap: calls and estimates end there', async () => {
    const { reader, context, call } = await open({ callGasMax: 70_000n });
    const to = address('loop');
    expect(await call({ to })).toEqual({ status: 'failure', message: 'out of gas', gasUsed: 70_000n });
    expect(await call({ to, gas: 90_000n })).toMatchObject({ gasUsed: 70_000n });
    expect(await reader.estimateGas(message({ to }), context)).toMatchObject({
      message: 'gas required exceeds allowance (70000)',
    });
  });

  it('code whose record is gone: EVM_CODE_MISSING, for a read as for a call', async () => {
    const { reader, database, context, call } = await open();
    const hash = keccakHex(hexToBytes(`0x${codes.loop}`)) as Hash;
    await database.write([{ key: codeKey(hash), value: null }], { sync: false });
    const missing = expect.objectContaining({ code: 'EVM_CODE_MISSING', detail: expect.objectContaining({ hash }) });
    expect(() => reader.code(address('loop'), context.stateRoot)).toThrow(missing);
    await expect(call({ to: address('loop') })).rejects.toThrow(missing);
  });

  it('a root that is not stored: EVM_NODE_MISSING', async () => {
    const { reader } = await open();
    expect(() => reader.account(alice.address, word(7n))).toThrow(
      expect.objectContaining({ code: 'EVM_NODE_MISSING' }),
    );
  });
});

describe('estimateGas', () => {
  it('a plain transfer: 21000', async () => {
    const { reader, context } = await open();
    const outcome = await reader.estimateGas(message({ to: at(1000), value: 1n }), context);
    expect(outcome).toMatchObject({ status: 'success', gasUsed: 21_000n });
  });

  it('the estimate is enough for a transaction, and little more than what it uses', async () => {
    const { reader, database, context } = await open();
    const cases = [
      { to: address('counter'), data: new Uint8Array(0) },
      { to: address('hungry'), data: new Uint8Array(0) },
      { to: null, data: concatBytes(hexToBytes('0x6001600055'), hexToBytes('0x60016000f3')) },
      { to: address('counter'), data: new Uint8Array(2000).fill(1) },
    ];
    for (const { to, data } of cases) {
      const outcome = await reader.estimateGas(message({ to, data }), context);
      expect(outcome.status).toBe('success');
      const evm = await createEvmState({ database, common, stateRoot: context.stateRoot, blockHashOf: () => null });
      const block = evm.begin({ ...context, prevRandao: word(0n) });
      await block.run([verify(alice.sign({ nonce: 0, to, data, gasLimit: outcome.gasUsed }))]);
      const [receipt] = (await block.finish()).receipts;
      expect([to, receipt!.status]).toEqual([to, 1]);
      if (to !== address('hungry')) expect(Number(outcome.gasUsed)).toBeLessThan(Number(receipt!.gasUsed) * 1.1);
    }
  });

  it('a message that never has enough: the allowance is named', async () => {
    const { reader, context } = await open();
    const gas = 25_000n;
    expect(await reader.estimateGas(message({ to: address('counter'), gas }), context)).toMatchObject({
      status: 'failure',
      message: 'gas required exceeds allowance (25000)',
    });
    const poor = message({ to: address('counter'), from: at(77), maxFeePerGas: 2000n });
    expect(await reader.estimateGas(poor, context)).toMatchObject({
      status: 'failure',
      message: 'insufficient funds for transfer',
    });
    const valueTooHigh = message({ to: address('counter'), maxFeePerGas: 2000n, value: 10n ** 19n });
    expect(await reader.estimateGas(valueTooHigh, context)).toMatchObject({
      message: 'insufficient funds for transfer',
    });
  });

  it('what the reader says a call costs, a transaction pays', async () => {
    const { reader, database, context } = await open();
    const to = address('counter');
    const { gasUsed } = await reader.call(message({ to }), context);
    const evm = await createEvmState({ database, common, stateRoot: context.stateRoot, blockHashOf: () => null });
    const block = evm.begin({ ...context, prevRandao: word(0n) });
    await block.run([verify(alice.sign({ nonce: 0, to, gasLimit: 100_000n }))]);
    expect((await block.finish()).receipts[0]!.gasUsed).toBe(gasUsed);
    expect(bytesOf(to).length).toBe(20);
  });
});
