import { describe, expect, it } from '@jest/globals';
import { type ViolationTarget, watchPolicy } from './policy.ts';

type Listener = Parameters<ViolationTarget['addEventListener']>[1];

function watched() {
  const listeners: Listener[] = [];
  const forbidden = watchPolicy({ addEventListener: (_, listener) => listeners.push(listener) });
  const violate = (effectiveDirective: string, blockedURI: string): void => {
    for (const listener of listeners) listener({ effectiveDirective, blockedURI });
  };
  return { forbidden, violate };
}

describe('what the policy of the pages forbids', () => {
  it('is known by the origin of the node, over HTTP and WebSocket', () => {
    const { forbidden, violate } = watched();
    expect([...forbidden.value]).toEqual([]);
    violate('connect-src', 'https://node:8545/path');
    violate('connect-src', 'wss://node:8545/path');
    violate('connect-src', 'ws://other/');
    expect([...forbidden.value]).toEqual(['https://node:8545', 'http://other']);
  });

  it('is the same value until there is another origin', () => {
    const { forbidden, violate } = watched();
    violate('connect-src', 'http://a');
    const before = forbidden.value;
    violate('connect-src', 'http://a/again');
    expect(forbidden.value).toBe(before);
  });

  it.each([
    ['img-src', 'http://a'],
    ['connect-src', ''],
    ['connect-src', 'eval'],
  ])('says nothing of a node with %s and "%s"', (directive, uri) => {
    const { forbidden, violate } = watched();
    violate(directive, uri);
    expect(forbidden.value.size).toBe(0);
  });
});
