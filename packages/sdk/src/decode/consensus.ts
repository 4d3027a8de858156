import type { RpcResult } from '../generated/methods.ts';
import type { CommitSummary, ConsensusStatus, NetworkNodes, VotesStanding } from '../types/consensus.ts';
import type { Hex } from '../types/primitives.ts';
import { toBigint, toNumber } from './quantity.ts';

/** From wire form, time in ms since 1970. */
export const decodeCommitSummary = (wire: RpcResult<'prime_getCommits'>[number]): CommitSummary => ({
  blockNumber: toBigint(wire.block_number),
  blockHash: wire.block_hash,
  timestampMs: toNumber(wire.timestamp_ms),
  proposer: wire.proposer,
  round: toNumber(wire.round),
  signers: wire.signers,
  missedTurns: wire.missed_turns,
});

type WireStatus = RpcResult<'prime_consensusStatus'>;
type WireRound = NonNullable<WireStatus['current_round']>;

const decodeVotes = ({ block, nil, missing, voting_power }: WireRound['prevotes']): VotesStanding => ({
  block,
  nil,
  missing,
  votingPower: toBigint(voting_power),
});

const decodeRound = (wire: WireRound): NonNullable<ConsensusStatus['currentRound']> => ({
  round: toNumber(wire.round),
  proposer: wire.proposer,
  hasProposal: wire.has_proposal,
  prevotes: decodeVotes(wire.prevotes),
  precommits: decodeVotes(wire.precommits),
});

/** From wire form; times are ms of the node's clock. */
export const decodeConsensusStatus = (wire: WireStatus): ConsensusStatus => ({
  height: toBigint(wire.height),
  waitsFor: wire.waits_for,
  sinceMs: toNumberOrNull(wire.since_ms),
  nowMs: toNumber(wire.now_ms),
  totalPower: toBigint(wire.total_power),
  currentRound: wire.current_round === null ? null : decodeRound(wire.current_round),
});

const toNumberOrNull = (wire: Hex | null): number | null => (wire === null ? null : toNumber(wire));

/** From wire form, for validators and for other nodes. */
export function decodeNetworkNodes({ protocol, validators, others }: RpcResult<'prime_network'>): NetworkNodes {
  const { next } = protocol;
  return {
    protocol: {
      version: toNumber(protocol.version),
      knownVersion: toNumber(protocol.known_version),
      next: next && {
        version: toNumber(next.version),
        height: toBigint(next.height),
        isKnown: next.known,
        readyPower: toBigint(next.ready_power),
        totalPower: toBigint(next.total_power),
      },
    },
    validators: validators.map(({ address, moniker, voting_power, present, head, known_version }) => ({
      address,
      moniker,
      votingPower: toBigint(voting_power),
      isPresent: present,
      head: head === null ? null : toBigint(head),
      knownVersion: toNumberOrNull(known_version),
    })),
    others: others.map(({ role, head, known_version }) => ({
      role,
      head: toBigint(head),
      knownVersion: toNumberOrNull(known_version),
    })),
  };
}
