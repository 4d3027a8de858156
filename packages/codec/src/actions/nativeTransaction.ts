import { type CryptoProvider, keccak256, keccakHex, recoverAddress } from '@prime/crypto';
import { type Address, type Hash, isPrimeError, unreachable } from '@prime/primitives';
import { factsOf } from './actionFacts.ts';
import { actionTypeCode, payloadFromRlp, payloadToRlp } from './actionPayload.ts';
import { CodecError, invalidField, malformedRlp } from '../encoding/errors.ts';
import { address, integer, itemBytes, itemList, oneOf } from '../encoding/fieldCodecs.ts';
import { uint32, wei } from '../encoding/protocolFields.ts';
import { decodeRlp, encodeRlp, listHeader, type RlpValue } from '../encoding/rlp.ts';
import { RlpCursor } from '../encoding/rlpCursor.ts';
import { typedDataDigest } from './typedData.ts';
import type { NativeTransaction, SignatureKind, UnsignedNativeTransaction, VerifiedAction } from '../types.ts';

/**
 * Native transactions: 0x50 | rlp([chainId, nonce, expiresAt, account, actionType, fields, sigKind, yParity, r, s]).
 *
 * The first byte is one that EIP-2718 leaves free, so one RPC method takes both kinds of transaction.
 */
export const nativeTransactionType = 0x50;
/** Longest raw native transaction, bytes. */
export const nativeTransactionBytesMax = 64 * 1024;

/** In the order of their numbers. */
export const signatureKindNames = ['raw', 'eip712', 'gateway'] as const satisfies readonly SignatureKind[];
const signatureKinds = oneOf<SignatureKind>(signatureKindNames);
const gatewayKindCode = signatureKindNames.indexOf('gateway');
const parity = integer<0 | 1>(0, 1);
const chain = integer(1);

function unsignedFields(transaction: UnsignedNativeTransaction): RlpValue[] {
  return [
    chain.toRlp(transaction.chainId, 'chainId'),
    integer().toRlp(transaction.nonce, 'nonce'),
    integer().toRlp(transaction.expiresAt, 'expiresAt'),
    address.toRlp(transaction.account, 'account'),
    actionTypeCode[transaction.payload.type],
    payloadToRlp(transaction.payload),
  ];
}

/** 0x50 and the RLP of the list. */
function typed(list: readonly RlpValue[]): Uint8Array {
  const body = encodeRlp(list);
  const raw = new Uint8Array(body.length + 1);
  raw[0] = nativeTransactionType;
  raw.set(body, 1);
  return raw;
}

function checkSize(size: number): void {
  if (size > nativeTransactionBytesMax)
    throw new CodecError(`native transaction of ${size} bytes, the limit is ${nativeTransactionBytesMax}`, {
      code: 'CODEC_TOO_LARGE',
      size,
      limit: nativeTransactionBytesMax,
    });
}

/** Big-endian bytes without leading zeros, a view. */
function trimmed(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < bytes.length && bytes[start] === 0) start++;
  return bytes.subarray(start);
}

/** @throws CodecError `CODEC_FIELD_INVALID`, `CODEC_TOO_LARGE` */
export function encodeNativeTransaction(transaction: NativeTransaction): Uint8Array {
  const { signature } = transaction;
  if (signature.length !== 65) invalidField('signature', `expected 65 bytes, got ${signature.length}`);
  const raw = typed([
    ...unsignedFields(transaction),
    signatureKinds.toRlp(transaction.signatureKind, 'sigKind'),
    parity.toRlp(signature[64] as 0 | 1, 'yParity'),
    trimmed(signature.subarray(0, 32)),
    trimmed(signature.subarray(32, 64)),
  ]);
  checkSize(raw.length);
  return raw;
}

/** Places of the fields in the list of a signed transaction. */
const place = {
  chainId: 0,
  nonce: 1,
  expiresAt: 2,
  account: 3,
  actionType: 4,
  fields: 5,
  sigKind: 6,
  yParity: 7,
  r: 8,
  s: 9,
} as const;
const signedFieldCount = 10;

/**
 * Reads a native transaction; the signature is not checked.
 *
 * @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID`, `CODEC_TOO_LARGE`
 */
