import { describe, expect, it } from '@jest/globals';
import { encodeRlp } from '@prime/codec';
import { type Address, bytesToHex, type Hash, type Height, utf8ToBytes } from '@prime/primitives';
import fc from 'fast-check';
import { NetworkError } from '../errors.ts';
import { frameKinds } from './frame.ts';
import { decodeHello, encodeHello, type Hello, helloDigest, networkVersion, transportKeyDigest } from './hello.ts';

const hello: Hello = {
  protocolVersion: networkVersion,
  chainId: 4242,
  genesisHash: `0x${'ab'.repeat(32)}` as Hash,
  role: 'archive',
  address: `0x${'05'.repeat(20)}` as Address,
  listenAddress: '[::1]:26656',
  height: 300 as Height,
  instance: bytesToHex(new Uint8Array(32).fill(9)),
  protocol: { known: 3, upgrades: [{ version: 3, height: 400 as Height }] },
  signature: new Uint8Array(65).fill(8),
};
const binding = {
  keyingMaterial: new Uint8Array(32).fill(1),
  chainId: 4242,
  genesisHash: hello.genesisHash,
  senderSpki: `0x${'02'.repeat(32)}`,
  receiverSpki: `0x${'03'.repeat(32)}`,
};

const bigUpgrades = Array.from({ length: 16 }, () => ({
  version: 0xffffffff,
  height: Number.MAX_SAFE_INTEGER as Height,
}));

describe('Hello', () => {
  it('comes back equal', () => {
    for (const role of ['validator', 'full', 'archive'] as const)
      expect(decodeHello(encodeHello({ ...hello, role }))).toEqual({ ...hello, role });
  });

  it('of another version of the protocol is refused whatever else it holds', () => {
    const later = encodeRlp([networkVersion + 1, utf8ToBytes('what we do not know yet')]);
    expect(() => decodeHello(later)).toThrow(expect.objectContaining({ code: 'NETWORK_PROTOCOL_MISMATCH' }));
  });

  it('says what the sender knows of upgrades: the next 16 at most', () => {
    const upgrades = Array.from({ length: 17 }, (_, index) => ({ version: index + 2, height: (index + 1) as Height }));
    const with16 = { ...hello, protocol: { known: 99, upgrades: upgrades.slice(1) } };
    expect(decodeHello(encodeHello(with16))).toEqual(with16);
    const full = { ...with16, listenAddress: 'h'.repeat(260), protocol: { known: 0xffffffff, upgrades: bigUpgrades } };
    expect(encodeHello(full).length).toBeLessThan(frameKinds.hello.payloadBytesMax);
    expect(() => decodeHello(encodeHello({ ...hello, protocol: { known: 99, upgrades } }))).toThrow(
      expect.objectContaining({ code: 'NETWORK_MESSAGE_MALFORMED' }),
    );
  });

  it('may carry the word of a hot key for a TLS key, over the digest of docs/protocol/p2p.md', () => {
    expect(bytesToHex(transportKeyDigest(binding))).toBe(
      '0xd99e180ff4d4f3fe8d0d9baf5e522bdb01476e9de213e5403e599720183f37c6',
    );
  });

  it('is signed over the digest of docs/protocol/p2p.md', () => {
    expect(bytesToHex(helloDigest('validator', binding))).toBe(
      '0x7573699b62896f33a191d60a95397dde18e31dc2182fc4c5ffc29f0d0a0cd3b4',
    );
  });

  it('digest depends on each of its inputs', () => {
    const digests = [
      helloDigest('validator', binding),
      helloDigest('full', binding),
      helloDigest('validator', { ...binding, keyingMaterial: new Uint8Array(32) }),
      helloDigest('validator', { ...binding, chainId: 1 }),
      helloDigest('validator', { ...binding, genesisHash: `0x${'00'.repeat(32)}` as Hash }),
      helloDigest('validator', { ...binding, senderSpki: binding.receiverSpki }),
      helloDigest('validator', { ...binding, receiverSpki: binding.senderSpki }),
      // What the other end signs: a Hello can not be sent back to its maker.
      helloDigest('validator', { ...binding, senderSpki: binding.receiverSpki, receiverSpki: binding.senderSpki }),
    ].map(bytesToHex);
    expect(new Set(digests).size).toBe(digests.length);
  });

  it('decoding of changed bytes gives a Hello with that encoding, or a refusal', () => {
    const bytes = encodeHello(hello);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (index, change) => {
        const changed = new Uint8Array(bytes);
        changed[index]! ^= change;
        try {
          expect(encodeHello(decodeHello(changed))).toEqual(changed);
        } catch (error) {
          if (!(error instanceof NetworkError)) throw error;
          expect(['NETWORK_MESSAGE_MALFORMED', 'NETWORK_PROTOCOL_MISMATCH']).toContain(error.code);
        }
      }),
      { numRuns: 500 },
    );
  });
});
