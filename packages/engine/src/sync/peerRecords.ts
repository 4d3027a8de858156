import type { Address, Height } from '@prime/primitives';
import type { Claim } from './headWatch.ts';

/** How long a peer is left alone that was of no help, ms; doubles each time until it is. */
const avoidMsMin = 2_000;
const avoidMsMax = 300_000;
/** The same for a peer that lied. */
const lieMsMin = 60_000;
/** The same for a peer that is a burden: as long as a first ban lasts. */
const burdenMsMin = 30_000;
/** Requests that a peer kept waiting, less those that it answered in good time, until that is a burden and no accident. */
const stallsMax = 5;
/** Peers of no help that are remembered. */
const grudgesMax = 256;
/** Answers without a block in a row, of a peer that says it has them, until that is a lie and no accident. */
const emptyAnswersMax = 3;
/** Weight of the newest answer in a peer's rate, of 1. */
const rateWeight = 0.5;

const leastMs = { slow: avoidMsMin, burden: burdenMsMin, lie: lieMsMin };

/** What is held against a peer. */
interface Grudge {
  /** Until when it is left alone. */
  readonly untilMs: number;
  /** How long that is; 0 after it was of help. */
  readonly forMs: number;
  readonly stalls: number;
  /** When a request was found waiting too long the last time. */
  readonly stalledMs: number;
}

const noGrudge: Grudge = { untilMs: 0, forMs: 0, stalls: 0, stalledMs: Number.NEGATIVE_INFINITY };

/**
 * What is known about the peers that blocks may come from: what they claim to have, how fast they were, and who is left alone for
 * now. What is held against a peer survives its connection, or it would begin anew with each.
 */
export class PeerRecords {
  readonly #claims = new Map<Address, Claim>();
  readonly #grudges = new Map<Address, Grudge>();
  /** When a peer that is here answered in good time the last time. */
  readonly #helpedMs = new Map<Address, number>();
  readonly #rates = new Map<Address, number>();
  readonly #emptyAnswers = new Map<Address, number>();

  claim(peer: Address, claim: Claim): void {
    this.#claims.set(peer, claim);
  }

  gone(peer: Address): void {
    this.#claims.delete(peer);
    this.#rates.delete(peer);
    this.#emptyAnswers.delete(peer);
    this.#helpedMs.delete(peer);
  }

  /** Of the peers that are here. */
  get claims(): ReadonlyMap<Address, Claim> {
    return this.#claims;
  }

  /** Highest head that a peer claims who is believed. */
  highest(nowMs: number): Height {
    let highest = 0;
    for (const [peer, { head }] of this.#claims) if (!this.isAvoided(peer, nowMs)) highest = Math.max(highest, head);
    return highest as Height;
  }

  /** Peers that are believed to have a block, in the order in which they came. */
  withBlock(height: number, nowMs: number): readonly Address[] {
    return [...this.#claims]
      .filter(([peer, { base, head }]) => base <= height && height <= head && !this.isAvoided(peer, nowMs))
      .map(([peer]) => peer);
  }

  headOf(peer: Address): Height {
    return this.#claims.get(peer)?.head ?? (0 as Height);
  }

  /** Bytes per second of the latest answers; infinite before the first, so that each gets a try. */
  rate(peer: Address): number {
    return this.#rates.get(peer) ?? Number.POSITIVE_INFINITY;
  }

  /** It sent blocks, in good time. It is not left alone any more, and one stall is forgotten. */
  helped(peer: Address, bytesPerSecond: number, nowMs: number): void {
    this.#answered(peer, bytesPerSecond);
    if (this.#claims.has(peer)) this.#helpedMs.set(peer, nowMs);
    const stalls = (this.#grudges.get(peer)?.stalls ?? 0) - 1;
    if (stalls > 0) this.#hold(peer, { ...noGrudge, stalls });
    else this.#grudges.delete(peer);
  }

  /** It sent blocks, too slowly. @returns as {@link stalled} */
  helpedSlowly(peer: Address, bytesPerSecond: number, askedMs: number, nowMs: number): boolean {
    this.#answered(peer, bytesPerSecond);
    return this.stalled(peer, askedMs, nowMs);
  }

  /**
   * A request was not answered in good time: the peer is left alone for a while. That counts as a stall if another peer was in time meanwhile; else the own link
   * or the own processor may be what is slow. A request that waited already when another one was found late is of the same accident.
   *
   * @param askedMs when it was asked
   * @returns whether it is a burden: that happened again and again
   */
  stalled(peer: Address, askedMs: number, nowMs: number): boolean {
    if (askedMs <= (this.#grudges.get(peer) ?? noGrudge).stalledMs) return false;
    this.avoid(peer, 'slow', nowMs);
    const grudge = { ...this.#grudges.get(peer)!, stalledMs: nowMs };
    this.#hold(peer, grudge);
    const isOwnFault = ![...this.#helpedMs].some(([other, atMs]) => other !== peer && atMs >= askedMs);
    if (isOwnFault) return false;
    const stalls = grudge.stalls + 1;
    this.#hold(peer, { ...grudge, stalls: stalls < stallsMax ? stalls : 0 });
    if (stalls < stallsMax) return false;
    this.avoid(peer, 'burden', nowMs);
    return true;
  }

  #answered(peer: Address, bytesPerSecond: number): void {
    const before = this.#rates.get(peer) ?? bytesPerSecond;
    if (this.#claims.has(peer)) this.#rates.set(peer, rateWeight * bytesPerSecond + (1 - rateWeight) * before);
    this.#emptyAnswers.delete(peer);
  }

  /** @returns whether it happened too often */
  answeredNothing(peer: Address): boolean {
    const count = (this.#emptyAnswers.get(peer) ?? 0) + 1;
    this.#emptyAnswers.set(peer, count);
    return count >= emptyAnswersMax;
  }

  isAvoided(peer: Address, nowMs: number): boolean {
    return (this.#grudges.get(peer)?.untilMs ?? 0) > nowMs;
  }

  /** End of the earliest wait that is still under way; null when nobody is avoided. */
  nextTrialMs(nowMs: number): number | null {
    let next: number | null = null;
    for (const [peer, { untilMs }] of this.#grudges)
      if (untilMs > nowMs && this.#claims.has(peer)) next = Math.min(next ?? untilMs, untilMs);
    return next;
  }

  /** Leaves a peer alone for a while: twice as long as the last time, if it was of no help since. */
  avoid(peer: Address, why: keyof typeof leastMs, nowMs: number): void {
    const before = this.#grudges.get(peer) ?? noGrudge;
    const forMs = Math.min(avoidMsMax, Math.max(leastMs[why], 2 * before.forMs));
    this.#hold(peer, { ...before, untilMs: nowMs + forMs, forMs });
  }

  #hold(peer: Address, grudge: Grudge): void {
    this.#grudges.delete(peer);
    this.#grudges.set(peer, grudge);
    const [oldest] = this.#grudges.keys();
    if (this.#grudges.size > grudgesMax && oldest !== undefined) this.#grudges.delete(oldest);
  }
}
