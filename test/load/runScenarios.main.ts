/**
 * Every built-in scenario of `prime load` at every size of a list, each against four validators of its own:
 *
 *   npm run load:scenarios -- [--sizes ci|nightly|largest] [--only maker,sweeps] [--duration 60s] [--out .prime/scenarios]
 *
 * Exit code 0 only when every verdict is clean. What each is there to catch stands in docs/load.md.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { allocatorEnvironment } from '@prime/config';
import { builtInNames, builtInScenario } from '@prime/load';
import { createTestnet } from '@prime/testkit';
import { benchArguments, refuseArguments } from '@prime/testkit/arguments';
import { cli } from '../e2e/operations/program.ts';

const { sizes, only, duration, out } = benchArguments('load:scenarios', {
  sizes: { meaning: 'list of sizes: ci, nightly or largest', usual: 'nightly' },
  only: { meaning: 'names of scenarios with commas between them', usual: '' },
  duration: { meaning: 'how long each is loaded, as 60s; otherwise as the scenario says', usual: '' },
  out: { meaning: 'folder of the reports', usual: '.prime/scenarios' },
});
if (sizes !== 'ci' && sizes !== 'nightly' && sizes !== 'largest')
  refuseArguments('load:scenarios', `--sizes takes ci, nightly or largest, not '${sizes}'`);
const unknown = only === '' ? [] : only.split(',').filter((name) => !builtInNames().includes(name));
if (unknown.length > 0)
  refuseArguments(
    'load:scenarios',
    `no scenario is called ${unknown.join(', ')}; there are ${builtInNames().join(', ')}`,
  );
const names = builtInNames().filter((name) => only === '' || only.split(',').includes(name));
await mkdir(out, { recursive: true });
const failed: string[] = [];
for (const name of names)
  for (const size of sizesOf(name, sizes)) {
    const what = `${name}-${size}`;
    const code = await run(name, size, join(out, `${what}.html`));
    console.log(`== ${what}: ${code === 0 ? 'clean' : `ended with ${code}`}`);
    if (code !== 0) failed.push(what);
  }
console.log(failed.length === 0 ? 'all clean' : `not clean: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);

/** @returns sizes of a scenario, ascending; `largest` is the last one of `nightly` */
function sizesOf(name: string, list: 'ci' | 'nightly' | 'largest'): readonly number[] {
  const listed = builtInScenario(name).sizes;
  return list === 'largest' ? listed.nightly.slice(-1) : listed[list];
}

/** @returns exit code of `prime load run` */
async function run(name: string, size: number, report: string): Promise<number | null> {
  const testnet = await createTestnet({
    validators: 4,
    sheds: true,
    idlePace: 'preset',
    environment: allocatorEnvironment,
  });
  try {
    await testnet.startAll();
    const nodes = Array.from({ length: testnet.count }, (_, index) => index);
    const places = [
      '--rpc',
      nodes.map((index) => testnet.url(index)).join(','),
      '--admin',
      nodes.map((index) => testnet.adminUrl(index)).join(','),
    ];
    const length = duration === '' ? [] : ['--duration', duration];
    const args = ['load', 'run', name, '--size', `${size}`, '--report', report, ...places, ...length];
    const child = spawn(process.execPath, [cli, ...args], { stdio: 'inherit' });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  } finally {
    await testnet.destroy();
  }
}
