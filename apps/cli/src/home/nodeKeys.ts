import { existsSync, mkdirSync } from 'node:fs';
import { type HomePaths, type KeyPair, ownerKeyPath } from '@prime/config';
import { generateTlsIdentity } from '@prime/network';
import { utf8ToBytes } from '@prime/primitives';
import { writeFileDurably } from '@prime/storage';
import type { Command } from 'commander';
import { makeKeystore } from '../keys/keystores.ts';
import { type NewPasswordFlags, protectionOf, withNewPassword } from '../keys/passwordFlags.ts';

/** Options of commands that make the keys of a home and of its owner. */
export interface HomeKeyFlags extends NewPasswordFlags {
  readonly ownerPasswordFile?: string;
}

/** Adds the flags for passwords of both keys of a home: the signing key and the owner's. */
export const withHomeKeys = (command: Command): Command =>
  withNewPassword(command, 'signer').option('--owner-password-file <file>', "password of the owner's keystore");

/** The password of the owner's keystore among the options of a command. */
export const ofOwner = ({ ownerPasswordFile, ...flags }: HomeKeyFlags): NewPasswordFlags => {
  const { passwordFile: _ofSigner, ...rest } = flags;
  return ownerPasswordFile === undefined ? rest : { ...rest, passwordFile: ownerPasswordFile };
};

/** Null is one that was there. */
interface MadeKeys {
  readonly owner: KeyPair | null;
  readonly signer: KeyPair | null;
}

/**
 * Writes the keys that a home lacks, and that of its owner beside it; those that are there stay.
 *
 * @throws NodeError `CONFIG_KEY_PASSWORD_…`
 */
export async function makeKeys(
  paths: HomePaths,
  flags: HomeKeyFlags,
  options: {
    /** False where the owner's key is kept elsewhere. */
    readonly withOwner: boolean;
    /** Passwords are drawn where none is given. */
    readonly isTest: boolean;
  },
): Promise<MadeKeys> {
  mkdirSync(paths.keys, { recursive: true, mode: 0o700 });
  const ownerKey = ownerKeyPath(paths.home);
  const { isTest } = options;
  // Passwords first: who has none has made nothing.
  const owner =
    options.withOwner && !existsSync(ownerKey) ? await protectionOf(ownerKey, 'owner', ofOwner(flags), isTest) : null;
  const signer = existsSync(paths.signerKey) ? null : await protectionOf(paths.signerKey, 'signer', flags, isTest);
  const made = {
    owner: owner && (await makeKeystore(ownerKey, 'owner', owner)),
    signer: signer && (await makeKeystore(paths.signerKey, 'signer', signer)),
  };
  if (!existsSync(paths.tlsKey) || !existsSync(paths.tlsCertificate)) await makeTlsKey(paths);
  return made;
}

async function makeTlsKey(paths: HomePaths): Promise<void> {
  const tls = await generateTlsIdentity();
  const write = (path: string, text: string, mode: number): void => writeFileDurably(path, utf8ToBytes(text), mode);
  write(paths.tlsKey, tls.privateKeyPem, 0o600);
  write(paths.tlsCertificate, tls.certificatePem, 0o644);
}
