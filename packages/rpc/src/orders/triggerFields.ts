import {
  selfTradeModes,
  type SelfTradeMode,
  type Side,
  sides,
  type TriggerFields,
  type TriggerKind,
  triggerKinds,
} from '@prime/codec';
import { Type } from '@sinclair/typebox';
import { invalidParams } from '../errors/errors.ts';
import { boolean, index } from '../schema/valueTypes.ts';
import { clientIdSchema, latestSeconds, marketId, marketIdOf, oneOf, orderAmountSchema } from './orderActions.ts';

/** Triggers as calls have them. */

/** Fields of a trigger as its owner writes them, without the owner. */
export interface WireTriggerFields {
  readonly market_id: string | number;
  readonly side: Side;
  readonly kind: TriggerKind;
  readonly trigger_price: string;
  readonly limit_price?: string;
  readonly size?: string;
  readonly tif?: TriggerFields['tif'];
  readonly reduce_only?: boolean;
  readonly position?: boolean;
  readonly stp?: SelfTradeMode;
  readonly client_id?: string;
  readonly expires_at?: string | number;
  readonly group?: string | number;
}

/** To be spread into the schema of the object around them. */
export const triggerFieldSchemas = {
  market_id: marketId.schema,
  side: oneOf(sides),
  kind: oneOf(triggerKinds),
  trigger_price: orderAmountSchema,
  limit_price: Type.Optional(orderAmountSchema),
  size: Type.Optional(orderAmountSchema),
  tif: Type.Optional(oneOf(['gtc', 'ioc'])),
  reduce_only: Type.Optional(boolean.schema),
  position: Type.Optional(boolean.schema),
  stp: Type.Optional(oneOf(selfTradeModes)),
  client_id: Type.Optional(clientIdSchema),
  expires_at: Type.Optional(index.schema),
  group: Type.Optional(index.schema),
} as const;

/** selfTrade is null where the trigger leaves it to the network. */
export type ParsedTriggerFields = Omit<TriggerFields, 'selfTrade'> & { readonly selfTrade: SelfTradeMode | null };

const groupMax = 0xffff_ffff;

/** @param path of the trigger in the parameters, for errors @throws RpcError `RPC_INVALID_PARAMS` */
export function parseTriggerFields(wire: WireTriggerFields, path: string): ParsedTriggerFields {
  const { position = false, reduce_only: reduceOnly = false, stp = null } = wire;
  const limitPrice = BigInt(wire.limit_price ?? 0);
  const tif = wire.tif ?? (limitPrice === 0n ? 'ioc' : 'gtc');
  if (tif === 'gtc' && limitPrice === 0n) throw invalidParams(`${path}.tif`, 'is ioc where there is no limit_price');
  if (position === (wire.size !== undefined))
    throw invalidParams(`${path}.size`, position ? 'is left out with position' : 'is needed without position');
  const expiresAt = Number(wire.expires_at ?? 0);
  if (expiresAt > latestSeconds)
    throw invalidParams(`${path}.expires_at`, 'is in seconds, and this is a time in milliseconds');
  const group = Number(wire.group ?? 0);
  if (group > groupMax) throw invalidParams(`${path}.group`, `must be at most ${groupMax}`);
  return {
    marketId: marketIdOf(wire.market_id),
    side: wire.side,
    kind: wire.kind,
    triggerPrice: BigInt(wire.trigger_price),
    limitPrice,
    size: BigInt(wire.size ?? 0),
    tif,
    reduceOnly,
    position,
    selfTrade: stp,
    clientId: wire.client_id?.toLowerCase() ?? null,
    expiresAt,
    group,
  };
}
