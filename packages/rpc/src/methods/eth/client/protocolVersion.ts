import { toQuantity } from '@prime/primitives';
import { defineMethod } from '../../../define.ts';
import { quantityResult } from '../../../schema/resultSchemas.ts';

/** The number that peers compare when they meet; it is not that of the chain's rules. */
export const protocolVersion = defineMethod({
  name: 'eth_protocolVersion',
  summary: 'Version of the peer to peer protocol.',
  params: [],
  result: quantityResult,
  privacy: 'public',
  examples: [{ params: [], result: '0x2' }],
  handler: async ({ info }) => toQuantity(info.protocolVersion),
});
