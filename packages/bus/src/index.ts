export {
  type Endpoint,
  type EndpointOptions,
  openEndpoint,
  type ReliableOptions,
  type RequestOptions,
} from './endpoint.ts';
export { BusError, type BusErrorDetail, type CloseReason } from './errors.ts';
export type { Side } from './layout.ts';
export {
  createLink,
  type DirectionCounters,
  type Link,
  type LinkCounters,
  type LinkDescriptor,
  type LinkLimits,
  type LinkOptions,
  linkTransferList,
  readLinkCounters,
} from './link.ts';
export type {
  Handlers,
  Protocol,
  RequestContext,
  RequestName,
  RequestPayload,
  ResponsePayload,
  StreamName,
  StreamPayload,
} from './protocol.ts';
