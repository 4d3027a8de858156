import { describe, expect, it } from '@jest/globals';
import { decodeTransaction, headerHash, type SimulationBlock, type SimulationRequest } from '@prime/codec';
import { createTxFromRLP } from '@ethereumjs/tx';
import { keccakHex } from '@prime/crypto';
import { bytesToBigint, bytesToHex, type Hash, type Height, type TimestampMs } from '@prime/primitives';
import {
  alloc,
  at,
  base,
  block,
  call,
  code,
  common,
  empty,
  numbered,
  open,
  word,
  zero,
  counter,
  full,
  hasher,
  header,
  identity,
  payer,
  poor,
  reverter,
  rich,
  sha256,
  refused,
} from '../testing/simulations.ts';
import { overrideOf } from '../testing/calls.ts';
import { allocateState } from '../block/genesisState.ts';
import { wordOf } from '../state/bytes.ts';
import { createMemoryDatabase } from '../testing/index.ts';

const reader = await open();
const simulate = (blocks: readonly SimulationBlock[], fields: Partial<SimulationRequest> = {}) =>
  reader.simulate({ blocks, base, validation: false, traceTransfers: false, ...fields }, 60_000);
const words = (data: Uint8Array): bigint[] =>
  Array.from({ length: data.length / 32 }, (_, index) => bytesToBigint(data.subarray(index * 32, index * 32 + 32)));
