import {
  type ActionPayload,
  encodeNativeTransaction,
  type Genesis,
  type ProtocolSchedule,
  nativeSigningDigest,
  verifyNativeTransaction,
} from '@prime/codec';
import { lanTimeouts } from '@prime/consensus';
import { createCryptoProvider, type CryptoProvider, keccak256, publicKeyToAddress } from '@prime/crypto';
import { createMempool } from '@prime/mempool';
import { type Address, createPrng, type Height, type Prng, utf8ToBytes } from '@prime/primitives';
import { type CrashPoint, withCrashPoints } from '../crashPoints.ts';
import { Engine } from '../engine.ts';
import { defaultDoubleSignGuard, type DoubleSignGuard } from '../signing/signingPermit.ts';
import type { SentryOptions } from '../peers/sentryPaths.ts';
import type { EngineStages } from '../stages.ts';
import { rememberVerified } from '../signing/verifiedSignatures.ts';
import { Disk } from './disk.ts';
import { createExecution, type Registry } from './simulatedExecution.ts';
import { simulatedKey, type SimulatedSigner } from './simulatedSigner.ts';
import { silentMetrics, silentStages, simulatedGenesis } from './genesis.ts';
import { VirtualTime } from './virtualTime.ts';
import type { Clock, HotKey, Peer, PeerMessage, PeerNetwork, Verifier } from '../ports.ts';

/**
 * Several engines in one process on virtual time: timers fire in order of their due time, messages travel with seeded delays, and
 * between two events all promises settle. Disks survive a crash up to what was synced; execution is a hash chain.
 */

/** Unwinds the stack of a process that is gone. */
class Killed extends Error {}

function unlessKilled(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  }
}

/** Receives what others send to a validator that a test plays itself. */
export type Puppet = (from: Node, message: PeerMessage) => void;

export interface Node {
  readonly index: number;
  readonly address: Address;
  readonly disk: Disk;
  engine: Engine | null;
  /** Played by the test, instead of an engine. */
  puppet: Puppet | null;
  fatal: unknown;
  /** Crash points that it may still pass before it dies at one; null lets it live. */
  crashAfter: number | null;
  /** Crash points that it passed. */
  readonly passed: CrashPoint[];
  /** Whom this node punished, and why. */
  readonly punished: { readonly peer: Address; readonly reason: string }[];
}

export class Cluster {
  readonly time = new VirtualTime();
  readonly genesis: Genesis;
  /** The validators of genesis, and the nodes that may become some. */
  readonly everyone: Genesis['validators'];
  readonly nodes: Node[];
  readonly #provider: CryptoProvider;
  readonly #keys: readonly Uint8Array[];
  readonly #prng: Prng;
  /** Whether a message from one node reaches another. */
  link: (from: number, to: number, message: PeerMessage) => boolean = () => true;
  /** Whether two nodes have a connection. */
  connected: (one: number, other: number) => boolean = () => true;
  /** Nodes that take no part, and whom every operator named. */
  readonly followers = new Set<number>();
  /** Nodes whose wall clocks are wrong, by how much, ms. */
  readonly clocksOff = new Map<number, number>();
  /** Who hides behind whom, by the node that is told. */
  readonly sentries = new Map<number, SentryOptions>();
  maxDelayMs = 5;
  /** Who is registered after a block; nobody ever changes. */
  registeredAfter: Registry = () => ({});
  /** Keys beside the one of genesis that nodes have, the newest first. */
  readonly newKeys = new Map<number, readonly Uint8Array[]>();
  /** How nodes that start from now on look for other uses of their keys. */
  doubleSign: DoubleSignGuard = defaultDoubleSignGuard;
  /** Nodes whose key is in a remote signer. */
  readonly remoteSigners = new Map<number, SimulatedSigner>();
  /** Who is told of stages, by the node. */
  stagesOf: (index: number) => EngineStages = () => silentStages;
  /** What a node that starts from now on checks signatures with, given what checks them at once. */
  verifierOf: (index: number, verifier: Verifier) => Verifier = (_index, verifier) => verifier;
  /** Checked blocks that execution keeps. */
  checkedBlocksMax = 16;
  /** Which protocol versions a node follows when it is started; default what genesis says. */
  readonly protocols = new Map<number, ProtocolSchedule>();
  /** Blocks at which nodes are told to stop. */
  readonly haltHeights = new Map<number, Height>();

