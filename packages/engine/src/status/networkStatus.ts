import type { ProtocolSchedule, RegisteredValidator, ValidatorSet } from '@prime/codec';
import type { Address, Height, Round } from '@prime/primitives';
import type { ChainTip } from '../chain/chainTip.ts';
import type { Peer } from '../ports.ts';
import { type UpgradeStatus, upgradeStatus } from '../chain/protocol.ts';
import type { SigningStanding } from '../signing/signingPermit.ts';
import { peersKeepFrom } from '../sync/blockSync.ts';
import type { HeadStanding } from '../sync/headWatch.ts';

/** Where a node stands, for its operators and for RPC. */
export interface NetworkStatus {
  readonly head: Height;
  /** What this node has to catch up with; null when it is not behind, or nobody says so. */
  readonly syncing: {
    readonly startingBlock: Height;
    readonly currentBlock: Height;
    readonly highestBlock: Height;
  } | null;
  /** Whether it is at the head, and enough of the others have said where they stand to know. */
  readonly isCurrent: boolean;
  /** Blocks that a peer claims and this node lacks. */
  readonly lag: number;
  /** Why nobody can bring this node further, and what to do; null where somebody can. */
  readonly obstacle: string | null;
  readonly peers: readonly Peer[];
  readonly validators: ValidatorSet;
  readonly height: Height;
  readonly round: Round;
  readonly self: Address | null;
  readonly active: boolean;
  /** Whether the own validator signs already; null on a node that is none. */
  readonly signing: SigningStanding | null;
  /** Everyone who is registered, in the set or not; null where the validators never change. */
  readonly registered: readonly RegisteredValidator[] | null;
  readonly upgrade: UpgradeStatus;
  /** Other validators that are connected, or heard of through other nodes. */
  readonly reachable: readonly Address[];
}

/** Gathers {@link NetworkStatus} from the parts that know. */
export function networkStatus(parts: {
  readonly tip: ChainTip;
  readonly protocol: ProtocolSchedule;
  readonly peers: readonly Peer[];
  readonly isReachable: (validator: Address) => boolean;
  readonly self: Address | null;
  readonly signing: SigningStanding;
  readonly round: Round;
  readonly standing: HeadStanding;
  /** Highest block that a peer claims. */
  readonly highest: Height;
}): NetworkStatus {
  const { tip, protocol, peers, self, signing, round, standing, highest } = parts;
  const head = tip.height;
  const isBehind = !standing.isCurrent && highest > head;
  return {
    head,
    syncing: isBehind
      ? { startingBlock: standing.behindFrom ?? head, currentBlock: head, highestBlock: highest }
      : null,
    isCurrent: standing.isCurrent,
    lag: Math.max(0, highest - head),
    obstacle: standing.keptFrom === null ? null : peersKeepFrom(standing.keptFrom),
    peers,
    validators: tip.validators,
    height: (head + 1) as Height,
    round,
    self,
    active: self !== null,
    signing: self === null ? null : signing,
    registered: tip.registered,
    reachable: tip.validators.validators.map(({ address }) => address).filter((address) => parts.isReachable(address)),
    upgrade: upgradeStatus(protocol, head, tip.validators, peers, self),
  };
}
