import type { ProtocolSchedule } from '@prime/codec';
import type { Address, Height, Round } from '@prime/primitives';
import type { ChainTip } from './chainTip.ts';
import type { NetworkStatus } from './engineOptions.ts';
import type { Peer, PeerNetwork } from './ports.ts';
import { upgradeStatus } from './protocol.ts';
import type { SigningStanding } from './signingPermit.ts';

/** Where a node stands, for its operators and for RPC. */
export function networkStatus(parts: {
  readonly tip: ChainTip;
  readonly protocol: ProtocolSchedule;
  readonly peers: readonly Peer[];
  readonly isReachable: (validator: Address) => boolean;
  readonly self: Address | null;
  readonly signing: SigningStanding;
  readonly round: Round;
  /** Height at which it began to fetch blocks; null when it does not. */
  readonly syncStart: Height | null;
  /** Highest block that a peer claims. */
  readonly highest: Height;
}): NetworkStatus {
  const { tip, protocol, peers, self, signing, round, syncStart, highest } = parts;
  const head = tip.height;
  const isBehind = syncStart !== null && highest > head;
  return {
    head,
    syncing: isBehind ? { startingBlock: syncStart, currentBlock: head, highestBlock: highest } : null,
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
