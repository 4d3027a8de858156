import type { Address } from '@prime/primitives';
import type { ListedPeer } from './dialer.ts';

/** Pins are compared as text: a configuration may write them in capitals, and an IPv6 address in brackets as URLs do. */
const normalized = (peer: ListedPeer): ListedPeer => ({
  ...peer,
  host: peer.host.replace(/^\[(.*)\]$/, '$1'),
  spki: peer.spki.toLowerCase(),
});

/** Whom a node looks for: peers that are listed, and validators that the chain tells of. What is listed counts before what is told. */
export class KnownPeers {
  readonly #self: Address;
  #listed: readonly ListedPeer[];
  #told: readonly ListedPeer[] = [];
  #all: readonly ListedPeer[];

  /** @param listed by the configuration; the own address may be among them */
  constructor(self: Address, listed: readonly ListedPeer[]) {
    this.#self = self;
    this.#listed = listed.map(normalized);
    this.#all = this.#listed;
  }

  get all(): readonly ListedPeer[] {
    return this.#all;
  }

  /** All but this node. */
  get others(): readonly ListedPeer[] {
    return this.#all.filter(({ address }) => address !== this.#self);
  }

  has(address: Address): boolean {
    return this.#all.some((peer) => peer.address === address);
  }

  isListed(address: Address): boolean {
    return this.#listed.some((peer) => peer.address === address);
  }

  /** Adds a peer, or says anew where it is. */
  list(peer: ListedPeer): void {
    this.#listed = [...this.#listed.filter(({ address }) => address !== peer.address), normalized(peer)];
    this.#join();
  }

  /** The validators as the chain tells of them now, in place of those of before. */
  tell(validators: readonly ListedPeer[]): void {
    this.#told = validators.map(normalized);
    this.#join();
  }

  #join(): void {
    const told = this.#told.filter(({ address }) => address !== this.#self && !this.isListed(address));
    this.#all = [...this.#listed, ...told];
  }
}
