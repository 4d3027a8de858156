import type { CommitCertificate, Proposal, ValidatorSet, Vote, VoteType } from '@prime/codec';
import { type Address, type Hash, noRound, type Round } from '@prime/primitives';
import type {
  ConsensusMachine,
  ConsensusOptions,
  ConsensusState,
  Effect,
  IgnoreReason,
  Input,
  LockState,
  Timeout,
  Validity,
} from './api.ts';
import { certificateFromVotes, votesFromCertificate } from './commitCertificate.ts';
import { enabledEvents, eventKey, type RuleContext } from './enabledEvents.ts';
import { createProposalBook } from './proposalBook.ts';
import { createProposerSchedule, type ProposerSchedule } from './proposerRotation.ts';
import { createRelay, type Relay } from './relay.ts';
import {
  applyRule,
  initialRoundState,
  type RoundEvent,
  type RoundState,
  type RuleTable,
  tendermintRules,
} from './rules.ts';
import { timeoutMs } from './timeouts.ts';
import { findValidator } from './validatorSet.ts';
import { createVoteKeeper, roundsAheadMax } from './voteKeeper.ts';

/**
 * The driver around the rule table: it keeps votes and proposals, finds which clause's condition holds, applies clauses in a
 * fixed order until none holds, and turns their outputs into effects.
 *
 * Deviations from the paper, all of them about liveness or speed and none about which votes are allowed, are listed in
 * docs/protocol/consensus.md, section 4.
 */
export const createConsensus = (options: ConsensusOptions): ConsensusMachine => new Machine(options);

class Machine implements ConsensusMachine {
  readonly validatorSet: ValidatorSet;
  readonly dropped: Partial<Record<IgnoreReason, number>> = {};
  private readonly options: ConsensusOptions;
  private readonly rules: RuleTable;
  private readonly votes;
  private readonly proposals = createProposalBook();
  private readonly schedule: ProposerSchedule;
  private readonly relay: Relay;
  /** What the clauses look at; its state is the one of the round. */
  private readonly context: RuleContext & { state: RoundState };
  /** False for observers: they follow and decide, and never sign. */
  private readonly isMember: boolean;
  private readonly applied = new Set<string>();
  private readonly requested = new Set<string>();
  private decision: ConsensusState['decision'] = null;
  private proposedRound = noRound;
  /** {@link state} until something in it changes. */
  private shown: ConsensusState | null = null;
  private effects: Effect[] = [];

  constructor(options: ConsensusOptions) {
    const { validatorSet, height, self, rules = tendermintRules } = options;
    this.options = options;
    this.rules = rules;
    this.validatorSet = validatorSet;
    this.votes = createVoteKeeper({ height, validatorSet, rules });
    this.schedule = createProposerSchedule(validatorSet);
    this.relay = createRelay({ self, height, votes: this.votes, proposals: this.proposals });
    this.isMember = self !== null && findValidator(validatorSet, self) !== undefined;
    this.context = {
      state: { ...initialRoundState(height), ...options.resume?.lock },
      votes: this.votes,
      proposals: this.proposals,
      wasApplied: (event) => this.applied.has(eventKey(event, this.round.round)),
    };
  }

  private get round(): RoundState {
    return this.context.state;
  }

  get state(): ConsensusState {
    this.shown ??= { decision: this.decision, ...this.round };
    return this.shown;
  }

  step(input: Input): readonly Effect[] {
    this.effects = [];
    const ignored = this.handle(input);
    if (ignored !== null) this.ignore(ignored);
    this.applyEnabled();
    return this.effects;
  }

  proposer(round: Round): Address {
    return this.schedule.proposer(round);
  }

  votesFor(round: Round): readonly Vote[] {
    return this.votes.votesIn(round);
  }

  isTaken({ type, round, validator }: Vote): boolean {
    return this.votes.vote(type, round, validator) !== undefined;
  }

  hasQuorum(type: VoteType, round: Round, value: Hash | null): boolean {
    return this.votes.hasQuorum(type, round, value);
  }

  isNewQuorum(votes: readonly Vote[]): boolean {
    const [head] = votes;
    return (
      head !== undefined && this.votes.isQuorumOf(votes) && !this.votes.hasQuorum(head.type, head.round, head.blockHash)
    );
  }

  proposalsFor(round: Round): readonly Proposal[] {
    return this.proposals.of(round).map((held) => held.proposal);
  }

  rounds(): readonly Round[] {
    return [...new Set([...this.votes.rounds(), ...this.proposals.rounds()])].sort((a, b) => a - b);
  }

  commitCertificate(): CommitCertificate | null {
    if (this.decision === null) return null;
    const { round, blockHash } = this.decision;
    const precommits = this.votes.votesOf('precommit', round, blockHash);
    return certificateFromVotes(this.options.height, round, blockHash, precommits);
  }

