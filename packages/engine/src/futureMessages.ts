import type { Address, Height } from '@prime/primitives';
import type { PeerMessage } from './ports.ts';

/** Consensus messages of the next height, which faster peers send while this node still finishes the present one. */
export class FutureMessages {
  #height = 0 as Height;
  #messages: { readonly from: Address; readonly message: PeerMessage }[] = [];

  /** Keeps at most {@link messagesPerValidator} for each validator; more than that is no honest round 0. */
  add(height: Height, from: Address, message: PeerMessage, validatorCount: number): void {
    if (height !== this.#height) {
      if (height < this.#height) return;
      this.#height = height;
      this.#messages = [];
    }
    if (this.#messages.length < validatorCount * messagesPerValidator) this.#messages.push({ from, message });
  }

  take(height: Height): readonly { readonly from: Address; readonly message: PeerMessage }[] {
    if (height !== this.#height) return [];
    const messages = this.#messages;
    this.#messages = [];
    return messages;
  }
}

const messagesPerValidator = 4;
