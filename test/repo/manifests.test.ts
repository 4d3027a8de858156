import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { filesBelow, pathExists, readText, root } from './repository.ts';

/** deploy/manifests: what people begin with. */

const examples = filesBelow('deploy/manifests');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prime-examples-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const prime = (...args: readonly string[]) =>
  spawnSync(process.execPath, [join(root, 'apps/cli/dist/main.js'), ...args], { encoding: 'utf8' });

describe('manifests in deploy', () => {
  it('each says first what it is, and how it is run', () => {
    expect(examples.length).toBeGreaterThanOrEqual(4);
    for (const path of examples) {
      const [about, , command] = readText(path).split('\n');
      expect(about).toMatch(/^# [A-Z]/);
      expect(command).toContain(`--manifest ${path}`);
      expect(readText('docs/testnet.md')).toContain(`](../${path})`);
    }
  });
});

const schema = 'deploy/helm/prime/values.schema.json';
const describeChart = pathExists(schema) ? describe : describe.skip;
describeChart('manifests in deploy and the chart', () => {
  it('values of each export are what the chart takes', () => {
    const isValid = new Ajv({ strict: false, allErrors: true }).compile(JSON.parse(readText(schema)) as object);
    let rendered = 0;
    for (const path of examples) {
      const out = join(folder, path.replaceAll('/', '-'));
      const { status, stderr } = prime('testnet', 'export', out, '--manifest', join(root, path), '--to', 'helm');
      if (stderr.includes('CLI_EXPORT_UNFIT')) continue;
      expect([path, status, stderr]).toEqual([path, 0, '']);
      isValid(parse(readFileSync(join(out, 'values.yaml'), 'utf8')));
      expect([path, isValid.errors]).toEqual([path, null]);
      rendered += 1;
    }
    expect(rendered).toBeGreaterThanOrEqual(3);
  });
});
