import { type AddressInfo, connect as connectTcp, createServer, type Server, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { TLSSocket } from 'node:tls';
import { type CryptoProvider, cryptoProvider, keccak256, publicKeyToAddress } from '@prime/crypto';
import type { Clock, Peer, PeerMessage, ProtocolOffer } from '@prime/engine';
import {
  type Address,
  bytesToAddress,
  createPrng,
  type Hash,
  type Height,
  type Round,
  utf8ToBytes,
} from '@prime/primitives';
import type { ListedPeer } from '../peers/dialer.ts';
import { type FrameName, FrameReader } from '../wire/frame.ts';
import { type Hello, networkVersion } from '../wire/hello.ts';
import { createNetwork } from '../peers/network.ts';
import type { Endpoint, Network, NetworkEvent, NetworkOptions } from '../options.ts';
import { dialRaw, helloFrame } from '../session/rawPeer.ts';
import { generateTlsIdentity, type TlsIdentity } from '../session/tlsIdentity.ts';

/** Networks on loopback for tests: real sockets and TLS, ports from the kernel, every wait is for an event. */

export const chainId = 4242;
export const genesisHash: Hash = `0x${'ab'.repeat(32)}` as Hash;

/** What the nodes of tests say about protocol versions. */
export const testOffer: ProtocolOffer = { known: 2, upgrades: [{ version: 2, height: 9 as Height }] };

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Time that passes when the test says so, whatever its machine is busy with: deadlines come after what they are a deadline for. */
export class HandClock implements Clock {
  #elapsedMs = 0;
  readonly #timers = new Set<{ readonly dueMs: number; readonly callback: () => void }>();

  nowMs = (): number => 1_700_000_000_000 + this.#elapsedMs;
  monotonicMs = (): number => this.#elapsedMs;

  after(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#elapsedMs + delayMs, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Time goes on; runs what is due then, the earliest first. */
  advance(byMs: number): void {
    this.#elapsedMs += byMs;
    const due = [...this.#timers].filter(({ dueMs }) => dueMs <= this.#elapsedMs).toSorted((a, b) => a.dueMs - b.dueMs);
    for (const timer of due) if (this.#timers.delete(timer)) timer.callback();
  }
}

export interface TestIdentity {
  readonly address: Address;
  readonly signer: Address;
  readonly sign: (digest: Uint8Array) => Uint8Array;
  readonly tls: TlsIdentity;
}

/** The same number gives the same keys; the address of a validator is unrelated to its signer. */
async function testIdentity(provider: CryptoProvider, seed: number): Promise<TestIdentity> {
  const privateKey = keccak256(utf8ToBytes(`signer ${seed}`));
  return {
    address: bytesToAddress(keccak256(utf8ToBytes(`owner ${seed}`)).subarray(12)),
    signer: publicKeyToAddress(provider.publicKey(privateKey)),
    sign: (digest) => provider.sign(digest, privateKey),
    tls: await generateTlsIdentity(),
  };
}

type Recorded =
  | NetworkEvent
  | { readonly kind: 'message'; readonly from: Address; readonly message: PeerMessage }
  | { readonly kind: 'peerConnected'; readonly peer: Peer }
  | { readonly kind: 'peerDisconnected'; readonly peer: Peer }
  | { readonly kind: 'identityInUse'; readonly peer: Peer };

type Kind = Recorded['kind'];
type OfKind<K extends Kind> = Extract<Recorded, { readonly kind: K }>;

/** Everything that a network told, in order, and waiting for more of it. */
class Recorder {
  readonly all: Recorded[] = [];
  #waiting: (() => void)[] = [];

  add(event: Recorded): void {
    this.all.push(event);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  of<K extends Kind>(kind: K): OfKind<K>[] {
    return this.all.filter((event): event is OfKind<K> => event.kind === kind);
  }

  /** Resolves with the next event. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves with the first event of the kind that matches, past or to come. */
  async next<K extends Kind>(kind: K, matches: (event: OfKind<K>) => boolean = () => true): Promise<OfKind<K>> {
    for (;;) {
      const found = this.of(kind).find(matches);
      if (found !== undefined) return found;
      await this.changed();
    }
  }

  /** Resolves when the condition holds; it is looked at after each event. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await this.changed();
  }
}

export interface TestNode {
  readonly network: Network;
  readonly identity: TestIdentity;
  readonly recorder: Recorder;
  readonly endpoint: Endpoint;
  /** How others list this node. */
  readonly listed: ListedPeer;
}

/** Makes nodes, and closes all of them at the end of a test. */
export class TestNet {
  readonly provider: CryptoProvider;
  readonly identities: readonly TestIdentity[];
  #nodes: Network[] = [];
  #sockets: TLSSocket[] = [];
  #proxies: Proxy[] = [];

  constructor(provider: CryptoProvider, identities: readonly TestIdentity[]) {
    this.provider = provider;
    this.identities = identities;
  }

  static async create(count: number): Promise<TestNet> {
    const provider = await cryptoProvider();
    const identities = await Promise.all(Array.from({ length: count }, (_, seed) => testIdentity(provider, seed)));
    // Sorted, so that tests know who is the lower address of a pair.
    return new TestNet(
      provider,
      identities.toSorted((a, b) => (a.address < b.address ? -1 : 1)),
    );
  }

  signersOf = (address: Address): readonly Address[] =>
    this.identities.filter((identity) => identity.address === address).map(({ signer }) => signer);

  /** An address that exists before the node behind it does. */
  async proxy(index: number): Promise<Proxy> {
    const proxy = await Proxy.open(this.identities[index]!);
    this.#proxies.push(proxy);
    return proxy;
  }

  async node(index: number, overrides: Partial<NetworkOptions> = {}): Promise<TestNode> {
    const identity = this.identities[index]!;
    const recorder = new Recorder();
    const prng = createPrng(index + 1);
    const network = createNetwork(
      {
        listen: { host: '127.0.0.1', port: 0 },
        advertise: null,
        tls: identity.tls,
        identity: { address: identity.address, role: 'validator', signer: identity.signer, sign: identity.sign },
        chainId,
        genesisHash,
        protocol: () => testOffer,
        peers: [],
        signersOf: this.signersOf,
        provider: this.provider,
        headHeight: () => 7 as Height,
        clock: systemClock,
        random: () => prng.next() / 2 ** 32,
        log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
        observe: (event) => recorder.add(event),
        ...overrides,
      },
      {
        onMessage: (from, message) => recorder.add({ kind: 'message', from, message }),
        onPeerConnected: (peer) => recorder.add({ kind: 'peerConnected', peer }),
        onPeerDisconnected: (peer) => recorder.add({ kind: 'peerDisconnected', peer }),
        onIdentityInUse: (peer) => recorder.add({ kind: 'identityInUse', peer }),
      },
    );
    this.#nodes.push(network);
    const endpoint = (await network.start()) ?? { host: '127.0.0.1', port: 0 };
    return { network, identity, recorder, endpoint, listed: listing(identity, endpoint) };
  }

  /** A bare TLS client, to break rules with. */
  async raw(to: TestNode, identity: TestIdentity): Promise<RawPeer> {
    const socket = dialRaw(to.endpoint, identity.tls);
    this.#sockets.push(socket);
    const peer = new RawPeer(socket, identity, to.identity.tls.spki);
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve);
      socket.once('error', reject);
    });
    return peer;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const nodes = this.#nodes;
    this.#nodes = [];
    await Promise.all(nodes.map((network) => network.close()));
    await Promise.all(this.#proxies.map((proxy) => proxy.close()));
    this.#proxies = [];
  }
}

const listing = ({ address, tls }: TestIdentity, { host, port }: Endpoint): ListedPeer => ({
  address,
  spki: tls.spki,
  host,
  port,
});

/** Forwards TCP to wherever a node currently listens; closes at once what comes while there is none. */
export class Proxy {
  target: Endpoint | null = null;
  readonly listed: ListedPeer;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;

  private constructor(server: Server, sockets: Set<Socket>, listed: ListedPeer) {
    this.#server = server;
    this.#sockets = sockets;
    this.listed = listed;
  }

  static async open(identity: TestIdentity): Promise<Proxy> {
    const sockets = new Set<Socket>();
    const track = (socket: Socket, other: () => Socket | null): void => {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other()?.destroy();
      });
    };
    const server = createServer((socket) => {
      const target = proxy.target === null ? null : connectTcp(proxy.target);
      track(socket, () => target);
      if (target === null) return void socket.destroy();
      track(target, () => socket);
      socket.pipe(target).pipe(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const proxy = new Proxy(server, sockets, listing(identity, { host: '127.0.0.1', port }));
    return proxy;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** The other end of a connection, without any of the package's manners. */
export class RawPeer {
  readonly socket: TLSSocket;
  readonly identity: TestIdentity;
  readonly frames: { readonly name: FrameName; readonly payload: Uint8Array }[] = [];
  readonly closed: Promise<void>;
  readonly #receiverSpki: string;

  constructor(socket: TLSSocket, identity: TestIdentity, receiverSpki: string) {
    this.socket = socket;
    this.identity = identity;
    this.#receiverSpki = receiverSpki;
    const reader = new FrameReader();
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      reader.push(new Uint8Array(chunk));
      for (let frame = reader.next(); frame !== null; frame = reader.next())
        this.frames.push({ name: frame.name, payload: new Uint8Array(frame.payload) });
    });
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
  }

  /** A correct Hello of a validator, but for what is changed. */
  hello(changes: Partial<Hello> = {}): Uint8Array {
    const { address, tls, sign } = this.identity;
    const greeting = {
      protocolVersion: networkVersion,
      protocol: testOffer,
      chainId,
      genesisHash,
      role: 'validator' as const,
      address,
      senderSpki: tls.spki,
      receiverSpki: this.#receiverSpki,
      sign,
    };
    return helloFrame(this.socket, greeting, changes);
  }

  write(bytes: Uint8Array): void {
    this.socket.write(bytes);
  }
}

/** A vote without a valid signature: the transport does not look at it. */
export const testVote = (height: number): PeerMessage & { readonly kind: 'vote' } => ({
  kind: 'vote',
  vote: {
    type: 'prevote',
    height: height as Height,
    round: 0 as Round,
    blockHash: `0x${'cd'.repeat(32)}` as Hash,
    validator: `0x${'01'.repeat(20)}` as Address,
    signature: new Uint8Array(65).fill(7),
  },
});
