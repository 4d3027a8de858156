import { describe, expect, it } from '@jest/globals';
import { bytesToBigint, bytesToHex, hexToBytes, utf8ToBytes } from '@prime/primitives';
import fc from 'fast-check';
import { publicKeyToAddress, recoverAddress } from './address.ts';
import { createCryptoProvider, cryptoProvider } from './createCryptoProvider.ts';
import { keccak256 } from './keccak.ts';
import { isValidPrivateKey } from './scalar.ts';

const native = await createCryptoProvider('native');
const wasm = await createCryptoProvider('wasm');
const noble = await createCryptoProvider('noble');
const providers = [native, wasm, noble];
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const scalar = (value: bigint): Uint8Array => hexToBytes(`0x${value.toString(16).padStart(64, '0')}`);
const digestOf = (text: string): Uint8Array => keccak256(utf8ToBytes(text));
const privateKey = fc.bigInt({ min: 1n, max: order - 1n }).map(scalar);
// Hashed, because a digest above the order is reduced by one library before it derives the nonce and not by the others.
const digest = fc.uint8Array({ maxLength: 40 }).map(keccak256);
// The reference needs some 5 ms for a verification.
const runs = { numRuns: 25 };

/** The other valid form of a signature: n - s and the other parity. */
function highS(signature: Uint8Array): Uint8Array {
  const flipped = signature.slice();
  flipped.set(scalar(order - bytesToBigint(signature.subarray(32, 64))), 32);
  flipped[64] = 1 - signature[64]!;
  return flipped;
}

