import { describe, expect, it } from '@jest/globals';
import { bytesToHex, hexToBytes } from '@prime/primitives';
import { decodeAbiParameters, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { abiError, abiList, abiText, encodeAbi, parseOrderQuery } from './index.ts';

const abi = parseAbi([
  'function market(uint32)',
  'function book(uint32,uint16)',
  'function order(uint64)',
  'function orderByClientId(address,uint128)',
  'function position(address,uint32)',
]);
const call = (functionName: string, args: readonly unknown[]): Uint8Array =>
  hexToBytes(encodeFunctionData({ abi, functionName, args } as never));
const owner = `0x${'a1'.repeat(20)}`;

describe('what a read asks', () => {
  it('arguments are read as Solidity writes them, bytes behind them are passed over', () => {
    expect(parseOrderQuery(call('book', [2 ** 32 - 1, 3]))).toEqual({ view: 'book', marketId: 2 ** 32 - 1, depth: 3 });
    expect(parseOrderQuery(call('order', [2n ** 64n - 1n]))).toEqual({ view: 'order', orderId: 2n ** 64n - 1n });
    expect(parseOrderQuery(Uint8Array.of(...call('position', [owner, 1]), 9))).toEqual({
      view: 'position',
      owner,
      marketId: 1,
    });
    expect(parseOrderQuery(call('orderByClientId', [owner, 255n]))).toEqual({
      view: 'orderByClientId',
      owner,
      clientId: `0x${'ff'.padStart(32, '0')}`,
    });
  });

  it.each([
    ['nothing', new Uint8Array(0), /unknown read/],
    ['another function', Uint8Array.of(1, 2, 3, 4), /unknown read/],
    ['less than its arguments', call('market', [1]).subarray(0, 35), /arguments are missing/],
    ['a market of 33 bits', call('market', [1]).fill(1, 4, 36), /marketId has more than 32 bits/],
    ['an address of 21 bytes', call('position', [owner, 1]).fill(1, 4, 16), /owner has more than 160 bits/],
  ])('%s is refused', (_name, input, words) => {
    expect(parseOrderQuery(input)).toMatchObject({ refused: expect.stringMatching(words) });
  });
});

describe('answers', () => {
  const decode = (types: readonly unknown[], bytes: Uint8Array) =>
    decodeAbiParameters(types as never, bytesToHex(bytes) as Hex);

  it('words, texts and lists are what Solidity reads', () => {
    const long = 'x'.repeat(33);
    const bytes = encodeAbi([abiText(long), -5n, abiList([1n, 2n, 3n, 4n], 2), abiList([]), 7n]);
    const level = { type: 'tuple[]', components: [{ type: 'uint256' }, { type: 'uint256' }] };
    const types = [{ type: 'string' }, { type: 'int256' }, level, { type: 'uint32[]' }, { type: 'uint256' }];
    expect(decode(types, bytes)).toEqual([
      long,
      -5n,
      [
        [1n, 2n],
        [3n, 4n],
      ],
      [],
      7n,
    ]);
  });

  it('a reason is Error(string)', () => {
    const bytes = abiError('unknown market 7');
    expect(bytesToHex(bytes.subarray(0, 4))).toBe('0x08c379a0');
    expect(decode([{ type: 'string' }], bytes.subarray(4))).toEqual(['unknown market 7']);
  });
});
