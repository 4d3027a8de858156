import type { CommitCertificate, Proposal, Vote } from '@prime/codec';
import type { Address, Hash, Round } from '@prime/primitives';
import type {
  ConsensusMachine,
  ConsensusOptions,
  ConsensusState,
  Effect,
  IgnoreReason,
  Input,
  LockState,
  Timeout,
} from './api.ts';
import { certificateFromVotes, votesFromCertificate } from './commitCertificate.ts';
import { enabledEvents, eventKey } from './enabledEvents.ts';
import { createProposalBook } from './proposalBook.ts';
import { createProposerSchedule } from './proposerRotation.ts';
import { createRelay } from './relay.ts';
import { applyRule, initialRoundState, type RoundEvent, type RoundState, tendermintRules } from './rules.ts';
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
export function createConsensus(options: ConsensusOptions): ConsensusMachine {
  const { validatorSet, height, self, timeouts, rules = tendermintRules } = options;
  const votes = createVoteKeeper({ height, validatorSet, rules });
  const proposals = createProposalBook();
  const schedule = createProposerSchedule(validatorSet);
  const isMember = self !== null && findValidator(validatorSet, self) !== undefined;
  const applied = new Set<string>();
  const requested = new Set<string>();
  const dropped: Partial<Record<IgnoreReason, number>> = {};
  let state: RoundState = { ...initialRoundState(height), ...options.resume };
  let decision: ConsensusState['decision'] = null;
  let proposedRound: Round | null = null;
  let effects: Effect[] = [];

  const proposer = (round: Round): Address => schedule.proposer(round);
  const relay = createRelay({ self, height, votes, proposals });
  const wasApplied = (event: RoundEvent): boolean => applied.has(eventKey(event, state.round));
  const lock = (): LockState => {
    const { lockedRound, lockedValue, validRound, validValue } = state;
    return { lockedRound, lockedValue, validRound, validValue };
  };

  function ignore(reason: IgnoreReason): void {
    dropped[reason] = (dropped[reason] ?? 0) + 1;
    effects.push({ kind: 'ignored', reason });
  }

  function scheduleTimeout(step: Timeout['step'], round: Round): void {
    const timeout: Timeout = { height, round, step };
    effects.push({ kind: 'scheduleTimeout', timeout, afterMs: timeoutMs(timeouts, step, round) });
  }

  function propose(round: Round, polRound: Round, blockHash: Hash): void {
    if (!isMember || proposedRound === round) return;
    proposedRound = round;
    effects.push({ kind: 'signProposal', round, polRound, blockHash, lock: lock() });
  }

  /** Applies one clause and turns its output into effects. Returns false when the clause refused. */
  function apply(event: RoundEvent): boolean {
    applied.add(eventKey(event, state.round));
    const { state: next, output } = applyRule(rules, state, event);
    state = next;
    switch (output.kind) {
      case 'none':
        return true;
      case 'refused':
        return false;
      case 'getValue':
        effects.push({ kind: 'getValue', round: output.round });
        scheduleTimeout('propose', output.round);
        return true;
      case 'proposal':
        propose(output.round, output.polRound, output.blockHash);
        // A proposer whose own block fails its check must not wait for ever.
        if (event.kind === 'newRound') scheduleTimeout('propose', output.round);
        return true;
      case 'vote':
        if (isMember)
          effects.push({
            kind: 'signVote',
            type: output.type,
            round: output.round,
            blockHash: output.blockHash,
            lock: lock(),
          });
        return true;
      case 'timeout':
        scheduleTimeout(output.step, output.round);
        return true;
      case 'skip':
        enterRound(output.round);
        return true;
      case 'decide':
        decide(output.round, output.blockHash);
        return true;
    }
  }

  function enterRound(round: Round): void {
    effects.push({ kind: 'enterRound', round, proposer: proposer(round) });
    apply({ kind: 'newRound', round, isProposer: isMember && proposer(round) === self });
    scheduleTimeout('rebroadcast', round);
  }

  function decide(round: Round, blockHash: Hash): void {
    decision = { round, blockHash };
    const certificate = certificateFromVotes(height, round, blockHash, votes.votesOf('precommit', round, blockHash));
    effects.push({ kind: 'decide', round, blockHash, certificate });
  }

  /** Applies enabled clauses until none is left; each is applied once for its round and value, so this ends. */
  function settle(): void {
    for (;;) {
      const [event] = enabledEvents({ state, votes, proposals, wasApplied });
      if (event === undefined) break;
      apply(event);
    }
    if (decision === null) requestMissing();
  }

  /** Asks for blocks that a quorum voted for and that are not known here. */
  function requestMissing(): void {
    for (const round of votes.rounds()) {
      for (const blockHash of votes.quorumValues('precommit', round)) {
        const content = proposals.contentOf(blockHash);
        if (content === 'unknown') request('precommit', round, blockHash);
        else if (content === 'invalid' && isFirst(`invalid/${round}/${blockHash}`))
          effects.push({ kind: 'invalidDecision', round, blockHash });
      }
    }
    for (const blockHash of votes.quorumValues('prevote', state.round)) {
      const isHere = proposals.of(state.round).some((held) => held.proposal.blockHash === blockHash);
      if (!isHere || proposals.contentOf(blockHash) === 'unknown') request('prevote', state.round, blockHash);
    }
  }

  function request(type: Vote['type'], round: Round, blockHash: Hash): void {
    if (isFirst(`${type}/${round}/${blockHash}`)) effects.push({ kind: 'fetchProposal', round, blockHash, type });
  }

  function isFirst(key: string): boolean {
    if (requested.has(key)) return false;
    requested.add(key);
    return true;
  }

  function onProposal(proposal: Proposal, validity: Extract<Input, { kind: 'proposal' }>['validity']): void {
    if (proposal.height !== height) return ignore('otherHeight');
    if (decision !== null) return ignore('decided');
    const { round, polRound, blockHash } = proposal;
    if (round < 0 || polRound < -1 || polRound >= round) return ignore('malformedRound');
    const isWanted = votes.hasQuorum('precommit', round, blockHash) || votes.hasQuorum('prevote', round, blockHash);
    // Checked before asking who proposes: the schedule is computed up to the round that is asked for.
    if (round > state.round + roundsAheadMax && !isWanted) return ignore('roundTooFar');
    if (proposal.proposer !== proposer(round)) return ignore('notProposer');
    const added = proposals.add(proposal, validity, isWanted);
    if (added.evidence !== null) effects.push({ kind: 'evidence', evidence: added.evidence });
    if (added.ignored !== null) ignore(added.ignored);
  }

  function onVote(vote: Vote): void {
    if (decision !== null && !isLateCommit(vote)) return ignore('decided');
    const added = votes.add(vote, state.round);
    if (added.kind === 'added') return;
    if (added.evidence !== null) effects.push({ kind: 'evidence', evidence: added.evidence });
    ignore(added.reason);
  }

  /** After the decision only precommits for it are of use: they go into the next block's certificate. */
  const isLateCommit = (vote: Vote): boolean =>
    vote.type === 'precommit' && vote.round === decision?.round && vote.blockHash === decision.blockHash;

  /** A quorum is counted as a whole, even against votes already counted; anything less vote by vote. */
  function onVotes(certified: readonly Vote[]): void {
    if (decision !== null || !votes.isQuorumOf(certified)) {
      for (const vote of certified) onVote(vote);
      return;
    }
    for (const evidence of votes.addQuorum(certified)) effects.push({ kind: 'evidence', evidence });
  }

  function onCommitCertificate(certificate: CommitCertificate): void {
    if (certificate.height !== height) return ignore('otherHeight');
    if (decision !== null && certificate.blockHash !== decision.blockHash) return ignore('conflictingCertificate');
    onVotes(votesFromCertificate(certificate));
  }

  function onTimeout(timeout: Timeout): void {
    if (timeout.height !== height) return ignore('otherHeight');
    if (decision !== null) return ignore('decided');
    const { round, step } = timeout;
    if (round !== state.round || round < 0) return ignore('staleTimeout');
    if (step === 'rebroadcast') {
      effects.push(...relay.onRebroadcast(state));
      scheduleTimeout('rebroadcast', round);
      return;
    }
    const before = state;
    if (step === 'propose' && !apply({ kind: 'timeoutPropose', height, round })) return ignore('staleTimeout'); // 57
    if (step === 'prevote' && !apply({ kind: 'timeoutPrevote', height, round })) return ignore('staleTimeout'); // 61
    if (step === 'precommit') apply({ kind: 'timeoutPrecommit', height, round }); // 65
    if (step !== 'propose') effects.push(...relay.onRoundFailure(before, step));
  }

  function handle(input: Input): void {
    switch (input.kind) {
      case 'startRound':
        if (decision !== null) return ignore('decided');
        if (state.round >= 0) return ignore('alreadyStarted');
        return input.round < 0 ? ignore('malformedRound') : enterRound(input.round);
      case 'proposal':
        return onProposal(input.proposal, input.validity);
      case 'value':
        if (decision !== null) return ignore('decided');
        if (!proposals.addValue(input.blockHash, input.validity)) ignore('duplicate');
        return;
      case 'vote':
        return onVote(input.vote);
      case 'voteCertificate':
        return onVotes(input.votes);
      case 'ownValue':
        if (decision !== null) return ignore('decided');
        if (input.round !== state.round || proposer(state.round) !== self || proposedRound === state.round)
          return ignore('staleValue');
        if (!apply({ kind: 'ownValue', blockHash: input.blockHash })) ignore('staleValue'); // 18-19
        return;
      case 'commitCertificate':
        return onCommitCertificate(input.certificate);
      case 'timeout':
        return onTimeout(input.timeout);
    }
  }

  return {
    validatorSet,
    dropped,
    proposer,
    get state() {
      return { ...state, decision };
    },
    step(input) {
      effects = [];
      handle(input);
      settle();
      return effects;
    },
    votesFor: (round) => votes.votesIn(round),
    proposalsFor: (round) => proposals.of(round).map((held) => held.proposal),
    rounds: () => [...new Set([...votes.rounds(), ...proposals.rounds()])].sort((a, b) => a - b),
    commitCertificate: () =>
      decision === null
        ? null
        : certificateFromVotes(
            height,
            decision.round,
            decision.blockHash,
            votes.votesOf('precommit', decision.round, decision.blockHash),
          ),
  };
}
