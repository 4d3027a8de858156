import { type Draft, ownAction } from '../draft.ts';
import type { Program, StreamClock, World } from '../world.ts';

/** `rest`: what comes next has to be in a later block than what came before. `done`: the same, and the shape begins anew. */
export type Step = Draft | 'rest' | 'done';
/** A shape that some accounts make again and again, without an end. */
export type Lane = Generator<Step, never>;

/** More of them would not fill the time better, and each has accounts that want collateral. */
const lanesMax = 256;

/**
 * Runs a shape in as many lanes as there are accounts for: while the steps of one wait for their blocks, others go on. When all of them wait, an action that does
 * nothing takes the turn, so that the rate stays what was asked for.
 *
 * @param laneAccounts accounts of each lane
 * @param lanesAtMost  where markets or room set a limit of their own
 * @param makeLane     the lane of some accounts; `place` is 0, 1, 2 …
 */
export function episodes(
  world: World,
  { laneAccounts, lanesAtMost = lanesMax }: { readonly laneAccounts: number; readonly lanesAtMost?: number },
  makeLane: (accounts: readonly number[], place: number) => Lane,
): Program {
  const { accounts, clock, keyring } = world;
  const count = Math.max(1, Math.min(Math.floor(accounts.length / laneAccounts), lanesAtMost, lanesMax));
  const lanes = Array.from({ length: count }, (_, place) => ({
    // All accounts have a part, those that are too many for the lanes too.
    steps: makeLane(
      accounts.filter((_account, index) => index % count === place),
      place,
    ),
    restsUntil: 0,
    isWithin: false,
  }));
  let current: (typeof lanes)[number] | undefined;
  let fillers = 0;
  return () => {
    for (;;) {
      current ??= nextLane(lanes, clock.turn);
      if (current === undefined)
        return ownAction('noop', keyring.account(accounts[fillers++ % accounts.length]!), { type: 'noop' });
      const step = current.steps.next().value;
      current.isWithin = step !== 'done';
      if (typeof step !== 'string') return step;
      current.restsUntil = clock.turn + clock.gap;
      current = undefined;
    }
  };
}

/** One that has begun before one that has not, so that large shapes come to their end; of these the one that has waited longest. */
function nextLane<Of extends { readonly restsUntil: number; readonly isWithin: boolean }>(
  lanes: readonly Of[],
  turn: number,
): Of | undefined {
  let found: Of | undefined;
  for (const lane of lanes) {
    if (lane.restsUntil > turn) continue;
    const isBetter =
      found === undefined ||
      (lane.isWithin === found.isWithin ? lane.restsUntil < found.restsUntil : lane.isWithin && !found.isWithin);
    if (isBetter) found = lane;
  }
  return found;
}

/** Rests until a time, ms. */
export function* restUntil(clock: StreamClock, timeMs: number): Generator<'rest', void> {
  while (clock.nowMs() < timeMs) yield 'rest';
}
