import type { TLSSocket } from 'node:tls';
import type { Offence, Peer, PeerEvents, PeerMessage } from '@prime/engine';
import { type Address, isPrimeError, toErrorObject } from '@prime/primitives';
import { type BanList, type BanRecord, createBanList } from './banList.ts';
import { type Counters, createCounters, type DropReason } from '../counters.ts';
import { createDialer, type Dialer, type ListedPeer } from './dialer.ts';
import { duplicate, identityInUse, isBannable, NetworkError } from '../errors.ts';
import type { FrameName, OutgoingFrame } from '../wire/frame.ts';
import type { Hello } from '../wire/hello.ts';
import { defaultLimits, type NetworkLimits } from '../limits.ts';
import { Listener, type Slot } from './listener.ts';
import { encodeMessage } from '../wire/messages.ts';
import type { Endpoint, Network, NetworkMetrics, NetworkOptions, PeerDetails, UnconnectedPeer } from '../options.ts';
import { createSession, type Session, type SessionContext, type SessionHost } from '../session/session.ts';
import { KnownPeers } from './knownPeers.ts';
import { endpointText, sessionContext } from './sessionContext.ts';
import { PeerTroubles } from './troubles.ts';
import { createTlsSettings } from '../session/tlsOptions.ts';

/**
 * Joins listener, dialer, sessions and bans into one table of peers, with at most one connection per identity.
 *
 * @throws NetworkError `NETWORK_CERTIFICATE_INVALID`
 */
export function createNetwork(options: NetworkOptions, events: PeerEvents): Network {
  return new PeerTable(options, events);
}

interface Entry {
  readonly peer: Peer;
  readonly session: Session;
  readonly hello: Hello;
  readonly sinceMs: number;
}

class PeerTable implements Network, SessionHost {
  readonly #options: NetworkOptions;
  readonly #events: PeerEvents;
  readonly #limits: NetworkLimits;
  readonly #counters: Counters = createCounters();
  readonly #bans: BanList;
  readonly #troubles: PeerTroubles;
  readonly #known: KnownPeers;
  readonly #context: SessionContext;
  readonly #dialer: Dialer;
  readonly #listener: Listener | null;
  readonly #entries = new Map<Address, Entry>();
  /** All sessions, with the slot of inbound ones. */
  readonly #sessions = new Map<Session, Slot | null>();
  #peers: readonly Peer[] = [];
  #started: Promise<Endpoint | null> | null = null;
  #closing: Promise<void> | null = null;

