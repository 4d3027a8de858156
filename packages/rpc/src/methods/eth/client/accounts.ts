import { Type } from '@sinclair/typebox';
import { defineMethod } from '../../../define.ts';
import { addressResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';

/** Empty on a node that signs for nobody. */
export const accounts = defineMethod({
  name: 'eth_accounts',
  summary: 'Accounts that the node holds unlocked and signs for.',
  params: [],
  result: Type.Array(addressResult),
  privacy: 'public',
  examples: [{ params: [], result: [sample.address] }],
  handler: async ({ ports }) => ports.accounts.addresses(),
});
