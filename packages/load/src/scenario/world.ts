import type { Prng } from '@prime/primitives';
import type { Draft } from './draft.ts';
import type { Contracts } from './contracts/contracts.ts';
import type { Keyring } from './keyring.ts';
import type { Market } from './layout.ts';
import type { NetworkFacts } from './operation.ts';

/** What a program knows: its group's accounts and markets in this worker, and where the stream stands. */
export interface World {
  readonly random: Prng;
  readonly keyring: Keyring;
  /** Indices of accounts that nobody else uses. */
  readonly accounts: readonly number[];
  /** Accounts of the whole run: 0 to this - 1. */
  readonly allAccounts: number;
  readonly markets: readonly Market[];
  readonly workers: number;
  /** Of all operations of the worker, those of the group, 0 to 1. */
  readonly share: number;
  readonly contracts: Contracts;
  readonly facts: NetworkFacts;
  readonly clock: StreamClock;
  /** A client id that this run uses once, 16 bytes. */
  label(): string;
}

/** The stream counts operations; at the rate that is asked for they are time. */
export interface StreamClock {
  /** Operations so far. */
  turn: number;
  /** Operations of this worker between two steps of a shape. */
  readonly gap: number;
  /** Operations of this worker a second. */
  readonly rate: number;
  /** About when the next operation is sent, ms. */
  nowMs(): number;
}

/** What is sent for a part of the mix. */
export type Program = () => Draft;

/** @param size of the part */
export type ProgramMaker = (world: World, size: number) => Program;
