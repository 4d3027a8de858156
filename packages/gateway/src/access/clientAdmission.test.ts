import { describe, expect, it } from '@jest/globals';
import { definitions, type MethodDefinition, type RequestContext, type Surface } from '@prime/rpc';
import { ApiKeys } from './apiKeys.ts';
import { ClientAdmission } from './clientAdmission.ts';
import type { LoadLevel } from './loadMonitor.ts';

const method = (name: string): MethodDefinition => definitions.find((definition) => definition.name === name)!;
const from = (address: string, surface: Surface = 'public'): RequestContext => ({
  surface,
  transport: 'http',
  client: { id: `address:${address}`, apiKey: null, address },
});

function admission({ level = 'normal', clientsMax = 10 }: { level?: LoadLevel; clientsMax?: number } = {}) {
  let nowMs = 0;
  const target = new ClientAdmission({
    keys: new ApiKeys([]),
    grants: [],
    limits: { requestsPerSecond: 1, burst: 2, concurrency: 0 },
    load: { level: () => level, busyDelayMs: 7, overloadDelayMs: 9 },
    clientsMax,
    now: () => nowMs,
  });
  /** Code of the refusal, or null. */
  const ask = (request: RequestContext, name = 'eth_chainId'): string | null => {
    try {
      target.enter(method(name), request);
      target.leave(request);
      return null;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  return { ask, wait: (ms: number) => (nowMs += ms) };
}

describe('ClientAdmission', () => {
  it('a busy node: heavy calls are refused, light ones and the operator are served', () => {
    const { ask } = admission({ level: 'busy' });
    expect(ask(from('a'), 'eth_call')).toBe('RPC_OVERLOADED');
    expect(ask(from('a'), 'eth_getLogs')).toBe('RPC_OVERLOADED');
    expect(ask(from('a'), 'eth_blockNumber')).toBeNull();
    expect(ask(from('a', 'operator'), 'eth_call')).toBeNull();
  });

  it('an overloaded node: on a WebSocket everything is refused but the operator', () => {
    const { ask } = admission({ level: 'overloaded' });
    expect(ask({ ...from('a'), transport: 'webSocket' })).toBe('RPC_OVERLOADED');
    expect(ask({ ...from('a', 'operator'), transport: 'webSocket' })).toBeNull();
  });

  it('a refusal for load takes nothing of the rate', () => {
    const { ask } = admission({ level: 'busy' });
    for (let round = 0; round < 5; round++) ask(from('a'), 'eth_call');
    expect([ask(from('a')), ask(from('a')), ask(from('a'))]).toEqual([null, null, 'RPC_RATE_LIMITED']);
  });

  it('the operator at this machine has no rate, and takes none of another one', () => {
    const { ask } = admission();
    for (let round = 0; round < 5; round++) expect(ask(from('a', 'operator'))).toBeNull();
    expect([ask(from('a')), ask(from('a')), ask(from('a'))]).toEqual([null, null, 'RPC_RATE_LIMITED']);
  });

  it('as many clients as it remembers, and one more: the longest silent one begins anew', () => {
    for (const [others, expected] of [
      [['b'], 'RPC_RATE_LIMITED'],
      [['b', 'c'], null],
    ] as const) {
      const { ask } = admission({ clientsMax: 2 });
      for (const _ of [1, 2]) expect(ask(from('a'))).toBeNull();
      for (const other of others) expect(ask(from(other))).toBeNull();
      expect(ask(from('a'))).toBe(expected);
    }
  });

  it('more clients than it remembers: idle ones are forgotten before those that are limited now', () => {
    const { ask, wait } = admission({ clientsMax: 2 });
    for (let round = 0; round < 3; round++) ask(from('greedy'));
    wait(100);
    ask(from('other'));
    wait(1_000);
    expect(ask(from('third'))).toBeNull();
    // The greedy one got one token back in the meantime, and no more.
    expect([ask(from('greedy')), ask(from('greedy'))]).toEqual([null, 'RPC_RATE_LIMITED']);
  });
});
