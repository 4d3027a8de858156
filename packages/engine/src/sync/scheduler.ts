/**
 * Whom to ask for which decided blocks, as a pure machine: messages and time go in, requests and bans come out, and blocks wait until
 * their turn.
 *
 * Between the own head and the highest head that is believed lies what is missing. It is asked for in ranges, several at once
 * and at most two of one peer, up to a window above the head: what arrives early is held. Nothing here is trusted: who takes the
 * held blocks proves them from the own head upward and says which one was wrong ({@link SyncScheduler.rejected}); everything
 * that came from the same peer is then thrown away and asked of others.
 *
 * A peer whose answer is late or slow is left alone for a while and the range is asked of another; one that does so again and again, while
 * others are in time, is a burden. A peer that breaks a rule that
 * an honest one can not break (a wrong block, blocks that were not asked for, a base above its head, again and again no
 * blocks where it says it has them) is banned as well. The first range is asked of a second peer when it takes long, because
 * everything else waits for it.
 */
import type { Address, Height } from '@prime/primitives';
import type { StoredBlock } from '../ports.ts';
import type { Claim } from './headWatch.ts';
import { PeerRecords } from './peerRecords.ts';

/** Blocks asked for at once. */
export const blocksPerRequest = 64;
/** Requests that one peer works on. */
const requestsPerPeer = 2;
/** Ranges between the head and the highest block that is asked for. */
const rangesMax = 16;
const windowBlocks = rangesMax * blocksPerRequest;
/** Bytes of held blocks above which only the next block is asked for. */
const heldBytesMax = 32 << 20;
/** How long a peer may take to answer, ms. */
const requestTimeoutMs = 5_000;
/** A peer that answers more slowly is left alone, unless the answer came within {@link unhurriedMs}; bytes per second. */
const rateMin = 16_384;
const unhurriedMs = 2_500;
/** How long the next block may be under way before another peer is asked for it as well, ms. */
const hedgeAfterMs = 1_000;
/** How long a peer may be one block ahead before the block is fetched, ms: the votes that decide it here are usually on their way. */
const oneBehindGraceMs = 150;

/** What the caller has to do next; the machine sends nothing itself. */
export type SyncEffect =
  | {
      readonly kind: 'request';
      readonly peer: Address;
      readonly requestId: number;
      readonly from: Height;
      readonly count: number;
    }
  | { readonly kind: 'ban'; readonly peer: Address; readonly reason: string }
  /** It broke no rule, and costs more than it gives: somebody else can have its place, unless it is needed for other things. */
  | { readonly kind: 'burden'; readonly peer: Address; readonly reason: string };

/** A block that waits for its turn, and who sent it. */
export interface ReceivedBlock {
  readonly peer: Address;
  readonly stored: StoredBlock;
}

interface Ask {
  readonly id: number;
  readonly peer: Address;
  readonly from: number;
  readonly count: number;
  readonly atMs: number;
}

interface Held extends ReceivedBlock {
  readonly bytes: number;
}

/** Has no clock and no sockets: all times are parameters, ms of a clock that does not jump. */
export class SyncScheduler {
  readonly #peers = new PeerRecords();
  #asks: Ask[] = [];
  readonly #held = new Map<number, Held>();
  #heldBytes = 0;
  #head: number;
  #nextId: number;
  /** Since when somebody is exactly one block ahead. */
  #oneBehindSinceMs: number | null = null;

  /** @param firstRequestId others follow */
  constructor(head: Height, firstRequestId: number) {
    this.#head = head;
    this.#nextId = firstRequestId;
  }

  /** Highest head that a peer claims who is believed. */
  highest(nowMs: number): Height {
    return this.#peers.highest(nowMs);
  }

  get claims(): ReadonlyMap<Address, Claim> {
    return this.#peers.claims;
  }

  /** A peer said which blocks it has. */
  onClaim(peer: Address, base: Height, head: Height, nowMs: number): SyncEffect[] {
    if (base > head + 1 || base < 1) return this.#ban(peer, 'claims a base above its head', nowMs);
    this.#peers.claim(peer, { base, head });
    return this.plan(nowMs);
  }

