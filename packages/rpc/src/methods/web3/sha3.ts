import { keccakHex } from '@prime/crypto';
import { hexToBytes } from '@prime/primitives';
import { defineMethod, required } from '../../define.ts';
import { hashResult } from '../../schema/resultSchemas.ts';
import { data } from '../../schema/valueTypes.ts';

/** Not the SHA-3 of FIPS 202, whose padding differs. */
export const sha3 = defineMethod({
  name: 'web3_sha3',
  summary: 'Keccak-256 of the given bytes.',
  params: [required('data', data)],
  result: hashResult,
  privacy: 'public',
  examples: [{ params: ['0x'], result: '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470' }],
  handler: async (_context, bytes) => keccakHex(hexToBytes(bytes)),
});
