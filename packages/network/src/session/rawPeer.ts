/** A peer that writes what it likes: what an attacker is, for tests of how others bear it. */
import { type Address, type Hash, type Height, type Hex } from '@prime/primitives';
import type { Peer, PeerMessage, ProtocolOffer } from '@prime/engine';
import { connect, type TLSSocket } from 'node:tls';
import { encodeFrame } from '../wire/frame.ts';
import {
  encodeHello,
  exporterContext,
  exporterLabel,
  type Hello,
  helloDigest,
  keyingMaterialBytes,
} from '../wire/hello.ts';
import { encodeMessage } from '../wire/messages.ts';
import type { Endpoint } from '../options.ts';
import type { TlsIdentity } from './tlsIdentity.ts';
import { createTlsSettings } from './tlsOptions.ts';

/** Who says Hello, and to whom. */
export interface RawGreeting {
  /** Of the messages between nodes. */
  readonly protocolVersion: number;
  readonly protocol: ProtocolOffer;
  readonly chainId: number;
  readonly genesisHash: Hash;
  readonly role: Peer['role'];
  readonly address: Address;
  /** Of the own certificate. */
  readonly senderSpki: string;
  /** Of the other end. */
  readonly receiverSpki: string;
  readonly sign: (digest: Uint8Array) => Uint8Array;
}

/** A TLS connection as peers make them; nothing is sent on it yet. It reports no errors: look at `close`. */
export function dialRaw({ host, port }: Endpoint, identity: TlsIdentity): TLSSocket {
  const { settings } = createTlsSettings(identity);
  const socket = connect({ ...settings, host, port, servername: '' });
  socket.on('error', () => undefined);
  return socket;
}

/** The frame of a Hello that is right for this connection, but for what is changed. */
export function helloFrame(socket: TLSSocket, greeting: RawGreeting, changes: Partial<Hello> = {}): Uint8Array {
  const { protocolVersion, protocol, chainId, genesisHash, role, address, senderSpki, receiverSpki, sign } = greeting;
  const hello = {
    protocolVersion,
    protocol,
    chainId,
    genesisHash,
    role,
    address,
    listenAddress: '',
    height: 0 as Height,
    instance: `0x${'11'.repeat(32)}` as Hex,
    ...changes,
  };
  const keyingMaterial = socket.exportKeyingMaterial(keyingMaterialBytes, exporterLabel, Buffer.from(exporterContext));
  const digest = helloDigest(hello.role, {
    keyingMaterial: new Uint8Array(keyingMaterial),
    chainId: hello.chainId,
    genesisHash: hello.genesisHash,
    senderSpki,
    receiverSpki,
  });
  return encodeFrame('hello', encodeHello({ signature: sign(digest), ...hello })).bytes;
}

/** A message in its frames. @throws NetworkError `NETWORK_FRAME_TOO_LARGE` */
export const messageFrames = (message: PeerMessage): Uint8Array[] => encodeMessage(message).map(({ bytes }) => bytes);
