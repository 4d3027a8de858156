import { createSnapshotter, type SnapshotBlocks, type Snapshotter } from '@prime/chain';
import type { BlockDelta } from '@prime/codec';
import { publicKeyToAddress } from '@prime/crypto';
import {
  type BlockStore,
  type Clock,
  decodeWalEntry,
  defaultDoubleSignGuard,
  Engine,
  type EngineLog,
  type Execution,
  type Peer,
  type PeerEvents,
  type PeerMessage,
  type PeerNetwork,
  ValidatorRoster,
  type Wal,
} from '@prime/engine';
import { silentMetrics, silentStages } from '@prime/engine/testing';
import { createMempool, type Mempool } from '@prime/mempool';
import type { Address, Height, Prng } from '@prime/primitives';
import { Violation } from '../../observer.ts';
import type { Program } from '../scenario/upgrade.ts';
import type { AskedNode } from '../scenario/users.ts';
import { startMs, type Station, type World } from '../world.ts';
import { kindOf } from './disk.ts';
import { hashEngines, type NodeEngines } from './engines.ts';
import { forgedSnapshot } from './forgery.ts';
import { createJoining, type TrustedBlock } from './joining.ts';
import type { NodeOptions } from './nodeOptions.ts';
import { openRealEngines } from './realEngines.ts';
import { liarPace, snapshotChunkBytes, snapshotPace } from './snapshots.ts';

/** What a process needs of the node that it belongs to. */
export interface ProcessNode extends Station, AskedNode {
  role: Peer['role'];
  roster: ValidatorRoster;
  /** The newest first. */
  readonly ownKeys: readonly Address[];
  /** While it has no blocks it begins with a snapshot that leads to this one. */
  readonly trusted: TrustedBlock | null;
  readonly program: Program;
  /** Wall clock against the true time, ms. */
  readonly skewMs: number;
  /** What must not happen to an honest node and did. */
  failure: Error | null;
  /** A message as it leaves. */
  observe(message: PeerMessage): void;
  onError(process: NodeProcess, error: unknown): void;
  onLog(message: string): void;
  onCommitted(height: number): void;
}

/** Fewer than by default, so that a run is short. */
const copiesWatchBlocks = 6;
/** Kind of the log entries that are votes, see walEntry.ts. */
const voteKind = 2;

/** A run of the process: the real engine on simulated time, links and disk. What belongs to an earlier one has no effect any more. */
export class NodeProcess {
  isAlive = true;
  engine: Engine | null = null;
  /** Who hears the network: what looks for a snapshot first, the engine later. */
  events: PeerEvents | null = null;
  mempool: Mempool | null = null;
  /** The nonce that an account's next transaction should have. */
  nonceOf: (address: Address) => number = () => 0;
  readonly #world: World;
  readonly #node: ProcessNode;
  readonly #options: NodeOptions;
  readonly #prng: Prng;

  /** @param prng of the node: its processes draw from one sequence */
  constructor(world: World, node: ProcessNode, options: NodeOptions, prng: Prng) {
    this.#world = world;
    this.#node = node;
    this.#options = options;
    this.#prng = prng;
  }

  /** It ends by itself or is ended. */
  end(): void {
    this.isAlive = false;
    this.engine = null;
    this.events = null;
  }

