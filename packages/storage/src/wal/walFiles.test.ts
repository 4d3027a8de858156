import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from '@jest/globals';
import { type Hash, type Height, utf8ToBytes } from '@prime/primitives';
import { inTemporaryFolder } from '../testing/temporaryFolder.ts';
import { dumpWal } from './dump.ts';
import { openWal } from './open.ts';

const genesisHash = `0x${'5a'.repeat(32)}` as Hash;
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** A process that appends, syncs, and prints height and number of entries after each sync, until it is killed. */
function startWriter(dir: string) {
  const script = `
    import { openWal } from ${JSON.stringify(new URL('./open.js', import.meta.url).href)};
    import { writeSync } from 'node:fs';
    const wal = openWal(${JSON.stringify(dir)}, { genesisHash: ${JSON.stringify(genesisHash)} });
    let height = wal.replay()?.height ?? 0;
    for (;;) {
      wal.beginHeight(++height);
      for (let count = 1; count <= 5; count++) {
        wal.append(new TextEncoder().encode(height + '/' + count));
        wal.sync();
        writeSync(1, height + ' ' + count + '\\n');
      }
    }`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
}

it('a process killed while it writes, again and again: all that a sync returned for is there', () =>
  inTemporaryFolder(async (folder) => {
    let confirmed = [0, 0];
    for (let life = 0; life < 4; life++) {
      const child = startWriter(folder);
      let lines = 0;
      for await (const line of createInterface({ input: child.stdout })) {
        if (++lines === 23 + life) child.kill('SIGKILL');
        confirmed = line.split(' ').map(Number);
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      expect(child.signalCode).toBe('SIGKILL');
      const wal = openWal(folder, { genesisHash });
      const { height, entries } = wal.replay()!;
      wal.close();
      const [lastHeight, lastCount] = confirmed as [number, number];
      expect(height - lastHeight).toBeLessThanOrEqual(1);
      expect(height * 5 + entries.length).toBeGreaterThanOrEqual(lastHeight * 5 + lastCount);
      expect(entries.map(text)).toEqual(entries.map((_, index) => `${height}/${index + 1}`));
    }
  }));

it('a system that takes no more bytes: the failure has its code, and what was synced is there', () =>
  inTemporaryFolder((folder) => {
    const script = `
      import { openWal } from ${JSON.stringify(new URL('./open.js', import.meta.url).href)};
      process.on('SIGXFSZ', () => undefined);
      const wal = openWal(${JSON.stringify(folder)}, { genesisHash: ${JSON.stringify(genesisHash)}, fileBytes: 4096 });
      wal.beginHeight(1);
      wal.append(new Uint8Array(10));
      wal.sync();
      wal.append(new Uint8Array(1 << 20));
      try { wal.sync(); } catch (error) { console.log(error.code, error.detail.systemCode); }`;
    // At most 64 blocks of 512 or 1024 bytes in one file.
    const command = 'ulimit -f 64; exec "$0" --input-type=module -e "$1"';
    const { stdout } = spawnSync('sh', ['-c', command, process.execPath, script], { encoding: 'utf8' });
    expect(stdout.trim()).toBe('WAL_WRITE_FAILED EFBIG');
    expect(
      openWal(folder, { genesisHash })
        .replay()
        ?.entries.map(({ length }) => length),
    ).toEqual([10]);
  }));

it('a dump shows the newest height and the two before it, changes nothing, and shows what is before damage', () =>
  inTemporaryFolder((folder) => {
    const wal = openWal(folder, { genesisHash, fileBytes: 4096 });
    for (const height of [7, 8, 9, 10]) {
      wal.beginHeight(height as Height);
      for (const entry of ['a', 'b']) wal.append(utf8ToBytes(`${entry}${height}`));
      wal.sync();
    }
    wal.close();
    const shown = (): unknown => dumpWal(folder).map(({ height, entries }) => [height, entries.map(text)]);
    const before = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
    expect(shown()).toEqual([
      [8, ['a8', 'b8']],
      [9, ['a9', 'b9']],
      [10, ['a10', 'b10']],
    ]);
    expect(readdirSync(folder).map((name) => readFileSync(join(folder, name)))).toEqual(before);

    const path = join(folder, 'wal.1');
    const damaged = readFileSync(path);
    damaged[damaged.indexOf('b10')]! ^= 1;
    writeFileSync(path, damaged);
    expect(() => openWal(folder, { genesisHash })).toThrow(expect.objectContaining({ code: 'WAL_CORRUPT' }));
    expect(shown()).toEqual([
      [8, ['a8', 'b8']],
      [9, ['a9', 'b9']],
      [10, ['a10']],
    ]);
  }));

it('a new log has nothing to show, and where there is none a dump says so and makes none', () =>
  inTemporaryFolder((folder) => {
    const dir = join(folder, 'wal');
    expect(() => dumpWal(dir)).toThrow(
      expect.objectContaining({ code: 'WAL_READ_FAILED', detail: expect.objectContaining({ systemCode: 'ENOENT' }) }),
    );
    expect(existsSync(dir)).toBe(false);
    openWal(dir, { genesisHash }).close();
    expect(dumpWal(dir)).toEqual([]);
  }));
