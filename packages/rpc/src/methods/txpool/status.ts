import { Type } from '@sinclair/typebox';
import { toQuantity } from '@prime/primitives';
import { defineMethod } from '../../define.ts';
import { quantityResult } from '../../schema/resultSchemas.ts';

/** Names no account, so it stays public after the privacy fork. */
export const status = defineMethod({
  name: 'txpool_status',
  summary: 'Number of pooled transactions that are executable now (pending) and behind a nonce gap (queued).',
  params: [],
  result: Type.Object({ pending: quantityResult, queued: quantityResult }),
  privacy: 'public',
  examples: [{ params: [], result: { pending: '0x2', queued: '0x0' } }],
  handler: async ({ ports }) => {
    const { pending, queued } = await ports.pool.status();
    return { pending: toQuantity(pending), queued: toQuantity(queued) };
  },
});
