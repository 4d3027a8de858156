import type { AccountState, CallOutcome, StateContext, StateRef } from '@prime/codec';
import type { InlineCalls } from '@prime/gateway';
import type { Address, Hex } from '@prime/primitives';
import type { CallRequest } from '@prime/rpc';
import type { InlineReader } from './inlineReader.ts';

/**
 * Cheap reads of the state at the head in the gateway's thread.
 *
 * The code of a token's `balanceOf` runs for 15 µs, and an account takes less; to have a reader do it costs both threads several times
 * that. So each call at the head is tried here first, with a budget that bounds what the attempt may cost everybody else; what does not
 * end within it is begun anew by a reader, with all its gas and time.
 */
export interface InlineCallsOptions {
  /** Asked once, at the first call: a node that is never asked for one makes no EVM here. */
  readonly open: () => Promise<InlineReader>;
  /** Gas that the code of a call may spend in an attempt. */
  readonly gas: number;
  /** Milliseconds of a clock that does not jump. */
  readonly nowMs: () => number;
  /** The reader could not be opened; everything goes to the pool from then on. */
  readonly onError: (error: unknown) => void;
}

/** Time of one attempt, ms. */
const attemptMs = 1;
/** An attempt looks at the clock every few microseconds: one that ends so late did not run all the time. */
const interruptedMs = 2 * attemptMs;
/** Time of all attempts between two looks at the sockets, ms: less than the thread's timers may be late before it counts as busy. */
const turnMs = 4;
/**
 * Most that a read counts for, whatever the clock says: while another thread has the processor, the time goes on, and to send all
 * that follows to the readers would cost a busy machine even more. A call counts for its gas: a millisecond for so much of it,
 */
const gasPerMs = 50_000;
/** above what every message pays, */
const messageGas = 21_000;
/** and what is around it, ms. */
const readMs = 0.1;
/** An attempt for nothing counts so many times its duration. */
const wasteFactor = 4;
/** Functions of contracts of which it is remembered that they did not end in time. */
const rememberedMax = 1024;
/** Attempts for nothing in a row that tell so of a function. One tells little: while another thread has the processor, the time goes on. */
const strikesMax = 4;
/** Heights after which such a function is tried again; */
const retryHeights = 100;
/** and one that ran out of time: code that is not compiled yet, or a machine that is busy, is no fault of the function. */
const retryTimedOutHeights = 1;

/** '0x' and the selector. */
const selectorEnd = 10;

/** Tries calls in this thread; null says that a reader has to do it, and never that the call failed. */
export class InlineEvm implements InlineCalls {
  readonly #options: InlineCallsOptions;
  #opening: Promise<void> | null = null;
  #reader: InlineReader | null = null;
  #isClosed = false;
  /** By contract and selector: attempts for nothing in a row, and the height from which they are forgotten. */
  readonly #failed = new Map<string, { readonly strikes: number; readonly until: number }>();
  #spentMs = 0;
  #turnEnd: NodeJS.Immediate | null = null;

  constructor(options: InlineCallsOptions) {
    this.#options = options;
  }

  call(request: CallRequest, at: StateContext): CallOutcome<Hex> | null {
    const reader = this.#ready();
    if (reader === null) return null;
    const key = `${request.to}${request.data.slice(0, selectorEnd)}`;
    const failed = this.#failed.get(key);
    const strikes = failed !== undefined && at.height < failed.until ? failed.strikes : 0;
    if (strikes >= strikesMax) return null;
    const { gas, nowMs } = this.#options;
    let begun = nowMs();
    let outcome = attempt(reader, request, at, gas);
    if (outcome.status === 'unfinished' && nowMs() - begun > interruptedMs) {
      // Another thread had the processor, or a disk the time: what is left of the call is short now, if it ever was.
      this.#spend(attemptMs);
      begun = nowMs();
      outcome = attempt(reader, request, at, gas);
    }
    const tookMs = nowMs() - begun;
    if (outcome.status !== 'unfit' && outcome.status !== 'unfinished') {
      this.#spend(Math.min(tookMs, readMs + Math.max(0, Number(outcome.gasUsed) - messageGas) / gasPerMs));
      if (failed !== undefined) this.#failed.delete(key);
      return outcome;
    }
    this.#spend(tookMs * wasteFactor);
    const heights = tookMs < attemptMs ? retryHeights : retryTimedOutHeights;
    if (outcome.status === 'unfinished') this.#remember(key, strikes + 1, at.height + heights);
    return null;
  }

  account(address: Address, at: StateRef): AccountState | null {
    const reader = this.#ready();
    if (reader === null) return null;
    const { nowMs } = this.#options;
    const begun = nowMs();
    try {
      return reader.account(address, at);
    } catch {
      return null;
    } finally {
      this.#spend(Math.min(nowMs() - begun, readMs));
    }
  }

  /** The reader, where there is one and time left in this turn. */
  #ready(): InlineReader | null {
    if (this.#reader === null && !this.#isClosed) this.#opening ??= this.#open();
    return this.#spentMs < turnMs ? this.#reader : null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening;
    await this.#reader?.close();
    this.#reader = null;
    if (this.#turnEnd !== null) clearImmediate(this.#turnEnd);
  }

  async #open(): Promise<void> {
    try {
      this.#reader = await this.#options.open();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  #spend(ms: number): void {
    this.#spentMs += ms;
    this.#turnEnd ??= setImmediate(() => {
      this.#turnEnd = null;
      this.#spentMs = 0;
    });
  }

  #remember(key: string, strikes: number, until: number): void {
    this.#failed.delete(key);
    this.#failed.set(key, { strikes, until });
    for (const oldest of this.#failed.keys()) {
      if (this.#failed.size <= rememberedMax) return;
      this.#failed.delete(oldest);
    }
  }
}

function attempt(
  reader: InlineReader,
  request: CallRequest,
  at: StateContext,
  gas: number,
): ReturnType<InlineReader['call']> {
  try {
    return reader.call(request, at, { gas, timeMs: attemptMs });
  } catch {
    // A state that is gone, a database that can not be read: a reader meets the same, and its failure is the one that is told.
    return { status: 'unfinished' };
  }
}
