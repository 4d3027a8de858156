/** Heights whose times are kept, and for which messages wait. */
const heightsKept = 256;

/**
 * When blocks were made, by their own timestamps, for messages that tell only a height. A message may come before the time of its block is known here; then its
 * latency is told when it is.
 */
export class BlockTimes {
  readonly #times = new Map<number, number>();
  readonly #waiting = new Map<number, ((timestampMs: number) => void)[]>();

  /** @param timestampMs Unix time that the block's proposer wrote */
  add(height: number, timestampMs: number): void {
    if (this.#times.has(height)) return;
    this.#times.set(height, timestampMs);
    for (const known of this.#waiting.get(height) ?? []) known(timestampMs);
    this.#waiting.delete(height);
    forgetOld(this.#times);
  }

  /** Calls back at once, or when the time is known, or never for a block that is long over. */
  whenKnown(height: number, known: (timestampMs: number) => void): void {
    const timestampMs = this.#times.get(height);
    if (timestampMs !== undefined) return known(timestampMs);
    const waiting = this.#waiting.get(height) ?? [];
    waiting.push(known);
    this.#waiting.set(height, waiting);
    forgetOld(this.#waiting);
  }
}

/** Insertion order is that of the heights, nearly. */
function forgetOld(byHeight: Map<number, unknown>): void {
  if (byHeight.size <= heightsKept) return;
  const [oldest] = byHeight.keys();
  if (oldest !== undefined) byHeight.delete(oldest);
}
