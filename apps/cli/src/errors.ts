import { PrimeError } from '@prime/primitives';
import type { ManifestProblem } from './testnet/manifest/problem.ts';

/** Codes of commands that end without doing what they were asked. */
export type CliErrorDetail =
  /** An argument is not what the command takes. */
  | { readonly code: 'CLI_USAGE'; readonly argument: string }
  /** The output folder holds something already. */
  | { readonly code: 'CLI_NOT_EMPTY'; readonly path: string }
  /** A node does not answer. */
  | { readonly code: 'CLI_UNREACHABLE'; readonly url: string }
  /** What a command names is not there: a home, a file, a block. */
  | { readonly code: 'CLI_NOT_FOUND'; readonly what: string }
  /** A node is of another network than the home that a command is for; nothing was sent. */
  | { readonly code: 'CLI_OTHER_NETWORK'; readonly url: string; readonly genesisHash: string }
  /** A home is of another network or key than what is mounted for it; nothing was changed. */
  | { readonly code: 'CLI_OTHER_HOME'; readonly path: string }
  /** A running node refuses what it was asked, and changed nothing. */
  | { readonly code: 'CLI_NODE_REFUSED'; readonly refusal: string }
  /** A home that has signed nothing has no watermark. */
  | { readonly code: 'CLI_NOTHING_SIGNED' }
  /** A watermark is for another key or network, or contradicts the one of the home. */
  | { readonly code: 'CLI_WATERMARK_MISMATCH' }
  /** A backup is not whole, or was changed since it was written. */
  | {
      readonly code: 'CLI_BACKUP_DAMAGED';
      readonly path: string;
      /** Below it. */
      readonly file: string;
      readonly reason: string;
    }
  /** A backup is of another network than it has to be. */
  | {
      readonly code: 'CLI_BACKUP_FOREIGN';
      readonly path: string;
      readonly expected: string;
      readonly found: string;
    }
  /** A sign state came with a backup: it is not the newest one. */
  | { readonly code: 'CLI_SIGN_STATE_SEALED'; readonly path: string }
  /** What was given does not prove that the block was decided. */
  | { readonly code: 'CLI_NOT_PROVEN'; readonly reason: string }
  /** A block took the action of a validator's owner, and the staking state refused it. */
  | { readonly code: 'CLI_ACTION_REFUSED'; readonly refusal: string; readonly reason: string }
  /** An action was sent, and nobody could tell in time what became of it: it may still be carried out. */
  | { readonly code: 'CLI_OUTCOME_UNKNOWN'; readonly hash: string }
  /** A live view ended, because no node serves what it watches. */
  | { readonly code: 'CLI_STREAM_ENDED'; readonly url: string; readonly reason: string }
  /** `prime doctor` found what a node can not run with. */
  | { readonly code: 'CLI_CHECKS_FAILED'; readonly checks: readonly string[] }
  /** A command asked before it acted, and the answer was not yes. */
  | { readonly code: 'CLI_NOT_CONFIRMED' }
  /** The manifest of a chaos run is not one, or promises what can not be. */
  | { readonly code: 'CLI_MANIFEST_INVALID'; readonly reason: string }
  /** A manifest of a network is no TOML, or says what can not be: every problem with its path, what stands there and what is allowed. */
  | { readonly code: 'CLI_TESTNET_MANIFEST'; readonly file: string; readonly problems: readonly ManifestProblem[] }
  /** A network can not be written out for a target, because that has no form for a part of it. */
  | { readonly code: 'CLI_EXPORT_UNFIT'; readonly target: string; readonly reasons: readonly string[] }
  /** The folder holds no such snapshot, or not all of it. */
  | { readonly code: 'CLI_NO_SNAPSHOT'; readonly path: string }
  /** The file of `prime oracle feed` is not one, or asks for what can not be. */
  | { readonly code: 'CLI_FEEDER_INVALID'; readonly file: string; readonly key: string }
  /** A port can not be listened on. */
  | { readonly code: 'CLI_LISTEN_FAILED'; readonly host: string; readonly port: number }
  /** A local network is started while it runs. */
  | { readonly code: 'CLI_NETWORK_RUNNING'; readonly path: string; readonly pid: number }
  /** A validator of a local network ended. */
  | { readonly code: 'CLI_VALIDATOR_ENDED'; readonly name: string; readonly exitCode: number | null };

/** What the command line itself can not do. */
export class CliError extends PrimeError<CliErrorDetail> {}

/** An argument is not what the command takes: `CLI_USAGE`. */
export const usageError = (message: string, argument: string, options?: ErrorOptions): CliError =>
  new CliError(message, { code: 'CLI_USAGE', argument }, options);

/** What a command names is not there: `CLI_NOT_FOUND`. */
export const notFound = (message: string, what: string, options?: ErrorOptions): CliError =>
  new CliError(message, { code: 'CLI_NOT_FOUND', what }, options);

/** The output holds something already: `CLI_NOT_EMPTY`. */
export const notEmpty = (message: string, path: string): CliError =>
  new CliError(message, { code: 'CLI_NOT_EMPTY', path });

/** One of several words. @throws CliError `CLI_USAGE` */
export function parseChoice<word extends string>(text: string, name: string, words: readonly word[]): word {
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  const allowed = words.length === 2 ? words.join(' or ') : `one of ${words.join(', ')}`;
  throw usageError(`${name} must be ${allowed}, got ${text}`, name);
}

/** A whole number within bounds. @throws CliError `CLI_USAGE` */
export function parseWholeNumber(text: string, name: string, minimum: number, maximum: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < minimum || value > maximum)
    throw usageError(`${name} must be a whole number of ${minimum} to ${maximum}, got ${text}`, name);
  return value;
}