export function decodeNativeTransaction(raw: Uint8Array): NativeTransaction {
  checkSize(raw.length);
  if (raw[0] !== nativeTransactionType) return malformedRlp('not a native transaction', 0);
  const items = itemList(decodeRlp(raw.subarray(1)), 'transaction');
  if (items.length !== signedFieldCount)
    return invalidField('transaction', `expected ${signedFieldCount} fields, got ${items.length}`);
  const code = uint32.fromRlp(items[place.actionType]!, 'actionType');
  const signature = new Uint8Array(65);
  const [r, s] = [itemBytes(items[place.r]!, 'r'), itemBytes(items[place.s]!, 's')];
  wei.fromRlp(r, 'r');
  wei.fromRlp(s, 's');
  signature.set(r, 32 - r.length);
  signature.set(s, 64 - s.length);
  signature[64] = parity.fromRlp(items[place.yParity]!, 'yParity');
  return {
    chainId: chain.fromRlp(items[place.chainId]!, 'chainId'),
    nonce: integer().fromRlp(items[place.nonce]!, 'nonce'),
    expiresAt: integer().fromRlp(items[place.expiresAt]!, 'expiresAt'),
    account: address.fromRlp(items[place.account]!, 'account'),
    payload: payloadFromRlp(code, items[place.fields]!),
    signatureKind: signatureKinds.fromRlp(items[place.sigKind]!, 'sigKind'),
    signature,
  };
}

/**
 * The 32 bytes to sign. `raw`: keccak256(0x50 | rlp(first six fields)); `gateway`: the same with the number of the kind as a
 * seventh field, so that a gateway's signature can never pass for the account's own; `eip712`: see typedData.ts.
 *
 * @throws CodecError `CODEC_FIELD_INVALID`
 */
export function nativeSigningDigest(transaction: UnsignedNativeTransaction): Uint8Array {
  // For every kind: what is out of range has no digest.
  const fields = unsignedFields(transaction);
  switch (transaction.signatureKind) {
    case 'raw':
      return keccak256(typed(fields));
    case 'gateway':
      return keccak256(typed([...fields, gatewayKindCode]));
    case 'eip712':
      return typedDataDigest(transaction);
    default:
      return unreachable(transaction.signatureKind);
  }
}

/** Where what was signed is put together to be hashed, unless it is longer, as batches are. */
const digestScratch = new Uint8Array(1024);

/**
 * {@link nativeSigningDigest} of bytes that were decoded: what `raw` and `gateway` sign stands in them in one piece, behind another header.
 *
 * @param transaction what {@link decodeNativeTransaction} made of the bytes
 */
function digestOfRaw(raw: Uint8Array, transaction: NativeTransaction): Uint8Array {
  if (transaction.signatureKind === 'eip712') return typedDataDigest(transaction);
  const cursor = new RlpCursor(raw, 1);
  cursor.list();
  const start = cursor.at;
  cursor.skip(transaction.signatureKind === 'gateway' ? place.sigKind + 1 : place.sigKind);
  const fields = raw.subarray(start, cursor.at);
  const header = listHeader(fields.length);
  const length = 1 + header.length + fields.length;
  const signed = length <= digestScratch.length ? digestScratch.subarray(0, length) : new Uint8Array(length);
  signed[0] = nativeTransactionType;
  signed.set(header, 1);
  signed.set(fields, 1 + header.length);
  return keccak256(signed);
}

/** Keccak-256 of the raw bytes, type byte included, as for EIP-2718 transactions. */
export const nativeTransactionHash = (raw: Uint8Array): Hash => keccakHex(raw);

/** A transaction of which the signer is known. @param raw its bytes */
export const verifiedAction = (raw: Uint8Array, signer: Address, transaction: NativeTransaction): VerifiedAction => ({
  raw,
  hash: nativeTransactionHash(raw),
  signer,
  facts: factsOf(transaction.payload),
  transaction,
});

/**
 * Decodes a native transaction and recovers its signer. Whether the signer may act for the account depends on state and is for
 * the order book domain. Bad input is an answer, not an exception.
 */
export function verifyNativeTransaction(
  raw: Uint8Array,
  chainId: number,
  provider: CryptoProvider,
): VerifiedAction | { readonly failure: string } {
  try {
    const transaction = decodeNativeTransaction(raw);
    if (transaction.chainId !== chainId)
      return { failure: `invalid sender: invalid chain id for signer: have ${transaction.chainId} want ${chainId}` };
    const signer = recoverAddress(provider, digestOfRaw(raw, transaction), transaction.signature);
    if (signer === null) return { failure: 'invalid signature' };
    return verifiedAction(raw, signer, transaction);
  } catch (error) {
    if (isPrimeError(error) && error.code.startsWith('CODEC_')) return { failure: error.message };
    throw error;
  }
}
