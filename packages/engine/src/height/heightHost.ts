import type { ExecutableBlock, Proposal, Vote } from '@prime/codec';
import { type ConsensusMachine, type Effect, type Input, isTimely } from '@prime/consensus';
import type { CryptoProvider } from '@prime/crypto';
import type { Address, Hash, Round } from '@prime/primitives';
import { proposalMessage } from '../block/candidates.ts';
import { HeightBlocks, type HeightBlocksOptions } from './heightBlocks.ts';
import { HeightHelp } from './heightHelp.ts';
import { HeightTimers } from './heightTimers.ts';
import { loggedInput } from '../wal/loggedInput.ts';
import type { EngineLog } from '../log.ts';
import { createMessageFilter, type MessageFilter } from '../peers/messageFilter.ts';
import { Outbox } from './outbox.ts';
import type { Clock, ConsensusMessage, PeerMessage, PeerNetwork, ProposalMessage, Wal } from '../ports.ts';
import type { ProposerWatch } from './proposerWatch.ts';
import { RoundWatch } from './roundWatch.ts';
import { isAnswer, type SignEffect } from './signEffects.ts';
import { type GuardedSigner, lockOf, type SigningDomain } from '../signing/signing.ts';
import { decodeWalEntry, encodeWalEntry, type LoggedValidity, type WalEntry } from '../wal/walEntry.ts';

/** The machine of one height and all that its effects go to. */
export interface HeightHostOptions extends HeightBlocksOptions {
  readonly machine: ConsensusMachine;
  /** 0, or the round of the newest signature where a height goes on without its log. */
  readonly firstRound: Round;
  readonly domain: SigningDomain;
  readonly provider: CryptoProvider;
  /** Null on a node that is no validator at this height. */
  readonly signer: GuardedSigner | null;
  readonly proposers: ProposerWatch;
  /** Whether a proposal of a validator may arrive. */
  readonly mayReach: (validator: Address) => boolean;
  readonly wal: Pick<Wal, 'append' | 'sync'>;
  readonly network: PeerNetwork;
  readonly clock: Clock;
  readonly log: EngineLog;
}

