import type { ChannelName } from './wire/frame.ts';

/** What one peer may send on a channel; a second's worth may come at once, and bursts are paid back before reading goes on. */
export interface ChannelRate {
  readonly framesPerSecond: number;
  readonly bytesPerSecond: number;
}

/** Every bound of the transport; all times in ms. */
export interface NetworkLimits {
  /** Authenticated inbound connections. */
  readonly inboundMax: number;
  /** Inbound connections, authenticated or not, from one address. */
  readonly inboundPerIpMax: number;
  /** The same from loopback, where a whole test network lives. */
  readonly inboundPerLoopbackMax: number;
  /** Inbound connections that did not prove who they are yet. */
  readonly unauthenticatedMax: number;
  /** From accepting a connection (or from the end of TLS where this node dialled) to a verified Hello. */
  readonly handshakeTimeoutMs: number;
  /** From dialling to the end of TLS. */
  readonly connectTimeoutMs: number;
  readonly pingIntervalMs: number;
  /** Nothing received, or nothing taken from the socket's buffer, for so long ends the connection. */
  readonly deadAfterMs: number;
  /** Frames that wait for one peer, bytes. */
  readonly sendQueueBytesMax: number;
  /** First wait before dialling again; doubles with each failure. */
  readonly reconnectMinMs: number;
  readonly reconnectMaxMs: number;
  /** A follower's ban. */
  readonly banMs: number;
  /** A validator's first ban; doubles with each further offence. */
  readonly validatorBanMs: number;
  readonly validatorBanMsMax: number;
  /** How long {@link Network.close} waits for goodbyes to be delivered. */
  readonly closeTimeoutMs: number;
  readonly rates: Readonly<Record<ChannelName, ChannelRate>>;
}

const second = 1_000;
const minute = 60 * second;
const mebibyte = 1 << 20;

/** Values of what {@link NetworkOptions.limits} leaves out; the reasons stand beside them. */
export const defaultLimits: NetworkLimits = {
  inboundMax: 128,
  inboundPerIpMax: 8,
  // 16 validators that all dial each other are 15 connections; the rest is for restarts and followers.
  inboundPerLoopbackMax: 64,
  unauthenticatedMax: 16,
  handshakeTimeoutMs: 2 * second,
  connectTimeoutMs: 5 * second,
  pingIntervalMs: 5 * second,
  deadAfterMs: 15 * second,
  sendQueueBytesMax: 8 * mebibyte,
  reconnectMinMs: 100,
  // The chain has to go on within 10 s after a partition heals: half of it for finding each other again.
  reconnectMaxMs: 5 * second,
  banMs: 60 * minute,
  validatorBanMs: 30 * second,
  validatorBanMsMax: 15 * minute,
  closeTimeoutMs: 500,
  rates: {
    // A ping each 5 s and its pong.
    control: { framesPerSecond: 20, bytesPerSecond: 4_096 },
    // 100 validators at 20 blocks/s make 4 000 votes/s, and the relay of certificates comes on top.
    consensus: { framesPerSecond: 10_000, bytesPerSecond: 16 * mebibyte },
    bodies: { framesPerSecond: 2_000, bytesPerSecond: 64 * mebibyte },
    transactions: { framesPerSecond: 2_000, bytesPerSecond: 32 * mebibyte },
    sync: { framesPerSecond: 200, bytesPerSecond: 64 * mebibyte },
  },
};

const isLoopback = (ip: string): boolean => ip === '::1' || /^(?:::ffff:)?127\./.test(ip);

/** How many connections may come from an address. */
export const inboundMaxFrom = (limits: NetworkLimits, ip: string): number =>
  isLoopback(ip) ? limits.inboundPerLoopbackMax : limits.inboundPerIpMax;
