import { Type } from '@sinclair/typebox';
import { defineMethod } from '../../define.ts';

/** About connections of peers, not those of clients. */
export const listening = defineMethod({
  name: 'net_listening',
  summary: 'Whether the node accepts connections of peers.',
  params: [],
  result: Type.Boolean(),
  privacy: 'public',
  examples: [{ params: [], result: true }],
  handler: async ({ ports }) => (await ports.network.status()).listening,
});
