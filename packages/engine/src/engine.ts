import type {
  ActionPayload,
  Block,
  BlockCheck,
  CommitCertificate,
  ExecutableBlock,
  ExecutionStatus,
  Genesis,
  ValidatorSet,
  VerifiedTransaction,
} from '@prime/codec';
import { genesisHash } from '@prime/codec';
import {
  advanceProposer,
  createConsensus,
  type TimeoutConfig,
  validatorsFromGenesis,
  verifyCommitCertificate,
} from '@prime/consensus';
import type { CryptoProvider } from '@prime/crypto';
import type { Mempool } from '@prime/mempool';
import type { Address, Hash, Height, Round, TimestampMs } from '@prime/primitives';
import { createBlockBuilder, selectBody } from './blockBuilder.ts';
import { type HeightContext, mayVouch } from './blockRules.ts';
import { type BlockAssembler, createBlockAssembler, verifyWholeBlock } from './candidates.ts';
import { type CatchUp, createCatchUp } from './catchUp.ts';
import { applyDecided, type DecidedContext } from './decided.ts';
import { EngineError } from './errors.ts';
import { FutureMessages } from './futureMessages.ts';
import { HeightHost } from './heightHost.ts';
import { createIntake, type Intake } from './intake.ts';
import type { EngineLog } from './log.ts';
import { createPacing, type Pacing } from './pacing.ts';
import type {
  AccountReader,
  BlockStore,
  Clock,
  Execution,
  MessageSigner,
  Peer,
  PeerEvents,
  PeerMessage,
  PeerNetwork,
  SignStateStore,
  StoredBlock,
  Verifier,
  Wal,
} from './ports.ts';
import { serveBlocks, serveBodies } from './serving.ts';
import { createGuardedSigner, type GuardedSigner, type SigningDomain } from './signing.ts';

export interface EngineOptions {
  readonly genesis: Genesis;
  readonly timeouts: TimeoutConfig;
  /** Own validator address; null on a follower. */
  readonly self: Address | null;
  /** The hot key; null on a follower. */
  readonly signer: MessageSigner | null;
  readonly provider: CryptoProvider;
  readonly mempool: Mempool;
  readonly ports: EnginePorts;
  readonly log: EngineLog;
  readonly metrics: EngineMetrics;
  /** The engine can not go on: the process must end. */
  readonly onFatal: (error: unknown) => void;
}

export interface EnginePorts {
  readonly wal: Wal;
  readonly signState: SignStateStore;
  readonly blocks: BlockStore;
  readonly execution: Execution;
  readonly accounts: AccountReader;
  readonly verifier: Verifier;
  readonly network: PeerNetwork;
  readonly clock: Clock;
}

/** What the engine counts; fed to shared memory by the host. */
export interface EngineMetrics {
  committed(block: Block, round: Round): void;
  round(height: Height, round: Round): void;
}

export interface NetworkStatus {
  readonly head: Height;
  /** Height at which this process began to catch up; null when it is not behind. */
  readonly syncing: {
    readonly startingBlock: Height;
    readonly currentBlock: Height;
    readonly highestBlock: Height;
  } | null;
  readonly peers: readonly Peer[];
  readonly validators: ValidatorSet;
  readonly height: Height;
  readonly round: Round;
  readonly self: Address | null;
  readonly active: boolean;
}

/** How often a node says where it stands, ms; also the pace at which a stuck height is helped along. */
const statusIntervalMs = 1_000;
/** A height that lasts longer than this may have lost messages: what peers may lack is sent to them again, ms. */
const helpAfterMs = 300;

/**
 * The consensus engine of a node: decides heights one after the other, makes decided blocks durable and executed, and feeds the
 * mempool. All I/O goes through its ports.
 */