/**
 * One height: feeds the consensus machine and carries its effects out in their order. What goes beyond the height is emitted as
 * {@link HeightEffect}s, for the engine to carry out.
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
  readonly #blocks: HeightBlocks;
  readonly #help: HeightHelp;
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
    this.#blocks = new HeightBlocks(options);
    this.#rounds = new RoundWatch(options);
    const { machine, self, clock, proposers, mayReach, network } = options;
    this.#help = new HeightHelp({ machine, blocks: this.#blocks, network });
    const { validators } = options.context;
    const onVotedFor = (round: Round, blockHash: Hash): void => {
      if (!this.#arrived.has(blockHash)) this.#fetchProposal(round, blockHash);
    };
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
    return this.#blocks.find(hash)?.executable ?? null;
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
    this.#takeProposal(from, message).catch(this.#fail);
  }

  #onVote(from: Address, vote: Vote): void {
    if (this.#stopped) return;
    for (const wanted of this.#filter.vote(from, vote)) {
      this.#options.emit({ kind: 'voteHeard', vote: wanted });
      this.#verified({ kind: 'vote', vote: wanted }, wanted.validator);
      this.#feed({ kind: 'vote', vote: wanted });
    }
  }

  #onCertificate(from: Address, votes: readonly Vote[]): void {
    if (this.#stopped || !this.#filter.certificate(from, votes)) return;
    for (const vote of votes) this.#options.emit({ kind: 'voteHeard', vote });
    this.#verified({ kind: 'voteCertificate', votes }, null);
    this.#feed({ kind: 'voteCertificate', votes });
  }

  #verified(message: ConsensusMessage, author: Address | null): void {
    // An own one that a peer sends back, to help, says nothing of who is there.
    if (author !== null && author === this.#options.self) return;
    this.#options.emit({ kind: 'verified', message, author });
  }

  /** Sends a proposed block to a peer that has votes for it and not the block. */
  sendProposal(peer: Address, blockHash: Hash): void {
    this.#help.sendProposal(peer, blockHash);
  }

  /** Sends what a peer at this height may have missed. */
  help(peer: Address): void {
    this.#help.sendAll(peer);
  }

  /** No more inputs, timers or answers. */
  stop(): void {
    this.#stopped = true;
    this.#timers.stop();
    this.#blocks.stop();
  }

  readonly #fail = (error: unknown): void => this.#options.emit({ kind: 'failed', error });

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
    if (this.#replaying) return;
    const { self, context } = this.#options;
    const { height } = this.machine.state;
    const blockOf = (hash: Hash) => this.#blocks.get(hash).executable.block;
    const entry = loggedInput(input, { height, version: context.rules.version, self, blockOf });
    if (entry !== null) this.#append(entry);
  }

  #append(entry: WalEntry): void {
    if (!this.#replaying) this.#options.wal.append(encodeWalEntry(entry));
  }

  #perform(effect: Effect): void {
    const { log, emit } = this.#options;
    const { height } = this.machine.state;
    switch (effect.kind) {
      case 'enterRound':
        if (!this.#replaying) emit({ kind: 'round', round: effect.round });
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
        if (!this.#replaying) emit({ kind: 'decided', blockHash: effect.blockHash });
        // The certificate may hold the own precommit.
        this.#outbox.release();
        return emit({
          kind: 'commit',
          certificate: effect.certificate,
          block: this.#blocks.get(effect.blockHash).executable,
        });
      case 'fetchProposal':
        return this.#fetchProposal(effect.round, effect.blockHash);
      case 'invalidDecision':
        // Too many validators disagree with this one about what is valid: it goes no further.
        this.stop();
        return emit({ kind: 'invalidDecision', block: this.#blocks.get(effect.blockHash).executable });
      case 'relayCertificate':
        return this.#broadcast({ kind: 'voteCertificate', votes: effect.certificate.votes });
      case 'relayProposal': {
        const block = this.candidate(effect.proposal.blockHash);
        if (block !== null) this.#broadcast(proposalMessage(effect.proposal, block));
        return;
      }
      case 'rebroadcastVotes':
        for (const vote of effect.votes) this.#broadcast({ kind: 'vote', vote });
        return;
      case 'evidence': {
        const { first } = effect.evidence;
        const validator = 'validator' in first ? first.validator : first.proposer;
        log.warn('equivocation seen', { height, kind: effect.evidence.kind, validator });
        return emit({ kind: 'equivocation', evidence: effect.evidence });
      }
      case 'ignored':
        return;
    }
  }

  #answer(effect: Effect): void {
    if (effect.kind === 'getValue')
      this.#blocks.propose(({ hash }) => this.#feed({ kind: 'ownValue', round: effect.round, blockHash: hash }));
    else if (effect.kind === 'signProposal') this.#signProposal(effect);
    else if (effect.kind === 'signVote') this.#signVote(effect);
  }

  #fetchProposal(round: Round, blockHash: Hash): void {
    if (!this.#replaying) this.#help.askForProposal(round, blockHash);
  }

  #broadcast(message: PeerMessage): void {
    if (!this.#replaying) this.#outbox.add(message);
  }

  #signProposal({ round, polRound, blockHash, lock }: SignEffect<'signProposal'>): void {
    // After a restart without the log the valid value may be a block that is not here: this turn passes.
    const executable = this.candidate(blockHash);
    if (executable === null) return;
    const { height } = this.machine.state;
    this.#options.signer?.proposal({ height, round, polRound, blockHash }, lock, (signed) => {
      const proposal = signed.message;
      this.#append({ kind: 'proposal', proposal, block: executable.block, validity: 'valid' });
      this.#outbox.addSigned(signed, proposalMessage(proposal, executable));
      this.#feed({ kind: 'proposal', proposal, validity: 'valid' });
    });
  }

  #signVote({ type, round, blockHash, lock }: SignEffect<'signVote'>): void {
    const { height } = this.machine.state;
    const { emit, signer } = this.#options;
    if (type === 'precommit' && blockHash !== null) emit({ kind: 'polka', blockHash });
    signer?.vote({ type, height, round, blockHash }, lock, (signed) => {
      const vote = signed.message;
      emit({ kind: 'voteSigned', vote });
      this.#append({ kind: 'vote', vote });
      this.#outbox.addSigned(signed, { kind: 'vote', vote });
      this.#feed({ kind: 'vote', vote });
    });
  }

  async #takeProposal(from: Address, message: ProposalMessage): Promise<void> {
    const { clock, context, log } = this.#options;
    const { proposal, header } = message;
    const receivedMs = clock.nowMs();
    const { height } = this.machine.state;
    const block = this.#blocks.find(proposal.blockHash) ?? (await this.#blocks.take(from, message));
    if (block === null) return;
    const arrival = { timestampMs: header.timestampMs, receivedMs, round: proposal.round };
    const timely = proposal.polRound >= 0 || isTimely(arrival, context.params);
    if (block.valid && !timely)
      log.warn('proposal is not timely', { height, proposed: header.timestampMs, local: receivedMs });
    const validity: LoggedValidity = !block.valid ? 'invalid' : timely ? 'valid' : 'untimely';
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
    const { self } = this.#options;
    const { proposal, validity } = entry;
    this.#filter.markProposal(proposal);
    if (this.#blocks.find(proposal.blockHash) === undefined)
      await this.#blocks.restore(entry.block, validity !== 'invalid');
    if (proposal.proposer === self) {
      this.#recall(proposal);
      this.#unanswered = this.#unanswered.filter(({ kind }) => kind !== 'getValue' && kind !== 'signProposal');
    }
    this.#feed({ kind: 'proposal', proposal, validity });
  }
}
