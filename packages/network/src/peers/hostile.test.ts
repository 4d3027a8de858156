import { connect as connectTcp, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { PeerMessage } from '@prime/engine';
import type { Hash, Height } from '@prime/primitives';
import fc from 'fast-check';
import { encodeFrame, type FrameName, frameKinds } from '../wire/frame.ts';
import { encodeMessage } from '../wire/messages.ts';
import type { NetworkOptions } from '../options.ts';
import { HandClock, type RawPeer, TestNet, type TestNode, testVote } from '../testing/harness.ts';

/** What a live node does with a peer that is connected, known, and hostile. */

let net: TestNet;
beforeAll(async () => {
  net = await TestNet.create(4);
});
afterEach(() => net.close());

async function joined(server: TestNode, index = 1): Promise<RawPeer> {
  const identity = net.identities[index]!;
  server.network.liftBan(identity.address);
  const before = server.recorder.of('connected').length;
  const peer = await net.raw(server, identity);
  peer.write(peer.hello());
  await server.recorder.until(() => server.recorder.of('connected').length > before);
  return peer;
}

const hash = `0x${'cd'.repeat(32)}` as Hash;
const real: readonly PeerMessage[] = [
  testVote(3),
  { kind: 'voteCertificate', votes: [testVote(3).vote, testVote(4).vote] },
  { kind: 'status', height: 4 as Height, round: 0 as never, head: 3 as Height, base: 1 as Height },
  { kind: 'bodiesRequest', blockHash: hash, hashes: [hash, hash] },
  { kind: 'bodies', blockHash: hash, transactions: [new Uint8Array(50).fill(1)], actions: [] },
  { kind: 'transactions', raws: [new Uint8Array(90).fill(2), new Uint8Array(3)] },
  { kind: 'blocksRequest', requestId: 7, from: 1 as Height, count: 64 },
  { kind: 'headersRequest', requestId: 8, from: 1 as Height, count: 64 },
  { kind: 'chunkRequest', requestId: 9, snapshot: hash, height: 10 as Height, index: 0 },
];
const frames = real.map((message) => encodeMessage(message)[0]!.bytes);

describe('a stream of real frames with wrong bytes in it', () => {
  it('ends with a ban or is taken as what it says, and the other peers notice nothing', async () => {
    const server = await net.node(0);
    const witness = await net.node(3, { peers: [server.listed] });
    await witness.recorder.next('connected');
    const change = fc.record({ at: fc.nat(), by: fc.integer({ min: 1, max: 255 }), cut: fc.boolean() });
    const stream = fc.record({
      order: fc.array(fc.nat(frames.length - 1), { minLength: 1, maxLength: 12 }),
      changes: fc.array(change, { minLength: 1, maxLength: 4 }),
    });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(stream, async ({ order, changes }) => {
        const peer = await joined(server);
        const bytes = Array.from(Buffer.concat(order.map((index) => frames[index]!)));
        for (const { at, by, cut } of changes) {
          if (cut) bytes.splice(at % bytes.length, 1);
          else bytes[at % bytes.length]! ^= by;
          if (bytes.length === 0) bytes.push(0);
        }
        const before = server.recorder.of('disconnected').length;
        peer.write(Uint8Array.from(bytes));
        // A frame that is cut short waits for its rest: these bytes end the stream either way.
        peer.socket.end();
        await server.recorder.until(() => server.recorder.of('disconnected').length > before);
        expect([
          'NETWORK_FRAME_TOO_LARGE',
          'NETWORK_FRAME_MALFORMED',
          'NETWORK_MESSAGE_MALFORMED',
          'NETWORK_HELLO_UNEXPECTED',
          'NETWORK_CONNECTION_FAILED',
          'NETWORK_BYE',
        ]).toContain(server.recorder.of('disconnected').at(-1)!.error.code);
        round += 1;
        witness.network.broadcast(testVote(1_000 + round));
        const isIt = (event: { readonly message: PeerMessage }): boolean =>
          event.message.kind === 'vote' && event.message.vote.height === 1_000 + round;
        await server.recorder.next('message', isIt);
      }),
      { numRuns: 40 },
    );
    expect(server.network.peers().map(({ address }) => address)).toEqual([net.identities[3]!.address]);
  });

  it.each(Object.keys(frameKinds) as FrameName[])(
    '%s that announces a byte too many: gone before the bytes come',
    async (name) => {
      const server = await net.node(0);
      const peer = await joined(server);
      const header = encodeFrame(name, new Uint8Array(0)).bytes;
      new DataView(header.buffer).setUint32(0, frameKinds[name].payloadBytesMax + 3);
      peer.write(header);
      expect((await server.recorder.next('disconnected')).error.code).toBe('NETWORK_FRAME_TOO_LARGE');
      expect(server.network.bans()).toHaveLength(1);
      await peer.closed;
    },
  );
});

