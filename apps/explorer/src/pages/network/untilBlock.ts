/** Time until a block, ms, if blocks go on as they do; null while that is not known. */
export const untilBlockMs = (height: bigint, newest: bigint, intervalMs: number | null): number | null =>
  intervalMs === null || height <= newest ? null : Number(height - newest) * intervalMs;
