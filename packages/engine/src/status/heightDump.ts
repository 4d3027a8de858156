import type { Vote } from '@prime/codec';
import type { ConsensusMachine } from '@prime/consensus';
import type { Address, Hash, Round } from '@prime/primitives';
import type { HeightHost } from '../height/heightHost.ts';

/** The votes of one kind in a round. */
export interface VoteDump {
  /** Who voted for what; null is nil. Both messages of a validator that signed two. */
  readonly votes: readonly { readonly validator: Address; readonly blockHash: Hash | null }[];
  /** Voting power of those who voted, for whatever. */
  readonly power: bigint;
  /** Validators of the set whose vote is not here. */
  readonly missing: readonly Address[];
}

/** One round of the height in progress, as far as it is known here. */
export interface RoundDump {
  readonly round: Round;
  readonly proposer: Address;
  readonly proposals: readonly {
    readonly blockHash: Hash;
    readonly polRound: Round;
    /** Whether the whole block is here. */
    readonly complete: boolean;
  }[];
  readonly prevotes: VoteDump;
  readonly precommits: VoteDump;
}

/** The height in progress, for operators: plain data. */
export type HeightDump = ConsensusMachine['state'] & {
  /** Whether its first round has begun. */
  readonly started: boolean;
  readonly totalPower: bigint;
  /** The newest rounds, ascending. */
  readonly rounds: readonly RoundDump[];
  /** Inputs that changed nothing, by reason. */
  readonly dropped: ConsensusMachine['dropped'];
};

/** Rounds that are told of: a height that lasts may have had many. */
const roundsMax = 16;

/** The height in progress for an operator: the latest rounds, oldest first, with who voted for what. Plain data. */
export function dumpHeight(host: Pick<HeightHost, 'machine' | 'started' | 'candidate'>): HeightDump {
  const { machine, started } = host;
  const { validators } = machine.validatorSet;
  return {
    ...machine.state,
    started,
    totalPower: validators.reduce((sum, { power }) => sum + power, 0n),
    rounds: machine
      .rounds()
      .slice(-roundsMax)
      .map((round) => dumpRound(machine, (hash) => host.candidate(hash) !== null, round)),
    dropped: { ...machine.dropped },
  };
}

function dumpRound(machine: ConsensusMachine, isComplete: (hash: Hash) => boolean, round: Round): RoundDump {
  const votes = machine.votesFor(round);
  const proposals = machine
    .proposalsFor(round)
    .map(({ blockHash, polRound }) => ({ blockHash, polRound, complete: isComplete(blockHash) }));
  return {
    round,
    proposer: machine.proposer(round),
    proposals,
    prevotes: dumpVotes(machine, votes, 'prevote'),
    precommits: dumpVotes(machine, votes, 'precommit'),
  };
}

function dumpVotes({ validatorSet }: ConsensusMachine, votes: readonly Vote[], type: Vote['type']): VoteDump {
  const own = votes.filter((vote) => vote.type === type);
  const voters = new Set(own.map(({ validator }) => validator));
  let power = 0n;
  const missing: Address[] = [];
  for (const validator of validatorSet.validators)
    if (voters.has(validator.address)) power += validator.power;
    else missing.push(validator.address);
  return { votes: own.map(({ validator, blockHash }) => ({ validator, blockHash })), power, missing };
}
