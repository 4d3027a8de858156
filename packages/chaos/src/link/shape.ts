/** What a link does to the bytes on it, without sockets or timers: when each piece arrives. */
export interface LinkRule {
  /** Nothing travels. */
  readonly isCut: boolean;
  readonly latencyMs: number;
  readonly jitterMs: number;
  /** 0 is no limit. */
  readonly bytesPerSecond: number;
  readonly lossPerMille: number;
  /** Most bytes that travel as one piece, 20 ms apart; 0 is no limit. */
  readonly pieceBytes: number;
}

/** The rule of a link that is not felt: neither cut, delayed, limited nor lossy. */
export const plainLink: LinkRule = {
  isCut: false,
  latencyMs: 0,
  jitterMs: 0,
  bytesPerSecond: 0,
  lossPerMille: 0,
  pieceBytes: 0,
};

/** TCP's least wait before it sends a lost segment again; it doubles while the segment is lost again. */
const retransmissionMs = 200;
const retransmissionsMax = 6;
const dribbleIntervalMs = 20;

/** Bytes that are on their way, and when they arrive, in ms of the clock that the link is given. */
export interface Piece {
  readonly bytes: Uint8Array;
  readonly dueMs: number;
}

/**
 * One direction of one connection. TCP delivers in order and loses nothing: a lost piece comes late, and all behind it with it.
 */
export class LinkShaper {
  readonly #random: () => number;
  /** When the sender's end of the link is free again. */
  #freeAtMs = 0;
  /** Nothing overtakes. */
  #lastDueMs = 0;

  /** @param random uniform in [0, 1) */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** Cuts data that enter the link now into pieces with the times at which they leave it. */
  enter(bytes: Uint8Array, nowMs: number, rule: LinkRule): Piece[] {
    const size = rule.pieceBytes === 0 ? bytes.length : rule.pieceBytes;
    const pieces: Piece[] = [];
    for (let start = 0; start < bytes.length; start += size) {
      const piece = bytes.subarray(start, start + size);
      pieces.push({ bytes: piece, dueMs: this.#dueMs(piece.length, nowMs, rule) });
    }
    return pieces;
  }

  #dueMs(length: number, nowMs: number, rule: LinkRule): number {
    const { latencyMs, jitterMs, bytesPerSecond, pieceBytes } = rule;
    const sendMs = bytesPerSecond === 0 ? 0 : (1_000 * length) / bytesPerSecond;
    this.#freeAtMs = Math.max(nowMs, this.#freeAtMs) + sendMs + (pieceBytes === 0 ? 0 : dribbleIntervalMs);
    const onTheWayMs = latencyMs + jitterMs * this.#random() + this.#lossMs(rule);
    this.#lastDueMs = Math.max(this.#lastDueMs, this.#freeAtMs + onTheWayMs);
    return this.#lastDueMs;
  }

  #lossMs({ lossPerMille }: LinkRule): number {
    let waitMs = 0;
    for (let times = 0; times < retransmissionsMax && 1_000 * this.#random() < lossPerMille; times++)
      waitMs += retransmissionMs * 2 ** times;
    return waitMs;
  }
}
