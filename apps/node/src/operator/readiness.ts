import { isQuorum } from '@prime/codec';

/** The part of the consensus thread's status that readiness depends on. */
export interface ReadinessFacts {
  readonly isCurrent: boolean;
  readonly lag: number;
  readonly obstacle: string | null;
  readonly connectedPower: string;
  readonly totalPower: string;
}

/** Ready is: connected to more than 2/3 of the voting power, own power included, and at the head by what these say. */
export function readiness(status: ReadinessFacts): { readonly ready: boolean; readonly reason: string | null } {
  if (!status.isCurrent && status.obstacle !== null) return { ready: false, reason: status.obstacle };
  if (!status.isCurrent && status.lag > 0) return { ready: false, reason: 'catching up' };
  if (!isQuorum(BigInt(status.connectedPower), BigInt(status.totalPower)))
    return { ready: false, reason: `connected to ${status.connectedPower} of ${status.totalPower} voting power` };
  if (!status.isCurrent) return { ready: false, reason: 'too few validators have said where they stand' };
  return { ready: true, reason: null };
}
