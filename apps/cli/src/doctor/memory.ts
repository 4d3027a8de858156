import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { type Check, fail, ok, warn } from './check.ts';

/** Below that the threads of a node and its caches do not fit; from the second on there is room for load, too. Bytes. */
const [memoryMin, memoryAdvised] = [1 << 30, 2 * (1 << 30)] as const;

/** Where the system tells of memory; all else is for tests. */
export interface MemoryPlaces {
  /** Which groups the process is in. */
  readonly groups: string;
  /** Where groups are mounted. */
  readonly root: string;
  /** Of the machine, bytes. */
  readonly total: number;
}

const systemPlaces = (): MemoryPlaces => ({ groups: '/proc/self/cgroup', root: '/sys/fs/cgroup', total: totalmem() });

const read = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
};

/**
 * What the process may take, bytes: the least of the machine and of all groups that it is in (cgroup 2, or the memory controller of 1).
 *
 * @returns `group` is the one that limits it; null where the machine does
 */
export function memoryLimit(places: MemoryPlaces = systemPlaces()): {
  readonly bytes: number;
  readonly group: string | null;
} {
  const { groups, root, total } = places;
  const lines = (read(groups) ?? '').split('\n');
  let least: { readonly bytes: number; readonly group: string | null } = { bytes: total, group: null };
  for (const line of lines) {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    const [folder, file] =
      controllers === ''
        ? [root, 'memory.max']
        : controllers.split(',').includes('memory')
          ? [join(root, 'memory'), 'memory.limit_in_bytes']
          : [null, ''];
    if (folder === null) continue;
    // Limits of the groups around it hold as well. In a container the path may be one that is not mounted there: its own is the root then.
    for (const group of ancestors(path)) {
      const bytes = Number(read(join(folder, group, file)) ?? 'none');
      if (bytes > 0 && bytes < least.bytes) least = { bytes, group };
    }
  }
  return least;
}

/** `/a/b`, `/a`, `/`. */
function ancestors(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '');
  return Array.from({ length: parts.length + 1 }, (_, index) => `/${parts.slice(0, parts.length - index).join('/')}`);
}

const gib = (bytes: number): string => `${(bytes / (1 << 30)).toFixed(1)} GiB`;

/** Judges the memory that the process may have, of the machine or of its control group. */
export function memoryCheck({ bytes, group }: ReturnType<typeof memoryLimit>): Check {
  const found = group === null ? `${gib(bytes)} of the machine` : `${gib(bytes)}, limited by the group ${group}`;
  const advice = {
    why: 'a node that takes more is ended by the system, in the middle of whatever it does',
    advice: `give it ${gib(memoryAdvised)} or more: limits of the container, MemoryMax of systemd, a larger machine`,
  };
  if (bytes < memoryMin) return fail('memory', `${found}: a node needs ${gib(memoryMin)}`, advice);
  return bytes < memoryAdvised ? warn('memory', found, advice) : ok('memory', found);
}
