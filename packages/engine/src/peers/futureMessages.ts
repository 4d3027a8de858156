import type { Address, Height } from '@prime/primitives';
import type { ConsensusMessage } from '../ports.ts';

interface EarlyMessage {
  readonly from: Address;
  readonly message: ConsensusMessage;
}

/** What an honest validator says of a height before the slowest one is there: proposal, votes, and their certificates. */
const messagesPerSender = 8;

/** Consensus messages of the next height, which faster peers send while this node still finishes the present one. */
export class FutureMessages {
  #height = 0 as Height;
  #messages: EarlyMessage[] = [];
  #counts = new Map<Address, number>();

  /**
   * Keeps at most {@link messagesPerSender} of each sender, so that none takes the place of another. Senders are validators.
   *
   * @param authors validators that the sender speaks for
   */
  add(height: Height, from: Address, message: ConsensusMessage, authors = 1): void {
    if (height < this.#height || authors === 0) return;
    if (height > this.#height) this.#clear(height);
    const count = this.#counts.get(from) ?? 0;
    if (count >= messagesPerSender * authors) return;
    this.#counts.set(from, count + 1);
    this.#messages.push({ from, message });
  }

  take(height: Height): readonly EarlyMessage[] {
    if (height !== this.#height) return [];
    const messages = this.#messages;
    this.#clear(height);
    return messages;
  }

  #clear(height: Height): void {
    this.#height = height;
    this.#messages = [];
    this.#counts = new Map();
  }
}
