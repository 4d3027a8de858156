import { Type } from '@sinclair/typebox';
import { defineMethod } from '../../define.ts';
import { poolByStatus, poolSample, pooledTransactionResult } from './poolContent.ts';

const bySender = Type.Record(Type.String(), Type.Record(Type.String(), pooledTransactionResult));

/** Ethereum transactions, in go-ethereum's shape. */
export const content = defineMethod({
  name: 'txpool_content',
  summary: 'All pooled transactions by status, sender and nonce.',
  params: [],
  result: Type.Object({ pending: bySender, queued: bySender }),
  cost: 'heavy',
  privacy: 'operatorAfterFork',
  examples: [{ situation: 'while a transaction waits for its block', params: [], result: poolSample }],
  handler: async ({ ports }) => poolByStatus(await ports.pool.content(null)),
});
