import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { benchArguments, refuseArguments } from '@prime/testkit/arguments';
import { HarnessError } from './finding.ts';
import {
  addSeen,
  addTotals,
  type KindName,
  kindNames,
  noTotals,
  type Outcome,
  runSeed,
  shares,
  type Totals,
} from './kinds.ts';

/**
 * `npm run sim -- --seeds N [--seed S] [--only KIND] [--jobs J] [--trace]`: runs with the seeds from S on, by default 100 from a random
 * one. N runs of the consensus core alone (votes and rounds in every order), N of whole nodes (engine, mempool, log, sign state and block
 * store on failing disks), N/10 of networks whose members change and of such that move to another protocol version, N/20 each of validators that come and go while one is down and of copied homes, and N/100 each with the real engines and users, of nodes that begin with snapshots, and of peers that dribble; with `--only`, N of that kind.
 * In J processes, by default one for each processor.
 *
 * A failure prints its seed and the end of its trace, and the exit code is 1; `--seeds 1 --seed S --only KIND --trace` repeats it exactly.
 */
interface Slice {
  readonly kind: KindName;
  readonly from: number;
  readonly count: number;
}

/** Seeds that a process takes at a time. */
const sliceSeeds = 20;

const values = benchArguments('sim', {
  seeds: { meaning: 'runs of core and of network; of the other kinds a share of it', usual: 100 },
  seed: { meaning: 'the first seed, a random one where none is given', usual: null, least: 0 },
  only: { meaning: `one kind, with all the seeds: ${kindNames.join(', ')}`, usual: '' },
  jobs: { meaning: 'processes at once', usual: availableParallelism() },
  trace: { meaning: 'print each step', usual: false },
  worker: { meaning: 'takes its seeds from the process that started it', usual: false },
});

/** @returns null when the simulation itself failed, which is printed */
async function outcomeOf(kind: KindName, seed: number): Promise<Outcome | null> {
  try {
    return await runSeed(kind, seed);
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    console.log(`${error.message}\n${kind}: seed ${seed} FAILED: an error of the simulation itself`);
    return null;
  }
}

/** @returns what the runs of a slice add up to; failures are printed at once */
async function runSlice({ kind, from, count }: Slice): Promise<Totals> {
  const totals = noTotals();
  for (let seed = from; seed < from + count; seed++) {
    totals.runs += 1;
    const result = await outcomeOf(kind, seed);
    if (result === null) {
      totals.failed += 1;
      continue;
    }
    totals.events += result.events;
    totals.heights += result.heights;
    addSeen(totals.seen, result.seen);
    if (result.violation !== null) totals.failed += 1;
    if (result.violation === null && !values.trace) continue;
    const end = result.violation === null ? 'passed' : `FAILED: ${result.violation}`;
    console.log([...result.trace, `${kind}: seed ${seed} ${end}`].join('\n'));
  }
  return totals;
}

function slicesOf(kind: KindName, from: number, count: number): Slice[] {
  const slices: Slice[] = [];
  for (let done = 0; done < count; done += sliceSeeds)
    slices.push({ kind, from: from + done, count: Math.min(sliceSeeds, count - done) });
  return slices;
}

/** Gives slices to processes as they have time; a process that ends by itself fails the whole. */
function runInProcesses(slices: Slice[], jobs: number, onDone: (slice: Slice, totals: Totals) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let running = Math.min(jobs, slices.length);
    for (let index = 0; index < Math.min(jobs, slices.length); index++) {
      const worker = fork(fileURLToPath(import.meta.url), ['--worker', ...(values.trace ? ['--trace'] : [])]);
      let current: Slice | null = null;
      const next = (): void => {
        current = slices.shift() ?? null;
        if (current === null) worker.disconnect();
        else worker.send(current);
      };
      worker.on('message', (totals) => {
        onDone(current!, totals as Totals);
        next();
      });
      worker.on('exit', (code) => {
        running -= 1;
        if (current !== null) reject(new Error(`a process ended with ${code} at ${JSON.stringify(current)}`));
        else if (running === 0) resolve();
      });
      next();
    }
  });
}

async function main(): Promise<void> {
  const { seeds, jobs, only } = values;
  const first = values.seed ?? Math.floor(Math.random() * 2 ** 30);
  const kinds = kindNames.filter((kind) => only === '' || kind === only);
  if (kinds.length === 0) refuseArguments('sim', `--only takes one of ${kindNames.join(', ')}, not '${only}'`);
  const countOf = (kind: KindName): number => (only === '' ? Math.ceil(seeds / shares[kind]) : seeds);
  const totals = new Map(kinds.map((kind) => [kind, noTotals()]));
  const startedMs = performance.now();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      print(first, totals);
      console.log('interrupted: not all seeds were run');
      process.exit(1);
    });
  const take = ({ kind }: Slice, more: Totals): void => addTotals(totals.get(kind)!, more);
  const slices = kinds.flatMap((kind) => slicesOf(kind, first, countOf(kind)));
  if (jobs === 1 || slices.length === 1) for (const slice of slices) take(slice, await runSlice(slice));
  else await runInProcesses(slices, jobs, take);
  print(first, totals);
  console.log(`${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
}

function print(first: number, totals: ReadonlyMap<KindName, Totals>): void {
  for (const [kind, { runs, failed, heights, events, seen }] of totals) {
    console.log(`${kind}: ${runs} seeds from ${first}: ${runs - failed} passed, ${failed} failed`);
    console.log(`  ${heights} heights, ${events} events; seen: ${shown(seen)}`);
    if (failed > 0) process.exitCode = 1;
  }
}

const shown = (seen: Readonly<Record<string, number>>): string =>
  Object.entries(seen)
    .map((entry) => entry.join(' '))
    .join(', ');

if (values.worker)
  process.on('message', (slice) => {
    runSlice(slice as Slice).then(
      (totals) => process.send!(totals),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
else await main();
