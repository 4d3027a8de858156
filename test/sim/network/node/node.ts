import { createSnapshotter, type SnapshotBlocks, type Snapshotter } from '@prime/chain';
import { type ActionPayload, type BlockDelta, nativeTransactionHash } from '@prime/codec';
import { publicKeyToAddress } from '@prime/crypto';
import {
  type BlockStore,
  decodeWalEntry,
  defaultDoubleSignGuard,
  Engine,
  type EngineLog,
  type Execution,
  type Peer,
  type PeerEvents,
  type PeerMessage,
  type PeerNetwork,
  type Clock,
  ValidatorRoster,
  type Wal,
} from '@prime/engine';
import { silentMetrics, silentStages } from '@prime/engine/testing';
import { createMempool, type Mempool } from '@prime/mempool';
import { type Address, type Hash, type Height, isPrimeError, type PrimeError, type Prng } from '@prime/primitives';
import { Violation } from '../../observer.ts';
import type { Corruption } from './corruption.ts';
import { kindOf, NodeDisk } from './disk.ts';
import { hashEngines, type NodeEngines } from './engines.ts';
import { forgedSnapshot } from './forgery.ts';
import { createJoining, type TrustedBlock } from './joining.ts';
import { OwnMessages } from './ownMessages.ts';
import { openRealEngines } from './realEngines.ts';
import type { Hello } from './sessions.ts';
import { liarPace, snapshotChunkBytes, snapshotPace } from './snapshots.ts';
import type { Program } from '../scenario/upgrade.ts';
import { short, startMs, type Station, type World } from '../world.ts';

export interface NodeOptions {
  readonly label: string;
  readonly address: Address;
  /** Default: validator. */
  readonly role?: 'full';
  readonly isHonest: boolean;
  readonly circle: ReadonlySet<Address> | null;
  /** What it makes of its messages; null sends them as they are. */
  readonly corruption: Corruption | null;
  /** Forgets in each crash what it signed. */
  readonly isForgetful: boolean;
  /** Wall clock against the true time when the run begins, ms. */
  readonly skewMs: number;
  /** The clock is off by more than blocks may be, and is set to other wrong times. */
  readonly hasWrongClock: boolean;
  /** Its order book gives other results than those of the others. */
  readonly isDivergent?: true;
  /** It answers requests for blocks late, and with one. */
  readonly isDribbling?: true;
  /** It is to be started with a copy of a validator's home. */
  readonly isCopy?: true;
}

/** Fewer than by default, so that a run is short. */
const copiesWatchBlocks = 6;
/** Kind of the log entries that are votes, see walEntry.ts. */
const voteKind = 2;

/** A run of the process; what belongs to an earlier one has no effect any more. */
interface Life {
  alive: boolean;
  engine: Engine | null;
  /** Who hears the network: what looks for a snapshot first, the engine later. */
  events: PeerEvents | null;
  /** The nonce that an account's next transaction should have. */
  nonceOf: (address: Address) => number;
  mempool: Mempool | null;
}

const newLife = (): Life => ({ alive: false, engine: null, events: null, nonceOf: () => 0, mempool: null });

/** The real engine, mempool, log and sign state on simulated time, links and disk. */
export class SimulatedNode implements Station {
  readonly label: string;
  readonly address: Address;
  role: Peer['role'];
  readonly isHonest: boolean;
  readonly circle: ReadonlySet<Address> | null;
  readonly disk: NodeDisk;
  /** While it has no blocks it begins with a snapshot that leads to this one. */
  trusted: TrustedBlock | null = null;
  /** The program that is installed, where there is an upgrade. */
  program: Program = 'new';
  /** Whether it began with a program that knew nothing of the upgrade. */
  wasUntold = false;
  /** Told when the process has ended because it needs another program. */
  onUpgradeNeeded: () => void = () => undefined;
  /** Whether it was ever started. */
  hasBegun = false;
  readonly isCopy: boolean;
  /** Whether it began while a copy of its home was there. */
  wasRestarted = false;
  /** It is down for as long as the network has to go on without it. */
  isAway = false;
  /** Another process of its identity lives: it ended, and does not come back. */
  isOver = false;
  roster: ValidatorRoster;
  /** Actions that this life of the node took from clients: all of them must get into a block. */
  accepted: Hash[] = [];
  /** Wall clock against the true time, ms. */
  skewMs: number;
  readonly hasWrongClock: boolean;
  /** What must not happen to an honest node and did. */
  failure: Error | null = null;
  readonly #world: World;
  readonly #options: NodeOptions;
  readonly #prng: Prng;
  readonly #ownMessages: OwnMessages;
  #life: Life = newLife();

