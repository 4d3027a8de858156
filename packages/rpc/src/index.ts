export { actionErrorCode } from './errors/actionErrors.ts';
export { contractMethods, isContractMethod } from './document/contract.ts';
export type { Example, MethodContext, MethodDefinition, Parameter, Privacy } from './define.ts';
export { type Admission, openAdmission } from './dispatch/admission.ts';
export {
  type Dispatcher,
  type DispatcherHooks,
  createDispatcher,
  defaultDispatcherLimits,
} from './dispatch/dispatcher.ts';
export type { DispatchAnswer, Refusal } from './dispatch/answer.ts';
export type { LimitReason } from './dispatch/limitReasons.ts';
export {
  candlesNotKept,
  historyPruned,
  orderNotKept,
  invalidParams,
  isInternalError,
  type JsonRpcError,
  jsonRpcCode,
  limitExceeded,
  overloaded,
  RpcError,
  type RpcErrorCode,
  type RpcErrorDetail,
  toJsonRpcError,
} from './errors/errors.ts';
export type * from './ports/filterPorts.ts';
export { filterNotFound } from './streams/filters.ts';
export type { Format } from './format/format.ts';
export { eventEntries, eventEntry } from './format/event.ts';
export { blockLogEntries, formatLog } from './format/log.ts';
export { formatTransaction } from './format/transaction.ts';
export { type OpenRpcDocument, type OpenRpcMethod, openRpcDocument } from './document/openRpc.ts';
export { paramsSchema } from './schema/paramsSchema.ts';
export { disabledOnSurface, isPrivate, visibleEvents } from './dispatch/privacy.ts';
export type * from './ports/ports.ts';
export type * from './ports/tracePorts.ts';
export { defaultRpcLimits } from './ports/ports.ts';
export { missedTurnsMax } from './ports/chainPorts.ts';
export { definitions } from './registry.ts';
export type { Client, RequestContext, Surface } from './dispatch/requestContext.ts';
export type { AnsweredRequest, RequestLog } from './dispatch/requestLog.ts';
export { andThen, type Eventual } from './dispatch/eventual.ts';
export { sample } from './schema/samples.ts';
export {
  type BestLevels,
  type BookMessage,
  type BookOrder,
  type BookOrdersMessage,
  accountMessage,
  bboMessage,
  bookMessage,
  bookOrdersMessage,
  tickerMessage,
} from './streams/stateMessages.ts';
export { formatAccount } from './orders/accounts.ts';
export { formatTicker } from './orders/tickers.ts';
export {
  type OrderUpdate,
  candleMessage,
  commitMessage,
  eventsMessage,
  fillsMessage,
  fillsOf,
  headMessage,
  ordersMessage,
  syncingMessage,
  tradesMessage,
} from './streams/streamMessages.ts';
export type * from './ports/streamPorts.ts';
export { isHiddenTopic } from './streams/streams.ts';
export type { ValueType } from './schema/valueTypes.ts';
