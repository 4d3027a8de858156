import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32c } from '../files/crc32c.ts';
import { StorageError } from '../errors.ts';

/** A log of LevelDB is blocks of this size; a record does not go beyond its block (doc/log_format.md of LevelDB). */
const blockBytes = 32_768;
/** CRC-32C u32, length u16, type u8, little-endian. */
const headBytes = 7;
/** Types of whole records and of the pieces of one. */
const typeMax = 4;
/** Stored checksums are rotated and moved by this, so that checksums of data that holds checksums are no trouble. */
const maskDelta = 0xa2_82_ea_d8;

/** What LevelDB keeps writes in. Before the first of them there is a file that names the manifest, and it is only ever replaced. */
const holdsWrites = /\.(?:log|ldb|sst)$/;

/**
 * Refuses a closed LevelDB that would open as less than it was: whose logs have a hole, damage with whole records behind it, or whose `CURRENT` is gone;
 * and one whose manifest is gone, which LevelDB calls a failure of the disk.
 *
 * Without `CURRENT` LevelDB takes the folder for a new one, begins an empty database and removes the tables that it does not know.
 *
 * LevelDB itself leaves a damaged record out and goes on with what comes after it, and has no option for that here. A tail that was cut short is what
 * a crash leaves, and loses the newest writes; a hole loses writes in the middle, and what is read afterwards was never the state of anything.
 * To be called once, before the threads of a process open the folder.
 *
 * @throws StorageError `DATABASE_CORRUPT`
 */
export function checkDatabaseFiles(dir: string): void {
  if (!existsSync(dir)) return;
  const names = readdirSync(dir).toSorted();
  if (!names.includes('CURRENT') && names.some((name) => holdsWrites.test(name)))
    throw corrupt(dir, 'CURRENT is gone, without which its tables are not found');
  const missing = missingManifest(dir, names);
  if (missing !== null) throw corrupt(dir, `CURRENT names ${missing}, which is gone`);
  for (const name of names) {
    if (!name.endsWith('.log')) continue;
    const offset = holeIn(readFileSync(join(dir, name)));
    if (offset !== null) throw corrupt(dir, `${name} is damaged at ${offset}, and whole records follow`);
  }
}

/** @returns the manifest that `CURRENT` names, where it is not there */
function missingManifest(dir: string, names: readonly string[]): string | null {
  if (!names.includes('CURRENT')) return null;
  const named = readFileSync(join(dir, 'CURRENT'), 'utf8').trimEnd();
  return /^MANIFEST-\d+$/.test(named) && !names.includes(named) ? named : null;
}

const corrupt = (dir: string, reason: string): StorageError =>
  new StorageError(`can not open the database ${dir}: ${reason}`, { code: 'DATABASE_CORRUPT', path: dir, reason });

/** @returns where the damage begins behind which there are whole records; null when there is none */
function holeIn(log: Uint8Array): number | null {
  const view = new DataView(log.buffer, log.byteOffset, log.length);
  let damagedAt: number | null = null;
  for (let start = 0; start < log.length; start += blockBytes) {
    const end = Math.min(log.length, start + blockBytes);
    let at = start;
    while (at + headBytes <= end) {
      const next = at + headBytes + view.getUint16(at + 4, true);
      if (next > end || !isWhole(log, view, at, next)) {
        // Its length may be damaged too: what is behind it in this block is lost with it.
        damagedAt ??= at;
        break;
      }
      if (damagedAt !== null) return damagedAt;
      at = next;
    }
  }
  return null;
}

function isWhole(log: Uint8Array, view: DataView, at: number, next: number): boolean {
  const type = log[at + 6]!;
  if (type === 0 || type > typeMax) return false;
  const crc = crc32c(log.subarray(at + 6, next));
  const masked = (((crc >>> 15) | (crc << 17)) + maskDelta) >>> 0;
  return masked === view.getUint32(at, true);
}
