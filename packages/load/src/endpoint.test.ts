import { expect, it } from '@jest/globals';
import { endpointOf, requestWriter } from './endpoint.ts';

it.each([
  ['http://127.0.0.1:8545', { host: '127.0.0.1', port: 8545, isTls: false, path: '/', authority: '127.0.0.1:8545' }],
  ['http://node.example', { host: 'node.example', port: 80, isTls: false, path: '/', authority: 'node.example' }],
  ['https://node.example/v1?k=a', { port: 443, isTls: true, path: '/v1?k=a', authority: 'node.example' }],
  ['http://[::1]:9', { host: '::1', port: 9, authority: '[::1]:9' }],
  ['http://a:p%40ss@node.example', { authorization: `Basic ${Buffer.from('a:p@ss').toString('base64')}` }],
])('%s is an address', (url, expected) => {
  expect(endpointOf(url)).toMatchObject(expected);
});

it.each(['', 'localhost:8545', 'ws://127.0.0.1:8546', 'http://', '/x'])(
  '%j is none, and the words say what is',
  (url) => {
    let thrown: unknown;
    try {
      endpointOf(url);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'LOAD_URL_INVALID', message: expect.stringContaining('http://') });
  },
);

it('the length of a request is that of its bytes', () => {
  const write = requestWriter(endpointOf('http://u@127.0.0.1:1/x'));
  expect(write('{"é":1}').split('\r\n')).toEqual([
    'POST /x HTTP/1.1',
    'Host: 127.0.0.1:1',
    'Content-Type: application/json',
    'Accept: application/json',
    'User-Agent: prime-load',
    `Authorization: Basic ${Buffer.from('u:').toString('base64')}`,
    'Content-Length: 8',
    '',
    '{"é":1}',
  ]);
});
