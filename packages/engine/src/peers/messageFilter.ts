import {
  bodyRoot,
  evidenceHash,
  headerHash,
  isQuorum,
  lastCommitHash,
  type Proposal,
  proposalSignDigest,
  type ValidatorSet,
  type Vote,
  voteSignDigest,
} from '@prime/codec';
import { type ConsensusMachine } from '@prime/consensus';
import type { CryptoProvider } from '@prime/crypto';
import type { Address, Round } from '@prime/primitives';
import type { HeightContext } from '../block/blockRules.ts';
import type { PeerNetwork, ProposalMessage } from '../ports.ts';
import type { SigningDomain } from '../signing/signing.ts';

/** Cheap refusals first, then the signature: what passes is new, of this height, and signed by whom it names. */
export interface MessageFilter {
  proposal(from: Address, message: ProposalMessage): boolean;
  /** What the machine is to be given: the vote, nothing, or the vote behind one that was put aside before. */
  vote(from: Address, vote: Vote): readonly Vote[];
  /** All votes are signed, and one is new or they prove what is not counted yet; to be given to the machine whole. */
  certificate(from: Address, votes: readonly Vote[]): boolean;
  /** The machine was given these, by the network or the log. */
  markVotes(votes: readonly Vote[]): void;
  markProposal(proposal: Proposal): void;
}

/**
 * Different proposals of one round that are looked at: the second convicts an equivocating proposer, and any other one would
 * cost a check and an execution. One that more than 2/3 voted for is always let in.
 */
const proposalsPerRoundMax = 2;
/** Rounds above the own one of which proposals are looked at. */
const proposalRoundsAhead = 2;
/** Different votes of one height whose signatures are checked; far above what honest validators make. */
const verifiedVotesMax = 100_000;
/** Votes of one relayed certificate: two of each validator of the largest set. */
const certificateVotesMax = 200;

const voteKey = ({ type, round, validator, blockHash, signature }: Vote): string =>
  `${type}/${round}/${validator}/${blockHash ?? ''}/${String.fromCharCode.apply(null, signature as unknown as number[])}`;
const placeKey = (vote: Vote): string => `${vote.type}/${vote.round}/${vote.validator}`;
const proposalKey = (proposal: Proposal): string => `${proposal.round}/${proposal.polRound}/${proposal.blockHash}`;

interface FilterOptions {
  readonly context: HeightContext;
  readonly machine: ConsensusMachine;
  /** The validator that this node is at this height. */
  readonly self: Address | null;
  readonly domain: SigningDomain;
  readonly provider: CryptoProvider;
  readonly network: PeerNetwork;
}

/** One for each height: what was seen is forgotten with it. */
export function createMessageFilter(options: FilterOptions): MessageFilter {
  const { machine, domain, provider, network } = options;
  const { height } = machine.state;
  const publicKeys = new Map(
    options.context.validators.validators.map(({ address, publicKey }) => [address, publicKey] as const),
  );
  /** Votes that the machine was given. */
  const fed = new Set<string>();
  /** Votes whose signatures were checked, counted or not. */
  const verified = new Set<string>();
  const seenProposals = new Set<string>();
  const surplus = createSurplus(options);
  const allowance = createAllowance(machine, options.context.validators);

  const markProposal = (proposal: Proposal): void => {
    seenProposals.add(proposalKey(proposal));
    allowance.use(proposal.round);
  };

  const isSigned = (from: Address, vote: Vote): boolean => {
    if (vote.height !== height || vote.round < 0) return false;
    const key = voteKey(vote);
    if (verified.has(key)) return true;
    const publicKey = publicKeys.get(vote.validator);
    if (publicKey === undefined || verified.size >= verifiedVotesMax) return false;
    if (!provider.verify(voteSignDigest(domain.chainId, domain.genesisHash, vote), vote.signature, publicKey)) {
      network.punish(from, 'invalid vote signature');
      return false;
    }
    verified.add(key);
    return true;
  };

  /**
   * False when the machine would do nothing with it. A vote that it was given may be new all the same: it lay too far ahead, or
   * had to make room for one that lay further.
   */
  const isNew = (vote: Vote): boolean => !machine.isTaken(vote) || !fed.has(voteKey(vote));

  return {
    proposal(from, message) {
      const { proposal, header } = message;
      if (proposal.height !== height || header.height !== height || proposal.round < 0) return false;
      if (proposal.round > machine.state.round + proposalRoundsAhead) return false;
      if (machine.proposer(proposal.round) !== proposal.proposer) return false;
      if (seenProposals.has(proposalKey(proposal))) return false;
      if (!allowance.allows(proposal)) return false;
      const publicKey = publicKeys.get(proposal.proposer);
      if (publicKey === undefined) return false;
      const blame = blameFor(options, message, publicKey);
      if (blame !== null) {
        network.punish(from, blame);
        return false;
      }
      markProposal(proposal);
      return true;
    },
    vote: (from, vote) => (isNew(vote) ? surplus.sift(from, vote).filter((one) => isSigned(from, one)) : []),
    certificate: (from, votes) =>
      votes.length <= certificateVotesMax &&
      (votes.some(isNew) || machine.isNewQuorum(votes)) &&
      votes.every((vote) => isSigned(from, vote)),
    markVotes: (votes) => {
      for (const vote of votes) fed.add(voteKey(vote));
    },
    markProposal,
  };
}

