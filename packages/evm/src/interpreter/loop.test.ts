import { describe, expect, it } from '@jest/globals';
import type { EVMError } from '@ethereumjs/evm';
import { createVM, type VM } from '@ethereumjs/vm';
import { cryptoProvider } from '@prime/crypto';
import type { Address } from '@prime/primitives';
import fc from 'fast-check';
import { createCommon, createCustomCrypto } from '../library/common.ts';
import { createHashSource, libraryAddress, libraryBlock } from '../block/environment.ts';
import { createLibraryVm } from '../library/libraryVm.ts';
import { allocateState } from '../block/genesisState.ts';
import { createMemoryDatabase } from '../testing/memoryDatabase.ts';
import { createFlatSource } from '../state/flatSource.ts';
import { StateOverlay } from '../state/overlay.ts';
import { OverlayStateManager } from '../state/stateManager.ts';
import { bytesToWord, readWord, wordToBytes, writeWord } from './words.ts';

const common = createCommon(7919, createCustomCrypto(await cryptoProvider()));
const contract = `0x${'c0'.repeat(20)}` as Address;
const other = `0x${'0a'.repeat(20)}` as Address;
const caller = `0x${'ca'.repeat(20)}` as Address;
const word = `0x${'00'.repeat(31)}07` as const;
const block = libraryBlock(
  {
    height: 9 as never,
    timestampMs: 1_700_000_000_123 as never,
    proposer: `0x${'ee'.repeat(20)}` as Address,
    gasLimit: 30_000_000n,
    baseFee: 7n,
    parentHash: `0x${'11'.repeat(32)}` as never,
    prevRandao: `0x${'22'.repeat(32)}` as never,
  },
  common,
);

/** Code that a contract may be called with by the generated one: writes, logs and returns what it was given, or reverts. */
const callee = Uint8Array.from(Buffer.from('365f5f375f3560015536600a116015575f365fa05f365ff35b60205ffd', 'hex'));

interface Run {
  readonly output: string;
  readonly gasUsed: bigint;
  readonly refund: bigint;
  readonly error: string | null;
  readonly logs: string;
  readonly storage: string;
}

function machine(create: (manager: OverlayStateManager) => Promise<VM>) {
  const account = { balance: 10n ** 18n, nonce: 1, storage: [{ slot: word, value: word }] as never };
  const { writes } = allocateState([{ ...account, address: other, code: callee }]);
  const source = createFlatSource(createMemoryDatabase(writes));
  const manager = new OverlayStateManager(source);
  const vm = create(manager);
  return async (code: Uint8Array, data: Uint8Array, gasLimit: bigint): Promise<Run> => {
    const { evm } = await vm;
    const overlay = new StateOverlay(source);
    manager.overlay = overlay;
    overlay.setCode(contract, code);
    evm.journal.cleanJournal();
    const { execResult } = await evm.runCall({
      block,
      caller: libraryAddress(caller),
      to: libraryAddress(contract),
      data,
      gasLimit,
      gasPrice: 9n,
    });
    return {
      output: Buffer.from(execResult.returnValue).toString('hex'),
      gasUsed: execResult.executionGasUsed,
      refund: execResult.gasRefund ?? 0n,
      error: errorOf(execResult.exceptionError),
      logs: Buffer.from(
        (execResult.logs ?? [])
          .flatMap(([address, topics, bytes]) => [address, ...topics, bytes])
          .flatMap((part) => [...part]),
      ).toString('hex'),
      storage: JSON.stringify(
        [...overlay.storage].map(([address, { slots }]) => [
          address,
          [...slots].map(([slot, value]) => [slot, [...value]]),
        ]),
      ),
    };
  };
}

/** The library adds the place to a bad jump. */
const errorOf = (error: EVMError | undefined): string | null =>
  error === undefined ? null : error.error.startsWith('invalid JUMP') ? 'invalid JUMP' : error.error;

const ours = machine((manager) => createLibraryVm(common, manager, () => null));
const library = machine((stateManager) =>
  createVM({ common, stateManager, blockchain: createHashSource(() => null) as never }),
);

async function expectSame(code: Uint8Array, data: Uint8Array, gasLimit: bigint): Promise<Run> {
  const wanted = await library(code, data, gasLimit);
  expect(await ours(code, data, gasLimit)).toEqual(wanted);
  return wanted;
}

const gas = 300_000n;
const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

/** A number that instructions trip over: small, a border, or anything. */
const anyOperand = fc.oneof(
  fc.nat({ max: 64 }).map(BigInt),
  fc.constantFrom(
    0n,
    1n,
    31n,
    32n,
    33n,
    255n,
    256n,
    257n,
    2n ** 32n,
    2n ** 64n - 1n,
    2n ** 64n,
    2n ** 255n,
    2n ** 256n - 1n,
  ),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
);
const push = (value: bigint): number[] => {
  const digits = value.toString(16);
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  return [0x5f + bytes.length, ...bytes];
};
const opcodes = Array.from({ length: 256 }, (_, opcode) => opcode);
const callOpcodes = [0xf1, 0xf2, 0xf4, 0xfa];
const callOther = fc
  .record({ opcode: fc.constantFrom(...callOpcodes), size: fc.nat({ max: 70 }) })
  .map(({ opcode, size }) => [
    ...push(32n),
    ...push(0n),
    ...push(BigInt(size)),
    ...push(0n),
    ...(opcode < 0xf4 ? push(0n) : []),
    ...push(BigInt(other)),
    ...push(50_000n),
    opcode,
  ]);
