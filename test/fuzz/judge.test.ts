import { describe, expect, it } from '@jest/globals';
import { faultOf, faultOfResult } from './judge.ts';

const answer = (body: string, status = 200) => ({ status, contentType: 'application/json', body });

describe('judge of the fuzzer', () => {
  it.each([
    '{"jsonrpc":"2.0","id":1,"result":null}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}',
    '[{"jsonrpc":"2.0","id":"x","result":{}},{"jsonrpc":"2.0","id":2,"error":{"code":3,"message":"x"}}]',
    '',
  ])('%s may be answered', (body) => {
    expect(faultOf(answer(body))).toBeNull();
  });

  it.each([
    '<html>',
    'null',
    '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":"x"}}',
    '{"jsonrpc":"2.0","id":{},"result":1}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"internal error"}}',
    '[{"jsonrpc":"2.0","id":1,"result":1},{"id":2,"result":1}]',
  ])('%s may not', (body) => {
    expect(faultOf(answer(body))).not.toBeNull();
  });

  it('nor a status of a server that fell over', () => {
    expect(faultOf(answer('{}', 500))).toBe('status 500');
  });

  it('a result must have the documented shape', () => {
    const request = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
    expect(faultOfResult(request, answer('{"jsonrpc":"2.0","id":1,"result":"0x1"}'))).toBeNull();
    expect(faultOfResult(request, answer('{"jsonrpc":"2.0","id":1,"result":1}'))).toContain('another shape');
    expect(faultOfResult('nonsense', answer('{"jsonrpc":"2.0","id":1,"result":1}'))).toBeNull();
  });
});
