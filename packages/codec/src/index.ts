export { accountsNamedBy, accountsOfAction } from './actionAccounts.ts';
export { actionTypeCode, batchItemsMax, evmDebit, isValidatorAction, stakeDebit } from './actionPayload.ts';
export {
  decodeActionResult,
  encodeActionResult,
  refusalKind,
} from './actionResults.ts';
export {
  decodeResultFrames,
  encodeResultFrames,
  isSuccessAt,
  noResults,
  replaceResults,
  resultAt,
} from './resultFrames.ts';
export {
  agentMayAct,
  agentPermission,
  agentPermissionsMax,
  checkSignerNonce,
  type SignerNonceCheck,
} from './authority.ts';
export {
  decodeSnapshotManifest,
  encodeSnapshotManifest,
  snapshotChunkBytes,
  snapshotFormat,
  snapshotId,
  type SnapshotManifest,
} from './snapshot.ts';
export { bodyRoot, decodeBlock, decodeStoredBlock, encodeBlock, encodeStoredBlock } from './block.ts';
export {
  decodeVerifiedFields,
  encodeVerifiedFields,
  executableBlock,
  type FlatBlock,
  flatBlock,
} from './flatBlock.ts';
export {
  decodePositions,
  encodeFrames,
  encodePositions,
  frameAt,
  frameCount,
  frameEnds,
  framesOf,
} from './blockLists.ts';
export { decodeBlockLog, decodeBlockLogs, encodeBlockLogs, type StoredLog } from './blockLogs.ts';
export {
  type AccountRecord,
  type AgentRecord,
  accountRecordKey,
  agentRecordKey,
  type ClobRecordKind,
  type ClosedOrder,
  type ClosedOrdersRecord,
  checkNonce,
  clobRecordKind,
  closedOrdersRecordKey,
  decodeAccountRecord,
  decodeAgentRecord,
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
  encodeClosedOrdersRecord,
  encodeGlobalRecord,
  encodeMarketRecord,
  encodeNonceRecord,
  encodeOrderRecord,
  encodeRefusedOrdersRecord,
  encodeSignerRecord,
  encodeTransferRecord,
  type GlobalRecord,
  globalRecordKey,
  type MarginParams,
  type MarketRecord,
  type MarketStatus,
  marketRecordKey,
  type NonceCheck,
  type NonceRecord,
  nonceRecordKey,
  nonceWindowSize,
  type OrderRecord,
  orderRecordKey,
  type PositionRecord,
  recordKind,
  recordNumber,
  type RefusedOrder,
  type RefusedOrdersRecord,
  refusedOrdersRecordKey,
  type SignerRecord,
  signerNoncesMax,
  setOrderRecordKey,
  signerRecordKey,
  type TransferRecord,
  transferRecordKey,
  useNonce,
  useNonceOf,
} from './clobRecords.ts';
export {
  encodeOrderPage,
  leafKeyOf,
  orderPageIds,
  orderPageKey,
  orderPageOf,
  recordInLeaf,
} from './orderPages.ts';
export type * from './callTypes.ts';
export { noBlockOverrides } from './callTypes.ts';
export { type ContractWrite, decodeContractWrites, encodeContractWrites } from './contractWrites.ts';
export {
  type Candle,
  type CandleInterval,
  candleIntervalMs,
  candleIntervals,
  type CandleRange,
  candleStart,
  type CandleValues,
  decodeCandle,
  encodeCandle,
  joinCandles,
  mergeCandles,
  tradedIn,
} from './candles.ts';
export type * from './historyTypes.ts';
export {
  blockPrefix,
  hashKey,
  heightKey,
  heightOfKey,
  prefixedKey,
  statePrefix,
  termHeightKey,
} from './databaseKeys.ts';
export { CodecError, type CodecErrorDetail } from './errors.ts';
export {
  decodeEvent,
  type EventJson,
  type EventKind,
  encodeEvent,
  eventCodes,
  eventAccounts,
  eventFieldReader,
  eventFromJson,
  eventNamesAccount,
  eventTable,
  eventToJson,
  type OrderReduction,
  orderReductions,
} from './events.ts';
export {
  appendEvents,
  decodeEventFrames,
  encodeEventFrames,
  eventAt,
  eventCodesIn,
  eventsRoot,
  noEvents,
  placesOfKind,
} from './eventFrames.ts';
export { type CancelReason, type OrderEnd, orderEnds } from './orderEnds.ts';
export { checkOrdersProof, type StateProofOfRecord } from './ordersProof.ts';
export type { FundingPool, MarketFunding } from './fundingRecords.ts';
export { decodeLevelRecord, encodeLevelRecord, type LevelRecord, levelRecordKey } from './levelRecords.ts';
export { decodeGenesis, defaultClobParams, defaultStakingParams, encodeGenesis, genesisHash } from './genesis.ts';
export { defaultMarketDecimals, type MarketDecimals, marketDecimalsMax } from './marketDecimals.ts';
export { genesisFromJson, type GenesisJson } from './genesisJson.ts';
export { type GenesisDeclaration, genesisDeclarationDigest } from './genesisDeclaration.ts';
export type * from './genesisTypes.ts';
export { decodeExecutionRoots, decodeHeader, encodeExecutionRoots, encodeHeader, headerHash } from './header.ts';
export {
  decodeNativeTransaction,
  encodeNativeTransaction,
  nativeSigningDigest,
  nativeTransactionBytesMax,
  nativeTransactionHash,
  nativeTransactionType,
  verifyNativeTransaction,
} from './nativeTransaction.ts';
export type * from './pipelineTypes.ts';
export {
  createProtocolSchedule,
  type ProtocolRules,
  type ProtocolSchedule,
  protocolVersionMax,
  type Upgrade,
  upgradesMax,
  upgradesProblem,
} from './protocolRules.ts';
export {
  agentNameBytesMax,
  marketSymbolPattern,
  monikerBytesMax,
  riskTiersMax,
  symbolBytesMax,
} from './protocolFields.ts';
export {
  decodeStoredReceipts,
  openDelta,
  type OpenedDelta,
  OpenedReceipts,
  encodeStoredReceipts,
  type FlatDelta,
  flatDelta,
} from './storedReceipts.ts';
export { checkRecordProof, leafHash } from './recordProof.ts';
export {
  type ClosedOrderParts,
  endAccount,
  endClosedOrders,
  type OrderRecordParts,
  writeClosedOrder,
  writeGlobalRecord,
  writeMarketRecord,
  writeOrderRecord,
  writePosition,
} from './recordWriters.ts';
export {
  type AcceptedEventParts,
  type CancelledEventParts,
  type FeesEventParts,
  type TradeEventParts,
  writeAcceptedEvent,
  writeCancelledEvent,
  writeFeesEvent,
  writeTradeEvent,
} from './eventWriters.ts';
export { closedOrderIds, decodeRestingOrder, namedClosedOrders, type RestingOrder } from './recordParts.ts';
export { RlpBackwards } from './rlpBackwards.ts';
export {
  decodeRlp,
  encodeRlp,
  isRlpList,
  type RlpItem,
  type RlpValue,
  rlpDepthMax,
  rlpItemsMax,
} from './rlp.ts';
export {
  parseSignBytes,
  proposalSignBytes,
  proposalSignBytesLength,
  proposalSignDigest,
  type SignedPlace,
  signerProofDigest,
  voteSignBytes,
  voteSignBytesLength,
  voteSignDigest,
} from './signBytes.ts';
export {
  type TypedData,
  type TypedDataField,
  type TypedDataValue,
  domainInWords,
  typedDataDigest,
  typedDataOf,
  typedDataTypeString,
} from './typedData.ts';
export { type TransactionContent, type UnsignedTransaction, unsignedTransaction } from './unsignedTransaction.ts';
export {
  decodeStakingRecords,
  type SignerPeriod,
  type StakedValidator,
  type StakingClock,
  type StakingRecords,
  stakingRoot,
  stakingWrites,
  type TimeMark,
  type Unbonding,
} from './stakingRecords.ts';
export {
  type AccessListEntry,
  decodeSignedTransaction,
  decodeUnboundedTransaction,
  decodeTransaction,
  type SignedAuthorization,
  type SignedTransaction,
  type TransactionFields,
} from './transactionFields.ts';
export { transactionData, type TransactionPayload, transactionPayload } from './transactionPayload.ts';
export {
  blobTransactionType,
  type TransactionType,
  transactionTypeOf,
  transactionTypes,
} from './transactionTypes.ts';
export type * from './stateTypes.ts';
export type * from './simulationTypes.ts';
export type * from './traceTypes.ts';
export { checkTrieProof, type TrieProofResult } from './trieProof.ts';
export { orderStatuses, selfTradeModes, sides, timesInForce } from './orderWords.ts';
export { isQuorum, isSkipQuorum } from './quorum.ts';
export { orderReadsAddress, ordersAddress, stakingAddress } from './protocolAddresses.ts';
export type * from './types.ts';
export { decodeValidatorSet, encodeValidatorSet, hiddenHost, powerOfStake, validatorsHash } from './validators.ts';
export {
  decodeCommitCertificate,
  decodeEvidence,
  decodeProposal,
  decodeVote,
  decodeVoteCertificate,
  encodeCommitCertificate,
  encodeEvidence,
  encodeProposal,
  encodeVote,
  encodeVoteCertificate,
  evidenceHash,
  lastCommitHash,
} from './votes.ts';
