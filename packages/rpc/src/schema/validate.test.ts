import { describe, expect, it } from '@jest/globals';
import { isPrimeError } from '@prime/primitives';
import { definitions } from '../registry.ts';
import { sample } from './samples.ts';
import { parseParams } from './validate.ts';

const definition = (name: string) => definitions.find((candidate) => candidate.name === name)!;
const parse = (name: string, ...params: readonly unknown[]): unknown[] => parseParams(definition(name), params);

function refusal(name: string, ...params: readonly unknown[]): string {
  try {
    parse(name, ...params);
  } catch (error) {
    if (isPrimeError(error) && error.code === 'RPC_INVALID_PARAMS') return error.message;
    throw error;
  }
  throw new Error(`${name} accepted ${JSON.stringify(params)}`);
}

const order = { owner: sample.address, market_id: 1, side: 'buy', price: '0x64', size: '0xa', tif: 'gtc' };

describe('parameters', () => {
  it('takes addresses of either case and makes them lower case', () => {
    expect(parse('eth_getBalance', sample.address.toUpperCase().replace('0X', '0x'))[0]).toBe(sample.address);
  });

  it('takes every form of a block selector', () => {
    const selectors: [unknown, unknown][] = [
      ['latest', { kind: 'tag', tag: 'latest' }],
      ['finalized', { kind: 'tag', tag: 'finalized' }],
      ['0x10', { kind: 'height', height: 16 }],
      [16, { kind: 'height', height: 16 }],
      [sample.hash, { kind: 'hash', hash: sample.hash }],
      [{ blockNumber: '0x10' }, { kind: 'height', height: 16 }],
      [
        { blockHash: sample.hash, requireCanonical: true },
        { kind: 'hash', hash: sample.hash },
      ],
      [null, undefined],
    ];
    for (const [wire, selector] of selectors)
      expect([wire, parse('eth_getBalance', sample.address, wire)[1]]).toEqual([wire, selector]);
  });

  it('refuses what is no block selector', () => {
    for (const wire of ['newest', '10', -1, 1.5, {}, { blockNumber: '0x1', blockHash: sample.hash }, true, [], '0x01'])
      expect(refusal('eth_getBalance', sample.address, wire)).toContain('invalid params: block must be');
  });

  it('names the parameter that is missing or wrong, and what it must be', () => {
    expect(refusal('eth_getBalance')).toBe('invalid params: address is required');
    expect(refusal('eth_getBalance', null, 'latest')).toBe('invalid params: address is required');
    expect(refusal('eth_getBalance', '0x12')).toBe('invalid params: address must be 0x and 40 hex digits');
    expect(refusal('eth_getBalance', 7)).toBe('invalid params: address must be 0x and 40 hex digits');
    expect(refusal('eth_chainId', 1)).toBe('invalid params: params has too many entries: 1, want at most 0');
    expect(refusal('eth_getStorageAt', sample.address)).toBe('invalid params: slot is required');
  });

  it('names the field of an order that is missing, wrong or unknown', () => {
    expect(refusal('primeorders_submitOrder', { ...order, side: 'hold' })).toBe(
      'invalid params: order.side must be one of buy, sell',
    );
    expect(refusal('primeorders_submitOrder', { ...order, tif: undefined })).toBe(
      'invalid params: order.tif is required',
    );
    expect(refusal('primeorders_submitOrder', { ...order, market_id: '1' })).toContain(
      'order.market_id must be a hex quantity below 2^52 or an integer',
    );
    expect(refusal('primeorders_submitOrder', { ...order, price: 100 })).toContain(
      'order.price must be a hex quantity',
    );
    expect(refusal('primeorders_submitOrder', { ...order, size: `0x1${'0'.repeat(32)}` })).toContain('below 2^128');
    expect(refusal('primeorders_submitOrder', { ...order, postonly: true })).toBe(
      'invalid params: order.postonly is not a known field',
    );
    expect(refusal('primeorders_submitOrder', { ...order, post_only: true, tif: 'ioc' })).toContain('order.post_only');
    expect(refusal('primeorders_submitOrder', 'order')).toBe('invalid params: order must be an order object');
  });

  it('ignores keys that web3.js adds to a call object', () => {
    const request = { to: sample.address, chain: 'mainnet', hardfork: 'london', networkId: 1, type: '0x2' };
    expect(parse('eth_call', request)[0]).toMatchObject({ to: sample.address, data: '0x' });
  });

  it('takes data and input of a call when they are equal, and refuses them when they differ', () => {
    expect(parse('eth_call', { data: '0xAB', input: '0xab' })[0]).toMatchObject({ data: '0xab' });
    expect(refusal('eth_call', { data: '0xab', input: '0xac' })).toContain('they differ');
  });

  it('refuses a call with two kinds of fees', () => {
    expect(refusal('eth_call', { gasPrice: '0x1', maxFeePerGas: '0x1' })).toContain('both gasPrice and');
    expect(refusal('eth_call', { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' })).toContain('maxFeePerGas (1)');
  });

  it('makes null among the alternatives of a topic accept anything', () => {
    const [filter] = parse('eth_getLogs', {
      topics: [null, [sample.hash, null], sample.hash],
      address: sample.address,
    });
    expect(filter).toMatchObject({ topics: [null, null, [sample.hash]], addresses: [sample.address] });
  });

  it('refuses a filter for a block and for a range at once', () => {
    expect(refusal('eth_getLogs', { blockHash: sample.hash, fromBlock: '0x1' })).toContain('cannot specify both');
  });

  it('takes a market id as hex and as number, from 1 to 2^32 - 1', () => {
    expect(parse('primeorders_getOrderBook', '0x7')).toEqual([7]);
    expect(parse('primeorders_getOrderBook', 7)).toEqual([7]);
    for (const id of ['0x0', '0x100000000', 0])
      expect(refusal('primeorders_getOrderBook', id)).toContain('marketId must be from 1');
  });
});
