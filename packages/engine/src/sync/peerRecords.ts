import type { Address, Height } from '@prime/primitives';

/** How long a peer is left alone that was of no help, ms; doubles each time until it is. */
const avoidMsMin = 2_000;
const avoidMsMax = 300_000;
/** The same for a peer that lied. */
const lieMsMin = 60_000;
/** Peers of no help that are remembered. */
const avoidedMax = 256;
/** Answers without a block in a row, of a peer that says it has them, until that is a lie and no accident. */
const emptyAnswersMax = 3;
/** Weight of the newest answer in a peer's rate, of 1. */
const rateWeight = 0.5;

interface Claim {
  readonly base: Height;
  readonly head: Height;
}

interface Avoided {
  readonly untilMs: number;
  readonly forMs: number;
}

/**
 * What is known about the peers that blocks may come from: what they claim to have, how fast they were, and who is left alone for
 * now. What is held against a peer survives its connection, or it would begin anew with each.
 */
export class PeerRecords {
  readonly #claims = new Map<Address, Claim>();
  readonly #avoided = new Map<Address, Avoided>();
  readonly #rates = new Map<Address, number>();
  readonly #emptyAnswers = new Map<Address, number>();

  claim(peer: Address, claim: Claim): void {
    this.#claims.set(peer, claim);
  }

  gone(peer: Address): void {
    this.#claims.delete(peer);
    this.#rates.delete(peer);
    this.#emptyAnswers.delete(peer);
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

  /** It sent blocks. What is held against it is forgotten, unless they came too slowly. */
  helped(peer: Address, bytesPerSecond: number, tooSlow: boolean, nowMs: number): void {
    const before = this.#rates.get(peer) ?? bytesPerSecond;
    if (this.#claims.has(peer)) this.#rates.set(peer, rateWeight * bytesPerSecond + (1 - rateWeight) * before);
    this.#emptyAnswers.delete(peer);
    if (tooSlow) this.avoid(peer, 'slow', nowMs);
    else this.#avoided.delete(peer);
  }

  /** @returns whether it happened too often */
  answeredNothing(peer: Address): boolean {
    const count = (this.#emptyAnswers.get(peer) ?? 0) + 1;
    this.#emptyAnswers.set(peer, count);
    return count >= emptyAnswersMax;
  }

  isAvoided(peer: Address, nowMs: number): boolean {
    return (this.#avoided.get(peer)?.untilMs ?? 0) > nowMs;
  }

  /** End of the earliest wait that is still under way; null when nobody is avoided. */
  nextTrialMs(nowMs: number): number | null {
    let next: number | null = null;
    for (const [peer, { untilMs }] of this.#avoided)
      if (untilMs > nowMs && this.#claims.has(peer)) next = Math.min(next ?? untilMs, untilMs);
    return next;
  }

  /** Leaves a peer alone for a while. */
  avoid(peer: Address, why: 'slow' | 'lie', nowMs: number): void {
    const before = this.#avoided.get(peer);
    const least = why === 'lie' ? lieMsMin : avoidMsMin;
    const forMs = before === undefined ? least : Math.min(avoidMsMax, Math.max(least, 2 * before.forMs));
    this.#avoided.delete(peer);
    this.#avoided.set(peer, { untilMs: nowMs + forMs, forMs });
    const [oldest] = this.#avoided.keys();
    if (this.#avoided.size > avoidedMax && oldest !== undefined) this.#avoided.delete(oldest);
  }
}
