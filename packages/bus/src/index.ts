export { Endpoint, openEndpoint } from './endpoint.ts';
export { BusError, type BusErrorDetail, type CloseReason } from './errors.ts';
export type { Side } from './layout.ts';
export { type Link, type LinkDescriptor, createLink, linkTransferList, readLinkCounters } from './link.ts';
export type * from './protocol.ts';