  private constructor(count: number, inGenesis: number, seed: number, provider: CryptoProvider) {
    this.#provider = provider;
    this.#prng = createPrng(seed);
    this.#keys = Array.from({ length: count }, (_, index) => keccak256(utf8ToBytes(`validator ${index}`)));
    const everyone = simulatedGenesis(this.#keys.map((key) => provider.publicKey(key)));
    this.everyone = everyone.validators;
    this.genesis = { ...everyone, validators: everyone.validators.slice(0, inGenesis) };
    this.nodes = everyone.validators.map(({ address }, index) => ({
      index,
      address,
      disk: new Disk(),
      engine: null,
      puppet: null,
      fatal: null,
      crashAfter: null,
      passed: [],
      punished: [],
    }));
  }

  /** @param inGenesis nodes that are validators from the start; default all */
  static async create(count: number, seed: number, inGenesis = count): Promise<Cluster> {
    // What one node found good is good for all of them: checking signatures would be half of a test's time.
    return new Cluster(count, inGenesis, seed, rememberVerified(await createCryptoProvider()));
  }

  async start(index: number): Promise<void> {
    const node = this.nodes[index]!;
    const provider = this.#provider;
    const clock: Clock = {
      nowMs: () => this.time.nowMs + (this.clocksOff.get(index) ?? 0),
      monotonicMs: () => this.time.nowMs,
      after: (delayMs, callback) => this.time.after(delayMs, () => node.engine === engine && unlessKilled(callback)),
    };
    let isDead = false;
    const reach = (point: CrashPoint): void => {
      if (isDead) throw new Killed();
      node.passed.push(point);
      if (node.crashAfter === null || node.crashAfter-- > 0) return;
      isDead = true;
      node.crashAfter = null;
      this.crash(index);
      throw new Killed();
    };
    const protocol = this.protocols.get(index);
    const haltHeight = this.haltHeights.get(index);
    const engine = new Engine({
      genesis: this.genesis,
      ...(protocol !== undefined && { protocol }),
      ...(haltHeight !== undefined && { haltHeight }),
      ...this.sentries.get(index),
      timeouts: lanTimeouts,
      doubleSign: this.doubleSign,
      signers: this.#hotKeys(index, clock),
      provider,
      mempool: createMempool({ blockGasLimit: this.genesis.evm.gasLimit, baseFee: this.genesis.evm.initialBaseFee }),
      ports: {
        ...withCrashPoints(this.#ports(index), reach),
        evidence: node.disk.evidenceStore,
        accounts: { account: () => ({ nonce: 0, balance: 0n }) },
        signers: {
          signerNonces: () => [],
          agent: () => null,
          authority: (account) => account,
          isLocked: () => false,
          isKnown: () => true,
        },
        verifier: this.verifierOf(index, {
          transactions: async (raws) => raws.map(() => ({ failure: 'no transactions here' })),
          actions: async (raws) => raws.map((raw) => verifyNativeTransaction(raw, this.genesis.chainId, provider)),
        }),
        clock,
      },
      log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
      metrics: { ...silentMetrics, executed: ({ header }) => node.disk.counted.push(header.height) },
      stages: this.stagesOf(index),
      onFatal: (error) => {
        if (!isDead) node.fatal = error;
      },
    });
    node.engine = engine;
    try {
      await engine.start();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
    if (isDead) return;
    for (const other of this.nodes) {
      if (other === node || !isUp(other) || !this.connected(index, other.index)) continue;
      other.engine?.onPeerConnected(this.#peer(node));
      engine.onPeerConnected(this.#peer(other));
    }
  }

  #peer({ address, index }: Node): Peer {
    return this.followers.has(index) ? { address, role: 'full', listed: true } : { address, role: 'validator' };
  }

  /** The newest first. @param clock of the process: what it asked a signer for is not answered to the one after it */
  #hotKeys(index: number, clock: Clock): HotKey[] {
    return [...(this.newKeys.get(index) ?? []), this.#keys[index]!].map((key) => {
      const address = publicKeyToAddress(this.#provider.publicKey(key));
      const held = { address, sign: (digest: Uint8Array) => this.#provider.sign(digest, key) };
      return simulatedKey(held, this.remoteSigners.get(index), clock);
    });
  }

  #ports(index: number) {
    const { disk } = this.nodes[index]!;
    return {
      wal: disk.wal,
      signState: disk.signStateStore,
      blocks: disk.blockStore,
      execution: createExecution(this.genesis, disk, this.checkedBlocksMax, (height) => this.registeredAfter(height)),
      network: this.#network(index),
    };
  }

  /** From now on the test speaks for this validator, with {@link say}. */
  play(index: number, puppet: Puppet = () => undefined): void {
    const node = this.nodes[index]!;
    node.engine = null;
    node.puppet = puppet;
    for (const other of this.nodes) other.engine?.onPeerConnected({ address: node.address, role: 'validator' });
  }

  say(from: number, to: number, message: PeerMessage): void {
    this.#network(from).send(this.nodes[to]!.address, message);
  }

  sign(index: number, digest: Uint8Array): Uint8Array {
    return this.#provider.sign(digest, this.#keys[index]!);
  }

  /** The process is gone, with all that was not synced. */
  crash(index: number): void {
    const node = this.nodes[index]!;
    node.engine = null;
    node.disk.crash();
    for (const other of this.nodes) other.engine?.onPeerDisconnected({ address: node.address, role: 'validator' });
  }

  /** A gateway action signed by a key that no validator has. */
  foreignAction(account: Address, payload: ActionPayload): Uint8Array {
    const unsigned = {
      chainId: this.genesis.chainId,
      nonce: this.time.nowMs * 1000,
      expiresAt: 0,
      account,
      payload,
      signatureKind: 'gateway',
    } as const;
    const signature = this.#provider.sign(nativeSigningDigest(unsigned), keccak256(utf8ToBytes('nobody')));
    return encodeNativeTransaction({ ...unsigned, signature });
  }

  height(index: number): number {
    return this.nodes[index]!.disk.blocks.length;
  }

  #network(index: number): PeerNetwork {
    const own = this.nodes[index]!;
    const deliver = (to: Node, message: PeerMessage): boolean => {
      if (!isUp(to) || !this.connected(index, to.index)) return false;
      if (!this.link(index, to.index, message)) return true;
      const receiver = to.engine;
      this.time.after(1 + this.#prng.below(this.maxDelayMs), () => {
        if (to.engine !== receiver) return;
        if (to.puppet === null) unlessKilled(() => receiver?.onMessage(own.address, message));
        else to.puppet(own, message);
      });
      return true;
    };
    return {
      peers: () =>
        this.nodes
          .filter((node) => node !== own && isUp(node) && this.connected(index, node.index))
          .map((node) => this.#peer(node)),
      send: (to, message) => {
        const node = this.nodes.find(({ address }) => address === to);
        return node !== undefined && deliver(node, message);
      },
      broadcast: (message) => {
        for (const node of this.nodes) if (node !== own) deliver(node, message);
      },
      punish: (peer, reason) => own.punished.push({ peer, reason }),
    };
  }
}

const isUp = ({ engine, puppet }: Node): boolean => engine !== null || puppet !== null;
