/** Proposer-based time: when a validator may accept the time that a proposer wrote into a new block. */
export interface TimelinessParams {
  /** How far apart honest clocks may be, ms. */
  readonly precisionMs: number;
  /** How long a proposal may travel in round 0, ms. */
  readonly messageDelayMs: number;
}

/**
 * Whether a block's time fits the local clock: not from the future, and not older than a proposal may travel. The allowed delay
 * grows by a tenth with each round, so that a network slower than its parameters still decides. Applies to new values only
 * (polRound -1); a value with a polka was timely for more than 1/3 honest validators when it was new.
 *
 * @param timestampMs  the block's time
 * @param receivedMs   local wall clock when the proposal arrived
 * @param round        round of the proposal, >= 0
 */
export function isTimely(
  {
    timestampMs,
    receivedMs,
    round,
  }: { readonly timestampMs: number; readonly receivedMs: number; readonly round: number },
  { precisionMs, messageDelayMs }: TimelinessParams,
): boolean {
  const delayMs = Math.floor((messageDelayMs * (10 + round)) / 10);
  return timestampMs <= receivedMs + precisionMs && receivedMs <= timestampMs + delayMs + precisionMs;
}
