export { actionErrorCode } from './actionErrors.ts';
export { contractMethods, isContractMethod } from './contract.ts';
export type { Example, MethodContext, MethodDefinition, Parameter, Privacy } from './define.ts';
export { type Admission, openAdmission } from './admission.ts';
export {
  createDispatcher,
  defaultDispatcherLimits,
  type DispatchAnswer,
  type Dispatcher,
  type DispatcherHooks,
  type DispatcherOptions,
  type Refusal,
} from './dispatcher.ts';
export type { LimitReason } from './limitReasons.ts';
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
} from './errors.ts';
export type * from './filterPorts.ts';
export { filterNotFound } from './filters.ts';
export type { Format } from './format/format.ts';
export { eventEntries, eventEntry } from './format/event.ts';
export { blockLogEntries, formatLog } from './format/log.ts';
export { formatTransaction } from './format/transaction.ts';
export { type OpenRpcDocument, type OpenRpcMethod, openRpcDocument } from './openRpc.ts';
export { paramsSchema } from './paramsSchema.ts';
export { disabledOnSurface, isPrivate, visibleEvents } from './privacy.ts';
export type * from './ports.ts';
export type * from './tracePorts.ts';
export { defaultRpcLimits } from './ports.ts';
export { missedTurnsMax } from './chainPorts.ts';
export { definitions } from './registry.ts';
export type { Client, RequestContext, Surface } from './requestContext.ts';
export type { AnsweredRequest, RequestLog } from './requestLog.ts';
export { andThen, type Eventual } from './eventual.ts';
export { sample } from './samples.ts';
export {
  bookMessage,
  candleMessage,
  type BookMessage,
  commitMessage,
  eventsMessage,
  fillsMessage,
  fillsOf,
  headMessage,
  ordersMessage,
  type OrderUpdate,
  syncingMessage,
  tradesMessage,
} from './streamMessages.ts';
export type * from './streamPorts.ts';
export { isHiddenTopic } from './streams.ts';
export type { ValueType } from './valueTypes.ts';
