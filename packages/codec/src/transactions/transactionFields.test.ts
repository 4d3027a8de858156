import { describe, expect, it } from '@jest/globals';
import { concatBytes } from '@prime/primitives';
import { encodeRlp, type RlpValue } from '../encoding/rlp.ts';
import { decodeSignedTransaction, decodeTransaction, decodeUnboundedTransaction } from './transactionFields.ts';

const bytes = (length: number, fill = 1): Uint8Array => new Uint8Array(length).fill(fill);
const [to, slot] = [bytes(20), bytes(32)];
const legacy = (changes: Readonly<Record<number, RlpValue>> = {}): Uint8Array =>
  encodeRlp([1, 2, 21_000, to, 3, bytes(0), 27, 4, 5].map((value, place) => changes[place] ?? value));
const dynamic = (changes: Readonly<Record<number, RlpValue>> = {}): Uint8Array =>
  concatBytes(
    Uint8Array.of(2),
    encodeRlp([7919, 1, 2, 3, 21_000, to, 3, bytes(0), [], 1, 4, 5].map((value, place) => changes[place] ?? value)),
  );
const setCode = (authorizations: RlpValue): Uint8Array =>
  concatBytes(Uint8Array.of(4), encodeRlp([7919, 1, 2, 3, 21_000, to, 3, bytes(0), [], authorizations, 1, 4, 5]));
const authorization = (nonce: RlpValue, parity: RlpValue = 1): RlpValue => [7919, to, nonce, parity, 5, 6];
const refused = (words: string) =>
  expect.objectContaining({ code: 'CODEC_TRANSACTION_MALFORMED', message: expect.stringContaining(words) });

describe('fields of a transaction', () => {
  it.each([
    [26n, null, -1n],
    [27n, null, 0n],
    [28n, null, 1n],
    [34n, null, 7n],
    [35n, 0n, 0n],
    [36n, 0n, 1n],
    [15_873n, 7919n, 0n],
    [15_874n, 7919n, 1n],
  ])('v = %d of a legacy one is of chain %s, parity %d (EIP-155)', (v, chainId, yParity) => {
    expect(decodeTransaction(legacy({ 6: v }))).toMatchObject({ v, chainId, yParity });
  });

  it.each([
    [7, true],
    [8, true],
    [9, false],
  ])('nonce and gas have at most 8 bytes: %d', (length, isTaken) => {
    for (const place of [1, 4]) {
      const raw = dynamic({ [place]: bytes(length) });
      if (isTaken) expect(() => decodeTransaction(raw)).not.toThrow();
      else expect(() => decodeTransaction(raw)).toThrow(refused('input string too long'));
    }
  });

  it.each([
    [32, true],
    [33, false],
  ])('other numbers have at most 32 bytes: %d', (length, isTaken) => {
    const raw = dynamic({ 6: bytes(length) });
    if (isTaken) expect(() => decodeTransaction(raw)).not.toThrow();
    else expect(() => decodeTransaction(raw)).toThrow(refused('input string too long for value'));
  });

  it.each([
    [0, null],
    [19, false],
    [20, `0x${'01'.repeat(20)}`],
    [21, false],
  ])('the recipient has 20 bytes, or none and creates a contract: %d', (length, address) => {
    const raw = dynamic({ 5: bytes(length) });
    if (address === false) expect(() => decodeTransaction(raw)).toThrow(refused('an address has 20 bytes'));
    else expect(decodeTransaction(raw).to).toBe(address);
  });

  it.each<readonly [string, Uint8Array, string]>([
    ['nothing', bytes(0), 'typed transaction too short'],
    ['type 3', concatBytes(Uint8Array.of(3), dynamic().subarray(1)), 'transaction type not supported'],
    ['type 5', concatBytes(Uint8Array.of(5), dynamic().subarray(1)), 'transaction type not supported'],
    ['a string', Uint8Array.of(0x80), 'expected List'],
    ['a field too few', encodeRlp([1, 2, 3, to, 4, bytes(0), 27, 4]), 'has 9 fields, got 8'],
    ['a byte behind it', concatBytes(legacy(), bytes(1)), 'rlp'],
    ['a leading zero', dynamic({ 1: Uint8Array.of(0, 1) }), 'leading zero bytes'],
    ['a list for a number', dynamic({ 1: [] }), 'expected String for nonce'],
    ['a number for a list', dynamic({ 8: 1 }), 'expected List for accessList'],
    ['an access without slots', dynamic({ 8: [[to]] }), 'an access list entry has 2 fields'],
    ['an access with more', dynamic({ 8: [[to, [], []]] }), 'an access list entry has 2 fields'],
    ['a slot of 31 bytes', dynamic({ 8: [[to, [bytes(31)]]] }), 'a storage key has 32 bytes'],
    ['an authorization of five', setCode([[7919, to, 1, 1, 5]]), 'an authorization has 6 fields'],
    ['an authorization of a long nonce', setCode([authorization(bytes(9))]), 'too long for nonce'],
    ['an authorization of a long parity', setCode([authorization(1, bytes(2))]), 'too long for yParity'],
  ])('%s is malformed', (_what, raw, words) => {
    expect(() => decodeTransaction(raw)).toThrow(refused(words));
  });

  it('an access list has accounts and slots', () => {
    expect(
      decodeTransaction(
        dynamic({
          8: [
            [to, [slot, slot]],
            [to, []],
          ],
        }),
      ).accessList,
    ).toEqual([
      { address: `0x${'01'.repeat(20)}`, storageKeys: [`0x${'01'.repeat(32)}`, `0x${'01'.repeat(32)}`] },
      { address: `0x${'01'.repeat(20)}`, storageKeys: [] },
    ]);
  });

  it('what nobody has to admit may have authorizations of 256 bits', () => {
    const raw = setCode([authorization(bytes(32), bytes(32))]);
    expect(decodeUnboundedTransaction(raw).authorizationList![0]!.nonce).toBe(BigInt(`0x${'01'.repeat(32)}`));
    expect(() => decodeUnboundedTransaction(setCode([authorization(bytes(33))]))).toThrow(refused('too long'));
  });

  it('the signature is r, s and parity, each at its end', () => {
    for (const [raw, parity] of [
      [legacy(), 0],
      [dynamic(), 1],
    ] as const) {
      const { signature } = decodeSignedTransaction(raw);
      expect([signature.length, signature[31], signature[63], signature[64]]).toEqual([65, 4, 5, parity]);
    }
  });
});
