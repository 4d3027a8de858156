import type { NodeConfig } from '@prime/config';
import type { NetworkStatus, PeerEvents } from '@prime/engine';
import type { Network } from '@prime/network';
import { type Address, type Height, parseAddress } from '@prime/primitives';
import { connectedPower } from '../consensus/connectedPower.ts';
import { NodeError } from '../errors.ts';
import type { PeerRequest } from './requests.ts';

/** The newest head that each peer told of, or voted on, while it is connected. */
export interface PeerHeads {
  /** Events for whoever takes them by then, of which it takes note. */
  watch(taker: () => PeerEvents): PeerEvents;
  head(peer: Address): Height | null;
}

/** A peer that disconnects is forgotten, so a head is never older than its connection. */
export function createPeerHeads(): PeerHeads {
  const heads = new Map<Address, Height>();
  /** Who votes says nothing else of its head while blocks follow each other: it has the block below. */
  const voted = (peer: Address, height: Height): void => {
    if (height - 1 > (heads.get(peer) ?? 0)) heads.set(peer, (height - 1) as Height);
  };
  return {
    watch: (taker) => ({
      onMessage(from, message) {
        if (message.kind === 'status') heads.set(from, message.head);
        else if (message.kind === 'vote' && message.vote.validator === from) voted(from, message.vote.height);
        taker().onMessage(from, message);
      },
      onPeerConnected: (peer) => taker().onPeerConnected(peer),
      onIdentityInUse: (peer) => taker().onIdentityInUse(peer),
      onPeerDisconnected(peer) {
        heads.delete(peer.address);
        taker().onPeerDisconnected(peer);
      },
    }),
    head: (peer) => heads.get(peer) ?? null,
  };
}

/** What requests about peers and bans are answered from. */
export interface PeerDeskParts {
  readonly network: Pick<Network, 'peerDetails' | 'unconnected' | 'bans' | 'ban' | 'liftBan' | 'bansStored' | 'list'>;
  readonly heads: Pick<PeerHeads, 'head'>;
  readonly status: () => Pick<NetworkStatus, 'validators' | 'reachable' | 'self'>;
  /** How this node shows itself to others. */
  readonly shown: Address;
  readonly p2p: Pick<NodeConfig['p2p'], 'sentries'>;
}

/**
 * Carries out what an operator asks about peers.
 *
 * @throws NodeError `OPERATOR_PEER_REFUSED`
 */
export async function operatePeers(parts: PeerDeskParts, request: PeerRequest): Promise<unknown> {
  const { network } = parts;
  switch (request.kind) {
    case 'peers':
      return listPeers(parts);
    case 'ban': {
      const { address, seconds, reason } = request;
      refuseSelf(parts, address);
      const wasConnected = network.peerDetails().some((peer) => peer.address === address);
      const { untilMs } = network.ban(address, reason, seconds * 1_000);
      const stored = await network.bansStored();
      return {
        address,
        reason,
        untilMs,
        wasConnected,
        stored,
        power: powerOf(parts, address),
        ...connectedPower(parts.status()),
      };
    }
    case 'unban': {
      const { address } = request;
      const wasBanned = network.bans().some((ban) => ban.address === address);
      network.liftBan(address);
      return { address, wasBanned, stored: await network.bansStored() };
    }
    case 'addPeer': {
      const { host, port, spki } = request.peer;
      const address = parseAddress(request.peer.address.toLowerCase());
      refuseSelf(parts, address);
      if (parts.p2p.sentries.length > 0 && !parts.p2p.sentries.some((sentry) => sentry.toLowerCase() === address))
        throw refused(address, 'a validator behind sentries connects with these alone');
      network.list({ address, host, port, spki });
      return { address, host, port, spki };
    }
  }
}

function listPeers(parts: PeerDeskParts): object {
  const { network, heads } = parts;
  const peers = network.peerDetails().map(({ protocol, ...peer }) => ({
    ...peer,
    knownVersion: protocol?.known ?? null,
    // What it said when it connected is old.
    height: heads.head(peer.address) ?? peer.height,
    power: powerOf(parts, peer.address),
  }));
  return { peers, unconnected: network.unconnected(), bans: network.bans(), ...connectedPower(parts.status()) };
}

const refused = (address: Address, reason: string): NodeError =>
  new NodeError(reason, { code: 'OPERATOR_PEER_REFUSED', address });

function refuseSelf({ shown, status }: PeerDeskParts, address: Address): void {
  if (address === shown || address === status().self) throw refused(address, `${address} is this node itself`);
}

/** Null for who is no validator. */
const powerOf = ({ status }: PeerDeskParts, address: Address): string | null =>
  status()
    .validators.validators.find((validator) => validator.address === address)
    ?.power.toString() ?? null;