export class Engine implements PeerEvents {
  readonly #options: EngineOptions;
  readonly #domain: SigningDomain;
  readonly #signer: GuardedSigner | null;
  readonly #assembler: BlockAssembler;
  readonly #intake: Intake;
  readonly #pacing: Pacing;
  readonly #catchUp: CatchUp;
  readonly #future = new FutureMessages();
  readonly #build: ReturnType<typeof createBlockBuilder>;
  #head: ExecutionStatus | null = null;
  #parentTimestampMs = 0 as TimestampMs;
  #lastCommit: CommitCertificate | null = null;
  #parentHadWork = false;
  #parentValidators: ValidatorSet | null = null;
  #validators: ValidatorSet;
  #host: HeightHost | null = null;
  #hostSinceMs = 0;
  #tail: Promise<void> = Promise.resolve();
  #cancelStatus: () => void = () => undefined;
  #syncStart: Height | null = null;
  #stopped = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    const { genesis, mempool, ports, signer, self, onFatal } = options;
    const { clock, network, verifier } = ports;
    this.#domain = { chainId: genesis.chainId, genesisHash: genesisHash(genesis) };
    this.#validators = validatorsFromGenesis(genesis.validators);
    this.#signer =
      signer === null || self === null
        ? null
        : createGuardedSigner({ domain: this.#domain, validator: self, signer, store: ports.signState });
    const send = (to: Address, message: PeerMessage): boolean => network.send(to, message);
    const peers = (): Address[] => network.peers().map(({ address }) => address);
    this.#assembler = createBlockAssembler({ known: mempool, verifier, clock, peers, send });
    this.#build = createBlockBuilder({ mempool, clock, proposer: self });
    this.#pacing = createPacing(genesis.consensus, clock, () => this.#host?.start());
    this.#intake = createIntake({
      chainId: genesis.chainId,
      mempool,
      accounts: ports.accounts,
      verifier,
      clock,
      gatewaySigner: genesis.actions === 'open' ? signer : null,
      mayVouch: (action) => mayVouch(action, this.#context()),
      broadcast: (message) => network.broadcast(message),
      onWork: () => this.#pacing.onWork(),
      onFatal,
    });
    this.#catchUp = createCatchUp({
      clock,
      head: () => this.head,
      send,
      apply: (from, blocks) => this.#applyFromPeer(from, blocks),
      onFatal,
    });
  }

  get head(): Height {
    return this.#head?.height ?? (0 as Height);
  }

  /**
   * Brings execution up to the stored blocks, replays the log of the height in progress and begins to take part.
   *
   * @throws EngineError `ENGINE_STORE_BEHIND`, `ENGINE_DIVERGED`, `ENGINE_STORE_CORRUPT`
   */
  async start(): Promise<void> {
    const { wal, clock } = this.#options.ports;
    await this.#recover();
    const log = wal.replay();
    const height = this.head + 1;
    if (log !== null && log.height === height) {
      const host = this.#openHost();
      await host.replay(log.entries);
      this.#options.log.info('replayed the log', { height, entries: log.entries.length });
      if (!host.started) this.#pacing.begin(this.#hasWork());
    } else this.#beginHeight();
    const tick = (): void => {
      this.#tellStatus();
      this.#ensureHost();
      this.#cancelStatus = clock.after(statusIntervalMs, tick);
    };
    tick();
  }

  /** Stops taking part; waits for a block that is being made durable. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelStatus();
    this.#pacing.stop();
    this.#catchUp.stop();
    this.#host?.stop();
    await this.#tail;
  }

  submitTransaction(raw: Uint8Array): Promise<Hash> {
    return this.#intake.submitTransaction(raw);
  }

  submitAction(account: Address, payload: ActionPayload): Promise<Hash> {
    return this.#intake.submitAction(account, payload);
  }

  status(): NetworkStatus {
    const { self, ports } = this.#options;
    const highest = this.#catchUp.highest();
    const head = this.head;
    const syncing =
      this.#syncStart !== null && highest > head
        ? { startingBlock: this.#syncStart, currentBlock: head, highestBlock: highest }
        : null;
    const active = self !== null && this.#validators.validators.some(({ address }) => address === self);
    return {
      head,
      syncing,
      peers: ports.network.peers(),
      validators: this.#validators,
      height: (head + 1) as Height,
      round: this.#host?.machine.state.round ?? (0 as Round),
      self,
      active,
    };
  }

  /** EVM transactions that a block proposed now would hold, in order. */
  nextTransactions(): readonly VerifiedTransaction[] {
    return selectBody(this.#options.mempool, this.#context()).transactions;
  }

  onPeerConnected(peer: Peer): void {
    const { network } = this.#options.ports;
    network.send(peer.address, this.#statusMessage());
    this.#host?.help(peer.address);
    this.#intake.offer((message) => network.send(peer.address, message));
  }

  onPeerDisconnected(peer: Peer): void {
    this.#catchUp.onPeerGone(peer.address);
  }

  onMessage(from: Address, message: PeerMessage): void {
    if (this.#stopped) return;
    switch (message.kind) {
      case 'vote':
        return this.#onConsensus(from, message, message.vote.height);
      case 'voteCertificate':
        return this.#onConsensus(from, message, message.votes[0]?.height ?? (0 as Height));
      case 'proposal':
        return this.#onConsensus(from, message, message.proposal.height);
      case 'bodiesRequest':
        if (message.hashes.length === 0) return this.#host?.sendProposal(from, message.blockHash);
        return serveBodies(this.#options, this.#host?.candidate(message.blockHash) ?? null, from, message);
      case 'bodies':
        return this.#assembler.onBodies(from, message);
      case 'transactions':
      case 'actions':
        return this.#intake.onGossip(message, this.#roleOf(from) !== 'validator');
      case 'status':
        return this.#onStatus(from, message);
      case 'blocksRequest':
        return serveBlocks(this.#options.ports, from, message);
      case 'blocks':
        return this.#catchUp.onBlocks(from, message);
    }
  }

  #roleOf(address: Address): Peer['role'] | null {
    return this.#options.ports.network.peers().find((peer) => peer.address === address)?.role ?? null;
  }

  #onConsensus(
    from: Address,
    message: PeerMessage & { readonly kind: 'vote' | 'voteCertificate' | 'proposal' },
    height: Height,
  ): void {
    const current = this.head + 1;
    if (height === current + 1 || (height === current && this.#host === null))
      return this.#future.add(height, from, message, this.#validators.validators.length);
    if (height !== current || this.#host === null) return;
    this.#deliver(this.#host, from, message);
    this.#pacing.onPeerActivity();
  }

  #deliver(host: HeightHost, from: Address, message: PeerMessage): void {
    if (message.kind === 'vote') host.onVote(from, message.vote);
    else if (message.kind === 'voteCertificate') host.onCertificate(from, message.votes);
    else if (message.kind === 'proposal') host.onProposal(from, message);
  }

  #onStatus(from: Address, message: PeerMessage & { readonly kind: 'status' }): void {
    this.#catchUp.onPeerHead(from, message.head);
    const lasting = this.#options.ports.clock.monotonicMs() - this.#hostSinceMs > helpAfterMs;
    if (message.head === this.head && lasting) this.#host?.help(from);
  }

  #statusMessage(): PeerMessage {
    const round = this.#host?.machine.state.round ?? (0 as Round);
    return { kind: 'status', height: (this.head + 1) as Height, round, head: this.head };
  }

  #tellStatus(): void {
    this.#options.ports.network.broadcast(this.#statusMessage());
  }

  /** Re-executes what the state lacks, then checks that blocks and signatures fit together. */
  async #recover(): Promise<void> {
    const { execution, blocks, signState } = this.#options.ports;
    const status = await execution.status();
    const stored = blocks.head();
    const signed = signState.read()?.height ?? (0 as Height);
    if (status.height > stored || signed > stored + 1)
      throw new EngineError(
        `blocks end at ${stored}, but the state is at ${status.height} and signatures are at ${signed}: restored from an older backup?`,
        { code: 'ENGINE_STORE_BEHIND', blocks: stored, state: status.height, signed },
      );
    this.#setHead(status, status.height === 0 ? null : blocks.get(status.height));
    while (this.head < stored) {
      const next = blocks.get((this.head + 1) as Height);
      if (next === null) throw corrupt(`block ${this.head + 1} is missing below the head ${stored}`);
      await this.#apply(next, false);
    }
  }

  #setHead(head: ExecutionStatus, stored: StoredBlock | null): void {
    const { blocks } = this.#options.ports;
    this.#head = head;
    const genesisTime = this.#options.genesis.timestampMs;
    this.#parentTimestampMs = stored?.block.header.timestampMs ?? genesisTime;
    this.#lastCommit = stored?.certificate ?? null;
    this.#parentHadWork = stored !== null && stored.block.transactions.length + stored.block.actions.length > 0;
    if (head.height === 0) return;
    this.#parentValidators =
      head.height === 1 ? validatorsFromGenesis(this.#options.genesis.validators) : blocks.validators(head.height);
    const validators = blocks.validators((head.height + 1) as Height);
    if (validators === null) throw corrupt(`no validator set is stored for height ${head.height + 1}`);
    this.#validators = validators;
  }

  #context(): HeightContext {
    const { genesis } = this.#options;
    if (this.#head === null) throw new Error('the engine was not started');
    return {
      chainId: genesis.chainId,
      head: this.#head,
      parentTimestampMs: this.#parentTimestampMs,
      gasLimit: genesis.evm.gasLimit,
      params: genesis.consensus,
      openActions: genesis.actions === 'open',
      validators: this.#validators,
      nextValidators: advanceProposer(this.#validators),
    };
  }

  /** The certificate that a block carries must be one of its parent. */
  #checkLastCommit = (certificate: CommitCertificate | null): BlockCheck => {
    const refuse = (reason: string): BlockCheck => ({ ok: false, diverged: false, reason });
    if (this.#parentValidators === null || this.#head === null)
      return certificate === null ? { ok: true } : refuse('block 1 carries a certificate');
    if (certificate === null) return refuse('the certificate of the parent is missing');
    const { height, hash } = this.#head;
    if (certificate.height !== height || certificate.blockHash !== hash)
      return refuse(`the certificate is for height ${certificate.height}, not for the parent`);
    const { provider } = this.#options;
    const verdict = verifyCommitCertificate(certificate, this.#parentValidators, { ...this.#domain, provider });
    return verdict.ok ? { ok: true } : refuse(`the certificate of the parent is invalid: ${verdict.refusal.code}`);
  };

  #openHost(): HeightHost {
    const { self, provider, ports, log, onFatal, timeouts, metrics } = this.#options;
    const context = this.#context();
    const height = (this.head + 1) as Height;
    const machine = createConsensus({ validatorSet: this.#validators, height, self: this.#signer && self, timeouts });
    this.#hostSinceMs = ports.clock.monotonicMs();
    this.#host = new HeightHost({
      ...ports,
      context,
      machine,
      self,
      domain: this.#domain,
      provider,
      signer: this.#signer,
      assembler: this.#assembler,
      lastCommit: this.#lastCommit,
      checkLastCommit: this.#checkLastCommit,
      build: this.#build,
      verifyBlock: (block) => this.#verifyOwnBlock(block),
      onDecide: (certificate, block) => this.#onDecide(certificate, block),
      onRound: (round) => metrics.round(height, round),
      log,
      onFatal,
    });
    return this.#host;
  }

  #beginHeight(): void {
    if (this.#stopped) return;
    const height = (this.head + 1) as Height;
    this.#options.ports.wal.beginHeight(height);
    const host = this.#openHost();
    this.#pacing.begin(this.#hasWork());
    const early = this.#future.take(height);
    if (early.length > 0) this.#pacing.onPeerActivity();
    for (const { from, message } of early) this.#deliver(host, from, message);
  }

  #hasWork(): boolean {
    return this.#parentHadWork || this.#options.mempool.hasExecutable();
  }

  /** Takes part again after blocks were fetched and nobody is ahead any more. */
  #ensureHost(): void {
    if (this.#stopped || this.#host !== null || this.#advancing > 0 || this.#catchUp.highest() > this.head) return;
    this.#syncStart = null;
    this.#beginHeight();
  }

  #advancing = 0;
  /** One block at a time moves the head. */
  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    this.#advancing += 1;
    const result = this.#tail.then(work).finally(() => {
      this.#advancing -= 1;
    });
    this.#tail = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  #onDecide(certificate: CommitCertificate, executable: ExecutableBlock): void {
    const { metrics, onFatal } = this.#options;
    this.#host?.stop();
    this.#pacing.stop();
    this.#inOrder(async () => {
      const { block, hash } = executable;
      if (block.header.height !== this.head + 1) return;
      await this.#commit({ block, hash, certificate }, executable, true);
      metrics.committed(block, certificate.round);
      this.#beginHeight();
      this.#tellStatus();
      this.#catchUp.onHead(this.head);
    }).catch(onFatal);
  }

  /** Durable first, then executed for good, then visible. */
  async #commit(stored: StoredBlock, executable: ExecutableBlock, append: boolean): Promise<void> {
    const { blocks, execution } = this.#options.ports;
    if (append) await blocks.append(stored, advanceProposer(this.#validators));
    const outcome = await execution.commit(stored.hash, stored.certificate);
    this.#host = null;
    this.#setHead(outcome, stored);
    this.#options.mempool.onCommit({
      transactions: executable.transactions.map(({ hash }) => hash),
      actions: executable.actions.map(({ hash }) => hash),
      accounts: outcome.accounts,
      nextBaseFee: outcome.nextBaseFee,
      timestampMs: stored.block.header.timestampMs,
    });
  }

  async #verifyOwnBlock(block: Block): Promise<ExecutableBlock> {
    const whole = await verifyWholeBlock(this.#options.ports.verifier, block);
    if (whole.kind !== 'block') throw corrupt('a stored block has an invalid transaction');
    return whole.executable;
  }

  /** Verifies and commits a block that others decided. */
  async #apply(stored: StoredBlock, append: boolean): Promise<void> {
    const context: DecidedContext = {
      height: this.#context(),
      domain: this.#domain,
      provider: this.#options.provider,
      checkLastCommit: this.#checkLastCommit,
      execution: this.#options.ports.execution,
      verifier: this.#options.ports.verifier,
    };
    const executable = await applyDecided(stored, context);
    await this.#commit(stored, executable, append);
  }

  #applyFromPeer(from: Address, blocks: readonly StoredBlock[]): Promise<boolean> {
    const { log, ports } = this.#options;
    return this.#inOrder(async () => {
      for (const stored of blocks) {
        if (this.#stopped) return true;
        if (stored.block.header.height !== this.head + 1) continue;
        this.#syncStart ??= this.head;
        this.#host?.stop();
        this.#pacing.stop();
        try {
          await this.#apply(stored, true);
        } catch (error) {
          if (!isPeerFault(error)) throw error;
          log.warn('a peer sent a wrong block', { peer: from, height: this.head + 1, reason: String(error) });
          ports.network.punish(from, 'wrong block');
          this.#host = null;
          return false;
        }
      }
      return true;
    }).then((good) => {
      if (this.#host === null) this.#ensureHost();
      this.#tellStatus();
      return good;
    });
  }
}

const corrupt = (reason: string): EngineError => new EngineError(reason, { code: 'ENGINE_STORE_CORRUPT', reason });

/** A certificate or form error blames the peer; a certified block that breaks the rules stops the node. */
const isPeerFault = (error: unknown): boolean => (error as { code?: unknown }).code === 'ENGINE_UNCERTIFIED_BLOCK';
