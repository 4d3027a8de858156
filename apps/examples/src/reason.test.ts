import { expect, it } from '@jest/globals';
import { BaseError, HttpRequestError, LimitExceededRpcError, RpcRequestError, TransactionExecutionError } from 'viem';
import { reasonOf } from './reason.ts';

const url = 'http://127.0.0.1:8545';
/** viem reads a refusal in its body, whatever the status is. */
const busy = new LimitExceededRpcError(
  new RpcRequestError({
    body: {},
    url,
    error: { code: -32_005, message: 'eth_call is refused while the node is busy' },
  }),
);
const page = new HttpRequestError({ url, status: 502, details: 'Bad Gateway' });

/** As viem has it of what fetch throws. */
const failing = (cause: Error): HttpRequestError =>
  new HttpRequestError({ url, cause: new TypeError('fetch failed', { cause }), details: 'fetch failed' });

it.each([
  ['a node that is busy', busy, 'Request exceeds defined limit. eth_call is refused while the node is busy'],
  ['a proxy without its node', page, `${url} answers HTTP 502: Bad Gateway`],
  [
    'what viem wraps around it',
    new TransactionExecutionError(page, { account: null }),
    `${url} answers HTTP 502: Bad Gateway`,
  ],
  ['a connection that ends', failing(new Error('other side closed')), `${url} does not answer: other side closed`],
  [
    'a connection that is refused by all addresses of a name',
    failing(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })),
    `${url} does not answer: ECONNREFUSED`,
  ],
  ['anything else of viem', new BaseError('Some words.', { metaMessages: ['more'] }), 'Some words.'],
  ['an error with several lines', new Error('first\nsecond'), 'first'],
  ['what is no error', 'text', 'text'],
])('%s', (_, error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});
