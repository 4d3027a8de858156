import { describe, expect, it } from '@jest/globals';
import { bytesToHex } from '@prime/primitives';
import fc from 'fast-check';
import { hashTypedData } from 'viem';
import { parseTypedMessage, typedMessageDigest } from './typedMessage.ts';

type Json = Record<string, unknown>;
const digestOf = (wire: unknown): string => bytesToHex(typedMessageDigest(parseTypedMessage(wire)));
const asViem = (data: Json): string => hashTypedData(data as never);

const domain = {
  name: 'Ether Mail',
  version: '1',
  chainId: 7919,
  verifyingContract: '0xcccccccccccccccccccccccccccccccccccccccc',
};
const address = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb';
const mail = {
  domain,
  primaryType: 'Mail',
  types: {
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person[]' },
      { name: 'contents', type: 'string' },
      { name: 'flags', type: 'bool[2]' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallets', type: 'address[]' },
    ],
  },
  message: {
    from: { name: 'Cow', wallets: [address] },
    to: [
      { name: 'Bob', wallets: [] },
      { name: 'Äß', wallets: [address, address] },
    ],
    contents: 'Hello!',
    flags: [true, false],
  },
};

describe('typed data', () => {
  it('is signed as viem signs it, from an object and from its JSON', () => {
    expect(digestOf(mail)).toBe(asViem(mail));
    expect(digestOf(JSON.stringify(mail))).toBe(asViem(mail));
    const named = { ...mail, types: { ...mail.types, EIP712Domain: [{ name: 'name', type: 'string' }] } };
    expect(digestOf(named)).toBe(asViem(named));
    expect(digestOf(named)).not.toBe(digestOf(mail));
  });

  it('of any atom, within structs and lists, is what viem makes of it', () => {
    const hex = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(bytesToHex);
    const atoms = [
      fc.tuple(fc.constant('string'), fc.string()),
      fc.tuple(fc.constant('bool'), fc.boolean()),
      fc.tuple(fc.constant('bytes'), fc.uint8Array({ maxLength: 70 }).map(bytesToHex)),
      fc.tuple(fc.constant('address'), hex(20)),
      fc.integer({ min: 1, max: 32 }).chain((size) => fc.tuple(fc.constant(`bytes${size}`), hex(size))),
      fc
        .integer({ min: 1, max: 32 })
        .chain((size) =>
          fc.tuple(
            fc.constant(`uint${size * 8}`),
            fc.bigInt({ min: 0n, max: (1n << BigInt(size * 8)) - 1n }).map(String),
          ),
        ),
      fc.integer({ min: 1, max: 32 }).chain((size) => {
        const half = 1n << BigInt(size * 8 - 1);
        return fc.tuple(fc.constant(`int${size * 8}`), fc.bigInt({ min: -half, max: half - 1n }).map(String));
      }),
    ] as const;
    const property = fc.property(fc.array(fc.oneof(...atoms), { minLength: 1, maxLength: 6 }), (values) => {
      const inner = values.map(([type], index) => ({ name: `f${index}`, type }));
      const struct = Object.fromEntries(values.map(([, value], index) => [`f${index}`, value]));
      const data = {
        domain,
        primaryType: 'Outer',
        types: {
          Outer: [
            { name: 'one', type: 'Inner' },
            { name: 'many', type: 'Inner[][]' },
            { name: 'first', type: `${values[0]![0]}[]` },
          ],
          Inner: inner,
        },
        message: { one: struct, many: [[], [struct, struct]], first: [values[0]![1], values[0]![1]] },
      };
      expect(digestOf(data)).toBe(asViem(data));
    });
    fc.assert(property, { numRuns: 200 });
  });

  it('takes numbers and hex for integers, and nothing for a struct', () => {
    const of = (value: unknown) => ({
      domain: {},
      primaryType: 'A',
      types: { EIP712Domain: [], A: [{ name: 'a', type: 'uint256' }] },
      message: { a: value },
    });
    expect(new Set([255, '255', '0xff'].map((value) => digestOf(of(value)))).size).toBe(1);
    const optional = {
      domain: {},
      primaryType: 'A',
      types: { EIP712Domain: [], A: [{ name: 'next', type: 'A' }] },
      message: {},
    };
    expect(digestOf(optional)).not.toBe(digestOf({ ...optional, message: { next: {} } }));
  });

  const one = (type: string, value: unknown): Json => ({
    domain,
    primaryType: 'A',
    types: { A: [{ name: 'a', type }] },
    message: { a: value },
  });
  it.each<[string, unknown, RegExp]>([
    ['no object', 5, /typedData must be an object/],
    ['text that is no JSON', '{', /must be an object or its JSON text/],
    ['no types', { ...mail, types: [] }, /typedData.types must be/],
    ['a type without fields', { ...mail, types: { Mail: 5 } }, /typedData.types.Mail must be a list/],
    [
      'more types than anybody needs',
      { ...mail, types: Object.fromEntries(Array.from({ length: 1025 }, (_, index) => [`T${index}`, []])) },
      /must have at most 1024 types and fields/,
    ],
    ['an unknown primary type', { ...mail, primaryType: 'toString' }, /typedData.primaryType must be one of/],
    ['no domain', { ...mail, domain: null }, /typedData.domain must be/],
    ['a missing value', one('uint256', undefined), /typedData.message.a must be an unsigned integer/],
    ['too large', one('uint8', 256), /typedData.message.a must be an unsigned integer of 8 bits/],
    ['too small', one('int8', '-129'), /must be an integer of 8 bits/],
    ['a number that is not exact', one('uint256', 2 ** 60), /that is exact/],
    ['a short address', one('address', '0x12'), /must have 20 bytes/],
    ['bytes of another length', one('bytes4', '0x1234'), /must have 4 bytes/],
    ['an unknown type', one('uint7', 1), /has the unknown type uint7/],
    ['another unknown type', one('Person', {}), /has the unknown type Person/],
    ['a list of another length', one('bool[2]', [true]), /must have 2 entries/],
    ['no list', one('bool[]', true), /must be a list/],
    ['text for a struct', { ...mail, message: { ...mail.message, from: 'Cow' } }, /from must be an object, a Person/],
  ])('%s is refused with its place', (_, wire, words) => {
    expect(() => digestOf(wire)).toThrow(expect.objectContaining({ code: 'RPC_INVALID_PARAMS' }));
    expect(() => digestOf(wire)).toThrow(words);
  });

  it('that is nested without end is refused, and costs no stack', () => {
    const message = `${'{"next":'.repeat(5_000)}{}${'}'.repeat(5_000)}`;
    const types = '{"A":[{"name":"next","type":"A"}]}';
    const text = `{"domain":{},"primaryType":"A","types":${types},"message":${message}}`;
    expect(() => digestOf(text)).toThrow(/is nested deeper than 64 levels/);
    const lists = one(`bool${'[]'.repeat(5_000)}`, true);
    expect(() => digestOf(lists)).toThrow(expect.objectContaining({ code: 'RPC_INVALID_PARAMS' }));
  });
});
