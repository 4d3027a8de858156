import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The part of a processor that a container's limit gives a process. */
export interface ProcessorShare {
  /** Removes the limit. The processes must have ended. */
  release(): void;
}

const root = '/sys/fs/cgroup';
const periodUs = 100_000;

interface Hierarchy {
  readonly folder: string;
  limit(group: string, quotaUs: number): void;
}

/** Control groups of version 2, else of version 1 (cgroups(7)). */
function hierarchy(): Hierarchy {
  const controllers = join(root, 'cgroup.subtree_control');
  if (existsSync(controllers) && readFileSync(controllers, 'utf8').split(/\s/).includes('cpu'))
    return {
      folder: root,
      limit: (group, quotaUs) => writeFileSync(join(group, 'cpu.max'), `${quotaUs} ${periodUs}`),
    };
  if (existsSync(join(root, 'cpu', 'cpu.cfs_quota_us')) || existsSync(join(root, 'cpu', 'cgroup.procs')))
    return {
      folder: join(root, 'cpu'),
      limit: (group, quotaUs) => {
        writeFileSync(join(group, 'cpu.cfs_period_us'), String(periodUs));
        writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quotaUs));
      },
    };
  throw new Error('a share of a processor needs Linux with the cpu controller of control groups');
}

/**
 * Gives a process and its threads a share of one processor, as the limit of a container does.
 *
 * @param percent of one processor, 1 to 100 times the number of processors
 * @throws Error where control groups are missing or may not be made: they need root
 */
export function limitProcess(pid: number, percent: number): ProcessorShare {
  const { folder, limit } = hierarchy();
  const group = join(folder, `prime-bench-${pid}`);
  mkdirSync(group);
  limit(group, Math.round((periodUs * percent) / 100));
  writeFileSync(join(group, 'cgroup.procs'), String(pid));
  return { release: () => rmdirSync(group) };
}
