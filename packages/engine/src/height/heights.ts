import type { ConsensusParams } from '@prime/codec';
import { createConsensus, type TimeoutConfig } from '@prime/consensus';
import type { CryptoProvider } from '@prime/crypto';
import type { Mempool } from '@prime/mempool';
import type { Height, Round } from '@prime/primitives';
import type { BuildBlock } from '../block/blockBuilder.ts';
import type { BlockAssembler } from '../block/candidates.ts';
import type { ChainTip } from '../chain/chainTip.ts';
import type { ConsensusInbox } from '../peers/consensusInbox.ts';
import type { EvidencePool } from '../evidence/evidencePool.ts';
import type { HeightEffect } from './heightEffects.ts';
import { HeightHost } from './heightHost.ts';
import type { EngineLog } from '../log.ts';
import type { Membership } from '../chain/membership.ts';
import type { OwnSigning } from '../signing/ownSigning.ts';
import { createPacing, type Pacing } from './pacing.ts';
import type { Execution, PeerNetwork, SignStateRecord, Clock, Verifier, Wal } from '../ports.ts';
import type { ProtocolGate } from '../chain/protocol.ts';
import { replayable } from '../chain/recovery.ts';
import type { SentryPaths } from '../peers/sentryPaths.ts';
import { resumptionOf, type SigningDomain } from '../signing/signing.ts';
import { unlogged } from '../wal/walEntry.ts';

/** What all heights share; each one is made from it when it begins. */
export interface HeightsOptions {
  readonly params: ConsensusParams;
  readonly timeouts: TimeoutConfig;
  readonly domain: SigningDomain;
  readonly provider: CryptoProvider;
  readonly mempool: Pick<Mempool, 'hasExecutable' | 'status'>;
  readonly log: EngineLog;
  readonly wal: Wal;
  readonly execution: Execution;
  readonly verifier: Verifier;
  readonly network: PeerNetwork;
  readonly clock: Clock;
  readonly tip: ChainTip;
  readonly protocol: ProtocolGate;
  readonly membership: Membership;
  readonly signing: OwnSigning;
  readonly inbox: ConsensusInbox;
  readonly paths: SentryPaths;
  readonly evidence: EvidencePool;
  readonly assembler: BlockAssembler;
  readonly build: BuildBlock;
  /** Carries out what the height in progress asks for. */
  readonly carryOut: (effect: HeightEffect, height: Height) => void;
}

/** The heights that this node takes part in, one after the other: when each begins, from what, and that there is one at a time. */
export class Heights {
  readonly pacing: Pacing;
  readonly #options: HeightsOptions;
  #current: HeightHost | null = null;
  #sinceMs = 0;
  /** When its first round began, or its log was opened that shows the begin. */
  #startedMs = 0;
  readonly #replay = { isOn: false, signerCame: false };
  #stopped = false;

