import { changeValueText, type ProposalRecord } from '@prime/codec';
import { toQuantity } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import { defineMethod, optional } from '../../define.ts';
import { stateAt } from '../../lookup/blocks.ts';
import { addressResult, hashResult, orNull, quantityResult } from '../../schema/resultSchemas.ts';
import { sample } from '../../schema/samples.ts';
import { blockSelector, latest } from '../../schema/valueTypes.ts';

const proposal = Type.Object(
  {
    proposal: hashResult,
    proposer: addressResult,
    market_id: orNull(Type.Integer()),
    parameter: Type.String(),
    value: Type.String(),
    activation_height: quantityResult,
    expiry_height: quantityResult,
    has_passed: Type.Boolean(),
    votes: Type.Array(Type.Object({ validator: addressResult, yes: Type.Boolean() }, { title: 'ProposalVote' })),
  },
  { title: 'ParameterProposal' },
);

const formatProposal = (record: ProposalRecord): Record<string, unknown> => ({
  proposal: record.proposal,
  proposer: record.proposer,
  market_id: record.change.marketId,
  parameter: record.change.parameter,
  value: changeValueText(record.change),
  activation_height: toQuantity(record.activationHeight),
  expiry_height: toQuantity(record.expiryHeight),
  has_passed: record.isPassed,
  votes: record.votes,
});

/** Changes of parameters that are voted on, or wait for their height. */
export const getProposals = defineMethod({
  name: 'prime_getProposals',
  summary:
    'The changes of parameters that are open after a block, the newest one where none is named: those that validators vote on, and those that were decided and wait for their height. By the height at which they are made, then by hash. What became of others is told by events.',
  params: [optional('block', blockSelector)],
  result: Type.Array(proposal),
  errors: ['RPC_BLOCK_NOT_FOUND', 'RPC_STATE_NOT_KEPT'],
  cost: 'heavy',
  privacy: 'public',
  fixedAtHead: true,
  examples: [
    {
      situation: 'one change that two validators want',
      params: [sample.height],
      result: [
        {
          proposal: sample.hash,
          proposer: sample.address,
          market_id: 1,
          parameter: 'status',
          value: '{"status":"settling","price":"3000"}',
          activation_height: '0x64',
          expiry_height: '0x5a',
          has_passed: false,
          votes: [{ validator: sample.address, yes: true }],
        },
      ],
    },
  ],
  handler: async (context, block = latest) => {
    const { proposals } = await context.ports.state.bookParameters(await stateAt(context, block));
    const turns = [...proposals].sort(
      (a, b) => a.activationHeight - b.activationHeight || (a.proposal < b.proposal ? -1 : 1),
    );
    return turns.map(formatProposal);
  },
});
