import { Type } from '@sinclair/typebox';
import { bytesToHex } from '@prime/primitives';
import { defineMethod } from '../../define.ts';
import { toQuantity, toSignedQuantity } from '../../format/quantity.ts';
import { addressResult, dataResult, quantityResult, signedQuantityResult } from '../../resultSchemas.ts';
import { sample } from '../../samples.ts';

export const validators = defineMethod({
  name: 'prime_validators',
  summary: 'The active validators with their stake and voting power.',
  params: [],
  result: Type.Array(
    Type.Object({
      address: addressResult,
      public_key: dataResult,
      stake: quantityResult,
      voting_power: quantityResult,
      status: Type.String(),
      proposer_priority: signedQuantityResult,
      moniker: Type.String(),
    }),
  ),
  errors: [],
  privacy: 'public',
  examples: [
    {
      params: [],
      result: [
        {
          address: sample.address,
          public_key: '0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
          stake: '0xde0b6b3a7640000',
          voting_power: '0x1',
          status: 'active',
          proposer_priority: '-0x3',
          moniker: 'validator0',
        },
      ],
    },
  ],
  handler: async ({ ports }) =>
    (await ports.network.status()).validators.map((validator) => ({
      address: validator.address,
      public_key: bytesToHex(validator.publicKey),
      stake: toQuantity(validator.stake),
      voting_power: toQuantity(validator.power),
      status: 'active',
      proposer_priority: toSignedQuantity(validator.proposerPriority),
      moniker: validator.moniker,
    })),
});
