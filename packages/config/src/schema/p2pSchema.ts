import { Type } from '@sinclair/typebox';
import { choice, listenAddress, mebibyte, minuteMs, unitKey, wholeNumber } from './schemaTypes.ts';

/** Connections between nodes: who with whom, and every bound of them. */

const address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description: 'Address that the peer must prove.' });

const peer = Type.Object(
  {
    address,
    host: Type.String({ minLength: 1, maxLength: 253, description: 'Where to dial: name or address. May be a proxy.' }),
    port: Type.Integer({ minimum: 1, maximum: 65_535, description: 'Where to dial: TCP port.' }),
    spki: Type.String({
      pattern: '^0x[0-9a-fA-F]{64}$',
      description: "SHA-256 of the public key in the peer's TLS certificate (SubjectPublicKeyInfo, DER).",
    }),
  },
  { additionalProperties: false },
);

const addresses = (description: string) =>
  Type.Array(address, { default: [], maxItems: 128, [unitKey]: 'addresses; JSON in the environment', description });

const count = (value: number, unit: string, description: string, maximum = 10_000) =>
  wholeNumber({ default: value, from: 1, to: maximum, unit }, description);
const milliseconds = (value: number, description: string, maximum = 24 * 60 * minuteMs) =>
  wholeNumber({ default: value, from: 1, to: maximum, unit: 'ms' }, description);
const frames = (value: number, channel: string) =>
  count(value, 'frames/s', `Frames on the ${channel} channel that a peer may send in a second.`, 10_000_000);
const bytes = (value: number, channel: string) =>
  count(value, 'bytes/s', `Bytes on the ${channel} channel that a peer may send in a second.`, 1_024 * mebibyte);

/** The `[p2p]` section of config.toml. */
export const p2p = Type.Object({
  listen: listenAddress({ default: '127.0.0.1:26656', description: 'TLS listener for other nodes.' }),
  advertise: listenAddress({
    default: '',
    description: 'Where other nodes reach this one, when that differs from p2p.listen (NAT, container).',
  }),
  dial_policy: choice(['all', 'lower', 'none'], {
    default: 'all',
    description:
      'Whom to dial: all listed peers; only those whose address is higher than the own one, so that each pair has one dialler; nobody.',
  }),
  peers: Type.Array(peer, {
    default: [],
    maxItems: 128,
    description: 'Nodes to connect with, again and again, and that always find room; identity counts, not the place.',
  }),
  followers: choice(['auto', 'all', 'listed'], {
    default: 'auto',
    description:
      'Which nodes without a part in consensus may connect: those of p2p.peers alone (listed), any that there is room for (all); auto is all on test networks and listed elsewhere. Behind sentries nobody may.',
  }),
  sentries: addresses(
    'Of a validator: its own sentries, which have to be among p2p.peers. It then connects with these alone, accepts nobody else, and tells nobody where it is.',
  ),
  private_peers: addresses(
    'Of a sentry: validators behind it, which have to be among p2p.peers. It passes on what they say and what they have to hear; nobody is told where they are.',
  ),
  inbound: count(128, 'peers', 'Inbound peers; those of p2p.peers always find room, the others share what is left.'),
  inbound_per_ip: count(
    8,
    'connections',
    'Inbound connections of one IP address, whether they said who they are or not.',
  ),
  inbound_per_loopback: count(64, 'connections', 'The same for loopback addresses, where a whole test network lives.'),
  unauthenticated: count(16, 'connections', 'Inbound connections that did not prove who they are yet.'),
  handshake_ms: milliseconds(2_000, 'From accepting a connection to a verified Hello.', minuteMs),
  connect_ms: milliseconds(5_000, 'From dialling to the end of TLS.', minuteMs),
  ping_ms: milliseconds(5_000, 'Between two pings to a peer.', 10 * minuteMs),
  dead_ms: milliseconds(15_000, 'A peer that sends or takes nothing for so long is disconnected.', 60 * minuteMs),
  send_queue_bytes: count(
    8 * mebibyte,
    'bytes',
    'What waits for one peer at most: above that gossip is dropped, then the peer.',
    1_024 * mebibyte,
  ),
  reconnect_min_ms: milliseconds(100, 'First wait before dialling a lost peer again; it doubles with each failure.'),
  reconnect_max_ms: milliseconds(5_000, 'Longest wait before dialling again.'),
  ban_ms: milliseconds(60 * minuteMs, 'Ban of a follower that broke a rule.'),
  validator_ban_ms: milliseconds(30_000, 'First ban of a validator; it doubles with each offence within ban_ms.'),
  validator_ban_max_ms: milliseconds(15 * minuteMs, 'Longest ban of a validator.'),
  consensus_frames: frames(10_000, 'consensus'),
  consensus_bytes: bytes(16 * mebibyte, 'consensus'),
  bodies_frames: frames(2_000, 'bodies'),
  bodies_bytes: bytes(64 * mebibyte, 'bodies'),
  transactions_frames: frames(2_000, 'transactions'),
  transactions_bytes: bytes(32 * mebibyte, 'transactions'),
  sync_frames: frames(200, 'sync'),
  sync_bytes: bytes(64 * mebibyte, 'sync'),
});
