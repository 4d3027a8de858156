import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { homePaths, parseGenesis } from '@prime/config';
import { type Genesis, genesisHash, type Vote } from '@prime/codec';
import { type CryptoProvider, cryptoProvider, publicKeyToAddress } from '@prime/crypto';
import type { PeerMessage } from '@prime/engine';
import { rpc } from '@prime/load/rpc';
import {
  dialRaw,
  generateTlsIdentity,
  helloFrame,
  messageFrames,
  networkVersion,
  type RawGreeting,
  spkiOf,
  type TlsIdentity,
} from '@prime/network';
import { type Address, bytesToHash, type Hash, type Height, type Round } from '@prime/primitives';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';

/** Outsiders at the p2p ports of two validators that need each other for every block: what they are kept to, and that nobody else notices. */

let testnet: Testnet;
let provider: CryptoProvider;
let genesis: Genesis;
let spkis: string[];
const sockets: Socket[] = [];
/** Of node 0; node 1 has the shorter deadline that networks have, and fewer places for one address. */
const longHandshakeMs = '60000';
const placesOfAddress = 6;

beforeAll(async () => {
  testnet = await createTestnet({
    validators: 2,
    // The height stands still where nobody works.
    idlePace: 'still',
    environmentOf: (index): Readonly<Record<string, string>> =>
      index === 0
        ? { PRIME_P2P_HANDSHAKE_MS: longHandshakeMs }
        : { PRIME_P2P_INBOUND_PER_LOOPBACK: `${placesOfAddress}` },
  });
  await testnet.startAll();
  provider = await cryptoProvider();
  genesis = parseGenesis(await readFile(homePaths(testnet.home(0)).genesis, 'utf8'));
  spkis = await Promise.all(
    [0, 1].map(async (node) => spkiOf(await readFile(homePaths(testnet.home(node)).tlsCertificate, 'utf8'))),
  );
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await testnet.destroy();
});

const endpoint = (node: number) => ({ host: '127.0.0.1', port: Number(new URL(testnet.url(node)).port) + 1 });
const { heightOf } = nodesOf(() => testnet);

interface Peers {
  readonly peers: readonly { readonly address: Address; readonly remote: string; readonly role: string }[];
  readonly bans: readonly { readonly address: Address; readonly untilMs: number; readonly reason: string }[];
}
const peersOf = async (node: number): Promise<Peers> =>
  (await (await fetch(`${testnet.adminUrl(node)}/peers`)).json()) as Peers;
const isPeer = async (node: number, address: Address): Promise<boolean> =>
  (await peersOf(node)).peers.some((peer) => peer.address === address);

/** The one connection that the two validators have. */
async function linkOf(node: number): Promise<string> {
  const found = await until('the validators are connected', async () => {
    const { peers } = await peersOf(node);
    return peers.find(({ role }) => role === 'validator') ?? null;
  });
  return `${found.address} ${found.remote}`;
}

let deposited = 0;
/** Both are needed for it. */
async function expectGoesOn(): Promise<void> {
  const account = '0x00000000000000000000000000000000000000d7';
  deposited += 1;
  const answer = await rpc(testnet.url(deposited % 2), 'primeorders_depositCollateral', [account, '0x1']);
  expect(answer).toMatchObject({ collateral: `0x${deposited.toString(16)}` });
}

/** Somebody with a key that nobody knows. */
class Outsider {
  readonly address: Address;
  readonly #key: Uint8Array;
  readonly #tls: TlsIdentity;

  private constructor(key: Uint8Array, tls: TlsIdentity) {
    this.address = publicKeyToAddress(provider.publicKey(key));
    this.#key = key;
    this.#tls = tls;
  }

  static async create(): Promise<Outsider> {
    return new Outsider(new Uint8Array(randomBytes(32)), await generateTlsIdentity());
  }

