import { closeSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { NodeError } from '../errors.ts';

/**
 * Open files of the process: what the system allows, what is open, and when callers have to wait so that blocks go on.
 *
 * Each connection is an open file. A process that has none left can neither begin the log of a height nor let the database write: without room kept for them, whoever opens
 * enough connections ends the validator. The library below HTTP tells of no connection before its first request, so that what is open is counted instead.
 *
 * Counting alone is not enough: the listener takes what waits in one turn, and goes on while more comes, so that a quick caller has every file before the next look.
 * Some are held open for nothing, therefore, and given back when the door is shut: connections cannot have those.
 */

/** Below this a node does not start: one turn of the listener may take more than a thousand connections, and the most is kept for blocks and peers. */
export const openFilesMin = 4096;
/** More than peers, logs and tables of the databases need beyond what they have open already. */
export const filesHeldBack = 1024;
/** Of what is allowed, the part from which on nobody is let in, and below which callers are let in again. */
const fullAt = 0.25;
const freeAt = 0.2;
/** Between two looks at what is open, ms. Meanwhile the listener takes as many connections as come. */
const [soonMs, laterMs] = [10, 1_000] as const;
/** More connections than a listener takes in a millisecond: each is a system call or two of some microseconds. */
const arrivalsPerMs = 100;
/** Few are open below this part of what is allowed. */
const fewAt = 0.05;

/** Where few are open, an idle node is not woken a hundred times a second; what arrives until the next look takes less than half of what is allowed. */
const pauseMs = (limit: number): number =>
  Math.min(laterMs, Math.max(soonMs, Math.floor((limit * (0.5 - fewAt)) / arrivalsPerMs)));

/** How many files the process may have open (Linux; Node raises the soft limit to the hard one); null where there is no limit or the system does not tell. */
export function openFilesLimit(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

/** How many files the process has open, without end where none is left to count with; null where the system does not tell. */
export function countOpenFiles(): number | null {
  try {
    // Linux says it in the size since 6.2, and 0 before.
    const { size } = statSync('/proc/self/fd');
    return size > 0 ? size : readdirSync('/proc/self/fd').length;
  } catch (error) {
    return isOutOfFiles(error) ? Number.POSITIVE_INFINITY : null;
  }
}

/** @throws NodeError `OPEN_FILES_LIMIT_TOO_LOW` */
export function checkOpenFilesLimit(limit: number | null = openFilesLimit()): void {
  if (limit === null || limit >= openFilesMin) return;
  throw new NodeError(
    `this process may have ${limit} files open, and a node needs at least ${openFilesMin}, one for each connection among them: raise the limit ` +
      '(ulimit -n, LimitNOFILE of systemd, ulimits of a container), best to 65536',
    { code: 'OPEN_FILES_LIMIT_TOO_LOW', limit, minimum: openFilesMin },
  );
}

/** Whether an error, or what caused it, is that no more files may be open; a database says so in words. */
export function isOutOfFiles(error: unknown): boolean {
  for (let level = error, depth = 0; typeof level === 'object' && level !== null && depth < 8; depth++) {
    const { code, message, cause } = level as { readonly code?: unknown; readonly message?: unknown; cause?: unknown };
    if (code === 'EMFILE' || code === 'ENFILE') return true;
    if (typeof message === 'string' && /\b(?:EMFILE|ENFILE|Too many open files)/i.test(message)) return true;
    level = cause;
  }
  return false;
}

/** Who takes connections of callers. */
interface Door {
  /** Nobody new is let in; the connections that are there stay. */
  shut(): void;
  letIn(): Promise<void>;
}

/** Files that are held open for nothing, so that connections cannot have them. */
export interface FilesReserve {
  /** How many it holds now. */
  readonly held: number;
  /** @throws EMFILE where as many are not left */
  take(): void;
  giveBack(): void;
}

/** A reserve of this many files, which holds none yet. */
export function createFilesReserve(size: number = filesHeldBack): FilesReserve {
  const descriptors: number[] = [];
  return {
    get held() {
      return descriptors.length;
    },
    take() {
      while (descriptors.length < size) descriptors.push(openSync(devNull, 'r'));
    },
    giveBack() {
      for (const descriptor of descriptors.splice(0)) closeSync(descriptor);
    },
  };
}

/** How many files the process may have open and has, and the door that is shut before they run out. */
export interface OpenFilesWatch {
  /** null is no limit. */
  readonly limit: number | null;
  readonly count: () => number | null;
  readonly reserve: FilesReserve;
  readonly door: Door;
  /** @param isFull whether callers wait from now on */
  readonly onChange: (isFull: boolean, open: number) => void;
}

/** Keeps room for databases and peers: clients wait outside while too many files are open. */
export interface OpenFilesGuard {
  /** Counts, and shuts or opens the door. @returns when to look the next time, ms from now */
  look(): number;
  /** Gives back what is held. */
  end(): void;
}

/**
 * Shuts the door to callers while more than a quarter of the open files that the process may have are in use: the rest is for blocks and peers. Files are held back from
 * here on, and as long as the door is open.
 */
export function createOpenFilesGuard({ limit, count, reserve, door, onChange }: OpenFilesWatch): OpenFilesGuard {
  let isFull = false;
  let isMoving = false;
  if (limit !== null) reserve.take();

  const move = async (open: number): Promise<void> => {
    isMoving = true;
    try {
      if (isFull) {
        reserve.take();
        await door.letIn();
      } else {
        door.shut();
        reserve.giveBack();
      }
      isFull = !isFull;
      onChange(isFull, open);
    } catch {
      // The port is taken just now: the next look tries again.
    } finally {
      isMoving = false;
    }
  };

  return {
    look() {
      const counted = limit === null ? null : count();
      if (limit === null || counted === null) return laterMs;
      const open = counted - reserve.held;
      const isToMove = isFull ? open <= limit * freeAt : open > limit * fullAt;
      if (isToMove && !isMoving) void move(open);
      return open <= limit * fewAt ? pauseMs(limit) : soonMs;
    },
    end: () => reserve.giveBack(),
  };
}