  constructor(options: HeightsOptions) {
    this.#options = options;
    const { params, clock, mempool } = options;
    this.pacing = createPacing({ params, clock, waiting: () => itemsIn(mempool), start: this.#start });
  }

  /** The height in progress; null while a decided block is executed, or blocks are fetched. */
  get current(): HeightHost | null {
    return this.#current;
  }

  /** Of the height in progress. */
  get round(): Round {
    return this.#current?.machine.state.round ?? (0 as Round);
  }

  /** When the height in progress could begin, monotonic ms: the head is the block before it since then. */
  get sinceMs(): number {
    return this.#sinceMs;
  }

  /**
   * Whether peers may lack messages of the height in progress, or have others than this node: its first round failed, or its rounds last long.
   *
   * @param longMs more than this is long
   */
  isTroubled(longMs: number): boolean {
    if (this.#current?.started !== true) return false;
    return this.round > 0 || this.#options.clock.monotonicMs() - this.#startedMs > longMs;
  }

  /** At the start of a process: goes on where the log of the height in progress ends, or begins it. @throws EngineError `ENGINE_STORE_CORRUPT` */
  async resume(): Promise<void> {
    const { wal, signing, tip, execution, verifier, log } = this.#options;
    const height = this.#next;
    const ports = { execution, verifier };
    const entries = await replayable(wal.replay(), height, () => signing.newestHere(), tip, ports);
    if (entries === null) return this.begin();
    const host = this.#open(null);
    this.#replay.isOn = true;
    await host.replay(entries);
    this.#replay.isOn = false;
    log.info('replayed the log', { height, entries: entries.length });
    if (!host.started) this.pacing.begin(height, this.#hasWork());
    if (this.#replay.signerCame) this.#takeUp();
  }

  /** Begins the height after the head, with a log of its own. */
  begin(): void {
    if (this.#stopped) return;
    const { protocol, tip, wal, signing, log, inbox, carryOut } = this.#options;
    const height = this.#next;
    const problem = protocol.problem(tip.height);
    if (problem !== null) return carryOut({ kind: 'failed', error: problem }, height);
    wal.beginHeight(height);
    const resume = signing.newestHere();
    if (resume !== null) {
      // Goes on from the sign-state alone, in the round of the newest signature. What an older log says must not be replayed over it.
      log.warn('the log of this height is gone or torn', { height, round: resume.round });
      wal.sync();
    }
    const host = this.#open(resume);
    this.pacing.begin(height, this.#hasWork());
    inbox.open(height, host);
  }

  /** The remote signer was reached: a height that goes on without this validator is taken up again. */
  onSignerReady(): void {
    // The log is replayed to its end before it is begun anew.
    if (this.#replay.isOn) this.#replay.signerCame = true;
    else this.#takeUp();
  }

  /** The height in progress is over: it takes and gives nothing more. */
  end(): void {
    this.#current?.stop();
    this.pacing.stop();
  }

  /** The head moved: there is no height in progress until the next one begins. */
  leave(): void {
    this.#current = null;
  }

  /** No height begins any more. */
  stop(): void {
    this.#stopped = true;
    this.end();
  }

  readonly #start = (): void => {
    this.#startedMs = this.#options.clock.monotonicMs();
    this.#current?.start();
  };

  get #next(): Height {
    return (this.#options.tip.height + 1) as Height;
  }

  #hasWork(): boolean {
    return this.#options.tip.hadWork || this.#options.mempool.hasExecutable();
  }

  #takeUp(): void {
    const host = this.#current;
    // One that is stopped has a decided block that is being made durable: the next height begins by itself.
    if (host === null || host.stopped || host.isMember || this.#options.signing.taking() === null) return;
    this.end();
    this.begin();
  }

  /** @param resume newest signature, of this very height, where its log is gone */
  #open(resume: SignStateRecord | null): HeightHost {
    const given = this.#options;
    const { tip, signing, membership, paths, carryOut } = given;
    const own = signing.taking();
    const self = own?.validator ?? null;
    const height = this.#next;
    const machine = createConsensus({
      validatorSet: tip.validators,
      height,
      self,
      timeouts: given.timeouts,
      ...(resume !== null && { resume: resumptionOf(resume) }),
    });
    this.#sinceMs = given.clock.monotonicMs();
    this.#startedMs = this.#sinceMs;
    // Nothing is spread first and then added to: it would be of another hidden class each time (ADR 131).
    const host: HeightHost = new HeightHost({
      machine,
      self,
      context: tip.context(),
      firstRound: resume === null ? (0 as Round) : resume.round,
      domain: given.domain,
      provider: given.provider,
      signer: own && signing.signerOf(own, () => !host.stopped),
      proposers: given.inbox.proposers,
      mayReach: (validator) => paths.mayReach(validator, height),
      wal: resume === null ? given.wal : unlogged,
      execution: given.execution,
      verifier: given.verifier,
      network: given.network,
      clock: given.clock,
      log: given.log,
      assembler: given.assembler,
      build: given.build,
      evidence: given.evidence,
      lastCommit: () => membership.lastCommit(),
      checkLastCommit: tip.checkLastCommit,
      emit: (effect) => carryOut(effect, height),
    });
    this.#current = host;
    return host;
  }
}

/** What a block could take now. */
function itemsIn(mempool: Pick<Mempool, 'status'>): number {
  const { pending, actions } = mempool.status();
  return pending + actions;
}
