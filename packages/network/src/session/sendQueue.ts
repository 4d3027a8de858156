import { frameKinds, type OutgoingFrame, type Priority } from '../wire/frame.ts';

interface Lane {
  frames: OutgoingFrame[];
  /** Frames before this index were shifted. */
  head: number;
}

/** Shifted places that are kept before the array is cut, so that a shift costs constant time. */
const shiftedMax = 1_024;
const gossip: Priority = 2;

/**
 * What waits for one peer, by priority: consensus and control before bodies and blocks before gossip, in order within each.
 *
 * The cap is one for all. Gossip gives way first, since every honest node will offer a transaction again and nobody is promised
 * its spread; when there is none left to drop, the peer is too slow to be of use and the caller disconnects it.
 */
export class SendQueue {
  readonly #bytesMax: number;
  readonly #lanes: readonly Lane[] = [0, 1, 2].map(() => ({ frames: [], head: 0 }));
  #bytes = 0;

  /** @param bytesMax of all frames that wait together */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /**
   * @param onEvicted called for each waiting gossip frame that gives way
   * @returns `queued`; `dropped` when it is gossip and there is no room; `overflow` when even without gossip there is none
   */
  push(frame: OutgoingFrame, onEvicted: (frame: OutgoingFrame) => void): 'queued' | 'dropped' | 'overflow' {
    const { priority } = frameKinds[frame.name];
    const size = frame.bytes.length;
    if (this.#bytes + size > this.#bytesMax) {
      if (priority === gossip) return 'dropped';
      while (this.#bytes + size > this.#bytesMax) {
        const evicted = this.#shiftLane(this.#lanes[gossip]!);
        if (evicted === null) return 'overflow';
        onEvicted(evicted);
      }
    }
    this.#lanes[priority]!.frames.push(frame);
    this.#bytes += size;
    return 'queued';
  }

  /** The next frame to write; null when empty. */
  shift(): OutgoingFrame | null {
    for (const lane of this.#lanes) {
      const frame = this.#shiftLane(lane);
      if (frame !== null) return frame;
    }
    return null;
  }

  get bytes(): number {
    return this.#bytes;
  }

  #shiftLane(lane: Lane): OutgoingFrame | null {
    const frame = lane.frames[lane.head];
    if (frame === undefined) return null;
    lane.head += 1;
    if (lane.head === lane.frames.length || lane.head > shiftedMax) {
      lane.frames = lane.frames.slice(lane.head);
      lane.head = 0;
    }
    this.#bytes -= frame.bytes.length;
    return frame;
  }
}
