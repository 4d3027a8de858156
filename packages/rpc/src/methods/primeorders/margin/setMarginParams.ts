import type { MarketId } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import { adminAccount, authorization } from '../../../orders/authorization.ts';
import { defineMethod, optional, required } from '../../../define.ts';
import { invalidParams } from '../../../errors/errors.ts';
import { execute, marketId, marketIdOf, actionErrorCodes } from '../../../orders/orderActions.ts';
import { hintKey, index, nullable, type ValueType, valueType } from '../../../schema/valueTypes.ts';

interface MarginParams {
  /** null sets the default of all markets without parameters of their own. */
  readonly marketId: MarketId | null;
  readonly initialMarginBps: number;
  readonly maintenanceMarginBps: number;
}
interface WireParams {
  readonly initialMarginBps: string | number;
  readonly maintenanceMarginBps: string | number;
  readonly market_id?: string | number | null;
}

const bpsMax = 10_000;

function bps(value: string | number, name: string): number {
  const number = Number(value);
  if (number < 1 || number > bpsMax) throw invalidParams(`params.${name}`, `must be from 1 to ${bpsMax} basis points`);
  return number;
}

const marginParams: ValueType<MarginParams> = valueType(
  Type.Object(
    {
      initialMarginBps: index.schema,
      maintenanceMarginBps: index.schema,
      market_id: Type.Optional(nullable(marketId.schema)),
    },
    { additionalProperties: false, [hintKey]: 'must be an object of margin parameters' },
  ),
  (wire: WireParams) => {
    const initialMarginBps = bps(wire.initialMarginBps, 'initialMarginBps');
    const maintenanceMarginBps = bps(wire.maintenanceMarginBps, 'maintenanceMarginBps');
    if (maintenanceMarginBps > initialMarginBps)
      throw invalidParams('params.maintenanceMarginBps', 'must not be above initialMarginBps');
    const { market_id: named = null } = wire;
    return { marketId: named === null ? null : marketIdOf(named), initialMarginBps, maintenanceMarginBps };
  },
);

/** For the administrator of the order book; margins in 1/10 000 of the notional. */
export const setMarginParams = defineMethod({
  name: 'primeorders_setMarginParams',
  summary: 'Sets the margin of one market, or without market_id that of all markets that have none of their own.',
  params: [required('params', marginParams), optional('authorization', authorization)],
  result: Type.Literal(true),
  errors: actionErrorCodes,
  privacy: 'public',
  examples: [{ params: [{ initialMarginBps: 1000, maintenanceMarginBps: 500 }], result: true }],
  handler: async (context, params, signed) => {
    const account = await adminAccount(context, signed);
    await execute(context, 'setMargin', account, { type: 'setMargin', ...params }, signed);
    return true;
  },
});
