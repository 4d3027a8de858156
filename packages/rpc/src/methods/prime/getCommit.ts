import { encodeHeader } from '@prime/codec';
import { bytesToHex, toQuantity } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import { findBlock } from '../../lookup/blocks.ts';
import { defineMethod, required } from '../../define.ts';
import { addressResult, dataResult, hashResult, orNull, quantityResult } from '../../schema/resultSchemas.ts';
import { sample } from '../../schema/samples.ts';
import { blockSelector } from '../../schema/valueTypes.ts';

/** With `prime_validators` all that a light client needs to verify a header. */
export const getCommit = defineMethod({
  name: 'prime_getCommit',
  summary:
    'What proves that a block was decided: its header in canonical bytes and the commit certificate over the hash of it; null when there is no such block. Genesis is not decided, it has none.',
  params: [required('block', blockSelector)],
  result: orNull(
    Type.Object(
      {
        height: quantityResult,
        block_hash: hashResult,
        header: dataResult,
        round: quantityResult,
        signatures: Type.Array(Type.Object({ validator: addressResult, signature: dataResult })),
      },
      { title: 'Commit' },
    ),
  ),
  privacy: 'public',
  examples: [
    {
      params: [sample.height],
      result: {
        height: sample.height,
        block_hash: sample.otherHash,
        header: '0xf90212',
        round: '0x0',
        signatures: [{ validator: sample.address, signature: `0x${'1b'.repeat(65)}` }],
      },
    },
  ],
  handler: async (context, selector) => {
    const record = await findBlock(context, selector);
    if (record === null || record.certificate === null) return null;
    const { block, hash, certificate } = record;
    return {
      height: toQuantity(block.header.height),
      block_hash: hash,
      header: bytesToHex(encodeHeader(block.header)),
      round: toQuantity(certificate.round),
      signatures: certificate.signatures.map(({ validator, signature }) => ({
        validator,
        signature: bytesToHex(signature),
      })),
    };
  },
});
