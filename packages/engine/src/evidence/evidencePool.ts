import { encodeEvidence, type Evidence, type Vote } from '@prime/codec';
import { accusedOf, inOrder } from '@prime/consensus';
import type { Address, Height } from '@prime/primitives';
import type { EngineLog } from '../log.ts';
import { PeerAllowance } from '../peers/peerAllowance.ts';
import type { Clock, EvidenceStore, Execution, PeerNetwork, StoredBlock } from '../ports.ts';
import { RecentDecisions } from './recentDecisions.ts';

/** Who judges evidence, keeps it and passes it on, and how much of it fits into a block, in bytes. */
export interface EvidencePoolOptions {
  readonly execution: Pick<Execution, 'judgeEvidence'>;
  readonly evidence: EvidenceStore;
  readonly network: Pick<PeerNetwork, 'broadcast' | 'punish'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly head: () => Height;
  /** Most evidence in the next block. */
  readonly bytesMax: () => number;
  readonly log: EngineLog;
  readonly onFatal: (error: unknown) => void;
}

/** One piece against each validator of the largest set. */
const piecesMax = 100;
/** Messages with evidence of one peer that are looked at in a second. */
const messagesPerSecond = 4;
/** Pieces in one message, far below its largest size. */
const piecesPerMessage = 16;

/**
 * Evidence that waits for a block: found here or told by others, one piece against each validator, because one is enough. It survives
 * the process, is told to the peers as long as it waits, and is forgotten once it can not stand in a block any more, which is also what
 * becomes of it once it did.
 */
export class EvidencePool {
  readonly #options: EvidencePoolOptions;
  readonly #allowance = new PeerAllowance(messagesPerSecond);
  readonly #pending = new Map<Address, Evidence>();
  readonly #decisions = new RecentDecisions();

  constructor(options: EvidencePoolOptions) {
    this.#options = options;
    for (const piece of options.evidence.read().slice(0, piecesMax)) this.#pending.set(accusedOf(piece), piece);
  }

  /** Whether anything waits that could stand in the next block. */
  get hasDue(): boolean {
    return this.#due().length > 0;
  }

  /** The own machine saw it; its signatures were verified on the way in. */
  onFound(evidence: Evidence): void {
    if (this.#add(evidence)) this.remind();
  }

  onGossip(from: Address, evidence: readonly Evidence[]): void {
    if (!this.#allowance.take(from, this.#options.clock.monotonicMs())) return;
    const fresh = evidence.slice(0, piecesPerMessage).filter((piece) => !this.#pending.has(accusedOf(piece)));
    if (fresh.length > 0) this.#judge(fresh, from).catch(this.#options.onFatal);
  }

  /** A vote for a decided height, too late for the machine: whoever brought it may have passed on what somebody else made up. */
  onLateVote(from: Address, vote: Vote): void {
    const piece = this.#decisions.contradictedBy(vote);
    if (piece === null || this.#pending.has(vote.validator)) return;
    if (!this.#allowance.take(from, this.#options.clock.monotonicMs())) return;
    this.#judge([piece], null).catch(this.#options.onFatal);
  }

  /** Tells the peers what waits; again and again, because they may have been away. */
  remind(): void {
    const evidence = this.#due().slice(0, piecesPerMessage);
    if (evidence.length > 0) this.#options.network.broadcast({ kind: 'evidence', evidence });
  }

  /** What a block proposed now may hold; drops what can not stand in one any more. */
  async select(): Promise<readonly Evidence[]> {
    const due = this.#due();
    const verdicts = await this.#options.execution.judgeEvidence(due);
    const good: Evidence[] = [];
    const bytesMax = this.#options.bytesMax();
    let bytes = 0;
    for (const [index, piece] of due.entries()) {
      const verdict = verdicts[index];
      if (verdict?.ok !== true) this.#drop(piece, verdict?.reason ?? 'it was not judged');
      else {
        bytes += encodeEvidence(piece).length;
        if (bytes <= bytesMax) good.push(piece);
      }
    }
    return good;
  }

  /** A block is committed: what it holds, and what it made pointless, waits no more. */
  onCommit(stored: StoredBlock): void {
    this.#decisions.onCommit(stored);
    if (this.hasDue) this.select().catch(this.#options.onFatal);
  }

  /** Evidence of heights that are decided. */
  #due(): Evidence[] {
    const head = this.#options.head();
    return [...this.#pending.values()].filter(({ first }) => first.height <= head);
  }

  /** @param teller punished for what is forged; null where nobody vouched for it */
  async #judge(evidence: readonly Evidence[], teller: Address | null): Promise<void> {
    const verdicts = await this.#options.execution.judgeEvidence(evidence);
    let isNew = false;
    for (const [index, piece] of evidence.entries()) {
      const verdict = verdicts[index];
      if (verdict?.ok === true) isNew = this.#add(piece) || isNew;
      else if (verdict?.forged === true && teller !== null)
        return this.#options.network.punish(teller, `forged evidence: ${verdict.reason}`);
    }
    if (isNew) this.remind();
  }

  #add(evidence: Evidence): boolean {
    const piece = inOrder(evidence);
    const validator = accusedOf(piece);
    if (this.#pending.has(validator) || this.#pending.size >= piecesMax) return false;
    this.#pending.set(validator, piece);
    this.#options.evidence.write([...this.#pending.values()]);
    this.#options.log.warn('evidence waits for a block', { validator, kind: piece.kind, height: piece.first.height });
    return true;
  }

  #drop(evidence: Evidence, reason: string): void {
    const validator = accusedOf(evidence);
    if (this.#pending.get(validator) !== evidence) return;
    this.#pending.delete(validator);
    this.#options.evidence.write([...this.#pending.values()]);
    this.#options.log.info('evidence waits no more', { validator, reason });
  }
}
