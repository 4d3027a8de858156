import { describe, expect, it } from '@jest/globals';
import { operatorRequests } from './requests.ts';

const address = `0x${'aB'.repeat(20)}`;
const ban = { address, seconds: 60, reason: 'asked to' };
const peer = { address, host: 'node.example.org', port: 26_656, spki: `0x${'cd'.repeat(32)}` };

describe('requests of an operator', () => {
  it('are made from what a command sends; addresses in one way of writing', () => {
    expect(operatorRequests['/peers/ban']!(ban)).toEqual({ kind: 'ban', ...ban, address: address.toLowerCase() });
    expect(operatorRequests['/peers/unban']!({ address })).toEqual({ kind: 'unban', address: address.toLowerCase() });
    expect(operatorRequests['/peers/add']!(peer)).toEqual({ kind: 'addPeer', peer });
    for (const stamps of [0, 1, 4_194_304])
      expect(operatorRequests['/stages/keep']!({ stamps })).toEqual({ kind: 'stages', stamps });
    const log = operatorRequests['/log']!;
    expect(log({ level: 'debug' })).toEqual({ kind: 'logLevel', module: null, level: 'debug' });
    expect(log({ level: 'warn', module: 'consensus' })).toEqual({
      kind: 'logLevel',
      module: 'consensus',
      level: 'warn',
    });
  });

  it.each<[string, string, unknown]>([
    ['/peers/ban', 'address', null],
    ['/peers/ban', 'address', { ...ban, address: '0x12' }],
    ['/peers/ban', 'seconds', { ...ban, seconds: 0 }],
    ['/peers/ban', 'seconds', { ...ban, seconds: 1.5 }],
    ['/peers/ban', 'seconds', { ...ban, seconds: 366 * 24 * 3_600 + 1 }],
    ['/peers/ban', 'seconds', { ...ban, seconds: '60' }],
    ['/peers/ban', 'reason', { ...ban, reason: '' }],
    ['/peers/ban', 'reason', { ...ban, reason: 'x'.repeat(201) }],
    ['/peers/unban', 'address', [address]],
    ...[null, {}, [], { stamps: '1' }, { stamps: -1 }, { stamps: 1.5 }, { stamps: 4_194_305 }].map(
      (body): [string, string, unknown] => ['/stages/keep', 'stamps', body],
    ),
    ['/log', 'level', {}],
    ['/log', 'level', { level: 'loud' }],
    ['/log', 'module', { level: 'info', module: 5 }],
    ['/peers/add', 'peer', undefined],
    ['/peers/add', 'peer', { ...peer, port: 0 }],
    ['/peers/add', 'peer', { ...peer, spki: '0x' }],
    ['/peers/add', 'peer', { ...peer, more: 1 }],
  ])('%s without a good %s: OPERATOR_REQUEST_INVALID', (path, field, body) => {
    expect(() => operatorRequests[path]!(body)).toThrow(
      expect.objectContaining({
        code: 'OPERATOR_REQUEST_INVALID',
        detail: { code: 'OPERATOR_REQUEST_INVALID', field },
      }),
    );
  });
});
