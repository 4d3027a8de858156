import { cpus } from 'node:os';
import type { Trial } from './searchKnee.ts';
import { BlockWatcher, type WatchedBlock } from './observation/blockWatcher.ts';
import { Crew } from './worker/crew.ts';
import { drained } from './drain.ts';
import { connectWorker } from './worker/remoteWorkers.ts';
import { Ledger } from './verdict/ledger.ts';
import type { Assignment, Pace } from './worker/messages.ts';
import { NodeSampler } from './observation/nodeSampler.ts';
import type { Progress } from './observation/progress.ts';
import { Recorder } from './observation/recorder.ts';
import { Refusals } from './verdict/refusals.ts';
import type { HoldBounds, LoadOptions } from './runOptions.ts';
import { forkWorker } from './worker/workerLink.ts';
import type { Finding } from '@prime/audit';
import { lateMs, type RunReport } from '../report/runReport.ts';
import { Readers, StageObserver } from './observation/observers.ts';

const tickMs = 1_000;
/** From this share of operations on that the generator itself began too late, figures are its own and not the network's. */
const lateShareMax = 0.01;
/** A rate holds when at least this share of what was asked for came. */
const gotShareMin = 0.95;

/** What is sent and seen between the setup and the verdict. All times are of this process. */
export class MeasuredPart {
  readonly ledger = new Ledger();
  readonly recorder = new Recorder();
  readonly refusals = new Refusals();
  readonly sampler: NodeSampler;
  readonly watcher: BlockWatcher;
  /** Blocks of the run as they came. */
  readonly seen: WatchedBlock[] = [];
  readonly #options: LoadOptions;
  #crew: Crew | null = null;
  #stages: StageObserver | null = null;
  #readers: Readers | null = null;
  /** Of the trial that goes on, beside the recorder of all. */
  #trial: { readonly recorder: Recorder; readonly beganMs: number } | null = null;
  /** When the first operation could be due. */
  #beganMs: number | null = null;
  #durationMs = 0;
  #endedMs = 0;
  /** When some node was connected last. */
  #answeredMs = 0;
  /** What comes later belongs to the verdict, and to paying back. */
  #isOver = false;

