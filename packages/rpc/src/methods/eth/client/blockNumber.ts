import { toQuantity } from '@prime/primitives';
import { defineMethod } from '../../../define.ts';
import { andThen } from '../../../dispatch/eventual.ts';
import { quantityResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';

/** A committed block is final, so this is the finalized one, too. */
export const blockNumber = defineMethod({
  name: 'eth_blockNumber',
  summary: 'Number of the newest committed block.',
  params: [],
  result: quantityResult,
  privacy: 'public',
  examples: [{ params: [], result: sample.height }],
  handler: ({ ports }) => andThen(ports.chain.head(), (head) => toQuantity(head.block.header.height)),
});
