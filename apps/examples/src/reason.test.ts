import { expect, it } from '@jest/globals';
import { BaseError, HttpRequestError, TransactionExecutionError } from 'viem';
import { reasonOf } from './reason.ts';

const url = 'http://127.0.0.1:8545';
const busy = new HttpRequestError({
  url,
  status: 503,
  body: { method: 'eth_estimateGas' },
  details: '{"code":-32005,"message":"eth_estimateGas is refused while the node is busy"}',
});

it.each([
  ['a node that is busy', busy, `${url} answers HTTP 503: ${busy.details}`],
  [
    'what viem wraps around it',
    new TransactionExecutionError(busy, { account: null }),
    `${url} answers HTTP 503: ${busy.details}`,
  ],
  [
    'a connection that is refused',
    new HttpRequestError({ url, details: 'fetch failed' }),
    `${url} does not answer: fetch failed`,
  ],
  ['anything else of viem', new BaseError('Some words.', { metaMessages: ['more'] }), 'Some words.'],
  ['an error with several lines', new Error('first\nsecond'), 'first'],
  ['what is no error', 'text', 'text'],
])('%s', (_, error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});
