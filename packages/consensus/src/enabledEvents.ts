import type { Hash, Round } from '@prime/primitives';
import type { HeldProposal, ProposalBook } from './proposalBook.ts';
import type { RoundEvent, RoundState } from './rules.ts';
import type { VoteKeeper } from './voteKeeper.ts';

/** Everything that the conditions of the `upon` clauses look at. */
export interface RuleContext {
  readonly state: RoundState;
  readonly votes: Pick<
    VoteKeeper,
    'hasQuorum' | 'hasAnyQuorum' | 'hasVoterQuorum' | 'quorumValues' | 'skipTarget' | 'rounds'
  >;
  readonly proposals: Pick<ProposalBook, 'of' | 'contentOf'>;
  /** True for an event that already happened: each clause acts once for each round and value. */
  wasApplied(event: RoundEvent): boolean;
}

/**
 * The clauses whose conditions hold now, most urgent first.
 *
 * The paper leaves the order open; a fixed one makes a run repeatable. Deciding comes first, because nothing else matters
 * then; skipping before voting, because a vote for a round that is over helps nobody; clauses with a value before the ones
 * that start a timeout, so that no timer is started for what is already answered.
 */
export const enabledEvents = (context: RuleContext): readonly RoundEvent[] =>
  candidates(context).filter((event) => !context.wasApplied(event));

// Lists and no generators: this runs several times for each message.
function candidates(context: RuleContext): RoundEvent[] {
  const { state, votes } = context;
  const events: RoundEvent[] = [];
  if (state.step === 'decided') return events;
  decisions(context, events); // 49
  if (state.round < 0 || state.step === 'newRound') return events;
  const target = votes.skipTarget(state.round);
  if (target !== null) events.push({ kind: 'skipRound', round: target }); // 55
  if (state.step === 'propose')
    prevotes(context, events); // 28, 22
  else polkas(context, events); // 36, 44, 34
  if (votes.hasAnyQuorum('precommit', state.round)) events.push({ kind: 'precommitAny' }); // 47
  return events;
}

/** 49: any round; more than 2/3 precommits stand for the proposal message too, its block must be known and valid. */
function decisions({ votes, proposals }: RuleContext, events: RoundEvent[]): void {
  for (const round of votes.rounds())
    for (const blockHash of votes.quorumValues('precommit', round))
      if (proposals.contentOf(blockHash) === 'valid') events.push({ kind: 'proposalWithCommit', round, blockHash });
}

/** 36, 44, 34: what a polka of the current round leads to. */
function polkas({ state, votes, proposals }: RuleContext, events: RoundEvent[]): void {
  for (const blockHash of votes.quorumValues('prevote', state.round)) {
    const isProposed = proposals.of(state.round).some((held) => held.proposal.blockHash === blockHash);
    if (isProposed && proposals.contentOf(blockHash) === 'valid') events.push({ kind: 'proposalWithPolka', blockHash });
  }
  if (state.step !== 'prevote') return;
  if (votes.hasQuorum('prevote', state.round, null)) events.push({ kind: 'polkaNil' });
  // Who precommitted has prevoted, and may have lost that vote with its log: waiting for it could last forever.
  if (votes.hasVoterQuorum(state.round)) events.push({ kind: 'polkaAny' });
}

/** 28 and 22: the answer to the proposal of the current round. */
function prevotes({ state, votes, proposals }: RuleContext, events: RoundEvent[]): void {
  const held = proposals.of(state.round);
  for (const entry of held) {
    const { blockHash, polRound } = entry.proposal;
    if (polRound < 0 || !votes.hasQuorum('prevote', polRound, blockHash)) continue;
    const content = proposals.contentOf(blockHash);
    if (content === 'valid') events.push({ kind: 'proposalWithPriorPolka', blockHash, polRound });
    else if (content === 'invalid') events.push({ kind: 'invalidProposalWithPriorPolka' });
  }
  for (const entry of held) {
    const event = answerToNew(entry, proposals.contentOf(entry.proposal.blockHash));
    if (event !== null) events.push(event);
  }
}

function answerToNew(
  { proposal, validity }: HeldProposal,
  content: 'valid' | 'invalid' | 'unknown',
): RoundEvent | null {
  // Invalid is invalid with any polka; waiting for one before prevoting nil would only cost the propose timeout.
  if (content === 'invalid') return { kind: 'invalidProposal' };
  if (proposal.polRound >= 0 || validity === 'unknown') return null;
  // A new value must also be timely for this validator's clock; a value with a polka was timely for more than 1/3 honest ones.
  return validity === 'untimely' ? { kind: 'invalidProposal' } : { kind: 'proposal', blockHash: proposal.blockHash };
}

/** Identity of an event within a height, for {@link RuleContext.wasApplied}. */
export function eventKey(event: RoundEvent, currentRound: Round): string {
  const round = 'round' in event ? event.round : currentRound;
  const blockHash: Hash | '' = 'blockHash' in event ? event.blockHash : '';
  return `${event.kind}/${round}/${blockHash}`;
}
