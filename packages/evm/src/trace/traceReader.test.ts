import { describe, expect, it } from '@jest/globals';
import type { CallMessage, GenesisAccount, TracerSettings } from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import { type Address, bytesToHex, type Hash, type Height, hexToBytes, type TimestampMs } from '@prime/primitives';
import { callOf, overrideOf } from '../testing/calls.ts';
import { createCommon, createCustomCrypto } from '../library/common.ts';
import { createEvmState } from '../block/evmState.ts';
import { allocateState } from '../block/genesisState.ts';
import type { BlockEnvironment } from '../ports.ts';
import { wordOf } from '../state/bytes.ts';
import { createMemoryDatabase, createTestAccount, createTestVerifier, type TestTransaction } from '../testing/index.ts';
import { createTraceReader, type ReplayedBlock } from './traceReader.ts';

const chainId = 7919;
const provider = await cryptoProvider();
const common = createCommon(chainId, createCustomCrypto(provider));
const verify = createTestVerifier(chainId, provider);
const [alice, bob] = [createTestAccount('alice', common, provider), createTestAccount('bob', common, provider)];
const at = (index: number): Address => `0x${index.toString(16).padStart(40, 'c')}` as Address;
const word = (value: bigint): Hash => bytesToHex(wordOf(value)) as Hash;
const code = (hex: string): Uint8Array => hexToBytes(`0x${hex.replaceAll(' ', '')}`);
const empty = { balance: 0n, nonce: 0, code: new Uint8Array(0), storage: [] };

const [counter, loop, logger, broke] = [at(1), at(2), at(3), at(4)];
const alloc: readonly GenesisAccount[] = [
  { ...empty, address: alice.address, balance: 10n ** 18n },
  { ...empty, address: bob.address, balance: 10n ** 18n },
  // storage[0]++ and returns it
  { ...empty, address: counter, code: code('5f546001018060005560005260206000f3') },
  { ...empty, address: loop, code: code('5b5f56') },
  { ...empty, address: logger, code: code('5f5fa0 5f5fa0') },
  // Reverts unless it has wei.
  { ...empty, address: broke, code: code('47 6007 57 5f5ffd 5b 00') },
];
const { stateRoot, writes } = allocateState(alloc);
const environment: BlockEnvironment = {
  height: 5 as Height,
  timestampMs: 1_700_000_000_000 as TimestampMs,
  proposer: at(0xee),
  gasLimit: 30_000_000n,
  baseFee: 1000n,
  parentHash: word(1n),
  prevRandao: word(1n),
};

const calls = { tracer: 'callTracer', onlyTopCall: false, withLog: false } as const;
const steps = {
  tracer: 'structLogger',
  disableStack: false,
  disableStorage: false,
  enableMemory: false,
  enableReturnData: false,
  limit: 0,
} as const;
const difference = {
  tracer: 'prestateTracer',
  diffMode: true,
  disableCode: false,
  disableStorage: false,
  includeEmpty: false,
} as const;

const signed = (account: typeof alice, fields: Omit<TestTransaction, 'gasLimit'> & { gasLimit?: bigint }) =>
  verify(account.sign({ gasLimit: 100_000n, ...fields }));
const blockOf = (...transactions: ReplayedBlock['transactions']): ReplayedBlock => ({
  environment,
  parentStateRoot: stateRoot,
  movesBefore: [],
  transactions,
});

async function open(options: { charactersMax?: number; now?: () => number } = {}) {
  const reader = await createTraceReader({
    database: createMemoryDatabase(writes),
    common,
    blockHashOf: () => null,
    callGasMax: 50_000_000n,
    charactersMax: 1_000_000,
    simulation: { blocksMax: 1, callsMax: 1 },
    ...options,
  });
  const wanted = (tracer: TracerSettings = calls, timeoutMs = 60_000) => ({ tracer, timeoutMs });
  return { reader, wanted };
}

