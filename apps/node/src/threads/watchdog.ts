import { ThreadError } from './threads.ts';

/** Questions to a thread that stays silent until it counts as hung. */
const ticksMax = 10;

/** A thread that can be asked how it is. What goes wrong with the question itself is told elsewhere: it counts as an answer. */
export interface WatchedThread {
  readonly name: string;
  status(): Promise<unknown>;
}

/**
 * Asks all threads again and again how they are, and reports one that does not turn its event loop any more: it would neither serve nor stop, and all
 * that wait for it would wait for ever.
 *
 * Time is counted in turns of the own event loop, so that a process that stood still as a whole (SIGSTOP, a machine that sleeps) blames none of its threads.
 *
 * @param hangMs 0 watches nothing
 * @param onHung told once, with `THREAD_HUNG`
 * @returns ends the watch
 */
export function watchThreads(
  threads: readonly WatchedThread[],
  hangMs: number,
  onHung: (error: ThreadError) => void,
): () => void {
  if (hangMs === 0) return () => undefined;
  const silentTicks = new Map<string, number>();
  const timer = setInterval(() => {
    for (const { name, status } of threads) {
      const silent = silentTicks.get(name);
      if (silent === undefined) {
        silentTicks.set(name, 0);
        const answered = (): unknown => silentTicks.delete(name);
        status().then(answered, answered);
      } else if (silent + 1 < ticksMax) silentTicks.set(name, silent + 1);
      else {
        clearInterval(timer);
        onHung(
          new ThreadError(`${name}: the thread has not answered for ${hangMs} ms`, {
            code: 'THREAD_HUNG',
            thread: name,
          }),
        );
        return;
      }
    }
  }, hangMs / ticksMax);
  timer.unref();
  return () => clearInterval(timer);
}
