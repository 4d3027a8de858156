import { type ChannelName, channelNames, type FrameName, frameKinds } from './wire/frame.ts';
import type { NetworkErrorCode } from './errors.ts';

/** Bytes on the wire, heads of frames included. */
export interface Traffic {
  readonly frames: number;
  readonly bytes: number;
}

/** Why a frame was not delivered although the connection is fine. */
export type DropReason =
  /** Gossip, and the peer's queue is full. */
  | 'queue'
  /** Received gossip above the channel's rate. */
  | 'rate'
  /** Blocks that nobody asked for. */
  | 'unsolicited'
  /** An own message that does not fit its frame. */
  | 'oversize';

/** Counters since start, for the metrics endpoint. */
export interface NetworkCounters {
  readonly received: Readonly<Record<ChannelName, Traffic>>;
  readonly sent: Readonly<Record<ChannelName, Traffic>>;
  readonly dropped: Readonly<Record<DropReason, number>>;
  /** Connections that did not become a peer, by error code. */
  readonly refused: Readonly<Partial<Record<NetworkErrorCode, number>>>;
  /** Connections to peers that ended, by error code. */
  readonly disconnected: Readonly<Partial<Record<NetworkErrorCode, number>>>;
  readonly dials: number;
  /** Times that reading from a peer was paused because it sent faster than a channel's rate. */
  readonly pauses: number;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type TrafficTable = Record<ChannelName, Mutable<Traffic>>;

/** The writing side of {@link NetworkCounters}. */
export interface Counters {
  received(name: FrameName, bytes: number): void;
  sent(name: FrameName, bytes: number): void;
  dropped(reason: DropReason): void;
  refused(code: NetworkErrorCode): void;
  disconnected(code: NetworkErrorCode): void;
  dialled(): void;
  paused(): void;
  snapshot(): NetworkCounters;
}

const emptyTraffic = (): TrafficTable =>
  Object.fromEntries(channelNames.map((name) => [name, { frames: 0, bytes: 0 }])) as TrafficTable;

/** All at zero. */
export function createCounters(): Counters {
  const received = emptyTraffic();
  const sent = emptyTraffic();
  const dropped: Record<DropReason, number> = { queue: 0, rate: 0, unsolicited: 0, oversize: 0 };
  const refused: Partial<Record<NetworkErrorCode, number>> = {};
  const disconnected: Partial<Record<NetworkErrorCode, number>> = {};
  let dials = 0;
  let pauses = 0;
  const count = (table: TrafficTable, name: FrameName, bytes: number): void => {
    const traffic = table[frameKinds[name].channel];
    traffic.frames += 1;
    traffic.bytes += bytes;
  };
  return {
    received: (name, bytes) => count(received, name, bytes),
    sent: (name, bytes) => count(sent, name, bytes),
    dropped(reason) {
      dropped[reason] += 1;
    },
    refused(code) {
      refused[code] = (refused[code] ?? 0) + 1;
    },
    disconnected(code) {
      disconnected[code] = (disconnected[code] ?? 0) + 1;
    },
    dialled() {
      dials += 1;
    },
    paused() {
      pauses += 1;
    },
    snapshot: () => structuredClone({ received, sent, dropped, refused, disconnected, dials, pauses }),
  };
}
