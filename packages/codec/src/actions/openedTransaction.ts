import type { Address } from '@prime/primitives';
import { payloadFromRlp } from './actionPayload.ts';
import { signatureKindNames } from './nativeTransaction.ts';
import { decodeRlp } from '../encoding/rlp.ts';
import { RlpCursor } from '../encoding/rlpCursor.ts';
import type { ActionPayload, NativeTransaction, SignatureKind } from '../types.ts';

/**
 * The transaction of bytes that decodeNativeTransaction took before, in this process. What it does and its signature are decoded
 * when somebody asks for them first: of the threads that hand an order on, only that of the order book asks what it does.
 *
 * @param signer who signed it, where that is known: mostly the account itself, whose name then stands in memory once
 * @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID`
 */
export const openNativeTransaction = (raw: Uint8Array, signer?: SignerBytes): NativeTransaction =>
  new OpenedTransaction(raw, signer);

/** An address, and the bytes that it was read from. */
export interface SignerBytes {
  readonly address: Address;
  readonly bytes: Uint8Array;
}

/**
 * A class, and no object with getters of its own: such an object is a table of names, which takes four times as long to make and to read
 * (docs/performance/object-shapes.md).
 */
class OpenedTransaction implements NativeTransaction {
  readonly chainId: number;
  readonly nonce: number;
  readonly expiresAt: number;
  readonly account: Address;
  readonly signatureKind: SignatureKind;
  readonly #raw: Uint8Array;
  readonly #actionType: number;
  /** Where the fields of what it does begin. */
  readonly #fieldsAt: number;
  #payload: ActionPayload | null = null;

  constructor(raw: Uint8Array, signer: SignerBytes | undefined) {
    const cursor = new RlpCursor(raw, 1);
    cursor.list();
    this.chainId = cursor.number();
    this.nonce = cursor.number();
    this.expiresAt = cursor.number();
    this.account = signer !== undefined && cursor.skipBytes(signer.bytes) ? signer.address : (cursor.hex() as Address);
    this.#actionType = cursor.number();
    this.#fieldsAt = cursor.at;
    cursor.skip();
    this.signatureKind = signatureKindNames[cursor.number()]!;
    this.#raw = raw;
  }

  get payload(): ActionPayload {
    return (this.#payload ??= this.#decodedPayload());
  }

  get signature(): Uint8Array {
    const cursor = new RlpCursor(this.#raw, this.#fieldsAt);
    // What it does, and the kind of the signature.
    cursor.skip(2);
    const signature = new Uint8Array(65);
    signature[64] = cursor.number();
    for (const end of [32, 64]) {
      const part = cursor.bytes();
      signature.set(part, end - part.length);
    }
    return signature;
  }

  #decodedPayload(): ActionPayload {
    const behind = new RlpCursor(this.#raw, this.#fieldsAt).behind();
    return payloadFromRlp(this.#actionType, decodeRlp(this.#raw.subarray(this.#fieldsAt, behind)));
  }
}
