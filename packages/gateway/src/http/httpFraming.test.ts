import { describe, expect, it } from '@jest/globals';
import { framingOf, misledUpgrade, upgradeFault } from './httpFraming.ts';

const framing = (...headers: readonly (readonly [string, string])[]) =>
  framingOf(
    [...headers.map(([name]) => name), 'content-length'],
    [...headers.map(([, value]) => value), 'behind the headers'],
    headers.length,
  );
const statusOf = (...headers: readonly (readonly [string, string])[]): string | undefined =>
  framing(...headers).fault?.status.slice(0, 3);

describe('where a request ends', () => {
  it.each([
    ['0', undefined],
    ['9'.repeat(15), undefined],
    ['9'.repeat(16), '400'],
    ['', '400'],
    ['+5', '400'],
    ['5, 5', '400'],
    ['0x5', '400'],
    [' 5', '400'],
  ])('Content-Length %j: %s', (value, status) => {
    expect(statusOf(['content-length', value])).toBe(status);
    if (status === undefined) expect(framing(['content-length', value]).contentLength).toBe(Number(value));
  });

  it.each([
    [['chunked'], undefined],
    [['CHUNKED'], undefined],
    [['gzip, chunked'], '501'],
    [['chunked', 'chunked'], '501'],
    [['identity'], '501'],
    [['chunked '], '501'],
  ])('Transfer-Encoding %j: %s', (values, status) => {
    const headers = values.map((value) => ['transfer-encoding', value] as const);
    expect(statusOf(...headers)).toBe(status);
    expect(framing(...headers).isChunked).toBe(true);
  });

  it.each([
    [
      'two lengths, also equal ones',
      [
        ['content-length', '5'],
        ['content-length', '5'],
      ],
      '400',
    ],
    [
      'two hosts',
      [
        ['host', 'a'],
        ['host', 'a'],
      ],
      '400',
    ],
    ['one host', [['host', 'a']], undefined],
    ['a trailer', [['trailer', 'x']], '501'],
    ['an expectation', [['expect', '100-continue']], undefined],
    ['another one', [['expect', '200-ok']], '417'],
  ] as const)('%s: %#', (_what, headers, status) => {
    expect(statusOf(...headers)).toBe(status);
  });

  it('the first fault is told', () => {
    expect(statusOf(['trailer', 'x'], ['content-length', 'x'])).toBe('501');
    expect(statusOf(['content-length', 'x'], ['trailer', 'x'])).toBe('400');
  });

  it('knows where the library sees an expectation or an end otherwise', () => {
    expect(framing(['expect', '100-continue']).awaitsContinue).toBe(false);
    expect(framing(['expect', '100-Continue']).awaitsContinue).toBe(true);
    const seen = (value: string): readonly boolean[] => {
      const { closes, closesByLibrary } = framing(['connection', value]);
      return [closes, closesByLibrary];
    };
    expect(['close', 'Close', 'x, close', 'other', 'keep-alive'].map(seen)).toEqual([
      [true, true],
      [true, true],
      [true, false],
      [false, true],
      [false, false],
    ]);
  });
});

describe('a request for a WebSocket', () => {
  const good: Readonly<Record<string, string>> = {
    upgrade: 'h2c, WebSocket',
    connection: 'keep-alive, Upgrade',
    'sec-websocket-version': '13',
    'sec-websocket-key': `${'A'.repeat(21)}A==`,
  };
  const fault = (changes: Readonly<Record<string, string>>): string | undefined =>
    upgradeFault((name) => ({ ...good, ...changes })[name] ?? '')?.status.slice(0, 3);

  it.each([
    [{}, undefined],
    [{ upgrade: 'websockets' }, '400'],
    [{ connection: 'close' }, '400'],
    [{ 'sec-websocket-version': '12' }, '426'],
    [{ 'sec-websocket-version': '14' }, '426'],
    [{ 'sec-websocket-key': `${'A'.repeat(20)}A==` }, '400'],
    [{ 'sec-websocket-key': `${'A'.repeat(22)}A==` }, '400'],
    [{ 'sec-websocket-key': `${'A'.repeat(21)}B==` }, '400'],
  ])('with %j: %s', (changes, status) => {
    expect(fault(changes)).toBe(status);
  });

  it('that the library has not taken for one is told what is wrong; others are not looked at', () => {
    const header = (name: string): string => ({ ...good, 'sec-websocket-key': 'short' })[name] ?? '';
    expect(misledUpgrade('GET', header)?.status).toBe('400 Bad Request');
    expect(misledUpgrade('POST', header)).toBeNull();
    expect(misledUpgrade('GET', () => '')).toBeNull();
  });
});
