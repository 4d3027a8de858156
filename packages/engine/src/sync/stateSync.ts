import type { Header, SnapshotManifest } from '@prime/codec';
import type { CryptoProvider } from '@prime/crypto';
import type { Address, Hash, Height } from '@prime/primitives';
import type { PeerMessage } from '../ports.ts';
import type { SigningDomain } from '../signing/signing.ts';
import { HeaderProof, type TrustedBlock } from './headerProof.ts';
import type { SnapshotChecks } from './snapshotChecks.ts';
import { type ChosenSnapshot, SnapshotOffers, stallMs } from './snapshotOffers.ts';

/**
 * Fetches a snapshot of the state from peers, as a pure machine: messages and time in, messages, bans and chunks out.
 *
 * 1. Peers are asked which snapshots they have. Of those that nobody was found lying about the newest one is taken that two peers have, else the newest; whose
 *    snapshots led nowhere before come last ({@link SnapshotOffers}).
 * 2. The header of the block after it is proven from the block that the operator trusts ({@link HeaderProof}), with headers of whoever is fastest: they prove
 *    themselves. It names the state root: a manifest with another one is a lie of all who offered it.
 * 3. Chunks are fetched from all who offer it, two at once of each. One that is not the one of the manifest is asked of another peer, and its sender is banned.
 * 4. Chunks are handed over in order. Whoever rebuilds the state says when it can not be ({@link StateSync.refuse}): then the manifest was made up, all who offered
 *    it are banned, and the next snapshot is tried.
 *
 * Nothing that a peer says is believed; a lie costs time. Where all peers have another block than the trusted one, it is the operator who may be wrong: nobody is
 * banned for it, and the sync ends.
 */
export type StateSyncEffect =
  | { readonly kind: 'send'; readonly peer: Address; readonly message: PeerMessage }
  | { readonly kind: 'ban'; readonly peer: Address; readonly reason: string }
  /** The chunks that follow are of this snapshot; those of an earlier one are void. */
  | { readonly kind: 'begin'; readonly manifest: SnapshotManifest; readonly next: Header }
  /** No peer has the trusted block. @param said what they have in its place */
  | { readonly kind: 'untrusted'; readonly said: ReadonlyMap<Address, Hash> }
  /** In order; `last` is the end of the snapshot. */
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array; readonly last: boolean };

/** The block that is trusted, and what headers, chunks and the state of a snapshot are checked with. */
export interface StateSyncOptions {
  readonly trusted: TrustedBlock;
  readonly domain: SigningDomain;
  readonly provider: CryptoProvider;
  /** SHA-256. */
  readonly chunkHash: (chunk: Uint8Array) => Hash;
  /** What a snapshot is held against once the header after it is proven. */
  readonly checks: SnapshotChecks;
}

/** How often {@link StateSync.tick} is to be called, ms. */
export const stateSyncTickMs = 50;
/** How often peers are asked anew while there is nothing to fetch, ms. */
const askAgainMs = 2_000;
/** How long a peer may take to answer, ms; a chunk is a MiB. */
const answerTimeoutMs = 10_000;
/** A peer that takes longer than this for headers is not waited for: another one is asked as well, ms. */
const headersLateMs = 1_000;
/** A peer that was never asked comes behind those who were faster than this, ms. */
const headersUntriedMs = 200;
/** Peers that are asked for the same headers at most. */
const headersPeersMax = 3;
/** How long a peer that did not answer is left alone, ms. */
const restMs = 10_000;
/** How long all connected peers have to say that the trusted block is another one before they are believed, ms: others may connect. */
const untrustedMs = 10_000;
/** Requests that one peer works on. */
const requestsPerPeer = 2;
/** Least time between two requests to one peer, ms: it answers 40 a second. */
const paceMs = 40;
/** Chunks that are fetched and not taken in yet. */
const aheadMax = 16;

/** Headers from a height on, or the chunk of an index. */
type Wanted = { readonly headersFrom: Height; readonly count: number } | number;

interface Ask {
  readonly requestId: number;
  readonly peer: Address;
  readonly wanted: Wanted;
  readonly atMs: number;
}