  constructor(world: World, options: NodeOptions) {
    this.label = options.label;
    this.address = options.address;
    this.role = options.role ?? 'validator';
    this.isHonest = options.isHonest;
    this.circle = options.circle;
    this.skewMs = options.skewMs;
    this.hasWrongClock = options.hasWrongClock;
    this.isCopy = options.isCopy === true;
    this.roster = new ValidatorRoster(world.genesis);
    this.#world = world;
    this.#options = options;
    this.#prng = world.prng.fork();
    this.disk = new NodeDisk(
      this.#prng.fork(),
      options.isHonest ? world.options.damage : {},
      world.seen,
      world.options.profile !== null,
    );
    this.#ownMessages = new OwnMessages(world, this);
  }

  get isUp(): boolean {
    return this.#life.events !== null;
  }

  /** Whether the process runs, ready or not. */
  get isAlive(): boolean {
    return this.#life.alive;
  }

  get height(): number {
    return this.disk.head;
  }

  start(): void {
    const life: Life = { ...newLife(), alive: true };
    this.#life = life;
    this.hasBegun = true;
    this.#world.note(this.label, () => `starts at block ${this.height}`);
    this.#boot(life).catch((error: unknown) => this.#onError(life, error));
  }

  async #boot(life: Life): Promise<void> {
    const world = this.#world;
    const { genesis, provider, time } = world;
    // The newest first; without changes of members there is one.
    const keys = [...(world.keys.get(this.address) ?? [])].reverse();
    const isAlive = (): boolean => life.alive;
    const { wal, signState } = this.disk.open(world.genesisHash, () => {
      world.seen.crashesInOperation += 1;
      this.#end(life);
    });
    await this.#join(life);
    if (!life.alive) return;
    const blocks = this.disk.blockStore(time, isAlive);
    const engines = await this.#openEngines(life, blocks);
    const { accounts, signers, verifier } = engines;
    const execution = await this.#followed(life, engines.execution, blocks);
    const mempool = createMempool({ blockGasLimit: genesis.evm.gasLimit, baseFee: engines.baseFee });
    life.mempool = mempool;
    life.nonceOf = (address) => mempool.pendingNonce(address) ?? accounts.account(address).nonce;
    const engine = new Engine({
      genesis,
      ...(world.upgrade !== null && { protocol: world.upgrade.schedule(this.program) }),
      timeouts: world.timeouts,
      // Twins and those who forget what they signed are to contradict themselves here, and not to find out in time.
      doubleSign: {
        ...defaultDoubleSignGuard,
        ...(world.options.hasCopy && { watchBlocks: copiesWatchBlocks }),
        ...(!this.isHonest && { watchBlocks: 0 }),
      },
      // Who is none when the process begins follows until the next start.
      signers: (world.sessions === null || this.role === 'validator' ? keys : []).map((key) => ({
        address: publicKeyToAddress(world.provider.publicKey(key)),
        sign: (digest) => provider.sign(digest, key),
      })),
      provider: this.isHonest && world.options.trustsSignatures ? { ...provider, verify: () => true } : provider,
      mempool,
      ports: {
        wal: { ...wal, append: (entry) => this.#append(wal, entry) },
        signState,
        blocks,
        evidence: this.disk.evidenceStore,
        execution,
        accounts,
        signers,
        verifier,
        snapshots: this.disk.snapshots,
        network: this.#network(life),
        clock: this.#clock(life),
      },
      log: this.#log,
      metrics: { ...silentMetrics, committed: (block) => this.#onCommitted(block.header.height) },
      stages: silentStages,
      onFatal: (error) => this.#onError(life, error),
    });
    await engine.start();
    if (!life.alive) return;
    // Only now the network and the clients reach it.
    life.engine = engine;
    this.#connect(life, engine);
  }

  /** Tells the roster of each executed block, as the node's consensus thread does. */
  async #followed(life: Life, execution: Execution, blocks: BlockStore): Promise<Execution> {
    const { sessions } = this.#world;
    if (sessions === null) return execution;
    const status = await execution.status();
    this.roster = new ValidatorRoster(this.#world.genesis);
    this.roster.begin(status, blocks.validators((status.height + 1) as Height));
    const isValidator = this.#ownKeys.some((key) => this.roster.validatorOf(key) === this.address);
    this.role = isValidator ? 'validator' : 'full';
    return {
      ...execution,
      commit: async (hash, certificate, behind) => {
        const outcome = await execution.commit(hash, certificate, behind);
        if (life.alive && this.roster.update(outcome)) sessions.review(this);
        return outcome;
      },
    };
  }

  /** The newest first. */
  get #ownKeys(): readonly Address[] {
    const { keys, provider } = this.#world;
    return (keys.get(this.address) ?? []).map((key) => publicKeyToAddress(provider.publicKey(key))).toReversed();
  }

