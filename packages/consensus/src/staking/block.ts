import type { ActionResult, Block, DomainEvent } from '@prime/codec';
import { assert, type Height, type TimestampMs } from '@prime/primitives';
import { runAction, type ValidatorAction } from './actions.ts';
import { countMissing, judgeDowntime } from './downtime.ts';
import { Draft, type Payout } from './draft.ts';
import { ageEvidence, type EvidenceRules, expel, punish } from './evidence.ts';
import { escrowOf, type StakingState } from './state.ts';

/** A block as the staking state sees it; its evidence is judged already. */
export interface StakingBlock extends Pick<Block, 'evidence' | 'lastCommit'> {
  readonly height: Height;
  readonly timestampMs: TimestampMs;
  /** In proposed order. */
  readonly actions: readonly ValidatorAction[];
}

/** What a block does to the staking state, all of it: the input state is untouched. */
export interface StakingOutcome {
  readonly state: StakingState;
  /** By the index of the action in the block. */
  readonly results: ReadonlyMap<number, ActionResult>;
  readonly events: readonly DomainEvent[];
  /** Wei that leave escrow: stake that returns, and what was slashed. */
  readonly payouts: readonly Payout[];
}

/**
 * Carries a block out: stake whose time has come returns, downtime is judged and counted, evidence punished, who is convicted leaves
 * the set, and only with the room that this leaves owners change what is theirs.
 *
 * Who is active afterwards decides the second block after this one.
 *
 * @throws InvariantError when wei were made or lost
 */
export function executeStakingBlock(state: StakingState, block: StakingBlock, rules: EvidenceRules): StakingOutcome {
  const draft = new Draft(state, rules.params, block);
  release(draft);
  judgeDowntime(draft);
  countMissing(draft, block.lastCommit);
  ageEvidence(draft);
  punish(draft, block.evidence);
  expel(draft);
  const results = new Map<number, ActionResult>();
  let bonded = 0n;
  for (const action of block.actions) {
    draft.actionIndex = action.index;
    const result = runAction(draft, action, rules);
    results.set(action.index, result);
    if (result.ok) bonded += bondedBy(action);
  }
  const next = draft.state();
  const paid = draft.payouts.reduce((sum, { amount }) => sum + amount, 0n);
  const expected = escrowOf(state) + bonded - paid;
  assert(escrowOf(next) === expected, `staking holds ${escrowOf(next)} wei, ${expected} came in and did not go out`);
  return { state: next, results, events: draft.events, payouts: draft.payouts };
}

function bondedBy({ payload }: ValidatorAction): bigint {
  if (payload.type === 'validatorJoin') return payload.stake;
  return payload.type === 'validatorBond' ? payload.amount : 0n;
}

/** Stake whose unbonding period is over goes back to its owner. */
function release(draft: Draft): void {
  const due = draft.unbondings.filter(({ releaseMs }) => releaseMs <= draft.timestampMs);
  if (due.length === 0) return;
  draft.unbondings = draft.unbondings.filter(({ releaseMs }) => releaseMs > draft.timestampMs);
  for (const { owner, amount } of due) if (amount > 0n) draft.payouts.push({ to: owner, amount });
}
