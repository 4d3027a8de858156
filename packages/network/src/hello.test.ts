import { describe, expect, it } from '@jest/globals';
import { type Address, bytesToHex, type Hash, type Height } from '@prime/primitives';
import fc from 'fast-check';
import { NetworkError } from './errors.ts';
import { decodeHello, encodeHello, type Hello, helloDigest } from './hello.ts';

const hello: Hello = {
  protocolVersion: 1,
  chainId: 4242,
  genesisHash: `0x${'ab'.repeat(32)}` as Hash,
  role: 'archive',
  address: `0x${'05'.repeat(20)}` as Address,
  listenAddress: '[::1]:26656',
  height: 300 as Height,
  instance: bytesToHex(new Uint8Array(32).fill(9)),
  signature: new Uint8Array(65).fill(8),
};
const binding = {
  keyingMaterial: new Uint8Array(32).fill(1),
  chainId: 4242,
  genesisHash: hello.genesisHash,
  senderSpki: `0x${'02'.repeat(32)}`,
  receiverSpki: `0x${'03'.repeat(32)}`,
};

describe('Hello', () => {
  it('comes back equal', () => {
    for (const role of ['validator', 'full', 'archive'] as const)
      expect(decodeHello(encodeHello({ ...hello, role }))).toEqual({ ...hello, role });
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

  it('decoding of changed bytes gives a Hello with that encoding, or NETWORK_MESSAGE_MALFORMED', () => {
    const bytes = encodeHello(hello);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (index, change) => {
        const changed = new Uint8Array(bytes);
        changed[index]! ^= change;
        try {
          expect(encodeHello(decodeHello(changed))).toEqual(changed);
        } catch (error) {
          if (!(error instanceof NetworkError)) throw error;
          expect(error.code).toBe('NETWORK_MESSAGE_MALFORMED');
        }
      }),
      { numRuns: 500 },
    );
  });
});
