import { fstatSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  isLightKdf,
  type KeyKind,
  keyKinds,
  type KeyPair,
  type Keystore,
  keyPair,
  parseKeystore,
  parsePlainKeyFile,
  unlockKeystore,
} from '@prime/config';
import { cryptoProvider, isValidPrivateKey } from '@prime/crypto';
import { checkPrivate, findPassword } from '@prime/node';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@prime/primitives';
import { writeFileDurably } from '@prime/storage';
import type { Command } from 'commander';
import { type JsonFlags, print } from '../../terminal/output.ts';
import { pairs } from '../../terminal/table.ts';
import { confirm } from '../../terminal/confirm.ts';
import { type CliError, parseChoice, usageError } from '../../errors.ts';
import { readGiven } from '../../files.ts';
import { makeKeystore, openKeystore, refuseTaken, writeKeystore } from '../../keys/keystores.ts';
import {
  type NewPasswordFlags,
  type PasswordFlags,
  passwordSources,
  protectionOf,
  withNewPassword,
  withPassword,
} from '../../keys/passwordFlags.ts';

/** `prime key new | import | export | inspect`: keystores, which cast, geth and other wallets read as well. */
export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('Private keys in keystores: encrypted files of Web3 Secret Storage');
  withNewPassword(key.command('new'))
    .description('Make a private key in a keystore, and say its address')
    .requiredOption('--out <file>', 'new keystore; mode 0600')
    .option('--kind <kind>', 'what it is for: owner (an account) or signer (the hot key of a validator)', 'owner')
    .option('--json', 'for programs: JSON')
    .action(makeNew);
  withNewPassword(key.command('import'))
    .description(
      'Encrypt a private key: a key file of an older version, 32 bytes in hex, or a keystore that gets another password. In place, unless --out says where',
    )
    .argument('<file>', 'what is imported')
    .option('--out <file>', 'new keystore (default: the file itself is replaced)')
    .option('--kind <kind>', 'owner or signer, where the file does not say so')
    .option('--from-password-file <file>', 'password of the keystore that is imported')
    .option('--remove', 'remove the imported file, once the keystore at --out is on the disk')
    .option('--json', 'for programs: JSON')
    .action(importKey);
  withPassword(key.command('export'))
    .description('Decrypt a keystore: the private key in hex. Asks first')
    .argument('<file>', 'the keystore')
    .option('--out <file>', 'new file for it, mode 0600 (default: printed)')
    .option('--yes', 'do not ask')
    .action(exportKey);
  key
    .command('inspect')
    .description('What a keystore says without its password: address, public key, kind, and how it is encrypted')
    .argument('<file>', 'the keystore')
    .option('--json', 'for programs: JSON')
    .action(inspect);
}

interface NewFlags extends NewPasswordFlags, JsonFlags {
  readonly out: string;
  readonly kind: string;
}

async function makeNew({ out, kind: word, ...flags }: NewFlags): Promise<void> {
  const kind = kindOf(word);
  refuseTaken(out);
  const key = await makeKeystore(out, kind, await protectionOf(out, kind, flags));
  printKey(flags, out, kind, key);
}

interface ImportFlags extends NewPasswordFlags, JsonFlags {
  readonly out?: string;
  readonly kind?: string;
  readonly fromPasswordFile?: string;
  readonly remove?: boolean;
}

async function importKey(file: string, flags: ImportFlags): Promise<void> {
  const { out = file, fromPasswordFile } = flags;
  if (flags.remove === true && resolve(out) === resolve(file))
    throw usageError('--remove is for --out: without it the file itself is replaced', '--remove');
  if (resolve(out) !== resolve(file)) refuseTaken(out);
  const wanted = flags.kind === undefined ? null : kindOf(flags.kind);
  const imported = await readKey(file, wanted, fromPasswordFile);
  const kind = wanted ?? imported.kind;
  if (kind === null)
    throw usageError(`${file} does not say what its key is for: give --kind, ${keyKinds.join(' or ')}`, '--kind');
  writeKeystore(out, kind, imported.key, await protectionOf(out, kind, flags));
  if (flags.remove === true) rmSync(file);
  printKey(flags, out, kind, imported.key);
}

