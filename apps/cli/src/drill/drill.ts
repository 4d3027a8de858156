import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Finding, finding, type PhaseOutcome, type PhasePromise, seconds } from '@prime/audit';
import {
  type ChaosNetwork,
  limitsOf,
  type Load,
  pause,
  standstill,
  type StartOptions,
  unjailAll,
  untilBack,
} from '@prime/chaos';
import { programPath } from '../testnet/program.ts';

/** While somebody is away, and the others are to go on, they decide so many blocks and acknowledge so many writes. */
const liveBlocks = 5;
const liveWrites = 3;
/** A network that stands still is looked at for so long, ms. */
const haltMs = 3_000;
/** Deadlines, times the patience of the drill, ms. A rehearsal is not a race: they are wide, and the figures are printed. */
const stallMsMax = 30_000;
const backMsMax = 60_000;
const commandMsMax = 120_000;

/** One step: something is taken away, the others are looked at, and it is brought back. */
export interface Step {
  readonly name: string;
  /** What the network does while it is away. */
  readonly promise: PhasePromise;
  readonly begin: () => Promise<unknown>;
  readonly heal: () => Promise<unknown>;
}

/** How a step went, as the report shows it. */
export interface StepOutcome extends PhaseOutcome {
  /** Writes that were acknowledged from its beginning until all were back. */
  readonly writes: number;
}

/** A drill that is under way: the network, the load on it, and what was seen so far. */
export class Drill {
  readonly network: ChaosNetwork;
  readonly load: Load;
  readonly steps: StepOutcome[] = [];
  /** What this kind of drill shows, beside what every one does. */
  readonly claims: Finding[] = [];

  constructor(network: ChaosNetwork, load: Load) {
    this.network = network;
    this.load = load;
  }

  get validators(): readonly number[] {
    return this.network.all.slice(0, this.network.validators);
  }

  get highest(): number {
    return this.network.watch.highest(this.network.all);
  }

  /** So many validators may be away while the others go on. */
  get faultyMax(): number {
    return limitsOf(this.network.validators).faultyMax;
  }

  deadlineMs(ms = backMsMax): number {
    return ms * this.network.patience;
  }

  /** Adds what has to hold. @param violations none where it does */
  claim(rule: string, seen: string, violations: readonly string[]): void {
    this.claims.push(finding(rule, seen, violations));
  }

  /** Carries a step out. @throws Error when the network is not back afterwards: nothing that follows would mean anything */
  async step({ name, promise, begin, heal }: Step): Promise<StepOutcome> {
    const { network } = this;
    const { watch, patience } = network;
    network.say(`step ${this.steps.length + 1}: ${name}`);
    network.collectSignatures();
    const startedMs = network.nowMs();
    const before = this.load.acknowledged;
    const headStart = this.highest;
    await begin();
    if (promise === 'halt') await standstill(network, stallMsMax * patience, never);
    const inPlaceMs = network.nowMs();
    const headInPlace = this.highest;
    if (promise === 'halt') await pause(haltMs, never);
    if (promise === 'live') await this.goesOn();
    network.collectSignatures();
    const healedMs = network.nowMs();
    const headAfter = this.highest;
    await heal();
    await unjailAll(network);
    const deadlineMs = backMsMax * patience;
    const recoveryMs = await untilBack(network, healedMs, headAfter, deadlineMs);
    // What came back with the others is part of the pause that callers saw.
    const fromMs = promise === 'live' ? startedMs : inPlaceMs;
    const outcome = {
      name,
      promise,
      startedMs,
      healedMs,
      holdMs: healedMs - startedMs,
      headBefore: promise === 'halt' ? headInPlace : headStart,
      headAfter,
      longestStallMs: watch.longestStallMs(network.all, fromMs, promise === 'live' ? network.nowMs() : healedMs),
      blocksOfMinority: 0,
      recoveryMs,
      recoveryMsMax: deadlineMs,
      stallMsMax: stallMsMax * patience,
      writes: this.load.acknowledged - before,
    };
    this.steps.push(outcome);
    network.say(`  ${stepWords(outcome)}`);
    if (recoveryMs === null) throw new Error(`${name}: the network is not back`);
    watch.forgetBefore(healedMs);
    await network.history.read(network);
    return outcome;
  }

  /** Runs `prime` as an operator would, and says so. @throws Error with what it wrote to its error output */
  async prime(...args: readonly string[]): Promise<string> {
    this.network.say(`  $ prime ${args.join(' ')}`);
    try {
      const { stdout } = await run(process.execPath, [programPath, ...args], {
        timeout: this.deadlineMs(commandMsMax),
      });
      return stdout;
    } catch (error) {
      const { stderr, message } = error as { readonly stderr?: string; readonly message: string };
      throw new Error(`prime ${args.slice(0, 2).join(' ')}: ${(stderr ?? message).trim()}`, { cause: error });
    }
  }

  /** Ends a process in order, and starts it again when others have gone on without it. */
  restart(index: number, name: string, { between, options }: RestartOptions = {}): Promise<StepOutcome> {
    const { network } = this;
    return this.step({
      name,
      promise: 'live',
      begin: () => network.node(index).end('SIGTERM'),
      heal: async () => {
        await between?.();
        await network.start(index, options);
      },
    });
  }

  /** Waits for blocks and acknowledged writes, also without whoever is away; what does not come is for the verdict. */
  async goesOn(): Promise<void> {
    const { load } = this;
    const [height, writes] = [this.highest + liveBlocks, load.acknowledged + liveWrites];
    await this.network.watch.until(
      (heads) => Math.max(...heads) >= height && load.acknowledged >= writes,
      stallMsMax * this.network.patience,
    );
  }
}

interface RestartOptions {
  /** While it is down. */
  readonly between?: () => Promise<unknown>;
  readonly options?: StartOptions;
}

const run = promisify(execFile);
/** A drill that is interrupted ends as a whole. */
const never = new AbortController().signal;

function stepWords({ promise, headBefore, headAfter, longestStallMs, writes, recoveryMs }: StepOutcome): string {
  const blocks =
    promise === 'halt'
      ? `stands still at block ${headAfter}${headAfter > headBefore ? `, though ${headAfter - headBefore} blocks came` : ''}`
      : `blocks ${headBefore} to ${headAfter}, longest pause ${seconds(longestStallMs)}`;
  const back = recoveryMs === null ? 'NOT back' : `all level ${seconds(recoveryMs)} after the start`;
  return `${blocks}; ${writes} writes acknowledged; ${back}`;
}