  /** @returns why the input was of no use, or null */
  private handle(input: Input): IgnoreReason | null {
    switch (input.kind) {
      case 'startRound':
        return this.onStart(input.round);
      case 'proposal':
        return this.onProposal(input.proposal, input.validity);
      case 'value':
        if (this.decision !== null) return 'decided';
        return this.proposals.addValue(input.blockHash, input.validity) ? null : 'duplicate';
      case 'vote':
        return this.onVote(input.vote);
      case 'voteCertificate':
        return this.onVotes(input.votes);
      case 'ownValue':
        return this.onOwnValue(input.round, input.blockHash);
      case 'commitCertificate':
        return this.onCommitCertificate(input.certificate);
      case 'timeout':
        return this.onTimeout(input.timeout);
    }
  }

  private onStart(round: Round): IgnoreReason | null {
    if (this.decision !== null) return 'decided';
    if (this.round.round >= 0) return 'alreadyStarted';
    if (round < 0) return 'malformedRound';
    if (this.options.resume === undefined) this.enterRound(round);
    else this.resumeRound(round, this.options.resume.precommit);
    return null;
  }

  private onProposal(proposal: Proposal, validity: Validity): IgnoreReason | null {
    const { height, round, polRound, blockHash } = proposal;
    if (height !== this.options.height) return 'otherHeight';
    if (this.decision !== null) return 'decided';
    if (round < 0 || polRound < noRound || polRound >= round) return 'malformedRound';
    const isWanted =
      this.votes.hasQuorum('precommit', round, blockHash) || this.votes.hasQuorum('prevote', round, blockHash);
    // Checked before asking who proposes: the schedule is computed up to the round that is asked for.
    if (round > this.round.round + roundsAheadMax && !isWanted) return 'roundTooFar';
    if (proposal.proposer !== this.proposer(round)) return 'notProposer';
    const { ignored, evidence } = this.proposals.add(proposal, validity, isWanted);
    if (evidence !== null) this.effects.push({ kind: 'evidence', evidence });
    return ignored;
  }

  private onVote(vote: Vote): IgnoreReason | null {
    if (this.decision !== null && !this.isLateCommit(vote)) return 'decided';
    const added = this.votes.add(vote, this.round.round);
    if (added.kind === 'added') return null;
    if (added.evidence !== null) this.effects.push({ kind: 'evidence', evidence: added.evidence });
    return added.reason;
  }

  /** After the decision only precommits for it are of use: they go into the next block's certificate. */
  private isLateCommit(vote: Vote): boolean {
    const { decision } = this;
    return vote.type === 'precommit' && vote.round === decision?.round && vote.blockHash === decision.blockHash;
  }

  /** A quorum is counted as a whole, even against votes already counted; anything less vote by vote. */
  private onVotes(votes: readonly Vote[]): IgnoreReason | null {
    if (this.decision !== null || !this.votes.isQuorumOf(votes)) {
      for (const vote of votes) {
        const ignored = this.onVote(vote);
        if (ignored !== null) this.ignore(ignored);
      }
      return null;
    }
    for (const evidence of this.votes.addQuorum(votes)) this.effects.push({ kind: 'evidence', evidence });
    return null;
  }

  private onCommitCertificate(certificate: CommitCertificate): IgnoreReason | null {
    if (certificate.height !== this.options.height) return 'otherHeight';
    if (this.decision !== null && certificate.blockHash !== this.decision.blockHash) return 'conflictingCertificate';
    return this.onVotes(votesFromCertificate(certificate));
  }

  private onOwnValue(round: Round, blockHash: Hash): IgnoreReason | null {
    if (this.decision !== null) return 'decided';
    const isMine = this.isMember && round >= 0 && this.proposer(round) === this.options.self;
    if (round !== this.round.round || !isMine || this.proposedRound === round) return 'staleValue';
    return this.apply({ kind: 'ownValue', blockHash }) ? null : 'staleValue'; // 18-19
  }

  private onTimeout({ height, round, step }: Timeout): IgnoreReason | null {
    if (height !== this.options.height) return 'otherHeight';
    if (this.decision !== null) return 'decided';
    if (round !== this.round.round || round < 0) return 'staleTimeout';
    const state = this.round;
    switch (step) {
      case 'rebroadcast':
        this.effects.push(...this.relay.onRebroadcast(state));
        this.scheduleTimeout('rebroadcast', round);
        return null;
      case 'propose':
        return this.apply({ kind: 'timeoutPropose', height, round }) ? null : 'staleTimeout'; // 57
      case 'prevote':
        if (!this.apply({ kind: 'timeoutPrevote', height, round })) return 'staleTimeout'; // 61
        break;
      case 'precommit':
        this.apply({ kind: 'timeoutPrecommit', height, round }); // 65
    }
    this.effects.push(...this.relay.onRoundTimeout(state, step));
    return null;
  }

