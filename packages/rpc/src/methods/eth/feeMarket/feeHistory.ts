import { Type } from '@sinclair/typebox';
import { type Height, toQuantity } from '@prime/primitives';
import { findBlock } from '../../../lookup/blocks.ts';
import { defineMethod, optional, required } from '../../../define.ts';
import { invalidParams, RpcError } from '../../../errors/errors.ts';
import { blobBaseFee, feeHistory as readFeeHistory } from '../../../execution/fees.ts';
import { quantityResult } from '../../../schema/resultSchemas.ts';
import { blockSelector, hintKey, index, type ValueType, valueType } from '../../../schema/valueTypes.ts';
import { sample } from '../../../schema/samples.ts';

const percentiles: ValueType<readonly number[]> = valueType(
  Type.Array(Type.Number({ minimum: 0, maximum: 100 }), { [hintKey]: 'must be a list of numbers from 0 to 100' }),
  (value: readonly number[]) => value,
);

function checkPercentiles(values: readonly number[], countMax: number): void {
  if (values.length > countMax) throw invalidParams('rewardPercentiles', `has more than ${countMax} entries`);
  const unsorted = values.some((value, place) => place > 0 && value <= values[place - 1]!);
  if (unsorted) throw invalidParams('rewardPercentiles', 'must be strictly ascending');
}

const ratio = Type.Number({ minimum: 0 });

/** Blocks beyond the limit are left out, not refused: the answer begins later. */
export const feeHistory = defineMethod({
  name: 'eth_feeHistory',
  summary: 'Base fees, fullness and tips of a range of blocks.',
  params: [
    required('blockCount', index),
    required('newestBlock', blockSelector),
    optional('rewardPercentiles', percentiles),
  ],
  result: Type.Object({
    oldestBlock: quantityResult,
    baseFeePerGas: Type.Array(quantityResult),
    gasUsedRatio: Type.Array(ratio),
    baseFeePerBlobGas: Type.Array(quantityResult),
    blobGasUsedRatio: Type.Array(ratio),
    reward: Type.Optional(Type.Array(Type.Array(quantityResult))),
  }),
  errors: ['RPC_BLOCK_NOT_FOUND'],
  cost: 'heavy',
  privacy: 'public',
  fixedAtHead: true,
  examples: [
    {
      params: ['0x1', 'latest', [50]],
      result: {
        oldestBlock: sample.height,
        baseFeePerGas: ['0x3b9aca00', '0x342770c0'],
        gasUsedRatio: [0.0007],
        baseFeePerBlobGas: ['0x1', '0x1'],
        blobGasUsedRatio: [0],
        reward: [['0x3b9aca00']],
      },
    },
  ],
  handler: async (context, blockCount, newestBlock, rewardPercentiles) => {
    const { feeHistoryBlocks, feeHistoryPercentiles } = context.info.limits;
    checkPercentiles(rewardPercentiles ?? [], feeHistoryPercentiles);
    const newest = await findBlock(context, newestBlock);
    if (newest === null) throw new RpcError('request beyond head block', { code: 'RPC_BLOCK_NOT_FOUND' });
    const { height } = newest.block.header;
    const count = Math.min(blockCount, feeHistoryBlocks, height + 1);
    if (count === 0)
      return { oldestBlock: '0x0', baseFeePerGas: [], gasUsedRatio: [], baseFeePerBlobGas: [], blobGasUsedRatio: [] };
    const history = await readFeeHistory(context, (height - count + 1) as Height, height, rewardPercentiles ?? []);
    return {
      oldestBlock: toQuantity(history.oldest),
      baseFeePerGas: history.baseFees.map(toQuantity),
      gasUsedRatio: history.gasUsedRatios,
      baseFeePerBlobGas: history.baseFees.map(() => toQuantity(blobBaseFee)),
      blobGasUsedRatio: history.gasUsedRatios.map(() => 0),
      ...(rewardPercentiles === undefined ? {} : { reward: history.rewards.map((row) => row.map(toQuantity)) }),
    };
  },
});
