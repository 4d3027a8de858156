import type { Block, Vote } from '@prime/codec';
import type { Height, Round } from '@prime/primitives';

/** What the engine counts; fed to shared memory by the host. */
export interface EngineMetrics {
  /** A block was decided here and is committed. */
  committed(block: Block, round: Round): void;
  /** A block is committed, whether it was decided here or fetched. */
  executed(block: Block): void;
  round(height: Height, round: Round): void;
  /** A vote of this node was signed: the step before it is over. */
  voted(vote: Pick<Vote, 'type' | 'blockHash'>): void;
  /** A vote came for a block that is decided and durable here. */
  lateVote(): void;
  /** Items came to be checked: so many signatures had to be recovered, and so many were known or under way already. */
  recovered(kind: 'transactions' | 'actions', recovered: number, known: number): void;
}
