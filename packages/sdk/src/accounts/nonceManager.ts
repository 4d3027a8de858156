import { PrimeSdkError } from '../errors/base.ts';

/**
 * Nonces of native transactions are times in ms, unique for the signing key. The chain keeps the 64 highest that a key has used and
 * refuses what is below the lowest of them; so an action that is late by 64 others is lost. Therefore a manager gives out at most 64
 * nonces from the oldest one on whose outcome is not known, and lets callers wait for the next.
 *
 * Several processes with one key must not take the same number. Each gets a lane: of `lanes` processes, lane `i` takes the times whose
 * remainder by `lanes` is `i`, and its share of the 64. Nothing has to be told between them. A key that needs more than a thousand
 * actions a second runs ahead of the clock, and leaves processes behind that do not: give such programs keys of their own (agents).
 */

/** How many nonces of a key the chain keeps. */
export const nonceWindow = 64;

/** A nonce that is taken. Give it back once the outcome of its action is known, or nobody waits for it any more. */
export interface NonceLease {
  /** ms */
  readonly nonce: number;
  /** May be called more than once. */
  release(): void;
}

/** Gives out nonces of one key, so that actions that are sent at the same time never share one. */
export interface NonceManager {
  /** The next nonce; waits while 64 are out. In the order of the calls. */
  take(): Promise<NonceLease>;
  /** Nonces from the oldest one that is out to the newest. */
  readonly outstanding: number;
  /** The highest that was given out, ms; 0 before the first. */
  readonly newest: number;
}

/** How processes that sign with one key share its nonces, and which clock nonces follow. */
export interface NonceManagerParameters {
  /** This process's place among those that sign with the key, from 0. Default 0. */
  readonly lane?: number | undefined;
  /** How many processes sign with the key, 1 to 64. Default 1. */
  readonly lanes?: number | undefined;
  /** ms since 1970. Default Date.now. */
  readonly now?: (() => number) | undefined;
}

/** Not 0 <= lane < lanes <= 64. */
export class NonceLaneError extends PrimeSdkError {
  override name = 'NonceLaneError';
  constructor(lane: number, lanes: number) {
    super(
      'NONCE_LANE',
      `Lane ${lane} of ${lanes} is none: lanes are 1 to ${nonceWindow}, and a lane from 0 below that.`,
    );
  }
}

const isWhole = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;

/** @throws NonceLaneError */
export function createNonceManager(parameters: NonceManagerParameters = {}): NonceManager {
  const { lane = 0, lanes = 1, now = Date.now } = parameters;
  if (!isWhole(lanes, 1, nonceWindow) || !isWhole(lane, 0, lanes - 1)) throw new NonceLaneError(lane, lanes);
  const share = Math.floor(nonceWindow / lanes);
  /** In the order in which they were given out; true once the outcome is known. */
  const leases: { isReleased: boolean }[] = [];
  const waiting: ((lease: NonceLease) => void)[] = [];
  let newest = 0;

  const issue = (): NonceLease => {
    const time = now();
    const inLane = time + ((lane - (time % lanes) + lanes) % lanes);
    const nonce = Math.max(inLane, newest + lanes);
    newest = nonce;
    const place = { isReleased: false };
    leases.push(place);
    return { nonce, release: () => release(place) };
  };

  const release = (place: { isReleased: boolean }): void => {
    place.isReleased = true;
    while (leases[0]?.isReleased === true) leases.shift();
    while (waiting.length > 0 && leases.length < share) waiting.shift()!(issue());
  };

  return {
    take: () =>
      leases.length < share && waiting.length === 0
        ? Promise.resolve(issue())
        : new Promise<NonceLease>((resolve) => waiting.push(resolve)),
    get outstanding() {
      return leases.length;
    },
    get newest() {
      return newest;
    },
  };
}

/** Keys whose manager is kept; beyond it those go that have nothing out. */
const managersMax = 10_000;
const managers = new Map<string, NonceManager>();

/** The manager that all clients of this process share for a key on a chain. */
export function sharedNonceManager(chainId: number, signer: string): NonceManager {
  const key = `${chainId}:${signer.toLowerCase()}`;
  const known = managers.get(key);
  if (known !== undefined) return known;
  // One that has nothing out and whose numbers are of the past may go: a new one begins with the present.
  if (managers.size >= managersMax)
    for (const [idle, manager] of managers)
      if (manager.outstanding === 0 && manager.newest < Date.now()) managers.delete(idle);
  const created = createNonceManager();
  managers.set(key, created);
  return created;
}
