import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { acquireDataDirLock, dataDirHolder, lockDataDir } from './dataDirLock.ts';
import { inTemporaryFolder } from '../testing/temporaryFolder.ts';

const module = new URL('./dataDirLock.js', import.meta.url).href;

/** A process that takes the lock, tells what came of it, and lives until it is killed. */
async function startHolder(
  path: string,
  systemLock: string | null = null,
): Promise<{ readonly said: string; readonly pid: number; kill(): Promise<void> }> {
  const script = `
    import { acquireDataDirLock } from ${JSON.stringify(module)};
    import { acquireSystemLock } from ${JSON.stringify(new URL('./systemLock.js', import.meta.url).href)};
    const system = ${JSON.stringify(systemLock)};
    try {
      if (system === null) acquireDataDirLock(${JSON.stringify(path)});
      else globalThis.held = await acquireSystemLock(system);
      console.log('held');
    }
    catch (error) { console.log(error.code + ' ' + error.detail.pid); }
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    said: said.toString().trim(),
    pid: child.pid!,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const lockedBy = (pid: number) =>
  expect.objectContaining({ code: 'DATA_DIR_LOCKED', detail: expect.objectContaining({ pid }) });

describe('lock of the data folder', () => {
  it('is held once, names its holder, and is free after release', () =>
    inTemporaryFolder((folder) => {
      const path = join(folder, 'home', 'LOCK');
      expect(dataDirHolder(path)).toBeNull();
      const lock = acquireDataDirLock(path);
      expect(() => acquireDataDirLock(path)).toThrow(lockedBy(process.pid));
      expect(dataDirHolder(path)).toBe(process.pid);
      lock.release();
      expect(dataDirHolder(path)).toBeNull();
      expect(existsSync(path)).toBe(false);
      const again = acquireDataDirLock(path);
      lock.release();
      expect(() => acquireDataDirLock(path)).toThrow(lockedBy(process.pid));
      again.release();
      expect(existsSync(path)).toBe(false);
    }));

  it('another living process keeps it; killed, it loses it', () =>
    inTemporaryFolder(async (folder) => {
      const path = join(folder, 'LOCK');
      const holder = await startHolder(path);
      expect(holder.said).toBe('held');
      expect(() => acquireDataDirLock(path)).toThrow(lockedBy(holder.pid));
      await holder.kill();
      expect(existsSync(path)).toBe(true);
      acquireDataDirLock(path).release();
    }));

  it('a pid that is used again by another process does not keep it', () =>
    inTemporaryFolder((folder) => {
      const path = join(folder, 'LOCK');
      acquireDataDirLock(path);
      const owner = JSON.parse(readFileSync(path, 'utf8')) as { readonly pid: number; readonly started: string };
      writeFileSync(path, JSON.stringify({ ...owner, started: `${owner.started}0` }));
      acquireDataDirLock(path).release();
      expect(existsSync(path)).toBe(false);
    }));

  it('without a start time a living pid keeps it', () =>
    inTemporaryFolder((folder) => {
      const path = join(folder, 'LOCK');
      writeFileSync(path, JSON.stringify({ pid: process.pid, started: null }));
      expect(() => acquireDataDirLock(path)).toThrow(lockedBy(process.pid));
    }));

  it('content that a crash tore is taken over, also in the file that guards the takeover', () =>
    inTemporaryFolder((folder) => {
      const path = join(folder, 'LOCK');
      for (const torn of ['', '{"pid":', 'null', '[]', '{"pid":-1}', '{"pid":"7"}']) {
        writeFileSync(path, torn);
        writeFileSync(`${path}.takeover`, torn);
        acquireDataDirLock(path).release();
        expect(existsSync(`${path}.takeover`)).toBe(false);
      }
    }));

  it('of several processes that find a dead owner at once exactly one takes over', () =>
    inTemporaryFolder(async (folder) => {
      const path = join(folder, 'LOCK');
      const dead = await startHolder(path);
      await dead.kill();
      const holders = await Promise.all([0, 1, 2, 3].map(() => startHolder(path)));
      const winners = holders.filter(({ said }) => said === 'held');
      expect(winners.length).toBe(1);
      for (const { said, pid } of holders)
        if (pid !== winners[0]!.pid) expect(said).toBe(`DATA_DIR_LOCKED ${winners[0]!.pid}`);
      await Promise.all(holders.map((holder) => holder.kill()));
    }));

  it('a process that has ended and that nobody waits for does not keep it', () =>
    inTemporaryFolder(async (folder) => {
      const path = join(folder, 'LOCK');
      const script = `
        import { acquireDataDirLock } from ${JSON.stringify(module)};
        acquireDataDirLock(${JSON.stringify(path)});
        console.log(process.pid);
        process.kill(process.pid, 'SIGKILL');`;
      // The shell becomes a program that does not look after children.
      const shell = `"$0" --input-type=module -e "$1" & exec sleep 600`;
      const parent = spawn('sh', ['-c', shell, process.execPath, script], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [said] = (await once(parent.stdout, 'data')) as [Buffer];
      try {
        const stat = `/proc/${said.toString().trim()}/stat`;
        while (!/\) Z /.test(readFileSync(stat, 'utf8'))) await new Promise((resolve) => setImmediate(resolve));
        acquireDataDirLock(path).release();
        expect(existsSync(path)).toBe(false);
      } finally {
        parent.kill('SIGKILL');
      }
    }));

  describe('left by a process of another PID namespace', () => {
    /** What a container that shares nothing but the folder would have written: its pid is nobody's here. */
    const foreign = (path: string): string => {
      acquireDataDirLock(path);
      const own = JSON.parse(readFileSync(path, 'utf8')) as object;
      const text = JSON.stringify({ ...own, pid: 1, namespace: 'pid:[1]' });
      writeFileSync(path, text);
      return text;
    };

    it('that lives: it keeps it, and not a byte of the folder changes', () =>
      inTemporaryFolder(async (folder) => {
        const [path, systemLock] = [join(folder, 'LOCK'), join(folder, 'lock.db')];
        const holder = await startHolder(join(folder, 'elsewhere'), systemLock);
        expect(holder.said).toBe('held');
        const text = foreign(path);
        await expect(lockDataDir(path, systemLock)).rejects.toMatchObject({
          code: 'DATA_DIR_LOCKED',
          detail: { pid: 1 },
        });
        expect(() => acquireDataDirLock(path)).toThrow(lockedBy(1));
        expect(readFileSync(path, 'utf8')).toBe(text);
        expect(readdirSync(folder).toSorted()).toEqual(['LOCK', 'lock.db']);
        await holder.kill();
        (await lockDataDir(path, systemLock)).release();
        expect(existsSync(path)).toBe(false);
      }));

    it('that is gone, without having held a lock of the system: taken over', () =>
      inTemporaryFolder(async (folder) => {
        const path = join(folder, 'LOCK');
        foreign(path);
        (await lockDataDir(path, join(folder, 'lock.db'))).release();
        expect(readdirSync(folder)).toEqual([]);
      }));

    it('before the machine was started anew: taken over, whatever is held', () =>
      inTemporaryFolder(async (folder) => {
        const path = join(folder, 'LOCK');
        writeFileSync(path, foreign(path).replace(/"started":"[^/]*/, '"started":"another boot'));
        acquireDataDirLock(path).release();
        expect(existsSync(path)).toBe(false);
      }));
  });

  it('a folder that can not be made surfaces with the reason', () =>
    inTemporaryFolder((folder) => {
      writeFileSync(join(folder, 'file'), '');
      expect(() => acquireDataDirLock(join(folder, 'file', 'LOCK'))).toThrow(
        expect.objectContaining({ code: 'FILE_WRITE_FAILED' }),
      );
    }));
});
