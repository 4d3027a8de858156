import { parseArgs } from 'node:util';
import { optionsOfSeed, simulate } from './simulation.ts';

/**
 * `npm run sim -- --seeds N [--seed S]`: runs N clusters with seeds from S on (default: 100 from a random one). A failure prints
 * its seed and the end of its trace, and the exit code is 1; `--seeds 1 --seed S` repeats it exactly.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
  },
});
const first = values.seed === undefined ? Math.floor(Math.random() * 2 ** 30) : Number(values.seed);
const count = Number(values.seeds);
if (!Number.isSafeInteger(first) || !Number.isSafeInteger(count) || count < 1) {
  console.error('usage: sim --seeds N [--seed S] [--trace]; N and S are integers');
  process.exit(64);
}
const startedMs = performance.now();
let events = 0;
let heights = 0;
let failed = 0;
const seen: Record<string, number> = {};
for (let seed = first; seed < first + count; seed++) {
  const result = simulate(optionsOfSeed(seed));
  events += result.events;
  heights += result.heights;
  for (const [what, times] of Object.entries(result.seen) as [string, number][])
    seen[what] = what.endsWith('Max') ? Math.max(seen[what] ?? 0, times) : (seen[what] ?? 0) + times;
  if (result.violation === null && !values.trace) continue;
  for (const line of result.trace) console.log(line);
  if (result.violation === null) continue;
  failed += 1;
  console.error(`seed ${seed} FAILED: ${result.violation}`);
}
const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
console.log(
  `${count} seeds from ${first}: ${count - failed} passed, ${failed} failed; ${heights} heights, ${events} events, ${seconds} s`,
);
console.log(
  `seen: ${Object.entries(seen)
    .map((entry) => entry.join(' '))
    .join(', ')}`,
);
process.exitCode = failed === 0 ? 0 : 1;
