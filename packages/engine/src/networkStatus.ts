import type { ProtocolSchedule } from '@prime/codec';
import type { Address, Height, Round } from '@prime/primitives';
import type { ChainTip } from './chainTip.ts';
import type { NetworkStatus } from './engineOptions.ts';
import type { Peer, PeerNetwork } from './ports.ts';
import { upgradeStatus } from './protocol.ts';
import type { SigningStanding } from './signingPermit.ts';
import { peersKeepFrom } from './sync/blockSync.ts';
import type { HeadStanding } from './sync/headWatch.ts';

/** Where a node stands, for its operators and for RPC. */
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

/** Whether a connected peer speaks as a validator. */
export const isValidatorPeer = (network: Pick<PeerNetwork, 'peers'>, address: Address): boolean =>
  network.peers().some((peer) => peer.address === address && peer.role === 'validator');
