import { stateAt } from '../../../lookup/blocks.ts';
import { defineMethod, optional, required } from '../../../define.ts';
import { limitExceeded } from '../../../errors/errors.ts';
import { formatAccountProof } from '../../../format/proof.ts';
import { accountProofResult } from '../../../schema/resultSchemas.ts';
import { sample, sampleAccountProof } from '../../../schema/samples.ts';
import { address, blockSelector, latest, listOf, slot } from '../../../schema/valueTypes.ts';

/** Storage slots are 32 bytes with or without leading zeros; they are proven in the order of the question. */
export const getProof = defineMethod({
  name: 'eth_getProof',
  summary:
    'An account and storage slots of it with the nodes that prove them under the state root of the block (EIP-1186). What does not exist is proven absent.',
  params: [required('address', address), required('slots', listOf(slot)), optional('block', blockSelector)],
  result: accountProofResult,
  errors: ['RPC_BLOCK_NOT_FOUND', 'RPC_STATE_NOT_KEPT', 'RPC_HISTORY_PRUNED', 'RPC_LIMIT_EXCEEDED'],
  cost: 'heavy',
  privacy: 'public',
  examples: [{ params: [sample.address, [], 'latest'], result: sampleAccountProof }],
  handler: async (context, account, slots, block = latest) => {
    const { proofSlots } = context.info.limits;
    if (slots.length > proofSlots) throw limitExceeded('proofSlots', proofSlots, `${slots.length} slots are asked for`);
    const proof = await context.ports.state.proof(account, slots, await stateAt(context, block));
    return formatAccountProof(account, proof);
  },
});
