import { createHash } from 'node:crypto';

/** A price that nobody trades at: for local networks. */
export interface Simulation {
  readonly seed: number;
  /** Around which it moves, for a whole unit. */
  readonly price: number;
  /** About how far it is from that after a while, basis points. */
  readonly volatilityBps: number;
  /** Size of its jumps, basis points; 0 for none. */
  readonly jumpBps: number;
}

/** How long waves of the walk are, s; each is as high as what is longer is slow. */
const waves = [
  { seconds: 10, height: 0.1 },
  { seconds: 60, height: 0.2 },
  { seconds: 600, height: 0.3 },
  { seconds: 3600, height: 0.4 },
] as const;
/** Once in so many seconds there may be a jump, and the price stays there for that long. */
const jumpSeconds = 300;
/** Jumps that there may be, of which one happens. */
const jumpOdds = 4;

/** A number from -1 to 1 that belongs to a place of a wave. */
function noise(seed: number, wave: number, place: number): number {
  const bytes = createHash('sha256').update(`${seed} ${wave} ${place}`).digest();
  return bytes.readUInt32BE() / 0x7fffffff - 1;
}

/**
 * The simulated price at a time. It depends on nothing but seed and time, so that the validators of a network see the same market, and one
 * that was away does not begin anew.
 *
 * @returns for a whole unit, with 8 decimals at most
 */
export function simulatedPrice({ seed, price, volatilityBps, jumpBps }: Simulation, timeMs: number): number {
  let part = 0;
  waves.forEach(({ seconds, height }, wave) => {
    const at = timeMs / 1000 / seconds;
    const place = Math.floor(at);
    const share = at - place;
    part += height * (noise(seed, wave, place) * (1 - share) + noise(seed, wave, place + 1) * share);
  });
  const jump = noise(seed, waves.length, Math.floor(timeMs / 1000 / jumpSeconds));
  const jumped = Math.abs(jump) > 1 - 1 / jumpOdds ? Math.sign(jump) * jumpBps : 0;
  const moved = price * (1 + (part * volatilityBps + jumped) / 10_000);
  return Number(Math.max(moved, price / 100).toFixed(8));
}
