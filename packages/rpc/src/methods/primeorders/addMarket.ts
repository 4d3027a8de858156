import { defaultMarketDecimals, marketSymbolPattern, symbolBytesMax } from '@prime/codec';
import { Type } from '@sinclair/typebox';
import { toQuantity } from '@prime/primitives';
import { adminAccount, authorization } from '../../orders/authorization.ts';
import { defineMethod, optional, required } from '../../define.ts';
import { marketDecimals } from '../../orders/marketDecimals.ts';
import { execute, positiveAmount, actionErrorCodes } from '../../orders/orderActions.ts';
import { quantityResult } from '../../schema/resultSchemas.ts';
import { hintKey, type ValueType, valueType } from '../../schema/valueTypes.ts';

const symbol: ValueType<string> = valueType(
  Type.String({
    pattern: marketSymbolPattern,
    maxLength: symbolBytesMax,
    [hintKey]: `must be BASE/QUOTE of letters, digits, dots, underscores and hyphens, at most ${symbolBytesMax} characters`,
  }),
  (value: string) => value,
);

/** For the administrator of the order book. Tick in wei per base unit, lot in base units. */
export const addMarket = defineMethod({
  name: 'primeorders_addMarket',
  summary:
    'Opens a market and returns the id assigned to it, after the block that did so is committed. Without decimals a base unit is whole, and the quote has 18.',
  params: [
    required('symbol', symbol),
    required('tickSize', positiveAmount),
    required('lotSize', positiveAmount),
    optional('decimals', marketDecimals),
    optional('authorization', authorization),
  ],
  result: quantityResult,
  errors: actionErrorCodes,
  privacy: 'public',
  examples: [
    { params: ['PRIME/USD', '0x5', '0xa'], result: '0x1' },
    {
      situation: 'with prices in steps of 0.01 and sizes in steps of 0.0001',
      params: ['BTC/USD', '0xe8d4a51000', '0x1', { base_decimals: 4, quote_decimals: 18 }],
      result: '0x2',
    },
  ],
  handler: async (context, name, tickSize, lotSize, decimals = defaultMarketDecimals, signed) => {
    const payload = { type: 'addMarket', symbol: name, tickSize, lotSize, ...decimals } as const;
    const account = await adminAccount(context, signed);
    const { value } = await execute(context, 'addMarket', account, payload, signed);
    return toQuantity(value.marketId);
  },
});
