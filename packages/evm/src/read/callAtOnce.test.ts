import { describe, expect, it } from '@jest/globals';
import { type CallMessage, noBlockOverrides, type StateContext } from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import { type Address, bytesToHex, type Hash, type Height, hexToBytes, type TimestampMs } from '@prime/primitives';
import fc from 'fast-check';
import { callOf } from '../testing/calls.ts';
import { createCommon, createCustomCrypto } from '../library/common.ts';
import { allocateState } from '../block/genesisState.ts';
import { wordOf } from '../state/bytes.ts';
import { createMemoryDatabase } from '../testing/index.ts';
import { createStateReader } from './stateReader.ts';

const common = createCommon(7919, createCustomCrypto(await cryptoProvider()));
const target = `0x${'c0'.repeat(20)}` as Address;
const other = `0x${'0a'.repeat(20)}` as Address;
const word = (value: bigint): Hash => bytesToHex(wordOf(value)) as Hash;
const hex = (text: string): Uint8Array => hexToBytes(`0x${text.replaceAll(' ', '')}`);
const budget = { gas: 100_000, timeMs: 60_000 };

const message = (fields: Partial<CallMessage> = {}): CallMessage => callOf({ from: other, to: target, ...fields });

/** A reader of a state with code at {@link target}; its clock goes on by `tickMs` whenever it is read. */
async function open(
  code: Uint8Array,
  {
    tickMs = 0,
    timeoutMs = null,
    otherCode = hex('60205ff3'),
  }: { readonly tickMs?: number; readonly timeoutMs?: number | null; readonly otherCode?: Uint8Array } = {},
) {
  const slots = [0n, 1n, 7n].map((slot) => ({ slot: word(slot), value: word(slot + 40n) }));
  const { stateRoot, writes } = allocateState([
    { address: target, code, balance: 5n, nonce: 1, storage: slots },
    { address: other, code: otherCode, balance: 10n ** 18n, nonce: 0, storage: [] },
  ]);
  let now = 0;
  const reader = await createStateReader({
    database: createMemoryDatabase(writes),
    common,
    blockHashOf: () => null,
    timeoutMs,
    now: () => (now += tickMs),
  });
  const context: StateContext = {
    height: 5 as Height,
    timestampMs: 1_700_000_000_000 as TimestampMs,
    proposer: `0x${'ee'.repeat(20)}` as Address,
    gasLimit: 30_000_000n,
    baseFee: 1000n,
    parentHash: word(1n),
    stateRoot,
  };
  return {
    reader,
    context,
    atOnce: (fields = {}, limits = budget) => reader.callAtOnce(message(fields), context, limits),
  };
}

const operand = fc.oneof(
  fc.nat({ max: 70 }).map(BigInt),
  fc.constantFrom(255n, 2n ** 32n, 2n ** 255n, 2n ** 256n - 1n),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
);
const push = (value: bigint): number[] => [0x7f, ...wordOf(value)];
const piece = fc
  .tuple(fc.array(operand, { maxLength: 4 }), fc.nat({ max: 255 }))
  .map(([operands, opcode]) => [...operands.flatMap(push), opcode]);
const program = fc
  .tuple(fc.array(piece, { maxLength: 12 }), fc.constantFrom('', '60805ff3', '60405ffd', '5b600056'))
  .map(([pieces, end]) => Uint8Array.from([...pieces.flat(), ...hex(end)]));

