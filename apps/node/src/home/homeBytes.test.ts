import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createHomeBytes, folderBytes } from './homeBytes.ts';

const folders: string[] = [];
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'prime-home-bytes-'));
  folders.push(made);
  return made;
};
afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true });
});

describe('bytes of a folder', () => {
  it('are those of all files below it', async () => {
    const home = folder();
    expect(await folderBytes(home)).toBe(0);
    mkdirSync(join(home, 'blocks', 'deep'), { recursive: true });
    mkdirSync(join(home, 'empty'));
    writeFileSync(join(home, 'genesis.json'), 'x'.repeat(10));
    for (let index = 0; index < 200; index++) writeFileSync(join(home, 'blocks', `${index}.ldb`), 'x'.repeat(1000));
    writeFileSync(join(home, 'blocks', 'deep', 'LOG'), 'xyz');
    expect(await folderBytes(home)).toBe(200_013);
  });

  it('are not those of what a link leads to, so that a circle has an end', async () => {
    const [home, other] = [folder(), folder()];
    writeFileSync(join(other, 'large'), 'x'.repeat(100_000));
    symlinkSync(other, join(home, 'there'));
    symlinkSync(home, join(home, 'self'));
    expect(await folderBytes(home)).toBeLessThan(1000);
  });

  it('are null when it is not there', async () => {
    const home = folder();
    expect(await folderBytes(join(home, 'nothing'))).toBeNull();
    writeFileSync(join(home, 'file'), '');
    expect(await folderBytes(join(home, 'file'))).toBeNull();
  });
});

/** A home that is measured when the test says so. */
function measured() {
  let atMs = 0;
  const asked: ((bytes: number | null) => void)[] = [];
  const read = createHomeBytes({
    folder: '/home',
    nowMs: () => atMs,
    measure: () => new Promise((resolve) => asked.push(resolve)),
    waitMs: 1,
  });
  return {
    read,
    asked,
    pass: (ms: number) => {
      atMs += ms;
    },
    /** Asks, and answers the measure that begins. */
    readAs(bytes: number | null): Promise<number | null> {
      const answer = read();
      asked.at(-1)!(bytes);
      return answer;
    },
  };
}

describe('bytes of a home', () => {
  it('are measured once in five seconds, and not while nobody asks', async () => {
    const { read, readAs, asked, pass } = measured();
    expect(asked).toHaveLength(0);
    expect(await readAs(7)).toBe(7);
    pass(4_999);
    expect(await read()).toBe(7);
    expect(asked).toHaveLength(1);
    pass(1);
    expect(await readAs(9)).toBe(9);
    expect(asked).toHaveLength(2);
  });

  it('are measured once for all who ask meanwhile', async () => {
    const { read, readAs, asked } = measured();
    expect(await Promise.all([read(), read(), readAs(7)])).toEqual([7, 7, 7]);
    expect(asked).toHaveLength(1);
  });

  it('are measured less often where that takes long', async () => {
    const { read, asked, pass } = measured();
    expect(await read()).toBeNull();
    pass(2_000);
    asked[0]!(7);
    expect(await read()).toBe(7);
    pass(19_999);
    expect(await read()).toBe(7);
    expect(asked).toHaveLength(1);
    pass(1);
    await read();
    expect(asked).toHaveLength(2);
  });

  it('hold nobody up: the measure before counts for a minute more, then there is none', async () => {
    const { read, readAs, asked, pass } = measured();
    await readAs(7);
    pass(5_000);
    expect(await read()).toBe(7);
    pass(59_999);
    expect(await read()).toBe(7);
    pass(1);
    expect(await read()).toBeNull();
    expect(asked).toHaveLength(2);
    asked[1]!(8);
    expect(await read()).toBe(8);
  });

  it('are asked for again when they could not be measured', async () => {
    const { readAs, pass } = measured();
    expect(await readAs(null)).toBeNull();
    pass(5_000);
    expect(await readAs(3)).toBe(3);
  });
});