describe('transactions of a block', () => {
  it('find what the ones before them left: storage, nonces and the count of logs', async () => {
    const { reader, wanted } = await open();
    const block = blockOf(
      signed(alice, { nonce: 0, to: counter }),
      signed(bob, { nonce: 0, to: logger }),
      signed(alice, { nonce: 1, to: counter }),
      signed(bob, { nonce: 1, to: logger }),
    );
    const third = JSON.parse(await reader.transaction(block, 2, wanted())) as Record<string, unknown>;
    expect(third).toMatchObject({ from: alice.address, to: counter, output: word(2n) });
    const withLog = wanted({ ...calls, withLog: true });
    expect(JSON.parse(await reader.transaction(block, 3, withLog))).toMatchObject({
      logs: [
        { index: '0x2', position: '0x0' },
        { index: '0x3', position: '0x0' },
      ],
    });
    const all = JSON.parse(await reader.block(block, wanted())) as Record<string, unknown>[];
    expect(all.map(({ txHash }) => txHash)).toEqual(block.transactions.map(({ hash }) => hash));
    expect(all[2]!['result']).toEqual(third);
  });

  it('cost what their receipts say, whatever watches them', async () => {
    const { reader, wanted } = await open();
    const block = blockOf(signed(alice, { nonce: 0, to: counter }), signed(alice, { nonce: 1, to: loop }));
    const evm = await createEvmState({
      database: createMemoryDatabase(writes),
      common,
      stateRoot,
      blockHashOf: () => null,
    });
    const executed = evm.begin(environment);
    await executed.run(block.transactions);
    const { receipts } = await executed.finish();
    for (const [index, { gasUsed, status }] of receipts.entries()) {
      const { gas, failed } = JSON.parse(await reader.transaction(block, index, wanted({ ...steps, limit: 1 }))) as {
        gas: number;
        failed: boolean;
      };
      expect([gas, failed]).toEqual([Number(gasUsed), status === 0]);
    }
  });

  it('find what the block paid before them', async () => {
    const { reader, wanted } = await open();
    const block = blockOf(signed(alice, { nonce: 0, to: broke }));
    expect(JSON.parse(await reader.transaction(block, 0, wanted()))).toMatchObject({ error: 'execution reverted' });
    const paid = { ...block, movesBefore: [{ from: bob.address, to: broke, amount: 1n }] };
    expect(JSON.parse(await reader.transaction(paid, 0, wanted()))).not.toHaveProperty('error');
  });

  it('one that its block could not execute has no trace; the others have', async () => {
    const { reader, wanted } = await open();
    const block = blockOf(signed(alice, { nonce: 7, to: counter }), signed(bob, { nonce: 0, to: counter }));
    await expect(reader.transaction(block, 0, wanted())).rejects.toThrow(
      expect.objectContaining({ code: 'EVM_NOT_EXECUTED' }),
    );
    expect(JSON.parse(await reader.block(block, wanted()))).toEqual([
      { txHash: block.transactions[0]!.hash, error: 'transaction was not executed' },
      { txHash: block.transactions[1]!.hash, result: expect.objectContaining({ output: word(1n) }) },
    ]);
  });

  it('settings of the struct logger: what is not wanted is left out, and a limit ends the list and not the run', async () => {
    const { reader, wanted } = await open();
    const block = blockOf(signed(alice, { nonce: 0, to: counter }));
    const { structLogs, returnValue } = JSON.parse(
      await reader.transaction(block, 0, wanted({ ...steps, disableStack: true, disableStorage: true, limit: 3 })),
    ) as { structLogs: object[]; returnValue: string };
    expect(returnValue).toBe(word(1n));
    expect(structLogs).toEqual([
      { pc: 0, op: 'PUSH0', gas: 79_000, gasCost: 2, depth: 1, refund: 0 },
      { pc: 1, op: 'SLOAD', gas: 78_998, gasCost: 2100, depth: 1, refund: 0 },
      { pc: 2, op: 'PUSH1', gas: 76_898, gasCost: 3, depth: 1, refund: 0 },
    ]);
  });
});