  /** SessionEnd */
  hello(): Hello {
    const held = this.#ownKeys;
    const registered = this.role === 'validator' ? this.roster.signersOf(this.address) : [];
    const signer = registered.find((key) => held.includes(key)) ?? held.at(-1) ?? this.address;
    return { address: this.address, role: this.role, height: this.height as Height, signers: [signer] };
  }

  #connect(life: Life, events: PeerEvents): void {
    life.events = events;
    const { sessions } = this.#world;
    if (sessions !== null) return sessions.open(this);
    for (const station of this.#world.stations) if (station !== this) station.onPeerUp(this);
    for (const peer of this.#peers()) events.onPeerConnected(peer);
  }

  /** Begins with a snapshot of the others, if it is to and has nothing yet. */
  async #join(life: Life): Promise<void> {
    const { trusted, disk } = this;
    if (trusted === null || disk.head > 0) return;
    const world = this.#world;
    const { send, punish: ban } = this.#network(life);
    const [prng, clock, log] = [this.#prng.fork(), this.#clock(life), this.#log];
    const driver = createJoining({ world, disk, prng, trusted, send, ban, clock, log, isAlive: () => life.alive });
    this.#connect(life, driver);
    await driver.done;
    if (!life.alive) return;
    life.events = null;
    for (const station of world.stations) if (station !== this) station.onPeerDown(this);
    world.seen.joinedBySnapshot += 1;
    if (this.role === 'validator') world.seen.rejoinedBySnapshot += 1;
    world.note(this.label, () => `has the state of block ${this.height} from a snapshot`);
    await world.ledger!.onRestored(this);
  }

  /** Takes snapshots; who lies forges them, and so that they are believed gives them to the other liars too. */
  #snapshotter(blocks: SnapshotBlocks, isAlive: () => boolean): Snapshotter | null {
    const { options, seen, time, stations, users } = this.#world;
    if (!options.stateSync) return null;
    const pause = async (): Promise<void> => {
      await time.sleep(this.#prng.below(20));
      if (!isAlive()) await new Promise(() => undefined);
    };
    const sink = this.disk.snapshots.sink(pause, async (taken) => {
      if (this.isHonest) return taken;
      seen.snapshotsForged += 1;
      // The same by whoever forges it.
      const claims = taken.manifest.height % 3 > 0 ? 'forged' : 'true';
      const forged = await time.hold(() => forgedSnapshot(taken, users!.victim, claims));
      for (const other of stations)
        if (other instanceof SimulatedNode && !other.isHonest) other.disk.snapshots.put(forged);
      return forged;
    });
    return createSnapshotter({
      ...(this.isHonest ? snapshotPace : liarPace),
      database: this.disk.state,
      blocks,
      store: sink,
      chunkBytes: snapshotChunkBytes,
      onTaken: () => void (seen.snapshotsTaken += 1),
      onFailed: (height, error) => this.#onError(this.#life, error),
    });
  }

  get #log(): EngineLog {
    return {
      debug: () => undefined,
      info: (message, fields) => {
        this.#onLog(message);
        if (message.includes('snapshot')) this.#world.note(this.label, () => `${message} ${JSON.stringify(fields)}`);
      },
      warn: (message, fields) => {
        this.#onLog(message);
        this.#world.note(this.label, () => `warns: ${message} ${JSON.stringify(fields ?? {})}`);
      },
    };
  }