describe('callAtOnce', () => {
  it('says of any program what call says of it, or nothing', async () => {
    let finished = 0;
    await fc.assert(
      fc.asyncProperty(
        program,
        fc.uint8Array({ maxLength: 80 }),
        fc.constantFrom(null, 21_500n, 30_000n, 200_000n),
        fc.constantFrom(
          {},
          { maxFeePerGas: 1500n, gas: 90_000n },
          { from: null },
          { from: target, maxFeePerGas: 0n },
          { accessList: [{ address: target, storageKeys: [word(1n), word(7n)] }] },
        ),
        async (code, data, gas, fees) => {
          const { reader, context } = await open(code);
          const asked = message({ data, gas, ...fees });
          const outcome = reader.callAtOnce(asked, context, budget);
          // What was begun and given up leaves nothing behind either.
          const wanted = await reader.call(asked, context);
          if (outcome.status === 'unfit' || outcome.status === 'unfinished') return;
          finished++;
          expect(outcome).toEqual(wanted);
          expect(reader.callAtOnce(asked, context, budget)).toEqual(wanted);
        },
      ),
      { numRuns: 500 },
    );
    expect(finished).toBeGreaterThan(100);
  });

  it('code sees all the gas of the call, not that of the budget', async () => {
    const { reader, context, atOnce } = await open(hex('5a5f5260205ff3'));
    const outcome = atOnce({ gas: 1_000_000n }, { gas: 1000, timeMs: 60_000 });
    expect(outcome).toEqual(await reader.call(message({ gas: 1_000_000n }), context));
    expect(outcome).toMatchObject({ output: wordOf(978_998n) });
  });

  it('an endless loop: nothing within a budget of gas, out of gas when that is what the call has', async () => {
    const { atOnce } = await open(hex('5b600056'));
    expect(atOnce()).toEqual({ status: 'unfinished' });
    expect(atOnce({ gas: 60_000n })).toEqual({ status: 'failure', message: 'out of gas', gasUsed: 60_000n });
  });

  it.each([
    ['jumps', '5b600056'],
    ['hashes', `5b 612000 5f 20 50 600056`],
    ['slots', '5f 5b 80 54 50 600101 600156'],
  ])('code that goes on and on with %s: ends with the time, whatever gas is left', async (_what, code) => {
    // 20 looks at the clock are all the time there is.
    const { atOnce } = await open(hex(code), { tickMs: 1 });
    expect(atOnce({}, { gas: 1e9, timeMs: 20 })).toEqual({ status: 'unfinished' });
  });

  it.each([
    ['calls another contract', '5f5f5f5f5f 730a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a 5a f1'],
    ['writes a slot', '60015f55'],
    ['makes a contract', '5f5f5ff0'],
  ])('code that %s: unfinished', async (_what, code) => {
    const { atOnce } = await open(hex(code));
    expect(atOnce()).toEqual({ status: 'unfinished' });
  });

  it.each([
    ['value', { value: 1n }],
    ['a creation', { to: null }],
    ['fees below the base fee', { maxFeePerGas: 1n }],
    ['assumed state', { stateOverrides: [{ address: other, balance: 1n }] as never }],
    ['an assumed block', { blockOverrides: { ...noBlockOverrides, height: 9 as Height } }],
    ['authorizations', { authorizationList: [{}] as never }],
  ])('a message with %s: unfit', async (_what, fields) => {
    const { atOnce } = await open(hex('00'));
    expect(atOnce(fields)).toEqual({ status: 'unfit' });
  });

  it('a precompile, or an account without code: unfinished', async () => {
    const { atOnce } = await open(hex('00'));
    for (const to of [`0x${'5'.padStart(40, '0')}`, `0x${'dd'.repeat(20)}`] as Address[])
      expect(atOnce({ to })).toEqual({ status: 'unfinished' });
  });

  it('while another call is under way: unfit, and the other one is not disturbed', async () => {
    const { reader, context, atOnce } = await open(hex('5f545f5260205ff3'));
    const running = reader.call(message(), context);
    expect(atOnce()).toEqual({ status: 'unfit' });
    expect(await running).toMatchObject({ status: 'success', output: wordOf(40n) });
    expect(atOnce()).toEqual(await running);
  });

  it.each([
    ['ended', '00'],
    ['failed', 'fe'],
    ['was given up', '5f5f5f5f5f5f5ff1'],
  ])('finds memory and transient storage empty, whatever a call that %s left there', async (_what, end) => {
    const ones = `7f${'ff'.repeat(32)}`;
    const filler = hex(`${ones} 5f52 ${ones} 610fe052 60015f5d ${end}`);
    // Two words of memory and a transient slot.
    const { reader, context } = await open(hex('5f51 610fe051 5f5c 5f52 602052 604052 60605ff3'), {
      otherCode: filler,
    });
    reader.callAtOnce(message({ from: null, to: other }), context, budget);
    const outcome = reader.callAtOnce(message(), context, budget);
    expect(outcome).toMatchObject({ status: 'success', output: new Uint8Array(96) });
    expect(await reader.call(message(), context)).toEqual(outcome);
  });

  it('a contract whose slots another block changed: reads the new ones', async () => {
    const code = hex('5f545f5260205ff3');
    const make = (value: bigint) =>
      allocateState([
        { address: target, code, balance: 0n, nonce: 1, storage: [{ slot: word(0n), value: word(value) }] },
        { address: other, code: new Uint8Array(0), balance: value, nonce: 0, storage: [] },
      ]);
    const states = [make(40n), make(41n)];
    const database = createMemoryDatabase(states.flatMap(({ writes }) => writes));
    const reader = await createStateReader({ database, common, blockHashOf: () => null });
    const { context } = await open(code);
    for (const [index, value] of [40n, 41n, 40n].entries()) {
      const { stateRoot } = states[index % 2]!;
      expect(reader.callAtOnce(message(), { ...context, stateRoot }, budget)).toMatchObject({ output: wordOf(value) });
    }
  });

  it('reads the state of the root that it is asked at', async () => {
    const { reader, context } = await open(hex('5f545f5260205ff3'));
    const gone = { ...context, stateRoot: word(7n) };
    expect(() => reader.callAtOnce(message(), gone, budget)).toThrow(
      expect.objectContaining({ code: 'EVM_NODE_MISSING' }),
    );
    expect(reader.callAtOnce(message(), context, budget)).toMatchObject({ output: wordOf(40n) });
  });
});

describe('the time of a call', () => {
  it.each([
    ['hashes', `${'612000 5f 20 50'.repeat(300)} 00`],
    ['reads slots', `${'5f54 50'.repeat(300)} 00`],
  ])('code that %s without a jump: ends with its time', async (_what, code) => {
    const { reader, context } = await open(hex(code), { tickMs: 1, timeoutMs: 20 });
    await expect(reader.call(message(), context)).rejects.toThrow(
      expect.objectContaining({ code: 'EVM_CALL_TIMEOUT' }),
    );
  });
});
