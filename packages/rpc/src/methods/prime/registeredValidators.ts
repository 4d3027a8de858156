import { Type } from '@sinclair/typebox';
import { bytesToHex, toQuantity } from '@prime/primitives';
import { defineMethod } from '../../define.ts';
import { addressResult, dataResult, orNull, quantityResult } from '../../schema/resultSchemas.ts';
import { sample } from '../../schema/samples.ts';

/** Stake in wei, and why one with stake is not in the set. */
export const registeredValidators = defineMethod({
  name: 'prime_registeredValidators',
  summary: 'All validators with stake, in the set or not. Empty on networks whose validators never change.',
  params: [],
  result: Type.Array(
    Type.Object({
      address: addressResult,
      signer: addressResult,
      public_key: dataResult,
      stake: quantityResult,
      voting_power: quantityResult,
      status: Type.String(),
      jailed_until_ms: orNull(quantityResult),
      tombstoned: Type.Boolean(),
      moniker: Type.String(),
      endpoint: orNull(Type.Object({ host: Type.String(), port: Type.Number(), spki: dataResult })),
    }),
  ),
  privacy: 'public',
  examples: [
    {
      params: [],
      result: [
        {
          address: sample.address,
          signer: sample.address,
          public_key: sample.publicKey,
          stake: '0xde0b6b3a7640000',
          voting_power: '0x1',
          status: 'active',
          jailed_until_ms: null,
          tombstoned: false,
          moniker: 'validator0',
          endpoint: null,
        },
      ],
    },
  ],
  handler: async ({ ports }) =>
    ((await ports.network.status()).registered ?? []).map((validator) => ({
      address: validator.address,
      signer: validator.signer,
      public_key: bytesToHex(validator.publicKey),
      stake: toQuantity(validator.stake),
      voting_power: toQuantity(validator.power),
      status: validator.status,
      jailed_until_ms:
        validator.status === 'jailed' && !validator.tombstoned ? toQuantity(validator.jailedUntilMs) : null,
      tombstoned: validator.tombstoned,
      moniker: validator.moniker,
      endpoint: validator.endpoint,
    })),
});
