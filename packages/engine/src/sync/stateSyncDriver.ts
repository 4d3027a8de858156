import type { Header, SnapshotManifest } from '@prime/codec';
import type { Address, Height } from '@prime/primitives';
import { untrustedBlock } from '../errors.ts';
import type { EngineLog } from '../log.ts';
import type { Clock, Peer, PeerEvents, PeerMessage } from '../ports.ts';
import { firstRequestId } from '../peers/requestIds.ts';
import type { RestoredState } from './snapshotChecks.ts';
import { StateSync, type StateSyncEffect, type StateSyncOptions } from './stateSync.ts';

/** What a state sync needs of the node. */
export interface StateSyncPorts {
  send(peer: Address, message: PeerMessage): void;
  /** The peer lied: it is not talked to any more. */
  ban(peer: Address, reason: string): void;
  /**
   * Rebuilds the state from chunks, while they come. It counts only when `refuse` has found nothing, and then as a whole; whatever else happens, nothing of it is kept.
   *
   * @returns why the snapshot can not be that of the chain; null when its state is in place
   * @throws what the chunks throw, and what has nothing to do with the snapshot: it ends the sync
   */
  restore(
    manifest: SnapshotManifest,
    chunks: AsyncIterable<Uint8Array>,
    refuse: (restored: RestoredState) => string | null,
  ): Promise<string | null>;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  readonly log: EngineLog;
}

/** How far a state sync is. */
export interface StateSyncStatus {
  readonly trustedHeight: Height;
  /** Connected ones. */
  readonly peers: number;
  /** What is being restored; null while none was found. */
  readonly snapshot: { readonly height: Height; readonly chunks: number; readonly received: number } | null;
}

interface Rebuild {
  readonly chunks: ChunkQueue;
  readonly done: Promise<void>;
}

/** Carries out what {@link StateSync} decides: a state sync from the first peer to a state that is in place. */
export class StateSyncDriver implements PeerEvents {
  readonly #options: StateSyncOptions;
  readonly #ports: StateSyncPorts;
  readonly #machine: StateSync;
  readonly #outcome = deferred<void>();
  #rebuild: Rebuild | null = null;
  #peers = 0;
  #snapshot: StateSyncStatus['snapshot'] = null;

  constructor(options: StateSyncOptions, ports: StateSyncPorts) {
    this.#options = options;
    this.#ports = ports;
    this.#machine = new StateSync(options, firstRequestId(ports.clock.nowMs()));
  }

  /** Resolves when a state is in place; rejects with what ended the restore, or with `ENGINE_TRUSTED_BLOCK_UNKNOWN`. Neither happens after {@link stop}. */
  get done(): Promise<void> {
    return this.#outcome.promise;
  }

  status(): StateSyncStatus {
    return { trustedHeight: this.#options.trusted.height, peers: this.#peers, snapshot: this.#snapshot };
  }

  onPeerConnected({ address }: Pick<Peer, 'address'>): void {
    this.#peers += 1;
    this.#carryOut(this.#machine.onPeer(address, this.#nowMs));
  }

  onPeerDisconnected({ address }: Pick<Peer, 'address'>): void {
    this.#peers -= 1;
    this.#carryOut(this.#machine.onPeerGone(address, this.#nowMs));
  }

  onIdentityInUse({ address }: Pick<Peer, 'address'>): void {
    this.#ports.log.warn('another living process has the keys of this home, and the peer stays with it', {
      peer: address,
    });
  }

  onMessage(from: Address, message: PeerMessage): void {
    this.#carryOut(this.#machine.onMessage(from, message, this.#nowMs));
  }

  /** To be called every {@link stateSyncTickMs}. */
  tick(): void {
    this.#carryOut(this.#machine.tick(this.#nowMs));
  }

  /** Asks for nothing more. Resolves when nothing is being restored any more. */
  async stop(): Promise<void> {
    this.#machine.finish();
    this.#rebuild?.chunks.abort();
    await this.#rebuild?.done;
  }

  get #nowMs(): number {
    return this.#ports.clock.monotonicMs();
  }

  #carryOut(effects: readonly StateSyncEffect[]): void {
    for (const effect of effects)
      switch (effect.kind) {
        case 'send':
          this.#ports.send(effect.peer, effect.message);
          break;
        case 'ban':
          this.#ports.log.warn('a peer is banned from state sync', { peer: effect.peer, reason: effect.reason });
          this.#ports.ban(effect.peer, effect.reason);
          break;
        case 'untrusted':
          this.#outcome.reject(untrustedBlock(this.#options.trusted, effect.said));
          break;
        case 'begin':
          this.#begin(effect.manifest, effect.next);
          break;
        case 'chunk':
          if (this.#snapshot !== null) this.#snapshot = { ...this.#snapshot, received: this.#snapshot.received + 1 };
          this.#rebuild?.chunks.push(effect.bytes, effect.last);
      }
  }

  #begin(manifest: SnapshotManifest, next: Header): void {
    const { height, chunkHashes } = manifest;
    this.#snapshot = { height, chunks: chunkHashes.length, received: 0 };
    this.#ports.log.info('restoring a snapshot of peers', { height, chunks: chunkHashes.length });
    const before = this.#rebuild;
    before?.chunks.abort();
    const chunks = createChunkQueue(() => this.#carryOut(this.#machine.taken(this.#nowMs)));
    const restore = async (): Promise<void> => {
      await before?.done;
      try {
        const refuse = (restored: RestoredState): string | null => this.#options.checks.restored(restored, next);
        const reason = await this.#ports.restore(manifest, chunks, refuse);
        if (reason === null) {
          this.#machine.finish();
          this.#outcome.resolve();
        } else if (!chunks.aborted) {
          this.#ports.log.warn('a snapshot is refused', { height, reason });
          this.#carryOut(this.#machine.refuse(reason, this.#nowMs));
        }
      } catch (error) {
        if (!chunks.aborted) this.#outcome.reject(error);
      }
    };
    this.#rebuild = { chunks, done: restore() };
  }
}

/** Ends whoever waits for a chunk of a snapshot that is not wanted any more; nobody else sees it. */
class GivenUp extends Error {}

interface ChunkQueue extends AsyncIterable<Uint8Array> {
  push(chunk: Uint8Array, last: boolean): void;
  /** Ends whoever waits for chunks. */
  abort(): void;
  readonly aborted: boolean;
}

/** @param onTaken the reader comes back for the next one */
function createChunkQueue(onTaken: () => void): ChunkQueue {
  const waiting: Uint8Array[] = [];
  let complete = false;
  let aborted = false;
  let wake: () => void = () => undefined;
  return {
    push(chunk, last) {
      waiting.push(chunk);
      complete = last;
      wake();
    },
    abort() {
      aborted = true;
      wake();
    },
    get aborted() {
      return aborted;
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        if (aborted) throw new GivenUp('another snapshot is tried');
        const chunk = waiting.shift();
        if (chunk !== undefined) {
          yield chunk;
          onTaken();
        } else if (complete) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };
}

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
