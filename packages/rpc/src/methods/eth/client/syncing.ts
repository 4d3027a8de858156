import { Type } from '@sinclair/typebox';
import { toQuantity } from '@prime/primitives';
import { defineMethod } from '../../../define.ts';
import { quantityResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';

/** Tells of blocks of the chain, not of the state of peers. */
export const syncing = defineMethod({
  name: 'eth_syncing',
  summary: 'false, or how far catching up with the network has come.',
  params: [],
  result: Type.Union([
    Type.Literal(false),
    Type.Object({ startingBlock: quantityResult, currentBlock: quantityResult, highestBlock: quantityResult }),
  ]),
  privacy: 'public',
  examples: [
    { params: [], result: false },
    {
      situation: 'while catching up',
      params: [],
      result: { startingBlock: '0x0', currentBlock: '0x10', highestBlock: sample.height },
    },
  ],
  handler: async ({ ports }) => {
    const progress = (await ports.network.status()).syncing;
    if (progress === null) return false;
    return {
      startingBlock: toQuantity(progress.startingBlock),
      currentBlock: toQuantity(progress.currentBlock),
      highestBlock: toQuantity(progress.highestBlock),
    };
  },
});
