/**
 * What a height costs on the disk: the log beside a file per height, the sign state beside temporary file and rename, a block.
 *
 *   npm run bench:storage [-- --heights 300 --json FILE]
 *
 * The contenders take turns height by height, because a shared disk changes its mind within a run. A disk with a write cache, as
 * virtual machines have, syncs in tens of microseconds; one without takes milliseconds, for each sync that is counted here.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, fdatasyncSync, fsyncSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchArguments } from '@prime/testkit/arguments';
import { openBlockStore, openSignState, openStateDatabase, openWal, writeFileDurably } from '../dist/index.js';
import { crc32c } from '../dist/files/crc32c.js';
import { sampleChain, sampleValidators } from '../dist/testing/sampleBlocks.js';

const warmUp = 20;
const { heights, json } = benchArguments('bench:storage', {
  heights: { meaning: `heights, of which the first ${warmUp} are not counted`, usual: 300, least: warmUp + 1 },
  json: { meaning: 'file for the figures', usual: '' },
});
/** Votes of three peers and an own one, twice, and a proposal. */
const batches = [[2000], [150, 150, 150, 150], [150, 150, 150, 150]].map((sizes) =>
  sizes.map((size) => new Uint8Array(size).fill(7)),
);

const samples = new Map();
function note(name, height, start) {
  if (height > warmUp) samples.set(name, [...(samples.get(name) ?? []), performance.now() - start]);
}
function measure(name, height, work) {
  const start = performance.now();
  work();
  note(name, height, start);
}
async function measureUntilDone(name, height, work) {
  const start = performance.now();
  await work();
  note(name, height, start);
}

/** The same batches to a new file per height, as logs usually do it; the file of three heights ago is removed. */
function filePerHeight(folder, height) {
  const file = openSync(join(folder, `height-${height}`), 'wx');
  const directory = openSync(folder, 'r');
  fsyncSync(directory);
  closeSync(directory);
  for (const batch of batches) {
    for (const entry of batch) writeSync(file, entry);
    fdatasyncSync(file);
  }
  closeSync(file);
  rmSync(join(folder, `height-${height - 3}`), { force: true });
}

const folder = mkdtempSync(join(tmpdir(), 'prime-bench-'));
try {
  const wal = openWal(join(folder, 'wal'), { genesisHash: `0x${'11'.repeat(32)}` });
  const signState = openSignState(join(folder, 'sign-state.bin'));
  const blocks = await openBlockStore(join(folder, 'blocks'));
  const state = await openStateDatabase(join(folder, 'state'));
  const record = { signBytes: new Uint8Array(102), signature: new Uint8Array(65), lockedValue: null, validValue: null };
  const writes = Array.from({ length: 500 }, (_, index) => ({
    key: Uint8Array.of(0x6e, index >> 8, index & 255, ...new Uint8Array(30)),
    value: new Uint8Array(120).fill(index),
  }));
  for (const stored of sampleChain(heights + warmUp)) {
    const { height } = stored.block.header;
    measure('log: begin a height', height, () => wal.beginHeight(height));
    measure('log: three batches of a height', height, () => {
      for (const batch of batches) {
        for (const entry of batch) wal.append(entry);
        wal.sync();
      }
    });
    measure('file per height: all of it', height, () => filePerHeight(folder, height));
    measure('sign state: one record', height, () =>
      signState.write({ ...record, height, round: 0, step: 1, lockedRound: -1, validRound: -1 }),
    );
    measure('temporary file, rename: one record', height, () =>
      writeFileDurably(join(folder, 'record.bin'), record.signBytes, 0o600),
    );
    await measureUntilDone('block store: append', height, () => blocks.append(stored, sampleValidators(height + 1)));
    measure('block store: get', height, () => blocks.get(height));
    await measureUntilDone('state: batch of 500, no sync', height, () => state.write(writes, { sync: false }));
    measure('state: get', height, () => state.getSync(writes[height % 500].key));
  }
  wal.close();
  signState.close();
  const opening = performance.now();
  openWal(join(folder, 'wal'), { genesisHash: `0x${'11'.repeat(32)}` }).close();
  samples.set('log: open', [performance.now() - opening]);
  await blocks.close();
  await state.close();
  const large = new Uint8Array(16 << 20).fill(3);
  for (let run = 0; run < 30; run++) measure('CRC-32C of 16 MiB', run + warmUp - 9, () => crc32c(large));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const results = [...samples].map(([name, times]) => {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part) => Number(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))].toFixed(4));
  return { name, unit: 'ms', median: at(0.5), p99: at(0.99), runs: times.length, machine: cpus()[0].model, commit };
});
console.table(results.map(({ name, median, p99, runs }) => ({ name, 'median ms': median, 'p99 ms': p99, runs })));
if (json !== '') writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
