import type { Address, Height } from '@prime/primitives';
import type { ChainTip } from '../chain/chainTip.ts';
import type { EvidencePool } from '../evidence/evidencePool.ts';
import { FutureMessages } from './futureMessages.ts';
import type { HeightHost } from '../height/heightHost.ts';
import type { Membership } from '../chain/membership.ts';
import type { ConsensusMessage } from '../ports.ts';
import { ProposerWatch } from '../height/proposerWatch.ts';
import type { SentryPaths } from './sentryPaths.ts';
import { VotingPeers } from './votingPeers.ts';

/** Where messages of consensus go: to the height in progress, to evidence when they are late, on to others from a sentry. */
export interface ConsensusInboxParts {
  readonly tip: ChainTip;
  readonly membership: Membership;
  readonly paths: SentryPaths;
  readonly evidence: Pick<EvidencePool, 'onLateVote'>;
  /** The height in progress; null while there is none. */
  readonly host: () => HeightHost | null;
  /** Whether a decided block is just being made durable. */
  readonly isMovingHead: () => boolean;
  /** Somebody else has begun the height. */
  readonly onActivity: () => void;
}

/** Where proposals, votes and certificates of peers go: to the height in progress, aside for the next one, or nowhere. */
export class ConsensusInbox {
  readonly #parts: ConsensusInboxParts;
  readonly proposers = new ProposerWatch();
  readonly voting = new VotingPeers();
  readonly #future = new FutureMessages();

  constructor(parts: ConsensusInboxParts) {
    this.#parts = parts;
  }

  receive(from: Address, message: ConsensusMessage): void {
    const { tip, membership, paths, evidence, isMovingHead, onActivity } = this.#parts;
    const height = heightOf(message);
    const current = tip.height + 1;
    const isSentry = paths.speaksForOthers(from);
    paths.onReceived(from, message);
    if (height >= current) this.proposers.heard(isSentry ? authorOf(message, from) : from);
    if (message.kind === 'vote') {
      this.voting.onVote(from, message.vote);
      membership.noteLate(from, message.vote, isSentry);
      if (height === tip.height || isMovingHead()) paths.onLate(from, message.vote);
      if (height <= tip.height) evidence.onLateVote(from, message.vote);
    }
    const host = this.#parts.host();
    if (height === current + 1 || (height === current && host === null)) {
      const authors = isSentry ? tip.validators.validators.length : Number(membership.isValidator(from));
      return this.#future.add(height, from, message, authors);
    }
    if (height !== current || host === null) return;
    host.onMessage(from, message);
    onActivity();
  }

  /** A height begins: gives it what came early. */
  open(height: Height, host: HeightHost): void {
    const early = this.#future.take(height);
    if (early.length > 0) this.#parts.onActivity();
    for (const { from, message } of early) host.onMessage(from, message);
  }
}

function heightOf(message: ConsensusMessage): Height {
  if (message.kind === 'vote') return message.vote.height;
  return message.kind === 'proposal' ? message.proposal.height : (message.votes[0]?.height ?? (0 as Height));
}

/** Whom a message is from that a sentry passes on. */
function authorOf(message: ConsensusMessage, from: Address): Address {
  if (message.kind === 'vote') return message.vote.validator;
  return message.kind === 'proposal' ? message.proposal.proposer : from;
}
