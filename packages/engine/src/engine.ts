import {
  type ActionPayload,
  type CommitCertificate,
  type ExecutableBlock,
  genesisHash,
  type VerifiedTransaction,
} from '@prime/codec';
import { createConsensus } from '@prime/consensus';
import { type Address, type Hash, type Height, type Round, SerialQueue } from '@prime/primitives';
import { createBlockBuilder, selectBody } from './blockBuilder.ts';
import { type BlockRoom, blockRoomOf } from './blockRoom.ts';
import { type BlockAssembler, createBlockAssembler } from './candidates.ts';
import { ChainTip } from './chainTip.ts';
import { ConsensusInbox } from './consensusInbox.ts';
import { applyDecided, commitDecided, type DecidedContext, decidedContext } from './decided.ts';
import type { EngineOptions } from './engineOptions.ts';
import { EvidencePool } from './evidencePool.ts';
import { dumpHeight, type HeightDump } from './heightDump.ts';
import { HeightHost } from './heightHost.ts';
import { Membership } from './membership.ts';
import { type NetworkStatus, networkStatus } from './networkStatus.ts';
import { OwnSigning } from './ownSigning.ts';
import { createPacing, type Pacing } from './pacing.ts';
import { PeerAllowance } from './peerAllowance.ts';
import type { CommitOutcome, Peer, PeerEvents, PeerMessage, SignStateRecord, StoredBlock } from './ports.ts';
import { compareOffers, ProtocolGate } from './protocol.ts';
import { recoverBlocks, replayable, verifyOwnBlock } from './recovery.ts';
import { SentryPaths } from './sentryPaths.ts';
import { Serving } from './serving.ts';
import { resumptionOf, type SigningDomain } from './signing.ts';
import { unlogged } from './walEntry.ts';
import { applyReceived } from './sync/applyReceived.ts';
import { StatusTeller } from './statusTeller.ts';
import { createSubmission, isSubmissionMessage, type Submission } from './submission.ts';
import { createVerifiedItems } from './verifiedItems.ts';
import { rememberVerified, type RememberingProvider } from './verifiedSignatures.ts';
import { BlockSync, type ReceivedBlock, type WrongBlock } from './sync/blockSync.ts';
import { listenersOf } from './sync/headWatch.ts';
import { createSanctions } from './sync/sanctions.ts';

/** How often a node says where it stands, ms; also the pace at which a stuck height is helped along. */
const statusIntervalMs = 1_000;
/** A height that lasts longer than this may have lost messages: what peers may lack is sent to them again, ms. */
const helpAfterMs = 300;
/** How often in a second a peer is helped along; an honest one says once where it stands. */
const helpsPerSecond = 4;

/**
 * The consensus engine of a node: decides heights one after the other, makes decided blocks durable and executed, and feeds the
 * mempool. All I/O goes through its ports.
 */
export class Engine implements PeerEvents {
  readonly #options: EngineOptions & { readonly provider: RememberingProvider };
  readonly #domain: SigningDomain;
  readonly #protocol: ProtocolGate;
  readonly #signing: OwnSigning;
  readonly #membership: Membership;
  readonly #assembler: BlockAssembler;
  readonly #submission: Submission;
  readonly #pacing: Pacing;
  readonly #sync: BlockSync;
  readonly #inbox: ConsensusInbox;
  readonly #paths: SentryPaths;
  readonly #tip: ChainTip;
  readonly #helps = new PeerAllowance(helpsPerSecond);
  readonly #serving: Serving;
  readonly #room: BlockRoom;
  readonly #build: ReturnType<typeof createBlockBuilder>;
  readonly #evidence: EvidencePool;
  readonly #teller: StatusTeller;
  #host: HeightHost | null = null;
  #hostSinceMs = 0;
  /** One block at a time moves the head. */
  readonly #headMoves = new SerialQueue();
  #cancelStatus: () => void = () => undefined;
  readonly #replay = { isOn: false, signerCame: false };
  #stopped = false;

