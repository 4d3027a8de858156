import { describe, expect, it } from '@jest/globals';
import { type Abi, encodeErrorResult, encodeFunctionData, erc20Abi, parseAbi } from 'viem';
import { abisFor, decodeCall, decodeLog, parsePasted, revertWords } from './decode.ts';

const gas = { gas: 100_000n, gasUsed: 30_000n };
const orders = '0x0000000000000000000000000000000000000100';
const other = `0x${'12'.repeat(20)}` as const;

describe('what a reader pastes', () => {
  it.each([
    ['JSON', JSON.stringify(erc20Abi)],
    ['an artifact', JSON.stringify({ contractName: 'Token', abi: erc20Abi })],
    ['signatures', 'function transfer(address to, uint256 amount);\nevent Moved(address who)\n'],
  ])('is taken as %s', (_, text) => {
    expect(Array.isArray(parsePasted(text))).toBe(true);
  });

  it.each(['', '{}', '[]', '[1, null]', 'hello', '[{"type": 7}]', '{"abi": 3}', 'function (', 'x'.repeat(1_000_001)])(
    'is refused in words where it is none: %.20s',
    (text) => {
      expect(typeof parsePasted(text)).toBe('string');
    },
  );
});

describe('a call', () => {
  it('of the order book is known, with names and values', () => {
    const abi = parseAbi(['function depositFor(address account) payable returns (uint64)']);
    const input = encodeFunctionData({ abi, args: [other] });
    expect(decodeCall(input, abisFor(orders, null))).toMatchObject({
      name: 'depositFor',
      values: [{ type: 'address', text: other, account: other }],
      source: 'the order book of this chain',
    });
  });

  it('of a token is known, and what was pasted comes first', () => {
    const input = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [other, 5n] });
    expect(decodeCall(input, abisFor(other, null))).toMatchObject({ name: 'transfer', source: 'ERC-20' });
    const own = parseAbi(['function transfer(address receiver, uint256 tokens)']);
    const read = decodeCall(input, abisFor(other, own));
    expect(read?.source).toBe('what you pasted');
    expect(read?.values.map(({ name, text }) => `${name}=${text}`)).toEqual([`receiver=${other}`, 'tokens=5']);
  });

  it.each(['0x', '0x1234', '0xffffffff', '0xa9059cbb'] as const)('that can not be read is none: %s', (input) => {
    expect(decodeCall(input, abisFor(other, null))).toBeNull();
  });

  it('is none for an ABI that is nonsense', () => {
    const abi = parsePasted('[{"type": "function", "name": 3, "inputs": "x"}, {"type": "event"}]') as Abi;
    expect(decodeCall('0xa9059cbb', abisFor(other, abi))).toBeNull();
    expect(decodeLog({ topics: [], data: '0x' }, abisFor(other, abi))).toBeNull();
  });
});

describe('a log', () => {
  it('of a token has its indexed values, too', () => {
    const topic = (address: string): `0x${string}` => `0x${address.slice(2).padStart(64, '0')}`;
    const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
    const data = `0x${'7'.padStart(64, '0')}` as const;
    const read = decodeLog({ topics: [transfer, topic(other), topic(orders)], data }, abisFor(other, null));
    expect(read?.values.map(({ name, text }) => `${name}=${text}`)).toEqual([
      `from=${other}`,
      `to=${orders}`,
      'value=7',
    ]);
  });
});

describe('why a call reverted', () => {
  const errorAbi = parseAbi(['error Error(string)', 'error Panic(uint256)', 'error InvalidPrice(uint256 price)']);
  it.each([
    [encodeErrorResult({ abi: errorAbi, errorName: 'Error', args: ['too late'] }), 'too late'],
    [encodeErrorResult({ abi: errorAbi, errorName: 'Panic', args: [0x12n] }), 'a division by zero'],
    [encodeErrorResult({ abi: errorAbi, errorName: 'InvalidPrice', args: [7n] }), 'InvalidPrice(price: 7)'],
  ])('is told in words: %#', (output, words) => {
    expect(revertWords({ output, ...gas }, abisFor(orders, null))).toBe(words);
  });

  it('is shown as it is where nobody knows it, and is none where there is none', () => {
    expect(revertWords({ output: '0x12345678', ...gas }, abisFor(other, null))).toBe(
      'an error that is not known here, 0x12345678',
    );
    expect(revertWords({ output: '0x', ...gas }, abisFor(other, null))).toBe('the contract gave no reason');
  });
});
