import { adminAccount, authorization } from '../../authorization.ts';
import { defineMethod, optional, required } from '../../define.ts';
import { toQuantity } from '../../format/quantity.ts';
import { execute, orderAmount } from '../../orderActions.ts';
import { quantityResult } from '../../resultSchemas.ts';
import { text } from '../../valueTypes.ts';

const symbolLengthMax = 32;

export const addMarket = defineMethod({
  name: 'primeorders_addMarket',
  summary: 'Opens a market and returns the id assigned to it, after the block that did so is committed.',
  params: [
    required('symbol', text(symbolLengthMax)),
    required('tickSize', orderAmount),
    required('lotSize', orderAmount),
    optional('authorization', authorization),
  ],
  result: quantityResult,
  errors: ['RPC_ACTION_REFUSED', 'RPC_ACTION_NOT_EXECUTED', 'RPC_UNAUTHORIZED'],
  privacy: 'public',
  examples: [{ params: ['PRIME/USD', '0x5', '0xa'], result: '0x1' }],
  handler: async (context, symbol, tickSize, lotSize, signed) => {
    const payload = { type: 'addMarket', symbol, tickSize, lotSize } as const;
    const { value } = await execute(context, 'addMarket', adminAccount(context, signed), payload, signed);
    return toQuantity(value.marketId);
  },
});
