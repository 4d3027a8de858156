import { parseArgs } from 'node:util';
import { createCryptoProvider } from '@prime/crypto';
import { membershipOptionsOfSeed, networkOptionsOfSeed, simulateNetwork } from './network/simulateNetwork.ts';
import { optionsOfSeed, simulate } from './simulation.ts';

/**
 * `npm run sim -- --seeds N [--seed S] [--only core|network]`: N runs of the consensus core alone (votes and rounds in every
 * order, many heights a second) and N of whole nodes (engine, mempool, log and sign state on a failing disk), with seeds from S
 * on; default: 100 from a random one. A failure prints its seed and the end of its trace, and the exit code is 1;
 * `--seeds 1 --seed S --trace` repeats it exactly.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    seed: { type: 'string' },
    only: { type: 'string' },
    trace: { type: 'boolean', default: false },
  },
});
const first = values.seed === undefined ? Math.floor(Math.random() * 2 ** 30) : Number(values.seed);
const count = Number(values.seeds);
const isKindKnown = values.only === undefined || values.only === 'core' || values.only === 'network';
if (!Number.isSafeInteger(first) || !Number.isSafeInteger(count) || count < 1 || !isKindKnown) {
  console.error('usage: sim --seeds N [--seed S] [--only core|network] [--trace]; N and S are integers');
  process.exit(64);
}

interface Outcome {
  readonly violation: string | null;
  readonly events: number;
  readonly heights: number;
  readonly seen: object;
  readonly trace: readonly string[];
}

/** @returns seeds that failed */
async function runAll(kind: string, run: (seed: number) => Outcome | Promise<Outcome>): Promise<number> {
  const startedMs = performance.now();
  let [events, heights, failed] = [0, 0, 0];
  const seen: Record<string, number> = {};
  for (let seed = first; seed < first + count; seed++) {
    const result = await run(seed);
    events += result.events;
    heights += result.heights;
    for (const [what, times] of Object.entries(result.seen) as [string, number][])
      seen[what] = what.endsWith('Max') ? Math.max(seen[what] ?? 0, times) : (seen[what] ?? 0) + times;
    if (result.violation === null && !values.trace) continue;
    for (const line of result.trace) console.log(line);
    if (result.violation === null) continue;
    failed += 1;
    console.error(`${kind}: seed ${seed} FAILED: ${result.violation}`);
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  const passed = count - failed;
  console.log(`${kind}: ${count} seeds from ${first}: ${passed} passed, ${failed} failed`);
  console.log(`  ${heights} heights, ${events} events, ${seconds} s; seen: ${shown(seen)}`);
  return failed;
}

const shown = (seen: Readonly<Record<string, number>>): string =>
  Object.entries(seen)
    .map((entry) => entry.join(' '))
    .join(', ');

let failed = 0;
if (values.only !== 'network') failed += await runAll('core', (seed) => simulate(optionsOfSeed(seed)));
if (values.only !== 'core') {
  const crypto = await createCryptoProvider();
  failed += await runAll('network', (seed) => simulateNetwork(networkOptionsOfSeed(seed), crypto));
  failed += await runAll('membership', (seed) => simulateNetwork(membershipOptionsOfSeed(seed), crypto));
}
process.exitCode = failed === 0 ? 0 : 1;
