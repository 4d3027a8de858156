import { describe, expect, it } from '@jest/globals';
import { forgetAgent, type Identity, recall, remember, storeAgent, storedAgent } from './identity.ts';

const network = {
  name: 'test',
  chainId: 7,
  isTest: true,
  hasOpenActions: true,
  emptyBlockIntervalMs: 1_000,
  startedMs: 5,
};
const address = `0x${'ab'.repeat(20)}` as const;
const agent = { owner: address, address, privateKey: `0x${'12'.repeat(32)}` as const, validUntilMs: 9 };
const wallet = {
  uuid: 'u',
  name: 'W',
  rdns: 'org.example',
  icon: null,
  provider: { request: () => Promise.resolve() },
};

function memoryOf() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

describe('who somebody is', () => {
  it.each([
    [
      { kind: 'test', address },
      { kind: 'test', address },
    ],
    [
      { kind: 'wallet', address, wallet },
      { kind: 'wallet', address, rdns: 'org.example' },
    ],
    [{ kind: 'agent', address, agent }, { kind: 'agent' }],
  ] as const)('is remembered: %#', (identity, kept) => {
    const memory = memoryOf();
    remember(memory, network, identity as Identity);
    expect(recall(memory, network)).toEqual(kept);
    expect([...memory.items.values()].join()).not.toContain(agent.privateKey);
    remember(memory, network, null);
    expect(recall(memory, network)).toBeNull();
  });

  it('is of one network: another beginning is another one', () => {
    const memory = memoryOf();
    remember(memory, network, { kind: 'test', address });
    storeAgent(memory, network, agent);
    const another = { ...network, startedMs: 6 };
    expect([recall(memory, another), storedAgent(memory, another)]).toEqual([null, null]);
  });

  it.each(['', 'x', '[]', 'null', '{"kind":"test"}', '{"kind":"wallet","address":"0x12"}', '{"kind":"other"}'])(
    'is nobody where %s is kept',
    (text) => {
      const memory = memoryOf();
      remember(memory, network, { kind: 'test', address });
      for (const key of memory.items.keys()) memory.items.set(key, text);
      expect(recall(memory, network)).toBeNull();
    },
  );
});

describe('an agent key', () => {
  it('is kept until it is forgotten', () => {
    const memory = memoryOf();
    storeAgent(memory, network, agent);
    expect(storedAgent(memory, network)).toEqual(agent);
    forgetAgent(memory, network);
    expect(memory.items.size).toBe(0);
  });

  it.each([{ privateKey: '0x12' }, { owner: 'x' }, { validUntilMs: '9' }])('that was spoiled is none: %p', (spoilt) => {
    const memory = memoryOf();
    storeAgent(memory, network, { ...agent, ...(spoilt as object) });
    expect(storedAgent(memory, network)).toBeNull();
  });
});
