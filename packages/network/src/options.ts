import type { CryptoProvider } from '@prime/crypto';
import type { Clock, EngineLog, Peer, PeerNetwork, ProtocolOffer } from '@prime/engine';
import type { Address, Hash, Height } from '@prime/primitives';
import type { BanRecord, BanStore } from './peers/banList.ts';
import type { DropReason, NetworkCounters } from './counters.ts';
import type { DialPolicy, ListedPeer } from './peers/dialer.ts';
import type { NetworkError } from './errors.ts';
import type { FrameName } from './wire/frame.ts';
import type { NetworkLimits } from './limits.ts';
import type { PeerTrouble } from './peers/troubles.ts';
import type { TlsIdentity } from './session/tlsIdentity.ts';

/** A TCP endpoint. */
export interface Endpoint {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

/** The chain identity that this node shows to others. */
export interface NodeIdentity {
  /** Validator (owner) address; for a follower the address of its own key. */
  readonly address: Address;
  readonly role: Peer['role'];
  /** Address of the hot key; of a follower the same as `address`. */
  readonly signer: Address;
  /** @returns 65 bytes r | s | yParity by the hot key */
  sign(digest: Uint8Array): Uint8Array;
  /** Of a hot key in a remote signer: what it signed once for the TLS key of this node, in place of {@link sign}. */
  readonly credential?: () => Uint8Array;
}

/** Who this node is, whom it talks to, and what the chain tells about the others. */
export interface NetworkOptions {
  /** null accepts nobody. */
  readonly listen: Endpoint | null;
  /** Where others reach this node, told to peers; null when that is unknown. */
  readonly advertise: Endpoint | null;
  readonly tls: Pick<TlsIdentity, 'certificatePem' | 'privateKeyPem'>;
  readonly identity: NodeIdentity;
  readonly chainId: number;
  readonly genesisHash: Hash;
  /** Version of the messages between nodes, default {@link networkVersion}: only peers of the same one are talked to. */
  readonly protocolVersion?: number;
  /** Which versions of blocks this node follows, told to peers. */
  readonly protocol: () => ProtocolOffer;
  readonly peers: readonly ListedPeer[];
  /** Default `all`. */
  readonly dialPolicy?: DialPolicy;
  /** Whether peers may come whose key is not in the list. Default true. */
  readonly acceptUnknownFollowers?: boolean;
  /**
   * Hot keys that a validator may show itself with, in or out of the set; none when the address is no validator, or one that left and decides no
   * more.
   */
  readonly signersOf: (address: Address) => readonly Address[];
  /** Keys of one that left and decides no more: it is taken as a follower, because its own state may not say so yet. Default: none. */
  readonly formerSignersOf?: (address: Address) => readonly Address[];
  readonly provider: CryptoProvider;
  readonly headHeight: () => Height;
  readonly limits?: Partial<NetworkLimits>;
  readonly clock: Clock;
  /** Uniform in [0, 1); spreads reconnects, nothing secret. */
  readonly random: () => number;
  readonly log: EngineLog;
  /** Where bans survive a restart; without one they end with the process. */
  readonly bans?: BanStore;
  /** Told of everything that happens to connections, synchronously. */
  readonly observe?: (event: NetworkEvent) => void;
}

/** What happened, for logs. Nothing is decided by it. */
export type NetworkEvent =
  /** A connection ended before it became a peer; `remote` is `ip:port`. */
  | {
      readonly kind: 'refused';
      readonly direction: 'inbound' | 'outbound';
      readonly remote: string;
      readonly error: NetworkError;
    }
  | { readonly kind: 'connected'; readonly peer: Peer; readonly direction: 'inbound' | 'outbound' }
  | { readonly kind: 'disconnected'; readonly peer: Peer; readonly error: NetworkError }
  | { readonly kind: 'banned'; readonly address: Address; readonly untilMs: number; readonly reason: string }
  | { readonly kind: 'dropped'; readonly address: Address; readonly frame: FrameName; readonly reason: DropReason };

/** A connected peer, for operators. */
export interface PeerDetails extends Peer {
  readonly direction: 'inbound' | 'outbound';
  /** `ip:port` of the other end of the connection. */
  readonly remote: string;
  /** `host:port` that the peer says it listens on; empty when it does not. */
  readonly listenAddress: string;
  /** Whether the peer is in the configured list. */
  readonly pinned: boolean;
  /** Head of the peer when it connected. */
  readonly height: Height;
  readonly connectedForMs: number;
  /** Latest ping, ms; null before the first. */
  readonly rttMs: number | null;
  /** Bytes that wait for this peer. */
  readonly queueBytes: number;
  /** Since anything came from it; at most the time between pings on a connection that is well. */
  readonly silentForMs: number;
  /** Rules that it broke, as far as they are not forgotten. */
  readonly offences: number;
}

/** A peer that this node knows of and has no connection to. */
export interface UnconnectedPeer extends Endpoint {
  readonly address: Address;
  /** What the newest attempt failed with; null where none did yet. */
  readonly trouble: PeerTrouble | null;
}

/** {@link NetworkCounters}, and gauges of this moment. */
export interface NetworkMetrics extends NetworkCounters {
  readonly peers: number;
  /** Bytes that wait for all peers. */
  readonly queueBytes: number;
}

/** The transport between nodes; see {@link PeerNetwork} for what the engine uses. */
export interface Network extends PeerNetwork {
  /**
   * Loads bans, listens, begins to dial.
   *
   * @returns the bound endpoint, null without a listener
   * @throws NetworkError `NETWORK_LISTEN_FAILED`, `NETWORK_CLOSED`
   */
  start(): Promise<Endpoint | null>;
  /** Stops listening and dialling, says goodbye to the peers, waits for sockets and stored bans. Idempotent. */
  close(): Promise<void>;
  peerDetails(): readonly PeerDetails[];
  /** Listed peers, and validators that the chain tells of, that are not connected. */
  unconnected(): readonly UnconnectedPeer[];
  metrics(): NetworkMetrics;
  /**
   * Validators that the chain tells of: they are dialled and pinned like listed peers. Who is no validator any more is a follower from then on where
   * followers may come or it is listed, and else no peer any more.
   */
  follow(validators: readonly ListedPeer[]): void;
  /** Bans in force. */
  bans(): readonly BanRecord[];
  liftBan(address: Address): void;
  /**
   * The operator bans a peer, and ends the connection to it at once. It survives a restart as other bans do.
   *
   * @param durationMs up to {@link operatorBanMsMax}
   */
  ban(address: Address, reason: string, durationMs: number): BanRecord;
  /** Resolves when bans do not wait to be stored any more. @returns whether they survive a restart */
  bansStored(): Promise<boolean>;
  /** A peer as of the configured list, until this process ends: dialled, pinned, let in. One that has the address already is replaced. */
  list(peer: ListedPeer): void;
}
