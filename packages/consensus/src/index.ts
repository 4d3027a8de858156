export type * from './api.ts';
export { certificateFromVotes, verifyCommitCertificate, votesFromCertificate } from './commitCertificate.ts';
export { enabledEvents, eventKey, type RuleContext } from './enabledEvents.ts';
export { ConsensusError, type ConsensusErrorDetail } from './errors.ts';
export { LightClient, type LightStep } from './light/client.ts';
export {
  type LightBlock,
  type LightContext,
  type LightRefusal,
  type LightTrust,
  type LightValidator,
  trustBlock,
  trustGenesis,
  trustLevel,
  verifyLightBlock,
} from './light/verify.ts';
export { createConsensus } from './machine.ts';
export { createProposalBook, type HeldProposal, type ProposalBook, proposalsPerRoundMax } from './proposalBook.ts';
export { advanceProposer, createProposerSchedule, type ProposerSchedule } from './proposerRotation.ts';
export {
  type RoundEvent,
  type RoundOutput,
  type RoundState,
  type RuleTable,
  applyRule,
  initialRoundState,
  tendermintRules,
} from './rules.ts';
export { isTimely, type TimelinessParams } from './timeliness.ts';
export { type ValidatorAction } from './staking/actions.ts';
export { executeStakingBlock, type StakingBlock, type StakingOutcome } from './staking/block.ts';
export { stakingRefusal } from './staking/errors.ts';
export {
  accusedOf,
  type EvidencePlace,
  type EvidenceRules,
  type EvidenceVerdict,
  inOrder,
  judgeAllEvidence,
  judgeEvidence,
} from './staking/evidence.ts';
export { genesisStaking } from './staking/genesis.ts';
export { escrowOf, isToldAlike, registeredValidators, type StakingState } from './staking/state.ts';
export { lanTimeouts, timeoutMs, wanTimeouts } from './timeouts.ts';
export {
  createValidatorSet,
  followMembers,
  totalPower,
  updateValidatorSet,
  validatorsFromGenesis,
} from './validatorSet.ts';
export { type AddedVote, createVoteKeeper, roundsAheadMax, type VoteKeeper } from './voteKeeper.ts';
