import { type ErrorDetail, isPrimeError } from '@prime/primitives';

/** Why the node did not do what it was asked for, though nothing was wrong with the question. */
export const limitReasons = [
  /** The client's own rate, or its requests at once. */
  'rate',
  /** It has as many filters, subscriptions, connections or waiting transactions as it may have. */
  'quota',
  /** The question or its answer is larger than allowed: body, batch, range, matches, trace. */
  'size',
  /** The body came too slowly. */
  'slow',
  /** A heavy call while the node is late. */
  'busy',
  /** Any call while the node is very late. */
  'overload',
  /** Whoever had to work on it has no room, or has not started: readers, consensus, mempool, requests at once. */
  'queue',
] as const;

/** Reason that a refusal is counted under. */
export type LimitReason = (typeof limitReasons)[number];

/** Names of limits on how much of something a client may have. */
const quotas: ReadonlySet<string> = new Set([
  'accountQueue',
  'connections',
  'connectionsPerClient',
  'filters',
  'filtersPerClient',
  'subscriptions',
]);

const overloads: Readonly<Record<string, LimitReason>> = { busyDelayMs: 'busy', overloadDelayMs: 'overload' };

/** Of other packages' codes that answer -32005. */
const foreign: Readonly<Record<string, LimitReason>> = {
  BUS_FULL: 'queue',
  BUS_MESSAGE_TOO_LARGE: 'size',
  ENGINE_BUSY: 'queue',
  EVM_TRACE_TOO_LARGE: 'size',
  MEMPOOL_CONTENT_TOO_LARGE: 'size',
  MEMPOOL_FULL: 'queue',
  NODE_STARTING: 'queue',
  READER_BUSY: 'queue',
};

/** Which limit a thrown value tells of; null when it is about something else. */
export function limitReasonOf(thrown: unknown): LimitReason | null {
  if (!isPrimeError(thrown)) return null;
  const { code, limit = '' } = thrown.detail as ErrorDetail & { readonly limit?: string };
  switch (code) {
    case 'RPC_RATE_LIMITED':
      return 'rate';
    case 'RPC_OVERLOADED':
      return overloads[limit] ?? 'queue';
    case 'RPC_LIMIT_EXCEEDED':
      return quotas.has(limit) ? 'quota' : 'size';
    default:
      return foreign[code] ?? null;
  }
}
