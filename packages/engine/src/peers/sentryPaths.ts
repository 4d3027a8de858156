/**
 * Ways of messages over nodes in between, where validators hide behind sentries.
 *
 * Validators are a direct mesh and nobody passes on what he hears, but for what the machine of consensus sends again. A validator
 * behind sentries has connections to these only: they are followers that pass on its messages to everybody, and to it what they hear of
 * the others once they have verified it, so that nobody can make the validator ban its own sentries.
 */
import type { Vote } from '@prime/codec';
import type { Address, Height } from '@prime/primitives';
import type { ConsensusMessage, PeerMessage, PeerNetwork, PooledHashes } from '../ports.ts';

/** Peers of a hidden validator on both sides; a node without either list passes nothing on. */
export interface SentryOptions {
  /** Own sentries of a validator: the only peers that it has. */
  readonly sentries?: readonly Address[];
  /** Validators behind this node, which is a sentry. */
  readonly privatePeers?: readonly Address[];
}

/** What is passed on of something that a peer told. */
export type Relay = 'bodies' | 'hashes' | 'nothing';

/** Passes messages between hidden validators and the others, and knows of which validators something arrives that way. */
export class SentryPaths {
  readonly #network: PeerNetwork;
  readonly #sentries: ReadonlySet<Address>;
  readonly #private: ReadonlySet<Address>;
  /** Newest height of which something came from a validator over somebody else. */
  readonly #heard = new Map<Address, Height>();

  constructor({ sentries = [], privatePeers = [] }: SentryOptions, network: PeerNetwork) {
    this.#network = network;
    this.#sentries = new Set(sentries);
    this.#private = new Set(privatePeers);
  }

  /** What a validator behind this node says is for all. */
  onReceived(from: Address, message: ConsensusMessage): void {
    if (this.#private.has(from)) this.#sendAll(from, message);
  }

  /**
   * A peer told of transactions or actions.
   *
   * @returns how they are told to all once they are admitted. Validators told everyone themselves, unless they are behind this node: then nobody else
   *   did. A follower may have told others
   */
  onGossip(from: Address, message: PeerMessage): Relay {
    if (this.#private.has(from)) return 'bodies';
    if (!this.#isValidator(from)) return 'hashes';
    for (const peer of this.#private) this.#network.send(peer, message);
    return 'nothing';
  }

  /** A peer told what waits there; this is what waits here, too. */
  onPooled(from: Address, known: PooledHashes): void {
    if (known.transactions.length + known.actions.length === 0) return;
    if (this.#private.has(from)) this.#sendAll(from, known);
    else if (this.#isValidator(from)) for (const peer of this.#private) this.#network.send(peer, known);
  }

  /** A message whose signatures hold is for the validators behind this node. @param author null where there are several */
  onVerified(message: ConsensusMessage, author: Address | null, height: Height): void {
    if (author !== null && !this.#isConnected(author)) this.#heard.set(author, height);
    // Of its own ones all have heard already.
    if (author !== null && this.#private.has(author)) return;
    for (const peer of this.#private) this.#network.send(peer, message);
  }

  /** A precommit came after the decision: whoever counts who is there has to hear of it. */
  onLate(from: Address, vote: Vote): void {
    if (vote.validator === from && !this.#private.has(from))
      for (const peer of this.#private) this.#network.send(peer, { kind: 'vote', vote });
  }

  /** Whether a validator is connected, or was heard of through others lately. */
  isPresent(validator: Address, height: Height): boolean {
    const heard = this.#heard.get(validator);
    return this.#isConnected(validator) || (heard !== undefined && heard >= height - 1);
  }

  /** Whether what a validator proposes at a height may arrive: else there is nobody to wait for. */
  mayReach(validator: Address, height: Height): boolean {
    return (
      this.isPresent(validator, height) || this.#network.peers().some(({ address }) => this.#sentries.has(address))
    );
  }

  /** Whether a peer is a follower that the operator named, which may speak for validators behind it. */
  speaksForOthers(peer: Address): boolean {
    return this.#network
      .peers()
      .some(({ address, role, listed }) => address === peer && role !== 'validator' && listed === true);
  }

  /** Whether a connected peer speaks as a validator. */
  #isValidator(peer: Address): boolean {
    return this.#network.peers().some(({ address, role }) => address === peer && role === 'validator');
  }

  #isConnected(validator: Address): boolean {
    return this.#network.peers().some(({ address }) => address === validator);
  }

  #sendAll(from: Address, message: PeerMessage): void {
    for (const { address } of this.#network.peers()) if (address !== from) this.#network.send(address, message);
  }
}
