import type { Address } from '@prime/primitives';
import { addressKey, bytesOf } from '../state/bytes.ts';
import { bytesToWord } from './words.ts';

/** The account of a frame, in the forms that state, library and instructions want; each is made when it is first asked for. */
export class Party {
  #key: Address | null;
  #bytes: Uint8Array | null;
  #word: bigint | null = null;

  private constructor(key: Address | null, bytes: Uint8Array | null) {
    this.#key = key;
    this.#bytes = bytes;
  }

  static ofKey(key: Address): Party {
    return new Party(key, null);
  }

  /** @param bytes 20 of them */
  static ofBytes(bytes: Uint8Array): Party {
    return new Party(null, bytes);
  }

  /** Lower-case hex. */
  get key(): Address {
    this.#key ??= addressKey(this.#bytes!);
    return this.#key;
  }

  /** As the library's addresses do. */
  toString(): string {
    return this.key;
  }

  get bytes(): Uint8Array {
    this.#bytes ??= bytesOf(this.#key!);
    return this.#bytes;
  }

  /** As it stands on the stack. */
  get word(): bigint {
    this.#word ??= bytesToWord(this.bytes);
    return this.#word;
  }
}
