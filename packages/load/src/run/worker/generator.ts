import { setImmediate as nextTurn } from 'node:timers/promises';
import { createPrng, type Prng } from '@prime/primitives';
import { type Arrivals, operationsIn, stagedArrivals } from '../../arrivals.ts';
import { type LoopClock, runOpenLoop } from '../../openLoop.ts';
import type { Operations } from '../../scenario/operation.ts';
import { AheadQueue } from './aheadQueue.ts';
import { Dispatcher } from './dispatcher.ts';
import { type Lane, openLane } from './lanes.ts';
import type { Assignment, FromWorker, Pace, ToWorker } from './messages.ts';
import { OperationLog } from './operationLog.ts';

/** How often outcomes are told, ms. */
const tellMs = 500;
/** While a run goes on, operations are signed for so long at a time, ms, and so often. */
const signing = { forMs: 2, everyMs: 8 } as const;
/** Operations that are kept ready while a run goes on. */
const readyAhead = 20_000;
/** When operations that had no answer are looked through. */
const sweepMs = 1_000;

/** The share of a run that one worker sends. */
export interface GeneratorOptions {
  readonly assignment: Assignment;
  readonly operations: Operations;
  readonly clock: LoopClock;
  readonly tell: (message: FromWorker) => void;
}

/** One worker's part of a run: signs ahead, begins operations when they are due, and tells what became of each. */
export class Generator {
  readonly #assignment: Assignment;
  readonly #clock: LoopClock;
  readonly #tell: GeneratorOptions['tell'];
  readonly #lanes: readonly Lane[];
  readonly #log = new OperationLog();
  readonly #ahead: AheadQueue;
  readonly #dispatcher: Dispatcher;
  readonly #cpuAtStart = process.cpuUsage();
  #beganMs = 0;
  #isStopped = false;
  /** Operations that will still be begun, as far as that is known: no more have to be signed. */
  #left = Number.POSITIVE_INFINITY;
  /** Set while a run goes on: called when the last operation has an outcome. */
  #onIdle: (() => void) | null = null;

  private constructor({ assignment, operations, clock, tell }: GeneratorOptions, lanes: readonly Lane[]) {
    this.#assignment = assignment;
    this.#clock = clock;
    this.#tell = tell;
    this.#lanes = lanes;
    this.#ahead = new AheadQueue(operations, assignment.aheadMax, tell);
    const nowMs = (): number => clock.nowMs() - this.#beganMs;
    this.#dispatcher = new Dispatcher({ lanes, log: this.#log, clock, nowMs, answerMs: assignment.answerMs });
  }

  /** Connects to the nodes. @throws LoadError when one of them does not answer */
  static async open(options: GeneratorOptions): Promise<Generator> {
    const { urls, transport, connections } = options.assignment;
    return new Generator(options, await Promise.all(urls.map((url) => openLane(url, transport, connections))));
  }

  close(): void {
    for (const lane of this.#lanes) lane.close();
  }

  async take(message: Exclude<ToWorker, { readonly type: 'prepare' }>): Promise<void> {
    switch (message.type) {
      case 'sign':
        return this.#sign(message.operations);
      case 'run':
        return this.#run(message.pace);
      case 'stop':
        this.#isStopped = true;
        return;
    }
  }

  /** With turns for others between, so that a coordinator hears that this goes on. */
  async #sign(operations: number): Promise<void> {
    const begun = this.#clock.nowMs();
    let signed = 0;
    for (let more = -1; more !== 0; ) {
      more = this.#ahead.fill(Math.min(operations, this.#ahead.length + 1024));
      signed += more;
      await nextTurn();
    }
    this.#tell({ type: 'signed', operations: signed, seconds: (this.#clock.nowMs() - begun) / 1000 });
  }

