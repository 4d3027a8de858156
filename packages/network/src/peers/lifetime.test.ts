import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Clock } from '@prime/engine';
import type { Hash, Height } from '@prime/primitives';
import { NetworkError } from '../errors.ts';
import { createNetwork } from './network.ts';
import { systemClock, TestNet, type TestNode, testOffer, testVote } from '../testing/harness.ts';

let net: TestNet;
beforeAll(async () => {
  net = await TestNet.create(3);
});
afterEach(() => net.close());

describe('life of a network', () => {
  it('16 validators on loopback that all start and dial at once become a full mesh, and say each thing once', async () => {
    const large = await TestNet.create(16);
    try {
      // Addresses are known to all before anybody listens behind them.
      const proxies = await Promise.all(large.identities.map((_, index) => large.proxy(index)));
      const peers = proxies.map(({ listed }) => listed);
      // One process carries out all handshakes: those that ran out of time would be made again, and take the time of the others.
      const patient = { connectTimeoutMs: 600_000, handshakeTimeoutMs: 600_000, deadAfterMs: 600_000 };
      // Without the spare's delay every pair dials from both ends.
      const limits = { reconnectMinMs: 1, ...patient };
      const nodes = await Promise.all(peers.map((_, index) => large.node(index, { peers, limits })));
      for (const [index, { endpoint }] of nodes.entries()) proxies[index]!.target = endpoint;
      // Which end dialled is chance; that both ends agree is not. A node's peers are asked for once a look: that is most of what a look costs.
      const directionsOf = ({ network }: TestNode) =>
        new Map(network.peerDetails().map(({ address, direction }) => [address, direction]));
      const isSettled = (): boolean => {
        const directions = nodes.map(directionsOf);
        return nodes.every(({ identity }, index) =>
          nodes.every((other, place) => {
            const pair = [directions[index]!.get(other.identity.address), directions[place]!.get(identity.address)];
            return place === index || (pair.includes('inbound') && pair.includes('outbound'));
          }),
        );
      };
      while (!isSettled()) await Promise.race(nodes.map(({ recorder }) => recorder.changed()));
      nodes[3]!.network.broadcast(testVote(11));
      for (const { recorder, identity } of nodes) if (identity !== nodes[3]!.identity) await recorder.next('message');
      expect(nodes.map(({ recorder }) => recorder.of('message').length).toSorted((a, b) => a - b)).toEqual([
        0,
        ...Array(15).fill(1),
      ]);
    } finally {
      await large.close();
    }
  });

  it('a ban that is lifted lets the dialer try again at once', async () => {
    const server = await net.node(1);
    const client = await net.node(0, { peers: [server.listed] });
    await client.recorder.next('connected');
    client.network.punish(server.identity.address, 'test');
    await client.recorder.next('disconnected');
    client.network.liftBan(server.identity.address);
    await client.recorder.until(() => client.recorder.of('connected').length === 2);
    expect(client.network.peers()).toHaveLength(1);
  });

  it('a peer that was started again at its address is found again, first after 100 ms', async () => {
    const delays: number[] = [];
    const clock: Clock = {
      ...systemClock,
      after(delayMs, callback) {
        delays.push(delayMs);
        return systemClock.after(delayMs, callback);
      },
    };
    const proxy = await net.proxy(1);
    const server = await net.node(1);
    proxy.target = server.endpoint;
    const client = await net.node(0, { peers: [proxy.listed], clock });
    await client.recorder.next('connected');
    delays.length = 0;
    await server.network.close();
    await client.recorder.next('disconnected');
    expect(delays).toContain(100);
    const again = await net.node(1);
    proxy.target = again.endpoint;
    await again.recorder.next('connected');
    await client.recorder.until(() => client.network.peers().length === 1);
    expect(client.recorder.all.map(({ kind }) => kind).filter((kind) => kind.startsWith('peer'))).toEqual([
      'peerConnected',
      'peerDisconnected',
      'peerConnected',
    ]);
  });

  it('waits between failed dials double up to the limit, with jitter from the given source', async () => {
    const delays: number[] = [];
    let enough: () => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      enough = resolve;
    });
    // Timers of the dialer fire at once; the others (5 s: the connect timeout) never.
    const clock: Clock = {
      ...systemClock,
      after(delayMs, callback) {
        if (delayMs === 5_001) return () => undefined;
        delays.push(delayMs);
        if (delays.length > 9) enough();
        else setImmediate(callback);
        return () => undefined;
      },
    };
    const gone = await net.node(1);
    await gone.network.close();
    const client = await net.node(0, {
      peers: [gone.listed],
      clock,
      random: () => 0,
      limits: { connectTimeoutMs: 5_001 },
    });
    await done;
    expect(client.recorder.of('refused')[0]!.error.detail).toEqual({
      code: 'NETWORK_CONNECTION_FAILED',
      reason: 'ECONNREFUSED',
    });
    expect(delays).toEqual([0, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]);
  });

  it('close says goodbye, ends everything, and may be called at any time and again', async () => {
    const server = await net.node(0);
    const client = await net.node(1, { peers: [server.listed] });
    await server.recorder.next('connected');
    await client.recorder.next('connected');
    const closing = server.network.close();
    expect(server.network.close()).toBe(closing);
    await closing;
    expect(server.network.peers()).toEqual([]);
    expect((await client.recorder.next('disconnected')).error.detail).toEqual({
      code: 'NETWORK_BYE',
      reason: 'closing',
    });
    await expect(server.network.start()).resolves.toEqual(server.endpoint);
  });

  it('closed before it was started, a network does not start', async () => {
    const identity = net.identities[0]!;
    const network = createNetwork(
      {
        listen: { host: '127.0.0.1', port: 0 },
        advertise: null,
        tls: identity.tls,
        identity: { address: identity.address, role: 'validator', signer: identity.signer, sign: identity.sign },
        chainId: 1,
        genesisHash: `0x${'00'.repeat(32)}` as Hash,
        protocol: () => testOffer,
        peers: [],
        signersOf: net.signersOf,
        provider: net.provider,
        headHeight: () => 0 as Height,
        clock: systemClock,
        random: () => 0,
        log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
      },
      {
        onMessage: () => undefined,
        onPeerConnected: () => undefined,
        onPeerDisconnected: () => undefined,
        onIdentityInUse: () => undefined,
      },
    );
    await network.close();
    await expect(network.start()).rejects.toMatchObject({ code: 'NETWORK_CLOSED' });
  });

  it('a port that is taken, and a key of another certificate, are typed errors', async () => {
    const server = await net.node(0);
    await expect(net.node(1, { listen: server.endpoint })).rejects.toMatchObject({ code: 'NETWORK_LISTEN_FAILED' });
    const [a, b] = [net.identities[0]!.tls, net.identities[1]!.tls];
    const mixed = { certificatePem: a.certificatePem, privateKeyPem: b.privateKeyPem };
    await expect(net.node(1, { tls: mixed })).rejects.toBeInstanceOf(NetworkError);
    await expect(net.node(1, { tls: { ...a, certificatePem: 'nothing' } })).rejects.toMatchObject({
      code: 'NETWORK_CERTIFICATE_INVALID',
    });
  });
});
