import type { Block, CommitCertificate, ExecutableBlock, Proposal, ProtocolSchedule, Vote } from '@prime/codec';
import { type ConsensusMachine, type Effect, type Input, isTimely } from '@prime/consensus';
import type { CryptoProvider } from '@prime/crypto';
import { type Address, assert, type Hash, type Round } from '@prime/primitives';
import type { BuildBlock } from './blockBuilder.ts';
import type { HeightContext } from './blockRules.ts';
import { type BlockAssembler, proposalMessage } from './candidates.ts';
import { EngineError } from './errors.ts';
import type { EvidencePool } from './evidencePool.ts';
import { HeightTimers } from './heightTimers.ts';
import { judgeBlock } from './judgeBlock.ts';
import { createMessageFilter, type MessageFilter } from './messageFilter.ts';
import { Outbox } from './outbox.ts';
import type {
  BlockCheck,
  ConsensusMessage,
  Execution,
  PeerMessage,
  PeerNetwork,
  ProposalMessage,
  Wal,
} from './ports.ts';
import { versionProblem } from './protocol.ts';
import { RoundWatch, type RoundWatchOptions } from './roundWatch.ts';
import { isAnswer, type SignEffect } from './signEffects.ts';
import { type GuardedSigner, lockOf, type SigningDomain } from './signing.ts';
import type { EngineStages } from './stages.ts';
import { decodeWalEntry, encodeWalEntry, type LoggedValidity, type WalEntry } from './walEntry.ts';

export interface HeightHostOptions extends RoundWatchOptions {
  readonly context: HeightContext;
  readonly protocol: ProtocolSchedule;
  readonly self: Address | null;
  readonly domain: SigningDomain;
  readonly provider: CryptoProvider;
  readonly signer: GuardedSigner | null;
  readonly wal: Pick<Wal, 'append' | 'sync'>;
  /** 0, or the round of the newest signature where a height goes on without its log. */
  readonly firstRound: Round;
  readonly network: PeerNetwork;
  readonly execution: Execution;
  readonly assembler: BlockAssembler;
  /** Certificate of the parent, with what came after the decision. */
  readonly lastCommit: () => CommitCertificate | null;
  /** Verifies the certificate of the parent that a block carries. */
  readonly checkLastCommit: (certificate: CommitCertificate | null) => BlockCheck;
  readonly build: BuildBlock;
  readonly evidence: Pick<EvidencePool, 'hasDue' | 'select' | 'onFound'>;
  /** Verifies the signatures in a block of the log. */
  readonly verifyBlock: (block: Block) => Promise<ExecutableBlock>;
  readonly onDecide: (certificate: CommitCertificate, block: ExecutableBlock) => void;
  /** A message from elsewhere whose signatures hold. @param author null where there are several */
  readonly onVerified: (message: ConsensusMessage, author: Address | null) => void;
  /** Whether a proposal of a validator may arrive. */
  readonly mayReach: (validator: Address) => boolean;
  readonly stages: Pick<EngineStages, 'proposed' | 'received' | 'polka' | 'decided'>;
  /** A vote of another process, with a good signature, before the machine is given it. */
  readonly onVoteHeard: (vote: Vote) => void;
  /** A vote of this node, just signed and not logged yet. */
  readonly onVoteSigned: (vote: Vote) => void;
  readonly onFatal: (error: unknown) => void;
}

/** Bodies up to this size travel inside the proposal: sending them costs less than asking for them. */
const inlineBodyBytesMax = 32 * 1024;

/** Voters that are asked for a proposal that is missing here. */
const proposalRequestsMax = 2;

interface Candidate {
  readonly executable: ExecutableBlock;
  readonly valid: boolean;
}

/**
 * One height: feeds the consensus machine and carries its effects out in their order.
 *
 * Every input is logged before the machine takes it. A signature leaves the process only after the log and then the
 * sign-state record are durable ({@link Outbox}). During replay the same inputs come from the log, nothing is sent, and what the log shows as
 * signed is not signed again.
 */
