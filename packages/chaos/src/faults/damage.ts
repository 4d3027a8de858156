import { closeSync, fstatSync, openSync, readdirSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { homePaths } from '@prime/config';
import type { Prng } from '@prime/primitives';
import { dumpWal, type WalDump } from '@prime/storage';
import type { Damage } from '../schedule/faults.ts';

/** Bits that are flipped in one file. */
const flips = 8;
/** Of the sign state: two slots of one page each (storage/signState.ts). */
const slotBytes = 4096;
const slotHeadBytes = 64;
/** Most bytes of a log's tail that are torn. */
const tornBytesMax = 4096;

/**
 * Damages the files of a stopped validator. Its log, if that is what is damaged, has a height ({@link hasLoggedHeight}).
 *
 * @returns what was done, in words
 */
export function damageFiles(home: string, what: Damage, prng: Prng): string {
  const paths = homePaths(home);
  switch (what) {
    case 'wal_tail':
      return tearTail(paths.wal, prng);
    case 'wal':
      return flipInLog(paths.wal, prng);
    case 'sign_state_slot':
      return flipSlots(paths.signState, [prng.below(2)], prng);
    case 'sign_state':
      return flipSlots(paths.signState, [0, 1], prng);
    case 'blocks':
      return flipSomewhere(paths.blocks, prng);
    case 'state':
      return flipSomewhere(paths.state, prng);
  }
}

/**
 * Whether there is a height in a validator's log. Who comes back with an empty one, as after a repair, begins the next height after those that it fetches.
 * The validator may run.
 */
export const hasLoggedHeight = (home: string): boolean => dumpWal(homePaths(home).wal).length > 0;

/** The file of the height in progress; the log has one ({@link hasLoggedHeight}). */
const newestHeight = (folder: string): WalDump => dumpWal(folder).at(-1)!;

/** Zeroes or garbles the end of what was written, as a write that was cut short does. */
function tearTail(folder: string, prng: Prng): string {
  const { path, end } = newestHeight(folder);
  return withFile(path, 'r+', (file) => {
    const count = Math.min(end, 1 + prng.below(tornBytesMax));
    const garbage = prng.chance(1, 2);
    const bytes = Uint8Array.from({ length: count }, () => (garbage ? prng.below(256) : 0));
    writeSync(file, bytes, 0, count, end - count);
    return `last ${count} of ${end} bytes of ${nameOf(path)} ${garbage ? 'garbled' : 'zeroed'}`;
  });
}

function flipInLog(folder: string, prng: Prng): string {
  const { path, end } = newestHeight(folder);
  return withFile(path, 'r+', (file) => {
    const offsets = flipBits(
      file,
      Array.from({ length: flips }, () => prng.below(end)),
      prng,
    );
    return `bits of ${nameOf(path)} flipped at ${offsets.join(', ')} of ${end} bytes`;
  });
}

function flipSlots(path: string, slots: readonly number[], prng: Prng): string {
  return withFile(path, 'r+', (file) => {
    const places = slots.map((slot) => slot * slotBytes + prng.below(slotHeadBytes));
    const offsets = flipBits(file, places, prng);
    return `bits of ${nameOf(path)} flipped at ${offsets.join(', ')}`;
  });
}

/** One of the database's files that hold something, at random. */
function flipSomewhere(folder: string, prng: Prng): string {
  const names = readdirSync(folder)
    .filter((name) => /\.(?:ldb|log)$|^MANIFEST-/.test(name))
    .toSorted();
  const sized = names.filter((name) => withFile(join(folder, name), 'r', (file) => fstatSync(file).size) > 0);
  const name = sized[prng.below(sized.length)]!;
  return withFile(join(folder, name), 'r+', (file) => {
    const { size } = fstatSync(file);
    const offsets = flipBits(
      file,
      Array.from({ length: flips }, () => prng.below(size)),
      prng,
    );
    return `bits of ${nameOf(folder)}/${name} flipped at ${offsets.join(', ')} of ${size} bytes`;
  });
}

function flipBits(file: number, offsets: readonly number[], prng: Prng): readonly number[] {
  // Twice the same place would undo it.
  const places = [...new Set(offsets)];
  for (const offset of places) {
    const byte = readAt(file, offset, 1);
    byte[0]! ^= 1 << prng.below(8);
    writeSync(file, byte, 0, 1, offset);
  }
  return places;
}

function readAt(file: number, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
}

function withFile<Result>(path: string, flags: 'r' | 'r+', work: (file: number) => Result): Result {
  const file = openSync(path, flags);
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}

const nameOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;
