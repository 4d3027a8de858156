export type { ApiKeyGrant } from './access/apiKeys.ts';
export type {
  BlockKey,
  ConsensusBackend,
  ExecutionBackend,
  GatewayBackends,
  HistoryBackend,
  InlineCalls,
  PendingBatch,
  PendingDetail,
  PendingTransaction,
  ReaderBackend,
  TraceBackend,
} from './services/backends.ts';
export { type CandlesAtStart, dayInterval, dayStart, type MarketCandles } from './readModel/candles.ts';
export { matchesEvent, matchesLog } from './matching.ts';
export { createGateway, type Gateway, type GatewayOptions } from './gateway.ts';
export { defaultGatewayLimits, type GatewayLimits } from './gatewayLimits.ts';
export { type GenesisBlockParts, genesisBlockRecord } from './genesisBlock.ts';
export type { MarketStanding } from './readModel/orderBooks.ts';
export { HttpServerError, type HttpServerErrorDetail } from './http/httpServer.ts';
export type { GatewayRequestLog, TurnedAway } from './http/requestLog.ts';
export { loadUws } from './http/uwsBuild.ts';