describe('simulate', () => {
  it('calls find what the ones before them left, in the same block and in the next', async () => {
    const blocks = await simulate([block([call(counter), call(counter)]), block([call(counter)])]);
    expect(blocks.map(({ calls }) => calls.map(({ returnData }) => words(returnData)))).toEqual([[[1n], [2n]], [[3n]]]);
    expect((await simulate([block([call(counter)])]))[0]!.calls[0]!.returnData).toEqual(wordOf(1n));
  });

  it('blocks continue the chain: numbers, times, hashes and roots; gaps are filled with empty ones', async () => {
    const blocks = await simulate([
      block([call(header)]),
      block([call(hasher), call(header)], numbered({ height: 13 as Height })),
    ]);
    expect(blocks.map(({ header: { height } }) => height)).toEqual([11, 12, 13]);
    expect(blocks.map(({ header: { parentHash } }) => parentHash)).toEqual([
      base.hash,
      blocks[0]!.hash,
      blocks[1]!.hash,
    ]);
    expect(words(blocks[0]!.calls[0]!.returnData)).toEqual([11n, 1_700_000_001n, 0n]);
    expect(bytesToHex(blocks[2]!.calls[0]!.returnData)).toBe(blocks[1]!.hash);
    expect(words(blocks[2]!.calls[1]!.returnData)).toEqual([13n, 1_700_000_003n, 0n]);
    expect(blocks[0]!.roots.stateRoot).not.toBe(base.roots.stateRoot);
    // Nothing but the sender's nonce changed: what an empty block leaves is what it found.
    expect(blocks[1]!.roots.stateRoot).toBe(blocks[0]!.roots.stateRoot);
    for (const { hash, header: own } of blocks) expect(headerHash(own)).toBe(hash);
  });

  it('transactions are what the calls stand for, with the next nonces and without a signature', async () => {
    const accessList = [{ address: counter, storageKeys: [zero] }];
    const authorization = { chainId: 7919n, address: counter, nonce: 0n, yParity: 0n, r: 1n, s: 1n };
    const [simulated] = await simulate([
      block([
        call(counter, { gas: 100_000n, data: code('abcd') }),
        call(counter, { gas: 100_000n, gasPrice: 5n, value: 0n }),
        call(counter, { gas: 100_000n, maxFeePerGas: 9n, maxPriorityFeePerGas: 2n, accessList }),
        call(counter, { gas: 100_000n, authorizationList: [authorization as never] }),
        call(null, { gas: 100_000n, data: code('00') }),
      ]),
    ]);
    const decoded = simulated!.transactions.map((raw) => createTxFromRLP(raw, { common }));
    expect(decoded.map(({ type, nonce, gasLimit }) => [type, nonce, gasLimit])).toEqual(
      [2, 0, 2, 4, 2].map((type, nonce) => [type, BigInt(nonce), 100_000n]),
    );
    expect(decoded.map(({ to }) => to?.toString() ?? null)).toEqual([counter, counter, counter, counter, null]);
    expect(decoded.map((transaction) => transaction.isSigned())).toEqual(Array.from({ length: 5 }, () => false));
    expect(decoded[0]!.data).toEqual(code('abcd'));
    expect(decoded[1]!.toJSON()).toMatchObject({ gasPrice: '0x5' });
    expect(decoded[2]!.toJSON()).toMatchObject({ maxFeePerGas: '0x9', maxPriorityFeePerGas: '0x2', accessList });
    expect(simulated!.receipts.map(({ transactionHash }) => transactionHash)).toEqual(
      simulated!.transactions.map((raw) => keccakHex(raw)),
    );
  });

  it('the state root is that of the state which the calls leave', async () => {
    const [simulated] = await simulate([block([call(at(50), { value: 5n })])]);
    const expected = allocateState([
      ...alloc.map((account) =>
        account.address === rich ? { ...account, balance: 10n ** 18n - 5n, nonce: 1 } : account,
      ),
      { ...empty, address: at(50), balance: 5n },
    ]);
    expect(simulated!.roots.stateRoot).toBe(expected.stateRoot);
  });

  it('state and header overrides hold from their block on', async () => {
    const override = overrideOf(counter, { stateDiff: [{ slot: zero, value: word(40n) }] });
    const blocks = await simulate([
      block([call(counter)]),
      block([call(counter)], { stateOverrides: [override] }),
      block([call(counter), call(header)], numbered({ baseFee: 7n })),
    ]);
    expect(blocks.map(({ calls }) => words(calls[0]!.returnData))).toEqual([[1n], [41n], [42n]]);
    expect(words(blocks[2]!.calls[1]!.returnData)[2]).toBe(7n);
  });

  it('a storage that is replaced, too: what it does not list is empty, and the root is that of the new storage', async () => {
    const slot = (index: bigint, value: bigint) => ({ slot: word(index), value: word(value) });
    const root = (storage: ReturnType<typeof slot>[]): Hash =>
      allocateState([...alloc, { ...empty, address: full, code: code('5f54 5f52 600154 602052 60405ff3'), storage }])
        .stateRoot;
    const before = allocateState([
      ...alloc,
      {
        ...empty,
        address: full,
        code: code('5f54 5f52 600154 602052 60405ff3'),
        storage: [slot(0n, 7n), slot(1n, 8n)],
      },
    ]);
    const own = await open({ database: createMemoryDatabase(before.writes) });
    const ownBase = { ...base, roots: { ...base.roots, stateRoot: before.stateRoot } };
    for (const state of [[], [slot(1n, 9n)], [slot(0n, 7n)], [slot(1n, 0n)]]) {
      const stateOverrides = [overrideOf(full, { state })];
      const request = { base: ownBase, validation: false, traceTransfers: false };
      const [changed, read] = await own.simulate(
        { ...request, blocks: [block([], { stateOverrides }), block([call(full)])] },
        60_000,
      );
      const kept = state.filter(({ value }) => value !== zero);
      expect(changed!.roots.stateRoot).toBe(root(kept));
      const value = (index: bigint): bigint => BigInt(kept.find(({ slot: at }) => at === word(index))?.value ?? 0);
      expect(words(read!.calls[0]!.returnData)).toEqual([value(0n), value(1n)]);
    }
  });

  it.each([2n ** 53n - 1n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 2n, 2n ** 64n - 1n])(
    'nonce %i: the transaction has it, and the one after the last is 0',
    async (nonce) => {
      const [simulated] = await simulate([
        block([call(counter), call(counter)], { stateOverrides: [overrideOf(rich, { nonce })] }),
      ]);
      const next = (nonce + 1n) % 2n ** 64n;
      expect(simulated!.transactions.map((raw) => decodeTransaction(raw).nonce)).toEqual([nonce, next]);
      expect(simulated!.calls.map(({ failure }) => failure)).toEqual([null, null]);
    },
  );

  it('the last nonce creates nothing, and the one before it does', async () => {
    const creation = (nonce: bigint) =>
      simulate([block([call(null, { data: code('00') })], { stateOverrides: [overrideOf(rich, { nonce })] })]);
    expect((await creation(2n ** 64n - 1n))[0]!.calls[0]).toMatchObject({
      failure: { words: 'nonce uint64 overflow' },
    });
    expect((await creation(2n ** 64n - 2n))[0]!.calls[0]).toMatchObject({ failure: null });
    const validated = { validation: true, blocks: [block([call(counter, { maxFeePerGas: 5000n, gas: 50_000n })])] };
    const last = [overrideOf(rich, { nonce: 2n ** 64n - 1n })];
    await expect(simulate([{ ...validated.blocks[0]!, stateOverrides: last }], { validation: true })).rejects.toThrow(
      refused(-38011, /nonce has max value/),
    );
  });

  it.each([
    [[overrideOf(sha256, { movePrecompileTo: sha256 })], -38022, /is already overridden/],
    [[overrideOf(counter, { movePrecompileTo: counter })], -32000, /is not a precompile/],
    [[overrideOf(sha256, { movePrecompileTo: counter }), overrideOf(counter, {})], -32000, /is already overridden/],
  ])('a precompile that can not be moved so %#', async (stateOverrides, number, message) => {
    await expect(simulate([block([], { stateOverrides })])).rejects.toThrow(refused(number, message));
  });

  it('of two precompiles that are moved to one address the later answers there, whatever their order in the request', async () => {
    const moves = [
      overrideOf(sha256, { movePrecompileTo: at(80) }),
      overrideOf(identity, { movePrecompileTo: at(80) }),
    ];
    for (const stateOverrides of [moves, moves.toReversed()]) {
      const [simulated] = await simulate([block([call(at(80), { data: code('abcd') })], { stateOverrides })]);
      expect(simulated!.calls[0]!.returnData).toEqual(code('abcd'));
    }
  });

  it('failures are outcomes: a revert with its data, an exception in words, and the block goes on', async () => {
    const [simulated] = await simulate([block([call(reverter), call(header, { gas: 21_010n }), call(counter)])]);
    expect(simulated!.calls).toMatchObject([
      {
        failure: { words: 'execution reverted', revertData: wordOf(42n) },
        returnData: new Uint8Array(0),
        logs: [],
      },
      { failure: { revertData: null, words: 'out of gas' }, returnData: new Uint8Array(0), gasUsed: 21_010n },
      { failure: null, returnData: wordOf(1n) },
    ]);
    expect(simulated!.roots.gasUsed).toBe(simulated!.calls.reduce((sum, { gasUsed }) => sum + gasUsed, 0n));
    expect(simulated!.receipts.map(({ status }) => status)).toEqual([0, 0, 1]);
  });

  it('movements of wei are logs of a token that does not exist, before the logs of the code; reverted ones are not', async () => {
    const [simulated] = await simulate([block([call(payer, { value: 2n }), call(reverter, { value: 1n })])], {
      traceTransfers: true,
    });
    const [first, second] = simulated!.calls;
    const parties = (log: { topics: readonly Hash[]; data: Uint8Array }): unknown[] => [
      ...log.topics.slice(1),
      ...words(log.data),
    ];
    expect(first!.logs.map(parties)).toEqual([
      [word(BigInt(rich)), word(BigInt(payer)), 2n],
      [word(BigInt(payer)), word(BigInt(at(99))), 3n],
      [],
    ]);
    expect(first!.logs[0]).toMatchObject({
      address: `0x${'e'.repeat(40)}`,
      topics: ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', {}, {}],
    });
    expect(second!.logs).toEqual([]);
  });

  it.each([
    [[block([], numbered({ height: 10 as Height }))], {}, -38020, /block numbers must be in order: 10 <= 10/],
    [
      [block([], numbered({ timestampMs: 1_600_000_000_000 as TimestampMs }))],
      {},
      -38021,
      /timestamps must be in order/,
    ],
    [[block([], numbered({ height: 400 as Height }))], {}, -38026, /too many blocks/],
    [[block([call(counter, { gas: 31_000_000n })])], {}, -38015, /block gas limit reached/],
    [[block([call(counter, { gas: 20_000n })])], {}, -38013, /intrinsic gas too low/],
    [[block([call(counter, { from: poor, value: 1n })])], {}, -38014, /insufficient funds/],
    [[block([call(null, { data: new Uint8Array(50_000) })])], {}, -38025, /max initcode size exceeded/],
    [
      [block([call(counter, { nonce: 3n, maxFeePerGas: 5000n, gas: 50_000n })])],
      { validation: true },
      -38011,
      /nonce too high/,
    ],
    [
      [
        block([
          call(counter, { maxFeePerGas: 5000n, gas: 50_000n }),
          call(counter, { nonce: 0n, maxFeePerGas: 5000n, gas: 50_000n }),
        ]),
      ],
      { validation: true },
      -38010,
      /nonce too low/,
    ],
    [
      [block([call(counter, { gas: 50_000n })])],
      { validation: true },
      -38012,
      /max fee per gas less than block base fee/,
    ],
  ])('what can not go on ends the whole simulation %#', async (blocks, fields, number, message) => {
    await expect(simulate(blocks, fields)).rejects.toThrow(refused(number, message));
    expect(await simulate([block([call(counter)])])).toHaveLength(1);
  });

  it('with validation fees are paid: the sender, the proposer, and the base fee that falls while blocks are empty', async () => {
    const paying = { maxFeePerGas: 5000n, maxPriorityFeePerGas: 10n, gas: 50_000n };
    const [first, second] = await simulate([block([]), block([call(at(60), { ...paying, value: 1n })])], {
      validation: true,
    });
    expect(first!.header.baseFee).toBe(875n);
    const { baseFee } = second!.header;
    const [{ gasUsed }] = second!.calls as unknown as [{ gasUsed: bigint }];
    const expected = allocateState([
      ...alloc.map((account) =>
        account.address === rich
          ? { ...account, balance: 10n ** 18n - 1n - gasUsed * (baseFee + 10n), nonce: 1 }
          : account,
      ),
      { ...empty, address: at(60), balance: 1n },
      { ...empty, address: at(0xee), balance: gasUsed * 10n },
    ]);
    expect(second!.roots.stateRoot).toBe(expected.stateRoot);
  });
});
