import { describe, expect, it } from '@jest/globals';
import { cryptoProvider, keccakHex } from '@prime/crypto';
import {
  type Address,
  bytesToBigint,
  bytesToHex,
  type Hash,
  type Height,
  hexToBytes,
  type TimestampMs,
} from '@prime/primitives';
import { createCommon, createCustomCrypto } from './common.ts';
import { libraryAddress, libraryBlock } from '../block/environment.ts';
import { allocateState } from '../block/genesisState.ts';
import { createLibraryVm } from './libraryVm.ts';
import { createMemoryDatabase } from '../testing/memoryDatabase.ts';
import { createFlatSource } from '../state/flatSource.ts';
import { StateOverlay } from '../state/overlay.ts';
import { OverlayStateManager } from '../state/stateManager.ts';

const common = createCommon(7919, createCustomCrypto(await cryptoProvider()));
const at = (index: number): Address => `0x${index.toString(16).padStart(40, 'c')}` as Address;
const code = (hex: string): Uint8Array => hexToBytes(`0x${hex.replaceAll(' ', '')}`);
const empty = { balance: 0n, nonce: 0, code: new Uint8Array(0), storage: [] };
const [creator, object, plain, nobody] = [at(1), at(2), at(3), at(4)];
const objectCode = code('ef000102030405');
const { writes } = allocateState([
  { ...empty, address: creator, nonce: 1 },
  { ...empty, address: object, code: objectCode },
  { ...empty, address: plain, code: code('5f5ff3') },
]);
const source = createFlatSource(createMemoryDatabase(writes));
const manager = new OverlayStateManager(source);
const vm = await createLibraryVm(common, manager, () => null);
const word = `0x${'11'.repeat(32)}` as Hash;
const block = libraryBlock(
  {
    height: 9 as Height,
    timestampMs: 1_700_000_000_123 as TimestampMs,
    proposer: at(0xee),
    gasLimit: 30_000_000n,
    baseFee: 7n,
    parentHash: word,
    prevRandao: word,
  },
  common,
);

/** Runs code in the creator's account. */
async function run(hex: string, isStatic = false) {
  manager.overlay = new StateOverlay(source);
  manager.overlay.setCode(creator, code(hex));
  vm.evm.journal.cleanJournal();
  const { execResult } = await vm.evm.runCall({
    block,
    to: libraryAddress(creator),
    gasLimit: 1_000_000n,
    skipNonceIncrement: true,
    isStatic,
  });
  return {
    output: bytesToHex(execResult.returnValue),
    gas: execResult.executionGasUsed,
    error: execResult.exceptionError?.error ?? null,
    nonce: manager.overlay.account(creator)!.nonce,
  };
}

/** PUSH n bytes of code to memory 0 and create with them; the answer is returned. */
const creation = (initCode: string, instruction: 'f0' | 'f5'): string => {
  const size = initCode.length / 2;
  const salt = instruction === 'f5' ? '5f' : '';
  const place = (32 - size).toString(16).padStart(2, '0');
  return `${(0x5f + size).toString(16)}${initCode}5f52${salt}60${size.toString(16).padStart(2, '0')}60${place}5f${instruction}5f5260205ff3`;
};
/** 63/64 of what is left for the frame (EIP-150). */
const allButOne = (gas: bigint): bigint => gas - gas / 64n;

describe('code that begins with 0xef00 where there is no object format', () => {
  it.each([
    // PUSH, PUSH0, MSTORE with a word of memory; two or three PUSH, PUSH0; 32000, 2 for a word of code (EIP-3860), 6 to hash it.
    ['CREATE', 'f0', 3n + 2n + 6n + 3n + 3n + 2n + 32_000n + 2n],
    ['CREATE2', 'f5', 3n + 2n + 6n + 2n + 3n + 3n + 2n + 32_000n + 2n + 6n],
  ] as const)('%s runs it: the frame loses its gas, the nonce goes up', async (_, instruction, before) => {
    const returning = 2n + 3n + 3n + 2n;
    const spent = before + allButOne(1_000_000n - before) + returning;
    for (const initCode of ['ef00', 'ef0001', 'ef01', 'fe']) {
      const outcome = await run(creation(initCode, instruction));
      expect([initCode, outcome]).toEqual([
        initCode,
        { output: `0x${'00'.repeat(32)}`, gas: spent, error: null, nonce: 2n },
      ]);
    }
  });

  it.each(['f0', 'f5'] as const)('%s in a static call is refused as ever', async (instruction) => {
    expect(await run(creation('ef00', instruction), true)).toMatchObject({ error: 'static state change', nonce: 1n });
  });

  it('is refused when it is longer than init code may be', async () => {
    const stored = '61ef0060f01b5f52';
    expect(await run(`${stored}61c0015f5ff0`)).toMatchObject({ error: expect.stringMatching(/initcode/), nonce: 1n });
  });

  it('has its own size, bytes and hash', async () => {
    const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;
    const about = (address: Address, instruction: string) => run(`73${address.slice(2)}${instruction}5f5260205ff3`);
    for (const [address, bytes] of [
      [object, objectCode],
      [plain, code('5f5ff3')],
    ] as const) {
      expect((await about(address, '3b')).output).toBe(word(BigInt(bytes.length)));
      expect((await about(address, '3f')).output).toBe(keccakHex(bytes));
      const copied = await run(`602060015f73${address.slice(2)}3c60205ff3`);
      const padded = new Uint8Array(32);
      padded.set(bytes.subarray(1));
      expect(bytesToBigint(hexToBytes(copied.output))).toBe(bytesToBigint(padded));
    }
    expect((await about(nobody, '3b')).output).toBe(word(0n));
    expect((await about(nobody, '3f')).output).toBe(word(0n));
    // From beyond its end, wherever that is.
    expect((await run(`602067ffffffffffffffff5f73${object.slice(2)}3c60205ff3`)).output).toBe(word(0n));
  });
});
