import type { CommitCertificate, Evidence, ExecutableBlock, Vote } from '@prime/codec';
import type { Address, Hash, Round } from '@prime/primitives';
import type { ConsensusMessage } from '../ports.ts';

/**
 * What a height asks of the engine, as one stream in the order of the events. Each is carried out when it is emitted, before the height goes on.
 *
 * A replay emits what decides or ends the height, and nothing of what was told before the restart.
 */
export type HeightEffect =
  /** A round was entered. */
  | { readonly kind: 'round'; readonly round: Round }
  /** A vote of another process, with a good signature, before the machine is given it. */
  | { readonly kind: 'voteHeard'; readonly vote: Vote }
  /** A vote of this node, just signed and not logged yet. */
  | { readonly kind: 'voteSigned'; readonly vote: Vote }
  /** A message from elsewhere whose signatures hold. `author` is null where there are several. */
  | { readonly kind: 'verified'; readonly message: ConsensusMessage; readonly author: Address | null }
  /** This validator built a block, for its own proposal. */
  | { readonly kind: 'proposed'; readonly block: ExecutableBlock }
  /** A block that another one proposed is complete here. */
  | { readonly kind: 'received'; readonly block: ExecutableBlock }
  /** This validator is about to precommit a block. */
  | { readonly kind: 'polka'; readonly blockHash: Hash }
  /** Precommits of more than 2/3 of the power are here; own ones among them may not be durable yet. */
  | { readonly kind: 'decided'; readonly blockHash: Hash }
  /** The decision is to be made durable and executed. All that it holds of this node is durable. */
  | { readonly kind: 'commit'; readonly certificate: CommitCertificate; readonly block: ExecutableBlock }
  /** Two messages of one validator contradict each other; their signatures hold. */
  | { readonly kind: 'equivocation'; readonly evidence: Evidence }
  /** More than 2/3 decided a block that is invalid here. The height has stopped. */
  | { readonly kind: 'invalidDecision'; readonly block: ExecutableBlock }
  /** The height can not go on. */
  | { readonly kind: 'failed'; readonly error: unknown };

/** Carries out an effect of a height. */
export type EmitHeightEffect = (effect: HeightEffect) => void;