  /** @param from first height that belongs to the run */
  constructor(options: LoadOptions, from: number) {
    this.#options = options;
    this.sampler = new NodeSampler(options.adminUrls, () => this.#sinceBegin());
    this.watcher = new BlockWatcher({
      urls: options.urls,
      from,
      nowMs: () => performance.now(),
      onBlock: (block) => this.#block(block),
    });
  }

  get crew(): Crew {
    if (this.#crew === null) throw new Error('no crew yet');
    return this.#crew;
  }

  /** Of the time in which operations became due. */
  get durationMs(): number {
    return this.#durationMs;
  }

  /** When everything that was sent had its outcome and its block, or was given up, ms of this process. */
  get endedMs(): number {
    return this.#endedMs;
  }

  /** When it began, ms of this process; 0 before. */
  get beganMs(): number {
    return this.#beganMs ?? 0;
  }

  /** Starts the workers, connects them and has them sign ahead. @throws LoadError */
  async prepare(assignmentOf: (worker: number, workers: number) => Assignment, operations: number): Promise<void> {
    const { workers, workersAt, token, aheadMax } = this.#options;
    const openers =
      workersAt.length > 0
        ? workersAt.map(
            (address) => (events: Parameters<typeof forkWorker>[1]) => connectWorker(address, token ?? '', events),
          )
        : Array.from(
            { length: workers },
            (_, index) => (events: Parameters<typeof forkWorker>[1]) => forkWorker(index, events),
          );
    this.#crew = await Crew.open(
      openers,
      {
        onAnnounced: (worker, announced) => this.ledger.announced(worker, announced),
        onOutcomes: (worker, outcomes, offsetMs) => {
          const beganMs = this.#trial?.beganMs ?? this.beganMs;
          const told = this.ledger.told(worker, outcomes, beganMs + offsetMs);
          for (const { kind, code, words, count } of outcomes.refusals)
            this.refusals.atAdmission(kind, code, words, count);
          if (this.#stages !== null) for (const entry of told) this.#stages.told(entry);
          const nowMs = performance.now();
          this.recorder.outcomes(outcomes, nowMs - this.beganMs);
          this.#trial?.recorder.outcomes(outcomes, nowMs - this.#trial.beganMs);
        },
        onDeath: (worker, words) => this.#options.say(`worker ${worker} is gone: ${words}`),
      },
      () => performance.now(),
    );
    await this.#crew.prepare((worker) => assignmentOf(worker, openers.length));
    await this.#crew.sign(Math.ceil(Math.min(operations, aheadMax) / openers.length));
  }

  /** Those who look on while the load is sent. @param markets that readers of streams keep @throws LoadError */
  async observe(markets: readonly number[]): Promise<void> {
    const { urls, stageNodes, scenario } = this.#options;
    const { count, streams } = scenario.readers;
    if (count > 0) this.#readers = await Readers.open({ urls, count, streams, markets });
    if (stageNodes.length > 0) this.#stages = await StageObserver.start(stageNodes);
  }

  /** Ends them. */
  async observed(): Promise<{ readonly stages: RunReport['stages']; readonly findings: readonly Finding[] }> {
    this.#isOver = true;
    const findings = this.#readers === null ? [] : [this.#readers.close()];
    this.#readers = null;
    const stages = (await this.#stages?.stop(this.#options.say)) ?? null;
    this.#stages = null;
    return { stages, findings };
  }

  /** Sends at a pace until all that is due has an outcome, then waits for blocks. */
  async run(pace: Pace): Promise<Recorder> {
    const recorder = new Recorder();
    await this.sampler.sample();
    const { beganMs, ended } = this.crew.run(pace);
    this.#beganMs ??= beganMs;
    this.#answeredMs = beganMs;
    this.#trial = { recorder, beganMs };
    const stop = (): void => this.crew.stop();
    this.#options.signal.addEventListener('abort', stop);
    if (this.#options.signal.aborted) stop();
    const ticker = setInterval(() => this.#tick(), tickMs);
    try {
      await ended;
      this.#durationMs += Math.min(performance.now() - beganMs, secondsOf(pace) * 1000);
      await this.drained();
      this.#endedMs = performance.now();
      this.#tick();
      await this.sampler.sample();
    } finally {
      clearInterval(ticker);
      this.#options.signal.removeEventListener('abort', stop);
      this.#trial = null;
    }
    return recorder;
  }

  /** One trial of a search at a rate. */
  async attempt(rate: number, seconds: number, bounds: HoldBounds): Promise<Trial> {
    this.sampler.restart();
    const processors = processorTimes();
    const stages = [{ name: 'trial', fromRate: rate, toRate: rate, seconds }];
    const recorder = await this.run({ kind: 'open', arrivals: 'constant', stages });
    const { totals, series } = recorder.report(new Ledger(), 0, seconds * 1000);
    const inTime = series.points.filter(({ atMs }) => atMs < seconds * 1000);
    const isInBlocks = series.points.some(({ committed }) => committed > 0);
    const got = inTime.reduce((sum, point) => sum + (isInBlocks ? point.committed : point.acknowledged), 0) / seconds;
    const asked = totals.scheduled / seconds;
    const errorShare = totals.scheduled === 0 ? 0 : (totals.refused + totals.unknown) / totals.scheduled;
    const { p99Ms } = recorder.acknowledged.percentiles();
    const late = this.unfit(recorder);
    const why =
      late ??
      (got < gotShareMin * asked - 1
        ? `${got.toFixed(0)} of ${asked.toFixed(0)} operations a second came`
        : p99Ms > bounds.p99Ms
          ? `p99 was ${p99Ms.toFixed(0)} ms`
          : errorShare > bounds.errorShare
            ? `${(errorShare * 100).toFixed(1)} % of the operations failed`
            : null);
    const holds = why === null;
    const words = `${why ?? 'holds'}${this.#busy(processors)}`;
    return { rate, got, p99Ms, errorShare, holds, spoiled: late !== null, why: words };
  }

  /** What was busiest meanwhile, in words: processors of this machine where nodes share it, else what nodes tell of themselves. */
  #busy(before: ProcessorTimes): string {
    const after = processorTimes();
    const share = (after.busy - before.busy) / Math.max(1, after.all - before.all);
    const isShared = this.#options.urls.some((url) => loopback.test(new URL(url).hostname));
    if (isShared && share > busyShare) return `, processors of this machine at ${(share * 100).toFixed(0)} %`;
    const busiest = this.sampler.busiest();
    return busiest === null ? '' : `, ${busiest.what} of ${busiest.node} at ${(busiest.share * 100).toFixed(0)} %`;
  }

  /** Why a recorder's figures are the generator's own and not the network's; null when they are the network's. */
  unfit(recorder: Recorder): string | null {
    const late = recorder.lateShare(lateMs);
    const reasons = this.crew.summaries.flatMap(({ name, died }) =>
      died === null ? [] : [`${name} died, and less was sent than was asked for: ${died}`],
    );
    if (late > lateShareMax)
      reasons.push(`the generator began ${(late * 100).toFixed(1)} % of the operations more than ${lateMs} ms late`);
    return reasons.length === 0 ? null : reasons.join('; ');
  }

  close(): void {
    this.#readers?.close();
    void this.#stages?.stop(() => undefined);
    this.#crew?.close();
    this.watcher.close();
  }

  #sinceBegin(): number {
    return performance.now() - (this.#beganMs ?? performance.now());
  }

  #block(block: WatchedBlock): void {
    const own = this.ledger.block({ height: block.height, atMs: block.seenMs, hashes: block.hashes });
    if (this.#beganMs === null || this.#isOver) return;
    this.seen.push(block);
    this.recorder.block(block, own, block.seenMs - this.#beganMs);
    this.#trial?.recorder.block(block, own, block.seenMs - this.#trial.beganMs);
  }

  drained(): Promise<void> {
    return drained(this.ledger, this.#options.drainMs);
  }

  #tick(): void {
    const atMs = this.#sinceBegin();
    if (this.watcher.answering.length > 0) this.#answeredMs = performance.now();
    // Whoever comes back later finds a load that is over: there is nothing to send to.
    if (performance.now() - this.#answeredMs > this.#options.answerMs) this.crew.stop();
    this.recorder.answering(this.watcher.answering.length, atMs);
    void this.sampler.sample();
    this.#options.onProgress(this.#progress(atMs));
  }

  #progress(atMs: number): Progress {
    return {
      atMs,
      ...this.recorder.lately(atMs),
      errorTotals: this.recorder.errorTotals(),
      acknowledged: this.recorder.acknowledged,
      workers: this.crew.summaries,
      scheduled: this.recorder.scheduled,
      committed: this.ledger.committed,
      open: this.ledger.open,
      head: this.watcher.head,
      answering: this.watcher.answering.length,
      nodes: this.#options.urls.length,
    };
  }
}

const secondsOf = (pace: Pace): number =>
  pace.kind === 'closed' ? pace.seconds : pace.stages.reduce((sum, { seconds }) => sum + seconds, 0);

const loopback = /^(localhost|127\.|\[?::1)/;
/** From this share on, processors are what bounds everybody on them. */
const busyShare = 0.85;

interface ProcessorTimes {
  readonly busy: number;
  readonly all: number;
}

/** Of all processors since the machine was started, ms. */
function processorTimes(): ProcessorTimes {
  const times = cpus().map(({ times: { user, nice, sys, idle, irq } }) => ({ busy: user + nice + sys + irq, idle }));
  const busy = times.reduce((sum, each) => sum + each.busy, 0);
  return { busy, all: busy + times.reduce((sum, { idle }) => sum + idle, 0) };
}
