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
import { parseArgs } from 'node:util';
import { allocatorEnvironment } from '@prime/config';
import { builtInNames, builtInScenario } from '@prime/load';
import { createTestnet } from '@prime/testkit';
import { cli } from '../e2e/operations/program.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: 'nightly' },
    only: { type: 'string' },
    duration: { type: 'string' },
    out: { type: 'string', default: '.prime/scenarios' },
  },
});
const { sizes, only, duration, out } = values;
if (sizes !== 'ci' && sizes !== 'nightly' && sizes !== 'largest')
  throw new Error(`--sizes must be ci, nightly or largest, got ${sizes}`);
const wanted = only?.split(',');
const names = builtInNames().filter((name) => wanted === undefined || wanted.includes(name));
if (names.length === 0) throw new Error(`--only names no scenario; there are ${builtInNames().join(', ')}`);
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
    const length = duration === undefined ? [] : ['--duration', duration];
    const args = ['load', 'run', name, '--size', `${size}`, '--report', report, ...places, ...length];
    const child = spawn(process.execPath, [cli, ...args], { stdio: 'inherit' });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  } finally {
    await testnet.destroy();
  }
}
