/**
 * The data model of the chain: what validators agree on, in the shape that code works with.
 *
 * Hashes and addresses are lower-case hex strings (they are map keys and end up in JSON), payloads are bytes.
 * The canonical bytes of each type are made in the file named after it; docs/protocol/encoding.md is the specification.
 */

export type { ActionPayload, SignerClaim, ValidatorActionPayload } from './actions/actionPayload.ts';
export type { BracketFields, BracketLeg, OrderFields, TriggerFields } from './actions/orderPayloads.ts';
export type * from './actions/actionTypes.ts';
export type { OrderStatus } from './actions/orderWords.ts';
export type { Block } from './consensus/block.ts';
export type { ExecutionRoots, Header } from './consensus/header.ts';
export type { RankedValidator, Validator, ValidatorSet } from './consensus/validators.ts';
export type {
  CommitCertificate,
  CommitSignature,
  Evidence,
  Proposal,
  Vote,
  VoteCertificate,
  VoteType,
} from './consensus/votes.ts';
export type { ValidatorEndpoint } from './encoding/protocolFields.ts';
export type { Change, ParameterName, ProposedChange } from './genesis/changes.ts';
export type { RuleProblem } from './genesis/clobRules.ts';
export type {
  ClobParams,
  ConsensusParams,
  FeeParams,
  FundingParams,
  Genesis,
  GenesisAccount,
  GenesisMarket,
  GenesisValidator,
  LiquidationParams,
  MarkParams,
  OracleParams,
  StakingParams,
  TriggerParams,
} from './genesis/genesis.ts';
export type { MarketStatus } from './genesis/marketStatuses.ts';
export type {
  AccountRecord,
  AgentRecord,
  ClaimRecord,
  ClosedOrder,
  ClosedOrdersRecord,
  EndedTrigger,
  GlobalRecord,
  MarginParams,
  MarketRecord,
  NonceRecord,
  OrderRecord,
  PositionRecord,
  RefusedOrder,
  RefusedOrdersRecord,
  ScheduledCancelRecord,
  SignerRecord,
  TransferRecord,
  TriggerRecord,
} from './records/clobRecords.ts';
export type { ProposalRecord } from './records/governanceRecords.ts';
export type {
  ActionError,
  ActionResult,
  ActionValue,
  Deleverage,
  LiquidatedPosition,
  LiquidationValue,
  ProcessedTransfer,
  TradeValue,
  TransferValue,
} from './outcomes/actionResults.ts';
export type * from './outcomes/outcomeTypes.ts';
export type { RegisteredValidator } from './records/stakingRecords.ts';
