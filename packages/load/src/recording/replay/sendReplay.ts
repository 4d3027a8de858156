import { isPrimeError } from '@prime/primitives';
import { LoadError } from '../../errors.ts';
import type { LoopClock } from '../../openLoop.ts';
import type { Operation } from '../../scenario/operation.ts';
import { type Call, numberOf, objectOf } from '../answers.ts';
import type { OrderName } from './replayPayloads.ts';
import type { ReplayOptions, ReplayStep } from './replayOf.ts';
import { internalError, limitExceeded } from '../../rpc.ts';

/** Speed and order as those that the steps were made with. */
export interface SendReplayOptions extends Pick<ReplayOptions, 'speed' | 'keepsOrder'> {
  /** To one node; calls that are made one after the other have to reach it in that order. */
  readonly call: Call;
  readonly clock: LoopClock;
  /** Operations that are not known to be in a block where the order is kept, or nothing is due. Default 1000. */
  readonly window?: number;
}

/** What came of the steps of a replay, as the nodes answered them. */
export interface ReplayTotals {
  readonly sent: number;
  /** Not taken by the node, by its words. Where the order is kept there is none: the first one ends the replay. */
  readonly refused: ReadonlyMap<string, number>;
  /** Those of them that are faults of the node. */
  readonly faults: number;
  /** Steps that named an order that the target does not have: not sent. */
  readonly unnamed: number;
  /** The most that a step was behind its time, ms; 0 without a speed. */
  readonly latestMs: number;
  readonly durationMs: number;
}

const windowDefault = 1000;
/** Between two questions whether an operation is in a block, ms. */
const askAgainMs = 20;
/** After so long without it the replay stops, ms. */
const commitMsMax = 60_000;

/**
 * Sends the steps of a replay, and ends when the last one is in a block.
 *
 * @throws LoadError `LOAD_REPLAY_STOPPED` when something does not come into a block, or where the order is kept when the node refuses something
 */
export function sendReplay(steps: AsyncIterable<ReplayStep>, options: SendReplayOptions): Promise<ReplayTotals> {
  return new ReplaySender(options).send(steps);
}

interface Sent {
  readonly line: number;
  /** Operations of its step. */
  readonly count: number;
  readonly operation: Operation;
}

class ReplaySender {
  readonly #options: SendReplayOptions;
  readonly #refused = new Map<string, number>();
  #faults = 0;
  #stopped: LoadError | null = null;
  #sent = 0;
  #unnamed = 0;
  #latestMs = 0;
  #unanswered = 0;
  #onAnswered: () => void = () => undefined;
  /** The newest one of each account: what comes last of an account is committed after the others of it. */
  readonly #newest = new Map<string, Sent>();

  constructor(options: SendReplayOptions) {
    this.#options = options;
  }

  async send(steps: AsyncIterable<ReplayStep>): Promise<ReplayTotals> {
    const { speed, keepsOrder, clock, window = windowDefault } = this.#options;
    const beganMs = clock.nowMs();
    let marked: Sent | null = null;
    let sinceMark = 0;
    for await (const step of steps) {
      await this.#untilDue(beganMs + step.dueMs);
      const last = this.#begin(step, step.names.length === 0 ? [] : await this.#idsOf(step));
      if ((speed !== null && !keepsOrder) || last === null) continue;
      sinceMark += last.count;
      if (sinceMark < Math.ceil(window / 2)) continue;
      // Half of the window may still wait when the other half is sent.
      if (marked !== null) await this.#untilCommitted(marked);
      [marked, sinceMark] = [last, 0];
    }
    await this.#untilAllCommitted();
    return {
      sent: this.#sent,
      refused: this.#refused,
      faults: this.#faults,
      unnamed: this.#unnamed,
      latestMs: this.#latestMs,
      durationMs: clock.nowMs() - beganMs,
    };
  }

  async #untilDue(dueMs: number): Promise<void> {
    const { clock, speed } = this.#options;
    if (speed === null) return;
    if (clock.nowMs() < dueMs) await new Promise<void>((resolve) => clock.wakeAt(dueMs, resolve));
    this.#latestMs = Math.max(this.#latestMs, clock.nowMs() - dueMs);
  }

  #begin(step: ReplayStep, ids: readonly (number | null)[]): Sent | null {
    if (this.#stopped !== null) throw this.#stopped;
    const operations = step.sign(ids);
    if (operations.length === 0) this.#unnamed++;
    let last: Sent | null = null;
    for (const operation of operations) {
      last = { line: step.line, count: operations.length, operation };
      this.#sent++;
      this.#unanswered++;
      this.#newest.set(operation.sender ?? '', last);
      const sent = last;
      this.#options.call(operation.method, JSON.parse(operation.params) as unknown[]).then(
        () => this.#answer(),
        (error: Error) => this.#refuse(sent, error),
      );
    }
    return last;
  }

  #answer(): void {
    if (--this.#unanswered === 0) this.#onAnswered();
  }

  #refuse({ line, operation }: Sent, error: Error): void {
    const isAnswer = isPrimeError(error) && error.code === 'LOAD_CALL_REFUSED';
    if (isRefusedWith(error, internalError)) this.#faults++;
    if (this.#options.keepsOrder || !isAnswer) this.#stopped ??= stopped(line, error.message, error);
    this.#refused.set(error.message, (this.#refused.get(error.message) ?? 0) + 1);
    if (this.#newest.get(operation.sender ?? '')?.operation === operation) this.#newest.delete(operation.sender ?? '');
    this.#answer();
  }

  async #idsOf({ names }: ReplayStep): Promise<(number | null)[]> {
    await this.#untilAllCommitted();
    return Promise.all(names.map((name) => this.#idOf(name)));
  }

  async #idOf({ owner, clientId }: OrderName): Promise<number | null> {
    const order = await this.#options.call('primeorders_getOrder', [{ owner, client_id: clientId }]);
    return order === null ? null : numberOf(objectOf(order, 'an order'), 'order_id');
  }

  async #untilAllCommitted(): Promise<void> {
    if (this.#unanswered > 0) await new Promise<void>((resolve) => (this.#onAnswered = resolve));
    if (this.#stopped !== null) throw this.#stopped;
    for (const sent of this.#newest.values()) await this.#untilCommitted(sent);
    this.#newest.clear();
  }

  async #untilCommitted({ line, operation }: Sent): Promise<void> {
    const { call, clock } = this.#options;
    const endMs = clock.nowMs() + commitMsMax;
    for (;;) {
      if (this.#stopped !== null) throw this.#stopped;
      if ((await answered(call('eth_getTransactionReceipt', [operation.hash]))) !== null) return;
      if (clock.nowMs() > endMs)
        throw stopped(line, `${operation.kind} ${operation.hash} is in no block after ${commitMsMax} ms`);
      await new Promise<void>((resolve) => clock.wakeAt(clock.nowMs() + askAgainMs, resolve));
    }
  }
}

/** @returns null where the node is too busy to tell */
async function answered(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (isRefusedWith(error, limitExceeded)) return null;
    throw error;
  }
}

const isRefusedWith = (error: unknown, code: number): boolean =>
  error instanceof LoadError && error.detail.code === 'LOAD_CALL_REFUSED' && error.detail.rpcCode === code;

function stopped(line: number, reason: string, cause?: unknown): LoadError {
  return new LoadError(
    `the replay stopped at line ${line}: ${reason}`,
    { code: 'LOAD_REPLAY_STOPPED', line, reason },
    { cause },
  );
}
