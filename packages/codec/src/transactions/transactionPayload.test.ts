import { describe, expect, it } from '@jest/globals';
import { concatBytes, createPrng } from '@prime/primitives';
import fc from 'fast-check';
import { encodeRlp, type RlpValue } from '../encoding/rlp.ts';
import { decodeTransaction } from './transactionFields.ts';
import { transactionData, transactionPayload } from './transactionPayload.ts';
import { type TransactionType, transactionTypes } from './transactionTypes.ts';

/** Around the lengths at which the form of a byte string changes. */
const lengths = [0, 1, 2, 54, 55, 56, 255, 256, 257, 65_535, 65_536] as const;
const types = Object.values(transactionTypes);

const address = (byte: number): Uint8Array => new Uint8Array(20).fill(byte);

interface Content {
  readonly nonce: number;
  /** None creates a contract. */
  readonly to: Uint8Array;
  readonly value: bigint;
  readonly data: Uint8Array;
  /** Whether it has the lists that its type allows. */
  readonly hasLists: boolean;
}

/** A transaction by the fields of its type. */
function encoded(type: TransactionType, { nonce, to, value, data, hasLists }: Content): Uint8Array {
  const signature = [1, 5n, 6n];
  const body = [5_000_000n, to, value, data];
  if (type === transactionTypes.legacy) return encodeRlp([nonce, 7n, ...body, 37, 5n, 6n]);
  const prices = type === transactionTypes.accessList ? [7n] : [1n, 7n];
  const accessList = hasLists ? [[address(7), [new Uint8Array(32).fill(8)]]] : [];
  const authorizations = hasLists ? [[1, address(9), 3, 1, 5, 6]] : [];
  const lists: RlpValue[] = type === transactionTypes.setCode ? [accessList, authorizations] : [accessList];
  return concatBytes(Uint8Array.of(type), encodeRlp([1, nonce, ...prices, ...body, ...lists, ...signature]));
}

describe('payload of a transaction', () => {
  it('is what a reading of the whole gives, whatever its type and length', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...lengths), fc.constantFrom(...types), (seed, length, type) => {
        const prng = createPrng(seed);
        const raw = encoded(type, {
          nonce: prng.below(300),
          to: prng.chance(1, 3) ? new Uint8Array(0) : address(3),
          value: BigInt(prng.next()),
          data: new Uint8Array(length).fill(prng.below(256)),
          hasLists: prng.chance(1, 2),
        });
        const { input, accessList, authorizationList } = decodeTransaction(raw);
        expect(transactionPayload(raw, type)).toEqual({
          data: input,
          accessList: accessList ?? [],
          authorizations: authorizationList ?? [],
        });
        expect(transactionData(raw, type)).toEqual(input);
      }),
      { numRuns: 60 },
    );
  });

  it('is none for a transaction that is cut short, or goes on behind its end', () => {
    const content = { nonce: 1, to: address(3), value: 0n, data: Uint8Array.of(1, 2, 3), hasLists: false };
    for (const type of types) {
      const raw = encoded(type, content);
      const broken = Array.from(raw, (_, length) => raw.subarray(0, length));
      for (const bytes of [...broken, Uint8Array.of(...raw, 0)]) {
        expect(transactionPayload(bytes, type)).toBeNull();
        expect(transactionData(bytes, type)).toBeNull();
      }
    }
  });
});
