import { chunkHash, ChainError, type RestoredSnapshot } from '@prime/chain';
import { genesisHash, type Genesis, type Header, type SnapshotManifest, validatorsHash } from '@prime/codec';
import type { HomePaths, NodeConfig } from '@prime/config';
import { verifyCommitCertificate } from '@prime/consensus';
import { type CryptoProvider, cryptoProvider } from '@prime/crypto';
import { type PeerEvents, refuseRotation, StateSync, type StateSyncEffect, stateSyncTickMs } from '@prime/engine';
import type { Network } from '@prime/network';
import { type Height, isPrimeError, parseHash } from '@prime/primitives';
import type { Logger } from '@prime/telemetry';
import { nodeClock } from './clock.ts';
import { openNetwork } from './network.ts';
import { restoreSnapshot } from './restore.ts';
import { RemoteKeys } from './remoteKeys.ts';
import { homeKeys, ValidatorKeys } from './validatorKeys.ts';

export interface StateSyncRun {
  readonly home: HomePaths;
  readonly config: NodeConfig;
  readonly genesis: Genesis;
  readonly clockOffsetMs: number;
  readonly logger: Logger;
}

/** Whether the configuration asks for a snapshot from peers. */
export const wantsStateSync = ({ sync }: Pick<NodeConfig, 'sync'>): boolean => sync.trustedHeight > 0;

/**
 * Fills an empty home with the newest snapshot of the peers that holds up against the trusted block. Before the threads are started: their state is
 * there as a whole, or not at all.
 *
 * @param signal ends it; nothing is left then
 * @throws what the disk throws; lies of peers cost time and nothing else
 */
export async function syncState(run: StateSyncRun, signal: AbortSignal): Promise<void> {
  const { config, logger, clockOffsetMs } = run;
  const remote =
    config.signer.address === null
      ? null
      : new RemoteKeys({ data: run, newest: () => null, clock: nodeClock(clockOffsetMs), logger, metrics: null });
  await remote?.introduce();
  await new Syncing(run, await cryptoProvider(), remote).untilDone(signal);
}

class Syncing {
  readonly #run: StateSyncRun;
  readonly #provider: CryptoProvider;
  readonly #machine: StateSync;
  readonly #clock;
  readonly #network: Network;
  readonly #ended = deferred<void>();
  #rebuild: Rebuild | null = null;

