export * from './endpoint.ts';
export { BusError, type BusErrorDetail, type CloseReason } from './errors.ts';
export type { Side } from './layout.ts';
export * from './link.ts';
export type * from './protocol.ts';