  /** Opens what the disk holds, and runs the engine once it is ready. */
  async boot(): Promise<void> {
    const world = this.#world;
    const { genesis, provider, time } = world;
    // The newest first; without changes of members there is one.
    const keys = [...(world.keys.get(this.#node.address) ?? [])].reverse();
    const isAlive = (): boolean => this.isAlive;
    const { wal, signState } = this.#node.disk.open(world.genesisHash, () => {
      world.seen.crashesInOperation += 1;
      this.end();
    });
    await this.#join();
    if (!this.isAlive) return;
    const blocks = this.#node.disk.blockStore(time, isAlive);
    const engines = await this.#openEngines(blocks);
    const { accounts, signers, verifier } = engines;
    const execution = await this.#followed(engines.execution, blocks);
    const mempool = createMempool({ blockGasLimit: genesis.evm.gasLimit, baseFee: engines.baseFee });
    this.mempool = mempool;
    this.nonceOf = (address) => mempool.pendingNonce(address) ?? accounts.account(address).nonce;
    const engine = new Engine({
      genesis,
      ...(world.upgrade !== null && { protocol: world.upgrade.schedule(this.#node.program) }),
      timeouts: world.timeouts,
      // Twins and those who forget what they signed are to contradict themselves here, and not to find out in time.
      doubleSign: {
        ...defaultDoubleSignGuard,
        ...(world.options.hasCopy && { watchBlocks: copiesWatchBlocks }),
        ...(!this.#node.isHonest && { watchBlocks: 0 }),
      },
      // Who is none when the process begins follows until the next start.
      signers: (world.sessions === null || this.#node.role === 'validator' ? keys : []).map((key) => ({
        address: publicKeyToAddress(world.provider.publicKey(key)),
        sign: (digest) => provider.sign(digest, key),
      })),
      provider: this.#node.isHonest && world.options.trustsSignatures ? { ...provider, verify: () => true } : provider,
      mempool,
      ports: {
        wal: { ...wal, append: (entry) => this.#append(wal, entry) },
        signState,
        blocks,
        evidence: this.#node.disk.evidenceStore,
        execution,
        accounts,
        signers,
        verifier,
        snapshots: this.#node.disk.snapshots,
        network: this.#network(),
        clock: this.#clock(),
      },
      log: this.#log,
      metrics: { ...silentMetrics, committed: (block) => this.#node.onCommitted(block.header.height) },
      stages: silentStages,
      onFatal: (error) => this.#node.onError(this, error),
    });
    await engine.start();
    if (!this.isAlive) return;
    // Only now the network and the clients reach it.
    this.engine = engine;
    this.#connect(engine);
  }

  /** Tells the roster of each executed block, as the node's consensus thread does. */
  async #followed(execution: Execution, blocks: BlockStore): Promise<Execution> {
    const { sessions } = this.#world;
    if (sessions === null) return execution;
    const status = await execution.status();
    this.#node.roster = new ValidatorRoster(this.#world.genesis);
    this.#node.roster.begin(status, blocks.validators((status.height + 1) as Height));
    const isValidator = this.#node.ownKeys.some((key) => this.#node.roster.validatorOf(key) === this.#node.address);
    this.#node.role = isValidator ? 'validator' : 'full';
    return {
      ...execution,
      commit: async (hash, certificate, behind) => {
        const outcome = await execution.commit(hash, certificate, behind);
        if (this.isAlive && this.#node.roster.update(outcome)) sessions.review(this.#node);
        return outcome;
      },
    };
  }

  #connect(events: PeerEvents): void {
    this.events = events;
    const { sessions } = this.#world;
    if (sessions !== null) return sessions.open(this.#node);
    for (const station of this.#world.stations) if (station !== this.#node) station.onPeerUp(this.#node);
    for (const peer of this.#peers()) events.onPeerConnected(peer);
  }

  /** Begins with a snapshot of the others, if it is to and has nothing yet. */
  async #join(): Promise<void> {
    const { trusted, disk } = this.#node;
    if (trusted === null || disk.head > 0) return;
    const world = this.#world;
    const { send, punish: ban } = this.#network();
    const [prng, clock, log] = [this.#prng.fork(), this.#clock(), this.#log];
    const driver = createJoining({ world, disk, prng, trusted, send, ban, clock, log, isAlive: () => this.isAlive });
    this.#connect(driver);
    await driver.done;
    if (!this.isAlive) return;
    this.events = null;
    for (const station of world.stations) if (station !== this.#node) station.onPeerDown(this.#node);
    world.seen.joinedBySnapshot += 1;
    if (this.#node.role === 'validator') world.seen.rejoinedBySnapshot += 1;
    world.note(this.#node.label, () => `has the state of block ${this.#node.height} from a snapshot`);
    await world.ledger!.onRestored(this.#node);
  }

  /** Takes snapshots; who lies forges them, and so that they are believed gives them to the other liars too. */
  #snapshotter(blocks: SnapshotBlocks, isAlive: () => boolean): Snapshotter | null {
    const { options, seen, time, stations, users } = this.#world;
    if (!options.stateSync) return null;
    const pause = async (): Promise<void> => {
      await time.sleep(this.#prng.below(20));
      if (!isAlive()) await new Promise(() => undefined);
    };
    const sink = this.#node.disk.snapshots.sink(pause, async (taken) => {
      if (this.#node.isHonest) return taken;
      seen.snapshotsForged += 1;
      // The same by whoever forges it.
      const claims = taken.manifest.height % 3 > 0 ? 'forged' : 'true';
      const forged = await time.hold(() => forgedSnapshot(taken, users!.victim, claims));
      for (const other of stations) if (!other.isHonest) other.disk.snapshots.put(forged);
      return forged;
    });
    return createSnapshotter({
      ...(this.#node.isHonest ? snapshotPace : liarPace),
      database: this.#node.disk.state,
      blocks,
      store: sink,
      chunkBytes: snapshotChunkBytes,
      onTaken: () => void (seen.snapshotsTaken += 1),
      onFailed: (_height, error) => this.#node.onError(this, error),
    });
  }

  get #log(): EngineLog {
    return {
      debug: () => undefined,
      info: (message, fields) => {
        this.#node.onLog(message);
        if (message.includes('snapshot'))
          this.#world.note(this.#node.label, () => `${message} ${JSON.stringify(fields)}`);
      },
      warn: (message, fields) => {
        this.#node.onLog(message);
        this.#world.note(this.#node.label, () => `warns: ${message} ${JSON.stringify(fields ?? {})}`);
      },
    };
  }

  async #openEngines(blocks: SnapshotBlocks): Promise<NodeEngines> {
    const world = this.#world;
    const options = {
      world,
      disk: this.#node.disk,
      prng: this.#prng.fork(),
      isAlive: () => this.isAlive,
      isHonest: this.#node.isHonest,
    };
    const { users, ledger, crypto } = world;
    if (users === null || ledger === null) return hashEngines(options);
    const snapshotter = this.#snapshotter(blocks, options.isAlive);
    const onDelta = (delta: BlockDelta, behind: number): void => {
      snapshotter?.onCommit(delta.block, behind);
      if (!this.#node.isHonest) return;
      ledger.onDelta(delta);
      users.onDelta(this.#node, delta);
    };
    const isDivergent = this.#options.isDivergent === true;
    const engines = await openRealEngines({ ...options, crypto, onDelta, isDivergent });
    await ledger.onGenesis(this.#node);
    return engines;
  }

  #clock(): Clock {
    const { time } = this.#world;
    return {
      nowMs: () => Math.floor(startMs + time.nowMs + this.#node.skewMs),
      monotonicMs: () => time.nowMs,
      after: (delayMs, callback) =>
        time.after(delayMs, () => {
          if (!this.isAlive) return;
          try {
            callback();
          } catch (error) {
            this.#node.onError(this, error);
          }
        }),
    };
  }

  #peers(): Peer[] {
    const { sessions } = this.#world;
    if (sessions !== null) return sessions.peers(this.#node);
    const up = new Map(
      this.#world.stations
        .filter(
          (station) => station !== this.#node && station.isUp && (this.#node.circle?.has(station.address) ?? true),
        )
        .map(({ address, role }) => [address, { address, role }]),
    );
    return [...up.values()];
  }

  #network(): PeerNetwork {
    const world = this.#world;
    const say = (to: Address, message: PeerMessage): boolean => {
      if (!this.isAlive) return false;
      if (message.kind === 'blocks' && this.#options.isDribbling === true) return this.#dribble(to, message);
      const said = this.#options.corruption?.(message) ?? [message];
      for (const part of said) this.#node.observe(part);
      return said.map((part) => world.send(this.#node, to, part)).every(Boolean);
    };
    return {
      peers: () => this.#peers(),
      send: say,
      broadcast: (message) => {
        for (const { address } of this.#peers()) say(address, message);
      },
      punish: (peer, reason, offence) => {
        if (this.#node.isHonest && offence === 'slow') world.seen.dribblersBanned += 1;
        const punished = world.stations.some((station) => station.address === peer && station.isHonest);
        if (this.#node.isHonest && !punished && offence !== 'slow') world.seen.liarsBanned += 1;
        if (this.#node.isHonest && punished)
          this.#node.failure ??= new Violation(`${this.#node.label} punishes ${peer}: ${reason}`);
        world.note(this.#node.label, () => `punishes ${peer}: ${reason}`);
      },
    };
  }

  /** When the request is given up, so that it is asked for more: one block after the other. */
  #dribble(to: Address, message: PeerMessage & { readonly kind: 'blocks' }): boolean {
    const { time, seen } = this.#world;
    seen.dribbles += 1;
    time.after(5_000 + this.#prng.below(2_000), () =>
      this.#world.send(this.#node, to, { ...message, blocks: message.blocks.slice(0, 1) }),
    );
    return true;
  }

  #append(wal: Wal, entry: Uint8Array): void {
    wal.append(entry);
    if (!this.#node.isHonest || kindOf(entry) !== voteKind) return;
    const decoded = decodeWalEntry(entry);
    if (decoded.kind === 'vote' && decoded.vote.validator === this.#node.address)
      this.#world.observer.voteWritten(decoded.vote);
  }
}
