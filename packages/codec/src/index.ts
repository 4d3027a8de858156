export { accountsNamedBy, accountsOfAction, debitsByAccount, factsOf } from './actions/actionFacts.ts';
export {
  actionTypeCode,
  batchItemsMax,
  isValidatorAction,
  isValidatorType,
  reportedPricesMax,
  type ReportedPrice,
} from './actions/actionPayload.ts';
export {
  decodeActionResult,
  encodeActionResult,
} from './outcomes/actionResults.ts';
export * from './outcomes/refusals.ts';
export * from './outcomes/resultFrames.ts';
export { decodeRecordFrames, encodeRecordFrames, noRecords } from './outcomes/recordFrames.ts';
export * from './actions/authority.ts';
export { type SubAccount, subAccountAddress, subAccountIndexMax } from './actions/subAccounts.ts';
export * from './records/snapshot.ts';
export { bodyRoot, decodeBlock, decodeStoredBlock, encodeBlock, encodeStoredBlock } from './consensus/block.ts';
export * from './consensus/flatBlock.ts';
export {
  decodePositions,
  encodeFrames,
  encodePositions,
  frameAt,
  frameCount,
  frameEnds,
  framesIn,
  framesOf,
} from './outcomes/blockLists.ts';
export { decodeBlockLog, decodeBlockLogs, encodeBlockLogs, type StoredLog } from './outcomes/blockLogs.ts';
export {
  type AccountRecord,
  type AgentRecord,
  type ScheduledCancelRecord,
  type ClosedOrder,
  type ClosedOrdersRecord,
  decodeAccountRecord,
  decodeAgentRecord,
  decodeScheduledCancelRecord,
  decodeClosedOrderAt,
  decodeClosedOrdersRecord,
  decodeGlobalRecord,
  decodeMarketRecord,
  decodeNonceRecord,
  decodeOrderRecord,
  decodeRefusedOrdersRecord,
  decodeSignerRecord,
  decodeTransferRecord,
  encodeAccountRecord,
  encodeAgentRecord,
  encodeScheduledCancelRecord,
  encodeClosedOrdersRecord,
  encodeGlobalRecord,
  encodeMarketRecord,
  encodeNonceRecord,
  encodeOrderRecord,
  encodeRefusedOrdersRecord,
  encodeSignerRecord,
  encodeTransferRecord,
  type GlobalRecord,
  type MarginParams,
  type MarketRecord,
  type MarketStatus,
  type NonceRecord,
  nonceWindowSize,
  type OrderRecord,
  type PositionRecord,
  type RefusedOrder,
  type RefusedOrdersRecord,
  type SignerRecord,
  signerNoncesMax,
  type TransferRecord,
} from './records/clobRecords.ts';
export * from './records/recordKeys.ts';
export { checkNonce, type NonceCheck, useNonce, useNonceOf } from './records/nonceWindow.ts';
export * from './records/orderPages.ts';
export type * from './queries/callTypes.ts';
export { noBlockOverrides } from './queries/callTypes.ts';
export { type ContractWrite, decodeContractWrites, encodeContractWrites } from './outcomes/contractWrites.ts';
export * from './records/candles.ts';
export type * from './queries/historyTypes.ts';
export * from './records/databaseKeys.ts';
export { CodecError, type CodecErrorDetail } from './encoding/errors.ts';
export * from './outcomes/events.ts';
export {
  type AccountEventList,
  type AccountList,
  accountLists,
  eachListedAccount,
  eventsOfLists,
} from './outcomes/accountHistory.ts';
export { type EventKind, eventTable, type OrderReduction, orderReductions } from './outcomes/eventTable.ts';
export * from './outcomes/eventFrames.ts';
export { type CancelReason, type OrderEnd, orderEnds } from './actions/orderEnds.ts';
export { checkOrdersProof, type StateProofOfRecord } from './proofs/ordersProof.ts';
export type { FundingPool, MarketFunding } from './records/fundingRecords.ts';
export {
  decodeReporterRecord,
  encodeReporterRecord,
  type MarketOracle,
  type ObservedPrice,
  type ReporterRecord,
} from './records/oracleRecords.ts';
export { decodeLevelRecord, encodeLevelRecord, type LevelRecord, levelRecordKey } from './records/levelRecords.ts';
export * from './genesis/genesis.ts';
export { defaultMarketDecimals, type MarketDecimals, marketDecimalsMax } from './genesis/marketDecimals.ts';
export { genesisFromJson, type GenesisJson } from './genesis/genesisJson.ts';
export { type GenesisDeclaration, genesisDeclarationDigest } from './genesis/genesisDeclaration.ts';

export type { MarketLimits, RiskTier } from './encoding/protocolFields.ts';
export type { StoredBlock } from './consensus/block.ts';
export {
  decodeHeader,
  encodeHeader,
  headerHash,
} from './consensus/header.ts';
export * from './actions/nativeTransaction.ts';
export type * from './consensus/pipelineTypes.ts';
export * from './genesis/protocolRules.ts';
export {
  agentNameBytesMax,
  marketSymbolPattern,
  monikerBytesMax,
  riskTiersMax,
  symbolBytesMax,
} from './encoding/protocolFields.ts';
export * from './outcomes/storedReceipts.ts';
export { checkRecordProof, leafHash } from './proofs/recordProof.ts';
export * from './records/recordWriters.ts';
export * from './outcomes/eventWriters.ts';
export {
  closedOrderIds,
  closedOrderOwners,
  decodeRestingOrder,
  namedClosedOrders,
  type RestingOrder,
} from './records/recordParts.ts';
export { RlpBackwards } from './encoding/rlpBackwards.ts';
export {
  decodeRlp,
  encodeRlp,
  isRlpList,
  type RlpItem,
  type RlpValue,
  rlpDepthMax,
  rlpItemsMax,
} from './encoding/rlp.ts';
export * from './consensus/signBytes.ts';
export * from './actions/typedData.ts';
export * from './transactions/unsignedTransaction.ts';
export {
  decodeStakingRecords,
  type StakedValidator,
  type StakingClock,
  type StakingRecords,
  stakingRoot,
  stakingWrites,
  type TimeMark,
  type Unbonding,
} from './records/stakingRecords.ts';
export * from './transactions/transactionFields.ts';
export { transactionData, type TransactionPayload, transactionPayload } from './transactions/transactionPayload.ts';
export * from './transactions/transactionTypes.ts';
export type * from './queries/stateTypes.ts';
export type * from './queries/simulationTypes.ts';
export type * from './queries/traceTypes.ts';
export { checkTrieProof, type TrieProofResult } from './proofs/trieProof.ts';
export { orderStatuses, selfTradeModes, sides, timesInForce } from './actions/orderWords.ts';
export { isQuorum, isSkipQuorum } from './consensus/quorum.ts';
export { orderReadsAddress, ordersAddress, stakingAddress } from './genesis/protocolAddresses.ts';
export type * from './types.ts';
export {
  decodeValidatorSet,
  encodeValidatorSet,
  hiddenHost,
  powerOfStake,
  validatorsHash,
} from './consensus/validators.ts';
export {
  decodeCommitCertificate,
  decodeEvidence,
  decodeProposal,
  decodeVote,
  encodeCommitCertificate,
  encodeEvidence,
  encodeProposal,
  encodeVote,
  evidenceHash,
  lastCommitHash,
} from './consensus/votes.ts';
