import { type Height, toQuantity } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import { heightOf } from '../../lookup/blocks.ts';
import { defineMethod, required } from '../../define.ts';
import { invalidParams } from '../../errors/errors.ts';
import { addressResult, hashResult, quantityResult } from '../../schema/resultSchemas.ts';
import { sample } from '../../schema/samples.ts';
import { blockNumber, index } from '../../schema/valueTypes.ts';

/** Each may be a read of a whole block. */
const countMax = 256;

/** Shows who is slow or absent, over many blocks. */
export const getCommits = defineMethod({
  name: 'prime_getCommits',
  summary: `How blocks were decided, oldest first: proposer, round, time, whose precommits are in the certificate, and whose turn the rounds before it were, which failed. \`count\` blocks from \`from\` on, at most ${countMax}; what is not decided yet, and genesis, are left out.`,
  params: [required('from', blockNumber), required('count', index)],
  result: Type.Array(
    Type.Object(
      {
        block_number: quantityResult,
        block_hash: hashResult,
        timestamp_ms: quantityResult,
        proposer: addressResult,
        round: quantityResult,
        signers: Type.Array(addressResult),
        missed_turns: Type.Array(addressResult),
      },
      { title: 'CommitSummary' },
    ),
  ),
  errors: ['RPC_HISTORY_PRUNED'],
  cost: 'heavy',
  privacy: 'public',
  fixedAtHead: true,
  examples: [
    {
      params: [sample.height, '0x1'],
      result: [
        {
          block_number: sample.height,
          block_hash: sample.otherHash,
          timestamp_ms: '0x19378d2b000',
          proposer: sample.address,
          round: '0x0',
          signers: [sample.address],
          missed_turns: [],
        },
      ],
    },
  ],
  handler: async (context, from, count) => {
    if (count < 1 || count > countMax) throw invalidParams('count', `must be from 1 to ${countMax}`);
    const { chain } = context.ports;
    const fromHeight = Math.max(1, await heightOf(context, from)) as Height;
    const { height } = (await chain.head()).block.header;
    const toHeight = Math.min(height, fromHeight + count - 1) as Height;
    if (toHeight < fromHeight) return [];
    return (await chain.commits({ fromHeight, toHeight })).map((commit) => ({
      block_number: toQuantity(commit.height),
      block_hash: commit.hash,
      timestamp_ms: toQuantity(commit.timestampMs),
      proposer: commit.proposer,
      round: toQuantity(commit.round),
      signers: commit.signers,
      missed_turns: commit.missedTurns,
    }));
  },
});
