import { type ReadonlySignal, signal } from '@preact/signals';
import type { EndedCall } from '../node/rpcClient.ts';

/** A request of this page that ended. */
export interface LoggedCall extends EndedCall {
  readonly id: number;
  /** When it ended, ms since 1970. */
  readonly atMs: number;
}

/** The latest requests of this page, for people who develop. */
export interface RequestLog {
  /** Newest first. */
  readonly calls: ReadonlySignal<readonly LoggedCall[]>;
  add(call: EndedCall): void;
  clear(): void;
}

const keptCalls = 200;

/** @param nowMs ms since 1970 */
export function createRequestLog(nowMs: () => number = Date.now): RequestLog {
  const calls = signal<readonly LoggedCall[]>([]);
  let nextId = 0;
  return {
    calls,
    add({ method, params, tookMs, outcome }) {
      // What waits for the call is left behind: its promise and its result.
      const call: LoggedCall = { id: nextId++, atMs: nowMs(), method, params, tookMs, outcome };
      calls.value = [call, ...calls.peek().slice(0, keptCalls - 1)];
    },
    clear() {
      calls.value = [];
    },
  };
}

/** Of all that this page asked since it was opened. */
export const requestLog = createRequestLog();