  greeting(node: number, claims: Partial<RawGreeting> = {}): RawGreeting {
    return {
      protocolVersion: networkVersion,
      protocol: { known: 1, upgrades: [] },
      chainId: genesis.chainId,
      genesisHash: genesisHash(genesis),
      role: 'full',
      address: this.address,
      senderSpki: this.#tls.spki,
      receiverSpki: spkis[node]!,
      sign: (digest) => provider.sign(digest, this.#key),
      ...claims,
    };
  }

  /** @returns null where it is turned away before TLS is done */
  tls(node: number): Promise<TLSSocket | null> {
    const socket = dialRaw(endpoint(node), this.#tls);
    sockets.push(socket);
    socket.resume();
    return new Promise((resolve) => {
      socket.once('secureConnect', () => resolve(socket));
      socket.once('close', () => resolve(null));
    });
  }

  async hello(node: number, claims: Partial<RawGreeting> = {}): Promise<TLSSocket> {
    const socket = await this.tls(node);
    if (socket === null) throw new Error('the connection was refused');
    socket.write(helloFrame(socket, this.greeting(node, claims)));
    return socket;
  }

  async join(node: number): Promise<TLSSocket> {
    const socket = await this.hello(node);
    await until('the outsider is a peer', () => isPeer(node, this.address));
    return socket;
  }
}

const closed = async (socket: Socket): Promise<void> => {
  if (!socket.closed) await once(socket, 'close');
};
function tcp(node: number): Promise<Socket> {
  const socket = connect(endpoint(node));
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.resume();
  return new Promise((resolve) => socket.once('connect', () => resolve(socket)));
}
const say = (socket: Socket, message: PeerMessage): void => {
  for (const frame of messageFrames(message)) socket.write(frame);
};
const rubbish = (): Hash => bytesToHash(new Uint8Array(randomBytes(32)));
const votes = (validator: Address, height: number, round = 0): Vote => ({
  type: 'prevote',
  height: height as Height,
  round: round as Round,
  blockHash: rubbish(),
  validator,
  signature: new Uint8Array(randomBytes(65)),
});

describe('who comes', () => {
  it('as itself is taken as a follower, and leaves again', async () => {
    const outsider = await Outsider.create();
    const socket = await outsider.join(0);
    expect((await peersOf(0)).peers.find(({ address }) => address === outsider.address)).toMatchObject({
      role: 'full',
    });
    socket.destroy();
    await until('it is gone', async () => !(await isPeer(0, outsider.address)));
  });

  it.each<[string, () => Partial<RawGreeting>]>([
    ['of another chain', () => ({ chainId: genesis.chainId + 1 })],
    ['of another genesis', () => ({ genesisHash: rubbish() })],
    ['with another version of the protocol', () => ({ protocolVersion: networkVersion + 1 })],
    ['in the name of a validator', () => ({ role: 'validator', address: genesis.validators[1]!.address })],
    ['in the name of a validator, as a follower', () => ({ address: genesis.validators[1]!.address })],
    ['in the name of the node itself', () => ({ role: 'validator', address: genesis.validators[0]!.address })],
    ['with a signature that is none', () => ({ sign: () => new Uint8Array(65).fill(1) })],
  ])('%s is turned away, and the one that it is not stays', async (_, claims) => {
    const link = await linkOf(0);
    const outsider = await Outsider.create();
    await closed(await outsider.hello(0, claims()));
    const { peers, bans } = await peersOf(0);
    expect(peers.map(({ address, remote }) => `${address} ${remote}`)).toEqual([link]);
    expect(bans).toEqual([]);
  });

  it('with the Hello of another connection is turned away', async () => {
    const outsider = await Outsider.create();
    const [first, second] = [(await outsider.tls(0))!, (await outsider.tls(0))!];
    second.write(helloFrame(first, outsider.greeting(0)));
    await closed(second);
    expect(await isPeer(0, outsider.address)).toBe(false);
    first.destroy();
  });
});

describe('who is in and breaks a rule', () => {
  const header = (length: number, channel: number, type: number): Uint8Array => {
    const bytes = new Uint8Array(6);
    new DataView(bytes.buffer).setUint32(0, length);
    return bytes.fill(channel, 4, 5).fill(type, 5, 6);
  };
  const known = (): Address => genesis.validators[1]!.address;
  const next = async (): Promise<number> => (await heightOf(0)) + 1;
  const evidence = (): PeerMessage => {
    const [first, second] = [votes(known(), 1), votes(known(), 1)].toSorted((a, b) =>
      a.blockHash! < b.blockHash! ? -1 : 1,
    ) as [Vote, Vote];
    return { kind: 'evidence', evidence: [{ kind: 'duplicateVote', first, second }] };
  };

  it.each<[string, (socket: Socket) => void | Promise<void>]>([
    ['a frame of 4 GiB', (socket) => void socket.write(header(0xff_ff_ff_ff, 1, 1))],
    ['a vote of a byte more than there may be', (socket) => void socket.write(header(64 * 1024 + 3, 1, 1))],
    ['an unknown channel', (socket) => void socket.write(header(2, 99, 1))],
    [
      'a thousand lists in each other',
      (socket) => void socket.write(Buffer.concat([header(1_002, 1, 1), Buffer.alloc(1_000, 0xc1)])),
    ],
    ['a second Hello', (socket) => void socket.write(header(2, 0, 1))],
    [
      'a hundred pings at once',
      (socket) =>
        void socket.write(
          Buffer.concat(Array.from({ length: 100 }, () => Buffer.from([0, 0, 0, 6, 0, 2, 0, 0, 0, 0]))),
        ),
    ],
    [
      'a vote that its validator did not sign',
      async (socket) => say(socket, { kind: 'vote', vote: votes(known(), await next()) }),
    ],
    [
      'a certificate of such votes',
      async (socket) => say(socket, { kind: 'voteCertificate', votes: [votes(known(), await next())] }),
    ],
    ['evidence that nobody signed', (socket) => say(socket, evidence())],
  ])('%s: gone, banned for an hour, and not let in again', async (_, offend) => {
    await expectGoesOn();
    const link = await linkOf(0);
    const outsider = await Outsider.create();
    const socket = await outsider.join(0);
    const before = Date.now();
    // Again and again: a vote is looked at while its height is in progress only, and a block may just be on its way.
    await until('it is gone', async () => {
      if (!socket.closed) await offend(socket);
      return socket.closed;
    });
    const { bans } = await peersOf(0);
    const ban = bans.find(({ address }) => address === outsider.address)!;
    const hourMs = 3_600_000;
    expect([ban.untilMs >= before + hourMs, ban.untilMs <= Date.now() + hourMs]).toEqual([true, true]);
    await closed(await outsider.hello(0));
    expect(await isPeer(0, outsider.address)).toBe(false);
    expect(await linkOf(0)).toBe(link);
    await expectGoesOn();
  });

  it('thousands of votes that are old, far ahead or of nobody: ignored, and the chain goes on', async () => {
    await expectGoesOn();
    const link = await linkOf(0);
    const outsider = await Outsider.create();
    const socket = await outsider.join(0);
    const height = await next();
    const nobody = (await Outsider.create()).address;
    for (let count = 0; count < 3_000; count++) {
      say(socket, { kind: 'vote', vote: votes(nobody, height, count) });
      say(socket, { kind: 'vote', vote: votes(known(), height + 100 + count) });
      say(socket, { kind: 'vote', vote: votes(known(), 1, count) });
    }
    // Frames are read in their order: an answer to this one says that all before it were.
    const answered = once(socket, 'data');
    say(socket, { kind: 'blocksRequest', requestId: 1, from: 1 as Height, count: 1 });
    await answered;
    await expectGoesOn();
    expect(await isPeer(0, outsider.address)).toBe(true);
    expect(await linkOf(0)).toBe(link);
    socket.destroy();
  });
});

describe('who only takes places', () => {
  it('sixteen that say nothing: nobody else gets in until one of them goes', async () => {
    const stalled = await Promise.all(Array.from({ length: 16 }, () => tcp(0)));
    const outsider = await Outsider.create();
    expect(await outsider.tls(0)).toBeNull();
    expect(stalled.map(({ closed: isClosed }) => isClosed)).toEqual(Array(16).fill(false));
    await expectGoesOn();
    stalled[0]!.destroy();
    const socket = await until('there is a place', () => outsider.tls(0));
    socket.write(helloFrame(socket, outsider.greeting(0)));
    await until('it is a peer', () => isPeer(0, outsider.address));
    for (const one of [...stalled, socket]) one.destroy();
  });

  it('who stalls before TLS, in it, or with a byte of a Hello is cut off, and gives its place back', async () => {
    const outsider = await Outsider.create();
    const [silent, begun] = await Promise.all([tcp(1), tcp(1)]);
    begun.write(Uint8Array.of(22, 3, 1, 2, 0, 1, 0, 1));
    const secured = (await outsider.tls(1))!;
    secured.write(helloFrame(secured, outsider.greeting(1)).subarray(0, 1));
    await Promise.all([silent, begun, secured].map(closed));
    const socket = await outsider.join(1);
    socket.destroy();
    await expectGoesOn();
  });

  it('from one address so many get in and no more, until one of them goes', async () => {
    const link = await linkOf(1);
    const inside: TLSSocket[] = [];
    for (let count = 0; count < 2 * placesOfAddress; count++) {
      const outsider = await Outsider.create();
      const socket = await outsider.tls(1);
      if (socket === null) break;
      socket.write(helloFrame(socket, outsider.greeting(1)));
      await until('it is a peer', () => isPeer(1, outsider.address));
      inside.push(socket);
    }
    // The other validator has a place as well, if it was the one that dialled; and so has who is just leaving.
    expect(inside.length).toBeGreaterThanOrEqual(placesOfAddress - 2);
    expect(inside.length).toBeLessThanOrEqual(placesOfAddress);
    expect(await linkOf(1)).toBe(link);
    inside[0]!.destroy();
    const late = await Outsider.create();
    const socket = await until('there is a place', () => late.tls(1));
    for (const one of [...inside, socket]) one.destroy();
    await expectGoesOn();
  });
});

describe('after all of it', () => {
  it('no validator banned the other one, and the bans of outsiders outlive kill -9', async () => {
    const before = await peersOf(0);
    const validators = genesis.validators.map(({ address }) => address);
    expect(before.bans.length).toBeGreaterThan(5);
    for (const node of [0, 1])
      expect((await peersOf(node)).bans.filter(({ address }) => validators.includes(address))).toEqual([]);
    await testnet.kill(0, 'SIGKILL');
    await testnet.start(0);
    expect((await peersOf(0)).bans).toEqual(before.bans);
    await linkOf(0);
    await expectGoesOn();
    const socket = await (await Outsider.create()).join(0);
    socket.destroy();
  });
});
