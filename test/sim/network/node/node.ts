import { type ActionPayload, nativeTransactionHash } from '@prime/codec';
import { publicKeyToAddress } from '@prime/crypto';
import { type Peer, type PeerEvents, type PeerMessage, ValidatorRoster } from '@prime/engine';
import { type Address, type Hash, type Height, isPrimeError, type PrimeError, type Prng } from '@prime/primitives';
import { Violation } from '../../observer.ts';
import type { Program } from '../scenario/upgrade.ts';
import { short, type World } from '../world.ts';
import { NodeDisk } from './disk.ts';
import type { TrustedBlock } from './joining.ts';
import type { NodeOptions } from './nodeOptions.ts';
import { OwnMessages } from './ownMessages.ts';
import { NodeProcess, type ProcessNode } from './process.ts';
import type { Hello } from './sessions.ts';

/** A node of the simulated network: its home, and the process that runs there now. */
export class SimulatedNode implements ProcessNode {
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
  /** null before the first start. */
  #process: NodeProcess | null = null;

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
    return (this.#process?.events ?? null) !== null;
  }

  /** Whether the process runs, ready or not. */
  get isAlive(): boolean {
    return this.#process?.isAlive === true;
  }

  get height(): number {
    return this.disk.head;
  }

  start(): void {
    const process = new NodeProcess(this.#world, this, this.#options, this.#prng);
    this.#process = process;
    this.hasBegun = true;
    this.#world.note(this.label, () => `starts at block ${this.height}`);
    process.boot().catch((error: unknown) => this.onError(process, error));
  }

  /** The newest first. */
  get ownKeys(): readonly Address[] {
    const { keys, provider } = this.#world;
    return (keys.get(this.address) ?? []).map((key) => publicKeyToAddress(provider.publicKey(key))).toReversed();
  }

  /** SessionEnd */
  hello(): Hello {
    const held = this.ownKeys;
    const registered = this.role === 'validator' ? this.roster.signersOf(this.address) : [];
    const signer = registered.find((key) => held.includes(key)) ?? held.at(-1) ?? this.address;
    return { address: this.address, role: this.role, height: this.height as Height, signers: [signer] };
  }

  /** The home is as that of another one is now, whose process is gone. */
  copyHome(other: SimulatedNode): void {
    this.disk.copyFrom(other.disk);
    this.#world.note(this.label, () => `is a copy of ${other.label} at block ${this.height}`);
  }

  /** The process is gone. @param isPowerCut with what was not synced */
  crash(isPowerCut: boolean): void {
    this.#process?.end();
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
    const process = this.#process;
    const hash = await this.#answerOf(process, process?.engine?.submitAction(account, payload));
    // A key that vouched for an action may be exchanged before a block takes the action. Without a block nothing tells a clock that it is wrong.
    if (hash !== null) this.#world.timing?.onSubmitted(this, hash);
    const { membership, departure } = this.#world.options;
    const isPromised = !membership && departure === null && !(this.hasWrongClock && this.height === 0);
    if (hash !== null && process?.isAlive === true && isPromised) this.accepted.push(hash);
    return hash;
  }

  /** A signed transaction of a client of this node. @returns its hash; null when the node refuses */
  submitTransaction(raw: Uint8Array): Promise<Hash | null> {
    return this.#answerOf(this.#process, this.#process?.engine?.submitTransaction(raw));
  }

  /** The action where it waits for a block here; for reports. */
  waits(hash: Hash): string {
    const action = this.#process?.mempool?.action(hash) ?? null;
    if (action === null) return `${this.label} does not have it`;
    const { payload, nonce, expiresAt } = action.transaction;
    return `${this.label} has ${payload.type} with nonce ${nonce}, expires ${expiresAt}`;
  }

  nonceOf(address: Address): number {
    return this.#process?.nonceOf(address) ?? 0;
  }

  /** A node that is starting, full or just ending refuses. */
  async #answerOf(process: NodeProcess | null, answer: Promise<Hash> | undefined): Promise<Hash | null> {
    try {
      return (await answer) ?? null;
    } catch (error) {
      if (!isPrimeError(error)) this.onError(process, error);
      return null;
    }
  }

  listener(): (from: Address, message: PeerMessage) => void {
    const process = this.#process;
    return (from, message) => {
      try {
        process?.events?.onMessage(from, message);
      } catch (error) {
        this.onError(process, error);
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
    const process = this.#process;
    if (process === null || process.events === null) return;
    try {
      work(process.events);
    } catch (error) {
      this.onError(process, error);
    }
  }

  onError(process: NodeProcess | null, error: unknown): void {
    if (process?.isAlive !== true) return;
    process.end();
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

  onLog(message: string): void {
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

  onCommitted(height: number): void {
    const { timing } = this.#world;
    const stored = this.disk.block(height);
    if (timing !== null && stored !== null)
      timing.onCommitted(this, stored, stored.block.actions.map(nativeTransactionHash));
    this.#world.note(this.label, () => `commits block ${height} ${short(this.disk.block(this.height)?.hash ?? null)}`);
  }

  /** Own signatures as they leave; what is passed on was seen before. */
  observe(message: PeerMessage): void {
    try {
      this.#ownMessages.leaves(message);
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      this.failure ??= error;
    }
  }
}

const describe = (error: PrimeError): string => `${error.code}: ${error.message}\n${error.stack}`;