export class HeightHost {
  readonly machine: ConsensusMachine;
  readonly #options: HeightHostOptions;
  readonly #filter: MessageFilter;
  readonly #outbox: Outbox;
  readonly #candidates = new Map<Hash, Candidate>();
  /** Blocks whose proposals came; their bodies may still be under way. */
  readonly #arrived = new Set<Hash>();
  readonly #timers: HeightTimers;
  readonly #rounds: RoundWatch;
  #queue: Input[] = [];
  #feeding = false;
  #replaying = false;
  #stopped = false;
  #started = false;
  /** Requests of the machine that the log has not answered (yet), while replaying. */
  #unanswered: Effect[] = [];

  constructor(options: HeightHostOptions) {
    this.#options = options;
    this.machine = options.machine;
    this.#filter = createMessageFilter(options);
    this.#outbox = new Outbox(options);
    this.#rounds = new RoundWatch(options);
    const { validators } = options.context;
    const onVotedFor = (round: Round, blockHash: Hash): void => {
      if (!this.#arrived.has(blockHash)) this.#fetchProposal(round, blockHash);
    };
    const { machine, self, clock, proposers, mayReach } = options;
    this.#timers = new HeightTimers({ machine, validators, self, clock, proposers, mayReach, onVotedFor }, (timeout) =>
      this.#feed({ kind: 'timeout', timeout }),
    );
  }

  /** Whether it speaks for a validator. */
  get isMember(): boolean {
    return this.#options.self !== null;
  }

  /** Its height is over, or goes on elsewhere. */
  get stopped(): boolean {
    return this.#stopped;
  }

  get started(): boolean {
    return this.#started;
  }

  /** A block of this height that is known here. */
  candidate(hash: Hash): ExecutableBlock | null {
    return this.#candidates.get(hash)?.executable ?? null;
  }

  /** Feeds logged inputs; before {@link start}. */
  async replay(entries: readonly Uint8Array[]): Promise<void> {
    this.#replaying = true;
    this.#timers.hold();
    for (const bytes of entries) await this.#replayEntry(decodeWalEntry(bytes));
    this.#replaying = false;
    const open = this.#stopped ? [] : this.#unanswered;
    this.#unanswered = [];
    for (const effect of open) {
      this.#answer(effect);
      this.#run();
    }
    this.#timers.release();
  }

  /** Begins the first round unless the log has begun it already. */
  start(): void {
    if (this.#started || this.#stopped) return;
    this.#started = true;
    this.#feed({ kind: 'startRound', round: this.#options.firstRound });
  }

  onMessage(from: Address, message: ConsensusMessage): void {
    if (message.kind === 'vote') this.#onVote(from, message.vote);
    else if (message.kind === 'voteCertificate') this.#onCertificate(from, message.votes);
    else this.#onProposal(from, message);
  }

  #onProposal(from: Address, message: ProposalMessage): void {
    if (this.#stopped || !this.#filter.proposal(from, message)) return;
    this.#arrived.add(message.proposal.blockHash);
    this.#verified(message, message.proposal.proposer);
    this.#takeProposal(from, message).catch(this.#options.onFatal);
  }

  #onVote(from: Address, vote: Vote): void {
    if (this.#stopped) return;
    for (const wanted of this.#filter.vote(from, vote)) {
      this.#options.onVoteHeard(wanted);
      this.#verified({ kind: 'vote', vote: wanted }, wanted.validator);
      this.#feed({ kind: 'vote', vote: wanted });
    }
  }

  #onCertificate(from: Address, votes: readonly Vote[]): void {
    if (this.#stopped || !this.#filter.certificate(from, votes)) return;
    for (const vote of votes) this.#options.onVoteHeard(vote);
    this.#verified({ kind: 'voteCertificate', votes }, null);
    this.#feed({ kind: 'voteCertificate', votes });
  }

  #verified(message: ConsensusMessage, author: Address | null): void {
    // An own one that a peer sends back, to help, says nothing of who is there.
    if (author !== null && author === this.#options.self) return;
    this.#options.proposers.onVerified(message);
    this.#options.onVerified(message, author);
  }

  /** Sends a proposed block to a peer that has votes for it and not the block. */
  sendProposal(peer: Address, blockHash: Hash): void {
    const candidate = this.candidate(blockHash);
    const proposals = this.machine.rounds().flatMap((round) => this.machine.proposalsFor(round));
    const proposal = proposals.findLast((known) => known.blockHash === blockHash);
    if (candidate !== null && proposal !== undefined)
      this.#options.network.send(peer, proposalMessage(proposal, candidate, inlineBodyBytesMax));
  }

  /** Sends what a peer at this height may have missed. */
  help(peer: Address): void {
    const { network } = this.#options;
    for (const round of this.machine.rounds()) {
      for (const proposal of this.machine.proposalsFor(round)) {
        const candidate = this.candidate(proposal.blockHash);
        if (candidate !== null) network.send(peer, proposalMessage(proposal, candidate, inlineBodyBytesMax));
      }
      const votes = this.machine.votesFor(round);
      if (votes.length > 0) network.send(peer, { kind: 'voteCertificate', votes });
    }
  }

  /** No more inputs, timers or answers. */
  stop(): void {
    this.#stopped = true;
    this.#timers.stop();
    this.#options.assembler.reset();
  }

  #feed(input: Input): void {
    this.#queue.push(input);
    this.#run();
  }

