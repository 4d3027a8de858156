import { describe, expect, it } from '@jest/globals';
import { marketSlug, parsePath, pathOf, type Route } from './routes.ts';

const hash = `0x${'ab'.repeat(32)}` as const;
const address = `0x${'cd'.repeat(20)}` as const;

const pages: readonly (readonly [path: string, route: Route])[] = [
  ['/', { page: 'home' }],
  ['/block/0', { page: 'block', block: '0' }],
  ['/block/9999999999999999999', { page: 'block', block: '9999999999999999999' }],
  [`/block/${hash}`, { page: 'block', block: hash }],
  [`/tx/${hash}`, { page: 'transaction', hash }],
  [`/address/${address}`, { page: 'address', address }],
  [`/validator/${address}`, { page: 'validator', address }],
  ['/market/ETH-USD', { page: 'market', market: 'ETH-USD' }],
  ['/market/%3Cb%3E', { page: 'market', market: '<b>' }],
  ['/validators', { page: 'validators' }],
  ['/bridge', { page: 'bridge' }],
  ['/risk', { page: 'risk' }],
  ['/events', { page: 'events' }],
  ['/network', { page: 'network' }],
  ['/developer', { page: 'developer' }],
];

describe('addresses of the explorer', () => {
  it.each(pages)('%s is a page, and the path of it', (path, route) => {
    expect(parsePath(path)).toEqual(route);
    expect(pathOf(route)).toBe(path);
  });

  it('are found in other spellings: capitals, slashes at the end', () => {
    expect(parsePath(`/address/0x${'CD'.repeat(20)}/`)).toEqual({ page: 'address', address });
    expect(parsePath('//validators//')).toEqual({ page: 'validators' });
    expect(parsePath('/market/ETH%2FUSD')).toEqual({ page: 'market', market: marketSlug('ETH/USD') });
  });

  it.each([
    ['/block', 'number'],
    ['/block/-1', 'number'],
    ['/block/01', 'number'],
    ['/block/10000000000000000000', 'number'],
    ['/block/0xab', 'hash'],
    [`/tx/${hash}0`, 'hash'],
    [`/tx/${hash.slice(0, -1)}`, 'hash'],
    [`/address/${address}0`, '40 hex digits'],
    [`/market/${'a'.repeat(65)}`, 'as long'],
    ['/block/1/2', 'so many parts'],
    ['/constructor', 'no page of this name'],
    ['/validators/1', 'no page of this name'],
    ['/%E0%A4%A', 'no page of this name'],
  ])('%s is none, and why is told', (path, reason) => {
    expect(parsePath(path)).toEqual({ page: 'unknown', path, reason: expect.stringContaining(reason) });
    expect(pathOf(parsePath(path))).toBe(path);
  });

  it('a name of 64 letters is still one of a market', () => {
    expect(parsePath(`/market/${'a'.repeat(64)}`)).toMatchObject({ page: 'market' });
  });
});
