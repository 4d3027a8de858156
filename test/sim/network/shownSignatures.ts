import type { Proposal, Vote } from '@prime/codec';
import { bytesToHex } from '@prime/primitives';

/**
 * Which node showed a signature first. Two processes of one identity hear each other's, and one that watches may pass on what the other
 * signed: that signs nothing.
 */
export class ShownSignatures {
  readonly #first = new Map<string, string>();

  /** @returns whether nobody but this node showed it before */
  isOwn(signed: Vote | Proposal, label: string): boolean {
    const key = bytesToHex(signed.signature);
    const first = this.#first.get(key);
    if (first === undefined) this.#first.set(key, label);
    return first === undefined || first === label;
  }
}
