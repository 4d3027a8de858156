import type { LoopClock } from '../../openLoop.ts';
import type { Placed } from './aheadQueue.ts';
import type { Lane, Outcome } from './lanes.ts';
import type { OperationLog, Sent } from './operationLog.ts';
import { internalError, limitExceeded } from '../../rpc.ts';

/** After so long what could not be sent, or has to be sent again, is tried again, ms. */
const againMs = 100;
/** How an unknown outcome is counted among the errors: no code of JSON-RPC. */
const unknownCode = 0;
/** Of go-ethereum: the pool has these very bytes. */
const alreadyKnown = /already known/i;

interface Flight extends Sent {
  readonly call: string;
  readonly key: number;
  readonly sender: string | null;
  readonly isStrict: boolean;
  readonly onEnd: () => void;
  attempts: number;
  lastSentMs: number;
  isOver: boolean;
}

/**
 * Sends each operation to a node that is connected, those of one sender to the same one in their order.
 *
 * An EVM transaction that did not get into a pool makes all later ones of its sender wait, so its bytes are sent again until they do: it is late, and not
 * gone. Native actions stand for themselves: what is refused is refused, and what is unknown is looked for in blocks.
 */
export class Dispatcher {
  readonly #lanes: readonly Lane[];
  readonly #log: OperationLog;
  readonly #nowMs: () => number;
  readonly #clock: LoopClock;
  readonly #answerMs: number;
  readonly #flights = new Set<Flight>();
  /** In the order in which they were due: no node was connected, or one of their sender has to get through first. */
  #waiting: Flight[] = [];
  /** Strict senders of which one operation is to be sent again. */
  readonly #repairing = new Map<string, Flight>();
  #nextKey = 0;
  #timerIsSet = false;

  constructor(of: {
    readonly lanes: readonly Lane[];
    readonly log: OperationLog;
    readonly clock: LoopClock;
    /** Since the begin of the run, ms. */
    readonly nowMs: () => number;
    readonly answerMs: number;
  }) {
    this.#lanes = of.lanes;
    this.#log = of.log;
    this.#clock = of.clock;
    this.#nowMs = of.nowMs;
    this.#answerMs = of.answerMs;
  }

  /** Sent and without an outcome. */
  get underWay(): number {
    return this.#flights.size;
  }

  /** Due and not sent. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** @param onEnd called once, with whatever outcome */
  dispatch({ operation, place }: Placed, dueMs: number, onEnd: () => void): void {
    const { kind, method, params, sender } = operation;
    this.#log.scheduled(kind, this.#nowMs() - dueMs);
    this.#send({
      kind,
      place,
      dueMs,
      url: -1,
      sentMs: 0,
      call: `"method":"${method}","params":${params}`,
      key: sender === null ? this.#nextKey++ : Number.parseInt(sender.slice(2, 10), 16),
      sender,
      isStrict: operation.hash !== null && !params.startsWith('["0x50'),
      onEnd,
      attempts: 0,
      lastSentMs: 0,
      isOver: false,
    });
  }

  /** What has had no answer for too long is unknown. */
  sweep(): void {
    const nowMs = this.#nowMs();
    for (const flight of this.#flights)
      if (nowMs - flight.lastSentMs > this.#answerMs)
        this.#outcome(flight, { kind: 'unknown', reason: `no answer within ${this.#answerMs} ms` });
      // In the order in which they were sent.
      else break;
  }

  /** Gives up what was never sent, and calls all the rest unknown. */
  giveUp(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const flight of waiting) {
      if (flight.attempts === 0) this.#log.neverSent(flight.kind);
      else this.#log.ended(flight, this.#nowMs(), 'unknown');
      this.#finish(flight);
    }
    for (const flight of this.#flights) this.#end(flight, 'unknown');
  }

  #send(flight: Flight): void {
    const { key, sender, isStrict } = flight;
    const blocker = isStrict ? this.#repairing.get(sender!) : undefined;
    const url = blocker === undefined || blocker === flight ? this.#laneFor(key, flight.attempts) : -1;
    if (url < 0) {
      this.#waiting.push(flight);
      return this.#setTimer();
    }
    flight.url = url;
    flight.attempts++;
    const isFirst = flight.attempts === 1;
    const nowMs = this.#nowMs();
    // Latency counts from when it was due; when it was first sent is what lateness is about.
    if (isFirst) {
      flight.sentMs = nowMs;
      this.#log.sent(flight);
    }
    flight.lastSentMs = nowMs;
    this.#flights.add(flight);
    this.#lanes[url]!.send(key, flight.call, (outcome) => this.#outcome(flight, outcome));
  }

  /** The lane of a key, or the next one that is up; another one after each failure. -1: none. */
  #laneFor(key: number, attempts: number): number {
    const count = this.#lanes.length;
    for (let step = 0; step < count; step++) {
      const url = (key + attempts + step) % count;
      if (this.#lanes[url]!.isUp) return url;
    }
    return -1;
  }

  #outcome(flight: Flight, outcome: Outcome): void {
    if (!this.#flights.delete(flight) || flight.isOver) return;
    if (outcome.kind === 'refused') {
      if (alreadyKnown.test(outcome.message)) return this.#end(flight, 'acknowledged');
      this.#log.failed(outcome.code, outcome.message);
    } else if (outcome.kind === 'unknown') this.#log.failed(unknownCode, outcome.reason);
    if (flight.isStrict && isRetryable(outcome)) {
      this.#repairing.set(flight.sender!, this.#repairing.get(flight.sender!) ?? flight);
      this.#waiting.push(flight);
      return this.#setTimer();
    }
    // Sent again after an unknown outcome, it may be refused because it is in a block already: blocks will tell.
    const isUnsure = outcome.kind === 'refused' && flight.attempts > 1;
    if (outcome.kind === 'refused' && (!isUnsure || outcome.code === internalError))
      this.#log.refused(flight.kind, outcome.code, outcome.message);
    this.#end(flight, isUnsure ? 'unknown' : outcome.kind);
  }

  #end(flight: Flight, outcome: Outcome['kind']): void {
    this.#flights.delete(flight);
    this.#log.ended(flight, this.#nowMs(), outcome);
    this.#finish(flight);
  }

  #finish(flight: Flight): void {
    flight.isOver = true;
    if (flight.sender !== null && this.#repairing.get(flight.sender) === flight) this.#repairing.delete(flight.sender);
    flight.onEnd();
  }

  #setTimer(): void {
    if (this.#timerIsSet) return;
    this.#timerIsSet = true;
    this.#clock.wakeAt(this.#clock.nowMs() + againMs, () => {
      this.#timerIsSet = false;
      const waiting = this.#waiting;
      this.#waiting = [];
      // Those that were sent before come first: the others of their sender wait for them.
      for (const flight of waiting) if (flight.attempts > 0) this.#send(flight);
      for (const flight of waiting) if (flight.attempts === 0) this.#send(flight);
    });
  }
}

const isRetryable = (outcome: Outcome): boolean =>
  outcome.kind === 'unknown' || (outcome.kind === 'refused' && outcome.code === limitExceeded);
