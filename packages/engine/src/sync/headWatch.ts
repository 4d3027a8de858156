import { isQuorum, isSkipQuorum, type ValidatorSet } from '@prime/codec';
import type { Address, Height } from '@prime/primitives';
import type { PeerNetwork } from '../ports.ts';

/** Which blocks a peer says it has. */
export interface Claim {
  readonly base: Height;
  readonly head: Height;
}

/** Where a node stands beside its peers. */
export interface HeadStanding {
  /** Whether it is at the head, as far as is known: it keeps up with what peers claim, and some have claimed something. */
  readonly isCurrent: boolean;
  /** Own head when it was found to be behind; null while it is not. */
  readonly behindFrom: Height | null;
  /** Oldest block that the peers ahead keep, when that is beyond the next one: nobody can bring this node further. Null else. */
  readonly keptFrom: Height | null;
}

/** A node that does not reach within this time what its peers had when it began is behind, ms. */
const lateMs = 3_000;
/** So many blocks are not decided in that time: whoever lacks more is behind at once. */
const aheadMax = 64;

/**
 * Whether a node is at the head. New blocks are always with somebody else first, so that a comparison of two heads would say yes and no in turns: once it
 * is current, it stays so as long as it reaches each height in good time.
 */
export class HeadWatch {
  #isCurrent = false;
  #behindFrom: Height | null = null;
  /** What has to be reached, since when. */
  #mark: { readonly height: Height; readonly sinceMs: number } | null = null;

  /** @param believed highest head that is claimed and believed; null before any is */
  look(head: Height, believed: Height | null, nowMs: number): void {
    if (believed === null) return;
    if (this.#mark !== null && head >= this.#mark.height) this.#mark = null;
    if (believed <= head) {
      this.#isCurrent = true;
      this.#behindFrom = null;
      return;
    }
    this.#mark ??= { height: believed, sinceMs: nowMs };
    const isLate = nowMs - this.#mark.sinceMs >= lateMs;
    if (this.#isCurrent && !isLate && believed - head <= aheadMax) return;
    this.#isCurrent = false;
    this.#behindFrom ??= head;
  }

  standing(): Omit<HeadStanding, 'keptFrom'> {
    return { isCurrent: this.#isCurrent, behindFrom: this.#behindFrom };
  }
}

/** Whose words count for how much. */
export interface Listeners {
  /** Validators of the next height. */
  readonly set: ValidatorSet;
  /** The own validator; null where there is none. */
  readonly self: Address | null;
  /** Whether the operator named a peer. */
  readonly isNamed: (peer: Address) => boolean;
}

/** Of a node as it is whenever it is asked. */
export const listenersOf =
  (node: {
    readonly tip: { readonly validators: ValidatorSet };
    readonly membership: { own(): { readonly validator: Address } | null };
    readonly network: Pick<PeerNetwork, 'peers'>;
  }) =>
  (): Listeners => ({
    set: node.tip.validators,
    self: node.membership.own()?.validator ?? null,
    isNamed: (peer) => node.network.peers().some(({ address, listed }) => address === peer && listed === true),
  });

/**
 * The highest head that validators with more than a third of the power claim, one honest among them, or with whom this one could decide a block, or a
 * peer that the operator named: what a single stranger says must not make a node look as if it were behind. Null where not enough of these have said
 * anything; 0 for a validator that needs nobody.
 */
export function believedHead(
  claims: ReadonlyMap<Address, Claim>,
  { set: { validators }, self, isNamed }: Listeners,
): Height | null {
  const powers = new Map(validators.map(({ address, power }) => [address, power]));
  const total = validators.reduce((sum, { power }) => sum + power, 0n);
  const mine = (self === null ? undefined : powers.get(self)) ?? 0n;
  let power = 0n;
  const isEnough = (): boolean => isSkipQuorum(power, total) || isQuorum(mine + power, total);
  if (isEnough()) return 0 as Height;
  for (const [peer, { head }] of [...claims].toSorted(([, a], [, b]) => b.head - a.head)) {
    const own = powers.get(peer);
    if (own === undefined && isNamed(peer)) return head;
    power += own ?? 0n;
    if (isEnough()) return head;
  }
  return null;
}

/** Oldest block that those who are ahead keep, where none of them has the next one; null else. */
export function oldestKept(claims: ReadonlyMap<Address, Claim>, head: Height): Height | null {
  const ahead = [...claims.values()].filter((claim) => claim.head > head);
  const oldest = Math.min(...ahead.map(({ base }) => base));
  return ahead.length === 0 || oldest <= head + 1 ? null : (oldest as Height);
}
