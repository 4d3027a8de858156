import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { hexToBytes } from '@prime/primitives';
import { keyKinds } from './keys.ts';

/** Parameters of scrypt (RFC 7914) as the file has them: `n` is the cost and a power of two, `dklen` counts bytes. */
export interface ScryptKdf {
  readonly name: 'scrypt';
  readonly dklen: number;
  readonly n: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Uint8Array;
}

interface Pbkdf2Kdf {
  readonly name: 'pbkdf2';
  readonly dklen: number;
  readonly c: number;
  readonly salt: Uint8Array;
}

/** How a password becomes a key. */
export type Kdf = ScryptKdf | Pbkdf2Kdf;

/** A file must not make who reads it take any time or memory that it likes: scrypt 1 GiB, and eight times the work of geth's standard. */
const scryptBytesMax = 1 << 30;
const scryptWorkMax = 1 << 24;
const pbkdf2CountMax = 10_000_000;

const dklen = Type.Integer({ minimum: 32, maximum: 64, description: 'a whole number from 32 to 64' });
const salt = Type.String({
  pattern: '^([0-9a-fA-F]{2}){1,256}$',
  description: '1 to 256 bytes in hex, without 0x',
});
const count = (maximum: number) =>
  Type.Integer({ minimum: 1, maximum, description: `a whole number from 1 to ${maximum}` });

const scryptParams = Type.Object({
  dklen,
  n: Type.Integer({ minimum: 2, maximum: 1 << 24, description: 'a power of two from 2 to 16777216' }),
  r: count(1_024),
  p: count(1_024),
  salt,
});
const pbkdf2Params = Type.Object({
  dklen,
  c: count(pbkdf2CountMax),
  prf: Type.Literal('hmac-sha256', { description: '"hmac-sha256"' }),
  salt,
});
const kdfParams = { scrypt: scryptParams, pbkdf2: pbkdf2Params } as const;

const hex = (bytes: number) =>
  Type.String({ pattern: `^[0-9a-fA-F]{${2 * bytes}}$`, description: `${bytes} bytes in hex, without 0x` });

const shape = Type.Object({
  version: Type.Literal(3, { description: '3: Web3 Secret Storage has had no other since' }),
  address: Type.Optional(Type.String({ pattern: '^(0x)?[0-9a-fA-F]{40}$', description: '40 hex digits' })),
  crypto: Type.Object(
    {
      cipher: Type.Literal('aes-128-ctr', { description: '"aes-128-ctr"' }),
      cipherparams: Type.Object({ iv: hex(16) }, { description: 'an object with iv' }),
      ciphertext: hex(32),
      kdf: Type.Union([Type.Literal('scrypt'), Type.Literal('pbkdf2')], { description: '"scrypt" or "pbkdf2"' }),
      kdfparams: Type.Object({}, { description: 'an object with the parameters of the kdf' }),
      mac: hex(32),
    },
    { description: 'an object with cipher, cipherparams, ciphertext, kdf, kdfparams and mac' },
  ),
  'x-prime': Type.Optional(
    Type.Object(
      {
        kind: Type.Union(
          keyKinds.map((kind) => Type.Literal(kind)),
          { description: keyKinds.map((kind) => `"${kind}"`).join(' or ') },
        ),
        publicKey: Type.String({ pattern: '^0x0[23][0-9a-f]{64}$', description: '0x and a compressed public key' }),
      },
      { description: 'an object with kind and publicKey, or none' },
    ),
  ),
});

/** @returns what a file lacks to be a keystore that can be read here, as what is allowed; null where it lacks nothing */
export function shapeProblem(file: unknown): string | null {
  const outer = Value.Errors(shape, file).First();
  if (outer !== undefined) return allowedAt(outer.path, outer.schema.description, outer.message);
  const { kdf, kdfparams } = (file as Static<typeof shape>).crypto;
  const inner = Value.Errors(kdfParams[kdf], kdfparams).First();
  if (inner !== undefined) return allowedAt(`/crypto/kdfparams${inner.path}`, inner.schema.description, inner.message);
  if (kdf !== 'scrypt') return null;
  const { n, r, p } = kdfparams as Static<typeof scryptParams>;
  if ((n & (n - 1)) !== 0) return allowedAt('/crypto/kdfparams/n', scryptParams.properties.n.description, '');
  if (128 * n * r > scryptBytesMax) return `crypto.kdfparams with 128 · n · r of at most ${scryptBytesMax} bytes`;
  return n * r * p > scryptWorkMax ? `crypto.kdfparams with n · r · p of at most ${scryptWorkMax}` : null;
}

const allowedAt = (path: string, allowed: string | undefined, otherwise: string): string =>
  `${path.slice(1).replaceAll('/', '.')} to be ${allowed ?? otherwise}`;

/** Of parameters in which {@link shapeProblem} found nothing. */
export function kdfIn(name: string, params: Readonly<Record<string, unknown>>): Kdf {
  if (name === 'scrypt') {
    const given = params as Static<typeof scryptParams>;
    const { dklen: length, n, r, p } = given;
    return { name, dklen: length, n, r, p, salt: hexToBytes(`0x${given.salt}`) };
  }
  const given = params as Static<typeof pbkdf2Params>;
  return { name: 'pbkdf2', dklen: given.dklen, c: given.c, salt: hexToBytes(`0x${given.salt}`) };
}