  #run(): void {
    if (this.#feeding) return;
    this.#feeding = true;
    while (this.#queue.length > 0 && !this.#stopped) {
      const input = this.#queue.shift()!;
      this.#logInput(input);
      // Own messages that this input leads to go before what is waiting: they are logged at this very place.
      const later = this.#queue;
      this.#queue = [];
      const effects = this.machine.step(input);
      if (input.kind === 'vote') this.#filter.markVotes([input.vote]);
      else if (input.kind === 'voteCertificate') this.#filter.markVotes(input.votes);
      for (const effect of effects) this.#perform(effect);
      this.#queue = this.#queue.concat(later);
    }
    this.#feeding = false;
    this.#outbox.release();
  }

  /** Logs what comes from outside; own messages were logged when they were signed. */
  #logInput(input: Input): void {
    const { self } = this.#options;
    if (input.kind === 'startRound')
      this.#append({ kind: 'start', height: this.machine.state.height, version: this.#options.context.rules.version });
    else if (input.kind === 'timeout' && input.timeout.step !== 'rebroadcast')
      this.#append({ kind: 'timeout', round: input.timeout.round, step: input.timeout.step });
    else if (input.kind === 'vote' && input.vote.validator !== self) this.#append({ kind: 'vote', vote: input.vote });
    else if (input.kind === 'voteCertificate') this.#append({ kind: 'votes', votes: input.votes });
    else if (input.kind === 'proposal' && input.proposal.proposer !== self) {
      assert(input.validity !== 'unknown', 'proposals are fed once they are judged');
      const { block } = this.#known(input.proposal.blockHash).executable;
      this.#append({ kind: 'proposal', proposal: input.proposal, block, validity: input.validity });
    }
  }

  #append(entry: WalEntry): void {
    if (!this.#replaying) this.#options.wal.append(encodeWalEntry(entry));
  }

  #perform(effect: Effect): void {
    const { log, stages } = this.#options;
    const { height } = this.machine.state;
    switch (effect.kind) {
      case 'enterRound':
        return this.#rounds.entered(effect.round, effect.proposer, this.#replaying);
      case 'scheduleTimeout':
        return this.#timers.schedule(effect.timeout, effect.afterMs);
      case 'getValue':
      case 'signProposal':
      case 'signVote':
        if (this.#replaying) this.#unanswered.push(effect);
        else this.#answer(effect);
        return;
      case 'decide':
        if (!this.#replaying) stages.decided(height, effect.blockHash);
        // The certificate may hold the own precommit.
        this.#outbox.release();
        return this.#options.onDecide(effect.certificate, this.#known(effect.blockHash).executable);
      case 'fetchProposal':
        return this.#fetchProposal(effect.round, effect.blockHash);
      case 'invalidDecision':
        return this.#halt(effect.blockHash);
      case 'relayCertificate':
        return this.#broadcast({ kind: 'voteCertificate', votes: effect.certificate.votes });
      case 'relayProposal': {
        const candidate = this.candidate(effect.proposal.blockHash);
        if (candidate !== null) this.#broadcast(proposalMessage(effect.proposal, candidate, inlineBodyBytesMax));
        return;
      }
      case 'rebroadcastVotes':
        for (const vote of effect.votes) this.#broadcast({ kind: 'vote', vote });
        return;
      case 'evidence': {
        const { first } = effect.evidence;
        const validator = 'validator' in first ? first.validator : first.proposer;
        log.warn('equivocation seen', { height, kind: effect.evidence.kind, validator });
        return this.#options.evidence.onFound(effect.evidence);
      }
      case 'ignored':
        return;
    }
  }

  #answer(effect: Effect): void {
    if (effect.kind === 'getValue') this.#propose(effect.round);
    else if (effect.kind === 'signProposal') this.#signProposal(effect);
    else if (effect.kind === 'signVote') this.#signVote(effect);
  }

  /** Too many validators disagree with this one about what is valid: go no further. */
  #halt(hash: Hash): void {
    const { height } = this.machine.state;
    const reason = 'the block was refused when it was proposed';
    const words = 'more than 2/3 decided a block that is invalid here';
    const { header } = this.#known(hash).executable.block;
    const otherVersion = versionProblem(header, this.#options.protocol);
    this.stop();
    this.#options.onFatal(
      otherVersion ?? new EngineError(words, { code: 'ENGINE_INVALID_DECISION', height, hash, reason }),
    );
  }

  /** Asks those who voted for a block that is not here. */
  #fetchProposal(round: Round, blockHash: Hash): void {
    if (this.#replaying) return;
    const voters = this.machine.votesFor(round).filter((vote) => vote.blockHash === blockHash);
    const { network } = this.#options;
    let asked = 0;
    // Who has no connection to any of them asks whom it has.
    const others = network.peers().map(({ address }) => address);
    for (const validator of new Set([...voters.map((vote) => vote.validator), ...others])) {
      if (asked >= proposalRequestsMax) return;
      if (network.send(validator, { kind: 'bodiesRequest', blockHash, hashes: [] })) asked += 1;
    }
  }

  #broadcast(message: PeerMessage): void {
    if (!this.#replaying) this.#outbox.add(message);
  }

  #known(hash: Hash): Candidate {
    const candidate = this.#candidates.get(hash);
    assert(candidate !== undefined, `block ${hash} is not known at height ${this.machine.state.height}`);
    return candidate;
  }

  #propose(round: Round): void {
    const { evidence, onFatal } = this.#options;
    if (!evidence.hasDue) return this.#proposeWith(round, []);
    const propose = (pieces: Block['evidence']): void => {
      if (!this.#stopped) this.#proposeWith(round, pieces);
    };
    evidence.select().then(propose).catch(onFatal);
  }

  #proposeWith(round: Round, evidence: Block['evidence']): void {
    const { execution, onFatal, build, context, lastCommit, self, stages } = this.#options;
    assert(self !== null, 'a node without a key was asked to propose');
    const executable = build(context, { proposer: self, lastCommit: lastCommit(), evidence });
    stages.proposed(executable);
    execution
      .check(executable, 'execute')
      .then((verdict) => {
        if (this.#stopped) return;
        // Time went on since the evidence was judged: what is too old by now is left out.
        if (!verdict.ok && evidence.length > 0) return this.#proposeWith(round, []);
        assert(verdict.ok, `the block built here is refused: ${verdict.ok ? '' : verdict.reason}`);
        this.#candidates.set(executable.hash, { executable, valid: true });
        this.#feed({ kind: 'ownValue', round, blockHash: executable.hash });
      })
      .catch(onFatal);
  }

  #signProposal({ round, polRound, blockHash, lock }: SignEffect<'signProposal'>): void {
    // After a restart without the log the valid value may be a block that is not here: this turn passes.
    const executable = this.candidate(blockHash);
    if (executable === null) return;
    const { height } = this.machine.state;
    this.#options.signer?.proposal({ height, round, polRound, blockHash }, lock, (signed) => {
      const proposal = signed.message;
      this.#append({ kind: 'proposal', proposal, block: executable.block, validity: 'valid' });
      this.#outbox.addSigned(signed, proposalMessage(proposal, executable, inlineBodyBytesMax));
      this.#feed({ kind: 'proposal', proposal, validity: 'valid' });
    });
  }

  #signVote({ type, round, blockHash, lock }: SignEffect<'signVote'>): void {
    const { height } = this.machine.state;
    if (type === 'precommit' && blockHash !== null) this.#options.stages.polka(height, blockHash);
    this.#options.signer?.vote({ type, height, round, blockHash }, lock, (signed) => {
      const vote = signed.message;
      this.#options.onVoteSigned(vote);
      this.#append({ kind: 'vote', vote });
      this.#outbox.addSigned(signed, { kind: 'vote', vote });
      this.#feed({ kind: 'vote', vote });
    });
  }

  async #takeProposal(from: Address, message: ProposalMessage): Promise<void> {
    const { clock, context, log, network, assembler, stages } = this.#options;
    const { proposal, header } = message;
    const localTimeMs = clock.nowMs();
    const { height } = this.machine.state;
    if (!this.#candidates.has(proposal.blockHash)) {
      const assembled = await assembler.assemble(from, message);
      if (this.#stopped || assembled.kind === 'abandoned') return;
      if (assembled.kind === 'invalid') {
        log.warn('a proposal carries an invalid transaction', { height, from, reason: assembled.reason });
        return network.punish(proposal.proposer, assembled.reason);
      }
      stages.received(assembled.executable);
      // Of the block alone: it decides about every later proposal of it. A valid one begins to execute while the votes are under way.
      const verdict = await judgeBlock(assembled.executable, this.#options, 'execute');
      if (this.#stopped) return;
      if (!verdict.ok) log.warn('proposal refused', { height, round: proposal.round, reason: verdict.reason });
      this.#candidates.set(assembled.executable.hash, { executable: assembled.executable, valid: verdict.ok });
    }
    const arrival = { timestampMs: header.timestampMs, receivedMs: localTimeMs, round: proposal.round };
    const timely = proposal.polRound >= 0 || isTimely(arrival, context.params);
    const { valid } = this.#known(proposal.blockHash);
    if (valid && !timely)
      log.warn('proposal is not timely', { height, proposed: header.timestampMs, local: localTimeMs });
    const validity: LoggedValidity = !valid ? 'invalid' : timely ? 'valid' : 'untimely';
    this.#rounds.judged(proposal);
    this.#feed({ kind: 'proposal', proposal, validity });
  }

  async #replayEntry(entry: WalEntry): Promise<void> {
    const { height } = this.machine.state;
    switch (entry.kind) {
      case 'start':
        this.#started = true;
        return this.#feed({ kind: 'startRound', round: 0 as Round });
      case 'timeout':
        return this.#feed({ kind: 'timeout', timeout: { height, round: entry.round, step: entry.step } });
      case 'vote':
        if (entry.vote.validator === this.#options.self) {
          this.#recall(entry.vote);
          this.#unanswered = this.#unanswered.filter((effect) => !isAnswer(entry.vote, effect));
        }
        return this.#feed({ kind: 'vote', vote: entry.vote });
      case 'votes':
        return this.#feed({ kind: 'voteCertificate', votes: entry.votes });
      case 'proposal':
        return this.#replayProposal(entry);
    }
  }

  /** Before the machine takes it, which may decide with it: nobody is shown an own message that the sign state does not know. */
  #recall(message: Vote | Proposal): void {
    this.#options.signer?.recall(message, lockOf(this.machine.state));
  }

  async #replayProposal(entry: WalEntry & { readonly kind: 'proposal' }): Promise<void> {
    const { execution, verifyBlock, self } = this.#options;
    const { proposal, validity } = entry;
    this.#filter.markProposal(proposal);
    if (!this.#candidates.has(proposal.blockHash)) {
      const executable = await verifyBlock(entry.block);
      if (validity !== 'invalid') {
        const verdict = await execution.check(executable, 'execute');
        assert(verdict.ok, `a block valid before the restart is refused: ${verdict.ok ? '' : verdict.reason}`);
      }
      this.#candidates.set(executable.hash, { executable, valid: validity !== 'invalid' });
    }
    if (proposal.proposer === self) {
      this.#recall(proposal);
      this.#unanswered = this.#unanswered.filter(({ kind }) => kind !== 'getValue' && kind !== 'signProposal');
    }
    this.#feed({ kind: 'proposal', proposal, validity });
  }
}
