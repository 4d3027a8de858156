import { toQuantity } from '@prime/primitives';
import { defineMethod } from '../../define.ts';
import { quantityResult } from '../../schema/resultSchemas.ts';

/** Counts connections that passed the handshake, in either direction. */
export const peerCount = defineMethod({
  name: 'net_peerCount',
  summary: 'Number of connected peers.',
  params: [],
  result: quantityResult,
  privacy: 'public',
  examples: [{ params: [], result: '0x3' }],
  handler: async ({ ports }) => toQuantity((await ports.network.status()).peerCount),
});
