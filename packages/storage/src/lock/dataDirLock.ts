import { linkSync, mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf, StorageError, systemCodeOf } from '../errors.ts';
import { isSystemLocked } from './systemLock.ts';

/**
 * One process per home folder.
 *
 * Node has no lock of the operating system that ends with its process, so the file names its owner: pid, and when that process
 * started, because a pid is used again, in a container nearly always. A file whose owner is gone is taken over. Two processes
 * that find the same dead owner are kept apart by a second file.
 *
 * In another PID namespace (another container on the same machine) the pid says nothing. Nodes and signers hold a lock of the system besides
 * (systemLock.ts), and an owner from there counts as gone only when nobody holds that.
 */
interface Owner {
  readonly pid: number;
  /** Boot id and start time in ticks since boot; null where the system does not tell (no /proc). */
  readonly started: string | null;
  /** PID namespace in which the pid counts; null where the system does not tell. */
  readonly namespace: string | null;
}

/** A home folder that this process owns, until it is released or the process ends. */
export interface DataDirLock {
  /** Gives the folder free; a second call does nothing. */
  release(): void;
}

const takeoverAttemptsMax = 8;

/**
 * {@link acquireDataDirLock}, also where the file was left by a process of another PID namespace that is gone.
 *
 * @param systemLock folder in which nodes and signers hold a lock of the system
 * @throws StorageError `DATA_DIR_LOCKED`, `FILE_WRITE_FAILED`
 */
export async function lockDataDir(path: string, systemLock: string): Promise<DataDirLock> {
  const found = readText(path);
  const owner = found === null ? null : parseOwner(found);
  if (found !== null && owner !== null && isForeign(owner)) {
    if (await isSystemLocked(systemLock))
      throw locked(path, owner.pid, ' in another PID namespace, of another container for instance');
    wrapErrors(path, () => removeStale(path, found, ownText()));
  }
  return acquireDataDirLock(path);
}

/**
 * @param path of the lock file; its folder is made when it is missing
 * @throws StorageError `DATA_DIR_LOCKED` with the pid of the process that holds it, `FILE_WRITE_FAILED`
 */
export function acquireDataDirLock(path: string): DataDirLock {
  const text = ownText();
  wrapErrors(path, () => mkdirSync(dirname(path), { recursive: true }));
  for (let attempt = 0; attempt < takeoverAttemptsMax; attempt++) {
    if (wrapErrors(path, () => createWhole(path, text))) return heldLock(path, text);
    const found = readText(path);
    if (found === null) continue;
    const owner = parseOwner(found);
    if (owner !== null && isAlive(owner)) throw locked(path, owner.pid);
    wrapErrors(path, () => removeStale(path, found, text));
  }
  throw locked(path, parseOwner(readText(path) ?? '')?.pid ?? 0);
}

/** The process that holds the lock of a folder, and lives; null where there is none. Nothing is taken or changed. */
export function dataDirHolder(path: string): number | null {
  const owner = parseOwner(readText(path) ?? '');
  return owner !== null && isAlive(owner) ? owner.pid : null;
}

function ownText(): string {
  const self: Owner = { pid: process.pid, started: startOf(process.pid), namespace: ownNamespace() };
  return `${JSON.stringify(self)}\n`;
}

function heldLock(path: string, text: string): DataDirLock {
  let held = true;
  return {
    release() {
      if (held && readText(path) === text) rmSync(path, { force: true });
      held = false;
    },
  };
}

/** Makes the file with its content in one step, so that nobody reads half of it. @returns false when there is one */
function createWhole(path: string, text: string): boolean {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, text, { mode: 0o600 });
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Only the holder of the second file removes, and only the very content that it found stale. */
function removeStale(path: string, stale: string, text: string): void {
  const guard = `${path}.takeover`;
  if (!createWhole(guard, text)) {
    const owner = parseOwner(readText(guard) ?? '');
    if (owner === null || !isAlive(owner)) rmSync(guard, { force: true });
    return;
  }
  try {
    if (readText(path) === stale) rmSync(path, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Content that is not an owner was torn by a crash: nobody who lives wrote it. */
function parseOwner(text: string): Owner | null {
  try {
    const { pid, started, namespace } = JSON.parse(text) as Partial<Owner>;
    if (!Number.isSafeInteger(pid) || pid! <= 0) return null;
    const known = (field: unknown): string | null => (typeof field === 'string' ? field : null);
    return { pid: pid!, started: known(started), namespace: known(namespace) };
  } catch {
    return null;
  }
}

function isAlive(owner: Owner): boolean {
  // Its pid is somebody else's here, or nobody's.
  if (isForeign(owner)) return true;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // EPERM: it is there and belongs to someone else.
    if (systemCodeOf(error) === 'ESRCH') return false;
  }
  if (isZombie(owner.pid)) return false;
  const started = startOf(owner.pid);
  return started === null || owner.started === null || started === owner.started;
}

/** Of another PID namespace of this machine, since it was started: of an earlier one nobody is left. */
function isForeign({ namespace, started }: Owner): boolean {
  const own = ownNamespace();
  if (namespace === null || own === null || namespace === own) return false;
  return started === null || started.split('/', 1)[0] === bootId();
}

const ownNamespace = (): string | null => told(() => readlinkSync('/proc/self/ns/pid'));
const bootId = (): string | null => told(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());

/** The fields of /proc/pid/stat behind the name of the program, which may hold spaces and parentheses; the first is number 3. */
function statOf(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Field 22: ticks since boot. */
const startOf = (pid: number): string | null =>
  told(() => {
    const ticks = statOf(pid)[19];
    const boot = bootId();
    return ticks === undefined || boot === null ? null : `${boot}/${ticks}`;
  });

/** Ended, and nobody asked how: it holds nothing any more. */
const isZombie = (pid: number): boolean => ['Z', 'X'].includes(told(() => statOf(pid)[0] ?? null) ?? '');

/** null where the system does not tell. */
function told(ask: () => string | null): string | null {
  try {
    return ask();
  } catch {
    return null;
  }
}

const locked = (path: string, pid: number, where = ''): StorageError =>
  new StorageError(`${path} is held by process ${pid}${where}: a node or signer is running on this home`, {
    code: 'DATA_DIR_LOCKED',
    path,
    pid,
  });

function wrapErrors<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new StorageError(
      `can not write the lock ${path}: ${messageOf(cause)}`,
      { code: 'FILE_WRITE_FAILED', path, systemCode: systemCodeOf(cause) },
      { cause },
    );
  }
}
