import type { AttackKind } from '../schedule/faults.ts';
import { attemptOf } from './attacks.ts';
import { Attacker, type AttackerOptions } from './attacker.ts';

/** An attack that goes on until it is stopped. */
export interface RunningAttack {
  /** @returns how many attempts were made; rejects when one could not be made for a fault of its own */
  stop(): Promise<number>;
}

/** Attempts that are under way at once: one that waits for its target does not hold up the others. */
const lanes = 4;

/** @param perSecond attempts, as far as the target lets them be made */
export async function beginAttack(
  kind: AttackKind,
  perSecond: number,
  options: AttackerOptions,
): Promise<RunningAttack> {
  const attacker = await Attacker.create(options);
  let stopped = false;
  let attempts = 0;
  let failure: unknown = null;
  const lane = async (): Promise<void> => {
    while (!stopped) {
      const waited = new Promise((resolve) => setTimeout(resolve, (1_000 * lanes) / perSecond));
      attempts += 1;
      await attemptOf[kind](attacker);
      await waited;
    }
  };
  const running = Array.from({ length: lanes }, () =>
    lane().catch((error: unknown) => {
      failure ??= error;
    }),
  );
  return {
    async stop() {
      stopped = true;
      attacker.close();
      await Promise.all(running);
      // What was being opened when it was stopped.
      attacker.close();
      // An attack that did not take place proves nothing.
      if (failure !== null) throw failure;
      return attempts;
    },
  };
}
