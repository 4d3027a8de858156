import { PrimeError } from '@prime/primitives';

/**
 * Why a remote signer does not sign: another message was signed at this place; the place lies behind its newest signature; the lock
 * that comes with the request is behind the one that it knows; of another network; not a key of this signer; not what a signer signs.
 */
export type SignerRefusal = 'conflict' | 'behind' | 'lockBehind' | 'otherNetwork' | 'unknownKey' | 'malformed';

/**
 * Why a connection, a frame or a message was refused. What comes from a peer never throws anything else out of this package.
 */
export type NetworkErrorDetail =
  /** A frame announces more bytes than its channel and type allow; nothing was allocated for it. */
  | { readonly code: 'NETWORK_FRAME_TOO_LARGE'; readonly frame: string; readonly size: number; readonly limit: number }
  /** No such channel or message type, or a length below the two bytes that name them. */
  | { readonly code: 'NETWORK_FRAME_MALFORMED'; readonly reason: string }
  /** The payload is not the canonical encoding of its message. */
  | { readonly code: 'NETWORK_MESSAGE_MALFORMED'; readonly message: string; readonly reason: string }
  /** The first frame was not a Hello, or a second Hello came. */
  | { readonly code: 'NETWORK_HELLO_UNEXPECTED'; readonly frame: string }
  /** Connection, TLS and Hello took too long. */
  | { readonly code: 'NETWORK_HANDSHAKE_TIMEOUT'; readonly timeoutMs: number }
  /** The connection could not be made or was lost. */
  | { readonly code: 'NETWORK_CONNECTION_FAILED'; readonly reason: string }
  /** No certificate, no `prime/1`, not TLS 1.3, or a resumed session. */
  | { readonly code: 'NETWORK_TLS_REFUSED'; readonly reason: string }
  /** The key in the certificate is not the one that is configured for this peer. */
  | { readonly code: 'NETWORK_PIN_MISMATCH'; readonly expected: string; readonly actual: string }
  /** The peer speaks another version of the protocol. */
  | { readonly code: 'NETWORK_PROTOCOL_MISMATCH'; readonly expected: number; readonly actual: number }
  /** The peer belongs to another chain id. */
  | { readonly code: 'NETWORK_CHAIN_MISMATCH'; readonly expected: number; readonly actual: number }
  /** The peer has the same chain id and another genesis. */
  | { readonly code: 'NETWORK_GENESIS_MISMATCH'; readonly expected: string; readonly actual: string }
  /** The other end is this node. */
  | { readonly code: 'NETWORK_SELF'; readonly address: string }
  /** The signature of the Hello is not by the key that speaks for the address. */
  | { readonly code: 'NETWORK_IDENTITY_INVALID'; readonly address: string; readonly reason: string }
  /** Certificate key not in the configured list while only listed peers are accepted. */
  | { readonly code: 'NETWORK_UNKNOWN_PEER'; readonly address: string }
  /** The peer broke a rule and its ban is not over. */
  | { readonly code: 'NETWORK_BANNED'; readonly address: string; readonly untilMs: number }
  /** Another connection to the same identity is kept. */
  | { readonly code: 'NETWORK_DUPLICATE'; readonly address: string }
  /** Another process shows itself with the identity of a connected peer, which is alive: the older one is kept. */
  | { readonly code: 'NETWORK_IDENTITY_IN_USE'; readonly address: string }
  /** Too many inbound connections: of one IP address, of such that are not authenticated, or of followers. */
  | { readonly code: 'NETWORK_INBOUND_LIMIT'; readonly limit: 'ip' | 'unauthenticated' | 'followers' }
  /** More control frames than an honest node sends. */
  | { readonly code: 'NETWORK_FLOOD'; readonly channel: string }
  /** More is waiting for the peer than its queue may hold, without any gossip left to drop. */
  | { readonly code: 'NETWORK_QUEUE_OVERFLOW'; readonly bytes: number }
  /** The peer sent nothing (`silent`) or took nothing (`stalled`) for the allowed time. */
  | { readonly code: 'NETWORK_PEER_DEAD'; readonly reason: 'silent' | 'stalled'; readonly timeoutMs: number }
  /** The owner of the network found the peer guilty. */
  | { readonly code: 'NETWORK_PUNISHED'; readonly reason: string }
  /** The other end said goodbye. */
  | { readonly code: 'NETWORK_BYE'; readonly reason: string }
  /** This network is closing or closed. */
  | { readonly code: 'NETWORK_CLOSED' }
  /** The listen address can not be bound; the cause has the reason of the system. */
  | { readonly code: 'NETWORK_LISTEN_FAILED'; readonly host: string; readonly port: number }
  /** The remote signer can not be reached, or is not the one that is pinned. Nothing was signed. */
  | { readonly code: 'NETWORK_SIGNER_UNAVAILABLE'; readonly address: string; readonly reason: string }
  /** The remote signer answered that it does not sign this. */
  | { readonly code: 'NETWORK_SIGNER_REFUSED'; readonly refusal: SignerRefusal; readonly reason: string }
  /** Own certificate or key can not be read, or they do not belong together. */
  | { readonly code: 'NETWORK_CERTIFICATE_INVALID' };

/** Why a connection did not become a peer, or ended; each end of a connection has one of its own. */
export class NetworkError extends PrimeError<NetworkErrorDetail> {}

/** Also the label of the counters by reason. */
export type NetworkErrorCode = NetworkErrorDetail['code'];

/** Misbehaviour that an honest node of this protocol can not show: the peer is banned, not only disconnected. */
const bannable: ReadonlySet<NetworkErrorCode> = new Set<NetworkErrorCode>([
  'NETWORK_FRAME_TOO_LARGE',
  'NETWORK_FRAME_MALFORMED',
  'NETWORK_MESSAGE_MALFORMED',
  'NETWORK_HELLO_UNEXPECTED',
  'NETWORK_FLOOD',
  'NETWORK_PUNISHED',
]);

/** Whether the other end is at fault, and not only out of luck. */
export const isBannable = (error: NetworkError): boolean => bannable.has(error.code);

/** The error with code `NETWORK_FRAME_MALFORMED`, to be thrown. */
export function malformedFrame(reason: string): NetworkError {
  return new NetworkError(`malformed frame: ${reason}`, { code: 'NETWORK_FRAME_MALFORMED', reason });
}

/**
 * The error with code `NETWORK_MESSAGE_MALFORMED`, to be thrown.
 *
 * @param message its name, as in {@link frameKinds}
 */
export function malformedMessage(message: string, reason: string, cause?: unknown): NetworkError {
  const detail = { code: 'NETWORK_MESSAGE_MALFORMED', message, reason } as const;
  return new NetworkError(`malformed ${message}: ${reason}`, detail, cause === undefined ? undefined : { cause });
}

/** Who is refused has the keys of a peer that is connected and alive. */
export function identityInUse(address: string): NetworkError {
  const detail = { code: 'NETWORK_IDENTITY_IN_USE', address } as const;
  return new NetworkError(`another living process is connected as ${address}`, detail);
}

/** The error with code `NETWORK_DUPLICATE`, to be thrown: nobody is at fault, one of two connections is enough. */
export function duplicate(address: string): NetworkError {
  const detail = { code: 'NETWORK_DUPLICATE', address } as const;
  return new NetworkError(`another connection to ${address} is kept`, detail);
}
