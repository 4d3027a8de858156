import { expect } from '@jest/globals';
import { type Address, type Hash, type Height, type TimestampMs, bytesToHex, hexToBytes } from '@prime/primitives';
import { cryptoProvider } from '@prime/crypto';
import {
  headerHash,
  noBlockOverrides,
  type BlockOverrides,
  type CallMessage,
  type GenesisAccount,
  type Header,
  type SimulationBlock,
} from '@prime/codec';
import { type TraceReaderOptions, createTraceReader } from '../trace/traceReader.ts';
import { allocateState } from '../block/genesisState.ts';
import { callOf } from './calls.ts';
import { createCommon, createCustomCrypto } from '../library/common.ts';
import { createMemoryDatabase } from './memoryDatabase.ts';
import { wordOf } from '../state/bytes.ts';

/** A chain of one block that tests simulate blocks after. */

const chainId = 7919;
export const common = createCommon(chainId, createCustomCrypto(await cryptoProvider()));
export const at = (index: number): Address => `0x${index.toString(16).padStart(40, 'c')}` as Address;
export const word = (value: bigint): Hash => bytesToHex(wordOf(value)) as Hash;
export const code = (hex: string): Uint8Array => hexToBytes(`0x${hex.replaceAll(' ', '')}`);
export const empty = { balance: 0n, nonce: 0, code: new Uint8Array(0), storage: [] };
export const [rich, poor, counter, payer] = [at(1), at(2), at(3), at(4)];
export const [header, reverter, hasher, full] = [at(5), at(6), at(7), at(8)];
const precompile = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}` as Address;
export const [sha256, identity] = [precompile(2), precompile(4)];
export const alloc: readonly GenesisAccount[] = [
  { ...empty, address: rich, balance: 10n ** 18n },
  { ...empty, address: counter, code: code('5f546001018060005560005260206000f3') },
  // Sends 3 wei to an account, then logs.
  { ...empty, address: payer, balance: 50n, code: code(`5f5f5f5f6003 73${at(99).slice(2)} 5af1 50 5f5fa0`) },
  // Returns NUMBER, TIMESTAMP and BASEFEE.
  { ...empty, address: header, code: code('435f52 42602052 48604052 60605ff3') },
  { ...empty, address: reverter, code: code('602a5f5260205ffd') },
  // Returns BLOCKHASH of NUMBER - 1.
  { ...empty, address: hasher, code: code('6001430340 5f52 60205ff3') },
];
const { stateRoot, writes } = allocateState(alloc);
export const zero = word(0n);
const baseHeader: Header = {
  version: 1,
  chainId,
  height: 10 as Height,
  timestampMs: 1_700_000_000_700 as TimestampMs,
  parentHash: word(5n),
  proposer: at(0xee),
  validatorsHash: zero,
  nextValidatorsHash: zero,
  bodyRoot: zero,
  lastCommitHash: zero,
  evidenceHash: zero,
  gasLimit: 30_000_000n,
  baseFee: 1000n,
  parentResults: { stateRoot: zero, receiptsRoot: zero, eventsRoot: zero, gasUsed: 0n },
};
export const base = {
  header: baseHeader,
  hash: headerHash(baseHeader),
  roots: { stateRoot, receiptsRoot: zero, eventsRoot: zero, gasUsed: 0n },
};

export const open = (options: Partial<TraceReaderOptions> = {}) =>
  createTraceReader({
    database: createMemoryDatabase(writes),
    common,
    blockHashOf: (height) => (height === 10 ? base.hash : null),
    callGasMax: 50_000_000n,
    charactersMax: 1_000_000,
    simulation: { blocksMax: 256, callsMax: 1_000 },
    ...options,
  });
export const call = (to: Address | null, fields: Partial<CallMessage> = {}): CallMessage =>
  callOf({ from: rich, to, ...fields });
export const block = (calls: readonly CallMessage[], fields: Partial<SimulationBlock> = {}): SimulationBlock => ({
  calls,
  stateOverrides: [],
  blockOverrides: noBlockOverrides,
  ...fields,
});
export const numbered = (overrides: Partial<BlockOverrides>): Partial<SimulationBlock> => ({
  blockOverrides: { ...noBlockOverrides, ...overrides },
});
/** What is thrown where a simulation can not go on: go-ethereum's number, and its words. */
export const refused = (number: number, message: RegExp) =>
  expect.objectContaining({
    code: 'EVM_SIMULATION_REFUSED',
    message: expect.stringMatching(message),
    detail: expect.objectContaining({ number }),
  });