  constructor(options: NetworkOptions, events: PeerEvents) {
    const { clock, identity } = options;
    this.#options = options;
    this.#known = new KnownPeers(identity.address, options.peers);
    this.#events = events;
    this.#limits = { ...defaultLimits, ...options.limits };
    const { settings, spki } = createTlsSettings(options.tls);
    this.#bans = createBanList({
      clock,
      limits: this.#limits,
      store: options.bans ?? null,
      onStoreError: (error) => options.log.warn('bans are not stored', { reason: toErrorObject(error).message }),
    });
    this.#troubles = new PeerTroubles(clock, options.log);
    this.#context = sessionContext(options, {
      spki,
      limits: this.#limits,
      counters: this.#counters,
      pins: () => this.#known.all,
    });
    const shared = { tls: settings, limits: this.#limits, clock };
    this.#dialer = createDialer({
      ...shared,
      self: identity.address,
      peers: this.#known.others,
      policy: options.dialPolicy ?? 'all',
      random: options.random,
      bannedUntil: (address) => this.#bans.bannedUntil(address),
      isConnected: (address) => this.#entries.has(address),
      onDial: () => this.#counters.dialled(),
      onSocket: (socket, peer) => this.#open(socket, endpointText(peer), this.#limits.handshakeTimeoutMs, { peer }),
      onFailed: (peer, error) => this.#refused('outbound', endpointText(peer), error, peer.address),
    });
    this.#listener =
      options.listen === null
        ? null
        : new Listener({
            ...shared,
            listen: options.listen,
            onSocket: (socket, slot) => this.#accepted(socket, slot),
            onRefused: (remote, error) => this.#refused('inbound', remote, error),
          });
  }

  start(): Promise<Endpoint | null> {
    this.#started ??= this.#start();
    return this.#started;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  peers(): readonly Peer[] {
    return this.#peers;
  }

  send(to: Address, message: PeerMessage): boolean {
    const entry = this.#entries.get(to);
    return entry !== undefined && this.#sendFrames(entry, this.#encode(message));
  }

  broadcast(message: PeerMessage): void {
    if (this.#entries.size === 0) return;
    const frames = this.#encode(message);
    // A peer whose queue overflows leaves the table meanwhile; a Map's iteration allows that.
    for (const entry of this.#entries.values()) this.#sendFrames(entry, frames);
  }

  punish(peer: Address, reason: string, offence: Offence = 'breach'): void {
    if (peer === this.#options.identity.address) return;
    const isSlow = offence === 'slow';
    const what = isSlow ? 'peer is too slow' : 'peer broke a rule';
    const error = new NetworkError(`${what}: ${reason}`, { code: 'NETWORK_PUNISHED', reason });
    this.#ban(peer, reason, offence);
    this.#entries.get(peer)?.session.connection.close(error, isSlow ? 'refused' : 'violation');
  }

  peerDetails(): readonly PeerDetails[] {
    const nowMs = this.#options.clock.monotonicMs();
    return [...this.#entries.values()].map(({ peer, session, hello, sinceMs }) => ({
      ...peer,
      direction: session.direction,
      remote: session.remote,
      listenAddress: hello.listenAddress,
      pinned: session.pinned,
      height: hello.height,
      connectedForMs: nowMs - sinceMs,
      rttMs: session.connection.rttMs,
      queueBytes: session.connection.queueBytes,
      silentForMs: nowMs - session.connection.lastReceivedMs,
      offences: this.#bans.offences(peer.address),
    }));
  }

  unconnected(): readonly UnconnectedPeer[] {
    return this.#known.others
      .filter(({ address }) => !this.#entries.has(address))
      .map(({ address, host, port }) => ({ address, host, port, trouble: this.#troubles.of(address) }));
  }

  metrics(): NetworkMetrics {
    let queueBytes = 0;
    for (const { session } of this.#entries.values()) queueBytes += session.connection.queueBytes;
    return { ...this.#counters.snapshot(), peers: this.#entries.size, queueBytes };
  }

  bans(): readonly BanRecord[] {
    return this.#bans.list();
  }

  follow(validators: readonly ListedPeer[]): void {
    const { signersOf, headHeight, acceptUnknownFollowers = true } = this.#options;
    this.#known.tell(validators);
    this.#dialer.follow(this.#known.others);
    for (const entry of this.#entries.values()) {
      const { peer, session, hello } = entry;
      const { address } = peer;
      if (peer.role !== 'validator' || signersOf(address).length > 0) continue;
      // It may have joined in a block that is not here yet.
      if (hello.height > headHeight()) continue;
      if (acceptUnknownFollowers || this.#known.has(address)) {
        this.#options.log.info('a validator left, and follows from now on', { peer: address });
        this.#put({ ...entry, peer: { ...peer, role: 'full' } });
        continue;
      }
      const detail = { code: 'NETWORK_IDENTITY_INVALID', address, reason: 'it left' } as const;
      session.connection.close(new NetworkError(`${address} is no validator any more`, detail), 'refused');
    }
  }

  #put(entry: Entry): void {
    this.#entries.set(entry.peer.address, entry);
    this.#list();
  }

  #list(): void {
    this.#peers = [...this.#entries.values()].map(({ peer }) => peer);
  }

  liftBan(address: Address): void {
    this.#bans.lift(address);
    // The dialer waits for the end of the ban as it was.
    if (!this.#entries.has(address)) this.#dialer.disconnected(address, 0);
  }

  ban(address: Address, reason: string, durationMs: number): BanRecord {
    const record = this.#bans.banByOperator(address, reason, durationMs);
    const { untilMs } = record;
    this.#options.log.warn('peer banned by the operator', { peer: address, reason, untilMs });
    this.#options.observe?.({ kind: 'banned', address, untilMs, reason });
    const error = new NetworkError(`banned by the operator: ${reason}`, { code: 'NETWORK_BANNED', address, untilMs });
    this.#entries.get(address)?.session.connection.close(error, 'refused');
    return record;
  }

  bansStored(): Promise<boolean> {
    return this.#bans.saved();
  }

  list(peer: ListedPeer): void {
    this.#known.list(peer);
    this.#dialer.follow(this.#known.others);
  }

  /** SessionHost: decides whether a verified peer is taken, and which of two connections to it stays. */
  admit(session: Session, hello: Hello): void {
    const { address } = hello;
    if (this.#closing !== null) throw new NetworkError('this node is closing', { code: 'NETWORK_CLOSED' });
    const untilMs = this.#bans.bannedUntil(address);
    if (untilMs !== null) throw new NetworkError(`${address} is banned`, { code: 'NETWORK_BANNED', address, untilMs });
    const existing = this.#entries.get(address);
    if (existing !== undefined && existing.hello.instance !== hello.instance) return this.#contest(existing, session);
    if (existing !== undefined && !this.#replaces(existing, session, hello)) {
      // The other end would not have dialled if it thought that this connection lives.
      existing.session.connection.probe(this.#limits.handshakeTimeoutMs);
      throw duplicate(address);
    }
    this.#checkRoom(session, existing);
    existing?.session.connection.close(duplicate(address), 'duplicate');
    this.#take(session, hello);
  }

  #take(session: Session, hello: Hello): void {
    const { address } = hello;
    const role = session.role!;
    this.#sessions.get(session)?.authenticated();
    const peer: Peer = { address, role, protocol: hello.protocol, listed: this.#known.isListed(address) };
    this.#put({ peer, session, hello, sinceMs: this.#options.clock.monotonicMs() });
    this.#dialer.connected(address);
    this.#troubles.clear(address);
    this.#options.log.info('peer connected', { peer: address, role, remote: session.remote });
    this.#options.observe?.({ kind: 'connected', peer, direction: session.direction });
    this.#events.onPeerConnected(peer);
  }

  /**
   * Another process shows itself as a peer that is connected: one that was started anew while its old connection was not yet noticed to be dead,
   * or a copy. The older one stays if it answers, and who is refused for it knows for certain that another process has its keys.
   */
  #contest({ session: older, hello: { address } }: Entry, session: Session): void {
    older.connection.probe(this.#limits.handshakeTimeoutMs, (isAlive) => {
      if (session.connection.isOver) return;
      if (isAlive) return session.connection.close(identityInUse(address), 'inUse');
      try {
        // Everything once more: time went by, and a third process may have been faster.
        this.admit(session, session.hello!);
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error;
        session.connection.close(error, 'refused');
      }
    });
  }

  /** SessionHost */
  message(session: Session, message: PeerMessage): void {
    const address = session.hello!.address;
    if (this.#entries.get(address)?.session === session) this.#events.onMessage(address, message);
  }

  /** SessionHost */
  dropped(session: Session, frame: FrameName, reason: DropReason): void {
    this.#counters.dropped(reason);
    if (session.hello !== null)
      this.#options.observe?.({ kind: 'dropped', address: session.hello.address, frame, reason });
  }

  /** SessionHost */
  ended(session: Session, error: NetworkError): void {
    const address = session.hello?.address;
    const entry = address === undefined ? undefined : this.#entries.get(address);
    if (address === undefined || entry === undefined || entry.session !== session) {
      this.#refused(session.direction, session.remote, error, session.expected?.address);
      const dialled = session.expected?.address;
      if (dialled !== undefined && !this.#entries.has(dialled)) this.#dialer.disconnected(dialled, 0);
      return;
    }
    this.#entries.delete(address);
    this.#list();
    const isTaken = error.detail.code === 'NETWORK_BYE' && error.detail.reason === 'inUse';
    if (isTaken) this.#events.onIdentityInUse(entry.peer);
    if (isBannable(error) && error.code !== 'NETWORK_PUNISHED') this.#ban(address, error.message);
    this.#counters.disconnected(error.code);
    this.#options.log.info('peer disconnected', { peer: address, code: error.code, reason: error.message });
    this.#dialer.disconnected(address, this.#options.clock.monotonicMs() - entry.sinceMs);
    this.#options.observe?.({ kind: 'disconnected', peer: entry.peer, error });
    this.#events.onPeerDisconnected(entry.peer);
  }

  async #start(): Promise<Endpoint | null> {
    if (this.#closing !== null) throw new NetworkError('the network is closed', { code: 'NETWORK_CLOSED' });
    await this.#bans.load();
    const endpoint = (await this.#listener?.start()) ?? null;
    if (this.#closing === null) this.#dialer.start();
    return endpoint;
  }

  async #close(): Promise<void> {
    await this.#started?.catch(() => undefined);
    this.#dialer.close();
    const listening = this.#listener?.close();
    const sessions = [...this.#sessions.keys()];
    for (const { connection } of sessions)
      connection.close(new NetworkError('this node is closing', { code: 'NETWORK_CLOSED' }), 'closing');
    await Promise.all(sessions.map(({ connection }) => connection.closed));
    await listening;
    await this.#bans.saved();
  }

  /**
   * One connection per pair of processes survives, and both ends choose the same one without talking about it: of two in the same direction the
   * newer one is what the dialler uses, and of two that crossed each other the one stays that the lower address dialled.
   */
  #replaces(existing: Entry, session: Session, hello: Hello): boolean {
    if (existing.session.direction === session.direction) return true;
    const preferred = this.#options.identity.address < hello.address ? 'outbound' : 'inbound';
    return session.direction === preferred;
  }

  /** Listed peers always find room: the others share what is left of the inbound places. */
  #checkRoom(session: Session, existing: Entry | undefined): void {
    if (session.pinned || existing !== undefined || session.direction === 'outbound') return;
    const unlisted = [...this.#entries.values()].filter((entry) => !entry.session.pinned);
    if (unlisted.length < this.#limits.inboundMax - this.#known.all.length) return;
    const detail = { code: 'NETWORK_INBOUND_LIMIT', limit: 'followers' } as const;
    throw new NetworkError('no room for another follower', detail);
  }

  #accepted(socket: TLSSocket, slot: Slot): void {
    try {
      this.#open(socket, slot.remote, slot.remainingMs, { slot });
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      this.#refused('inbound', slot.remote, error);
    }
  }

  #open(
    socket: TLSSocket,
    remote: string,
    timeoutMs: number,
    { peer, slot }: { readonly peer?: ListedPeer; readonly slot?: Slot },
  ): void {
    if (this.#closing !== null) {
      socket.destroy();
      return;
    }
    const session = createSession(this.#context, this, { socket, remote, timeoutMs, expected: peer ?? null });
    this.#sessions.set(session, slot ?? null);
    void session.connection.closed.then(() => this.#sessions.delete(session));
  }

  #encode(message: PeerMessage): readonly OutgoingFrame[] {
    try {
      return encodeMessage(message);
    } catch (error) {
      // Sending never throws: the own fault is reported, and the message is lost as one on a slow link would be.
      if (!isPrimeError(error)) throw error;
      this.#counters.dropped('oversize');
      this.#options.log.warn('a message can not be sent', { kind: message.kind, ...error.toObject() });
      return [];
    }
  }

  #sendFrames({ session }: Entry, frames: readonly OutgoingFrame[]): boolean {
    let sent = frames.length > 0;
    for (const frame of frames) sent = session.send(frame) && sent;
    return sent;
  }

  #ban(address: Address, reason: string, offence: Offence = 'breach'): void {
    const pinned = this.#known.has(address);
    const isMild = offence === 'slow' || pinned || this.#options.signersOf(address).length > 0;
    const untilMs = this.#bans.ban(address, reason, isMild);
    this.#options.log.warn('peer banned', { peer: address, reason, untilMs });
    this.#options.observe?.({ kind: 'banned', address, untilMs, reason });
  }

  #refused(direction: 'inbound' | 'outbound', remote: string, error: NetworkError, peer: Address | null = null): void {
    this.#counters.refused(error.code);
    if (this.#closing === null) this.#troubles.add({ peer, remote, direction }, error);
    this.#options.log.debug('connection refused', { direction, remote, code: error.code, reason: error.message });
    this.#options.observe?.({ kind: 'refused', direction, remote, error });
  }
}
