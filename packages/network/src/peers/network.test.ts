import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { PeerMessage } from '@prime/engine';
import type { Hash, Height } from '@prime/primitives';
import type { BanRecord } from './banList.ts';
import { encodeFrame } from '../wire/frame.ts';
import { defaultLimits } from '../limits.ts';
import { encodeMessage } from '../wire/messages.ts';
import type { NetworkOptions } from '../options.ts';
import { HandClock, type RawPeer, systemClock, TestNet, type TestNode, testVote } from '../testing/harness.ts';

let net: TestNet;
beforeAll(async () => {
  net = await TestNet.create(3);
});
afterEach(() => net.close());

/** A connected and authenticated peer that then does what it likes. */
async function joined(server: TestNode, index = 1): Promise<RawPeer> {
  const peer = await net.raw(server, net.identities[index]!);
  peer.write(peer.hello());
  await server.recorder.next('connected', (event) => event.peer.address === net.identities[index]!.address);
  return peer;
}

const gossip = (size: number): PeerMessage => ({ kind: 'transactions', raws: [new Uint8Array(size)] });
const rates = (changes: Partial<typeof defaultLimits.rates>): Partial<NetworkOptions> => ({
  limits: { rates: { ...defaultLimits.rates, ...changes } },
});

describe('peers that break rules', () => {
  it.each<[string, Uint8Array, string]>([
    ['an oversize length', Uint8Array.of(255, 255, 255, 255, 1, 1), 'NETWORK_FRAME_TOO_LARGE'],
    ['an unknown channel', Uint8Array.of(0, 0, 0, 2, 9, 1), 'NETWORK_FRAME_MALFORMED'],
    ['a malformed vote', encodeFrame('vote', Uint8Array.of(0xc1, 0x80)).bytes, 'NETWORK_MESSAGE_MALFORMED'],
  ])('%s: the connection closes, the peer is banned and can not come back', async (_, bytes, code) => {
    const server = await net.node(0);
    const peer = await joined(server);
    peer.write(bytes);
    expect((await server.recorder.next('disconnected')).error.code).toBe(code);
    await peer.closed;
    const again = await net.raw(server, net.identities[1]!);
    again.write(again.hello());
    expect((await server.recorder.next('refused')).error.code).toBe('NETWORK_BANNED');
    server.network.liftBan(net.identities[1]!.address);
    await joined(server);
  });

  it('a flood of pings ends in a ban', async () => {
    const server = await net.node(0);
    const peer = await joined(server);
    const ping = encodeFrame('ping', new Uint8Array(4)).bytes;
    for (let index = 0; index < 100; index++) peer.write(ping);
    expect((await server.recorder.next('disconnected')).error.code).toBe('NETWORK_FLOOD');
    expect(server.network.bans()).toHaveLength(1);
  });

  it('gossip above the rate is dropped unread while votes pass', async () => {
    const server = await net.node(0, {
      ...rates({ transactions: { framesPerSecond: 5, bytesPerSecond: 1 << 20 } }),
      // Stands still, so that no token comes in however slow the machine is.
      clock: { ...systemClock, monotonicMs: () => 1 },
    });
    const peer = await joined(server);
    // Bytes that would be malformed: nobody decodes what is dropped.
    const frames = Array.from({ length: 50 }, (_, index) =>
      index < 5 ? encodeMessage(gossip(10))[0]!.bytes : encodeFrame('transactions', Uint8Array.of(0x80)).bytes,
    );
    peer.write(Buffer.concat([...frames, encodeMessage(testVote(9))[0]!.bytes]));
    await server.recorder.next('message', ({ message }) => message.kind === 'vote');
    expect(server.recorder.of('message').filter(({ message }) => message.kind === 'transactions')).toHaveLength(5);
    expect(server.network.metrics().dropped.rate).toBe(45);
  });

  it('votes above the rate are slowed down and none is lost', async () => {
    const server = await net.node(0, rates({ consensus: { framesPerSecond: 200, bytesPerSecond: 1 << 20 } }));
    const peer = await joined(server);
    const heights = Array.from({ length: 300 }, (_, index) => index + 1);
    peer.write(Buffer.concat(heights.map((height) => encodeMessage(testVote(height))[0]!.bytes)));
    await server.recorder.until(() => server.recorder.of('message').length === heights.length);
    expect(server.recorder.of('message').map(({ message }) => message.kind === 'vote' && message.vote.height)).toEqual(
      heights,
    );
    expect(server.network.metrics().pauses).toBeGreaterThan(0);
  });

  it('blocks that were not asked for are dropped unread, one answer per request passes', async () => {
    const server = await net.node(0);
    const peer = await joined(server);
    const answer = encodeMessage({ kind: 'blocks', requestId: 1, blocks: [] })[0]!.bytes;
    peer.write(answer);
    await server.recorder.next('dropped', ({ reason }) => reason === 'unsolicited');
    server.network.send(net.identities[1]!.address, {
      kind: 'blocksRequest',
      requestId: 1,
      from: 1 as Height,
      count: 64,
    });
    peer.write(Buffer.concat([answer, answer]));
    await server.recorder.until(() => server.recorder.of('dropped').length === 2);
    expect(server.recorder.of('message').map(({ message }) => message.kind)).toEqual(['blocks']);
  });

  it('punished by the engine: gone, banned, and the ban is stored', async () => {
    const stored: (readonly BanRecord[])[] = [];
    const bans = { load: async () => [], save: async (records: readonly BanRecord[]) => void stored.push(records) };
    const server = await net.node(0, { bans });
    await joined(server);
    const { address } = net.identities[1]!;
    server.network.punish(address, 'invalid vote signature');
    expect((await server.recorder.next('disconnected')).error.code).toBe('NETWORK_PUNISHED');
    expect(server.network.peers()).toEqual([]);
    expect(server.network.send(address, testVote(1))).toBe(false);
    await server.network.close();
    expect(stored.at(-1)).toMatchObject([{ address, reason: 'invalid vote signature', offences: 1 }]);
    const next = await net.node(0, { bans: { ...bans, load: async () => stored.at(-1)! } });
    const back = await net.raw(next, net.identities[1]!);
    back.write(back.hello());
    expect((await next.recorder.next('refused')).error.code).toBe('NETWORK_BANNED');
  });
});

