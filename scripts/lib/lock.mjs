/**
 * A mutex between processes, so that `npm start` and `npm test` may run at once on a fresh clone.
 *
 * The lock is a file that exists while it is held. It names its holder, and the holder touches it every second; a lock
 * whose process is gone, or that nobody touched for a while (the process id was given to somebody else), is taken over.
 * Kernel locks would do the same without a heartbeat, but Node has none that works on every platform.
 */
import { randomUUID } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

const heartbeatMs = 1_000;
/** Longer than any pause that a living holder can have short of being suspended. */
const abandonedMs = 30_000;
/** Removals are noticed through the file system's events; this is for file systems that send none. */
const pollMs = 500;

/** @typedef {{ readonly pid: number, readonly purpose: string, readonly nonce: string }} Holder */

/**
 * Waits until this process holds the lock.
 *
 * @param {string} path
 * @param {{ purpose: string, timeoutMs: number, onWait: (holder: Holder) => void }} options `onWait` is called once for
 *   each holder that is waited for
 * @returns {Promise<() => void>} releases the lock
 * @throws Error when the lock is still held after `timeoutMs`
 */
export async function acquireLock(path, { purpose, timeoutMs, onWait }) {
  mkdirSync(dirname(path), { recursive: true });
  const mine = { pid: process.pid, purpose, nonce: randomUUID() };
  const deadline = Date.now() + timeoutMs;
  let announced = '';
  for (;;) {
    if (tryCreate(path, mine)) return hold(path, mine);
    const found = readHolder(path);
    if (found === null || isAbandoned(path, found)) {
      removeAbandoned(path, found);
      continue;
    }
    if (found.nonce !== announced) onWait(found);
    announced = found.nonce;
    if (Date.now() >= deadline) {
      throw new Error(
        `waited ${Math.round(timeoutMs / 1000)} s for "${found.purpose}" (process ${found.pid}); ` +
          `if that process is not at work any more, remove ${path}`,
      );
    }
    await changeOf(path, Math.min(pollMs, deadline - Date.now()));
  }
}

/** Creation and content are one step: a reader never finds an empty lock. */
function tryCreate(path, holder) {
  const draft = `${path}.${holder.nonce}`;
  writeFileSync(draft, JSON.stringify(holder));
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function hold(path, holder) {
  const beat = setInterval(() => {
    if (readHolder(path)?.nonce === holder.nonce) utimesSync(path, new Date(), new Date());
  }, heartbeatMs);
  beat.unref();
  const release = () => {
    clearInterval(beat);
    process.off('exit', release);
    if (readHolder(path)?.nonce === holder.nonce) rmSync(path, { force: true });
  };
  process.on('exit', release);
  return release;
}

/** @returns {Holder | null} null when the file is gone or holds something else */
function readHolder(path) {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8'));
    return typeof holder?.nonce === 'string' && Number.isInteger(holder.pid) ? holder : null;
  } catch {
    return null;
  }
}

function isAbandoned(path, holder) {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (error.code === 'ESRCH') return true;
  }
  const touched = statSync(path, { throwIfNoEntry: false });
  return touched !== undefined && Date.now() - touched.mtimeMs > abandonedMs;
}

/**
 * Two waiters may judge the same lock at once, and the slower one must not remove the lock that the faster one has made
 * since. So the file is moved aside, which only one can do, and put back when it is not the one that was judged.
 */
function removeAbandoned(path, judged) {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (readHolder(aside)?.nonce !== judged?.nonce) {
    try {
      linkSync(aside, path);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
  rmSync(aside, { force: true });
}

/** Resolves when something happens in the folder of the file, or when the time is up. */
function changeOf(path, timeoutMs) {
  return new Promise((resolve) => {
    let watcher;
    const timer = setTimeout(finish, Math.max(timeoutMs, 1));
    function finish() {
      clearTimeout(timer);
      watcher?.close();
      resolve();
    }
    try {
      watcher = watch(dirname(path), finish);
      watcher.on('error', finish);
    } catch {
      // No events here (too many watches, or a network file system): the timer does it.
    }
  });
}
