import type { Peer, ValidatorRoster } from '@prime/engine';
import { roleOf, type ShownPeer } from '@prime/network';
import { type Address, type Height, isPrimeError, type Prng } from '@prime/primitives';
import { shuffled } from '../../shuffled.ts';
import type { Coverage } from '../coverage.ts';
import type { VirtualTime } from '../time.ts';

/** What a process says of itself in its Hello, and the key that signs it. */
export type Hello = Omit<ShownPeer, 'pinned'>;

/** A process that has connections. */
export interface SessionEnd {
  readonly label: string;
  readonly address: Address;
  /** Whether it takes connections now. */
  readonly isUp: boolean;
  readonly height: number;
  /** Who is a validator, as it knows. */
  readonly roster: ValidatorRoster;
  hello(): Hello;
  onPeerUp(peer: Peer): void;
  onPeerDown(peer: Peer): void;
  onIdentityInUse(peer: Peer): void;
}

/** Damage to how peers judge each other, to show that the simulation notices. */
export interface SessionDamage {
  /** A validator that left is none from the block on in which it did. */
  readonly dropsLeavers?: boolean;
  /** Of two processes of one identity the newer is kept. */
  readonly keepsNewer?: boolean;
}

interface SessionsOptions {
  readonly time: VirtualTime;
  readonly prng: Prng;
  readonly seen: Coverage;
  readonly damage: SessionDamage;
  /** Whether peers may come that nobody named. */
  readonly isOpen: boolean;
  readonly note: (label: string, line: () => string) => void;
}

/** What one end of a connection takes the other for. */
interface Entry {
  readonly end: SessionEnd;
  readonly hello: Hello;
  role: Peer['role'];
}

/** Time between two looks for peers that are not connected, ms. */
const lookMs = 100;

/**
 * Connections as the network package keeps them, by the rules that ship: who is a peer and as what ({@link roleOf}, {@link ValidatorRoster}). Each end has
 * one connection to an identity, and of two living processes of one the older stays.
 */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #ends: SessionEnd[] = [];
  readonly #tables = new Map<SessionEnd, Map<Address, Entry>>();

  constructor(options: SessionsOptions) {
    this.#options = options;
    const look = (): void => {
      this.#look();
      options.time.after(lookMs, look);
    };
    options.time.after(lookMs, look);
  }

  /** A process takes connections from now on. */
  open(end: SessionEnd): void {
    if (!this.#ends.includes(end)) this.#ends.push(end);
    this.#tables.set(end, new Map());
    this.#look();
  }

  /** A process is gone, and its sockets with it. */
  close(end: SessionEnd): void {
    for (const { end: other } of this.#table(end).values()) this.#end(other, end);
    this.#tables.delete(end);
  }

  isConnected(one: SessionEnd, other: SessionEnd): boolean {
    return this.#table(one).get(other.address)?.end === other;
  }

  peers(end: SessionEnd): Peer[] {
    return [...this.#table(end)].map(([address, { role }]) => ({ address, role }));
  }

  /** A block was executed: peers may count for something else now, or for nothing. */
  review(end: SessionEnd): void {
    for (const entry of this.#table(end).values()) {
      const { address, height } = entry.hello;
      if (entry.role !== 'validator' || this.#signersOf(end, address).length > 0 || height > end.height) continue;
      if (this.#options.isOpen) entry.role = 'full';
      else this.#end(end, entry.end);
    }
  }

  #table(end: SessionEnd): Map<Address, Entry> {
    return this.#tables.get(end) ?? new Map<Address, Entry>();
  }

  #look(): void {
    const up = shuffled(
      this.#ends.filter((end) => end.isUp && this.#tables.has(end)),
      this.#options.prng,
    );
    for (const [index, one] of up.entries()) for (const other of up.slice(index + 1)) this.#meet(one, other);
  }

  #meet(one: SessionEnd, other: SessionEnd): void {
    if (one.address === other.address || this.isConnected(one, other) || !one.isUp || !other.isUp) return;
    const [first, second] = [this.#judge(one, other), this.#judge(other, one)];
    if (first === null || second === null) return void (this.#options.seen.peersRefused += 1);
    if (!this.#hasRoom(one, other) || !this.#hasRoom(other, one)) return;
    this.#table(one).set(other.address, first);
    this.#table(other).set(one.address, second);
    one.onPeerUp({ address: other.address, role: first.role });
    // The first one may have ended for what it was told.
    if (this.isConnected(other, one)) other.onPeerUp({ address: one.address, role: second.role });
  }

  /** @returns what it is taken for; null when it is refused */
  #judge(at: SessionEnd, peer: SessionEnd): Entry | null {
    const hello = peer.hello();
    const pinned = at.roster.members().some(({ address }) => address === hello.address);
    if (!pinned && !this.#options.isOpen) return null;
    const { roster } = at;
    const rules = {
      signersOf: (address: Address) => this.#signersOf(at, address),
      formerSignersOf: (address: Address) => roster.formerSignersOf(address),
      headHeight: () => at.height as Height,
    };
    try {
      return { end: peer, hello, role: roleOf(rules, { ...hello, pinned }) };
    } catch (error) {
      if (!isPrimeError(error)) throw error;
      return null;
    }
  }

  #signersOf({ roster }: SessionEnd, address: Address): readonly Address[] {
    const { dropsLeavers } = this.#options.damage;
    const hasLeft = roster.registered.some((entry) => entry.address === address && entry.status === 'left');
    return dropsLeavers === true && hasLeft ? [] : roster.signersOf(address);
  }

  /** Another process of the identity may be connected: the older one lives, or its connections would be gone. */
  #hasRoom(at: SessionEnd, peer: SessionEnd): boolean {
    const older = this.#table(at).get(peer.address)?.end;
    if (older === undefined) return true;
    if (this.#options.damage.keepsNewer === true) {
      this.#end(at, older);
      return true;
    }
    const { time, prng, note, seen } = this.#options;
    seen.identitiesInUse += 1;
    note(at.label, () => `stays with ${older.label}, refuses ${peer.label}`);
    time.after(1 + prng.below(8), () => peer.isUp && peer.onIdentityInUse({ address: at.address, role: 'validator' }));
    return false;
  }

  #end(one: SessionEnd, other: SessionEnd): void {
    for (const [end, gone] of [
      [one, other],
      [other, one],
    ] as const) {
      const entry = this.#table(end).get(gone.address);
      if (entry?.end !== gone) continue;
      this.#table(end).delete(gone.address);
      end.onPeerDown({ address: gone.address, role: entry.role });
    }
  }
}
