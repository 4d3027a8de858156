import { Type } from '@sinclair/typebox';
import { toQuantity } from '@prime/primitives';
import { type ConsensusStatus, consensusWaits, type VotesStanding } from '../../ports/chainPorts.ts';
import { defineMethod } from '../../define.ts';
import { addressResult, orNull, quantityResult } from '../../schema/resultSchemas.ts';
import { sample } from '../../schema/samples.ts';

const votesResult = Type.Object(
  {
    block: Type.Array(addressResult),
    nil: Type.Array(addressResult),
    missing: Type.Array(addressResult),
    voting_power: quantityResult,
  },
  { title: 'VotesStanding' },
);

const formatVotes = ({ block, nil, missing, power }: VotesStanding) => ({
  block,
  nil,
  missing,
  voting_power: toQuantity(power),
});

const formatStatus = ({ height, waitsFor, sinceMs, round, totalPower }: ConsensusStatus, nowMs: number) => ({
  height: toQuantity(height),
  waits_for: waitsFor,
  since_ms: sinceMs === null ? null : toQuantity(sinceMs),
  now_ms: toQuantity(nowMs),
  total_power: toQuantity(totalPower),
  current_round:
    round === null
      ? null
      : {
          round: toQuantity(round.number),
          proposer: round.proposer,
          has_proposal: round.hasProposal,
          prevotes: formatVotes(round.prevotes),
          precommits: formatVotes(round.precommits),
        },
});

/** One node's view at one moment; others may be further. */
export const consensusStatus = defineMethod({
  name: 'prime_consensusStatus',
  summary:
    'The height that is being decided as this node sees it: what the next block waits for and since when, whose turn it is, and who voted. `waits_for` is work (a transaction, or the time of an empty block), proposal, prevotes, precommits, execution (of a block that is decided), or blocks (that others have and this node lacks).',
  params: [],
  result: Type.Object(
    {
      height: quantityResult,
      waits_for: Type.Union(consensusWaits.map((wait) => Type.Literal(wait))),
      since_ms: orNull(quantityResult),
      now_ms: quantityResult,
      total_power: quantityResult,
      current_round: orNull(
        Type.Object({
          round: quantityResult,
          proposer: addressResult,
          has_proposal: Type.Boolean(),
          prevotes: votesResult,
          precommits: votesResult,
        }),
      ),
    },
    { title: 'ConsensusStatus' },
  ),
  privacy: 'public',
  examples: [
    {
      situation: 'one of four validators is needed for the prevotes',
      params: [],
      result: {
        height: '0x2b',
        waits_for: 'prevotes',
        since_ms: '0x19378d2b3e8',
        now_ms: '0x19378d2b7d0',
        total_power: '0x4',
        current_round: {
          round: '0x0',
          proposer: sample.address,
          has_proposal: true,
          prevotes: { block: [sample.address], nil: [], missing: [sample.otherAddress], voting_power: '0x2' },
          precommits: { block: [], nil: [], missing: [sample.address, sample.otherAddress], voting_power: '0x0' },
        },
      },
    },
  ],
  handler: async ({ ports }) => formatStatus(await ports.network.consensus(), ports.clock.nowMs()),
});
