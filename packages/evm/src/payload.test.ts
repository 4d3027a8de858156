import { describe, expect, it } from '@jest/globals';
import { createPrng } from '@prime/primitives';
import fc from 'fast-check';
import { payloadOf } from './payload.ts';
import { people } from './testing/randomBlocks.ts';
import { parseTransaction } from './transactions.ts';

const [person] = people;
/** Around the lengths at which the form of a byte string changes. */
const lengths = [0, 1, 2, 54, 55, 56, 255, 256, 257, 65_535, 65_536] as const;

describe('payload of a transaction', () => {
  it('is what a reading of the whole gives, whatever its type and length', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...lengths), fc.constantFrom(0, 1, 2, 4), (seed, length, type) => {
        const prng = createPrng(seed);
        const data = new Uint8Array(length).fill(prng.below(256));
        const accessList = prng.chance(1, 2)
          ? [[new Uint8Array(20).fill(7), [new Uint8Array(32).fill(8)]] as const]
          : [];
        const authorizations = type === 4 ? [[1, 2, 3, 4, 5, 6].map((byte) => authorizationField(byte)) as never] : [];
        const to = type !== 4 && length < 1000 && prng.chance(1, 3) ? null : person!.address;
        const fields = { type: type as 0 | 1 | 2 | 4, nonce: prng.below(300), to, data, value: BigInt(prng.next()) };
        const raw = person!.sign({ ...fields, gasLimit: 5_000_000n, accessList, authorizations });
        const parsed = parseTransaction(raw);
        expect(payloadOf(raw, type)).toEqual({
          data: parsed.input,
          accessList: parsed.accessList ?? [],
          authorizations: parsed.authorizationList ?? [],
        });
      }),
      { numRuns: 60 },
    );
  });

  it('is none for a transaction that is cut short, or goes on behind its end', () => {
    for (const type of [0, 1, 2] as const) {
      const raw = person!.sign({ nonce: 1, to: person!.address, type, data: Uint8Array.of(1, 2, 3) });
      for (let length = 0; length < raw.length; length++) expect(payloadOf(raw.subarray(0, length), type)).toBeNull();
      expect(payloadOf(Uint8Array.of(...raw, 0), type)).toBeNull();
    }
  });
});

/** Fields of an authorization: an address in the second place, numbers in the others. */
const authorizationField = (place: number): Uint8Array =>
  place === 2 ? new Uint8Array(20).fill(9) : Uint8Array.of(place === 4 ? 1 : place);
