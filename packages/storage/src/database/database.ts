import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { RecordWrite } from '@prime/codec';
import { ClassicLevel } from 'classic-level';
import { isLevelCorruption, messageOf, StorageError, systemCodeOf } from '../errors.ts';

/** LevelDB with bytes for keys and values; keys are in the order of their bytes. */
export type Database = ClassicLevel<Uint8Array, Uint8Array>;

/**
 * Opens a LevelDB folder, and makes it when it is not there.
 *
 * With `multithreading` all threads of the process that open the same folder share one native database, counted, so that a
 * thread reads what another one wrote as soon as the write returns. They find each other by the text of the path: it is made
 * absolute. The sizes of whoever opens first are the ones that count.
 *
 * @throws StorageError `DATABASE_CORRUPT`, `DATABASE_OPEN_FAILED`
 */
export async function openDatabase(
  dir: string,
  sizes: { readonly cacheSize: number; readonly writeBufferSize: number },
): Promise<Database> {
  const path = resolve(dir);
  try {
    mkdirSync(path, { recursive: true });
    const database: Database = new ClassicLevel(path, {
      keyEncoding: 'view',
      valueEncoding: 'view',
      multithreading: true,
      ...sizes,
    });
    await database.open();
    return database;
  } catch (cause) {
    const reason = messageOf(innermost(cause));
    const detail = isLevelCorruption(cause)
      ? ({ code: 'DATABASE_CORRUPT', path, reason } as const)
      : ({ code: 'DATABASE_OPEN_FAILED', path, systemCode: systemCodeOf(cause) } as const);
    throw new StorageError(`can not open the database ${path}: ${reason}`, detail, { cause });
  }
}

/** abstract-level says "not open" and keeps the reason in the cause. */
function innermost(error: unknown): unknown {
  const { cause } = error as { readonly cause?: unknown };
  return cause === undefined ? error : innermost(cause);
}

/**
 * One atomic batch; `sync` waits for the disk.
 *
 * Puts go into a native batch one by one: 500 of them take 0.6 ms, as an array of operations 3.1 ms.
 */
export async function writeBatch(
  database: Database,
  writes: Iterable<RecordWrite>,
  options: { readonly sync: boolean },
): Promise<void> {
  const batch = database.batch();
  try {
    for (const { key, value } of writes)
      if (value === null) batch.del(key);
      else batch.put(key, value);
    await batch.write(options);
  } finally {
    await batch.close();
  }
}

/** @returns the smallest key behind all keys with the prefix; null when there is none */
export function prefixEnd(prefix: Uint8Array): Uint8Array | null {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 0xff) length--;
  if (length === 0) return null;
  const end = prefix.slice(0, length);
  end[length - 1]! += 1;
  return end;
}
