import { describe, expect, it } from '@jest/globals';
import { type SessionStatus, StreamError } from '@prime/sdk';
import { connectionAt, type ConnectionFacts, staleAfterMs } from './connection.ts';

const url = 'ws://node';
const error = new StreamError('gone', { code: 'STREAM_DISCONNECTED', url, closeCode: null });
const connected: SessionStatus = { status: 'connected', url };
const connecting: SessionStatus = { status: 'connecting', url };
const facts: ConnectionFacts = {
  session: connected,
  sessionSinceMs: 1_000,
  failed: false,
  ended: null,
  headMs: 10_000,
  intervalMs: 2_000,
};

describe('the connection', () => {
  it('is live until there was no block for three intervals', () => {
    expect(staleAfterMs(2_000)).toBe(6_000);
    expect(connectionAt(facts, 16_000)).toEqual({ kind: 'live' });
    expect(connectionAt(facts, 16_001)).toEqual({ kind: 'stale', silentMs: 6_001 });
  });

  it('of a network with quick blocks is not called stale for a hiccup', () => {
    const quick = { ...facts, intervalMs: 100 };
    expect(connectionAt(quick, 14_000)).toEqual({ kind: 'live' });
    expect(connectionAt(quick, 14_001)).toMatchObject({ kind: 'stale' });
  });

  it('begins as connecting, and is so until the first block', () => {
    expect(connectionAt({ ...facts, session: { status: 'idle' }, headMs: null }, 0)).toEqual({ kind: 'connecting' });
    expect(connectionAt({ ...facts, session: connecting, headMs: null }, 0)).toEqual({ kind: 'connecting' });
    expect(connectionAt({ ...facts, headMs: null }, 99_000)).toEqual({ kind: 'connecting' });
  });

  it('of a node that is away is never live, however new the block is, and tells when it is tried again', () => {
    const waiting = { ...facts, failed: true, session: { status: 'waiting', url, delayMs: 500, error } } as const;
    expect(connectionAt(waiting, 1_200)).toEqual({ kind: 'unreachable', retryInMs: 300 });
    expect(connectionAt(waiting, 9_000)).toEqual({ kind: 'unreachable', retryInMs: 0 });
    expect(connectionAt({ ...facts, failed: true, session: connecting }, 10_000)).toEqual({
      kind: 'unreachable',
      retryInMs: null,
    });
  });

  it.each(['replaced', 'refused'] as const)('that was %s is over, whatever else holds', (ended) => {
    expect(connectionAt({ ...facts, ended }, 10_000)).toEqual({ kind: 'ended', why: ended });
  });
});
