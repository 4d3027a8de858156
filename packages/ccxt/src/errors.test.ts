import { describe, expect, it } from '@jest/globals';
import {
  InvalidPriceError,
  LimitExceededError,
  OutcomeUnknownError,
  RefusalError,
  refusalKinds,
  StreamError,
} from '@prime/sdk';
import { HttpRequestError, RpcRequestError, TimeoutError, UnknownRpcError } from 'viem';
import { exceptionNameOf, exceptionOfRefusal, isPassing, toCcxtError } from './errors.ts';
import { exceptionNames } from './library.ts';
import { fakeCcxt } from './testing/fakeCcxt.ts';

const refusal = (kind: string): RefusalError => new RefusalError({ kind, message: 'no', data: {}, hash: null });

/** As viem throws what a node answered to a method of Ethereum. */
const answered = (code: number): UnknownRpcError =>
  new UnknownRpcError(new RpcRequestError({ body: {}, error: { code, message: 'no' }, url: 'http://node.invalid' }));

describe('exceptions', () => {
  it('there is one of ccxt for every reason to refuse', () => {
    expect(Object.keys(exceptionOfRefusal).toSorted()).toEqual(refusalKinds.toSorted());
    expect(Object.values(exceptionOfRefusal).filter((name) => !exceptionNames.includes(name))).toEqual([]);
  });

  it.each([
    ['insufficient_margin', 'InsufficientFunds'],
    ['order_filled', 'OrderNotFound'],
    ['post_only', 'OrderImmediatelyFillable'],
    ['of_a_later_node', 'OperationRejected'],
  ])('a refusal for %s is %s', (kind, name) => {
    expect(exceptionNameOf(refusal(kind))).toBe(name);
  });

  const failure = { code: -32005, message: 'busy', data: { limit: 'requests' }, cause: new Error('429') };
  it.each([
    ['a limit', new LimitExceededError(failure), 'RateLimitExceeded'],
    ['an unknown outcome', new OutcomeUnknownError({ hash: '0x01', raw: null }), 'RequestTimeout'],
    [
      'a book of the wrong checksum',
      new StreamError('no', { code: 'STREAM_CHECKSUM_WRONG', marketId: 1, blockNumber: 1n, expected: '', actual: '' }),
      'ChecksumError',
    ],
    ['closed streams', new StreamError('no', { code: 'STREAM_CLOSED' }), 'ExchangeClosedByUser'],
    ['a connection that broke', new HttpRequestError({ url: 'http://node.invalid' }), 'NetworkError'],
    ['a late answer', new TimeoutError({ body: {}, url: 'http://node.invalid' }), 'RequestTimeout'],
    ['a bug', new TypeError('undefined is not a function'), null],
    ...(
      [
        [-32602, 'BadRequest'],
        [-32601, 'NotSupported'],
        [-32001, 'AuthenticationError'],
        [-32004, 'PermissionDenied'],
        [-32005, 'RateLimitExceeded'],
        [4444, 'BadRequest'],
        [-32000, 'ExchangeError'],
      ] as const
    ).map(([code, name]) => [`what viem was answered with ${code}`, answered(code), name] as const),
  ])('%s is %s', (_what, thrown, name) => {
    expect(exceptionNameOf(thrown)).toBe(name);
  });

  it('says who and what, with the original as its cause', () => {
    const thrown = refusal('insufficient_margin');
    const error = toCcxtError(fakeCcxt, 'prime', thrown) as Error;
    expect(error).toBeInstanceOf(fakeCcxt.InsufficientFunds);
    expect([error.message, error.cause]).toEqual(['prime Refused: no.', thrown]);
  });

  it('what nearest prices there are is kept', () => {
    const nearest = { below: 5n, above: 10n };
    const thrown = new InvalidPriceError({
      value: '0.07',
      symbol: 'ETH/USD',
      step: '0.05',
      nearest,
      nearestText: { below: '0.05', above: '0.1' },
    });
    expect(toCcxtError(fakeCcxt, 'prime', thrown)).toMatchObject({ cause: { nearest } });
  });

  it('one of ccxt stays what it is, also behind errors of viem', () => {
    const own = new fakeCcxt.ExchangeNotAvailable('prime 503');
    expect(toCcxtError(fakeCcxt, 'prime', own)).toBe(own);
    expect(toCcxtError(fakeCcxt, 'prime', new HttpRequestError({ url: 'http://node.invalid', cause: own }))).toBe(own);
  });

  it('an unknown outcome is told as such, whatever the last attempt failed with', () => {
    const own = new fakeCcxt.ExchangeNotAvailable('prime 503');
    const cause = new HttpRequestError({ url: 'http://node.invalid', cause: own });
    const error = toCcxtError(
      fakeCcxt,
      'prime',
      new OutcomeUnknownError({ hash: '0x01', raw: '0x50', cause }),
    ) as Error;
    expect(error).toBeInstanceOf(fakeCcxt.RequestTimeout);
    expect(error.message).toContain('fetchOrder tells');
  });

  it.each([
    ['a connection that broke', new HttpRequestError({ url: 'http://node.invalid' }), true],
    ['a busy node', new LimitExceededError(failure), true],
    ['ccxt out of reach', new fakeCcxt.NetworkError('prime fetch failed'), true],
    ['a refusal', refusal('unknown_market'), false],
    ['a bug', new TypeError('undefined is not a function'), false],
  ])('asking again may help against %s: %p', (_what, thrown, may) => {
    expect(isPassing(fakeCcxt, thrown)).toBe(may);
  });

  it('what nobody of them threw is not theirs', () => {
    const bug = new TypeError('undefined is not a function');
    expect(toCcxtError(fakeCcxt, 'prime', bug)).toBe(bug);
  });
});
