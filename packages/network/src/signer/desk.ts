import { decodeNativeTransaction, nativeSigningDigest, parseSignBytes } from '@prime/codec';
import { type CryptoProvider, keccak256 } from '@prime/crypto';
import {
  comparePlaces,
  type LockState,
  type MessageSigner,
  type SignStateRecord,
  type SignStateStore,
} from '@prime/engine';
import { type Address, bytesEqual, type Hash } from '@prime/primitives';
import type { SignerRefusal } from '../errors.ts';
import { transportKeyDigest } from '../wire/hello.ts';
import type { SignerKey } from './messages.ts';

/** A key that a signer holds. */
export interface HeldKey extends MessageSigner {
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
}

/** The network that is signed for, the keys, and the watermark that keeps them from equivocating. */
export interface SigningDeskOptions {
  readonly chainId: number;
  readonly genesisHash: Hash;
  /** The watermark; what is written is durable when the call returns. */
  readonly store: SignStateStore;
  /** Read for each request: a key may be added while the signer runs. The newest first. */
  readonly keys: () => readonly HeldKey[];
  readonly provider: CryptoProvider;
}

/** The signature, 65 bytes r | s | yParity, or why there is none. */
export type SigningVerdict =
  | { readonly ok: true; readonly signature: Uint8Array }
  | { readonly ok: false; readonly refusal: SignerRefusal; readonly reason: string };

/**
 * What a signer signs, for whoever asks, and that it never contradicts itself: one place for all keys and all nodes.
 *
 * Every signature is recorded, and the record is on disk, before the signature is handed out. Places (height, round, step) only go up; the very
 * same message gets the very same signature again. The lock that a node holds comes with each request: within a height it never goes
 * back, so that a node which does not know of a lock that another one asked with does not vote against it.
 */
export interface SigningDesk {
  newest(): SignStateRecord | null;
  sign(request: { readonly key: Address; readonly signBytes: Uint8Array; readonly lock: LockState }): SigningVerdict;
  /** A native transaction of kind `gateway`. */
  signAction(request: { readonly key: Address; readonly unsigned: Uint8Array }): SigningVerdict;
  /** For a TLS key whose holder is at the other end of a connection. */
  credentials(spki: string): SignerKey[];
  /**
   * Raises the watermark to a record that a node kept, if it is newer and one of the keys made it. Never lowers.
   *
   * @returns whether it was raised
   */
  raise(record: SignStateRecord): boolean;
}

/** The part of a signer that decides; it knows nothing of connections. */
export function createSigningDesk(options: SigningDeskOptions): SigningDesk {
  const { store, provider, chainId, genesisHash } = options;
  const keyOf = (address: Address): HeldKey | undefined => options.keys().find((key) => key.address === address);

  return {
    newest: () => store.read(),
    sign({ key: address, signBytes, lock }) {
      const place = parseSignBytes(signBytes);
      if (place === null) return refuse('malformed', 'not the sign bytes of a proposal, prevote or precommit');
      if (place.chainId !== chainId || place.genesisHash !== genesisHash)
        return refuse('otherNetwork', `for chain ${place.chainId} with genesis ${place.genesisHash}`);
      const key = keyOf(address);
      if (key === undefined) return refuse('unknownKey', `${address} is not a key of this signer`);
      const newest = store.read();
      const order = newest === null ? 1 : comparePlaces(place, newest);
      if (order === 0 && newest !== null) return again(options, key, newest, signBytes);
      if (order < 0 && newest !== null) return refuse('behind', `${words(place)} lies behind ${words(newest)}`);
      const reason = newest === null ? null : lockReason(place.height, lock, newest);
      if (reason !== null) return refuse('lockBehind', reason);
      const signature = key.sign(keccak256(signBytes));
      const { height, round, step } = place;
      store.write({ height, round, step, signBytes, signature, ...lock });
      return { ok: true, signature };
    },
    signAction({ key: address, unsigned }) {
      const key = keyOf(address);
      if (key === undefined) return refuse('unknownKey', `${address} is not a key of this signer`);
      try {
        const transaction = decodeNativeTransaction(unsigned);
        if (transaction.signatureKind !== 'gateway') return refuse('malformed', 'an action that its account signs');
        if (transaction.chainId !== chainId) return refuse('otherNetwork', `for chain ${transaction.chainId}`);
        return { ok: true, signature: key.sign(nativeSigningDigest(transaction)) };
      } catch (error) {
        return refuse('malformed', `not a native transaction: ${(error as Error).message}`);
      }
    },
    credentials: (spki) =>
      options.keys().map((key) => ({
        address: key.address,
        credential: key.sign(transportKeyDigest({ chainId, genesisHash, senderSpki: spki })),
      })),
    raise(record) {
      const place = parseSignBytes(record.signBytes);
      const newest = store.read();
      const isOwn =
        place?.chainId === chainId && place.genesisHash === genesisHash && comparePlaces(place, record) === 0;
      if (!isOwn || (newest !== null && comparePlaces(record, newest) <= 0)) return false;
      const digest = keccak256(record.signBytes);
      if (!options.keys().some(({ publicKey }) => provider.verify(digest, record.signature, publicKey))) return false;
      store.write(record);
      return true;
    },
  };
}

/** The very same message of the very same key gets what it got before. */
function again(
  { provider }: SigningDeskOptions,
  key: HeldKey,
  newest: SignStateRecord,
  signBytes: Uint8Array,
): SigningVerdict {
  const isSame =
    bytesEqual(newest.signBytes, signBytes) && provider.verify(keccak256(signBytes), newest.signature, key.publicKey);
  return isSame
    ? { ok: true, signature: newest.signature }
    : refuse('conflict', `another message was signed at ${words(newest)}`);
}

/** Why the lock of a request is not one that the holder of the newest signature can have; null when it may be. */
function lockReason(height: number, lock: LockState, newest: SignStateRecord): string | null {
  if (height !== newest.height) return null;
  const { lockedRound, lockedValue } = newest;
  if (lock.lockedRound > lockedRound || (lock.lockedRound === lockedRound && lock.lockedValue === lockedValue))
    return null;
  return `locked on ${lock.lockedValue ?? 'nothing'} since round ${lock.lockedRound}, and this signer knows of ${lockedValue ?? 'nothing'} since round ${lockedRound}`;
}

const refuse = (refusal: SignerRefusal, reason: string): SigningVerdict => ({ ok: false, refusal, reason });

const words = ({ height, round, step }: Pick<SignStateRecord, 'height' | 'round' | 'step'>): string =>
  `height ${height}, round ${round}, ${['proposal', 'prevote', 'precommit'][step - 1]}`;