describe('more than a channel takes', () => {
  it.each<[string, PeerMessage, Partial<NetworkOptions>['limits']]>([
    ['bodies', { kind: 'bodiesRequest', blockHash: hash, hashes: [hash] }, {}],
    ['sync', { kind: 'blocksRequest', requestId: 7, from: 1 as Height, count: 64 }, {}],
  ])('%s: reading pauses, nothing is lost, and the peer stays', async (channel, message) => {
    const { rates } = (await import('../limits.ts')).defaultLimits;
    const rate = { framesPerSecond: 100, bytesPerSecond: 1 << 20 };
    const server = await net.node(0, { limits: { rates: { ...rates, [channel]: rate } } });
    const peer = await joined(server);
    const { bytes } = encodeMessage(message)[0]!;
    peer.write(Buffer.concat(Array.from({ length: 150 }, () => bytes)));
    await server.recorder.until(() => server.recorder.of('message').length === 150);
    expect(server.network.metrics().pauses).toBeGreaterThan(0);
    expect(server.network.peers()).toHaveLength(1);
  });

  it('a bytes-per-second bound counts as well as frames do', async () => {
    const { rates } = (await import('../limits.ts')).defaultLimits;
    const rate = { framesPerSecond: 10_000, bytesPerSecond: 60_000 };
    const server = await net.node(0, { limits: { rates: { ...rates, bodies: rate } } });
    const peer = await joined(server);
    const large: PeerMessage = { kind: 'bodies', blockHash: hash, transactions: [new Uint8Array(40_000)], actions: [] };
    const { bytes } = encodeMessage(large)[0]!;
    peer.write(Buffer.concat([bytes, bytes, bytes]));
    await server.recorder.until(() => server.recorder.of('message').length === 3);
    expect(server.network.metrics().pauses).toBeGreaterThan(0);
  });
});

describe('recorded bytes', () => {
  it('of a whole connection are worth nothing when they are sent again: TLS refuses them, nobody is let in', async () => {
    const server = await net.node(0);
    const sent: Buffer[] = [];
    const sockets: Socket[] = [];
    const tap = createServer((inner) => {
      const outer = connectTcp(server.endpoint);
      sockets.push(inner, outer);
      for (const socket of [inner, outer]) socket.on('error', () => undefined);
      inner.on('data', (bytes: Buffer) => sent.push(bytes));
      inner.pipe(outer).pipe(inner);
    });
    try {
      await new Promise<void>((resolve) => tap.listen(0, '127.0.0.1', resolve));
      const { port } = tap.address() as AddressInfo;
      const client = await net.node(1, { peers: [{ ...server.listed, port }] });
      await client.recorder.next('connected');
      client.network.broadcast(testVote(5));
      await server.recorder.next('message');
      await client.network.close();
      const replay = connectTcp(server.endpoint);
      sockets.push(replay);
      replay.on('error', () => undefined);
      replay.write(Buffer.concat(sent));
      const { error } = await server.recorder.next('refused', ({ direction }) => direction === 'inbound');
      expect(['NETWORK_TLS_REFUSED', 'NETWORK_HANDSHAKE_TIMEOUT']).toContain(error.code);
      expect(server.recorder.of('message')).toHaveLength(1);
      expect(server.recorder.of('connected')).toHaveLength(1);
    } finally {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => tap.close(resolve));
    }
  });
});

describe('a flood of connections that never say who they are', () => {
  it('takes no more places than there are, and a peer that is known gets in when they time out', async () => {
    const clock = new HandClock();
    const server = await net.node(0, { limits: { unauthenticatedMax: 4, handshakeTimeoutMs: 300 }, clock });
    const sockets = Array.from({ length: 20 }, () => connectTcp(server.endpoint));
    for (const socket of sockets) socket.on('error', () => undefined);
    const limited = (): number =>
      server.recorder.of('refused').filter(({ error }) => error.code === 'NETWORK_INBOUND_LIMIT').length;
    await server.recorder.until(() => limited() >= 16);
    clock.advance(300);
    const timedOut = (): number =>
      server.recorder.of('refused').filter(({ error }) => error.code === 'NETWORK_HANDSHAKE_TIMEOUT').length;
    await server.recorder.until(() => timedOut() === 4);
    for (const socket of sockets) socket.destroy();
    await net.node(1, { peers: [server.listed] });
    expect((await server.recorder.next('connected')).peer.address).toBe(net.identities[1]!.address);
  });
});
