import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Address, Hash, Height } from '@prime/primitives';
import type { NetworkErrorCode } from '../errors.ts';
import { encodeFrame } from '../wire/frame.ts';
import { type Hello, networkVersion, transportKeyDigest } from '../wire/hello.ts';
import type { NetworkOptions } from '../options.ts';
import {
  chainId,
  genesisHash,
  HandClock,
  type RawPeer,
  TestNet,
  type TestNode,
  testOffer,
  testVote,
} from '../testing/harness.ts';
import { generateTlsIdentity } from './tlsIdentity.ts';

let net: TestNet;
beforeAll(async () => {
  net = await TestNet.create(4);
});
afterEach(() => net.close());

const handshakeTimeoutMs = 150;

const refusal = async (node: TestNode, direction: 'inbound' | 'outbound' = 'inbound') =>
  (await node.recorder.next('refused', (event) => event.direction === direction)).error.code;

describe('handshake between nodes', () => {
  it('four nodes that list each other become a full mesh with one connection per pair', async () => {
    const nodes: TestNode[] = [];
    for (const index of [0, 1, 2, 3])
      nodes.push(await net.node(index, { peers: nodes.map(({ listed }) => listed), dialPolicy: 'all' }));
    for (const { recorder, network } of nodes) await recorder.until(() => network.peers().length === 3);
    for (const { network, identity } of nodes) {
      const others = net.identities.map(({ address }) => address).filter((address) => address !== identity.address);
      expect(
        network
          .peers()
          .map(({ address }) => address)
          .toSorted(),
      ).toEqual(others);
      expect(network.peers().every(({ role }) => role === 'validator')).toBe(true);
      expect(network.peerDetails().every(({ height }) => height === 7)).toBe(true);
    }
    nodes[0]!.network.broadcast(testVote(5));
    for (const { recorder } of nodes.slice(1)) {
      const { from, message } = await recorder.next('message');
      expect(from).toBe(net.identities[0]!.address);
      expect(message).toEqual(testVote(5));
    }
  });

  it('nodes that dial each other at the same time keep exactly the connection that the lower address dialled', async () => {
    const proxies = [await net.proxy(0), await net.proxy(1)];
    const start = (index: number, other: number) =>
      // Without the spare's delay both dial at once.
      net.node(index, { limits: { reconnectMinMs: 1 }, peers: [proxies[other]!.listed] });
    const [low, high] = await Promise.all([start(0, 1), start(1, 0)]);
    proxies[0]!.target = low.endpoint;
    proxies[1]!.target = high.endpoint;
    const settled = ({ network }: TestNode, direction: string): boolean =>
      network.peerDetails().length === 1 && network.peerDetails()[0]!.direction === direction;
    await low.recorder.until(() => settled(low, 'outbound'));
    await high.recorder.until(() => settled(high, 'inbound'));
    low.network.broadcast(testVote(1));
    high.network.broadcast(testVote(2));
    expect((await high.recorder.next('message', ({ message }) => message.kind === 'vote')).message).toEqual(
      testVote(1),
    );
    expect((await low.recorder.next('message', ({ message }) => message.kind === 'vote')).message).toEqual(testVote(2));
  });

  it('a follower with its own key is taken by default, and refused where only listed peers may come', async () => {
    const key = net.identities[1]!;
    const follower: Partial<NetworkOptions> = {
      identity: { address: key.signer, role: 'full', signer: key.signer, sign: key.sign },
    };
    const open = await net.node(0);
    const shut = await net.node(2, { acceptUnknownFollowers: false });
    await net.node(1, { ...follower, peers: [open.listed, shut.listed] });
    const { peer } = await open.recorder.next('connected');
    expect(peer).toEqual({ address: key.signer, role: 'full', protocol: testOffer, listed: false });
    expect(await refusal(shut)).toBe('NETWORK_UNKNOWN_PEER');
  });

  it('the word of the hot key for a TLS key stands for its signature, and only together with that TLS key', async () => {
    const [key, other] = [net.identities[1]!, net.identities[2]!];
    const word = (spki: string): Uint8Array => key.sign(transportKeyDigest({ chainId, genesisHash, senderSpki: spki }));
    const showing = (spki: string): Partial<NetworkOptions> => ({
      identity: {
        address: key.address,
        role: 'validator',
        signer: key.signer,
        sign: () => {
          throw new Error('the key is not here');
        },
        credential: () => word(spki),
      },
    });
    const server = await net.node(0);
    const wrong = await net.node(1, { ...showing(other.tls.spki), peers: [server.listed] });
    expect(await refusal(server)).toBe('NETWORK_IDENTITY_INVALID');
    await wrong.network.close();
    await net.node(1, { ...showing(key.tls.spki), peers: [server.listed] });
    expect((await server.recorder.next('connected')).peer).toMatchObject({ address: key.address, role: 'validator' });
  });

  describe('of a node that is behind', () => {
    const behind = (registered: readonly Address[]): Partial<NetworkOptions> => ({
      headHeight: () => 3 as Height,
      signersOf: (address) => (address === net.identities[1]!.address ? registered : net.signersOf(address)),
    });
    const exchanged = (): readonly Address[] => [net.identities[2]!.signer];

    it.each([
      ['exchanged its hot key', exchanged],
      ['joined', () => []],
    ])('takes a listed validator that %s in a later block, and keeps it', async (_, registered) => {
      const ahead = await net.node(1);
      const late = await net.node(0, { ...behind(registered()), peers: [ahead.listed] });
      const { peer } = await late.recorder.next('connected');
      expect(peer).toMatchObject({ address: ahead.identity.address, role: 'validator' });
      late.network.follow([]);
      expect(late.network.peers()).toHaveLength(1);
    });

    it('refuses one that is not listed, and, once it is level, a listed one as well', async () => {
      const late = await net.node(0, behind(exchanged()));
      const ahead = await net.node(1, { peers: [late.listed] });
      expect(await refusal(late)).toBe('NETWORK_IDENTITY_INVALID');
      const level = { ...behind(exchanged()), headHeight: () => 7 as Height };
      const caughtUp = await net.node(2, { ...level, peers: [ahead.listed] });
      expect(await refusal(caughtUp, 'outbound')).toBe('NETWORK_IDENTITY_INVALID');
    });
  });

  it('followers share what listed peers leave free', async () => {
    const [listed, follower] = [net.identities[1]!, net.identities[2]!];
    const server = await net.node(0, {
      limits: { inboundMax: 1 },
      peers: [{ address: listed.address, spki: listed.tls.spki, host: '127.0.0.1', port: 1 }],
      dialPolicy: 'none',
    });
    const peer = await net.raw(server, follower);
    peer.write(peer.hello({ role: 'full', address: follower.signer }));
    expect(await refusal(server)).toBe('NETWORK_INBOUND_LIMIT');
    await net.node(1, { peers: [server.listed] });
    expect((await server.recorder.next('connected')).peer.address).toBe(listed.address);
  });

  it.each<[string, NetworkErrorCode, Partial<NetworkOptions>]>([
    ['chain', 'NETWORK_CHAIN_MISMATCH', { chainId: chainId + 1 }],
    ['genesis', 'NETWORK_GENESIS_MISMATCH', { genesisHash: `0x${'00'.repeat(32)}` as Hash }],
    ['protocol version', 'NETWORK_PROTOCOL_MISMATCH', { protocolVersion: networkVersion + 1 }],
  ])('nodes of another %s refuse each other', async (_, code, overrides) => {
    const server = await net.node(0);
    const client = await net.node(1, { ...overrides, peers: [server.listed] });
    expect([await refusal(server), await refusal(client, 'outbound')]).toContain(code);
    expect([...server.network.peers(), ...client.network.peers()]).toEqual([]);
  });

  it('a server whose key is not the pinned one is left before a Hello is sent to it', async () => {
    const server = await net.node(0);
    const client = await net.node(1, { peers: [{ ...server.listed, spki: `0x${'00'.repeat(32)}` }] });
    expect(await refusal(client, 'outbound')).toBe('NETWORK_PIN_MISMATCH');
    expect(server.recorder.of('connected')).toEqual([]);
  });

  it('pins may be configured in capitals', async () => {
    const server = await net.node(0);
    const spki = `0x${server.listed.spki.slice(2).toUpperCase()}`;
    const client = await net.node(1, { peers: [{ ...server.listed, spki }] });
    expect((await client.recorder.next('connected')).peer.address).toBe(server.identity.address);
  });

  it('a listed validator that comes with another key is refused, although its Hello is signed well', async () => {
    const known = net.identities[1]!;
    const server = await net.node(0, {
      peers: [{ address: known.address, spki: known.tls.spki, host: '127.0.0.1', port: 1 }],
      dialPolicy: 'none',
    });
    const peer = await net.raw(server, { ...known, tls: await generateTlsIdentity() });
    peer.write(peer.hello());
    expect(await refusal(server)).toBe('NETWORK_PIN_MISMATCH');
  });

  it('a node that dials itself notices', async () => {
    const server = await net.node(0);
    const peer = await net.raw(server, net.identities[0]!);
    expect(await refusal(server)).toBe('NETWORK_SELF');
    await peer.closed;
    // The same identity behind another certificate.
    const twin = await net.raw(server, { ...net.identities[0]!, tls: await generateTlsIdentity() });
    twin.write(twin.hello());
    await server.recorder.until(() => server.recorder.of('refused').length === 2);
    expect(server.recorder.of('refused')[1]!.error.code).toBe('NETWORK_SELF');
  });

  it('a second process of one identity: the older one, which lives, is kept, and the newer one is told', async () => {
    const server = await net.node(0);
    const older = await net.node(1, { peers: [server.listed] });
    await server.recorder.next('connected');
    const newer = await net.node(1, { peers: [server.listed] });
    expect((await newer.recorder.next('identityInUse')).peer.address).toBe(server.identity.address);
    await newer.recorder.next('peerDisconnected');
    expect((await server.recorder.next('refused')).error.code).toBe('NETWORK_IDENTITY_IN_USE');
    server.network.send(net.identities[1]!.address, testVote(5));
    await older.recorder.next('message');
    expect([server.recorder.of('disconnected'), older.recorder.of('disconnected')]).toEqual([[], []]);
    expect(older.recorder.of('identityInUse')).toEqual([]);
    expect(newer.recorder.of('message')).toEqual([]);
    // However often it comes.
    await newer.recorder.until(() => newer.recorder.of('identityInUse').length >= 4);
    expect(older.recorder.of('disconnected')).toEqual([]);
  });

  it('is taken once the older one is gone', async () => {
    const server = await net.node(0);
    const older = await net.node(1, { peers: [server.listed] });
    await server.recorder.next('connected');
    const newer = await net.node(1, { peers: [server.listed] });
    await newer.recorder.next('identityInUse');
    await older.network.close();
    await server.recorder.until(() => server.recorder.of('connected').length === 2);
    server.network.send(net.identities[1]!.address, testVote(5));
    expect((await newer.recorder.next('message')).message).toEqual(testVote(5));
  });

  it('a second connection of one process, in the same direction, replaces the first one', async () => {
    const server = await net.node(0);
    for (let attempt = 1; attempt <= 2; attempt++) {
      const peer = await net.raw(server, net.identities[1]!);
      peer.write(peer.hello());
      await server.recorder.until(() => server.recorder.of('connected').length === attempt);
    }
    expect(server.recorder.of('disconnected').map(({ error }) => error.code)).toEqual(['NETWORK_DUPLICATE']);
    expect(server.network.peers()).toHaveLength(1);
  });

  it('a restarted peer replaces the connection that its old run left behind, once that does not answer', async () => {
    const clock = new HandClock();
    const server = await net.node(0, { clock, limits: { handshakeTimeoutMs } });
    const first = await net.raw(server, net.identities[1]!);
    first.write(first.hello());
    await server.recorder.next('connected');
    const second = await net.node(1, { peers: [server.listed] });
    const asked = (): boolean => first.frames.some(({ name }) => name === 'ping');
    while (!asked()) await new Promise((resolve) => first.socket.once('data', resolve));
    // What it sends that is no answer does not count: it may have been on its way for long.
    first.write(encodeFrame('ping', new Uint8Array(4)).bytes);
    while (!first.frames.some(({ name }) => name === 'pong'))
      await new Promise((resolve) => first.socket.once('data', resolve));
    clock.advance(handshakeTimeoutMs);
    await first.closed;
    await server.recorder.until(() => server.recorder.of('connected').length === 2);
    expect(server.recorder.of('disconnected').map(({ error }) => error.code)).toEqual(['NETWORK_PEER_DEAD']);
    expect(second.recorder.of('identityInUse')).toEqual([]);
    expect(server.network.peers()).toHaveLength(1);
  });
});