  constructor(run: StateSyncRun, provider: CryptoProvider, remote: RemoteKeys | null) {
    const { config, genesis, logger } = run;
    this.#run = run;
    this.#provider = provider;
    const clock = nodeClock(run.clockOffsetMs);
    this.#clock = clock;
    const { trustedHeight, trustedHash } = config.sync;
    const trusted = { height: trustedHeight as Height, hash: parseHash(trustedHash) };
    this.#machine = new StateSync({ trusted, domain: this.#domain, provider, chunkHash });
    const events: PeerEvents = {
      onMessage: (from, message) => this.#carryOut(this.#machine.onMessage(from, message, this.#nowMs())),
      onPeerConnected: ({ address }) => this.#carryOut(this.#machine.onPeer(address, this.#nowMs())),
      onPeerDisconnected: ({ address }) => this.#carryOut(this.#machine.onPeerGone(address, this.#nowMs())),
    };
    const keys = new ValidatorKeys(
      genesis,
      remote === null ? homeKeys(run.home, provider) : remote.list,
      run.home.validator,
    );
    const validator = config.node.role === 'validator' ? keys.self() : null;
    this.#network = openNetwork({
      data: run,
      validator,
      keys,
      credential: remote?.credential ?? null,
      provider,
      logger,
      clock,
      head: () => 0 as Height,
      events,
    });
    logger.info({ trusted: trustedHeight, genesis: genesisHash(genesis) }, 'looking for a snapshot of the state');
  }

  async untilDone(signal: AbortSignal): Promise<void> {
    const timer = setInterval(() => this.#carryOut(this.#machine.tick(this.#nowMs())), stateSyncTickMs);
    const onAbort = (): void => this.#ended.resolve();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await this.#network.start();
      await this.#ended.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      clearInterval(timer);
      this.#machine.finish();
      this.#rebuild?.chunks.abort();
      await this.#rebuild?.done;
      await this.#network.close();
    }
  }

  get #domain(): SigningDomain {
    const { genesis } = this.#run;
    return { chainId: genesis.chainId, genesisHash: genesisHash(genesis) };
  }

  #nowMs(): number {
    return this.#clock.monotonicMs();
  }

  #carryOut(effects: readonly StateSyncEffect[]): void {
    for (const effect of effects)
      switch (effect.kind) {
        case 'send':
          this.#network.send(effect.peer, effect.message);
          break;
        case 'ban':
          this.#run.logger.warn({ peer: effect.peer, reason: effect.reason }, 'a peer is banned from state sync');
          this.#network.punish(effect.peer, effect.reason);
          break;
        case 'begin':
          this.#begin(effect.manifest, effect.next);
          break;
        case 'chunk':
          this.#rebuild?.chunks.push(effect.bytes, effect.last);
      }
  }

  #begin(manifest: SnapshotManifest, next: Header): void {
    const { height, chunkHashes } = manifest;
    this.#run.logger.info({ height, chunks: chunkHashes.length }, 'restoring a snapshot of peers');
    const before = this.#rebuild;
    before?.chunks.abort();
    const chunks = createChunkQueue(() => this.#carryOut(this.#machine.taken(this.#nowMs())));
    const check = (restored: RestoredSnapshot): void => checkAgainst(restored, next, this.#domain, this.#provider);
    const restore = async (): Promise<void> => {
      await before?.done;
      try {
        await restoreSnapshot(this.#run, manifest, chunks, check);
        this.#machine.finish();
        this.#ended.resolve();
      } catch (error) {
        if (!chunks.aborted) this.#failed(height, error);
      }
    };
    this.#rebuild = { chunks, done: restore() };
  }

  #failed(height: Height, error: unknown): void {
    if (!isPrimeError(error) || error.code !== 'CHAIN_SNAPSHOT_REFUSED') return this.#ended.reject(error);
    this.#run.logger.warn({ height, reason: error.message }, 'a snapshot is refused');
    return this.#carryOut(this.#machine.refuse(error.message, this.#nowMs()));
  }
}

interface SigningDomain {
  readonly chainId: number;
  readonly genesisHash: Header['parentHash'];
}

interface Rebuild {
  readonly chunks: ChunkQueue;
  readonly done: Promise<void>;
}

/** What the header of the next block says of the state, and whether the block was decided. */
function checkAgainst(
  { stored, validators, nextValidators, roots, nextBaseFee }: RestoredSnapshot,
  next: Header,
  domain: SigningDomain,
  provider: CryptoProvider,
): void {
  const refuse = (reason: string): never => {
    throw new ChainError(`the snapshot is refused: ${reason}`, { code: 'CHAIN_SNAPSHOT_REFUSED', reason });
  };
  const { stateRoot, receiptsRoot, eventsRoot, gasUsed } = next.parentResults;
  if (
    stored.hash !== next.parentHash ||
    roots.stateRoot !== stateRoot ||
    roots.receiptsRoot !== receiptsRoot ||
    roots.eventsRoot !== eventsRoot ||
    roots.gasUsed !== gasUsed ||
    nextBaseFee !== next.baseFee
  )
    refuse('its results are not those that the next header names');
  if (validatorsHash(nextValidators.validators) !== next.validatorsHash)
    refuse('its validators are not those that the next header names');
  if (stored.certificate.height !== next.height - 1 || stored.certificate.blockHash !== stored.hash)
    refuse('its certificate is for another block');
  const verdict = verifyCommitCertificate(stored.certificate, validators, { ...domain, provider });
  if (!verdict.ok) refuse(`its certificate is refused: ${verdict.refusal.code}`);
  const wrong = refuseRotation({ stored, validators, nextValidators });
  if (wrong !== null) refuse(wrong);
}

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
        if (aborted) throw new ChainError('given up', { code: 'CHAIN_SNAPSHOT_REFUSED', reason: 'given up' });
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