  /** Applies enabled clauses until none is left; each is applied once for its round and value, so this ends. */
  private applyEnabled(): void {
    for (;;) {
      const [event] = enabledEvents(this.context);
      if (event === undefined) break;
      this.apply(event);
    }
    if (this.decision === null) this.requestMissing();
  }

  /** Applies one clause and turns its output into effects. Returns false when the clause refused. */
  private apply(event: RoundEvent): boolean {
    this.applied.add(eventKey(event, this.round.round));
    const { state, output } = applyRule(this.rules, this.round, event);
    this.context.state = state;
    this.shown = null;
    switch (output.kind) {
      case 'none':
        return true;
      case 'refused':
        return false;
      case 'getValue':
        this.effects.push({ kind: 'getValue', round: output.round });
        this.scheduleTimeout('propose', output.round);
        return true;
      case 'proposal':
        this.propose(output.round, output.polRound, output.blockHash);
        // A proposer whose own block does not come back must not wait for ever.
        if (event.kind === 'newRound') this.scheduleTimeout('propose', output.round);
        return true;
      case 'vote':
        this.vote(output.type, output.round, output.blockHash);
        return true;
      case 'timeout':
        this.scheduleTimeout(output.step, output.round);
        return true;
      case 'skip':
        this.enterRound(output.round);
        return true;
      case 'decide':
        this.decide(output.round, output.blockHash);
        return true;
    }
  }

  private enterRound(round: Round): void {
    const proposer = this.proposer(round);
    this.effects.push({ kind: 'enterRound', round, proposer });
    this.apply({ kind: 'newRound', round, isProposer: this.isMember && proposer === this.options.self });
    this.scheduleTimeout('rebroadcast', round);
  }

  /** {@link Resumption}: as one that has precommitted in this round. */
  private resumeRound(round: Round, precommit: Hash | null): void {
    this.effects.push({ kind: 'enterRound', round, proposer: this.proposer(round) });
    this.context.state = { ...this.round, round, step: 'precommit' };
    this.shown = null;
    this.vote('precommit', round, precommit);
    this.scheduleTimeout('rebroadcast', round);
  }

  private propose(round: Round, polRound: Round, blockHash: Hash): void {
    this.proposedRound = round;
    this.effects.push({ kind: 'signProposal', round, polRound, blockHash, lock: this.lock() });
    // Who lacks the polka can not prevote for the value (28); sending it along saves the round.
    if (polRound >= 0) this.effects.push(...this.relay.polkaOf(this.round));
  }

  private vote(type: Vote['type'], round: Round, blockHash: Hash | null): void {
    if (this.isMember) this.effects.push({ kind: 'signVote', type, round, blockHash, lock: this.lock() });
  }

  private decide(round: Round, blockHash: Hash): void {
    this.decision = { round, blockHash };
    this.shown = null;
    const certificate = this.commitCertificate();
    if (certificate !== null) this.effects.push({ kind: 'decide', round, blockHash, certificate });
  }

  /** Asks for blocks that a quorum voted for and that are not known here. */
  private requestMissing(): void {
    for (const round of this.votes.rounds()) {
      for (const blockHash of this.votes.quorumValues('precommit', round)) {
        const content = this.proposals.contentOf(blockHash);
        if (content === 'unknown') this.request('precommit', round, blockHash);
        else if (content === 'invalid' && this.isFirst(`invalid/${round}/${blockHash}`))
          this.effects.push({ kind: 'invalidDecision', round, blockHash });
      }
    }
    const { round } = this.round;
    for (const blockHash of this.votes.quorumValues('prevote', round)) {
      const isHere = this.proposals.of(round).some((held) => held.proposal.blockHash === blockHash);
      if (!isHere || this.proposals.contentOf(blockHash) === 'unknown') this.request('prevote', round, blockHash);
    }
  }

  private request(type: Vote['type'], round: Round, blockHash: Hash): void {
    if (this.isFirst(`${type}/${round}/${blockHash}`))
      this.effects.push({ kind: 'fetchProposal', round, blockHash, type });
  }

  private isFirst(key: string): boolean {
    if (this.requested.has(key)) return false;
    this.requested.add(key);
    return true;
  }

  private ignore(reason: IgnoreReason): void {
    this.dropped[reason] = (this.dropped[reason] ?? 0) + 1;
    this.effects.push({ kind: 'ignored', reason });
  }

  private scheduleTimeout(step: Timeout['step'], round: Round): void {
    const { height, timeouts } = this.options;
    const afterMs = timeoutMs(timeouts, step, round);
    this.effects.push({ kind: 'scheduleTimeout', timeout: { height, round, step }, afterMs });
  }

  private lock(): LockState {
    const { lockedRound, lockedValue, validRound, validValue } = this.round;
    return { lockedRound, lockedValue, validRound, validValue };
  }
}
