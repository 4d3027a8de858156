/**
 * Keystores: files with one private key, encrypted under a password in the form of Web3 Secret Storage, version 3, so that cast, geth, ethers and others read
 * ours and we read theirs.
 *
 * Written is scrypt with aes-128-ctr; read is pbkdf2 as well, which the specification asks for. What Prime adds stands under `x-prime`, which others pass over: what the key
 * is for, and its public key, so that commands that sign nothing need no password. It is checked against the key when that is decrypted.
 *
 * @see https://ethereum.org/developers/docs/data-structures-and-encoding/web3-secret-storage; vectors in testdata/keystore.json
 */
import { createCipheriv, createDecipheriv, pbkdf2, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { scryptAsync } from '@noble/hashes/scrypt.js';
import { type CryptoProvider, isValidPrivateKey, keccak256 } from '@prime/crypto';
import {
  type Address,
  bytesEqual,
  bytesToHex,
  concatBytes,
  hexToBytes,
  parseAddress,
  utf8ToBytes,
} from '@prime/primitives';
import { ConfigError } from '../errors.ts';
import { type KeyKind, keyKinds, type KeyPair, keyPair, type RandomBytes } from './keys.ts';
import { type Kdf, kdfIn, type ScryptKdf, shapeProblem } from './keystoreShape.ts';

/** Cost of scrypt: the product of n and r is what a guess of the password costs in memory. */
export type ScryptCost = Pick<ScryptKdf, 'n' | 'r' | 'p'>;

/**
 * - `standard`: that of geth. 256 MiB and about a second for each guess.
 * - `light`: for test networks, whose passwords are random and lie beside the key. 4 MiB and some 20 ms.
 */
export const scryptCosts = {
  standard: { n: 262_144, r: 8, p: 1 },
  light: { n: 4_096, r: 8, p: 1 },
} as const satisfies Record<string, ScryptCost>;

/** Whether a guess of the password costs less than geth's standard. */
export const isLightKdf = (kdf: Kdf): boolean =>
  kdf.name === 'scrypt'
    ? kdf.n * kdf.r * kdf.p < scryptCosts.standard.n * scryptCosts.standard.r
    : kdf.c < pbkdf2StandardCount;

/** As the specification's own example has it. */
const pbkdf2StandardCount = 262_144;

/** A keystore as it can be read without its password. */
export interface Keystore {
  /** Where it was read, for messages. */
  readonly path: string;
  /** Null where another program wrote it without. */
  readonly address: Address | null;
  /** Null in one of another program. */
  readonly kind: KeyKind | null;
  /** Compressed, 33 bytes; null in one of another program. */
  readonly publicKey: Uint8Array | null;
  readonly kdf: Kdf;
  /** 16 bytes. */
  readonly iv: Uint8Array;
  /** 32 bytes. */
  readonly ciphertext: Uint8Array;
  /** 32 bytes. */
  readonly mac: Uint8Array;
}

const version = 3;
const cipher = 'aes-128-ctr';
const keyBytes = 32;
const saltBytes = 32;
const ivBytes = 16;
const uuidBytes = 16;

/**
 * Encrypts a key. Two calls with the same random bytes give the same text.
 *
 * @param password 1 character or more; its bytes are those of UTF-8, as they were typed
 * @param randomBytes where salt, initialization vector and id come from
 * @returns JSON; takes as long as one guess of the password
 */
export function formatKeystore(
  kind: KeyKind,
  { address, publicKey, privateKey }: KeyPair,
  password: string,
  { cost, randomBytes }: { readonly cost: ScryptCost; readonly randomBytes: RandomBytes },
): string {
  const salt = randomBytes(saltBytes);
  const iv = randomBytes(ivBytes);
  const id = uuidOf(randomBytes(uuidBytes));
  const { n, r, p } = cost;
  const derived = scryptSync(utf8ToBytes(password), salt, keyBytes, scryptOptions(cost));
  const encryption = createCipheriv(cipher, derived.subarray(0, 16), iv);
  const ciphertext = concatBytes(encryption.update(privateKey), encryption.final());
  const file = {
    version,
    id,
    address: bareHex(hexToBytes(address)),
    crypto: {
      cipher,
      cipherparams: { iv: bareHex(iv) },
      ciphertext: bareHex(ciphertext),
      kdf: 'scrypt',
      kdfparams: { dklen: keyBytes, n, r, p, salt: bareHex(salt) },
      mac: bareHex(macOf(derived, ciphertext)),
    },
    'x-prime': { kind, publicKey: bytesToHex(publicKey) },
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/**
 * Reads what of a keystore needs no password.
 *
 * @param path for messages
 * @throws ConfigError `CONFIG_KEY_FILE_INVALID` with what is allowed, `CONFIG_KEY_FILE_PLAIN` for a key file of an older version
 */
export function parseKeystore(text: string, path: string): Keystore {
  const file = parseObject(text, path);
  if (file['format'] === plainFormat)
    throw new ConfigError(
      `${path} holds its private key in the open, as versions before keystores wrote it. Encrypt it, in place: prime key import ${path}`,
      { code: 'CONFIG_KEY_FILE_PLAIN', path },
    );
  // As ethers and old versions of geth write it.
  const { Crypto: capital, ...rest } = file;
  const named = capital === undefined ? file : { crypto: capital, ...rest };
  const problem = shapeProblem(named);
  if (problem !== null) throw invalidKeyFile(path, problem);
  // Its shape was checked.
  const { crypto, address, 'x-prime': own } = named as unknown as CheckedFile;
  return {
    path,
    address: address === undefined ? null : parseAddress(`0x${bare(address)}`.toLowerCase()),
    kind: own?.kind ?? null,
    publicKey: own === undefined ? null : hexToBytes(own.publicKey, 33),
    kdf: kdfIn(crypto.kdf, crypto.kdfparams),
    iv: fromBare(crypto.cipherparams.iv),
    ciphertext: fromBare(crypto.ciphertext),
    mac: fromBare(crypto.mac),
  };
}

interface CheckedFile {
  readonly address?: string;
  readonly crypto: {
    readonly cipherparams: { readonly iv: string };
    readonly ciphertext: string;
    readonly kdf: string;
    readonly kdfparams: Readonly<Record<string, unknown>>;
    readonly mac: string;
  };
  readonly 'x-prime'?: { readonly kind: KeyKind; readonly publicKey: string };
}

/**
 * Decrypts a keystore. The work is done by another thread of the system.
 *
 * @throws ConfigError `CONFIG_KEY_PASSWORD_WRONG`, also where the encrypted part was changed: the two can not be told apart; `CONFIG_KEY_FILE_INVALID` where what it
 * says in the open does not belong to its key
 */
export async function unlockKeystore(provider: CryptoProvider, keystore: Keystore, password: string): Promise<KeyPair> {
  const { path, kdf, iv, ciphertext, mac } = keystore;
  const derived = await derive(kdf, utf8ToBytes(password));
  if (!timingSafeEqual(macOf(derived, ciphertext), mac))
    throw new ConfigError(
      `${path} can not be decrypted: the password is another one, or the file was changed since it was written`,
      { code: 'CONFIG_KEY_PASSWORD_WRONG', path },
    );
  const decryption = createDecipheriv(cipher, derived.subarray(0, 16), iv);
  const privateKey = concatBytes(decryption.update(ciphertext), decryption.final());
  if (!isValidPrivateKey(privateKey)) throw invalidKeyFile(path, 'a private key that is a scalar of secp256k1');
  const pair = keyPair(provider, privateKey);
  const isOwn = keystore.publicKey === null || bytesEqual(pair.publicKey, keystore.publicKey);
  if (!isOwn || (keystore.address !== null && keystore.address !== pair.address))
    throw invalidKeyFile(path, `the address and the public key of its own key, which is of ${pair.address}`);
  return pair;
}

/**
 * For whom a key is to be used, it has to be of that kind; what another program wrote may be used for both.
 *
 * @throws ConfigError `CONFIG_KEY_FILE_INVALID`
 */
export function requireKind({ path, kind }: Keystore, wanted: KeyKind): void {
  if (kind !== null && kind !== wanted) throw invalidKeyFile(path, `a key of kind "${wanted}", and it has "${kind}"`);
}

/** Layout of key files before keystores: the private key in hex. */
const plainFormat = 'prime-key-1';

/**
 * The key in a file of an older version, for the one command that converts it.
 *
 * @returns null where the text is no such file
 * @throws ConfigError `CONFIG_KEY_FILE_INVALID`
 */
export function parsePlainKeyFile(
  provider: CryptoProvider,
  text: string,
  path: string,
): { readonly kind: KeyKind; readonly key: KeyPair } | null {
  if (!text.trimStart().startsWith('{')) return null;
  const file = parseObject(text, path);
  if (file['format'] !== plainFormat) return null;
  const kind = keyKinds.find((each) => each === file['kind']);
  if (kind === undefined) throw invalidKeyFile(path, `a kind of ${keyKinds.join(' or ')}`);
  return { kind, key: plainKey(provider, file, path) };
}

/**
 * A key in the open, with the address that stands beside it.
 *
 * @param path only for messages; the key itself is never shown
 * @throws ConfigError `CONFIG_KEY_FILE_INVALID`
 */
export function plainKey(
  provider: CryptoProvider,
  { privateKey, address }: Readonly<Record<string, unknown>>,
  path: string,
): KeyPair {
  if (typeof privateKey !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(privateKey))
    throw invalidKeyFile(path, 'a privateKey of 0x and 64 hex digits');
  const bytes = hexToBytes(privateKey, keyBytes);
  if (!isValidPrivateKey(bytes)) throw invalidKeyFile(path, 'a privateKey that is a scalar of secp256k1');
  const pair = keyPair(provider, bytes);
  if (pair.address !== String(address).toLowerCase())
    throw invalidKeyFile(path, `the address of its own key, which is ${pair.address}`);
  return pair;
}

/** @throws ConfigError `CONFIG_KEY_FILE_INVALID` */
export function parseObject(text: string, path: string): Record<string, unknown> {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    // The parser's message would quote the text, which may hold a key.
    throw invalidKeyFile(path, 'JSON');
  }
  if (typeof file !== 'object' || file === null || Array.isArray(file)) throw invalidKeyFile(path, 'a JSON object');
  return file as Record<string, unknown>;
}

/** The error with code `CONFIG_KEY_FILE_INVALID`, to be thrown. @param allowed what the file needs, after "it needs" */
export const invalidKeyFile = (path: string, allowed: string): ConfigError =>
  new ConfigError(`key file ${path} can not be used: it needs ${allowed}`, {
    code: 'CONFIG_KEY_FILE_INVALID',
    path,
    allowed,
  });

const runScrypt = promisify<Uint8Array, Uint8Array, number, object, Buffer>(scrypt);
const runPbkdf2 = promisify(pbkdf2);

function derive(kdf: Kdf, password: Uint8Array): Promise<Uint8Array> {
  if (kdf.name === 'pbkdf2') return runPbkdf2(password, kdf.salt, kdf.c, kdf.dklen, 'sha256');
  const { n, r, p, dklen, salt } = kdf;
  // RFC 7914 wants n below 2^(16 r), and OpenSSL insists; the specification's own example, and so its readers, do not.
  if (n >= 2 ** (16 * r)) return scryptAsync(password, salt, { N: n, r, p, dkLen: dklen, maxmem: memoryOf(kdf) });
  return runScrypt(password, salt, dklen, scryptOptions(kdf));
}

/** What scrypt takes, bytes. */
const memoryOf = ({ n, r, p }: ScryptCost): number => 128 * r * (n + p + 2);
const scryptOptions = (cost: ScryptCost): object => ({ N: cost.n, r: cost.r, p: cost.p, maxmem: memoryOf(cost) });

const macOf = (derived: Uint8Array, ciphertext: Uint8Array): Uint8Array =>
  keccak256(concatBytes(derived.subarray(16, 32), ciphertext));

/** Hex without 0x, as keystores have it. */
const bareHex = (bytes: Uint8Array): string => bytesToHex(bytes).slice(2);
const bare = (text: string): string => text.replace(/^0x/, '');
const fromBare = (text: string): Uint8Array => hexToBytes(`0x${text}`);

/** Version 4 of RFC 9562. */
function uuidOf(random: Uint8Array): string {
  const bytes = Uint8Array.from(random);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bareHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
