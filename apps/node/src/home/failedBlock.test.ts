import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Hash, type Height, PrimeError } from '@prime/primitives';
import type { Logger } from '@prime/telemetry';
import { FailedBlock } from './failedBlock.ts';

let folder: string;
let path: string;
let told: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prime-failed-'));
  path = join(folder, 'failed-block.json');
  told = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const say = (_fields: object, words: string): void => void told.push(words);
const logger = { info: say, warn: say, error: say } as unknown as Logger;
const open = (at = path): FailedBlock => new FailedBlock({ path: at, blocks: { get: () => null }, logger });
const [height, hash] = [7 as Height, `0x${'ab'.repeat(32)}` as Hash];
const blockFailed = (cause: unknown): PrimeError =>
  new PrimeError('block 7 failed', { code: 'CHAIN_BLOCK_FAILED', height, hash }, { cause });

describe('a decided block that can not be executed', () => {
  it('ends the node with BLOCK_FAILED, and a file says why; the next process tells of it', () => {
    const error = open().onDecided(blockFailed(new TypeError('undefined is no function')));
    expect(error).toMatchObject({ code: 'BLOCK_FAILED', detail: { code: 'BLOCK_FAILED', height, hash, path } });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      height,
      hash,
      reason: 'undefined is no function',
      block: null,
    });
    open();
    expect(told).toEqual(['a block stopped this node before: it is executed again']);
  });

  it('ends it also where the file can not be written', () => {
    const error = open(join(folder, 'nowhere', 'file')).onDecided(blockFailed(new Error('x')));
    expect(error).toMatchObject({ code: 'BLOCK_FAILED' });
    expect(told).toEqual(['the block that failed can not be kept in a file of its own']);
  });

  it.each(['ENOSPC', 'BUS_CLOSED', 'STATE_DATABASE_READ_FAILED'])('%s says nothing about the block', (code) => {
    const cause = Object.assign(new Error('x'), { code });
    expect(open().onDecided(blockFailed(cause))).toBe(cause);
    expect(open().onProposed(blockFailed(cause))).toBe(cause);
    expect(existsSync(path)).toBe(false);
  });

  it('another error passes as it is, from `watch` too', async () => {
    const error = new Error('x');
    expect(open().onDecided(error)).toBe(error);
    await expect(open().watch(() => Promise.reject(error))).rejects.toBe(error);
    expect(await open().watch(async () => 5)).toBe(5);
  });
});

it('a block that is only proposed ends nothing', () => {
  expect(open().onProposed(blockFailed(new Error('x')))).toBeNull();
  expect(told).toEqual(['a proposed block can not be executed: the node ends if it is decided']);
});

it.each([
  [6, true],
  [7, false],
  [8, false],
])('once block %d is executed, the file of block 7 is there: %s', (executed, isThere) => {
  open().onDecided(blockFailed(new Error('x')));
  open().onCommitted(executed as Height);
  expect(existsSync(path)).toBe(isThere);
});

it.each(['', 'x', '{}', '{"height":1.5}', '{"height":"7"}'])('a file that says %j counts as none', (text) => {
  writeFileSync(path, text);
  open().onCommitted(height);
  expect([told, existsSync(path)]).toEqual([[], true]);
});
