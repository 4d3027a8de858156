import { encodeRlp } from '@prime/codec';
import { type CryptoProvider, keccak256, recoverAddress } from '@prime/crypto';
import { offeredUpgradesMax, type Peer, type ProtocolOffer } from '@prime/engine';
import {
  type Address,
  bytesToHex,
  bytesToUtf8,
  type Hash,
  type Height,
  type Hex,
  hexToBytes,
  utf8ToBytes,
} from '@prime/primitives';
import { NetworkError } from '../errors.ts';
import { address, decodeWith, type Field, fieldReader, hash, integer, listOf, sized, tuple } from './fields.ts';

/**
 * The first frame in both directions. TLS proves the key of the certificate; the Hello proves that the holder of a chain identity is at the
 * other end of this very connection: its signature covers exported keying material, which no two connections share, and both
 * pins, so it is worth nothing elsewhere and can not be turned back on its maker.
 */
export interface Hello {
  /** Of the messages between nodes, see {@link networkVersion}. */
  readonly protocolVersion: number;
  readonly chainId: number;
  readonly genesisHash: Hash;
  readonly role: Peer['role'];
  readonly address: Address;
  /** `host:port` where the sender can be dialled, or empty. */
  readonly listenAddress: string;
  /** Head of the sender. */
  readonly height: Height;
  /** 32 bytes drawn once per start of a node: tells a restarted peer from a second connection of the same run. */
  readonly instance: Hex;
  /** Which protocol versions of blocks the sender follows, and from which heights. */
  readonly protocol: ProtocolOffer;
  /** 65 bytes r | s | yParity. */
  readonly signature: Uint8Array;
}

/**
 * Version of this protocol between nodes, which is not the one of blocks: nodes of both sides of an upgrade talk to each other.
 * 2: a Hello says which versions of blocks its sender follows.
 */
export const networkVersion = 2;

const roles: readonly Peer['role'][] = ['validator', 'full', 'archive'];
/** A DNS name has up to 253 characters; a colon and a port follow. */
const listenAddressBytesMax = 260;
const instanceBytes = 32;
const signatureBytes = 65;

const role: Field<Hello['role']> = {
  write: (value) => roles.indexOf(value) + 1,
  read: (item, read) => roles[read.integer(item, roles.length) - 1] ?? read.fail('unknown role'),
};
const listenAddress: Field<string> = {
  write: utf8ToBytes,
  read(item, read) {
    const text = read.bytes(item);
    return text.length <= listenAddressBytesMax ? bytesToUtf8(text) : read.fail('listen address is too long');
  },
};
const instance: Field<Hex> = {
  write: (value) => value,
  read: (item, read) => bytesToHex(sized(instanceBytes).read(item, read)),
};
const planned = listOf(tuple<ProtocolOffer['upgrades'][number]>({ version: integer(), height: integer<Height>() }));
const upgrades: Field<ProtocolOffer['upgrades']> = {
  write: (list) => planned.write(list),
  read: (item, read) =>
    read.list(item).length <= offeredUpgradesMax ? planned.read(item, read) : read.fail('too many upgrades'),
};
/** All fields in the order of {@link Hello}, the signature last. @see docs/protocol/p2p.md */
const format = tuple<Hello>({
  protocolVersion: integer(),
  chainId: integer(),
  genesisHash: hash,
  role,
  address,
  listenAddress,
  height: integer<Height>(),
  instance,
  protocol: tuple<ProtocolOffer>({ known: integer(), upgrades }),
  signature: sized(signatureBytes),
});

/** RLP. */
export const encodeHello = (hello: Hello): Uint8Array => encodeRlp(format.write(hello));

/**
 * @param expected version of the receiver; of a Hello of another one nothing else is read
 * @throws NetworkError `NETWORK_MESSAGE_MALFORMED`, `NETWORK_PROTOCOL_MISMATCH`
 */
export function decodeHello(payload: Uint8Array, expected: number = networkVersion): Hello {
  return decodeWith('hello', payload, (item) => {
    const read = fieldReader('hello');
    const protocolVersion = read.integer(read.list(item)[0]);
    if (protocolVersion !== expected) throw versionMismatch(expected, protocolVersion);
    return format.read(item, read);
  });
}

/** What the signature of a Hello is about besides its sender's role. */
export interface ChannelBinding {
  /** Exported keying material of the connection, 32 bytes. */
  readonly keyingMaterial: Uint8Array;
  readonly chainId: number;
  readonly genesisHash: Hash;
  /** Pin of the signer of the Hello. */
  readonly senderSpki: string;
  /** Pin of the one it is for. */
  readonly receiverSpki: string;
}

