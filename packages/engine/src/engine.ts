import {
  type ActionPayload,
  type CommitCertificate,
  type ExecutableBlock,
  genesisHash,
  type VerifiedTransaction,
} from '@prime/codec';
import { type Address, type Hash, type Height } from '@prime/primitives';
import { createBlockBuilder, selectBody } from './block/blockBuilder.ts';
import { type BlockRoom, blockRoomOf } from './block/blockRoom.ts';
import { type BlockAssembler, createBlockAssembler } from './block/candidates.ts';
import { ChainTip } from './chain/chainTip.ts';
import { ConsensusInbox } from './peers/consensusInbox.ts';
import { refusedDecision } from './block/decided.ts';
import type { EngineOptions } from './engineOptions.ts';
import { EvidencePool } from './evidence/evidencePool.ts';
import { dumpHeight, type HeightDump } from './status/heightDump.ts';
import { HeadMoves } from './height/headMoves.ts';
import type { HeightEffect } from './height/heightEffects.ts';
import { Heights } from './height/heights.ts';
import { Membership } from './chain/membership.ts';
import { type NetworkStatus, networkStatus } from './status/networkStatus.ts';
import { OwnSigning } from './signing/ownSigning.ts';
import { PeerAllowance } from './peers/peerAllowance.ts';
import type { CommitOutcome, Peer, PeerEvents, PeerMessage, SignStateRecord, StoredBlock } from './ports.ts';
import { compareOffers, ProtocolGate } from './chain/protocol.ts';
import { recoverBlocks } from './chain/recovery.ts';
import { SentryPaths } from './peers/sentryPaths.ts';
import { Serving } from './peers/serving.ts';
import type { SigningDomain } from './signing/signing.ts';
import { statusIntervalMs, StatusTeller } from './status/statusTeller.ts';
import { createSubmission, isSubmissionMessage, type Submission } from './submission/submission.ts';
import { createVerifiedItems } from './submission/verifiedItems.ts';
import { rememberVerified, type RememberingProvider } from './signing/verifiedSignatures.ts';
import { BlockSync, type ReceivedBlock, type WrongBlock } from './sync/blockSync.ts';
import { listenersOf } from './sync/headWatch.ts';
import { createSanctions } from './sync/sanctions.ts';