const anyPiece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.array(anyOperand, { maxLength: 4 }), fc.constantFrom(...opcodes))
      .map(([operands, opcode]) => [...operands.flatMap(push), opcode]),
  },
  { weight: 2, arbitrary: fc.constantFrom(...opcodes).map((opcode) => [opcode]) },
  { weight: 1, arbitrary: callOther },
  // A jump over one instruction, forwards.
  { weight: 1, arbitrary: fc.constantFrom(...opcodes).map((opcode) => [0x58, 0x60, 5, 0x01, 0x56, opcode, 0x5b]) },
);
const anyProgram = fc.array(anyPiece, { maxLength: 40 }).map((pieces) => Uint8Array.from(pieces.flat()));

describe('synchronous loop', () => {
  it('does with any program what the library does with it', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyProgram,
        fc.uint8Array({ maxLength: 80 }),
        fc.constantFrom(gas, 5_000n, 60_000n),
        async (code, data, limit) => {
          await expectSame(code, data, limit);
        },
      ),
      { numRuns: 1_500 },
    );
  });

  it.each([31, 32, 511, 512, 513, 1_600])('asks as much as the library for %d words of memory', async (words) => {
    const touch = Uint8Array.from([0x5f, ...push(BigInt(32 * (words - 1))), 0x52]);
    const { gasUsed } = await expectSame(touch, new Uint8Array(0), gas);
    // Yellow paper, appendix H: and 2, 3 and 3 for the instructions.
    expect(gasUsed).toBe(BigInt(8 + 3 * words + Math.floor((words * words) / 512)));
  });

  it('does with each single instruction on a full, a short and an overfull stack what the library does', async () => {
    const result = [0x5f, 0x52, 0x59, 0x5f, 0xf3];
    for (const opcode of opcodes)
      for (const depth of [0, 1, 2, 3, 7, 1023, 1024]) {
        const items = Array.from({ length: depth }, (_, index) => [0x60, (index * 37) % 97]).flat();
        await expectSame(Uint8Array.from([...items, opcode, ...result]), hex('0102030405'), 10n ** 6n);
      }
  });

  it('fails like the library with neither enough gas nor enough numbers', async () => {
    for (const opcode of opcodes)
      for (const depth of [0, 1, 2, 3]) {
        const items = Array.from({ length: depth }, () => 0x5f);
        for (const left of [0, 1, 2])
          await expectSame(Uint8Array.from([...items, opcode]), hex(''), BigInt(2 * depth + left));
      }
  });

  it('returns, reverts and runs off the end of code and of numbers within it like the library', async () => {
    expect(await expectSame(hex('602a5f5260205ff3'), hex(''), gas)).toMatchObject({
      error: null,
      output: word.slice(2, -2) + '2a',
    });
    expect(await expectSame(hex('602a5f5260205ffd'), hex(''), gas)).toMatchObject({
      error: 'revert',
      output: word.slice(2, -2) + '2a',
    });
    expect(await expectSame(hex('5f5f01'), hex(''), gas)).toMatchObject({ error: null, output: '' });
    expect(await expectSame(hex('7fff'), hex(''), gas)).toMatchObject({ error: null });
    expect(await expectSame(hex('600456 61 5b5b'), hex(''), gas)).toMatchObject({ error: 'invalid JUMP' });
    expect(await expectSame(hex('fe'), hex(''), gas)).toMatchObject({ error: 'invalid opcode', gasUsed: gas });
  });

  it('asks for all gas when memory is out of reach, and for none for an empty range far away', async () => {
    expect(await expectSame(hex(`7f${'ff'.repeat(32)}51`), hex(''), gas)).toMatchObject({
      error: 'out of gas',
      gasUsed: gas,
    });
    expect(await expectSame(hex(`5f 7f${'ff'.repeat(32)} 20`), hex(''), gas)).toMatchObject({ error: null });
  });

  it('leaves a frame with more gas than it counts exactly to the library', async () => {
    expect(await expectSame(hex('602a5f5260205ff3'), hex(''), 2n ** 63n)).toMatchObject({ error: null });
  });

  it('lets those who watch see every instruction', async () => {
    const source = createFlatSource(createMemoryDatabase([]));
    const manager = new OverlayStateManager(source);
    const { evm } = await createLibraryVm(common, manager, () => null);
    const seen: number[] = [];
    const watch = ({ opcode }: { opcode: { code: number } }): void => void seen.push(opcode.code);
    evm.events?.on('step', watch);
    await evm.runCode({ code: hex('60016002015000'), gasLimit: gas });
    evm.events?.off('step', watch);
    expect(seen).toEqual([0x60, 0x60, 0x01, 0x50, 0x00]);
  });
});

describe('words', () => {
  it('come back from memory as they were written, at any place', () => {
    fc.assert(
      fc.property(anyOperand, fc.nat({ max: 40 }), (value, offset) => {
        const memory = new Uint8Array(80).fill(0xaa);
        const view = new DataView(memory.buffer);
        writeWord(view, offset, value);
        expect(readWord(view, offset)).toBe(value);
        expect(Buffer.from(memory.subarray(offset, offset + 32)).toString('hex')).toBe(
          value.toString(16).padStart(64, '0'),
        );
        expect(memory.subarray(offset + 32).every((byte) => byte === 0xaa)).toBe(true);
        expect(bytesToWord(wordToBytes(value))).toBe(value);
      }),
    );
  });

  it('are read from fewer bytes than 32 too', () => {
    expect([bytesToWord(hex('')), bytesToWord(hex('01')), bytesToWord(hex('0100'))]).toEqual([0n, 1n, 256n]);
  });
});