describe('crypto providers', () => {
  it('each is the implementation it was asked to be, and the default is the native one', async () => {
    expect(providers.map((provider) => provider.name)).toEqual(['native', 'wasm', 'noble']);
    expect((await cryptoProvider()).name).toBe('native');
    expect(await cryptoProvider()).toBe(await cryptoProvider());
  });

  it('sign as RFC 6979 says: vector of key 1 and the hash of a sentence', () => {
    const sentence = 'Everything should be made as simple as possible, but not simpler.';
    // The well-known secp256k1 vector, made over SHA-256 of the sentence.
    const hashed = hexToBytes('0x06ef2b193b83b3d701f765f1db34672ab84897e1252343cc2197829af3a30456');
    for (const provider of providers)
      expect([sentence, provider.name, bytesToHex(provider.sign(hashed, scalar(1n)).subarray(0, 64))]).toEqual([
        sentence,
        provider.name,
        '0x33a69cd2065432a30f3d1ce4eb0d59b8ab58c74f27c41a7fdb5696ad4e6108c96f807982866f785d3f6418d24163ddae117b7db4d5fdf0071de069fa54342262',
      ]);
  });

  it('sign the same bytes, recover the signer and verify each other', () => {
    fc.assert(
      fc.property(privateKey, digest, (key, message) => {
        const signature = native.sign(message, key);
        const publicKey = native.publicKey(key);
        const recovered = native.recover(message, signature);
        expect(recovered).not.toBeNull();
        for (const provider of providers) {
          expect(provider.sign(message, key)).toEqual(signature);
          expect(provider.publicKey(key)).toEqual(publicKey);
          expect(provider.recover(message, signature)).toEqual(recovered);
          expect(provider.verify(message, signature, publicKey)).toBe(true);
          expect(provider.verify(message, signature, recovered!)).toBe(true);
        }
        expect(publicKeyToAddress(recovered!)).toBe(publicKeyToAddress(publicKey));
      }),
      runs,
    );
  });

  it('refuse a high s although it is a valid signature', () => {
    fc.assert(
      fc.property(privateKey, digest, (key, message) => {
        const flipped = highS(native.sign(message, key));
        for (const provider of providers) {
          expect(provider.recover(message, flipped)).toBeNull();
          expect(provider.verify(message, flipped, provider.publicKey(key))).toBe(false);
        }
      }),
      runs,
    );
  });

  it('agree on garbage: bytes of any length, and signatures with one byte changed', () => {
    const signature = native.sign(digestOf('garbage'), scalar(5n));
    const publicKey = native.publicKey(scalar(5n));
    const mutated = fc
      .tuple(fc.nat(64), fc.integer({ min: 1, max: 255 }))
      .map(([place, change]) => signature.map((byte, index) => (index === place ? byte ^ change : byte)));
    fc.assert(
      fc.property(fc.oneof(mutated, fc.uint8Array({ minLength: 60, maxLength: 70 })), (bytes) => {
        const recovered = providers.map((provider) => provider.recover(digestOf('garbage'), bytes));
        expect(recovered[1]).toEqual(recovered[0]);
        expect(recovered[2]).toEqual(recovered[0]);
        const verified = providers.map((provider) => provider.verify(digestOf('garbage'), bytes, publicKey));
        // The parity byte has no part in verification.
        expect(verified).toEqual(verified.map(() => verified[0]));
        if (recovered[0] !== null) expect(publicKeyToAddress(recovered[0]!)).not.toBe(publicKeyToAddress(publicKey));
      }),
      { numRuns: 60 },
    );
  });

  it('refuse r or s of zero or of at least the order, parities above 1 and r that is no point', () => {
    const message = digestOf('edges');
    const good = native.sign(message, scalar(9n));
    const replaced = (place: number, value: bigint): Uint8Array => {
      const bytes = good.slice();
      bytes.set(scalar(value), place);
      return bytes;
    };
    const withParity = (parity: number): Uint8Array => Uint8Array.of(...good.subarray(0, 64), parity);
    const bad = {
      'r = 0': replaced(0, 0n),
      'r = n': replaced(0, order),
      'r = 2^256-1': replaced(0, (1n << 256n) - 1n),
      'r is not the x of a point': replaced(0, 5n),
      's = 0': replaced(32, 0n),
      's = n/2 + 1': replaced(32, order / 2n + 1n),
      's = n': replaced(32, order),
      'parity 2': withParity(2),
      'parity 27': withParity(27),
      short: good.subarray(0, 64),
      long: Uint8Array.of(...good, 0),
    };
    for (const [name, signature] of Object.entries(bad))
      for (const provider of providers)
        expect([name, provider.name, provider.recover(message, signature)]).toEqual([name, provider.name, null]);
  });

  it('verify answers false for keys that are no points', () => {
    const message = digestOf('keys');
    const signature = native.sign(message, scalar(9n));
    const keys = [new Uint8Array(33), Uint8Array.of(2, ...scalar(5n)), new Uint8Array(65).fill(4), new Uint8Array(0)];
    for (const key of keys)
      for (const provider of providers)
        expect([bytesToHex(key), provider.name, provider.verify(message, signature, key)]).toEqual([
          bytesToHex(key),
          provider.name,
          false,
        ]);
  });

  it('throw for what only a caller can get wrong', () => {
    for (const provider of providers) {
      const signature = provider.sign(digestOf('x'), scalar(1n));
      for (const length of [0, 31, 33]) {
        const wrong = new Uint8Array(length);
        const error = expect.objectContaining({ detail: { code: 'CRYPTO_DIGEST_LENGTH', length } });
        expect(() => provider.sign(wrong, scalar(1n))).toThrow(error as never);
        expect(() => provider.recover(wrong, signature)).toThrow(error as never);
        expect(() => provider.verify(wrong, signature, provider.publicKey(scalar(1n)))).toThrow(error as never);
      }
      const invalid = expect.objectContaining({ code: 'CRYPTO_PRIVATE_KEY_INVALID' });
      for (const key of [scalar(0n), scalar(order), new Uint8Array(31)]) {
        expect(() => provider.sign(digestOf('x'), key)).toThrow(invalid as never);
        expect(() => provider.publicKey(key)).toThrow(invalid as never);
      }
    }
  });
});

describe('keys and addresses', () => {
  it('a private key is a number from 1 to the order less 1', () => {
    expect([1n, order - 1n].map((value) => isValidPrivateKey(scalar(value)))).toEqual([true, true]);
    expect([0n, order, (1n << 256n) - 1n].map((value) => isValidPrivateKey(scalar(value)))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('the first account of the standard test mnemonic has its known address', () => {
    const key = hexToBytes('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
    const known = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
    expect(publicKeyToAddress(native.publicKey(key))).toBe(known);
    expect(recoverAddress(wasm, digestOf('m'), noble.sign(digestOf('m'), key))).toBe(known);
  });

  it('bytes that are no key have no address', () => {
    const error = expect.objectContaining({ code: 'CRYPTO_PUBLIC_KEY_INVALID' });
    for (const bytes of [new Uint8Array(0), new Uint8Array(33), Uint8Array.of(2, ...scalar(5n)), new Uint8Array(64)])
      expect(() => publicKeyToAddress(bytes)).toThrow(error as never);
  });
});