describe('bounds', () => {
  it('a trace that grows too large: EVM_TRACE_TOO_LARGE with the limit, and the reader goes on', async () => {
    const { reader, wanted } = await open({ charactersMax: 10_000 });
    const block = blockOf(signed(alice, { nonce: 0, to: loop, gasLimit: 1_000_000n }));
    const tooLarge = expect.objectContaining({
      code: 'EVM_TRACE_TOO_LARGE',
      detail: expect.objectContaining({ limit: 10_000 }),
    });
    await expect(reader.transaction(block, 0, wanted(steps))).rejects.toThrow(tooLarge);
    await expect(reader.block(block, wanted(steps))).rejects.toThrow(tooLarge);
    expect(JSON.parse(await reader.transaction(block, 0, wanted()))).toMatchObject({ error: 'out of gas' });
  });

  it.each([calls, steps])('a trace that takes too long, $tracer: EVM_CALL_TIMEOUT', async (config) => {
    let clock = 0;
    const { reader, wanted } = await open({ now: () => clock++, charactersMax: 100_000_000 });
    const block = blockOf(signed(alice, { nonce: 0, to: loop, gasLimit: 10_000_000n }));
    await expect(reader.transaction(block, 0, wanted(config, 20))).rejects.toThrow(
      expect.objectContaining({ code: 'EVM_CALL_TIMEOUT' }),
    );
    const after = blockOf(signed(alice, { nonce: 0, to: counter }));
    expect(JSON.parse(await reader.transaction(after, 0, wanted()))).toMatchObject({ output: word(1n) });
  });
});

