import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Address, Hash } from '@prime/primitives';
import { NetworkError } from '../errors.ts';
import { HandClock, TestNet } from '../testing/harness.ts';
import { PeerTroubles } from './troubles.ts';

const peer = `0x${'0a'.repeat(20)}` as Address;
const outbound = { peer, remote: 'node-x:30303', direction: 'outbound' } as const;
const down = new NetworkError('can not reach node-x:30303: ENOTFOUND', {
  code: 'NETWORK_CONNECTION_FAILED',
  reason: 'ENOTFOUND',
});
const other = new NetworkError('peer has genesis 0x02, this node 0x01', {
  code: 'NETWORK_GENESIS_MISMATCH',
  expected: '0x01',
  actual: '0x02',
});

describe('what keeps peers from being connected', () => {
  function start() {
    const clock = new HandClock();
    const told: unknown[] = [];
    const troubles = new PeerTroubles(clock, { warn: (_words, fields) => told.push(fields?.['code']) });
    return { clock, told, troubles };
  }

  it('a mistake is told at once, a peer that is down after ten seconds, and both again after ten minutes', () => {
    const { clock, told, troubles } = start();
    troubles.add(outbound, down);
    clock.advance(9_999);
    troubles.add(outbound, down);
    expect(told).toEqual([]);
    clock.advance(1);
    troubles.add(outbound, down);
    troubles.add(outbound, down);
    expect(told).toEqual(['NETWORK_CONNECTION_FAILED']);
    troubles.add(outbound, other);
    clock.advance(599_999);
    troubles.add(outbound, other);
    expect(told).toHaveLength(2);
    clock.advance(1);
    troubles.add(outbound, other);
    expect(told.slice(1)).toEqual(['NETWORK_GENESIS_MISMATCH', 'NETWORK_GENESIS_MISMATCH']);
    expect(troubles.of(peer)).toEqual({ code: 'NETWORK_GENESIS_MISMATCH', reason: other.message, forMs: 600_000 });
    troubles.clear(peer);
    expect(troubles.of(peer)).toBeNull();
  });

  it('of strangers mistakes are told once per place, and what passes by itself is not', () => {
    const { told, troubles } = start();
    for (const port of [1, 2, 3]) {
      troubles.add({ peer: null, remote: `10.0.0.1:${port}`, direction: 'inbound' }, other);
      troubles.add({ peer: null, remote: `10.0.0.1:${port}`, direction: 'inbound' }, down);
    }
    troubles.add({ peer: null, remote: '10.0.0.2:1', direction: 'inbound' }, other);
    expect(told).toEqual(['NETWORK_GENESIS_MISMATCH', 'NETWORK_GENESIS_MISMATCH']);
  });
});

describe('a network with peers that are not connected', () => {
  let net: TestNet;
  beforeAll(async () => {
    net = await TestNet.create(2);
  });
  afterEach(() => net.close());

  it('of another genesis: both ends warn, and the dialler lists the peer with its last error', async () => {
    const told: string[] = [];
    const log = { debug: () => undefined, info: () => undefined, warn: (words: string) => void told.push(words) };
    const server = await net.node(0, { log });
    const client = await net.node(1, { log, genesisHash: `0x${'00'.repeat(32)}` as Hash, peers: [server.listed] });
    await client.recorder.next('refused', ({ direction }) => direction === 'outbound');
    await server.recorder.next('refused');
    expect(client.network.unconnected()).toMatchObject([
      { address: server.identity.address, port: server.endpoint.port },
    ]);
    expect(told).toContain('a peer can not be connected');
  });

  it('a place in brackets is an IPv6 address, as URLs write it', async () => {
    const server = await net.node(0, { listen: { host: '::1', port: 0 } });
    const client = await net.node(1, { peers: [{ ...server.listed, host: '[::1]' }] });
    expect((await client.recorder.next('connected')).peer.address).toBe(server.identity.address);
    expect(client.network.unconnected()).toEqual([]);
  });
});
