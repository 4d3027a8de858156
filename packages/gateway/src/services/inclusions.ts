import type { Hash } from '@prime/primitives';

/** How a wait ended. */
export type Inclusion = 'included' | 'timeout' | 'closed';

/** Callers that wait for a block with a certain transaction or action in it. */
export class Inclusions {
  private readonly waiters = new Map<Hash, Set<(ended: Inclusion) => void>>();
  private closed = false;

  /** @param timeoutMs from now on */
  wait(hash: Hash, timeoutMs: number): Promise<Inclusion> {
    if (this.closed) return Promise.resolve('closed');
    return new Promise((resolve) => {
      const waiting = this.waiters.get(hash) ?? new Set();
      this.waiters.set(hash, waiting);
      const end = (ended: Inclusion): void => {
        clearTimeout(timer);
        waiting.delete(end);
        if (waiting.size === 0) this.waiters.delete(hash);
        resolve(ended);
      };
      const timer = setTimeout(() => end('timeout'), timeoutMs);
      waiting.add(end);
    });
  }

  /** Tells those who wait about what a new block holds. */
  included(hashes: readonly Hash[]): void {
    if (this.waiters.size === 0) return;
    for (const hash of hashes) for (const end of this.waiters.get(hash) ?? []) end('included');
  }

  /** Everyone who waits is told that nobody will know any more. */
  close(): void {
    this.closed = true;
    for (const waiting of this.waiters.values()) for (const end of waiting) end('closed');
  }
}
