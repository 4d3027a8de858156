import type { TLSSocket } from 'node:tls';
import type { Clock } from '@prime/engine';
import type { Counters } from '../counters.ts';
import { isBannable, NetworkError, type NetworkErrorDetail } from '../errors.ts';
import {
  type ChannelName,
  channelNames,
  FrameReader,
  encodeFrame,
  type FrameName,
  frameKinds,
  type IncomingFrame,
  type OutgoingFrame,
} from '../wire/frame.ts';
import type { NetworkLimits } from '../limits.ts';
import { SendQueue } from './sendQueue.ts';
import { createTokenBucket, type TokenBucket } from './tokenBucket.ts';

const byeReasons = ['closing', 'duplicate', 'refused', 'violation', 'inUse'] as const;
/** Why the other end is left, in one byte of the `bye` frame: its place in the list, which only grows. */
export type ByeReason = (typeof byeReasons)[number];

/** @returns the reason, `unknown` for a number of a later version */
export const byeReasonOf = (payload: Uint8Array): ByeReason | 'unknown' => byeReasons[payload[0] ?? -1] ?? 'unknown';

/** The socket, its bounds, and whom the connection tells. The socket is past TLS. */
export interface ConnectionOptions {
  readonly socket: TLSSocket;
  readonly limits: NetworkLimits;
  readonly clock: Clock;
  readonly counters: Counters;
  /** Pings are answered here as well. @throws NetworkError to end the connection with it */
  readonly onFrame: (frame: IncomingFrame) => void;
  readonly onDropped: (frame: FrameName, reason: 'queue' | 'rate') => void;
  /** Called exactly once, synchronously with the cause. */
  readonly onClose: (error: NetworkError) => void;
}

function byeFor(error: NetworkError): ByeReason {
  if (error.code === 'NETWORK_DUPLICATE') return 'duplicate';
  return isBannable(error) ? 'violation' : 'refused';
}

/** Bytes handed to the socket before waiting for it: enough to keep it busy, little enough not to hold up a vote. */
const socketBytesMax = 64 * 1024;
/** Who answered a question so short a time ago needs no other one to show that it lives: however many ask, it is asked this often, ms. */
const aliveMs = 250;
/** After a silence that looks deadly: time to read what arrived while this process itself was stopped or busy. */
const graceMs = 250;

interface Probe {
  /** Number of the ping that it waits for, or of a later one. */
  readonly fromId: number;
  readonly cancel: () => void;
  readonly onVerdict: (isAlive: boolean) => void;
}

type Buckets = Record<ChannelName, { readonly frames: TokenBucket; readonly bytes: TokenBucket }>;

const networkError = (detail: NetworkErrorDetail, message: string): NetworkError => new NetworkError(message, detail);

/**
 * Frames over one TLS socket: priority and bounds on the way out, rates and bounds on the way in, and the watch over its life. Knows
 * nothing of identities.
 *
 * Out: frames wait in the own queue and not in the socket, which gets at most {@link socketBytesMax} at a time. So a vote overtakes
 * everything that waits; in front of it are only the rest of the frame that is being written and what the kernel holds.
 *
 * In: what is above a channel's rate is dropped where loss is allowed (gossip) and else delayed by not reading, so that a fast
 * peer feels TCP's own brake and no vote is lost.
 */
export class Connection {
  /** Resolves when the socket is closed. */
  readonly closed: Promise<void>;
  readonly #options: ConnectionOptions;
  readonly #queue;
  readonly #reader = new FrameReader();
  readonly #buckets: Buckets;
  #over = false;
  #writing: { readonly bytes: Uint8Array; offset: number } | null = null;
  #flushScheduled = false;
  #paused = false;
  #lastReceivedMs: number;
  #lastProgressMs: number;
  #nextPingMs: number;
  #pingId = 0;
  #pingSentMs: number | null = null;
  #cancelWatch: () => void = () => undefined;
  #cancelResume: () => void = () => undefined;
  /** Who waits for an answer to a ping, from its number on. */
  #probes: Probe[] = [];
  #lastPongMs = Number.NEGATIVE_INFINITY;
  #rttMs: number | null = null;

