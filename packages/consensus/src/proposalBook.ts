import type { Evidence, Proposal } from '@prime/codec';
import type { Hash, Round } from '@prime/primitives';
import type { IgnoreReason, Validity } from './api.ts';

/** Different proposals kept for a round: the second convicts an equivocating proposer, more would only cost memory. */
export const proposalsPerRoundMax = 2;

/** A proposal with a verified signature, and what was known of its block when it came. */
export interface HeldProposal {
  readonly proposal: Proposal;
  readonly validity: Validity;
}

/** Proposals of one height by round, with what is known of their blocks. */
export interface ProposalBook {
  /** @param hasQuorum a quorum voted for this block in this round: kept even when the round is full */
  add(proposal: Proposal, validity: Validity, hasQuorum: boolean): AddedProposal;
  /** A block checked without a proposal. False when that was known. */
  addValue(blockHash: Hash, validity: 'valid' | 'invalid'): boolean;
  /** In arrival order. */
  of(round: Round): readonly HeldProposal[];
  /** What is known of a block's content, whatever its time: `untimely` counts as valid here. */
  contentOf(blockHash: Hash): 'valid' | 'invalid' | 'unknown';
  rounds(): readonly Round[];
}

interface AddedProposal {
  readonly ignored: IgnoreReason | null;
  readonly evidence: Evidence | null;
}

/** An empty book for one height. It verifies nothing. */
export function createProposalBook(): ProposalBook {
  const byRound = new Map<Round, HeldProposal[]>();
  const contents = new Map<Hash, 'valid' | 'invalid'>();
  const convicted = new Set<Round>();

  function learnContent(blockHash: Hash, validity: Validity): boolean {
    if (validity === 'unknown' || contents.has(blockHash)) return false;
    contents.set(blockHash, validity === 'invalid' ? 'invalid' : 'valid');
    return true;
  }

  function evidenceAgainst(held: readonly HeldProposal[], second: Proposal): Evidence | null {
    const first = held.find(({ proposal }) => proposal.blockHash !== second.blockHash)?.proposal;
    if (first === undefined || convicted.has(second.round)) return null;
    convicted.add(second.round);
    return { kind: 'duplicateProposal', first, second };
  }

  return {
    add(proposal, validity, hasQuorum) {
      const held = byRound.get(proposal.round) ?? [];
      const index = held.findIndex(
        (other) => other.proposal.blockHash === proposal.blockHash && other.proposal.polRound === proposal.polRound,
      );
      if (index >= 0) {
        // The same proposal again is how a validity that was not known at first becomes known.
        if (held[index]!.validity !== 'unknown' || validity === 'unknown')
          return { ignored: 'duplicate', evidence: null };
        held[index] = { proposal: held[index]!.proposal, validity };
        learnContent(proposal.blockHash, validity);
        return { ignored: null, evidence: null };
      }
      const evidence = evidenceAgainst(held, proposal);
      const isVariant = held.some((other) => other.proposal.blockHash === proposal.blockHash);
      if (held.length >= proposalsPerRoundMax && (!hasQuorum || isVariant))
        return { ignored: 'equivocation', evidence };
      held.push({ proposal, validity });
      byRound.set(proposal.round, held);
      learnContent(proposal.blockHash, validity);
      return { ignored: null, evidence };
    },
    addValue: learnContent,
    of: (round) => byRound.get(round) ?? [],
    contentOf: (blockHash) => contents.get(blockHash) ?? 'unknown',
    rounds: () => [...byRound.keys()].sort((a, b) => a - b),
  };
}
