/** Units of systemd, those that lie in deploy/ and those that an export writes, as systemd itself reads them. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isAtHand, run } from '@prime/testkit';
import { root } from '../repo/repository.ts';

const hasSystemd = isAtHand('systemd-analyze', existsSync('/usr/bin/systemd-analyze'));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prime-units-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const unitsBelow = (place: string): string[] =>
  readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.service'))
    .map((path) => join(place, path));

/** Copies of units whose programs are where systemd finds some: those of the units are elsewhere on this machine. */
async function copies(units: readonly string[]): Promise<string[]> {
  const place = await mkdtemp(join(folder, 'copies-'));
  return Promise.all(
    units.map(async (unit) => {
      const copy = join(place, basename(unit));
      const text = await readFile(unit, 'utf8');
      await writeFile(copy, text.replaceAll(/^ExecStart=\/usr\/bin\/\w+/gm, `ExecStart=${process.execPath}`));
      return copy;
    }),
  );
}

/** What systemd has to say of them. */
const complaints = (units: readonly string[]): string =>
  execFileSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8', stdio: 'pipe' });

(hasSystemd ? describe : describe.skip)('systemd finds nothing wrong', () => {
  it('with the units of deploy', async () => {
    const units = unitsBelow(join(root, 'deploy', 'systemd'));
    expect(units).toHaveLength(3);
    expect(complaints(await copies(units))).toBe('');
  });

  it.each(['sentries', 'remote-signers'])('with what is exported of %s', async (name) => {
    const place = join(folder, name);
    const manifest = join(root, 'deploy', 'manifests', `${name}.toml`);
    await run(['testnet', 'export', place, '--manifest', manifest, '--to', 'systemd']);
    const units = unitsBelow(place);
    expect(units.length).toBeGreaterThan(4);
    expect(complaints(await copies(units))).toBe('');
  });

  it('and something with one that is wrong', async () => {
    const unit = join(folder, 'wrong.service');
    await writeFile(unit, '[Service]\nExecStart=/no/such/program\n');
    expect(() => complaints([unit])).toThrow('/no/such/program');
  });
});
