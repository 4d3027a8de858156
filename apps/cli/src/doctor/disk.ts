import { close, fdatasync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { HomePaths, NodeConfig } from '@prime/config';
import { folderBytes, freeBytes } from '@prime/node';
import { type Check, fail, ok, warn } from './check.ts';

/** Same bounds as the alerts PrimeDiskSpace and PrimeDiskFull. */
const [diskLowBytes, diskFullBytes] = [5e9, 1e9];

/** Warns below 5 GB and fails below 1 GB. @param free bytes; null where the system does not tell */
export function diskCheck(free: number | null): Check {
  const why = 'a node that can not write its log signs nothing, and ends';
  if (free === null)
    return warn('disk', 'the system does not tell how much is free', { why, advice: 'look yourself: df -h' });
  const found = `${gb(free)} free`;
  const advice = { why, advice: 'make room, or keep less: [history] of config.toml' };
  if (free < diskFullBytes) return fail('disk', found, advice);
  return free < diskLowBytes ? warn('disk', found, advice) : ok('disk', found);
}

const gb = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** Writes that are timed, and their size: that of a slot of the sign state. */
const writes = 100;
const writeBytes = 4_096;

const syncFile = promisify(fdatasync);
const closeFile = promisify(close);

/**
 * How long the disk of a home takes to confirm a write, the slowest of a hundred left out, ms. Writes into a folder of its own there, which is gone afterwards.
 *
 * @param sync makes what was written durable; another one is for tests
 */
export async function syncP99(home: string, sync: (file: number) => Promise<void> = syncFile): Promise<number> {
  const folder = mkdtempSync(join(home, '.doctor-'));
  try {
    const file = openSync(join(folder, 'write'), 'w');
    try {
      const bytes = new Uint8Array(writeBytes).fill(1);
      const times: number[] = [];
      for (let index = 0; index < writes; index++) {
        const beganMs = performance.now();
        writeSync(file, bytes, 0, writeBytes, 0);
        await sync(file);
        times.push(performance.now() - beganMs);
      }
      return times.toSorted((a, b) => a - b).at(-2)!;
    } finally {
      await closeFile(file);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param p99 ms @param prevoteMs how long others wait for a vote, ms */
export function syncCheck(p99: number, prevoteMs: number): Check {
  const found = `confirms a write in ${p99.toFixed(1)} ms (p99)`;
  const advice = {
    why: `a validator waits for its disk before each signature, and others wait ${prevoteMs} ms for its votes`,
    advice: 'give the home a disk of its own, with flash; on network storage one with provisioned IOPS',
  };
  if (p99 > prevoteMs) return fail('disk sync', found, advice);
  // Two signatures and the block are on the way to a decision.
  return p99 > prevoteMs / 3 ? warn('disk sync', found, advice) : ok('disk sync', found);
}

/** What of a home grows, and since when. */
export interface Growth {
  readonly bytes: number;
  readonly ageMs: number;
  readonly free: number;
}

const dayMs = 86_400_000;
/** A younger home tells nothing about its growth. */
const ageMin = dayMs / 24;
/** Before the disk is full by then, somebody should know. */
const daysMin = 14;

/**
 * How a home grew since it was made: genesis.json was written then, and nothing writes it again.
 *
 * @returns null where the system does not tell
 */
export async function growthOf({ home, genesis, blocks, state }: HomePaths, nowMs: number): Promise<Growth | null> {
  const [inBlocks, inState, free] = [await folderBytes(blocks), await folderBytes(state), freeBytes(home)];
  if (free === null) return null;
  return { bytes: (inBlocks ?? 0) + (inState ?? 0), ageMs: nowMs - statSync(genesis).mtimeMs, free };
}

/** When the disk is full if the home grows as it did, on average, since it was made. */
export function growthCheck(growth: Growth | null, history: NodeConfig['history']): Check {
  if (growth === null) return ok('disk growth', 'the system does not tell');
  const { bytes, ageMs, free } = growth;
  if (ageMs < ageMin) return ok('disk growth', `${gb(bytes)} of blocks and state: too young a home for a forecast`);
  const perDay = bytes / (ageMs / dayMs);
  const days = perDay === 0 ? Number.POSITIVE_INFINITY : free / perDay;
  const found = `${gb(bytes)} of blocks and state, ${gb(perDay)} a day since the home was made`;
  if (days >= daysMin) return ok('disk growth', found);
  const keepsAll = history.blocks === 'archive' || history.states === 'archive';
  return warn('disk growth', `${found}: the disk is full in ${days.toFixed(1)} days`, {
    why: 'a node that can not write its log signs nothing, and ends',
    advice: keepsAll
      ? 'make room, or keep less: history.states and history.blocks of config.toml are archive'
      : 'make room, or keep less: history.recent_states and history.recent_blocks of config.toml',
  });
}