  onPeerGone(peer: Address, nowMs: number): SyncEffect[] {
    this.#peers.gone(peer);
    // It may leave, and come back, before a request of it runs out.
    const overdue = this.#asks.filter((ask) => ask.peer === peer && nowMs - ask.atMs > unhurriedMs);
    const burdens = this.#stalled(overdue, nowMs);
    this.#asks = this.#asks.filter((ask) => ask.peer !== peer);
    return [...burdens, ...this.plan(nowMs)];
  }

  /** @param bytes size of the answer */
  onBlocks(
    peer: Address,
    requestId: number,
    blocks: readonly StoredBlock[],
    bytes: number,
    nowMs: number,
  ): SyncEffect[] {
    const ask = this.#asks.find(({ id }) => id === requestId);
    // Late, or of a request that was given to another peer: the session has counted that it was asked for.
    if (ask === undefined || ask.peer !== peer) return [];
    this.#asks = this.#asks.filter((other) => other !== ask);
    const asked = blocks.length <= ask.count && blocks.every(({ block }, i) => block.header.height === ask.from + i);
    if (!asked) return [...this.#ban(peer, 'sent other blocks than it was asked for', nowMs), ...this.plan(nowMs)];
    if (blocks.length === 0) {
      if (this.#peers.answeredNothing(peer))
        return [...this.#ban(peer, 'claims blocks that it does not have', nowMs), ...this.plan(nowMs)];
      this.#peers.avoid(peer, 'slow', nowMs);
      return this.plan(nowMs);
    }
    const elapsedMs = nowMs - ask.atMs;
    const rate = (bytes * 1_000) / Math.max(1, elapsedMs);
    this.#hold(peer, blocks, bytes);
    if (elapsedMs <= unhurriedMs || rate >= rateMin) this.#peers.helped(peer, rate, nowMs);
    else if (this.#peers.helpedSlowly(peer, rate, ask.atMs, nowMs)) return [burden(peer), ...this.plan(nowMs)];
    return this.plan(nowMs);
  }

  /** The own head moved, by whatever way. */
  onHead(head: Height, nowMs: number): SyncEffect[] {
    this.#head = head;
    for (const height of this.#held.keys()) if (height <= head) this.#drop(height);
    return this.plan(nowMs);
  }

  /** A request could not be sent. */
  unsent(requestId: number, nowMs: number): SyncEffect[] {
    const ask = this.#asks.find(({ id }) => id === requestId);
    return ask === undefined ? [] : this.onPeerGone(ask.peer, nowMs);
  }

  /** Held blocks from the own head upward without a gap; they stay until the head moves or they are rejected. */
  ready(): readonly ReceivedBlock[] {
    const blocks: ReceivedBlock[] = [];
    for (let height = this.#head + 1; blocks.length < blocksPerRequest; height++) {
      const held = this.#held.get(height);
      if (held === undefined) break;
      blocks.push(held);
    }
    return blocks;
  }

  /** A held block was not what was decided: its sender lies. */
  rejected(peer: Address, reason: string, nowMs: number): SyncEffect[] {
    return [...this.#ban(peer, reason, nowMs), ...this.plan(nowMs)];
  }

  /** When {@link plan} is to be called even if nothing happens; null: not before something does. */
  wakeAtMs(nowMs: number): number | null {
    const times = this.#asks.map(({ atMs }) => atMs + requestTimeoutMs);
    const first = this.#asks.filter((ask) => this.#isNext(ask));
    if (first.length === 1 && first[0]!.atMs + hedgeAfterMs > nowMs) times.push(first[0]!.atMs + hedgeAfterMs);
    if (this.#oneBehindSinceMs !== null && this.#oneBehindSinceMs + oneBehindGraceMs > nowMs)
      times.push(this.#oneBehindSinceMs + oneBehindGraceMs);
    const trial = this.#peers.nextTrialMs(nowMs);
    if (trial !== null) times.push(trial);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Gives up what is late, and asks for what is missing. */
  plan(nowMs: number): SyncEffect[] {
    const effects: SyncEffect[] = this.#stalled(
      this.#asks.filter(({ atMs }) => nowMs - atMs >= requestTimeoutMs),
      nowMs,
    );
    this.#asks = this.#asks.filter(({ atMs }) => nowMs - atMs < requestTimeoutMs);
    if (this.#waitsForVotes(nowMs)) return effects;
    const last = Math.min(this.highest(nowMs), this.#head + windowBlocks);
    const firstMissing = this.#head + 1;
    for (let height = firstMissing; height <= last; ) {
      if (this.#isCovered(height)) {
        height += 1;
        continue;
      }
      // The next block is always asked for: what is held can only go when it comes.
      if (height !== firstMissing && this.#heldBytes >= heldBytesMax) break;
      const ask = this.#askFor(height, this.#missingFrom(height, last), nowMs);
      if (ask !== null) effects.push(ask);
      height += ask?.count ?? blocksPerRequest;
    }
    const hedge = this.#hedge(last, nowMs);
    return hedge === null ? effects : [...effects, hedge];
  }

  /** Requests that ran out: however many of one peer, that is one stall. */
  #stalled(asks: readonly Ask[], nowMs: number): SyncEffect[] {
    const first = new Map<Address, number>();
    for (const { peer, atMs } of asks) first.set(peer, Math.min(atMs, first.get(peer) ?? atMs));
    return [...first].filter(([peer, atMs]) => this.#peers.stalled(peer, atMs, nowMs)).map(([peer]) => burden(peer));
  }

  /** Whether somebody is one block ahead since so short a time that the block may still be decided here. */
  #waitsForVotes(nowMs: number): boolean {
    const gap = this.highest(nowMs) - this.#head;
    if (gap !== 1) {
      this.#oneBehindSinceMs = null;
      return gap <= 0;
    }
    this.#oneBehindSinceMs ??= nowMs;
    return nowMs - this.#oneBehindSinceMs < oneBehindGraceMs;
  }

  #isCovered(height: number): boolean {
    return this.#held.has(height) || this.#asks.some(({ from, count }) => from <= height && height < from + count);
  }

  #isNext({ from, count }: Ask): boolean {
    return from <= this.#head + 1 && this.#head + 1 < from + count;
  }

  /** Length of the run of missing blocks from a height on, at most a range. */
  #missingFrom(height: number, last: number): number {
    let count = 1;
    while (count < blocksPerRequest && height + count <= last && !this.#isCovered(height + count)) count += 1;
    return count;
  }

  #askFor(from: number, missing: number, nowMs: number, except?: Address) {
    const work = (peer: Address): number => this.#asks.filter((ask) => ask.peer === peer).length;
    const [peer] = this.#peers
      .withBlock(from, nowMs)
      .filter((candidate) => candidate !== except && work(candidate) < requestsPerPeer)
      .toSorted((a, b) => work(a) - work(b) || this.#peers.rate(b) - this.#peers.rate(a) || 0);
    if (peer === undefined) return null;
    const count = Math.min(missing, this.#peers.headOf(peer) - from + 1);
    const ask: Ask = { id: this.#nextId++, peer, from, count, atMs: nowMs };
    this.#asks.push(ask);
    return { kind: 'request', peer, requestId: ask.id, from: from as Height, count } as const;
  }

  #hedge(last: number, nowMs: number): SyncEffect | null {
    const first = this.#asks.filter((ask) => this.#isNext(ask));
    const [only] = first;
    if (only === undefined || first.length > 1 || nowMs - only.atMs < hedgeAfterMs) return null;
    const next = this.#head + 1;
    const count = Math.min(only.from + only.count, last + 1) - next;
    return count < 1 ? null : this.#askFor(next, count, nowMs, only.peer);
  }

  #hold(peer: Address, blocks: readonly StoredBlock[], bytes: number): void {
    const each = Math.ceil(bytes / blocks.length);
    for (const stored of blocks) {
      const { height } = stored.block.header;
      if (height <= this.#head || this.#held.has(height)) continue;
      this.#held.set(height, { peer, stored, bytes: each });
      this.#heldBytes += each;
    }
  }

  #drop(height: number): void {
    this.#heldBytes -= this.#held.get(height)?.bytes ?? 0;
    this.#held.delete(height);
  }

  #ban(peer: Address, reason: string, nowMs: number): SyncEffect[] {
    this.#peers.avoid(peer, 'lie', nowMs);
    this.#asks = this.#asks.filter((ask) => ask.peer !== peer);
    for (const [height, held] of this.#held) if (held.peer === peer) this.#drop(height);
    return [{ kind: 'ban', peer, reason }];
  }
}

const burden = (peer: Address): SyncEffect => ({
  kind: 'burden',
  peer,
  reason: 'kept requests for blocks waiting again and again, while others answered',
});
