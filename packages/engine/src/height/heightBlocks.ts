import type { Block, BlockCheck, CommitCertificate, ExecutableBlock } from '@prime/codec';
import { type Address, assert, type Hash } from '@prime/primitives';
import type { BuildBlock } from '../block/blockBuilder.ts';
import type { HeightContext } from '../block/blockRules.ts';
import type { BlockAssembler } from '../block/candidates.ts';
import type { EvidencePool } from '../evidence/evidencePool.ts';
import type { EmitHeightEffect } from './heightEffects.ts';
import { judgeBlock } from '../block/judgeBlock.ts';
import type { EngineLog } from '../log.ts';
import type { Execution, PeerNetwork, ProposalMessage, Verifier } from '../ports.ts';
import { verifyOwnBlock } from '../chain/recovery.ts';

/** Where the blocks of one height come from: own ones are built, others are assembled and judged. */
export interface HeightBlocksOptions {
  readonly context: HeightContext;
  /** The validator that this node is at this height; null when it is none. */
  readonly self: Address | null;
  readonly execution: Pick<Execution, 'check'>;
  readonly verifier: Verifier;
  readonly assembler: Pick<BlockAssembler, 'assemble' | 'reset'>;
  readonly build: BuildBlock;
  readonly evidence: Pick<EvidencePool, 'hasDue' | 'select'>;
  /** Certificate of the parent, with what came after the decision. */
  readonly lastCommit: () => CommitCertificate | null;
  /** Verifies the certificate of the parent that a block carries. */
  readonly checkLastCommit: (certificate: CommitCertificate | null) => BlockCheck;
  readonly network: Pick<PeerNetwork, 'punish'>;
  readonly log: Pick<EngineLog, 'warn'>;
  readonly emit: EmitHeightEffect;
}

/** A block of the height, and what was found when it was judged. */
export interface KnownBlock {
  readonly executable: ExecutableBlock;
  readonly valid: boolean;
}

/** The blocks of one height: built here, gathered and judged, or taken from the log. */
export class HeightBlocks {
  readonly #options: HeightBlocksOptions;
  readonly #known = new Map<Hash, KnownBlock>();
  #stopped = false;

  constructor(options: HeightBlocksOptions) {
    this.#options = options;
  }

  find(hash: Hash): KnownBlock | undefined {
    return this.#known.get(hash);
  }

  /** One that must be known: the machine speaks of it. */
  get(hash: Hash): KnownBlock {
    const known = this.#known.get(hash);
    assert(known !== undefined, `block ${hash} is not known at height ${this.#height}`);
    return known;
  }

  /** Builds a block and has it checked. @param deliver called once, unless the height ends meanwhile */
  propose(deliver: (block: ExecutableBlock) => void): void {
    const { evidence } = this.#options;
    if (!evidence.hasDue) return this.#proposeWith([], deliver);
    evidence
      .select()
      .then((pieces) => (this.#stopped ? undefined : this.#proposeWith(pieces, deliver)))
      .catch(this.#fail);
  }

  #proposeWith(evidence: Block['evidence'], deliver: (block: ExecutableBlock) => void): void {
    const { build, context, execution, lastCommit, self, emit } = this.#options;
    assert(self !== null, 'a node without a key was asked to propose');
    const executable = build(context, { proposer: self, lastCommit: lastCommit(), evidence });
    emit({ kind: 'proposed', block: executable });
    execution
      .check(executable, 'execute')
      .then((verdict) => {
        if (this.#stopped) return;
        // Time went on since the evidence was judged: what is too old by now is left out.
        if (!verdict.ok && evidence.length > 0) return this.#proposeWith([], deliver);
        assert(verdict.ok, `the block built here is refused: ${verdict.ok ? '' : verdict.reason}`);
        this.#add(executable, true);
        deliver(executable);
      })
      .catch(this.#fail);
  }

  /**
   * Gathers the body of a proposed block and judges it.
   *
   * @returns null when the height ended first, or the body is not one: then its proposer is punished
   */
  async take(from: Address, message: ProposalMessage): Promise<KnownBlock | null> {
    const { assembler, log, network, emit } = this.#options;
    const { proposal } = message;
    const assembled = await assembler.assemble(from, message);
    if (this.#stopped || assembled.kind === 'abandoned') return null;
    if (assembled.kind === 'invalid') {
      const { reason } = assembled;
      log.warn('a proposal carries an invalid transaction', { height: this.#height, from, reason });
      network.punish(proposal.proposer, reason);
      return null;
    }
    emit({ kind: 'received', block: assembled.executable });
    // Of the block alone: it decides about every later proposal of it. A valid one begins to execute while the votes are under way.
    const verdict = await judgeBlock(assembled.executable, this.#options, 'execute');
    if (this.#stopped) return null;
    if (!verdict.ok)
      log.warn('proposal refused', { height: this.#height, round: proposal.round, reason: verdict.reason });
    return this.#add(assembled.executable, verdict.ok);
  }

  /** Takes over a block of the log. @param valid what was found before the restart @throws EngineError `ENGINE_STORE_CORRUPT` */
  async restore(block: Block, valid: boolean): Promise<void> {
    const { execution, verifier } = this.#options;
    const executable = await verifyOwnBlock(verifier, block);
    if (valid) {
      const verdict = await execution.check(executable, 'execute');
      assert(verdict.ok, `a block valid before the restart is refused: ${verdict.ok ? '' : verdict.reason}`);
    }
    this.#add(executable, valid);
  }

  /** Nothing more is gathered or built. */
  stop(): void {
    this.#stopped = true;
    this.#options.assembler.reset();
  }

  readonly #fail = (error: unknown): void => this.#options.emit({ kind: 'failed', error });

  get #height(): number {
    return this.#options.context.head.height + 1;
  }

  #add(executable: ExecutableBlock, valid: boolean): KnownBlock {
    const known = { executable, valid };
    this.#known.set(executable.hash, known);
    return known;
  }
}