describe('the operator', () => {
  it('bans a connected peer: it is gone at once, can not come back, and may again when the ban is lifted', async () => {
    const stored: (readonly BanRecord[])[] = [];
    const bans = { load: async () => [], save: async (records: readonly BanRecord[]) => void stored.push(records) };
    const server = await net.node(0, { bans });
    const peer = await joined(server);
    const { address } = net.identities[1]!;
    expect(server.network.peerDetails()).toMatchObject([{ address, offences: 0, queueBytes: 0 }]);
    const record = server.network.ban(address, 'asked to', 90 * 24 * 3_600_000);
    expect(await server.network.bansStored()).toBe(true);
    expect(server.network.peers()).toEqual([]);
    expect((await server.recorder.next('disconnected')).error.code).toBe('NETWORK_BANNED');
    await peer.closed;
    const again = await net.raw(server, net.identities[1]!);
    again.write(again.hello());
    expect((await server.recorder.next('refused')).error.code).toBe('NETWORK_BANNED');
    expect(server.network.bans()).toEqual([record]);
    server.network.liftBan(address);
    await joined(server);
    await server.network.close();
    expect(stored[0]).toEqual([record]);
    expect(stored.at(-1)).toEqual([]);
  });

  it('bans a peer that is dialled for longer than a timer can last: nobody dials it, and no timer is as long', async () => {
    const waits: number[] = [];
    const clock = new HandClock();
    const after = (delayMs: number, callback: () => void): (() => void) => {
      waits.push(delayMs);
      return clock.after(delayMs, callback);
    };
    const server = await net.node(0);
    const client = await net.node(1, {
      peers: [server.listed],
      clock: { nowMs: clock.nowMs, monotonicMs: clock.monotonicMs, after },
    });
    client.network.ban(server.identity.address, 'asked to', 300 * 24 * 3_600_000);
    for (let hours = 0; hours < 48; hours++) clock.advance(3_600_000);
    expect(client.network.metrics().dials).toBe(0);
    expect(Math.max(...waits)).toBeLessThan(2 ** 31);
  });

  it('adds a peer: it is dialled, and let in where only listed ones are', async () => {
    const server = await net.node(0, { acceptUnknownFollowers: false });
    const client = await net.node(1, { limits: { reconnectMinMs: 1 } });
    server.network.list(client.listed);
    expect((await server.recorder.next('connected')).peer).toMatchObject({
      address: client.identity.address,
      listed: true,
    });
    expect(server.network.peerDetails()).toMatchObject([{ direction: 'outbound', pinned: true }]);
    // What the chain tells later does not take it away.
    server.network.follow([]);
    expect(server.network.peers()).toHaveLength(1);
  });
});

