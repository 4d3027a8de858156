import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatePassword, type KeyKind, passwordName, passwordNames, scryptCosts } from '@prime/config';
import { askAtTerminal, findPassword, newPassword, type PasswordSources } from '@prime/node';
import { isPrimeError, utf8ToBytes } from '@prime/primitives';
import { writeFileDurably } from '@prime/storage';
import type { Command } from 'commander';

/** From the system's source for secrets; a plain array, not a piece of Node's pool. */
export const randomBytesOf = (length: number): Uint8Array => new Uint8Array(randomBytes(length));

/** Where the password of one keystore comes from. */
export interface PasswordFlags {
  readonly passwordFile?: string;
}

/** How a new keystore is written. */
export interface NewPasswordFlags extends PasswordFlags {
  readonly generatePassword?: boolean;
  readonly light?: boolean;
}

const otherSources = (kind: KeyKind): string => {
  const { variable, fileVariable, credential } = passwordNames[kind];
  return `${variable}, ${fileVariable}, the credential ${credential} of systemd, a file ${passwordName} beside it, or asked for`;
};

/** Adds the option of {@link PasswordFlags}. A password is never an argument, because arguments are shown to everybody on the machine. */
export const withPassword = (command: Command, kind: KeyKind = 'owner'): Command =>
  command.option('--password-file <file>', `password of the keystore (else ${otherSources(kind)})`);

/** Adds the options of {@link NewPasswordFlags}. */
export const withNewPassword = (command: Command, kind: KeyKind = 'owner'): Command =>
  withPassword(command, kind)
    .option('--generate-password', `draw one where none is given, into a file ${passwordName} beside the keystore`)
    .option('--light', 'cheap scrypt: for passwords that nobody can guess');

/** Where a password is looked for: the file of the flag, the environment, and the person at the terminal. */
export const passwordSources = ({ passwordFile }: PasswordFlags): PasswordSources => ({
  file: passwordFile,
  environment: process.env,
  ask: askAtTerminal,
});

/** Under what a new keystore is written. */
export interface Protection {
  readonly password: string;
  readonly cost: (typeof scryptCosts)[keyof typeof scryptCosts];
}

/**
 * The password of a keystore that is to be written at a path.
 *
 * @param isTest of a test network: the password is drawn where none is given, and the file is quick to open
 * @throws NodeError `CONFIG_KEY_PASSWORD_…`
 */
export async function protectionOf(
  path: string,
  kind: KeyKind,
  { generatePassword: wanted = false, light = false, ...flags }: NewPasswordFlags,
  isTest = false,
): Promise<Protection> {
  const sources = passwordSources(flags);
  const cost = wanted || light || isTest ? scryptCosts.light : scryptCosts.standard;
  if (!wanted && !isTest) return { password: await newPassword(path, kind, sources), cost };
  try {
    return { password: await findPassword(path, kind, { ...sources, ask: null }), cost };
  } catch (error) {
    if (!isPrimeError(error) || error.code !== 'CONFIG_KEY_PASSWORD_MISSING') throw error;
  }
  const password = generatePassword(randomBytesOf);
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileDurably(join(folder, passwordName), utf8ToBytes(`${password}\n`), 0o600);
  return { password, cost };
}