describe('Hello', () => {
  it.each<[string, NetworkErrorCode, (peer: RawPeer) => Partial<Hello>]>([
    ['of another validator', 'NETWORK_IDENTITY_INVALID', () => ({ address: net.identities[2]!.address })],
    ['of an unknown validator', 'NETWORK_IDENTITY_INVALID', () => ({ address: `0x${'99'.repeat(20)}` as Address })],
    ['of a validator as a follower', 'NETWORK_IDENTITY_INVALID', () => ({ role: 'full' })],
    ['with a made up signature', 'NETWORK_IDENTITY_INVALID', () => ({ signature: new Uint8Array(65).fill(1) })],
  ])('%s is refused', async (_, code, changes) => {
    const server = await net.node(0);
    const peer = await net.raw(server, net.identities[1]!);
    peer.write(peer.hello(changes(peer)));
    expect(await refusal(server)).toBe(code);
    await peer.closed;
    expect(server.network.peers()).toEqual([]);
  });

  it('that was captured on one connection is worthless on another of the same pair', async () => {
    const server = await net.node(0);
    const first = await net.raw(server, net.identities[1]!);
    const captured = first.hello();
    first.write(captured);
    await server.recorder.next('connected');
    first.socket.destroy();
    await server.recorder.next('disconnected');
    const second = await net.raw(server, net.identities[1]!);
    second.write(captured);
    expect(await refusal(server)).toBe('NETWORK_IDENTITY_INVALID');
    expect(server.recorder.of('connected')).toHaveLength(1);
  });

  it.each<[string, NetworkErrorCode, () => Uint8Array]>([
    ['a vote', 'NETWORK_HELLO_UNEXPECTED', () => encodeFrame('vote', new Uint8Array(100)).bytes],
    ['a ping', 'NETWORK_HELLO_UNEXPECTED', () => encodeFrame('ping', new Uint8Array(4)).bytes],
    ['an HTTP request', 'NETWORK_FRAME_TOO_LARGE', () => Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a frame of nothing', 'NETWORK_FRAME_MALFORMED', () => new Uint8Array(6)],
    ['an unknown type', 'NETWORK_FRAME_MALFORMED', () => Uint8Array.of(0, 0, 0, 2, 0, 99)],
    ['a Hello without fields', 'NETWORK_MESSAGE_MALFORMED', () => encodeFrame('hello', Uint8Array.of(0xc0)).bytes],
    ['a huge Hello', 'NETWORK_FRAME_TOO_LARGE', () => Uint8Array.of(0, 0, 0x80, 0, 0, 1)],
  ])('%s in its place closes the connection without a ban', async (_, code, bytes) => {
    const server = await net.node(0);
    const peer = await net.raw(server, net.identities[1]!);
    peer.write(bytes());
    expect(await refusal(server)).toBe(code);
    await peer.closed;
    expect(server.network.bans()).toEqual([]);
  });

  it('that does not come in time ends the connection, also one byte at a time', async () => {
    const clock = new HandClock();
    const server = await net.node(0, { limits: { handshakeTimeoutMs }, clock });
    const silent = await net.raw(server, net.identities[1]!);
    const slow = await net.raw(server, net.identities[2]!);
    const bytes = slow.hello();
    for (let sent = 0; sent < 10; sent++) {
      slow.write(bytes.subarray(sent, sent + 1));
      clock.advance(handshakeTimeoutMs / 10);
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all([silent.closed, slow.closed]);
    expect(server.recorder.of('refused').map(({ error }) => error.code)).toEqual([
      'NETWORK_HANDSHAKE_TIMEOUT',
      'NETWORK_HANDSHAKE_TIMEOUT',
    ]);
  });

  it('that comes twice bans the peer', async () => {
    const server = await net.node(0);
    const peer = await net.raw(server, net.identities[1]!);
    peer.write(peer.hello());
    peer.write(peer.hello());
    const { error } = await server.recorder.next('disconnected');
    expect(error.code).toBe('NETWORK_HELLO_UNEXPECTED');
    expect(server.network.bans().map(({ address }) => address)).toEqual([net.identities[1]!.address]);
  });
});