  constructor(given: EngineOptions) {
    const items = createVerifiedItems({ ...given, ...given.ports });
    const ports = { ...given.ports, verifier: items.verifier };
    const options = { ...given, ports, provider: rememberVerified(given.provider) };
    this.#options = options;
    const { genesis, mempool } = options;
    const { clock, network } = ports;
    this.#serving = new Serving(options);
    this.#domain = { chainId: genesis.chainId, genesisHash: genesisHash(genesis) };
    this.#protocol = new ProtocolGate({ ...options, blocks: ports.blocks });
    this.#tip = new ChainTip({ ...options, ...ports, protocol: this.#protocol.schedule, domain: this.#domain });
    this.#paths = new SentryPaths(options, network);
    this.#membership = new Membership({ ...options, tip: this.#tip, domain: this.#domain });
    this.#evidence = new EvidencePool({
      ...ports,
      log: options.log,
      head: () => this.head,
      bytesMax: () => this.#protocol.evidenceBytesMax(this.head),
      onFatal: this.#failUnlessStopped,
    });
    const members = { tip: this.#tip, membership: this.#membership };
    this.#inbox = new ConsensusInbox({
      ...members,
      paths: this.#paths,
      evidence: this.#evidence,
      host: () => this.#host,
      isMovingHead: () => this.#headMoves.size > 0,
      onActivity: () => this.#pacing.onPeerActivity(),
    });
    const send = (to: Address, message: PeerMessage): boolean => network.send(to, message);
    const peers = (): Address[] => network.peers().map(({ address }) => address);
    const waiting = (hash: Hash): Uint8Array | null => this.#submission.intake.waiting(hash);
    this.#assembler = createBlockAssembler({ items, waiting, clock, peers, send });
    this.#room = blockRoomOf(genesis, options.timeouts, { clock, log: options.log });
    this.#build = createBlockBuilder({ mempool, clock, room: this.#room });
    this.#teller = new StatusTeller(clock, () => network.broadcast(this.#statusMessage()));
    this.#pacing = createPacing({
      params: genesis.consensus,
      clock,
      start: () => this.#host?.start(),
    });
    this.#submission = createSubmission({
      ...options,
      ...ports,
      ...members,
      items,
      paths: this.#paths,
      onWork: () => this.#pacing.onWork(),
      onFatal: this.#failUnlessStopped,
    });
    this.#sync = new BlockSync({
      clock,
      head: () => this.head,
      send,
      ...createSanctions({ ...options, network, tip: this.#tip }),
      apply: (blocks) => this.#applyReceived(blocks),
      onFatal: (error) => this.#fail(error),
      log: options.log,
      listeners: listenersOf({ ...members, network }),
    });
    this.#signing = new OwnSigning({
      ...options,
      blocks: ports.blocks,
      signState: ports.signState,
      ...members,
      domain: this.#domain,
      highest: () => this.#sync.highest(),
      onFatal: (error) => this.#fail(error),
    });
  }

  get head(): Height {
    return this.#tip.height;
  }

  /**
   * Brings execution up to the stored blocks, replays the log of the height in progress and begins to take part.
   *
   * @throws EngineError `ENGINE_STORE_BEHIND`, `ENGINE_DIVERGED`, `ENGINE_STORE_CORRUPT`, `ENGINE_UPGRADE_NEEDED`,
   * `ENGINE_VERSION_MISMATCH`, `ENGINE_HALT_HEIGHT`
   */
  async start(): Promise<void> {
    const { ports, log } = this.#options;
    await recoverBlocks({ ...ports, log, tip: this.#tip, apply: this.#applyStored });
    this.#sync.onHead();
    this.#protocol.checkStart(this.head);
    this.#signing.lookBack();
    const height = (this.head + 1) as Height;
    const entries = await replayable(ports.wal.replay(), height, () => this.#signing.newestHere(), this.#tip, ports);
    if (entries !== null) {
      const host = this.#openHost(null);
      this.#replay.isOn = true;
      await host.replay(entries);
      this.#replay.isOn = false;
      log.info('replayed the log', { height, entries: entries.length });
      if (!host.started) this.#pacing.begin(height, this.#hasWork());
      if (this.#replay.signerCame) this.#takeUp();
    } else this.#beginHeight();
    const tick = (): void => {
      this.#teller.tell();
      this.#signing.consider();
      this.#ensureHost();
      this.#submission.intake.remind();
      this.#evidence.remind();
      this.#sync.remind();
      this.#cancelStatus = ports.clock.after(statusIntervalMs, tick);
    };
    tick();
  }

  /** Stops taking part; waits for a block that is being made durable. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelStatus();
    this.#teller.stop();
    this.#pacing.stop();
    this.#sync.stop();
    this.#host?.stop();
    await this.#headMoves.idle();
  }

  /** Execution and the pool of verifiers end with the node; what waits for them then is nobody's failure. */
  readonly #failUnlessStopped = (error: unknown): void => (this.#stopped ? undefined : this.#fail(error));

  /** Nothing is signed, sent or decided any more. */
  #fail(error: unknown): void {
    // What it waits for is not waited for here: the process ends.
    this.stop().catch(() => undefined);
    this.#options.onFatal(error);
  }

  readonly submitTransaction = (raw: Uint8Array): Promise<Hash> => this.#submission.intake.submitTransaction(raw);

  readonly submitReadyTransaction = (raw: Uint8Array) => this.#submission.intake.submitReadyTransaction(raw);

  readonly submitAction = (account: Address, payload: ActionPayload): Promise<Hash> =>
    this.#submission.submitAction(account, payload);

  status(): NetworkStatus {
    return networkStatus({
      tip: this.#tip,
      protocol: this.#protocol.schedule,
      isReachable: (validator) => this.#paths.isPresent(validator, this.head),
      peers: this.#options.ports.network.peers(),
      self: this.#membership.own()?.validator ?? null,
      signing: this.#signing.standing,
      round: this.#host?.machine.state.round ?? (0 as Round),
      standing: this.#sync.standing(),
      highest: this.#sync.highest(),
    });
  }

  /** The height in progress; null while a decided block is executed, or blocks are fetched. */
  readonly dump = (): HeightDump | null => this.#host && dumpHeight(this.#host);

  /** EVM transactions that a block proposed now would hold, in order. */
  nextTransactions(): readonly VerifiedTransaction[] {
    const taken = { evidenceBytes: 0, room: this.#room };
    return selectBody(this.#options.mempool, this.#tip.context(), taken).transactions;
  }

  onPeerConnected(peer: Peer): void {
    const { network } = this.#options.ports;
    this.#inbox.proposers.heard(peer.address);
    compareOffers(this.#protocol.schedule, this.head, peer, this.#options.log);
    network.send(peer.address, this.#statusMessage());
    this.#host?.help(peer.address);
    this.#submission.intake.offer((message) => network.send(peer.address, message));
  }

  onPeerDisconnected(peer: Peer): void {
    this.#sync.onPeerGone(peer.address);
    this.#signing.onPeerGone(peer.address);
    this.#submission.onPeerGone(peer.address);
    this.#helps.forget(peer.address);
    this.#serving.onPeerGone(peer.address);
  }

  readonly onIdentityInUse = ({ address }: Peer): void => this.#signing.onIdentityInUse(address);

  onMessage(from: Address, message: PeerMessage): void {
    if (this.#stopped) return;
    if (isSubmissionMessage(message)) return this.#submission.onMessage(from, message);
    switch (message.kind) {
      case 'vote':
      case 'voteCertificate':
      case 'proposal':
        return this.#inbox.receive(from, message);
      case 'bodiesRequest':
        return this.#serving.onBodiesRequest(from, message, this.#host);
      case 'evidence':
        return this.#evidence.onGossip(from, message.evidence);
      case 'bodies':
        return this.#assembler.onBodies(from, message);
      case 'status':
        return this.#onStatus(from, message);
      case 'blocksRequest':
      case 'headersRequest':
      case 'snapshotsRequest':
      case 'chunkRequest':
        return this.#serving.onKeptRequest(from, message);
      case 'blocks':
        return this.#sync.onBlocks(from, message);
      default:
        // Answers to a state sync that is over.
        return undefined;
    }
  }

  #onStatus(from: Address, message: PeerMessage & { readonly kind: 'status' }): void {
    this.#signing.onClaim(from, message.head);
    this.#sync.onPeerClaim(from, message.base, message.head);
    this.#signing.consider();
    const nowMs = this.#options.ports.clock.monotonicMs();
    const lasting = nowMs - this.#hostSinceMs > helpAfterMs;
    if (message.head === this.head && lasting && this.#helps.take(from, nowMs)) this.#host?.help(from);
  }

  #statusMessage(): PeerMessage {
    const round = this.#host?.machine.state.round ?? (0 as Round);
    const base = Math.min(this.#options.ports.blocks.base(), this.head + 1) as Height;
    return { kind: 'status', height: (this.head + 1) as Height, round, head: this.head, base };
  }

  /** @param resume newest signature, of this very height, where its log is gone */
  #openHost(resume: SignStateRecord | null): HeightHost {
    const { provider, ports, log, timeouts, metrics, stages } = this.#options;
    const own = this.#signing.taking();
    const self = own?.validator ?? null;
    const height = (this.head + 1) as Height;
    const machine = createConsensus({
      validatorSet: this.#tip.validators,
      height,
      self,
      timeouts,
      ...(resume !== null && { resume: resumptionOf(resume) }),
    });
    this.#hostSinceMs = ports.clock.monotonicMs();
    // Nothing is spread first and then added to: it would be of another hidden class each time (ADR 131).
    const host: HeightHost = new HeightHost({
      clock: ports.clock,
      network: ports.network,
      execution: ports.execution,
      wal: resume === null ? ports.wal : unlogged,
      firstRound: resume === null ? (0 as Round) : resume.round,
      context: this.#tip.context(),
      protocol: this.#protocol.schedule,
      machine,
      self,
      domain: this.#domain,
      provider,
      signer: own && this.#signing.signerOf(own, () => !host.stopped),
      proposers: this.#inbox.proposers,
      assembler: this.#assembler,
      lastCommit: () => this.#membership.lastCommit(),
      checkLastCommit: this.#tip.checkLastCommit,
      build: this.#build,
      evidence: this.#evidence,
      verifyBlock: (block) => verifyOwnBlock(ports.verifier, block),
      onDecide: (certificate, block) => this.#onDecide(certificate, block),
      onVerified: (message, author) => this.#paths.onVerified(message, author, height),
      mayReach: (validator) => this.#paths.mayReach(validator, height),
      onRound: (round) => metrics.round(height, round),
      stages,
      onVoteHeard: (vote) => this.#signing.onVoteHeard(vote),
      onVoteSigned: (vote) => this.#membership.noteSigned(vote, provider),
      log,
      onFatal: this.#failUnlessStopped,
    });
    this.#host = host;
    return host;
  }

  /**
   * The remote signer was reached. What it signed last counts here as well, and a height that goes on without this validator is taken
   * up again.
   *
   * @param newest null when it never signed
   */
  onSignerReady(newest: SignStateRecord | null): void {
    if (this.#stopped) return;
    this.#signing.onSignerReady(newest);
    // The log is replayed to its end before it is begun anew.
    if (this.#replay.isOn) this.#replay.signerCame = true;
    else this.#takeUp();
  }

  #takeUp(): void {
    const host = this.#host;
    // One that is stopped has a decided block that is being made durable: the next height begins by itself.
    if (host === null || host.stopped || host.isMember || this.#signing.taking() === null) return;
    host.stop();
    this.#pacing.stop();
    this.#beginHeight();
  }

  #beginHeight(): void {
    if (this.#stopped) return;
    const problem = this.#protocol.problem(this.head);
    if (problem !== null) return this.#fail(problem);
    const height = (this.head + 1) as Height;
    const { wal } = this.#options.ports;
    wal.beginHeight(height);
    const resume = this.#signing.newestHere();
    if (resume !== null) {
      // Goes on from the sign-state alone, in the round of the newest signature. What an older log says must not be replayed over it.
      this.#options.log.warn('the log of this height is gone or torn', { height, round: resume.round });
      wal.sync();
    }
    const host = this.#openHost(resume);
    this.#pacing.begin(height, this.#hasWork());
    this.#inbox.open(height, host);
  }

  readonly #hasWork = (): boolean => this.#tip.hadWork || this.#options.mempool.hasExecutable();

  /** Takes part again after blocks were fetched and nobody is ahead any more. */
  #ensureHost(): void {
    if (this.#stopped || this.#host !== null || this.#headMoves.size > 0 || this.#sync.highest() > this.head) return;
    this.#beginHeight();
  }

  #onDecide(certificate: CommitCertificate, executable: ExecutableBlock): void {
    this.#host?.stop();
    this.#pacing.stop();
    this.#headMoves
      .run(async () => {
        const { block, hash } = executable;
        if (block.header.height !== this.head + 1) return;
        await this.#room.watch(block, () => this.#commit({ block, hash, certificate }, executable, true));
        this.#options.metrics.committed(block, certificate.round);
        this.#beginHeight();
        this.#teller.tellSoon();
      })
      // The block may have been fetched meanwhile.
      .then(() => this.#ensureHost())
      .catch((error: unknown) => this.#fail(error));
  }

  /** Durable first, then executed for good, then visible. */
  async #commit(stored: StoredBlock, executable: ExecutableBlock, append: boolean, behind = 0): Promise<CommitOutcome> {
    const { blocks, execution } = this.#options.ports;
    if (append) await blocks.append(stored, this.#tip.nextValidators);
    if (append) this.#options.stages.durable(stored);
    const outcome = await commitDecided(execution, stored, executable, behind);
    this.#host = null;
    this.#tip.move(outcome, stored, append);
    this.#signing.onBlock(stored);
    this.#evidence.onCommit(stored);
    this.#sync.onHead();
    this.#submission.onCommit(executable, outcome);
    if (append) this.#options.metrics.executed(stored.block);
    return outcome;
  }

  #decidedContext(): DecidedContext {
    const { provider, ports } = this.#options;
    const { execution, verifier } = ports;
    return decidedContext({ provider, execution, verifier }, this.#tip, this.#protocol.schedule, this.#domain);
  }

  readonly #applyStored = async (stored: StoredBlock): Promise<void> => {
    const behind = this.#sync.behind(stored.block.header, this.#options.ports.blocks.head());
    await this.#commit(stored, await applyDecided(stored, this.#decidedContext()), false, behind);
  };

  async #applyReceived(received: readonly ReceivedBlock[]): Promise<WrongBlock | null> {
    const wrong = await this.#headMoves.run(() =>
      applyReceived(received, {
        head: () => this.head,
        isStopped: () => this.#stopped,
        tip: this.#tip,
        domain: this.#domain,
        provider: this.#options.provider,
        apply: (decided) => this.#applyProven(decided),
      }),
    );
    this.#ensureHost();
    this.#teller.tellSoon();
    return wrong;
  }

  async #applyProven(stored: StoredBlock): Promise<void> {
    const executable = await applyDecided(stored, this.#decidedContext(), 'proven');
    // Not before the block is here as a whole: whoever could stop a height with less could keep this node from voting.
    this.#host?.stop();
    this.#pacing.stop();
    await this.#commit(stored, executable, true, this.#sync.behind(stored.block.header));
    this.#protocol.check(this.head);
  }
}
