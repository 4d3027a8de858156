import { beforeEach, describe, expect, it } from '@jest/globals';
import { createCryptoProvider, keccak256 } from '@prime/crypto';
import { utf8ToBytes } from '@prime/primitives';
import { rememberVerified, type RememberingProvider } from './verifiedSignatures.ts';

const real = await createCryptoProvider();
const key = keccak256(utf8ToBytes('a validator'));
const publicKey = real.publicKey(key);
const digestOf = (index: number): Uint8Array => keccak256(utf8ToBytes(`vote ${index}`));

let checks: number;
let provider: RememberingProvider;
beforeEach(() => {
  checks = 0;
  provider = rememberVerified({
    ...real,
    verify(...parts) {
      checks += 1;
      return real.verify(...parts);
    },
  });
});
const verify = (index: number): boolean => provider.verify(digestOf(index), real.sign(digestOf(index), key), publicKey);

describe('rememberVerified', () => {
  it('checks a good signature once', () => {
    expect([verify(0), verify(0), verify(0)]).toEqual([true, true, true]);
    expect(checks).toBe(1);
  });

  it('says nothing good of another digest, signature or key', () => {
    verify(0);
    const signature = real.sign(digestOf(0), key);
    const flipped = Uint8Array.from(signature, (byte, index) => (index === 7 ? byte ^ 1 : byte));
    const otherKey = real.publicKey(keccak256(utf8ToBytes('another validator')));
    expect(provider.verify(digestOf(1), signature, publicKey)).toBe(false);
    expect(provider.verify(digestOf(0), flipped, publicKey)).toBe(false);
    expect(provider.verify(digestOf(0), signature, otherKey)).toBe(false);
  });

  it('checks a bad one each time, and bad ones take no room', () => {
    verify(0);
    const bad = new Uint8Array(65);
    for (let index = 0; index < 5_000; index++) expect(provider.verify(digestOf(1), bad, publicKey)).toBe(false);
    expect(checks).toBe(5_001);
    verify(0);
    expect(checks).toBe(5_001);
  });

  it('takes what was made here for good, that very signature and no other', () => {
    const [made, other] = [0, 1].map((index) => real.sign(digestOf(index), key)) as [Uint8Array, Uint8Array];
    provider.noteMade(digestOf(0), made, publicKey);
    expect(provider.verify(digestOf(0), made, publicKey)).toBe(true);
    expect(checks).toBe(0);
    expect(provider.verify(digestOf(0), other, publicKey)).toBe(false);
    expect(provider.verify(digestOf(1), made, publicKey)).toBe(false);
    expect(checks).toBe(2);
  });

  it('is bounded: what is old is checked again', () => {
    verify(0);
    for (let index = 1; index <= 5_000; index++) verify(index);
    expect(checks).toBe(5_001);
    verify(0);
    expect(checks).toBe(5_002);
    verify(5_000);
    expect(checks).toBe(5_002);
  });

  it('says nothing good of a signature that begins like a good one', () => {
    const good = real.sign(digestOf(0), key);
    const alike = Uint8Array.from(good, (byte, index) => (index < 8 ? byte : byte ^ 1));
    verify(0);
    expect(provider.verify(digestOf(0), alike, publicKey)).toBe(false);
    expect(provider.verify(digestOf(0), good, publicKey)).toBe(true);
    expect(checks).toBe(2);
  });

  it('of two good ones that begin alike knows the later one, and checks the other again', () => {
    const [first, second] = [1, 2].map((last) =>
      Uint8Array.from({ length: 65 }, (_, index) => (index === 64 ? last : 9)),
    );
    checks = 0;
    const trusting = rememberVerified({
      ...real,
      verify() {
        checks += 1;
        return true;
      },
    });
    for (const signature of [first!, second!, second!, first!, first!])
      trusting.verify(digestOf(0), signature, publicKey);
    expect(checks).toBe(3);
  });
});