interface Target extends ChosenSnapshot {
  readonly proof: HeaderProof;
  /** Chunks that are here and not handed over. */
  readonly here: Map<number, Uint8Array>;
  /** The next chunk to hand over. */
  nextChunk: number;
  /** Chunks that whoever rebuilds the state is done with. */
  taken: number;
  /** When something of it came last. */
  progressMs: number;
}

/**
 * Finds a snapshot among peers, proves the header behind it from the trusted block, and collects its chunks. A pure
 * machine: messages and times go in, requests come out.
 */
export class StateSync {
  readonly #options: StateSyncOptions;
  readonly #peers = new Set<Address>();
  readonly #offers = new SnapshotOffers();
  readonly #resting = new Map<Address, number>();
  readonly #lastAskMs = new Map<Address, number>();
  /** How long a peer took for headers the last time, ms. */
  readonly #headersMs = new Map<Address, number>();
  /** Peers that have another block than the trusted one, and its hash. */
  readonly #said = new Map<Address, Hash>();
  /** Since when no connected peer has the trusted block; null where one may have it. */
  #untrustedMs: number | null = null;
  #asks: Ask[] = [];
  #target: Target | null = null;
  #nextId: number;
  #askedMs = Number.NEGATIVE_INFINITY;
  #done = false;

  /** @param firstRequestId others follow */
  constructor(options: StateSyncOptions, firstRequestId: number) {
    this.#options = options;
    this.#nextId = firstRequestId;
  }

