import { type MarketDecimals, marketDecimalsMax } from '@prime/codec';
import { Type } from '@sinclair/typebox';
import { hintKey, type ValueType, valueType } from '../schema/valueTypes.ts';

/** Decimals of a market as calls and answers write them: base_decimals and quote_decimals, JSON numbers. */

interface WireDecimals {
  readonly base_decimals: number;
  readonly quote_decimals: number;
}

const bounds = { minimum: 0, maximum: marketDecimalsMax } as const;
const field = Type.Integer({ ...bounds, [hintKey]: `must be a whole number from 0 to ${marketDecimalsMax}` });

/** Parameter that gives both decimals of a new market. */
export const marketDecimals: ValueType<MarketDecimals> = valueType(
  Type.Object(
    { base_decimals: field, quote_decimals: field },
    { additionalProperties: false, [hintKey]: 'must be an object {base_decimals, quote_decimals}' },
  ),
  (wire: WireDecimals) => ({ baseDecimals: wire.base_decimals, quoteDecimals: wire.quote_decimals }),
);

/** Both fields, to be spread into the schema of an answer. */
export const decimalsResult = { base_decimals: Type.Integer(bounds), quote_decimals: Type.Integer(bounds) } as const;

/** Both fields, to be spread into an answer. */
export const formatDecimals = ({ baseDecimals, quoteDecimals }: MarketDecimals): WireDecimals => ({
  base_decimals: baseDecimals,
  quote_decimals: quoteDecimals,
});
