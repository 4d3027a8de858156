import { Type } from '@sinclair/typebox';
import { defineMethod } from '../../../define.ts';

/** The old name of Ethereum for taking part in consensus. */
export const mining = defineMethod({
  name: 'eth_mining',
  summary:
    'Whether this node takes part in making blocks: its validator is in the active set and it is not catching up.',
  params: [],
  result: Type.Boolean(),
  privacy: 'public',
  examples: [{ params: [], result: true }],
  handler: async ({ ports }) => {
    const { active, syncing } = await ports.network.status();
    return active && syncing === null;
  },
});
