export type {
  ConsensusMachine,
  ConsensusOptions,
  ConsensusState,
  Effect,
  IgnoreReason,
  Input,
  LockState,
  Step,
  Timeout,
  TimeoutConfig,
  TimeoutStep,
  Validity,
} from './api.ts';
export {
  applyRule,
  initialRoundState,
  type RoundEvent,
  type RoundOutput,
  type RoundRules,
  type RoundState,
  type RuleTable,
  type Transition,
  tendermintRules,
} from './rules.ts';
export { lanTimeouts, timeoutMs, wanTimeouts } from './timeouts.ts';
