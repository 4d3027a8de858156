import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createAdminToken } from './token.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prime-token-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('a token is in a file that only its user reads, and is another one at each start', async () => {
  const path = join(folder, 'admin.token');
  const first = createAdminToken(path);
  const text = readFileSync(path, 'utf8').trim();
  expect(text).toMatch(/^0x[0-9a-f]{64}$/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const header = `Bearer ${text}`;
  expect(first.matches(header)).toBe(true);
  for (const wrong of [undefined, '', text, `${header} `, `Bearer ${text.slice(0, -1)}g`])
    expect(first.matches(wrong)).toBe(false);
  const second = createAdminToken(path);
  expect(second.matches(header)).toBe(false);
  expect(second.matches(`Bearer ${readFileSync(path, 'utf8').trim()}`)).toBe(true);
});
