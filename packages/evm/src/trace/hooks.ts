import type { Log } from '@prime/codec';
import type { Address, Hash } from '@prime/primitives';
import type { StateOverlay } from '../state/overlay.ts';

/**
 * What tracers are told while code runs, in the terms of go-ethereum's tracing hooks: the library's own events miss calls that fail
 * before they begin, do not say by which instruction a frame was entered, and copy stack and memory at every step.
 */
export interface Tracer {
  /** Whether {@link opcode} is wanted: it slows every instruction down. */
  readonly wantsOpcodes: boolean;
  /** Before anything of the transaction happened; `state` stays readable until {@link end}. */
  start?(transaction: TracedTransaction, state: StateOverlay): void;
  enter?(frame: FrameStart): void;
  exit?(frame: FrameEnd): void;
  /** Before an instruction, or instead of it where it can not be paid. */
  opcode?(step: OpcodeStep): void;
  log?(log: Log): void;
  /** After fees are settled. */
  end?(gasUsed: bigint): void;
  /** JSON text. */
  result(): string;
}

/** What a tracer is told of a transaction before its first frame. */
export interface TracedTransaction {
  readonly from: Address;
  /** null creates a contract. */
  readonly to: Address | null;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  readonly coinbase: Address;
  /** Accounts that signed authorizations. */
  readonly authorities: readonly Address[];
  /** Logs of the block before this transaction. */
  readonly logsBefore: number;
}

/** Instruction that opened a frame, in go-ethereum's names; SELFDESTRUCT is a frame to those tracers, too. */
export type FrameKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2' | 'SELFDESTRUCT';

/** A frame as it begins; gas is what it was given, value in wei. */
export interface FrameStart {
  readonly kind: FrameKind;
  /** 0 is the transaction's own frame. */
  readonly depth: number;
  readonly from: Address;
  /** Account whose code runs; null for a creation, whose address comes with {@link FrameEnd}. */
  readonly to: Address | null;
  readonly input: Uint8Array;
  readonly gas: bigint;
  /** null for what can not carry any. */
  readonly value: bigint | null;
}

/** A frame as it ends, in the order opposite to that of the beginnings. */
export interface FrameEnd {
  readonly depth: number;
  readonly output: Uint8Array;
  readonly gasUsed: bigint;
  /** null for success. */
  readonly failure: FrameFailure | null;
  /** Contract that a creation made. */
  readonly created: Address | null;
}

/** Why a frame ended without success; only a revert returns output. */
export interface FrameFailure {
  /** go-ethereum's. */
  readonly words: string;
  readonly reverted: boolean;
}

/** The state before one instruction. Methods read live data, so they must be called at once. */
export interface OpcodeStep {
  readonly pc: number;
  readonly opcode: number;
  readonly gas: bigint;
  readonly cost: bigint;
  /** 1 is the transaction's own frame. */
  readonly depth: number;
  readonly refund: bigint;
  /** Account whose storage is used. */
  readonly address: Address;
  readonly stackLength: number;
  /** Item from the top, 0 is the top itself; it must be there. */
  peek(fromTop: number): bigint;
  /** From the bottom. */
  stack(): readonly bigint[];
  /** Whole words, as they are before the instruction. */
  memory(): Uint8Array;
  returnData(): Uint8Array;
}

/** An account address as it stands in a word of the stack. */
export const addressOfWord = (word: bigint): Address =>
  `0x${(word & ((1n << 160n) - 1n)).toString(16).padStart(40, '0')}` as Address;

/** A word of 256 bits as 32 bytes in hex, with leading zeros. */
export const hashOfWord = (word: bigint): Hash => `0x${word.toString(16).padStart(64, '0')}` as Hash;
