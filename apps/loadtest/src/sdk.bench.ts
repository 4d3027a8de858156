import { benchArguments } from '@prime/testkit/arguments';
import { checkedClient, type Contender, contendersFor } from './sdkBench/contenders.ts';
import { measureStages, measureWhole, type StageSample } from './sdkBench/stages.ts';
import { machineWords, median, printJson } from './figures.ts';
import { withServer } from './ownServer.ts';

/**
 * How many orders a second one client of `@prime/sdk` builds, signs and sends in batches, signed by an agent key: this process against a node that only answers and
 * has another core. With viem's own signer, and with a native one by `toDigestAccount`.
 *
 *   npm run bench:sdk -- [--rounds 5] [--batches 100] [--size 100] [--in-flight 8]
 *
 * Stages are measured one after the other, in µs of processor time of the whole process for an order (collector and compiler included):
 * `build` makes items from decimal text, `encode` makes bytes of them, `sign` is the signature alone, `send` is the request and reading its answer.
 * `whole` is `submitBatch` as programs use it, with so many in flight. `core %` is the share of a core that it used; where that is below
 * 100 something else was the bound.
 */
const options = benchArguments('bench:sdk', {
  rounds: { meaning: 'rounds of each signer, in turn, after one that is not counted', usual: 5 },
  batches: { meaning: 'batches of a round', usual: 100 },
  size: { meaning: 'orders in a batch, 100 at most', usual: 100 },
  'in-flight': { meaning: 'batches in flight, 64 at most', usual: 8 },
});
/** Orders a second. */
const goal = 10_000;

interface Measured {
  readonly contender: Contender;
  readonly stages: StageSample[];
  readonly whole: { readonly perSecond: number; readonly perCoreSecond: number; readonly coreShare: number }[];
}

async function compare(port: number): Promise<void> {
  const load = { batches: options.batches, size: options.size, inFlight: options['in-flight'] };
  const measured: Measured[] = contendersFor(`http://127.0.0.1:${port}`).map((contender) => ({
    contender,
    stages: [],
    whole: [],
  }));
  for (const { contender } of measured) await checkedClient(contender, load.size);
  for (let round = 0; round <= options.rounds; round++)
    for (const { contender, stages, whole } of measured) {
      const sample = { stages: await measureStages(contender, load), whole: await measureWhole(contender, load) };
      if (round === 0) continue;
      stages.push(sample.stages);
      whole.push(sample.whole);
    }
  const rows = measured.map(({ contender, stages, whole }) => {
    const stage = (name: keyof StageSample): number => Number(median(stages.map((each) => each[name])).toFixed(2));
    return {
      signer: contender.name,
      'build µs': stage('build'),
      'encode µs': stage('encode'),
      'sign µs': stage('sign'),
      'send µs': stage('send'),
      'orders/s': Math.round(median(whole.map(({ perSecond }) => perSecond))),
      'core %': Math.round(100 * median(whole.map(({ coreShare }) => coreShare))),
      'orders/s of a core': Math.round(median(whole.map(({ perCoreSecond }) => perCoreSecond))),
    };
  });
  console.table(rows);
  for (const row of rows) {
    const met = (rate: number): string => (rate >= goal ? 'met' : 'NOT MET');
    const [clock, core] = [row['orders/s'], row['orders/s of a core']];
    console.log(
      `${row.signer}: ${clock} orders/s by the clock (goal ${goal}: ${met(clock)}), ${core} of processor time`,
    );
  }
  printJson({ name: 'sdk client', rows });
}

const stubNode = new URL('./sdkBench/stubNode.worker.js', import.meta.url);
await withServer(stubNode, [`${options.size}`], async (port) => {
  console.log(
    `one client against a node that only answers, ${options.batches} batches of ${options.size} orders, ${options['in-flight']} in flight, medians of ${options.rounds} — ` +
      machineWords(),
  );
  await compare(port);
});
