import type { ChannelName } from './wire/frame.ts';

/** What one peer may send on a channel; a second's worth may come at once, and bursts are paid back before reading goes on. */
export interface ChannelRate {
  readonly framesPerSecond: number;
  readonly bytesPerSecond: number;
}

const second = 1_000;
const minute = 60 * second;
const mebibyte = 1 << 20;

/** Every bound of the transport, with the values of what {@link NetworkOptions.limits} leaves out; all times in ms, and the reasons stand beside. */
export const defaultLimits = {
  /** Authenticated inbound connections. */
  inboundMax: 128,
  /** Inbound connections, authenticated or not, from one address. */
  inboundPerIpMax: 8,
  /** The same from loopback, where a whole test network lives. */
  // 16 validators that all dial each other are 15 connections; the rest is for restarts and followers.
  inboundPerLoopbackMax: 64,
  /** Inbound connections that did not prove who they are yet. */
  unauthenticatedMax: 16,
  /** From accepting a connection (or from the end of TLS where this node dialled) to a verified Hello. */
  handshakeTimeoutMs: 2 * second,
  /** From dialling to the end of TLS. */
  connectTimeoutMs: 5 * second,
  pingIntervalMs: 5 * second,
  /** Nothing received, or nothing taken from the socket's buffer, for so long ends the connection. */
  deadAfterMs: 15 * second,
  /** Frames that wait for one peer, bytes. */
  sendQueueBytesMax: 8 * mebibyte,
  /** First wait before dialling again; doubles with each failure. */
  reconnectMinMs: 100,
  // The chain has to go on within 10 s after a partition heals: half of it for finding each other again.
  reconnectMaxMs: 5 * second,
  /** A follower's ban. */
  banMs: 60 * minute,
  /** A validator's first ban; doubles with each further offence. */
  validatorBanMs: 30 * second,
  validatorBanMsMax: 15 * minute,
  /** How long {@link Network.close} waits for goodbyes to be delivered. */
  closeTimeoutMs: 500,
  rates: {
    // A ping each 5 s and its pong.
    control: { framesPerSecond: 20, bytesPerSecond: 4_096 },
    // 100 validators at 20 blocks/s make 4 000 votes/s, and the relay of certificates comes on top.
    consensus: { framesPerSecond: 10_000, bytesPerSecond: 16 * mebibyte },
    bodies: { framesPerSecond: 2_000, bytesPerSecond: 64 * mebibyte },
    transactions: { framesPerSecond: 2_000, bytesPerSecond: 32 * mebibyte },
    sync: { framesPerSecond: 200, bytesPerSecond: 64 * mebibyte },
  } satisfies Readonly<Record<ChannelName, ChannelRate>>,
};

/** Bounds of the transport; {@link defaultLimits} says what each is. */
export type NetworkLimits = Readonly<typeof defaultLimits>;

const isLoopback = (ip: string): boolean => ip === '::1' || /^(?:::ffff:)?127\./.test(ip);

/** How many connections may come from an address. */
export const inboundMaxFrom = (limits: NetworkLimits, ip: string): number =>
  isLoopback(ip) ? limits.inboundPerLoopbackMax : limits.inboundPerIpMax;