describe('slow peers', () => {
  it('that read nothing: gossip is dropped, and when they read again the votes overtake the gossip that waits', async () => {
    const server = await net.node(0, { limits: { sendQueueBytesMax: 1 << 20 } });
    const peer = await joined(server);
    const { address } = net.identities[1]!;
    peer.socket.pause();
    // Fill the kernel's buffers, then the queue: from then on every frame waits in the own queue.
    while (server.network.send(address, gossip(120_000))) await new Promise((resolve) => setImmediate(resolve));
    expect(server.recorder.of('dropped').at(-1)).toMatchObject({ frame: 'transactions', reason: 'queue' });
    const votes = Array.from({ length: 200 }, (_, index) => testVote(index + 1));
    expect(votes.map((vote) => server.network.send(address, vote))).toEqual(votes.map(() => true));
    const before = peer.frames.filter(({ name }) => name === 'transactions').length;
    peer.socket.resume();
    const seen = (): number => peer.frames.filter(({ name }) => name === 'vote').length;
    while (seen() < votes.length) await new Promise((resolve) => peer.socket.once('data', resolve));
    const names = peer.frames.map(({ name }) => name);
    // Behind the votes is still gossip that was queued before them.
    const gossipAfterVotes = (): number =>
      peer.frames.slice(names.lastIndexOf('vote')).filter(({ name }) => name === 'transactions').length;
    while (gossipAfterVotes() === 0) await new Promise((resolve) => peer.socket.once('data', resolve));
    expect(peer.frames.length).toBeGreaterThan(before);
    const payloads = peer.frames.filter(({ name }) => name === 'vote').map(({ payload }) => Buffer.from(payload));
    expect(payloads).toEqual(votes.map((vote) => Buffer.from(encodeMessage(vote)[0]!.bytes.subarray(6))));
  });

  it('that take too few votes are disconnected, without a ban', async () => {
    const server = await net.node(0, { limits: { sendQueueBytesMax: 64 * 1024 } });
    const peer = await joined(server);
    const { address } = net.identities[1]!;
    peer.socket.pause();
    const many: PeerMessage = {
      kind: 'voteCertificate',
      votes: Array.from({ length: 300 }, (_, index) => testVote(index + 1).vote),
    };
    while (server.network.send(address, many)) await new Promise((resolve) => setImmediate(resolve));
    expect((await server.recorder.next('disconnected')).error.code).toBe('NETWORK_QUEUE_OVERFLOW');
    expect(server.network.bans()).toEqual([]);
  });

  it('that the engine finds too slow are disconnected and refused, for half a minute the first time', async () => {
    const server = await net.node(0);
    const peer = await joined(server);
    const { address } = net.identities[1]!;
    const beforeMs = Date.now();
    server.network.punish(address, 'kept requests waiting', 'slow');
    expect((await server.recorder.next('disconnected')).error.message).toMatch(/too slow: kept requests waiting/);
    await peer.closed;
    const [ban] = server.network.bans();
    expect(ban).toMatchObject({ address, reason: 'kept requests waiting' });
    expect(ban!.untilMs).toBeGreaterThanOrEqual(beforeMs + 30_000);
    expect(ban!.untilMs).toBeLessThanOrEqual(Date.now() + 30_000);
    const again = await net.raw(server, net.identities[1]!);
    again.write(again.hello());
    expect((await server.recorder.next('refused')).error.code).toBe('NETWORK_BANNED');
  });

  it('that say nothing are pinged and then given up', async () => {
    const server = await net.node(0, { limits: { pingIntervalMs: 30, deadAfterMs: 100 } });
    await joined(server);
    expect((await server.recorder.next('disconnected')).error.detail).toMatchObject({
      code: 'NETWORK_PEER_DEAD',
      reason: 'silent',
    });
    // The Hello, and at least one ping.
    expect(server.network.metrics().sent.control.frames).toBeGreaterThan(1);
  });

  it('that talk but read nothing are given up as well', async () => {
    const server = await net.node(0, { limits: { pingIntervalMs: 50, deadAfterMs: 300 } });
    const peer = await joined(server);
    peer.socket.pause();
    const talk = setInterval(() => peer.socket.writable && peer.write(encodeMessage(testVote(1))[0]!.bytes), 20);
    while (server.network.send(net.identities[1]!.address, gossip(120_000)))
      await new Promise((resolve) => setImmediate(resolve));
    expect((await server.recorder.next('disconnected')).error.detail).toMatchObject({
      code: 'NETWORK_PEER_DEAD',
      reason: 'stalled',
    });
    clearInterval(talk);
  });

  it('that answer pings live on, and their round trip is known', async () => {
    const clock = new HandClock();
    const rates = { ...defaultLimits.rates, control: { framesPerSecond: 10_000, bytesPerSecond: 1 << 20 } };
    const options = { limits: { reconnectMinMs: 1, pingIntervalMs: 50, deadAfterMs: 200, rates }, clock };
    const server = await net.node(0, options);
    const client = await net.node(1, { ...options, peers: [server.listed] });
    // It dials.
    clock.advance(1);
    await client.recorder.next('connected');
    await server.recorder.next('connected');
    const heard = ({ network }: TestNode): number => network.metrics().received.control.frames;
    for (let round = 0; round < 20; round++) {
      const before = [heard(server), heard(client)];
      clock.advance(50);
      // A question of the other one, and the answer to the own.
      while (heard(server) < before[0]! + 2 || heard(client) < before[1]! + 2)
        await new Promise((resolve) => setImmediate(resolve));
    }
    expect([...client.recorder.of('disconnected'), ...server.recorder.of('disconnected')]).toEqual([]);
    expect(client.network.peerDetails()[0]!.rttMs).not.toBeNull();
  });
});

