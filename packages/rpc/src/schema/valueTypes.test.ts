import { describe, expect, it } from '@jest/globals';
import { getBalance } from '../methods/eth/state/getBalance.ts';
import { getStorageAt } from '../methods/eth/state/getStorageAt.ts';
import { getTransactionByBlockNumberAndIndex } from '../methods/eth/transaction/getTransactionByBlockNumberAndIndex.ts';
import { sha3 } from '../methods/web3/sha3.ts';
import { sample } from './samples.ts';
import { parseParams } from './validate.ts';

const hash = sample.hash.toUpperCase().replace('0X', '0x');
const selector = (block: unknown): unknown => parseParams(getBalance, [sample.address, block])[1];
const refused = { code: 'RPC_INVALID_PARAMS' };

describe('blocks as callers name them', () => {
  it.each([
    ['latest', { kind: 'tag', tag: 'latest' }],
    ['finalized', { kind: 'tag', tag: 'finalized' }],
    ['0x0', { kind: 'height', height: 0 }],
    [7, { kind: 'height', height: 7 }],
    [Number.MAX_SAFE_INTEGER, { kind: 'height', height: Number.MAX_SAFE_INTEGER }],
    [hash, { kind: 'hash', hash: sample.hash }],
    [{ blockNumber: '0x7' }, { kind: 'height', height: 7 }],
    [{ blockNumber: 'earliest' }, { kind: 'tag', tag: 'earliest' }],
    [{ blockHash: hash }, { kind: 'hash', hash: sample.hash }],
    [
      { blockHash: hash, requireCanonical: false },
      { kind: 'hash', hash: sample.hash },
    ],
  ])('%j', (block, expected) => {
    expect(selector(block)).toEqual(expected);
  });

  it.each([
    'newest',
    'Latest',
    '',
    '0x',
    '0x00',
    '0x01',
    `0x1${'0'.repeat(16)}`,
    hash.slice(0, -1),
    `${hash}0`,
    -1,
    1.5,
    Number.MAX_SAFE_INTEGER + 1,
    true,
    [],
    {},
    { blockNumber: '0x1', blockHash: hash },
    { blockNumber: '0x1', requireCanonical: true },
  ])('%j names none', (block) => {
    expect(() => selector(block)).toThrow(expect.objectContaining(refused));
  });
});

describe('values as callers write them', () => {
  it.each([
    [getBalance, 39, false],
    [getBalance, 40, true],
    [getBalance, 41, false],
  ])('%# an address has 40 digits: %d', (definition, digits, isTaken) => {
    const params = [`0x${'A'.repeat(digits)}`, 'latest'];
    if (isTaken) expect(parseParams(definition, params)[0]).toBe(`0x${'a'.repeat(digits)}`);
    else expect(() => parseParams(definition, params)).toThrow('must be 0x and 40 hex digits');
  });

  it.each([
    ['0x', false],
    ['0x0', true],
    [`0x${'F'.repeat(64)}`, true],
    [`0x${'F'.repeat(65)}`, false],
  ])('slot %s', (slot, isTaken) => {
    const parse = (): unknown => parseParams(getStorageAt, [sample.address, slot, 'latest'])[1];
    if (isTaken) expect(parse()).toBe(`0x${slot.slice(2).toLowerCase().padStart(64, '0')}`);
    else expect(parse).toThrow('must be 0x and 1 to 64 hex digits');
  });

  it.each([
    ['0x0', 0],
    [3, 3],
    ['0xfffffffffffff', 2 ** 52 - 1],
    ['0x10000000000000', null],
    ['0x00', null],
    [-1, null],
    ['1', null],
  ])('place %s', (place, expected) => {
    const parse = (): unknown => parseParams(getTransactionByBlockNumberAndIndex, ['latest', place])[1];
    if (expected === null) expect(parse).toThrow('must be a hex quantity below 2^52 or an integer');
    else expect(parse()).toBe(expected);
  });

  it.each([
    ['0x', true],
    ['0xAb', true],
    ['0xAbC', false],
    ['ab', false],
    ['0xgg', false],
  ])('bytes %s', (data, isTaken) => {
    if (isTaken) expect(parseParams(sha3, [data])).toEqual([data.toLowerCase()]);
    else expect(() => parseParams(sha3, [data])).toThrow('must be 0x and an even number of hex digits');
  });
});
