import { zeroAddress, toQuantity, toSignedQuantity } from '@prime/primitives';
import type { LiquidatedPosition } from '@prime/codec';
import { Type } from '@sinclair/typebox';
import { authorization } from '../../../orders/authorization.ts';
import { defineMethod, optional, required } from '../../../define.ts';
import { execute, formatTrade, actionErrorCodes } from '../../../orders/orderActions.ts';
import { addressResult, quantityResult, signedQuantityResult, tradeResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';
import { address } from '../../../schema/valueTypes.ts';

const formatPosition = (position: LiquidatedPosition): Record<string, unknown> => ({
  market_id: position.marketId,
  size: toSignedQuantity(position.size),
  closed: toQuantity(position.closed),
  trades: position.trades.map(formatTrade),
  fee: toQuantity(position.fee),
  insurance_paid: toQuantity(position.insurancePaid),
  adl: position.adl.map(({ address: counterparty, size, value }) => ({
    address: counterparty,
    size: toQuantity(size),
    value: toQuantity(value),
  })),
  remaining: toQuantity(position.remaining),
});

/** Refused with -32025 for an account that is healthy. */
export const liquidate = defineMethod({
  name: 'primeorders_liquidate',
  summary:
    'Closes positions of an account below its maintenance margin, as far as the book takes them near the mark, until it is healthy; all of them where its equity is negative. Anyone may ask for it, and who signs gets a part of the fee.',
  params: [required('address', address), optional('authorization', authorization)],
  result: Type.Object({
    address: addressResult,
    positions: Type.Array(
      Type.Object({
        market_id: Type.Integer(),
        size: signedQuantityResult,
        closed: quantityResult,
        trades: Type.Array(tradeResult),
        fee: quantityResult,
        insurance_paid: quantityResult,
        adl: Type.Array(Type.Object({ address: addressResult, size: quantityResult, value: quantityResult })),
        remaining: quantityResult,
      }),
    ),
    cancelled_orders: Type.Array(quantityResult),
    collateral: signedQuantityResult,
    bad_debt: quantityResult,
    reward: quantityResult,
    block_number: quantityResult,
  }),
  errors: actionErrorCodes,
  privacy: 'public',
  examples: [
    {
      params: [sample.indebted],
      result: {
        address: sample.indebted,
        positions: [
          {
            market_id: 1,
            size: '0x64',
            closed: '0x64',
            trades: [],
            fee: '0x0',
            insurance_paid: '0x0',
            adl: [{ address: sample.address, size: '0x64', value: '0x2328' }],
            remaining: '0x0',
          },
        ],
        cancelled_orders: [],
        collateral: '0x0',
        bad_debt: '0x0',
        reward: '0x0',
        block_number: sample.height,
      },
    },
  ],
  handler: async (context, target, signed) => {
    const account = signed?.account ?? zeroAddress;
    const outcome = await execute(context, 'liquidate', account, { type: 'liquidate', address: target }, signed);
    const { value } = outcome;
    return {
      address: value.address,
      positions: value.positions.map(formatPosition),
      cancelled_orders: value.cancelledOrders.map(toQuantity),
      collateral: toSignedQuantity(value.collateral),
      bad_debt: toQuantity(value.badDebt),
      reward: toQuantity(value.reward),
      block_number: toQuantity(outcome.height),
    };
  },
});
