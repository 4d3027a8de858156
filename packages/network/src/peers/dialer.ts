import { connect, type TLSSocket } from 'node:tls';
import type { Clock } from '@prime/engine';
import type { Address } from '@prime/primitives';
import { NetworkError } from '../errors.ts';
import type { PinnedPeer } from '../wire/hello.ts';
import type { NetworkLimits } from '../limits.ts';
import type { TlsSettings } from '../session/tlsOptions.ts';

/** A peer of the configured list and where it is dialled; the place proves nothing and may be a proxy. */
export interface ListedPeer extends PinnedPeer {
  readonly host: string;
  readonly port: number;
}

/** `all` listed peers, only the `lower` one of a pair dials, or `none`. */
export type DialPolicy = 'all' | 'lower' | 'none';

/**
 * Keeps one connection to each listed peer: dials, and dials again with growing waits while it fails.
 *
 * When both ends of a pair may dial, the one with the higher address waits {@link NetworkLimits.reconnectMinMs} longer each time: it
 * is the spare, and simultaneous dials, of which one would be thrown away, become rare.
 */
export interface Dialer {
  start(): void;
  /** A connection to the peer exists: no need to dial. */
  connected(address: Address): void;
  /** The connection ended after so long: soon try again. */
  disconnected(address: Address, livedMs: number): void;
  /** These are to be connected from now on, and no others. */
  follow(peers: readonly ListedPeer[]): void;
  close(): void;
}

/** Whom to dial, how patiently, and who takes the sockets. */
export interface DialerOptions {
  readonly self: Address;
  readonly peers: readonly ListedPeer[];
  readonly policy: DialPolicy;
  readonly tls: TlsSettings;
  readonly limits: NetworkLimits;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly bannedUntil: (address: Address) => number | null;
  /** Whether the peer is connected already. */
  readonly isConnected: (address: Address) => boolean;
  readonly onDial: () => void;
  /** TLS is done. @throws NetworkError when the connection is refused */
  readonly onSocket: (socket: TLSSocket, peer: ListedPeer) => void;
  readonly onFailed: (peer: ListedPeer, error: NetworkError) => void;
}

/** A connection that lived so long worked: waits start from the shortest again. */
const stableMs = 1_000;
/** Whether a ban is over is looked at this often at least: no timer lasts as long as an operator's ban may. */
const banLookMs = 3_600_000;

interface Target {
  readonly peer: ListedPeer;
  /** Since the last stable connection. */
  failedAttempts: number;
  connected: boolean;
  cancelWait: () => void;
  cancelDial: () => void;
}

/** Dials nobody before it is started. */
export function createDialer(options: DialerOptions): Dialer {
  const { self, policy, limits, clock } = options;
  const dialled = (peer: ListedPeer): boolean => policy === 'all' || (policy === 'lower' && self < peer.address);
  const targets = new Map<Address, Target>();
  const add = (peer: ListedPeer): Target => {
    const idle = (): void => undefined;
    const target: Target = { peer, failedAttempts: 0, connected: false, cancelWait: idle, cancelDial: idle };
    targets.set(peer.address, target);
    return target;
  };
  for (const peer of options.peers) if (dialled(peer)) add(peer);
  let closed = false;
  let started = false;

  const spareMs = (target: Target): number => (self < target.peer.address ? 0 : limits.reconnectMinMs);
  const wait = (target: Target, delayMs: number): void => {
    if (closed || target.connected) return;
    target.cancelWait();
    target.cancelWait = clock.after(delayMs, () => dial(target));
  };
  const retry = (target: Target): void => {
    const fullMs = Math.min(limits.reconnectMaxMs, limits.reconnectMinMs * 2 ** Math.min(target.failedAttempts, 30));
    // The first retry is exact; later ones are spread over a quarter, so that a restarted node is not met by all at once.
    const delayMs = target.failedAttempts === 0 ? fullMs : fullMs * (1 - options.random() / 4);
    target.failedAttempts += 1;
    wait(target, delayMs + spareMs(target));
  };
  const dial = (target: Target): void => {
    const bannedUntilMs = options.bannedUntil(target.peer.address);
    if (bannedUntilMs !== null) {
      const remainingMs = Math.min(banLookMs, bannedUntilMs - clock.nowMs());
      return wait(target, Math.max(limits.reconnectMinMs, remainingMs));
    }
    options.onDial();
    target.cancelDial();
    target.cancelDial = dialOnce(options, target.peer, () => retry(target));
  };

  return {
    start() {
      started = true;
      for (const target of targets.values()) wait(target, spareMs(target));
    },
    follow(peers) {
      for (const peer of replaceTargets(targets, peers.filter(dialled))) {
        const target = add(peer);
        target.connected = options.isConnected(peer.address);
        if (started) wait(target, spareMs(target));
      }
    },
    connected(address) {
      const target = targets.get(address);
      if (target === undefined) return;
      target.connected = true;
      target.cancelWait();
    },
    disconnected(address, livedMs) {
      const target = targets.get(address);
      if (target === undefined) return;
      target.connected = false;
      if (livedMs >= stableMs) target.failedAttempts = 0;
      retry(target);
    },
    close() {
      closed = true;
      for (const target of targets.values()) {
        target.cancelWait();
        target.cancelDial();
      }
    },
  };
}

/** Ends the targets that are not wanted any more, or are elsewhere now. @returns peers that are no targets yet */
function replaceTargets(targets: Map<Address, Target>, peers: readonly ListedPeer[]): Iterable<ListedPeer> {
  const wanted = new Map(peers.map((peer) => [peer.address, peer]));
  for (const [address, target] of targets) {
    const { host, port, spki } = target.peer;
    const peer = wanted.get(address);
    if (peer?.host === host && peer.port === port && peer.spki === spki) {
      wanted.delete(address);
      continue;
    }
    target.cancelWait();
    target.cancelDial();
    targets.delete(address);
  }
  return wanted.values();
}

/**
 * One attempt up to the end of TLS.
 *
 * @param retry called once when the attempt or the session that it led to failed before the peer was connected
 * @returns cancel
 */
function dialOnce(options: DialerOptions, peer: ListedPeer, retry: () => void): () => void {
  const { clock, limits } = options;
  // An empty server name: peers are found by pin, and a name on the wire would only tell others of them.
  const socket = connect({ ...options.tls, host: peer.host, port: peer.port, servername: '' });
  let done = false;
  const fail = (error: NetworkError): void => {
    if (done) return;
    done = true;
    cancelTimer();
    socket.destroy();
    options.onFailed(peer, error);
    retry();
  };
  const failed = (reason: string): void =>
    fail(
      new NetworkError(`can not reach ${peer.host}:${peer.port}: ${reason}`, {
        code: 'NETWORK_CONNECTION_FAILED',
        reason,
      }),
    );
  const cancelTimer = clock.after(limits.connectTimeoutMs, () => failed('timeout'));
  socket.on('error', (error: NodeJS.ErrnoException) => failed(error.code ?? error.message));
  socket.on('close', () => failed('closed by the other end'));
  socket.once('secureConnect', () => {
    if (done) return;
    cancelTimer();
    try {
      options.onSocket(socket, peer);
      done = true;
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      fail(error);
    }
  });
  return () => {
    if (done) return;
    done = true;
    cancelTimer();
    socket.destroy();
  };
}
