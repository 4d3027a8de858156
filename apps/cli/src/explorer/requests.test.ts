import { describe, expect, it } from '@jest/globals';
import { acceptedCodings, hasTag, namesFile, readPath } from './requests.ts';

describe('the path of a request', () => {
  it.each([
    ['/', '/'],
    ['/?rpc=http://a', '/'],
    ['/market/ETH-USD', '/market/ETH-USD'],
    ['/market/', '/market/'],
    ['/market/%E2%82%AC-USD?x#y', '/market/€-USD'],
    ['/assets/app-abcdefgh.js', '/assets/app-abcdefgh.js'],
    ['/a%20b', '/a b'],
    ['/..a/b..', '/..a/b..'],
  ])('%s is %s', (target, path) => {
    expect(readPath(target)).toBe(path);
  });

  it.each([
    '',
    '*',
    'http://127.0.0.1/',
    'index.html',
    '//evil.example',
    '/a//b',
    '/.',
    '/..',
    '/../etc/passwd',
    '/a/../b',
    '/a/./b',
    '/%2e%2e/etc/passwd',
    '/%2E%2e/x',
    '/.%2e/x',
    '/a%2fb',
    '/..%2f..%2fetc/passwd',
    '/..%5c..%5cx',
    '/a\\b',
    '/%',
    '/%zz',
    '/%c0%ae%c0%ae/x',
    '/%ff',
    '/a%00.js',
    '/a%0d%0aX: y',
    '/%7f',
    '/%252e%252e/x',
  ])('%s is none', (target) => {
    expect(readPath(target)).toBeNull();
  });

  it.each([
    ['/', false],
    ['/tx/0x00', false],
    ['/a.b/c', true],
    ['/.git/config', true],
    ['/favicon.ico', true],
    ['/a/b.js', true],
    ['/a.', true],
  ])('%s names a file: %s', (path, isFile) => {
    expect(namesFile(path)).toBe(isFile);
  });
});

describe('what a client takes', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['identity', []],
    ['gzip', ['gzip']],
    ['gzip, deflate, br, zstd', ['br', 'gzip']],
    ['GZIP;q=0.5 , BR;q=1', ['br', 'gzip']],
    ['br;q=0, gzip', ['gzip']],
    ['br; q=0.000, *', ['gzip']],
    ['*', ['br', 'gzip']],
    ['*;q=0', []],
    ['brotli, xgzip', []],
    ['constructor', []],
  ])('Accept-Encoding: %s is %j', (header, expected) => {
    expect(acceptedCodings(header)).toEqual(expected);
  });

  it.each([
    [undefined, false],
    ['', false],
    ['"a"', true],
    ['W/"a"', true],
    ['"b", W/"a"', true],
    ['*', true],
    ['"b"', false],
    ['a', false],
    ['"a-br"', false],
  ])('If-None-Match: %s against "a" is %s', (header, expected) => {
    expect(hasTag(header, '"a"')).toBe(expected);
  });
});