describe('calls', () => {
  const context = { ...environment, stateRoot };
  const message = (fields: Partial<CallMessage>): CallMessage =>
    callOf({ from: alice.address, to: counter, gas: 100_000n, ...fields });

  it('are traced with what they assume; the difference that they make includes the fees', async () => {
    const { reader, wanted } = await open();
    const stateDiff = [{ slot: word(0n), value: word(41n) }];
    const stateOverrides = [overrideOf(counter, { stateDiff })];
    const traced = await reader.call(message({ stateOverrides }), context, wanted());
    if (traced.status !== 'traced') throw new Error(traced.message);
    expect(JSON.parse(traced.trace)).toMatchObject({ type: 'CALL', gas: '0x186a0', output: word(42n) });
    const paid = message({ maxFeePerGas: 1500n, maxPriorityFeePerGas: 100n });
    const diff = await reader.call(paid, context, wanted(difference));
    if (diff.status !== 'traced') throw new Error(diff.message);
    const { pre, post } = JSON.parse(diff.trace) as Record<'pre' | 'post', Record<string, { balance: string }>>;
    const gasUsed = (BigInt(pre[alice.address]!.balance) - BigInt(post[alice.address]!.balance)) / 1100n;
    expect(gasUsed).toBeGreaterThan(40_000n);
    expect(BigInt(post[environment.proposer]!.balance)).toBe(gasUsed * 100n);
    expect(post[alice.address]).toMatchObject({ nonce: 1 });
    expect(post[counter]).toEqual({ storage: { [word(0n)]: word(1n) } });
  });

  it('at a place in a block find what the transactions before it left, then what they assume', async () => {
    const { reader, wanted } = await open();
    const block = blockOf(
      signed(alice, { nonce: 0, to: counter }),
      signed(bob, { nonce: 0, to: logger }),
      signed(alice, { nonce: 1, to: counter }),
    );
    const traceAt = async (index: number, asked = message({}), config: TracerSettings = calls): Promise<unknown> => {
      const traced = await reader.call(asked, context, wanted(config), { block, index });
      return JSON.parse(traced.status === 'traced' ? traced.trace : 'null');
    };
    for (const [index, value] of [1n, 2n, 2n, 3n].entries())
      expect(await traceAt(index)).toMatchObject({ output: word(value) });
    const stateDiff = [{ slot: word(0n), value: word(41n) }];
    const assuming = message({ stateOverrides: [overrideOf(counter, { stateDiff })] });
    expect(await traceAt(3, assuming)).toMatchObject({ output: word(42n) });
    const withLog = { ...calls, withLog: true };
    expect(await traceAt(2, message({ to: logger }), withLog)).toMatchObject({
      logs: [{ index: '0x2' }, { index: '0x3' }],
    });
    // The same as the transaction that stands there.
    const { output, gasUsed } = JSON.parse(await reader.transaction(block, 2, wanted())) as Record<string, string>;
    expect(await traceAt(2)).toMatchObject({ output, gasUsed });
  });

  it('that can not begin are a failure in words', async () => {
    const { reader, wanted } = await open();
    const outcome = await reader.call(message({ value: 10n ** 19n }), context, wanted());
    expect(outcome).toMatchObject({ status: 'failure', message: expect.stringMatching(/^insufficient funds for gas/) });
  });

  it('the tracers without a tree: selectors, and nothing', async () => {
    const { reader, wanted } = await open();
    const data = code('a9059cbb 00');
    for (const [tracer, expected] of [
      ['4byteTracer', { '0xa9059cbb-1': 1 }],
      ['noopTracer', {}],
    ] as const) {
      const traced = await reader.call(message({ data }), context, wanted({ tracer }));
      expect(JSON.parse(traced.status === 'traced' ? traced.trace : '')).toEqual(expected);
    }
  });

  it('several tracers in one run: each as it is alone, by its name', async () => {
    const { reader, wanted } = await open();
    const asked = message({ data: code('a9059cbb 00') });
    const alone = async (tracer: TracerSettings): Promise<unknown> => {
      const traced = await reader.call(asked, context, wanted(tracer));
      return JSON.parse(traced.status === 'traced' ? traced.trace : '');
    };
    const tracers = [
      { tracer: 'callTracer', onlyTopCall: false, withLog: true },
      { tracer: 'prestateTracer', diffMode: false, disableCode: false, disableStorage: false, includeEmpty: false },
      { tracer: '4byteTracer' },
    ] as const;
    const expected: Record<string, unknown> = {};
    for (const each of tracers) expected[each.tracer] = await alone(each);
    expect(await alone({ tracer: 'muxTracer', tracers })).toEqual(expected);
    expect(await alone({ tracer: 'muxTracer', tracers: [] })).toEqual({});
  });

  it('have an access list: what they touch besides what is warm, and never more gas than without it', async () => {
    const { reader } = await open();
    // Reads slot 3 and the balance of bob, calls the counter, hashes through a precompile; fails without a slot that is 7.
    const caller = at(9);
    const bytes = `600354 50 73${bob.address.slice(2)} 31 50 5f5f5f5f5f73${counter.slice(2)}5af1 50 5f5f5f5f60025afa 50`;
    const stateOverrides = [overrideOf(caller, { code: code(bytes) })];
    const asked = message({ to: caller, stateOverrides, gas: 200_000n });
    const outcome = await reader.accessList(asked, context, 60_000);
    if (outcome.status !== 'listed') throw new Error(outcome.message);
    expect(outcome).toMatchObject({ error: null });
    expect(outcome.accessList).toEqual([
      { address: caller, storageKeys: [word(3n)] },
      { address: bob.address, storageKeys: [] },
      { address: counter, storageKeys: [word(0n)] },
    ]);
    const again = await reader.accessList({ ...asked, accessList: outcome.accessList }, context, 60_000);
    expect(again).toEqual(outcome);
  });

  it('have an access list that is bounded by time and by length', async () => {
    let clock = 0;
    const { reader } = await open({ now: () => clock++, charactersMax: 100 });
    await expect(reader.accessList(message({ to: loop, gas: 10_000_000n }), context, 20)).rejects.toMatchObject({
      code: 'EVM_CALL_TIMEOUT',
    });
    // Two slots are more than 100 characters, and none is less.
    const accessList = [{ address: counter, storageKeys: [word(8n), word(9n)] }];
    await expect(reader.accessList(message({ accessList }), context, 1_000)).rejects.toMatchObject({
      code: 'EVM_TRACE_TOO_LARGE',
      detail: { limit: 100 },
    });
    expect(await reader.accessList(message({ to: at(50) }), context, 1_000)).toMatchObject({ accessList: [] });
  });

  it('that fail have their list and the reason; a plain transfer has an empty one', async () => {
    const { reader } = await open();
    expect(await reader.accessList(message({ to: broke }), context, 60_000)).toMatchObject({
      accessList: [],
      error: 'execution reverted',
    });
    expect(await reader.accessList(message({ to: at(50), value: 1n }), context, 60_000)).toEqual({
      status: 'listed',
      accessList: [],
      gasUsed: 21_000n,
      error: null,
    });
    expect(await reader.accessList(message({ value: 10n ** 20n }), context, 60_000)).toMatchObject({
      status: 'failure',
    });
  });
});