describe('sending', () => {
  it('messages that are sent together leave by priority, and the engine gets them in that order', async () => {
    const server = await net.node(0);
    const client = await net.node(1, { peers: [server.listed] });
    await client.recorder.next('connected');
    const { address } = server.identity;
    await server.recorder.next('connected');
    client.network.send(address, gossip(100_000));
    client.network.send(address, { kind: 'actions', raws: [] });
    client.network.send(address, {
      kind: 'bodies',
      blockHash: `0x${'00'.repeat(32)}` as Hash,
      transactions: [],
      actions: [],
    });
    client.network.send(address, testVote(1));
    await server.recorder.until(() => server.recorder.of('message').length === 4);
    expect(server.recorder.of('message').map(({ message }) => message.kind)).toEqual([
      'vote',
      'bodies',
      'transactions',
      'actions',
    ]);
  });

  it('a vote overtakes gossip that was handed over before it, also when the peer reads fast', async () => {
    const server = await net.node(0);
    const client = await net.node(1, { peers: [server.listed] });
    await client.recorder.next('connected');
    for (let index = 0; index < 40; index++) client.network.send(server.identity.address, gossip(120_000));
    // The first write has been made when this goes on.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    client.network.send(server.identity.address, testVote(1));
    await server.recorder.until(() => server.recorder.of('message').length === 41);
    expect(server.recorder.of('message').findIndex(({ message }) => message.kind === 'vote')).toBeLessThan(3);
  });

  it('a broadcast reaches all peers, and bytes and messages are counted per channel on both ends', async () => {
    const hub = await net.node(0);
    const leaves = [await net.node(1, { peers: [hub.listed] }), await net.node(2, { peers: [hub.listed] })];
    await hub.recorder.until(() => hub.network.peers().length === 2);
    hub.network.broadcast(testVote(3));
    hub.network.broadcast(gossip(1_000));
    for (const leaf of leaves) await leaf.recorder.until(() => leaf.recorder.of('message').length === 2);
    const size = encodeMessage(testVote(3))[0]!.bytes.length;
    expect(hub.network.metrics().sent.consensus).toEqual({ frames: 2, bytes: 2 * size });
    expect(leaves[0]!.network.metrics().received.consensus).toEqual({ frames: 1, bytes: size });
    expect(leaves[1]!.network.metrics().received.transactions.frames).toBe(1);
    expect(hub.network.metrics()).toMatchObject({ peers: 2, queueBytes: 0 });
  });

  it('what does not fit a frame is counted and lost, and nothing is thrown', async () => {
    const server = await net.node(0);
    await joined(server);
    expect(server.network.send(net.identities[1]!.address, gossip(200_000))).toBe(false);
    expect(server.network.metrics().dropped.oversize).toBe(1);
    expect(server.network.peers()).toHaveLength(1);
  });
});
