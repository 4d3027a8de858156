import { Type } from '@sinclair/typebox';
import { defineMethod, required } from '../../define.ts';
import { pooledTransactionResult, sampleByNonce, senderByStatus } from './poolContent.ts';
import { sample } from '../../schema/samples.ts';
import { address } from '../../schema/valueTypes.ts';

const byNonce = Type.Record(Type.String(), pooledTransactionResult);

/** Ethereum transactions, in go-ethereum's shape. */
export const contentFrom = defineMethod({
  name: 'txpool_contentFrom',
  summary: 'Pooled transactions of one sender by status and nonce.',
  params: [required('address', address)],
  result: Type.Object({ pending: byNonce, queued: byNonce }),
  privacy: 'operatorAfterFork',
  examples: [
    {
      situation: 'while a transaction waits for its block',
      params: [sample.address],
      result: { pending: sampleByNonce, queued: {} },
    },
  ],
  handler: async ({ ports }, sender) => senderByStatus(await ports.pool.content(sender)),
});