  async #openEngines(life: Life, blocks: SnapshotBlocks): Promise<NodeEngines> {
    const world = this.#world;
    const options = {
      world,
      disk: this.disk,
      prng: this.#prng.fork(),
      isAlive: () => life.alive,
      isHonest: this.isHonest,
    };
    const { users, ledger, crypto } = world;
    if (users === null || ledger === null) return hashEngines(options);
    const snapshotter = this.#snapshotter(blocks, options.isAlive);
    const onDelta = (delta: BlockDelta, behind: number): void => {
      snapshotter?.onCommit(delta.block, behind);
      if (!this.isHonest) return;
      ledger.onDelta(delta);
      users.onDelta(this, delta);
    };
    const isDivergent = this.#options.isDivergent === true;
    const engines = await openRealEngines({ ...options, crypto, onDelta, isDivergent });
    await ledger.onGenesis(this);
    return engines;
  }

  /** The home is as that of another one is now, whose process is gone. */
  copyHome(other: SimulatedNode): void {
    this.disk.copyFrom(other.disk);
    this.#world.note(this.label, () => `is a copy of ${other.label} at block ${this.height}`);
  }

  /** The process is gone. @param isPowerCut with what was not synced */
  crash(isPowerCut: boolean): void {
    this.#end(this.#life);
    this.disk.crash(isPowerCut);
    if (this.#options.isForgetful) this.disk.forgetSignatures();
    this.accepted = [];
    this.#world.users?.onCrash(this);
    this.#world.seen.crashes += 1;
    this.#world.note(this.label, () => `${isPowerCut ? 'loses power' : 'is killed'} at block ${this.height}`);
    if (this.#world.sessions !== null) this.#world.sessions.close(this);
    else for (const station of this.#world.stations) if (station !== this) station.onPeerDown(this);
  }

  /** Lets the process die in the middle of one of its next operations on files. */
  dieAfter(operations: number): void {
    this.disk.files.failAfter = operations;
  }

  /** An unsigned call of a client of this node. @returns its hash; null when the node refuses, which promises nothing */
  async submitAction(account: Address, payload: ActionPayload): Promise<Hash | null> {
    const life = this.#life;
    const hash = await this.#answerOf(life, life.engine?.submitAction(account, payload));
    // A key that vouched for an action may be exchanged before a block takes the action. Without a block nothing tells a clock that it is wrong.
    if (hash !== null) this.#world.timing?.onSubmitted(this, hash);
    const { membership, departure } = this.#world.options;
    const isPromised = !membership && departure === null && !(this.hasWrongClock && this.height === 0);
    if (hash !== null && life.alive && isPromised) this.accepted.push(hash);
    return hash;
  }

  /** A signed transaction of a client of this node. @returns its hash; null when the node refuses */
  submitTransaction(raw: Uint8Array): Promise<Hash | null> {
    return this.#answerOf(this.#life, this.#life.engine?.submitTransaction(raw));
  }

  /** The action where it waits for a block here; for reports. */
  waits(hash: Hash): string {
    const action = this.#life.mempool?.action(hash) ?? null;
    if (action === null) return `${this.label} does not have it`;
    const { payload, nonce, expiresAt } = action.transaction;
    return `${this.label} has ${payload.type} with nonce ${nonce}, expires ${expiresAt}`;
  }

  nonceOf(address: Address): number {
    return this.#life.nonceOf(address);
  }

  /** A node that is starting, full or just ending refuses. */
  async #answerOf(life: Life, answer: Promise<Hash> | undefined): Promise<Hash | null> {
    try {
      return (await answer) ?? null;
    } catch (error) {
      if (!isPrimeError(error)) this.#onError(life, error);
      return null;
    }
  }

  listener(): (from: Address, message: PeerMessage) => void {
    const life = this.#life;
    return (from, message) => {
      try {
        life.events?.onMessage(from, message);
      } catch (error) {
        this.#onError(life, error);
      }
    };
  }

  onPeerUp({ address, role }: Peer): void {
    if (this.circle?.has(address) ?? true) this.#guarded((events) => events.onPeerConnected({ address, role }));
  }

  onPeerDown({ address, role }: Peer): void {
    this.#guarded((events) => events.onPeerDisconnected({ address, role }));
  }

  onIdentityInUse({ address, role }: Peer): void {
    this.#guarded((events) => events.onIdentityInUse({ address, role }));
  }

  #guarded(work: (events: PeerEvents) => void): void {
    const life = this.#life;
    if (!life.alive || life.events === null) return;
    try {
      work(life.events);
    } catch (error) {
      this.#onError(life, error);
    }
  }

  /** The process ends by itself or is ended. */
  #end(life: Life): void {
    life.alive = false;
    life.engine = null;
    life.events = null;
  }

  #onError(life: Life, error: unknown): void {
    if (!life.alive) return;
    this.#end(life);
    // An error without a code is none of the code under test, whoever runs into it.
    if (!(error instanceof Violation || isPrimeError(error)))
      return void (this.failure ??= error instanceof Error ? error : new Error(String(error)));
    // Who signs against the rules may run into what it did; that is its own affair.
    if (!this.isHonest) return this.#world.note(this.label, () => `ends: ${String(error)}`);
    if (this.#world.options.hasCopy && isPrimeError(error) && error.code === 'ENGINE_KEY_IN_USE')
      return this.#giveWay(error);
    if (this.program !== 'new' && isPrimeError(error) && error.code === 'ENGINE_UPGRADE_NEEDED') {
      this.#world.seen.upgradeStops += 1;
      this.crash(false);
      return this.onUpgradeNeeded();
    }
    this.failure ??= isPrimeError(error) ? new Violation(`${this.label} stops: ${describe(error)}`) : error;
  }

  /** It ends because another process of its identity lives. */
  #giveWay(error: PrimeError): void {
    this.#world.note(this.label, () => `gives way: ${error.message}`);
    this.isOver = true;
    this.crash(false);
    if (this.isCopy) this.#world.seen.copiesStopped += 1;
    else if (!this.wasRestarted) this.failure ??= new Violation(`${this.label} ends although it was there first`);
  }

  #onLog(message: string): void {
    const { seen } = this.#world;
    if (message === 'replayed the log') {
      seen.replays += 1;
      this.disk.onReplayed();
    } else if (message === 'the log of this height is gone or torn') {
      seen.resumedWithoutLog += 1;
      // The log is synced before a signature is recorded: without it a node goes on safely, but it must not come to that by itself.
      if (this.isHonest && !this.disk.hasLostFiles && !this.#isAnotherProgramsLog)
        this.failure ??= new Violation(`${this.label} lacks entries of its log that stand behind a signature`);
    } else if (message === 'entering a later round') seen.laterRounds += 1;
    else if (this.isHonest && message === 'a slow peer is not asked for blocks for a while') seen.dribblersSpared += 1;
  }

  /** What a program that was not told of the upgrade logged at its height was judged by other rules, and is not replayed. */
  get #isAnotherProgramsLog(): boolean {
    return this.wasUntold && this.program === 'new' && this.height + 1 === this.#world.upgrade?.height;
  }

  #onCommitted(height: number): void {
    const { timing } = this.#world;
    const stored = this.disk.block(height);
    if (timing !== null && stored !== null)
      timing.onCommitted(this, stored, stored.block.actions.map(nativeTransactionHash));
    this.#world.note(this.label, () => `commits block ${height} ${short(this.disk.block(this.height)?.hash ?? null)}`);
  }

  #clock(life: Life): Clock {
    const { time } = this.#world;
    return {
      nowMs: () => Math.floor(startMs + time.nowMs + this.skewMs),
      monotonicMs: () => time.nowMs,
      after: (delayMs, callback) =>
        time.after(delayMs, () => {
          if (!life.alive) return;
          try {
            callback();
          } catch (error) {
            this.#onError(life, error);
          }
        }),
    };
  }

  #peers(): Peer[] {
    const { sessions } = this.#world;
    if (sessions !== null) return sessions.peers(this);
    const up = new Map(
      this.#world.stations
        .filter((station) => station !== this && station.isUp && (this.circle?.has(station.address) ?? true))
        .map(({ address, role }) => [address, { address, role }]),
    );
    return [...up.values()];
  }

  #network(life: Life): PeerNetwork {
    const world = this.#world;
    const say = (to: Address, message: PeerMessage): boolean => {
      if (!life.alive) return false;
      if (message.kind === 'blocks' && this.#options.isDribbling === true) return this.#dribble(to, message);
      const said = this.#options.corruption?.(message) ?? [message];
      for (const part of said) this.#observe(part);
      return said.map((part) => world.send(this, to, part)).every(Boolean);
    };
    return {
      peers: () => this.#peers(),
      send: say,
      broadcast: (message) => {
        for (const { address } of this.#peers()) say(address, message);
      },
      punish: (peer, reason, offence) => {
        if (this.isHonest && offence === 'slow') world.seen.dribblersBanned += 1;
        const punished = world.stations.some((station) => station.address === peer && isHonest(station));
        if (this.isHonest && !punished && offence !== 'slow') world.seen.liarsBanned += 1;
        if (this.isHonest && punished) this.failure ??= new Violation(`${this.label} punishes ${peer}: ${reason}`);
        world.note(this.label, () => `punishes ${peer}: ${reason}`);
      },
    };
  }

  /** When the request is given up, so that it is asked for more: one block after the other. */
  #dribble(to: Address, message: PeerMessage & { readonly kind: 'blocks' }): boolean {
    const { time, seen } = this.#world;
    seen.dribbles += 1;
    time.after(5_000 + this.#prng.below(2_000), () =>
      this.#world.send(this, to, { ...message, blocks: message.blocks.slice(0, 1) }),
    );
    return true;
  }

  #append(wal: Wal, entry: Uint8Array): void {
    wal.append(entry);
    if (!this.isHonest || kindOf(entry) !== voteKind) return;
    const decoded = decodeWalEntry(entry);
    if (decoded.kind === 'vote' && decoded.vote.validator === this.address)
      this.#world.observer.voteWritten(decoded.vote);
  }

  /** Own signatures as they leave; what is passed on was seen before. */
  #observe(message: PeerMessage): void {
    try {
      this.#ownMessages.leaves(message);
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      this.failure ??= error;
    }
  }
}

const isHonest = (station: Station): boolean => station instanceof SimulatedNode && station.isHonest;

const describe = (error: PrimeError): string => `${error.code}: ${error.message}\n${error.stack}`;