/**
 * Votes that came from their own validator after the quorum that they belong to, by their place: no clause depends on them. Their signatures
 * are not checked until another vote for the same place shows that something is wrong. One for each round with a quorum, type and validator.
 */
function createSurplus({ machine, self, context }: FilterOptions): {
  /** What is to be looked at: the vote, nothing, or the vote behind the one that was put aside. */
  sift(from: Address, vote: Vote): readonly Vote[];
} {
  const members = new Set(context.validators.validators.map(({ address }) => address));
  const aside = new Map<string, Vote>();
  const isSurplus = ({ type, round, blockHash, validator, height }: Vote): boolean =>
    height === machine.state.height &&
    validator !== self &&
    members.has(validator) &&
    machine.hasQuorum(type, round, blockHash);
  return {
    sift(from, vote) {
      const place = placeKey(vote);
      const known = aside.get(place);
      if (known?.blockHash === vote.blockHash) return [];
      if (known !== undefined) {
        // Two values of one validator: both count now, as evidence.
        aside.delete(place);
        return [known, vote];
      }
      if (from !== vote.validator || !isSurplus(vote)) return [vote];
      aside.set(place, vote);
      return [];
    },
  };
}

/** Bounds the proposals of one round, see {@link proposalsPerRoundMax}. */
function createAllowance(
  machine: ConsensusMachine,
  { validators }: ValidatorSet,
): { allows(proposal: Proposal): boolean; use(round: Round): void } {
  const used = new Map<Round, number>();
  const totalPower = validators.reduce((sum, { power }) => sum + power, 0n);
  const hasQuorum = (votes: readonly Vote[]): boolean => {
    const voters = new Set(votes.map(({ validator }) => validator));
    const power = validators.reduce((sum, { address, power: own }) => sum + (voters.has(address) ? own : 0n), 0n);
    return isQuorum(power, totalPower);
  };
  return {
    allows({ round, blockHash }) {
      if ((used.get(round) ?? 0) < proposalsPerRoundMax) return true;
      const votes = machine.votesFor(round).filter((vote) => vote.blockHash === blockHash);
      return (['prevote', 'precommit'] as const).some((type) => hasQuorum(votes.filter((vote) => vote.type === type)));
    },
    use(round) {
      used.set(round, (used.get(round) ?? 0) + 1);
    },
  };
}

/** What an honest peer would not have passed on; null when the parts of the message belong together. */
function blameFor(
  { domain, provider }: { readonly domain: SigningDomain; readonly provider: CryptoProvider },
  { proposal, header, transactionHashes, actionHashes, evidence, lastCommit }: ProposalMessage,
  publicKey: Uint8Array,
): string | null {
  if (headerHash(header) !== proposal.blockHash) return 'a proposal does not match its header';
  if (bodyRoot(transactionHashes, actionHashes) !== header.bodyRoot) return 'a header does not match its body';
  if (lastCommitHash(lastCommit) !== header.lastCommitHash) return 'a header does not match its certificate';
  if (evidenceHash(evidence) !== header.evidenceHash) return 'a header does not match its evidence';
  // About the proposal and not the block: the block stays as valid as it was when its own proposer sent it.
  if (proposal.polRound < 0 && header.proposer !== proposal.proposer) return 'a block of another is proposed as new';
  const digest = proposalSignDigest(domain.chainId, domain.genesisHash, proposal);
  return provider.verify(digest, proposal.signature, publicKey) ? null : 'invalid proposal signature';
}