/** Label of the exporter (RFC 8446, 7.5). */
export const exporterLabel = 'EXPORTER-prime-p2p';
/** Context of the exporter: another version of the transport has other keying material. */
export const exporterContext = 'prime/1';
/** Bytes that both ends export and sign. */
export const keyingMaterialBytes = 32;

const domainTag = utf8ToBytes('prime-p2p-v1');
const signBytesLength = 153;

/**
 * The 32 bytes that a Hello's signature is made over: keccak256 of a fixed layout. Offset: 0 domain tag (16 bytes, padded with
 * zeros) · 16 role u8 (1 validator, 2 full, 3 archive) · 17 keying material · 49 chain id u64 · 57 genesis hash · 89 sender's pin ·
 * 121 receiver's pin.
 */
export function helloDigest(role: Peer['role'], binding: ChannelBinding): Uint8Array {
  const bytes = new Uint8Array(signBytesLength);
  bytes.set(domainTag);
  bytes[16] = roles.indexOf(role) + 1;
  bytes.set(binding.keyingMaterial, 17);
  new DataView(bytes.buffer).setBigUint64(49, BigInt(binding.chainId));
  bytes.set(hexToBytes(binding.genesisHash, 32), 57);
  bytes.set(hexToBytes(binding.senderSpki, 32), 89);
  bytes.set(hexToBytes(binding.receiverSpki, 32), 121);
  return keccak256(bytes);
}

const transportKeyTag = utf8ToBytes('prime-p2p-key-1');
const transportKeyBytes = 88;

/**
 * The 32 bytes that a hot key signs to let a TLS key speak for it on connections, whichever they are: for nodes whose hot key is in a remote
 * signer, which may be away when a peer comes. Worth nothing without that TLS key, which the handshake proves. Offset: 0 domain tag
 * (16 bytes, padded with zeros) · 16 chain id u64 · 24 genesis hash · 56 pin of the TLS key.
 */
export function transportKeyDigest(
  binding: Pick<ChannelBinding, 'chainId' | 'genesisHash' | 'senderSpki'>,
): Uint8Array {
  const bytes = new Uint8Array(transportKeyBytes);
  bytes.set(transportKeyTag);
  new DataView(bytes.buffer).setBigUint64(16, BigInt(binding.chainId));
  bytes.set(hexToBytes(binding.genesisHash, 32), 24);
  bytes.set(hexToBytes(binding.senderSpki, 32), 56);
  return keccak256(bytes);
}

/** A peer of the configured list: an identity with its pin. */
export interface PinnedPeer {
  readonly address: Address;
  /** SHA-256 of the SubjectPublicKeyInfo, 0x and 64 hex digits. */
  readonly spki: string;
}

/** What a Hello is judged by. The functions are asked anew for each, because the validators change. */
export interface HelloRules {
  readonly provider: CryptoProvider;
  /** Of the messages between nodes: only peers of the same one are talked to. */
  readonly protocolVersion: number;
  readonly chainId: number;
  readonly genesisHash: Hash;
  readonly self: { readonly address: Address; readonly spki: string };
  readonly pins: () => readonly PinnedPeer[];
  /** Whether a peer may come whose key is not in the list. */
  readonly acceptUnknownFollowers: boolean;
  /** Hot keys that a validator may show itself with, as of the own head; none when the address is no validator. */
  readonly signersOf: (address: Address) => readonly Address[];
  /** Keys of a validator that left and decides no more. */
  readonly formerSignersOf: (address: Address) => readonly Address[];
  /** The own head: what was registered in later blocks is not known here. */
  readonly headHeight: () => Height;
}

/** How a peer is taken. */
export interface Acceptance {
  readonly pinned: boolean;
  /** What it counts as here; a validator that left is a follower, whatever it thinks. */
  readonly role: Peer['role'];
}

/**
 * Decides whether the sender of a Hello is who it says, and one to talk to.
 *
 * @param expected the peer that was dialled; null for an inbound connection
 * @throws NetworkError `NETWORK_CHAIN_MISMATCH`, `NETWORK_GENESIS_MISMATCH`, `NETWORK_SELF`,
 * `NETWORK_PIN_MISMATCH`, `NETWORK_UNKNOWN_PEER`, `NETWORK_IDENTITY_INVALID`
 */
