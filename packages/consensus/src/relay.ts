import type { VoteCertificate } from '@prime/codec';
import type { Address, Hash, Height, Round } from '@prime/primitives';
import type { Effect } from './api.ts';
import type { ProposalBook } from './proposalBook.ts';
import type { RoundState } from './rules.ts';
import type { VoteKeeper } from './voteKeeper.ts';

/**
 * What a validator sends again so that others can move. The paper assumes that whatever one correct process has received
 * reaches all (gossip); validators here talk directly to each other, so when links are cut in one direction, or a faulty
 * validator shows its vote to one peer only, that holds only if what mattered is passed on.
 */
export interface Relay {
  /** The polka behind the valid value, with the proposal that it was for; nothing when there is none. */
  polkaOf(state: RoundState): readonly Effect[];
  /** The prevote or precommit timeout of a round passed: this round may have failed because someone saw less than others. */
  onRoundTimeout(state: RoundState, step: 'prevote' | 'precommit'): readonly Effect[];
  /** The round has lasted longer than it should. */
  onRebroadcast(state: RoundState): readonly Effect[];
}

/** What was received at one height, to be passed on. `self` is null for an observer. */
export interface RelayOptions {
  readonly self: Address | null;
  readonly height: Height;
  readonly votes: VoteKeeper;
  readonly proposals: ProposalBook;
}

/** The relay of one height; it counts rebroadcasts by itself, and keeps no votes of its own. */
export function createRelay({ self, height, votes, proposals }: RelayOptions): Relay {
  let rebroadcasts: { round: Round; count: number } | null = null;

  function polkaFor(round: Round, blockHash: Hash): Effect[] {
    // Without a quorum after a restart from the sign-state record: the lock is known then, its votes are not.
    if (!votes.hasQuorum('prevote', round, blockHash)) return [];
    const certified = votes.votesOf('prevote', round, blockHash);
    const certificate: VoteCertificate = { kind: 'polka', height, round, votes: certified };
    return [{ kind: 'relayCertificate', certificate }];
  }

  /** Hidden lock: the polka behind the valid value, with the proposal it belongs to. */
  function polka({ validRound: round, validValue }: RoundState): Effect[] {
    if (validValue === null) return [];
    const held = proposals.of(round).find(({ proposal }) => proposal.blockHash === validValue);
    const effects: Effect[] = held === undefined ? [] : [{ kind: 'relayProposal', proposal: held.proposal }];
    return [...effects, ...polkaFor(round, validValue)];
  }

  /** The proposal of a round, with the polka that it refers to: its proposer may reach some only through this node. */
  function currentProposal(round: Round): Effect[] {
    const proposal = proposals.of(round)[0]?.proposal;
    if (proposal === undefined) return [];
    const { polRound, blockHash } = proposal;
    return [{ kind: 'relayProposal', proposal }, ...(polRound < 0 ? [] : polkaFor(polRound, blockHash))];
  }

  /** The precommits that ended a round: whoever is still in it can leave it. */
  function roundCertificate(round: Round): Effect[] {
    if (round < 0 || !votes.hasAnyQuorum('precommit', round)) return [];
    const precommits = votes.votesIn(round).filter((vote) => vote.type === 'precommit');
    return [{ kind: 'relayCertificate', certificate: { kind: 'round', height, round, votes: precommits } }];
  }

  /** From the second time on with the votes of others: a peer whose link to one of them is cut needs this node for them. */
  function currentVotes(round: Round, count: number): Effect[] {
    const held = votes.votesIn(round).filter((vote) => count > 1 || vote.validator === self);
    return held.length === 0 ? [] : [{ kind: 'rebroadcastVotes', votes: held }];
  }

  return {
    polkaOf: polka,
    onRoundTimeout: (state, step) => [...polka(state), ...(step === 'precommit' ? roundCertificate(state.round) : [])],
    onRebroadcast(state) {
      const count = rebroadcasts?.round === state.round ? rebroadcasts.count + 1 : 1;
      rebroadcasts = { round: state.round, count };
      return [
        ...currentProposal(state.round),
        ...currentVotes(state.round, count),
        ...roundCertificate((state.round - 1) as Round),
        ...polka(state),
      ];
    },
  };
}
