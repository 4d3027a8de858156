import { Type } from '@sinclair/typebox';
import { defineMethod } from '../../define.ts';
import { inspectByStatus } from './poolContent.ts';
import { sample } from '../../schema/samples.ts';

const bySender = Type.Record(Type.String(), Type.Record(Type.String(), Type.String()));

/** For people; programs ask `txpool_content`. */
export const inspect = defineMethod({
  name: 'txpool_inspect',
  summary: 'All pooled transactions by status, sender and nonce, each in one line of text.',
  params: [],
  result: Type.Object({ pending: bySender, queued: bySender }),
  cost: 'heavy',
  privacy: 'operatorAfterFork',
  examples: [
    {
      situation: 'while a transaction waits for its block',
      params: [],
      result: {
        pending: { [sample.address]: { 0: `${sample.otherAddress}: 1 wei + 21000 gas × 2000000000 wei` } },
        queued: {},
      },
    },
  ],
  handler: async ({ ports }) => inspectByStatus(await ports.pool.content(null)),
});