  onPeer(peer: Address, nowMs: number): StateSyncEffect[] {
    this.#peers.add(peer);
    return [this.#askForOffers(peer), ...this.tick(nowMs)];
  }

  onPeerGone(peer: Address, nowMs: number): StateSyncEffect[] {
    this.#forget(peer);
    return this.tick(nowMs);
  }

  onMessage(from: Address, message: PeerMessage, nowMs: number): StateSyncEffect[] {
    if (this.#done || !this.#peers.has(from)) return [];
    if (message.kind === 'snapshots') return [...this.#onOffers(from, message.manifests, nowMs), ...this.tick(nowMs)];
    if (message.kind !== 'headers' && message.kind !== 'chunk') return [];
    const ask = this.#asks.find(({ requestId, peer }) => requestId === message.requestId && peer === from);
    if (ask === undefined || (typeof ask.wanted === 'number') !== (message.kind === 'chunk')) return [];
    this.#asks = this.#asks.filter((other) => other !== ask);
    const effects =
      message.kind === 'headers' ? this.#onHeaders(ask, message, nowMs) : this.#onChunk(ask, message.bytes, nowMs);
    return [...effects, ...this.tick(nowMs)];
  }

  /** What was handed over can not be the state: the manifest is made up. */
  refuse(reason: string, nowMs: number): StateSyncEffect[] {
    return this.#target === null ? [] : [...this.#refuseTarget(reason), ...this.tick(nowMs)];
  }

  /** A chunk that was handed over is worked in. */
  taken(nowMs: number): StateSyncEffect[] {
    if (this.#target !== null) {
      this.#target.taken += 1;
      this.#target.progressMs = nowMs;
    }
    return this.tick(nowMs);
  }

  /** Gives up what is late, and asks for what is missing. */
  tick(nowMs: number): StateSyncEffect[] {
    if (this.#done) return [];
    for (const { peer, atMs, wanted } of this.#asks)
      if (nowMs - atMs >= answerTimeoutMs) {
        this.#resting.set(peer, nowMs + restMs);
        if (typeof wanted !== 'number') this.#headersMs.set(peer, answerTimeoutMs);
      }
    this.#asks = this.#asks.filter(({ atMs }) => nowMs - atMs < answerTimeoutMs);
    const effects: StateSyncEffect[] = [];
    if (this.#isUntrusted(nowMs)) {
      this.#done = true;
      return [{ kind: 'untrusted', said: this.#said }];
    }
    if (this.#target !== null && nowMs - this.#target.progressMs >= stallMs) {
      this.#offers.stalled(this.#target.id, nowMs);
      this.#giveUp();
    }
    this.#choose(nowMs);
    if (this.#target === null && nowMs - this.#askedMs >= askAgainMs) {
      this.#askedMs = nowMs;
      for (const peer of this.#peers) effects.push(this.#askForOffers(peer));
    }
    if (this.#target !== null) effects.push(...this.#fetch(this.#target, nowMs));
    return effects;
  }

  #isUntrusted(nowMs: number): boolean {
    const has = (peer: Address): boolean => !this.#said.has(peer);
    if (this.#peers.size === 0 || [...this.#peers].some(has)) this.#untrustedMs = null;
    else this.#untrustedMs ??= nowMs;
    return this.#untrustedMs !== null && nowMs - this.#untrustedMs >= untrustedMs;
  }

  #askForOffers(peer: Address): StateSyncEffect {
    return { kind: 'send', peer, message: { kind: 'snapshotsRequest', requestId: this.#nextId++ } };
  }

  #onOffers(from: Address, manifests: readonly Uint8Array[], nowMs: number): StateSyncEffect[] {
    const isGood = this.#offers.take(from, manifests, this.#target?.id ?? null, nowMs);
    return isGood ? [] : this.#ban(from, 'offers a malformed snapshot');
  }

  #choose(nowMs: number): void {
    const chosen = this.#target === null ? this.#offers.choose(nowMs) : null;
    if (chosen === null) return;
    const { id, manifest } = chosen;
    const proof = new HeaderProof({ ...this.#options, target: (manifest.height + 1) as Height });
    this.#target = { id, manifest, proof, here: new Map(), nextChunk: 0, taken: 0, progressMs: nowMs };
  }

  #fetch(target: Target, nowMs: number): StateSyncEffect[] {
    const offering = this.#offers.peersOf(target.id);
    if (target.proof.proven === null) return this.#fetchHeaders(target.proof, offering, nowMs);
    const effects: StateSyncEffect[] = [];
    const { manifest, here, nextChunk } = target;
    const end = Math.min(manifest.chunkHashes.length, target.taken + aheadMax);
    for (let index = nextChunk; index < end; index++) {
      if (here.has(index) || this.#asks.some(({ wanted }) => wanted === index)) continue;
      const fields = { kind: 'chunkRequest', snapshot: target.id, height: manifest.height, index } as const;
      const ask = this.#ask(offering, index, nowMs, (requestId) => ({ ...fields, requestId }));
      if (ask === null) break;
      effects.push(ask);
    }
    return effects;
  }

  /** Everybody may have them, whoever offers the snapshot: one alone could take its time over each range. */
  #fetchHeaders(proof: HeaderProof, offering: ReadonlySet<Address>, nowMs: number): StateSyncEffect[] {
    const { from, count } = proof.next();
    const asks = this.#asks.filter(({ wanted }) => isRange(wanted, from, count));
    if (asks.length >= headersPeersMax || asks.some(({ atMs }) => nowMs - atMs < headersLateMs)) return [];
    const tookMs = (peer: Address): number => this.#headersMs.get(peer) ?? headersUntriedMs;
    const fastest = [...new Set([...offering, ...this.#peers])]
      .filter((peer) => asks.every((ask) => ask.peer !== peer) && !this.#said.has(peer))
      .toSorted((a, b) => tookMs(a) - tookMs(b));
    const wanted = { headersFrom: from, count };
    const ask = this.#ask(fastest, wanted, nowMs, (requestId) => ({ kind: 'headersRequest', requestId, from, count }));
    return ask === null ? [] : [ask];
  }

  /** @param peers that have it, in the order in which they are asked when they are equally busy */
  #ask(
    peers: Iterable<Address>,
    wanted: Wanted,
    nowMs: number,
    message: (requestId: number) => PeerMessage,
  ): StateSyncEffect | null {
    const work = (peer: Address): number => this.#asks.filter((ask) => ask.peer === peer).length;
    const [peer] = [...peers]
      .filter((each) => (this.#resting.get(each) ?? 0) <= nowMs && work(each) < requestsPerPeer)
      .filter((each) => nowMs - (this.#lastAskMs.get(each) ?? Number.NEGATIVE_INFINITY) >= paceMs)
      .toSorted((a, b) => work(a) - work(b));
    if (peer === undefined) return null;
    const requestId = this.#nextId++;
    this.#asks.push({ requestId, peer, wanted, atMs: nowMs });
    this.#lastAskMs.set(peer, nowMs);
    return { kind: 'send', peer, message: message(requestId) };
  }

  #onHeaders(ask: Ask, message: PeerMessage & { readonly kind: 'headers' }, nowMs: number): StateSyncEffect[] {
    const { peer, wanted, atMs } = ask;
    const target = this.#target;
    this.#headersMs.set(peer, nowMs - atMs);
    if (target === null || target.proof.proven !== null) return [];
    // It pruned them, or is not there yet.
    if (message.headers.length === 0) {
      this.#resting.set(peer, nowMs + askAgainMs);
      return [];
    }
    const next = target.proof.next();
    // Another peer was faster.
    if (!isRange(wanted, next.from, next.count)) return [];
    const other = target.proof.otherTrusted(message);
    if (other !== null) {
      this.#said.set(peer, other);
      return [];
    }
    const lie = target.proof.take(message);
    if (lie !== null) return this.#ban(peer, lie);
    target.progressMs = nowMs;
    // One has the trusted block: those who said that it is another one lied.
    const liars = [...this.#said.keys()].flatMap((liar) => this.#ban(liar, 'sent another block than the trusted one'));
    this.#said.clear();
    return [...liars, ...this.#onProof(target)];
  }

  #onProof(target: Target): StateSyncEffect[] {
    const header: Header | null = this.#target?.proof.proven ?? null;
    if (header === null) return [];
    const { manifest } = target;
    const reason = this.#options.checks.manifest(manifest, header);
    return reason === null ? [{ kind: 'begin', manifest, next: header }] : this.#refuseTarget(reason);
  }

  #onChunk({ peer, wanted }: Ask, bytes: Uint8Array, nowMs: number): StateSyncEffect[] {
    const target = this.#target;
    if (target === null || typeof wanted !== 'number' || target.proof.proven === null) return [];
    const { manifest, here } = target;
    if (bytes.length === 0) {
      // It keeps only a few snapshots: this one may be gone.
      this.#offers.withdraw(target.id, peer);
      if (this.#offers.peersOf(target.id).size === 0) {
        this.#offers.setAside(target.id, nowMs);
        this.#giveUp();
      }
      return [];
    }
    if (this.#options.chunkHash(bytes) !== manifest.chunkHashes[wanted])
      return this.#ban(peer, 'sent a chunk that is not the one of the manifest');
    here.set(wanted, bytes);
    target.progressMs = nowMs;
    const effects: StateSyncEffect[] = [];
    for (let chunk = here.get(target.nextChunk); chunk !== undefined; chunk = here.get(target.nextChunk)) {
      here.delete(target.nextChunk);
      target.nextChunk += 1;
      const last = target.nextChunk === manifest.chunkHashes.length;
      effects.push({ kind: 'chunk', bytes: chunk, last });
    }
    return effects;
  }

  /** The rebuilt state is what was proven: there is nothing left to do. */
  finish(): void {
    this.#done = true;
  }

  #refuseTarget(reason: string): StateSyncEffect[] {
    const liars = this.#offers.refuse(this.#target!.id);
    this.#giveUp();
    return liars.flatMap((peer) => this.#ban(peer, reason));
  }

  /** Another snapshot is to be chosen. */
  #giveUp(): void {
    this.#target = null;
    this.#asks = [];
  }

  #ban(peer: Address, reason: string): StateSyncEffect[] {
    this.#forget(peer);
    return [{ kind: 'ban', peer, reason }];
  }

  #forget(peer: Address): void {
    this.#peers.delete(peer);
    this.#headersMs.delete(peer);
    this.#said.delete(peer);
    this.#asks = this.#asks.filter((ask) => ask.peer !== peer);
    this.#offers.forget(peer);
    if (this.#target !== null && this.#offers.peersOf(this.#target.id).size === 0) this.#target = null;
  }
}

const isRange = (wanted: Wanted, from: Height, count: number): boolean =>
  typeof wanted !== 'number' && wanted.headersFrom === from && wanted.count === count;
