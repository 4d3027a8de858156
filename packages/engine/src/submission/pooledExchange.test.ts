import { describe, expect, it } from '@jest/globals';
import { keccakHex } from '@prime/crypto';
import { type Address, type Hash, utf8ToBytes } from '@prime/primitives';
import { createPooledExchange, type PooledKind } from './pooledExchange.ts';
import type { PeerMessage, PooledHashes } from '../ports.ts';

const peers = ['aa', 'bb'].map((byte) => `0x${byte.repeat(20)}` as Address) as [Address, Address];
const hashes = (count: number, name = ''): Hash[] =>
  Array.from({ length: count }, (_, index) => keccakHex(utf8ToBytes(`${name}${index}`)));
const told = (transactions: readonly Hash[], actions: readonly Hash[] = []): PooledHashes => ({
  kind: 'pooledHashes',
  transactions,
  actions,
});

/** An exchange of a node that has some transactions and no actions. */
function open(have: ReadonlyMap<Hash, Uint8Array> = new Map(), room = 8_192) {
  let nowMs = 0;
  const sent: (PeerMessage & { readonly to: Address })[] = [];
  const transactions: PooledKind = {
    isKnown: (hash) => have.has(hash),
    bytes: (hash) => have.get(hash) ?? null,
    room: () => room,
  };
  const exchange = createPooledExchange({
    transactions,
    actions: { isKnown: () => false, bytes: () => null, room: () => room },
    clock: { monotonicMs: () => nowMs },
    send: (to, message) => sent.push({ to, ...message }),
  });
  const asked = (): number =>
    sent.reduce(
      (sum, message) =>
        message.kind === 'pooledRequest' ? sum + message.transactions.length + message.actions.length : sum,
      0,
    );
  return {
    exchange,
    sent,
    asked,
    wait: (ms: number): void => {
      nowMs += ms;
    },
  };
}

describe('hashes that a peer tells', () => {
  it('what is known is not asked for, and is given back; the rest is asked of who told, of both kinds at once', () => {
    const [known, unknown, action] = hashes(3) as [Hash, Hash, Hash];
    const { exchange, sent } = open(new Map([[known, Uint8Array.of(1)]]));
    expect(exchange.onHashes(peers[0], told([known, unknown], [action]))).toEqual(told([known]));
    expect(sent).toEqual([{ to: peers[0], kind: 'pooledRequest', transactions: [unknown], actions: [action] }]);
    expect(exchange.onHashes(peers[0], told([known]))).toEqual(told([known]));
    expect(sent).toHaveLength(1);
  });

  it('of several peers that tell the same the first is asked; another one once that had its time', () => {
    const { exchange, sent, wait } = open();
    const [hash] = hashes(1) as [Hash];
    exchange.onHashes(peers[0], told([hash, hash]));
    exchange.onHashes(peers[1], told([hash]));
    wait(999);
    exchange.onHashes(peers[1], told([hash]));
    expect(sent).toEqual([{ to: peers[0], kind: 'pooledRequest', transactions: [hash], actions: [] }]);
    wait(2_001);
    exchange.onHashes(peers[1], told([hash]));
    expect(sent.at(-1)).toMatchObject({ to: peers[1], transactions: [hash] });
  });

  it.each([
    [1_999, [1_999]],
    [2_000, [2_000]],
    [2_001, [2_000, 1]],
  ])('%i that are missing are asked for in messages that fit a frame: %j', (count, sizes) => {
    const { exchange, sent } = open();
    exchange.onHashes(peers[0], told(hashes(count)));
    expect(sent.map((message) => (message.kind === 'pooledRequest' ? message.transactions.length : 0))).toEqual(sizes);
  });

  it.each([
    [9, 9],
    [10, 10],
    [11, 10],
  ])('%i that are missing where 10 can wait for their check: %i are asked for', (count, wanted) => {
    const { exchange, asked } = open(new Map(), 10);
    exchange.onHashes(peers[0], told(hashes(count)));
    expect(asked()).toBe(wanted);
  });

  it('one peer may have this node ask for 10 000 in a second, which leaves the others theirs', () => {
    const { exchange, asked, wait } = open(new Map(), 20_000);
    exchange.onHashes(peers[0], told(hashes(9_999)));
    expect(asked()).toBe(9_999);
    exchange.onHashes(peers[0], told(hashes(2, 'more')));
    expect(asked()).toBe(10_000);
    exchange.onHashes(peers[1], told(hashes(5, 'others')));
    expect(asked()).toBe(10_005);
    wait(1_000);
    exchange.onHashes(peers[0], told(hashes(2, 'later')));
    expect(asked()).toBe(10_007);
  });
});

describe('what a peer asks for', () => {
  const request = (transactions: readonly Hash[]) => ({ kind: 'pooledRequest', transactions, actions: [] }) as const;

  it('gets what is here, and nothing is sent for what is not', () => {
    const [here, gone] = hashes(2) as [Hash, Hash];
    const { exchange, sent } = open(new Map([[here, Uint8Array.of(7)]]));
    exchange.onRequest(peers[0], request([gone, here]));
    exchange.onRequest(peers[0], request([gone]));
    expect(sent).toEqual([{ to: peers[0], kind: 'transactions', raws: [Uint8Array.of(7)] }]);
  });

  it('a MiB in an answer, eight answers in a second', () => {
    const names = hashes(3);
    const half = new Uint8Array(1 << 19);
    const { exchange, sent, wait } = open(new Map(names.map((hash) => [hash, half])));
    exchange.onRequest(peers[0], request(names));
    expect(sent).toHaveLength(2);
    for (let times = 2; times <= 9; times++) exchange.onRequest(peers[0], request(names.slice(0, 1)));
    expect(sent).toHaveLength(2 + 7);
    exchange.onRequest(peers[1], request(names.slice(0, 1)));
    wait(1_000);
    exchange.onRequest(peers[0], request(names.slice(0, 1)));
    expect(sent).toHaveLength(2 + 7 + 2);
  });
});
