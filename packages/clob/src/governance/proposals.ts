import {
  type ActionPayload,
  type ActionResult,
  type Change,
  changeValueText,
  isQuorum,
  type ProposalRecord,
  proposalHash,
} from '@prime/codec';
import { type Address, compareStrings, type Hash, type Height } from '@prime/primitives';
import { refusal } from '../rules/errors.ts';
import { setProposal } from '../state/changes.ts';
import type { ClobState } from '../state/state.ts';
import type { Refused } from '../state/takerOrder.ts';
import { applyChange, refuseChange } from './applyChange.ts';

/**
 * Who changes parameters: the admin of genesis, by its own signature, or more than two thirds of the validators' power by their votes.
 *
 * @see docs/protocol/clob.md, Changes of parameters
 */

type Payload<Type extends ActionPayload['type']> = Extract<ActionPayload, { readonly type: Type }>;

/** Proposals that are open or wait for their height. */
const proposalsMax = 64;
/** Blocks between a proposal and its change, at least: whoever does not want it can leave. */
const aheadMin = 10;
/** The same, at most: what is voted on should not be forgotten. */
const aheadMax = 10_000_000;

const done: ActionResult = { ok: true, value: { type: 'done' } };

/** A change by the admin: at once, or at the begin of a later block. */
export function changeByAdmin(state: ClobState, admin: Address, { change, atHeight }: Payload<'change'>): ActionResult {
  const { height } = state;
  if (atHeight === 0) {
    const refused = refuseChange(state, change, true);
    if (refused === null) applyChange(state, change, null);
    return refused ?? done;
  }
  if (atHeight <= height || atHeight > height + aheadMax)
    return refusal.badProposal('activation_height', atHeight, height + 1, height + aheadMax);
  const proposed = { change, activationHeight: atHeight as Height, expiryHeight: atHeight as Height };
  return open(state, { ...proposed, proposer: admin, isPassed: true }) ?? done;
}

/** Puts a change to the vote. */
export function propose(
  state: ClobState,
  proposer: Address,
  { change, activationHeight, expiryHeight }: Payload<'propose'>,
): ActionResult {
  const { height, oracle } = state;
  if (powerOf(state, proposer) === null) return refusal.notAValidator(proposer);
  const [least, most] = [height + aheadMin, height + aheadMax];
  if (activationHeight < least || activationHeight > most)
    return refusal.badProposal('activation_height', activationHeight, least, most);
  if (expiryHeight <= height || expiryHeight > activationHeight)
    return refusal.badProposal('expiry_height', expiryHeight, height + 1, activationHeight);
  // Less than a third of the validators can not take all places.
  const share = Math.max(1, Math.floor(proposalsMax / oracle!.reporters.length));
  let own = 0;
  for (const proposal of state.proposals.values()) if (proposal.proposer === proposer) own++;
  if (own >= share) return refusal.tooManyProposals(share);
  return open(state, { change, activationHeight, expiryHeight, proposer, isPassed: false }) ?? done;
}

/** @returns why it can not be one of the proposals */
function open(state: ClobState, proposed: Omit<ProposalRecord, 'proposal' | 'votes'>): Refused | null {
  const { change, activationHeight, expiryHeight, proposer, isPassed } = proposed;
  if (state.proposals.size >= proposalsMax) return refusal.tooManyProposals(proposalsMax);
  const refused = refuseChange(state, change, false);
  if (refused !== null) return refused;
  const proposal = proposalHash(proposer, { change, activationHeight, expiryHeight });
  if (state.proposals.has(proposal)) return refusal.proposalExists(proposal);
  setProposal(state, proposal, { ...proposed, proposal, votes: [] });
  state.emit('proposed', {
    proposal,
    proposer,
    market_id: change.marketId,
    parameter: change.parameter,
    new_value: changeValueText(change),
    activation_height: activationHeight,
    expiry_height: expiryHeight,
  });
  if (isPassed) tellPassed(state, proposal, activationHeight);
  return null;
}

/** What a validator says to a proposal. It passes with the vote that brings it above two thirds of the power as it is then. */
export function vote(state: ClobState, validator: Address, { proposal: hash, yes }: Payload<'vote'>): ActionResult {
  if (powerOf(state, validator) === null) return refusal.notAValidator(validator);
  const proposal = state.proposals.get(hash);
  if (proposal === undefined) return refusal.unknownProposal(hash);
  if (proposal.isPassed) return refusal.proposalPassed(hash, proposal.activationHeight);
  const others = proposal.votes.filter((known) => known.validator !== validator);
  const votes = [...others, { validator, yes }].sort((a, b) => compareStrings(a.validator, b.validator));
  const said = new Set(votes.filter((known) => known.yes).map((known) => known.validator));
  let [yesPower, totalPower] = [0n, 0n];
  for (const reporter of state.oracle!.reporters) {
    totalPower += reporter.power;
    if (said.has(reporter.validator)) yesPower += reporter.power;
  }
  const isPassed = isQuorum(yesPower, totalPower);
  setProposal(state, hash, { ...proposal, votes, isPassed });
  state.emit('voted', { proposal: hash, validator, yes, yes_power: yesPower, total_power: totalPower });
  if (isPassed) tellPassed(state, hash, proposal.activationHeight);
  return done;
}

const tellPassed = (state: ClobState, proposal: Hash, height: number): void =>
  state.emit('proposal_passed', { proposal, activation_height: height });

/** Power of an active validator, by its owner; null for anybody else. */
const powerOf = ({ oracle }: ClobState, validator: Address): bigint | null =>
  oracle?.reporters.find((reporter) => reporter.validator === validator)?.power ?? null;

const byTurn = (a: ProposalRecord, b: ProposalRecord): number =>
  a.activationHeight - b.activationHeight || compareStrings(a.proposal, b.proposal);

/** Makes the changes whose height has come, and ends the proposals whose time for votes is over: the first thing in a block. */
export function runProposals(state: ClobState): void {
  if (state.proposals.size === 0) return;
  for (const { proposal, change, activationHeight, expiryHeight, isPassed } of [...state.proposals.values()].sort(
    byTurn,
  )) {
    if (state.height < (isPassed ? activationHeight : expiryHeight)) continue;
    setProposal(state, proposal, null);
    const reason = isPassed ? runChange(state, change, proposal) : 'expired';
    if (reason !== null) state.emit('proposal_ended', { proposal, reason });
  }
}

/** What was allowed when it was proposed may not be any more. @returns the kind of the refusal */
function runChange(state: ClobState, change: Change, proposal: Hash): string | null {
  const refused = refuseChange(state, change, true);
  if (refused === null) {
    applyChange(state, change, proposal);
    return null;
  }
  return String(refused.error.data['kind']);
}

/** The first height at which a proposal does something by itself; Infinity where there is none. */
export function nextProposalHeight({ proposals }: ClobState): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { activationHeight, expiryHeight, isPassed } of proposals.values())
    next = Math.min(next, isPassed ? activationHeight : expiryHeight);
  return next;
}