  /** Takes the socket over: it reads from now on, and pings. */
  constructor(options: ConnectionOptions) {
    const { limits, clock, socket } = options;
    this.#options = options;
    this.#queue = new SendQueue(limits.sendQueueBytesMax);
    this.#buckets = Object.fromEntries(
      channelNames.map((name) => {
        const { framesPerSecond, bytesPerSecond } = limits.rates[name];
        return [name, { frames: createTokenBucket(framesPerSecond), bytes: createTokenBucket(bytesPerSecond) }];
      }),
    ) as Buckets;
    const nowMs = clock.monotonicMs();
    this.#lastReceivedMs = nowMs;
    this.#lastProgressMs = nowMs;
    this.#nextPingMs = nowMs + limits.pingIntervalMs;
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    const lost = (reason: string): void =>
      this.close(networkError({ code: 'NETWORK_CONNECTION_FAILED', reason }, `connection lost: ${reason}`));
    socket.setNoDelay(true);
    socket.on('error', (error: NodeJS.ErrnoException) => lost(error.code ?? error.message));
    socket.on('close', () => lost('closed by the other end'));
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#armWatch();
  }

  get queueBytes(): number {
    return this.#queue.bytes + (this.#writing === null ? 0 : this.#writing.bytes.length - this.#writing.offset);
  }

  /** Latest round trip of a ping, ms; null before the first pong. */
  get rttMs(): number | null {
    return this.#rttMs;
  }

  /** When anything came from the other end, on the monotonic clock. */
  get lastReceivedMs(): number {
    return this.#lastReceivedMs;
  }

  /** @returns false when the frame was dropped or the connection is over */
  send(frame: OutgoingFrame): boolean {
    if (this.#over) return false;
    const outcome = this.#queue.push(frame, (evicted) => this.#options.onDropped(evicted.name, 'queue'));
    if (outcome === 'dropped') {
      this.#options.onDropped(frame.name, 'queue');
      return false;
    }
    if (outcome === 'overflow') {
      const { bytes } = this.#queue;
      this.close(networkError({ code: 'NETWORK_QUEUE_OVERFLOW', bytes }, `${bytes} bytes wait for a slow peer`));
      return false;
    }
    // A microtask later, so that messages that are sent together leave in one write.
    if (!this.#flushScheduled) {
      this.#flushScheduled = true;
      queueMicrotask(() => {
        this.#flushScheduled = false;
        this.#flush();
      });
    }
    return true;
  }

  get isOver(): boolean {
    return this.#over;
  }

  /**
   * Asks whether the other end lives, and ends the connection if it does not answer within `timeoutMs`.
   *
   * @param onVerdict called once: whether it answered
   */
  probe(timeoutMs: number, onVerdict: (isAlive: boolean) => void = () => undefined): void {
    const { clock } = this.#options;
    if (this.#over) return onVerdict(false);
    if (clock.monotonicMs() - this.#lastPongMs < aliveMs) return onVerdict(true);
    // One question at a time is enough for all who ask. What arrives meanwhile proves nothing: it may have been on its way for long.
    if (this.#probes.length === 0) this.#ping();
    const cancel = clock.after(timeoutMs, () => this.#dead('silent', timeoutMs));
    this.#probes.push({ fromId: this.#pingId, cancel, onVerdict });
  }

  #endProbes(isAlive: boolean): void {
    const probes = this.#probes;
    this.#probes = [];
    for (const { cancel, onVerdict } of probes) {
      cancel();
      onVerdict(isAlive);
    }
  }

  /**
   * Ends the connection; only the first call has an effect.
   *
   * @param bye reason code that is still sent; without one the socket is destroyed at once
   */
  close(error: NetworkError, bye?: ByeReason): void {
    if (this.#over) return;
    this.#over = true;
    this.#cancelWatch();
    this.#cancelResume();
    const { socket, clock, limits } = this.#options;
    // A frame that is half written would make the goodbye unreadable.
    if (bye === undefined || this.#writing !== null || !socket.writable) socket.destroy();
    else {
      const cancel = clock.after(limits.closeTimeoutMs, () => socket.destroy());
      socket.once('close', cancel);
      socket.end(encodeFrame('bye', Uint8Array.of(byeReasons.indexOf(bye))).bytes);
      // What still comes in is discarded; unread it would hold back the end of the stream.
      socket.resume();
    }
    this.#options.onClose(error);
    this.#endProbes(false);
  }

  #flush(): void {
    const { socket, counters, clock } = this.#options;
    if (this.#over || socket.writableLength >= socketBytesMax) return;
    if (socket.writableLength === 0) this.#lastProgressMs = clock.monotonicMs();
    let isCorked = false;
    while (socket.writableLength < socketBytesMax) {
      if (this.#writing === null) {
        const frame = this.#queue.shift();
        if (frame === null) break;
        counters.sent(frame.name, frame.bytes.length);
        this.#writing = { bytes: frame.bytes, offset: 0 };
      }
      const { bytes, offset } = this.#writing;
      // Several leave in one write; a lone small one, which most are, does not take the longer way that this needs.
      if (!isCorked && (this.#queue.bytes > 0 || bytes.length - offset > socketBytesMax)) {
        socket.cork();
        isCorked = true;
      }
      // In slices: each that the kernel takes shows that a slow peer is alive.
      const end = Math.min(bytes.length, offset + socketBytesMax);
      socket.write(offset === 0 && end === bytes.length ? bytes : bytes.subarray(offset, end), this.#onWritten);
      if (end === bytes.length) this.#writing = null;
      else this.#writing.offset = end;
    }
    if (isCorked) socket.uncork();
  }

  readonly #onWritten = (error?: Error | null): void => {
    if (error != null || this.#over) return;
    this.#lastProgressMs = this.#options.clock.monotonicMs();
    if (this.#writing !== null || this.#queue.bytes > 0) this.#flush();
  };

  #receive(chunk: Buffer): void {
    if (this.#over) return;
    this.#lastReceivedMs = this.#options.clock.monotonicMs();
    // A plain view: slices of a Buffer are slower to make, and the decoders must not know of it.
    this.#reader.push(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length));
    this.#pump();
  }

  #pump(): void {
    try {
      while (!this.#over && !this.#paused) {
        const frame = this.#reader.next();
        if (frame === null) return;
        this.#take(frame);
      }
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      this.close(error, byeFor(error));
    }
  }

  #take(frame: IncomingFrame): void {
    const { counters, clock, onFrame, onDropped } = this.#options;
    const nowMs = clock.monotonicMs();
    const { channel } = frameKinds[frame.name];
    const { frames, bytes } = this.#buckets[channel];
    const size = frame.payload.length;
    counters.received(frame.name, size + 6);
    const within = [frames.take(nowMs, 1), bytes.take(nowMs, size)].every(Boolean);
    if (channel === 'control') {
      if (!within) throw networkError({ code: 'NETWORK_FLOOD', channel }, 'too many control frames');
      onFrame(frame);
      // Answered only after the owner of the connection had a chance to refuse it.
      if (frame.name === 'ping') this.send(encodeFrame('pong', new Uint8Array(frame.payload)));
      if (frame.name === 'pong') this.#pong(frame.payload);
      return;
    }
    if (channel === 'transactions') {
      if (!within) return onDropped(frame.name, 'rate');
    } else {
      const debtMs = Math.max(frames.debtMs(nowMs), bytes.debtMs(nowMs));
      if (debtMs > 0) this.#pause(debtMs);
    }
    onFrame(frame);
  }

  #pause(forMs: number): void {
    const { socket, clock, counters } = this.#options;
    counters.paused();
    this.#paused = true;
    socket.pause();
    this.#cancelResume = clock.after(forMs, () => {
      this.#paused = false;
      // The silence was of this end's making.
      this.#lastReceivedMs = clock.monotonicMs();
      socket.resume();
      this.#pump();
    });
  }

  #ping(): void {
    this.#pingId = (this.#pingId + 1) >>> 0;
    this.#pingSentMs = this.#options.clock.monotonicMs();
    const payload = new Uint8Array(4);
    new DataView(payload.buffer).setUint32(0, this.#pingId);
    this.send(encodeFrame('ping', payload));
  }

  #pong(payload: Uint8Array): void {
    const id = payload.length === 4 ? new DataView(payload.buffer, payload.byteOffset).getUint32(0) : -1;
    const [probe] = this.#probes;
    if (probe !== undefined && id >= probe.fromId && id <= this.#pingId) this.#endProbes(true);
    // Late or made up: it proves life like any frame, and measures nothing.
    if (id !== this.#pingId || this.#pingSentMs === null) return;
    this.#lastPongMs = this.#options.clock.monotonicMs();
    this.#rttMs = this.#lastPongMs - this.#pingSentMs;
    this.#pingSentMs = null;
  }

  #deathMs(): number {
    const { limits, socket } = this.#options;
    const silentMs = this.#paused ? Number.POSITIVE_INFINITY : this.#lastReceivedMs;
    const stalledMs = socket.writableLength === 0 ? Number.POSITIVE_INFINITY : this.#lastProgressMs;
    return Math.min(silentMs, stalledMs) + limits.deadAfterMs;
  }

  #armWatch(): void {
    const { clock } = this.#options;
    const delayMs = Math.max(1, Math.min(this.#nextPingMs, this.#deathMs()) - clock.monotonicMs());
    this.#cancelWatch = clock.after(delayMs, () => this.#watch());
  }

  #watch(): void {
    const { clock, limits } = this.#options;
    const nowMs = clock.monotonicMs();
    if (nowMs >= this.#deathMs()) {
      // A last question: after a pause of this process no ping may have gone out in time.
      this.#ping();
      this.#cancelWatch = clock.after(graceMs, () => {
        if (clock.monotonicMs() < this.#deathMs()) return this.#armWatch();
        const silent = clock.monotonicMs() - this.#lastReceivedMs >= limits.deadAfterMs;
        return this.#dead(silent ? 'silent' : 'stalled', limits.deadAfterMs);
      });
      return;
    }
    if (nowMs >= this.#nextPingMs) {
      this.#nextPingMs = nowMs + limits.pingIntervalMs;
      this.#ping();
    }
    this.#armWatch();
  }

  #dead(reason: 'silent' | 'stalled', timeoutMs: number): void {
    this.close(networkError({ code: 'NETWORK_PEER_DEAD', reason, timeoutMs }, `peer is ${reason} for ${timeoutMs} ms`));
  }
}