/** A key in any form that is taken. @throws CliError `CLI_USAGE`, `CLI_NOT_FOUND`; ConfigError and NodeError `CONFIG_KEY_…` */
async function readKey(
  file: string,
  wanted: KeyKind | null,
  passwordFile: string | undefined,
): Promise<{ readonly kind: KeyKind | null; readonly key: KeyPair }> {
  const text = (await readGiven(file, 'file')).trim();
  const provider = await cryptoProvider();
  if (!text.startsWith('{')) return { kind: null, key: keyPair(provider, fromHex(text, file)) };
  const plain = parsePlainKeyFile(provider, text, file);
  if (plain !== null) return plain;
  const keystore = parseKeystore(text, file);
  const kind = keystore.kind ?? wanted;
  const sources = passwordSources(passwordFile === undefined ? {} : { passwordFile });
  const password = await findPassword(file, kind ?? 'owner', sources);
  return { kind, key: await unlockKeystore(provider, keystore, password) };
}

/** The messages never show the key. */
function fromHex(text: string, path: string): Uint8Array {
  const refuse = (allowed: string): CliError => usageError(`${path} holds no private key: it needs ${allowed}`, 'file');
  if (!/^(0x)?[0-9a-fA-F]{64}$/.test(text)) throw refuse('64 hex digits, or a keystore');
  const bytes = hexToBytes(`0x${text.replace(/^0x/, '')}`, 32);
  if (isValidPrivateKey(bytes)) return bytes;
  throw refuse('a number within the order of secp256k1');
}

interface ExportFlags extends PasswordFlags {
  readonly out?: string;
  readonly yes?: boolean;
}

async function exportKey(file: string, { out, yes = false, ...flags }: ExportFlags): Promise<void> {
  if (out !== undefined) refuseTaken(out);
  else refuseOpenOutput();
  const keystore = parseKeystore(await readGiven(file, 'file'), file);
  await confirm(
    `The private key of ${keystore.address ?? file} will ${out === undefined ? 'be shown' : `lie in ${out}`}, in the open: whoever reads it has what it owns or signs.`,
    yes,
  );
  const { key } = await openKeystore(file, keystore.kind ?? 'owner', 'file', flags);
  const text = `${bytesToHex(key.privateKey)}\n`;
  if (out === undefined) process.stdout.write(text);
  else writeFileDurably(out, utf8ToBytes(text), 0o600);
}

/** Standard output may be a file that others read. @throws CliError `CLI_USAGE` */
function refuseOpenOutput(): void {
  const stat = fstatSync(1);
  if (process.platform === 'win32' || !stat.isFile() || (stat.mode & 0o077) === 0) return;
  throw usageError(
    'others may read the file that this would be written to: give --out, which makes one of mode 0600',
    '--out',
  );
}

async function inspect(file: string, flags: JsonFlags): Promise<void> {
  const keystore = parseKeystore(await readGiven(file, 'file'), file);
  const view = viewOf(keystore);
  const others = isPrivate(file) ? [] : ['others may read or write it: chmod 600'];
  print(flags, { ...view, private: others.length === 0 }, () => [
    ...pairs([
      ['address', view.address ?? 'not said'],
      ['public key', view.publicKey ?? 'not said: another program wrote the file'],
      ['kind', view.kind ?? 'not said'],
      ['kdf', kdfLine(keystore)],
    ]),
    ...others,
  ]);
}

const viewOf = ({ address, publicKey, kind, kdf }: Keystore) => {
  const { salt: _salt, ...parameters } = kdf;
  return {
    address,
    publicKey: publicKey === null ? null : bytesToHex(publicKey),
    kind,
    kdf: parameters,
    light: isLightKdf(kdf),
  };
};

function kdfLine({ kdf }: Keystore): string {
  const { name, salt: _salt, dklen: _dklen, ...parameters } = kdf;
  const numbers = Object.entries(parameters).map(([parameter, value]) => `${parameter} ${value}`);
  return `${name}, ${numbers.join(', ')}${isLightKdf(kdf) ? ' (light)' : ''}`;
}

function isPrivate(path: string): boolean {
  try {
    checkPrivate(path);
    return true;
  } catch {
    return false;
  }
}

const printKey = (flags: JsonFlags, out: string, kind: KeyKind, key: KeyPair): void =>
  print(flags, { address: key.address, publicKey: bytesToHex(key.publicKey), kind, keystore: out }, () => [
    `${key.address}, ${kind}, in ${out}`,
  ]);

const kindOf = (word: string): KeyKind => parseChoice(word, '--kind', keyKinds);