export function checkHello(
  rules: HelloRules,
  hello: Hello,
  binding: ChannelBinding,
  expected: PinnedPeer | null,
): Acceptance {
  checkNetwork(rules, hello);
  const { address } = hello;
  if (address === rules.self.address || binding.senderSpki === rules.self.spki)
    throw new NetworkError('the other end is this node', { code: 'NETWORK_SELF', address });
  if (expected !== null && expected.address !== address) throw wrongIdentity(address, `dialled ${expected.address}`);
  const pins = rules.pins();
  const byAddress = pins.find((pin) => pin.address === address);
  if (byAddress !== undefined && byAddress.spki !== binding.senderSpki)
    throw pinMismatch(byAddress.spki, binding.senderSpki);
  if (byAddress === undefined && pins.some((pin) => pin.spki === binding.senderSpki))
    throw wrongIdentity(address, 'the key is listed for another address');
  if (byAddress === undefined && !rules.acceptUnknownFollowers)
    throw new NetworkError(`peer ${address} is not in the list`, { code: 'NETWORK_UNKNOWN_PEER', address });
  const pinned = byAddress !== undefined;
  const channel = helloDigest(hello.role, binding);
  const signers = [channel, transportKeyDigest(binding)].flatMap(
    (digest) => recoverAddress(rules.provider, digest, hello.signature) ?? [],
  );
  return { pinned, role: roleOf(rules, { ...hello, pinned, signers }) };
}

/** Who shows itself, and who vouches for it. */
export interface ShownPeer extends Pick<Hello, 'address' | 'role' | 'height'> {
  readonly pinned: boolean;
  /** Keys that its signature may be of: one for each way in which a Hello can be signed. */
  readonly signers: readonly Address[];
}

/**
 * What a peer counts as, by the chain as it is known here: a validator is vouched for by its registered hot key, a follower by the key that its
 * address is derived from.
 *
 * A validator that is ahead may have registered another key, or have joined at all, in blocks that are not here yet; one that is behind may have
 * exchanged its key, or have left, in blocks that it does not have. The pin of a listed peer proves who it is, and that has to do, or nobody could
 * begin anew once all keys were exchanged.
 *
 * @throws NetworkError `NETWORK_IDENTITY_INVALID`
 */
export function roleOf(
  rules: Pick<HelloRules, 'signersOf' | 'formerSignersOf' | 'headHeight'>,
  { address, role, height, pinned, signers }: ShownPeer,
): Peer['role'] {
  const head = rules.headHeight();
  const registered = rules.signersOf(address);
  const former = rules.formerSignersOf(address);
  const isSignedBy = (keys: readonly Address[]): boolean => keys.some((key) => signers.includes(key));
  if (role === 'validator') {
    const isValidator = registered.length > 0 || (pinned && height > head);
    if (isValidator && pinned && height !== head) return role;
    if (registered.length === 0 && former.length === 0) throw wrongIdentity(address, 'no such validator');
    if (!isSignedBy(isValidator ? registered : former)) throw wrongSigner(address, signers, [...registered, ...former]);
    return isValidator ? role : 'full';
  }
  // A follower under a validator's address would take that validator's place among the peers.
  if (registered.length > 0) throw wrongIdentity(address, `a validator came as ${role}`);
  if (!isSignedBy([address])) throw wrongSigner(address, signers, [address]);
  return role;
}

/**
 * The error with code `NETWORK_PIN_MISMATCH`, to be thrown. Pins are SHA-256 of the key (SubjectPublicKeyInfo), as 0x
 * hex.
 */
export function pinMismatch(expected: string, actual: string): NetworkError {
  const detail = { code: 'NETWORK_PIN_MISMATCH', expected, actual } as const;
  return new NetworkError(`the certificate's key is ${actual}, expected ${expected}`, detail);
}

function wrongIdentity(address: Address, reason: string): NetworkError {
  const detail = { code: 'NETWORK_IDENTITY_INVALID', address, reason } as const;
  return new NetworkError(`identity ${address} is refused: ${reason}`, detail);
}

function versionMismatch(expected: number, actual: number): NetworkError {
  const detail = { code: 'NETWORK_PROTOCOL_MISMATCH', expected, actual } as const;
  return new NetworkError(`peer speaks protocol ${actual}, this node ${expected}`, detail);
}

function checkNetwork(rules: HelloRules, hello: Hello): void {
  if (hello.chainId !== rules.chainId)
    throw new NetworkError(`peer is of chain ${hello.chainId}, this node of ${rules.chainId}`, {
      code: 'NETWORK_CHAIN_MISMATCH',
      expected: rules.chainId,
      actual: hello.chainId,
    });
  if (hello.genesisHash !== rules.genesisHash)
    throw new NetworkError(`peer has genesis ${hello.genesisHash}, this node ${rules.genesisHash}`, {
      code: 'NETWORK_GENESIS_MISMATCH',
      expected: rules.genesisHash,
      actual: hello.genesisHash,
    });
}

const wrongSigner = (address: Address, signers: readonly Address[], expected: readonly Address[]): NetworkError =>
  wrongIdentity(address, `signed by ${signers[0] ?? 'nobody'}, not by ${expected.join(' or ')}`);
