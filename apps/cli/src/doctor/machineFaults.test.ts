import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { homePaths } from '@prime/config';
import { growthCheck, growthOf, syncCheck, syncP99 } from './disk.ts';
import { memoryCheck, memoryLimit } from './memory.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prime-doctor-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const gib = 1 << 30;

describe('memory', () => {
  /** Limits of groups, as files of the system have them. */
  async function groups(lines: string, files: Readonly<Record<string, string>>) {
    await writeFile(join(folder, 'cgroup'), lines);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(folder, 'root', path, '..'), { recursive: true });
      await writeFile(join(folder, 'root', path), text);
    }
    return memoryLimit({ groups: join(folder, 'cgroup'), root: join(folder, 'root'), total: 64 * gib });
  }

  it('is limited by the least of all groups that the process is in', async () => {
    const files = { 'system/prime/memory.max': 'max\n', 'system/memory.max': `${gib}\n`, 'other/memory.max': '1\n' };
    expect(await groups('0::/system/prime\n', files)).toEqual({ bytes: gib, group: '/system' });
  });

  it('in a container by the group that is its root, whatever path the system names', async () => {
    expect(await groups('0::/not/mounted/here\n', { 'memory.max': `${3 * gib}\n` })).toEqual({
      bytes: 3 * gib,
      group: '/',
    });
  });

  it('also by the groups of older systems', async () => {
    const files = { 'memory/docker/1/memory.limit_in_bytes': `${2 * gib}\n` };
    expect(await groups('5:cpu,cpuacct:/a\n4:memory:/docker/1\n', files)).toEqual({
      bytes: 2 * gib,
      group: '/docker/1',
    });
    expect(
      (await groups('4:memory:/docker/1\n', { 'memory/docker/1/memory.limit_in_bytes': '9223372036854771712\n' }))
        .group,
    ).toBeNull();
  });

  it('where the system tells of no group, by the machine', async () => {
    expect(await groups('', {})).toEqual({ bytes: 64 * gib, group: null });
    expect(memoryLimit({ groups: join(folder, 'none'), root: folder, total: gib })).toEqual({
      bytes: gib,
      group: null,
    });
  });

  it.each([
    [gib - 1, 'fail'],
    [gib, 'warn'],
    [2 * gib - 1, 'warn'],
    [2 * gib, 'ok'],
  ])('%s bytes: %s', (bytes, verdict) => {
    expect(memoryCheck({ bytes, group: '/system' })).toMatchObject({
      verdict,
      found: expect.stringContaining('/system'),
    });
  });
});

describe('how fast the disk is', () => {
  it('is measured by writes that are durable, and nothing of them is left', async () => {
    let syncs = 0;
    const p99 = await syncP99(folder, async () => void syncs++);
    expect(syncs).toBe(100);
    expect(p99).toBeGreaterThanOrEqual(0);
    expect(await syncP99(folder)).toBeGreaterThan(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('counts the slow ones, and not the slowest alone', async () => {
    const waits = (slow: number) => {
      let write = 0;
      return async (): Promise<void> => {
        const untilMs = performance.now() + (write++ < slow ? 20 : 0);
        while (performance.now() < untilMs);
      };
    };
    expect(await syncP99(folder, waits(2))).toBeGreaterThanOrEqual(20);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('a disk that fails is told of, and nothing is left', async () => {
    const broken = () => Promise.reject(new Error('EIO: i/o error'));
    await expect(syncP99(folder, broken)).rejects.toThrow('EIO');
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    [50, 'ok'],
    [50.1, 'warn'],
    [150, 'warn'],
    [150.1, 'fail'],
  ])('%s ms where others wait 150 ms for a vote: %s', (p99, verdict) => {
    expect(syncCheck(p99, 150).verdict).toBe(verdict);
  });
});

describe('how a home grows', () => {
  const dayMs = 86_400_000;
  const archive = { states: 'archive', recentStates: 1, blocks: 'archive', recentBlocks: 1 } as const;
  const recent = { states: 'recent', recentStates: 1, blocks: 'recent', recentBlocks: 1 } as const;

  it('is what blocks and state take, since genesis.json was written', async () => {
    const paths = homePaths(folder);
    await writeFile(paths.genesis, '{}');
    await mkdir(paths.blocks);
    await writeFile(join(paths.blocks, 'a'), new Uint8Array(700));
    await mkdir(paths.state);
    await writeFile(join(paths.state, 'b'), new Uint8Array(300));
    await writeFile(join(folder, 'node.log'), new Uint8Array(5_000));
    const madeMs = 1_700_000_000_000;
    await utimes(paths.genesis, madeMs / 1_000, madeMs / 1_000);
    const growth = await growthOf(paths, madeMs + 2 * dayMs);
    expect(growth).toMatchObject({ bytes: 1_000, ageMs: 2 * dayMs });
    expect(growth!.free).toBeGreaterThan(0);
    // Ten kilobytes a day, on a disk that has room for less than a fortnight of it.
    expect(growthCheck({ ...growth!, bytes: 20_000, free: 139_999 }, archive)).toMatchObject({
      verdict: 'warn',
      found: expect.stringContaining('full in 14.0 days'),
      advice: expect.stringContaining('are archive'),
    });
  });

  it.each([
    [{ bytes: 2e9, ageMs: 2 * dayMs, free: 14e9 }, 'ok'],
    [{ bytes: 2e9, ageMs: 2 * dayMs, free: 13.9e9 }, 'warn'],
    [{ bytes: 2e9, ageMs: dayMs / 24 - 1, free: 1 }, 'ok'],
    [{ bytes: 0, ageMs: dayMs, free: 1 }, 'ok'],
    [null, 'ok'],
  ])('%j: %s', (growth, verdict) => {
    const check = growthCheck(growth, recent);
    expect(check.verdict).toBe(verdict);
    if (verdict === 'warn') expect(check.advice).toContain('recent_blocks');
  });
});
