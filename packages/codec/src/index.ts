export { accountsNamedBy, accountsOfAction, debitsByAccount, factsOf } from './actions/actionFacts.ts';
export {
  actionTypeCode,
  batchItemsMax,
  isValidatorAction,
  isValidatorType,
  reportedPricesMax,
  type ReportedPrice,
} from './actions/actionPayload.ts';
export { decodeActionResult, encodeActionResult } from './outcomes/actionResults.ts';
export {
  type RefusalCode,
  type Refused,
  isRefusedFor,
  kindOfCode,
  orderRefusals,
  refusalKind,
  refuse,
  stakingRefusals,
} from './outcomes/refusals.ts';
export {
  decodeResultFrames,
  encodeResultFrames,
  isRefusedAt,
  isSuccessAt,
  noResults,
  replaceResults,
  resultAt,
} from './outcomes/resultFrames.ts';
export { decodeRecordFrames, encodeRecordFrames, noRecords } from './outcomes/recordFrames.ts';
export {
  type SignerNonceCheck,
  agentMayAct,
  agentPermission,
  agentPermissionsMax,
  checkSignerNonce,
  isForSubAccounts,
} from './actions/authority.ts';
export { type SubAccount, subAccountAddress, subAccountIndexMax } from './actions/subAccounts.ts';
export {
  type SnapshotManifest,
  decodeSnapshotManifest,
  encodeSnapshotManifest,
  snapshotChunkBytes,
  snapshotFormat,
  snapshotId,
} from './records/snapshot.ts';
export { bodyRoot, decodeBlock, decodeStoredBlock, encodeBlock, encodeStoredBlock } from './consensus/block.ts';
export {
  type FlatActions,
  type FlatBlock,
  decodeActionFields,
  decodeVerifiedFields,
  encodeActionFields,
  encodeVerifiedFields,
  executableBlock,
  flatActions,
  flatBlock,
  openActions,
} from './consensus/flatBlock.ts';
export {
  decodeNumbers,
  encodeFrames,
  encodeNumbers,
  frameAt,
  frameCount,
  frameEnds,
  framesIn,
  framesOf,
} from './outcomes/blockLists.ts';
export { eachReceiptAccount } from './outcomes/receipts.ts';
export { decodeBlockLog, decodeBlockLogs, eachLogTerm, encodeBlockLogs, type StoredLog } from './outcomes/blockLogs.ts';
export {
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
  nonceWindowSize,
  signerNoncesMax,
} from './records/clobRecords.ts';
export {
  type ClobRecordKind,
  accountRecordKey,
  agentRecordKey,
  clobRecordKind,
  closedOrdersRecordKey,
  globalRecordKey,
  marketRecordKey,
  nonceRecordKey,
  orderRecordKey,
  parametersRecordKey,
  proposalRecordKey,
  recordKind,
  recordNumber,
  refusedOrdersRecordKey,
  reporterRecordKey,
  scheduledCancelRecordKey,
  triggerRecordKey,
  setOrderRecordKey,
  signerRecordKey,
  transferRecordKey,
} from './records/recordKeys.ts';
export { checkNonce, type NonceCheck, useNonce, useNonceOf } from './records/nonceWindow.ts';
export {
  encodeOrderPage,
  leafKeyOf,
  orderPageIds,
  orderPageKey,
  orderPageOf,
  recordInLeaf,
} from './records/orderPages.ts';
export type * from './queries/callTypes.ts';
export { noBlockOverrides } from './queries/callTypes.ts';
export { type ContractWrite, decodeContractWrites, encodeContractWrites } from './outcomes/contractWrites.ts';
export {
  type Candle,
  type CandleRange,
  type CandleSource,
  type CandleValues,
  candlesOfBlock,
  decodeCandle,
  encodeCandle,
  joinCandles,
  mergeCandles,
  mergeTraded,
  type Ohlc,
  type TradedValues,
} from './records/candles/candles.ts';
export { type CandleInterval, candleIntervalMs, candleIntervals, candleStart } from './records/candles/intervals.ts';
export { type MarketPrices, marketPricesIn, noPrices } from './records/candles/marketPrices.ts';
export { decodeSecondCandles, encodeSecondCandles, secondCandleOf } from './records/candles/secondCandles.ts';
export type * from './queries/historyTypes.ts';
export {
  decodePostings,
  encodePostings,
  orderPage,
  type Posting,
  postingLists,
  postingsKey,
  termBytes,
  type TermKey,
} from './records/postings.ts';
export {
  blockPrefix,
  hashKey,
  heightKey,
  heightOfKey,
  prefixedKey,
  statePrefix,
  termHeightKey,
} from './records/databaseKeys.ts';
export { CodecError, type CodecErrorDetail } from './encoding/errors.ts';
export {
  type EventJson,
  decodeEvent,
  encodeEvent,
  eventAccounts,
  eventCodes,
  eventFieldReader,
  eventFromJson,
  eventNamesAccount,
  eventToJson,
} from './outcomes/events.ts';
export {
  type AccountEventList,
  type AccountList,
  accountLists,
  eachListedAccount,
  eventsOfLists,
} from './outcomes/accountHistory.ts';
export { type EventKind, eventTable, type OrderReduction, orderReductions } from './outcomes/eventTable.ts';
export {
  appendEvents,
  decodeEventFrames,
  encodeEventFrames,
  eventAt,
  eventCodesIn,
  eventsRoot,
  noEvents,
  placesOfKind,
} from './outcomes/eventFrames.ts';
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
export {
  plainLiquidation,
  decodeGenesis,
  defaultClobParams,
  defaultStakingParams,
  encodeGenesis,
  genesisFormatVersion,
  genesisHash,
  noMarketLimits,
} from './genesis/genesis.ts';
export { defaultMarketDecimals, type MarketDecimals, marketDecimalsMax } from './genesis/marketDecimals.ts';
export { defaultOracle, genesisFromJson, type GenesisJson } from './genesis/genesisJson.ts';
export { type GenesisDeclaration, genesisDeclarationDigest } from './genesis/genesisDeclaration.ts';
export type { MarketLimits, RiskTier } from './encoding/protocolFields.ts';
export type { StoredBlock } from './consensus/block.ts';
export { decodeHeader, encodeHeader, headerHash } from './consensus/header.ts';
export {
  decodeNativeTransaction,
  encodeNativeTransaction,
  nativeSigningDigest,
  nativeTransactionBytesMax,
  nativeTransactionHash,
  nativeTransactionType,
  verifiedAction,
  verifyNativeTransaction,
} from './actions/nativeTransaction.ts';
export type * from './consensus/pipelineTypes.ts';
export {
  type ProtocolRules,
  type ProtocolSchedule,
  type Upgrade,
  createProtocolSchedule,
  protocolVersionMax,
  upgradesMax,
  upgradesProblem,
} from './genesis/protocolRules.ts';
export {
  agentNameBytesMax,
  marketSymbolPattern,
  monikerBytesMax,
  riskTiersMax,
  symbolBytesMax,
} from './encoding/protocolFields.ts';
export {
  type FlatDelta,
  type OpenedDelta,
  decodeStoredReceipts,
  encodeStoredReceipts,
  flatDelta,
  openDelta,
  OpenedReceipts,
} from './outcomes/storedReceipts.ts';
export { checkRecordProof, leafHash } from './proofs/recordProof.ts';
export {
  type ClosedOrderParts,
  type OrderRecordParts,
  endAccount,
  endClosedOrders,
  writeClosedOrder,
  writeGlobalRecord,
  writeClaim,
  endClaims,
  writeMarketRecord,
  writeOrderRecord,
  writePosition,
  writeSubAccount,
} from './records/recordWriters.ts';
export { writeCancelResult, writeOrderBegin, writeOrderEnd, writeResultTrade } from './outcomes/resultWriters.ts';
export {
  type TradeEventParts,
  writeAcceptedEvent,
  writeCancelledEvent,
  writeFeesEvent,
  writeTradeEvent,
} from './outcomes/eventWriters.ts';
export {
  closedOrderIds,
  decodeRestingOrder,
  eachEndedOrder,
  type NamedEnd,
  namedEnds,
  type OrderName,
  orderName,
  orderNameBytes,
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
export {
  parseSignBytes,
  proposalSignBytes,
  proposalSignDigest,
  signerProofDigest,
  voteSignBytes,
  voteSignDigest,
  proposalSignBytesLength,
  voteSignBytesLength,
} from './consensus/signBytes.ts';
export {
  domainInWords,
  typedDataDigest,
  typedDataOf,
  typedDataTypeString,
  type TypedDataValue,
} from './actions/typedData.ts';
export {
  type TransactionContent,
  type UnsignedTransaction,
  unsignedTransaction,
} from './transactions/unsignedTransaction.ts';
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
export {
  type AccessListEntry,
  type SignedAuthorization,
  type SignedTransaction,
  type TransactionFields,
  decodeSignedTransaction,
  decodeTransaction,
  decodeUnboundedTransaction,
} from './transactions/transactionFields.ts';
export { transactionData, type TransactionPayload, transactionPayload } from './transactions/transactionPayload.ts';
export {
  type TransactionType,
  blobTransactionType,
  transactionTypeOf,
  transactionTypes,
} from './transactions/transactionTypes.ts';
export type * from './queries/stateTypes.ts';
export type * from './queries/simulationTypes.ts';
export type * from './queries/traceTypes.ts';
export { checkTrieProof, type TrieProofResult } from './proofs/trieProof.ts';
export {
  orderStatuses,
  selfTradeModes,
  sides,
  timesInForce,
  type TriggerKind,
  triggerKinds,
} from './actions/orderWords.ts';
export { isQuorum, isSkipQuorum } from './consensus/quorum.ts';
export { orderReadsAddress, ordersAddress, stakingAddress } from './genesis/protocolAddresses.ts';
export { parameterNames, parametersOfMarkets, proposalHash } from './genesis/changes.ts';
export { changeFromJson, changeText, changeValueText } from './genesis/changeJson.ts';
export { bpsMax, clobProblem, feePpmMax, limitsProblem, marginProblem, tiersProblem } from './genesis/clobRules.ts';
export { marketStatuses, settableStatuses } from './genesis/marketStatuses.ts';
export {
  decodeParametersRecord,
  decodeProposalRecord,
  encodeParametersRecord,
  encodeProposalRecord,
} from './records/governanceRecords.ts';
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
export { decodeTriggerRecord, encodeTriggerRecord } from './records/clobRecords.ts';
