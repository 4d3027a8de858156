import type { SessionStatus } from '@prime/sdk';

/** How far what the page shows can be believed to be the present. */
export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** Connected, but there is no new block. */
  | { readonly kind: 'stale'; readonly silentMs: number }
  /** Nobody answers: the node restarts, or is away. `retryInMs` until the next attempt; null while one is made. */
  | { readonly kind: 'unreachable'; readonly retryInMs: number | null }
  /** The node serves another chain than the page began with, or refuses streams: nothing more comes. */
  | { readonly kind: 'ended'; readonly why: 'replaced' | 'refused' };

/** What is known of the connection; times are ms of one clock. */
export interface ConnectionFacts {
  readonly session: SessionStatus;
  /** When the session's status began. */
  readonly sessionSinceMs: number;
  /** Whether the attempt before failed, or a connection ended. */
  readonly failed: boolean;
  /** Why nothing more comes; null while it may. */
  readonly ended: 'replaced' | 'refused' | null;
  /** When the newest block came; null before the first. */
  readonly headMs: number | null;
  /** Longest wait between two blocks of a network that is well. */
  readonly intervalMs: number;
}

/** Intervals without a block after which a page no longer says that it is live. */
const silentIntervalsMax = 3;
/** A network with quick blocks may take a round or two more without anybody being worried. */
const silentMsMin = 4_000;

/**
 * Silence after which a page no longer says that it is live, ms.
 *
 * @param intervalMs between blocks of an idle chain
 */
export const staleAfterMs = (intervalMs: number): number => Math.max(silentIntervalsMax * intervalMs, silentMsMin);

/**
 * What a page says of its connection at one moment.
 *
 * @param nowMs ms since 1970
 */
export function connectionAt(facts: ConnectionFacts, nowMs: number): Connection {
  const { session, sessionSinceMs, failed, ended, headMs, intervalMs } = facts;
  if (ended !== null) return { kind: 'ended', why: ended };
  if (session.status === 'waiting')
    return { kind: 'unreachable', retryInMs: Math.max(0, sessionSinceMs + session.delayMs - nowMs) };
  if (session.status !== 'connected') return failed ? { kind: 'unreachable', retryInMs: null } : { kind: 'connecting' };
  if (headMs === null) return { kind: 'connecting' };
  const silentMs = nowMs - headMs;
  return silentMs > staleAfterMs(intervalMs) ? { kind: 'stale', silentMs } : { kind: 'live' };
}
