/**
 * Loaded before the program in each thread of a node whose work is counted (`NODE_OPTIONS=--import`): wraps what leads out of JavaScript (libsecp256k1, LevelDB,
 * WebAssembly of the hash, files) and the two RLP codecs. The node itself is what is shipped.
 */
import fs from 'node:fs';
import { createRequire, register, syncBuiltinESMExports } from 'node:module';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import { type CounterName, counterNames, countsFile, globalName, type ThreadCounters } from './counters.ts';

const key = 'counters';
/** One memory for all threads of the process. */
const shared =
  (getEnvironmentData(key) as SharedArrayBuffer | undefined) ?? new SharedArrayBuffer(8 * counterNames.length);
setEnvironmentData(key, shared);
const totals = new BigInt64Array(shared);
const depths: number[] = counterNames.map(() => 0);

const counters: ThreadCounters = {
  add(counter, amount) {
    Atomics.add(totals, counterNames.indexOf(counter), BigInt(amount));
  },
  outermost(counter, run) {
    const index = counterNames.indexOf(counter);
    if (depths[index] === 0) counters.add(counter, 1);
    depths[index]! += 1;
    try {
      return run();
    } finally {
      depths[index]! -= 1;
    }
  },
};
Object.assign(globalThis, { [globalName]: counters });
register('./sources.worker.js', import.meta.url);

type Functions = Record<string, (...given: unknown[]) => unknown>;

/** Puts a function in place of another one that it counts. @throws Error when there is none */
function wrap(functions: Functions, name: string, count: (given: readonly unknown[], result: unknown) => void): void {
  const original = functions[name];
  if (original === undefined) throw new Error(`there is no ${name} to be counted`);
  functions[name] = function counted(this: unknown, ...given: unknown[]) {
    const result = original.apply(this, given);
    count(given, result);
    return result;
  };
}

/** As the package that uses it finds it. */
const addonOf = (user: string, addon: string): Functions =>
  createRequire(new URL(`../../../../packages/${user}/package.json`, import.meta.url))(addon) as Functions;

wrap(addonOf('crypto', 'secp256k1/bindings.js'), 'ecdsaRecover', () => counters.add('recoveries', 1));

const lengthOf = (value: unknown): number =>
  typeof value === 'string' ? Buffer.byteLength(value) : ((value as Uint8Array | undefined)?.byteLength ?? 0);
const record = (...parts: readonly unknown[]): void => {
  counters.add('records', 1);
  counters.add(
    'bytes',
    parts.reduce<number>((sum, part) => sum + lengthOf(part), 0),
  );
};
const level = addonOf('storage', 'classic-level/binding.js');
for (const name of ['db_put', 'db_del', 'batch_put', 'batch_del'])
  wrap(level, name, ([, first, second]) => record(first, name.endsWith('put') ? second : undefined));
wrap(level, 'batch_do', ([, operations]) => {
  for (const { key: first, value } of operations as { key: unknown; value?: unknown }[]) record(first, value);
});

/** Standard output and errors are no files of the node's own. */
const lastStandardFile = 2;
wrap(fs as unknown as Functions, 'writeSync', ([file], written) => {
  if ((file as number) > lastStandardFile) counters.add('bytes', written as number);
});
syncBuiltinESMExports();

/** hash-wasm calls exports of its module; those of an instance can not be replaced. The types of Node.js 20 have no WebAssembly. */
const wasm = (globalThis as unknown as { readonly WebAssembly: Functions }).WebAssembly;
const instantiate = wasm['instantiate']!;
wasm['instantiate'] = async (...given) => {
  const made = await instantiate(...given);
  const exported = { ...(made as { readonly exports?: Functions }).exports };
  if (exported['Hash_Final'] === undefined) return made;
  for (const name of ['Hash_Final', 'Hash_Calculate']) wrap(exported, name, () => counters.add('keccaks', 1));
  return { exports: exported };
};

if (isMainThread) {
  const write = (): void => {
    const counts = counterNames.map((name: CounterName, index) => [name, Number(Atomics.load(totals, index))] as const);
    const path = process.env[countsFile]!;
    fs.writeFileSync(`${path}.new`, JSON.stringify(Object.fromEntries(counts)));
    fs.renameSync(`${path}.new`, path);
  };
  process.on('SIGUSR2', write);
  process.on('exit', write);
}
