import { Type } from '@sinclair/typebox';
import { bytesToHex, toQuantity, toSignedQuantity } from '@prime/primitives';
import type { RankedValidator } from '@prime/codec';
import { findBlock } from '../../lookup/blocks.ts';
import { defineMethod, type MethodContext, optional } from '../../define.ts';
import { RpcError } from '../../errors/errors.ts';
import { addressResult, dataResult, quantityResult, signedQuantityResult } from '../../schema/resultSchemas.ts';
import { sample } from '../../schema/samples.ts';
import { type BlockSelector, blockSelector } from '../../schema/valueTypes.ts';

async function validatorsAt(
  context: MethodContext,
  block: BlockSelector | undefined,
): Promise<readonly RankedValidator[]> {
  if (block === undefined) return (await context.ports.network.status()).validators;
  const record = await findBlock(context, block);
  if (record === null) throw new RpcError('block not found', { code: 'RPC_BLOCK_NOT_FOUND' });
  return context.ports.chain.validators(record.block.header.height);
}

const sampleValidator = {
  address: sample.address,
  public_key: sample.publicKey,
  stake: '0xde0b6b3a7640000',
  voting_power: '0x1',
  status: 'active',
  proposer_priority: '-0x3',
  moniker: 'validator0',
};

/** Stake in wei; power is what votes are weighed by. */
export const validators = defineMethod({
  name: 'prime_validators',
  summary:
    'The active validators with their stake and voting power. With a block: those who decided it, in the order of their set, as a light client needs them beside prime_getCommit.',
  params: [optional('block', blockSelector)],
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
  errors: ['RPC_BLOCK_NOT_FOUND', 'RPC_HISTORY_PRUNED'],
  privacy: 'public',
  examples: [
    { params: [], result: [sampleValidator] },
    { params: [sample.height], result: [{ ...sampleValidator, proposer_priority: '0x0' }] },
  ],
  handler: async (context, block) =>
    (await validatorsAt(context, block)).map((validator) => ({
      address: validator.address,
      public_key: bytesToHex(validator.publicKey),
      stake: toQuantity(validator.stake),
      voting_power: toQuantity(validator.power),
      status: 'active',
      proposer_priority: toSignedQuantity(validator.proposerPriority),
      moniker: validator.moniker,
    })),
});
