import { platform, setPriority } from 'node:os';

/**
 * Lets other threads of this machine go before the calling one when processors are short. What a node owes the network (consensus,
 * execution, the order book) keeps the usual priority; what it does for callers stands back, so that a flood of requests costs callers
 * time and not blocks. Raising it again would need a privilege, so threads do it once, when they begin.
 *
 * On Linux each thread has a niceness of its own and 0 names the calling one (sched(7), "The nice value"). Elsewhere it belongs to the
 * whole process, so nothing is done there. Threads inherit it: the runtime's own pool exists by then, because the node has
 * read its home before.
 *
 * @param nice 0 (nothing changes) to 19 (last)
 */
export function standBack(nice: number): void {
  if (nice > 0 && platform() === 'linux') setPriority(0, nice);
}