  async #run(pace: Pace): Promise<void> {
    this.#isStopped = false;
    this.#beganMs = this.#clock.nowMs();
    this.#tell({ type: 'begun' });
    const timers = [
      setInterval(() => this.#tellOutcomes(), tellMs),
      setInterval(() => this.#dispatcher.sweep(), sweepMs),
      setInterval(() => this.#signInTurn(), signing.everyMs),
    ];
    try {
      if (pace.kind === 'open') await this.#openLoop(pace);
      else await this.#closedLoop(pace);
      await this.#drained();
    } finally {
      for (const timer of timers) clearInterval(timer);
    }
    this.#tellOutcomes();
    this.#tell({ type: 'ended' });
  }

  async #openLoop({ arrivals: law, stages }: Extract<Pace, { kind: 'open' }>): Promise<void> {
    const prng = law === 'poisson' ? this.#prng() : null;
    const all = stages.reduce((sum, stage) => sum + operationsIn(stage), 0);
    this.#left = Math.ceil(all / this.#assignment.partition.workers);
    const arrivals = this.#untilStopped(stagedArrivals(stages, this.#assignment.partition, prng));
    await runOpenLoop({ arrivals, clock: this.#clock, begin: (_index, dueMs) => this.#begin(dueMs - this.#beganMs) });
  }

  /** Of this worker, the same for the same seed. */
  #prng(): Prng {
    const { partition, seed } = this.#assignment;
    return createPrng(seed ^ Math.imul(partition.worker + 1, 0x9e3779b1));
  }

  *#untilStopped(arrivals: Arrivals): Arrivals {
    for (const atMs of arrivals) {
      if (this.#isStopped) return;
      yield atMs;
    }
  }

  async #closedLoop({ clients, thinkMs, spread, seconds }: Extract<Pace, { kind: 'closed' }>): Promise<void> {
    const { worker, workers } = this.#assignment.partition;
    this.#left = Number.POSITIVE_INFINITY;
    const prng = this.#prng();
    const think = (): number => (spread === 'none' ? thinkMs : -Math.log((prng.next() + 1) / 2 ** 32) * thinkMs);
    const endMs = this.#beganMs + seconds * 1000;
    const client = async (): Promise<void> => {
      while (!this.#isStopped && this.#clock.nowMs() < endMs) {
        await new Promise<void>((resolve) => this.#begin(this.#clock.nowMs() - this.#beganMs, resolve));
        await new Promise<void>((resolve) => this.#clock.wakeAt(this.#clock.nowMs() + think(), resolve));
      }
    };
    const own = Math.floor(clients / workers) + (worker < clients % workers ? 1 : 0);
    await Promise.all(Array.from({ length: own }, client));
  }

  #begin(dueMs: number, onEnd: () => void = () => undefined): void {
    this.#left--;
    this.#dispatcher.dispatch(this.#ahead.take(), dueMs, () => {
      onEnd();
      if (this.#dispatcher.underWay + this.#dispatcher.waiting === 0) this.#onIdle?.();
    });
  }

  /** Until everything has an outcome; what has none for too long is given up. */
  async #drained(): Promise<void> {
    const isIdle = (): boolean => this.#dispatcher.underWay + this.#dispatcher.waiting === 0;
    if (isIdle()) return;
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = () => isIdle() && resolve();
    });
    const limit = setTimeout(() => this.#dispatcher.giveUp(), this.#assignment.answerMs);
    await idle;
    this.#onIdle = null;
    clearTimeout(limit);
  }

  #signInTurn(): void {
    const until = this.#clock.nowMs() + signing.forMs;
    this.#ahead.fill(Math.max(0, Math.min(readyAhead, this.#left)), () => this.#clock.nowMs() >= until);
  }

  #tellOutcomes(): void {
    const { user, system } = process.cpuUsage(this.#cpuAtStart);
    this.#tell(
      this.#log.take({
        underWay: this.#dispatcher.underWay,
        waiting: this.#dispatcher.waiting,
        up: this.#lanes.flatMap(({ isUp }, index) => (isUp ? [index] : [])),
        cpuSeconds: (user + system) / 1e6,
      }),
    );
  }
}