/** A height whose rounds last longer than this may have lost messages: what peers may lack is sent to them again, ms. */
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
  readonly #sync: BlockSync;
  readonly #inbox: ConsensusInbox;
  readonly #heights: Heights;
  readonly #headMoves: HeadMoves;
  readonly #paths: SentryPaths;
  readonly #tip: ChainTip;
  readonly #helps = new PeerAllowance(helpsPerSecond);
  readonly #serving: Serving;
  readonly #room: BlockRoom;
  readonly #evidence: EvidencePool;
  readonly #teller: StatusTeller;
  #cancelStatus: () => void = () => undefined;
  #stopped = false;

  constructor(given: EngineOptions) {
    const items = createVerifiedItems({ ...given, ...given.ports });
    const ports = { ...given.ports, verifier: items.verifier };
    const options = { ...given, ports, provider: rememberVerified(given.provider) };
    this.#options = options;
    const { genesis } = options;
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
      host: () => this.#heights.current,
      isMovingHead: () => this.#headMoves.isMoving,
      onActivity: () => this.#heights.pacing.onPeerActivity(),
    });
    const send = (to: Address, message: PeerMessage): boolean => network.send(to, message);
    const peers = (): Address[] => network.peers().map(({ address }) => address);
    const waiting = (hash: Hash): Uint8Array | null => this.#submission.intake.waiting(hash);
    this.#assembler = createBlockAssembler({ items, waiting, clock, peers, send });
    this.#room = blockRoomOf(genesis, options.timeouts, { clock, log: options.log });
    this.#teller = new StatusTeller({
      ...ports,
      message: () => this.#statusMessage(),
      head: () => this.head,
      heights: () => this.#heights,
      votedAt: (peer) => this.#inbox.voting.votedAt(peer),
      isVoting: () => this.#signing.taking() !== null,
    });
    this.#submission = createSubmission({
      ...options,
      ...ports,
      ...members,
      items,
      paths: this.#paths,
      onWork: () => this.#heights.pacing.onWork(),
      onFatal: this.#failUnlessStopped,
    });
    this.#sync = this.#createSync();
    this.#signing = new OwnSigning({
      ...options,
      blocks: ports.blocks,
      signState: ports.signState,
      ...members,
      domain: this.#domain,
      highest: () => this.#sync.highest(),
      onFatal: (error) => this.#fail(error),
    });
    this.#heights = this.#createHeights();
    this.#headMoves = this.#createHeadMoves();
  }

  #createSync(): BlockSync {
    const { ports, log } = this.#options;
    const { clock, network } = ports;
    const [tip, membership] = [this.#tip, this.#membership];
    return new BlockSync({
      clock,
      head: () => this.head,
      send: (to, message) => network.send(to, message),
      ...createSanctions({ log, network, tip }),
      apply: (blocks) => this.#applyReceived(blocks),
      onFatal: (error) => this.#fail(error),
      log,
      listeners: listenersOf({ tip, membership, network }),
    });
  }

  #createHeights(): Heights {
    const { ports, genesis, mempool } = this.#options;
    return new Heights({
      ...this.#options,
      ...ports,
      params: genesis.consensus,
      domain: this.#domain,
      tip: this.#tip,
      protocol: this.#protocol,
      membership: this.#membership,
      signing: this.#signing,
      inbox: this.#inbox,
      paths: this.#paths,
      evidence: this.#evidence,
      assembler: this.#assembler,
      build: createBlockBuilder({ mempool, clock: ports.clock, room: this.#room }),
      carryOut: this.#carryOut,
    });
  }

  #createHeadMoves(): HeadMoves {
    return new HeadMoves({
      ...this.#options,
      ...this.#options.ports,
      domain: this.#domain,
      tip: this.#tip,
      protocol: this.#protocol,
      room: this.#room,
      heights: this.#heights,
      sync: this.#sync,
      teller: this.#teller,
      onMoved: this.#onMoved,
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
    await recoverBlocks({ ...ports, log, tip: this.#tip, apply: this.#headMoves.applyStored });
    this.#sync.onHead();
    this.#protocol.checkStart(this.head);
    this.#signing.lookBack();
    await this.#heights.resume();
    const tick = (): void => {
      this.#teller.remind();
      this.#signing.consider();
      this.#ensureHeight();
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
    this.#sync.stop();
    this.#heights.stop();
    await this.#headMoves.stop();
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
      round: this.#heights.round,
      standing: this.#sync.standing(),
      highest: this.#sync.highest(),
    });
  }

  /** The height in progress; null while a decided block is executed, or blocks are fetched. */
  readonly dump = (): HeightDump | null => this.#heights.current && dumpHeight(this.#heights.current);

  /** EVM transactions that a block proposed now would hold, in order. */
  nextTransactions(): readonly VerifiedTransaction[] {
    return selectBody(this.#options.mempool, this.#tip.context(), { evidenceBytes: 0, room: this.#room }).transactions;
  }

  onPeerConnected(peer: Peer): void {
    const { network } = this.#options.ports;
    this.#inbox.proposers.heard(peer.address);
    compareOffers(this.#protocol.schedule, this.head, peer, this.#options.log);
    network.send(peer.address, this.#statusMessage());
    this.#heights.current?.help(peer.address);
    this.#submission.intake.offer((message) => network.send(peer.address, message));
  }

  onPeerDisconnected(peer: Peer): void {
    this.#sync.onPeerGone(peer.address);
    this.#signing.onPeerGone(peer.address);
    this.#submission.onPeerGone(peer.address);
    this.#helps.forget(peer.address);
    this.#inbox.voting.forget(peer.address);
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
        return this.#serving.onBodiesRequest(from, message, this.#heights.current);
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
    if (message.head !== this.head || !this.#heights.isTroubled(helpAfterMs)) return;
    if (this.#helps.take(from, this.#options.ports.clock.monotonicMs())) this.#heights.current?.help(from);
  }

  #statusMessage(): PeerMessage {
    const { round } = this.#heights;
    const base = Math.min(this.#options.ports.blocks.base(), this.head + 1) as Height;
    return { kind: 'status', height: (this.head + 1) as Height, round, head: this.head, base };
  }

  /** Does what the height in progress asks for. */
  readonly #carryOut = (effect: HeightEffect, height: Height): void => {
    const { metrics, stages, provider } = this.#options;
    switch (effect.kind) {
      case 'round':
        this.#teller.onRound(effect.round);
        return metrics.round(height, effect.round);
      case 'voteHeard':
        return this.#signing.onVoteHeard(effect.vote);
      case 'voteSigned':
        return this.#membership.noteSigned(effect.vote, provider);
      case 'verified':
        this.#inbox.proposers.onVerified(effect.message);
        return this.#paths.onVerified(effect.message, effect.author, height);
      case 'proposed':
        return stages.proposed(effect.block);
      case 'received':
        return stages.received(effect.block);
      case 'polka':
        return stages.polka(height, effect.blockHash);
      case 'decided':
        return stages.decided(height, effect.blockHash);
      case 'commit':
        return this.#onDecide(effect.certificate, effect.block);
      case 'equivocation':
        return this.#evidence.onFound(effect.evidence);
      case 'invalidDecision':
        return this.#failUnlessStopped(refusedDecision(effect.block, this.#protocol.schedule));
      case 'failed':
        return this.#failUnlessStopped(effect.error);
    }
  };

  /**
   * The remote signer was reached. What it signed last counts here as well, and a height that goes on without this validator is taken
   * up again.
   *
   * @param newest null when it never signed
   */
  onSignerReady(newest: SignStateRecord | null): void {
    if (this.#stopped) return;
    this.#signing.onSignerReady(newest);
    this.#heights.onSignerReady();
  }

  /** Takes part again after blocks were fetched and nobody is ahead any more. */
  #ensureHeight(): void {
    if (this.#stopped || this.#heights.current !== null || this.#headMoves.isMoving || this.#sync.highest() > this.head)
      return;
    this.#heights.begin();
  }

  #onDecide(certificate: CommitCertificate, executable: ExecutableBlock): void {
    this.#headMoves
      .decide(certificate, executable)
      // The block may have been fetched meanwhile.
      .then(() => this.#ensureHeight())
      .catch((error: unknown) => this.#fail(error));
  }

  readonly #onMoved = (stored: StoredBlock, executable: ExecutableBlock, outcome: CommitOutcome): void => {
    this.#signing.onBlock(stored);
    this.#evidence.onCommit(stored);
    this.#sync.onHead();
    this.#submission.onCommit(executable, outcome);
  };

  async #applyReceived(received: readonly ReceivedBlock[]): Promise<WrongBlock | null> {
    const wrong = await this.#headMoves.applyReceived(received);
    this.#ensureHeight();
    this.#teller.tellSoon();
    return wrong;
  }
}
