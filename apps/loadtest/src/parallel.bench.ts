import { createWriteStream, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { builtInNames } from '@prime/load';
import { rpc } from '@prime/load/rpc';
import { run } from '@prime/testkit';
import { benchArguments, refuseArguments } from '@prime/testkit/arguments';
import { forecast, regroup } from './parallel/costs.ts';
import { type BlockTrace, recordBlock } from './parallel/recording.ts';
import { withNetwork } from './scenario.ts';

/**
 * What carrying out a block on several cores would bring, and a state root off the execution thread: read and write sets of the built-in loads are recorded once,
 * and the rest is computed from the recording, the same each time. Decided in docs/adr/0201.
 *
 *   npm run bench:parallel -- --record DIR [--scenarios transfers,erc20,…]     sends the loads of `prime load` to a network of its own
 *   npm run bench:parallel -- --of DIR                                          computes the table
 */
const options = benchArguments('bench:parallel', {
  record: { meaning: 'folder that recordings are written into', usual: '' },
  of: { meaning: 'folder of recordings to compute from', usual: '' },
  scenarios: { meaning: 'what is recorded, with commas', usual: 'transfers,erc20,uniswap,maker,many-markets' },
  rate: { meaning: 'operations a second of a recording', usual: 100 },
  seconds: { meaning: 'length of a recording', usual: 20 },
  'block-items': { meaning: 'items of a block that is computed', usual: 500, least: 2 },
  cores: { meaning: 'cores', usual: [4, 8, 16] },
});
if ((options.record === '') === (options.of === ''))
  refuseArguments('bench:parallel', 'either --record DIR or --of DIR');
const ending = '.ndjson';

async function record(directory: string): Promise<void> {
  const names = options.scenarios.split(',');
  const unknown = names.find((name) => !builtInNames().includes(name));
  if (unknown !== undefined)
    refuseArguments('bench:parallel', `no scenario ${unknown}; built in are ${builtInNames().join(', ')}`);
  mkdirSync(directory, { recursive: true });
  await withNetwork({ validators: 1, sheds: false }, async (testnet) => {
    const url = testnet.url(0);
    const head = async (): Promise<number> => Number(await rpc<string>(url, 'eth_blockNumber'));
    for (const name of names) {
      const from = (await head()) + 1;
      const report = join(testnet.directory, `${name}.html`);
      const length = ['--rate', `${options.rate}`, '--duration', `${options.seconds}s`, '--workers', '1'];
      await runLoad([name, '--rpc', url, ...length, '--without-model', '--keep-funds', '--report', report]);
      const file = createWriteStream(join(directory, `${name}${ending}`));
      const to = await head();
      for (let height = from; height <= to; height++) file.write(`${JSON.stringify(await recordBlock(url, height))}\n`);
      file.end();
      await once(file, 'close');
      console.log(`${name}: blocks ${from} to ${to}`);
    }
  });
}

/** Whether blocks came in time does not matter to what they read and wrote; every other rule of the verdict has to hold. */
async function runLoad(args: readonly string[]): Promise<void> {
  try {
    await run(['load', 'run', ...args]);
  } catch (error) {
    const broken = (error as Error).message.match(/^NO {2}.*$/gm) ?? [];
    if (broken.length === 0 || broken.some((rule) => !rule.startsWith('NO  progress'))) throw error;
  }
}

function compute(directory: string): void {
  const files = readdirSync(directory)
    .filter((file) => file.endsWith(ending))
    .toSorted();
  if (files.length === 0) refuseArguments('bench:parallel', `there is no recording (*${ending}) in ${directory}`);
  const rows = files.flatMap((file) => {
    const text = readFileSync(join(directory, file), 'utf8');
    const blocks = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as BlockTrace);
    return [true, false].flatMap((keepsFees) => {
      const grouped = regroup(blocks, options['block-items'], keepsFees);
      if (grouped.length === 0)
        return refuseArguments('bench:parallel', `${file} has less than ${options['block-items']} items`);
      const { rows: own, conflicts, runMicros, rootMicros } = forecast(grouped, options.cores);
      return own.map(({ cores, speedup, executions, ...rates }) => ({
        load: basename(file, ending),
        fees: keepsFees ? 'a conflict' : 'summed',
        conflicts: `${Math.round(100 * conflicts)} %`,
        'run µs': Math.round(runMicros),
        'root µs': Math.round(rootMicros),
        cores,
        speedup: Number(speedup.toFixed(2)),
        executions: Number(executions.toFixed(2)),
        ...rates,
      }));
    });
  });
  console.log(`items a second of one validator, blocks of ${options['block-items']} items`);
  console.table(rows);
  console.log(JSON.stringify({ name: 'parallel execution on paper', rows }));
}

if (options.record !== '') await record(options.record);
else compute(options.of);
