import { toQuantity } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import { authorization } from '../../orders/authorization.ts';
import { defineMethod, optional, required } from '../../define.ts';
import { actionErrorCodes, execute } from '../../orders/orderActions.ts';
import { orNull, quantityResult } from '../../schema/resultSchemas.ts';
import { sample } from '../../schema/samples.ts';
import { parseTimeMs } from '../../orders/times.ts';
import { address, index, type ValueType, valueType } from '../../schema/valueTypes.ts';

const blockTimeMs: ValueType<number> = valueType(index.schema, (value: string | number) => parseTimeMs(value, 'atMs'));

/** Answers after the block that did so is committed. */
export const scheduleCancel = defineMethod({
  name: 'primeorders_scheduleCancel',
  summary:
    'Has all open orders of an account end at the first block with that time or a later one, before the actions of the block. The time is in milliseconds, and at least 5 seconds ahead of block time. It takes the place of an earlier one; 0 takes that back.',
  params: [required('address', address), required('atMs', blockTimeMs), optional('authorization', authorization)],
  result: Type.Object({ at_ms: orNull(quantityResult), block_number: quantityResult }),
  errors: actionErrorCodes,
  privacy: 'public',
  examples: [
    {
      params: [sample.otherAddress, 1_800_000_000_000],
      result: { at_ms: '0x1a3185c5000', block_number: sample.height },
    },
  ],
  handler: async (context, owner, atMs, signed) => {
    const { height } = await execute(context, 'done', owner, { type: 'scheduleCancel', atMs }, signed);
    return { at_ms: atMs === 0 ? null : toQuantity(atMs), block_number: toQuantity(height) };
  },
});
