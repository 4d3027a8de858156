export {
  type AccountRecord,
  type AgentRecord,
  accountRecordKey,
  agentRecordKey,
  type ClobRecordKind,
  checkNonce,
  clobRecordKind,
  decodeAccountRecord,
  decodeAgentRecord,
  decodeGlobalRecord,
  decodeMarketRecord,
  decodeNonceRecord,
  decodeOrderRecord,
  encodeAccountRecord,
  encodeAgentRecord,
  encodeGlobalRecord,
  encodeMarketRecord,
  encodeNonceRecord,
  encodeOrderRecord,
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
  useNonce,
} from './clobRecords.ts';
export { blockPrefix, hashKey, heightKey, heightOfKey, prefixedKey, statePrefix } from './databaseKeys.ts';
export { CodecError, type CodecErrorDetail } from './errors.ts';
export type * from './genesisTypes.ts';
export type * from './pipelineTypes.ts';
export { decodeRlp, encodeRlp, type RlpItem, type RlpValue, rlpDepthMax, rlpItemsMax } from './rlp.ts';
export type * from './types.ts';
