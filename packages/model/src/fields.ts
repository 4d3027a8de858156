import type { OrderFields } from '@prime/codec';
import { type ModelOrder, type ModelState, ordersThat } from './state.ts';

/** What may stand in a batch; clob.md, Orders. */
export const inBatches: ReadonlySet<string> = new Set([
  'order',
  'cancel',
  'cancelByClientId',
  'cancelAll',
  'modify',
  'trigger',
  'bracket',
]);

/** What is wrong with the fields of an order for a market, by its code; null when nothing is. */
export function malformedFields(
  { price, size, tif, postOnly, expiresAt }: OrderFields,
  market: { readonly tick: bigint; readonly lot: bigint },
  seconds: number,
): string | null {
  if (price <= 0n) return 'CLOB_BAD_PRICE';
  if (size <= 0n) return 'CLOB_BAD_SIZE';
  if (price % market.tick !== 0n) return 'CLOB_PRICE_OFF_TICK';
  if (size % market.lot !== 0n) return 'CLOB_SIZE_OFF_LOT';
  if (postOnly && tif !== 'gtc') return 'CLOB_BAD_FLAGS';
  return expiresAt !== 0 && expiresAt < seconds ? 'CLOB_ORDER_EXPIRED' : null;
}

/** Why a market takes no such order, by its state. */
export function refusedByState(
  { postOnly }: OrderFields,
  { status }: Pick<ModelState['markets'][number], 'status'>,
): string | null {
  if (status === 'trading') return null;
  if (status === 'post_only') return postOnly ? null : 'CLOB_POST_ONLY_MARKET';
  return status === 'cancel_only' ? 'CLOB_CANCEL_ONLY_MARKET' : `CLOB_MARKET_${status.toUpperCase()}`;
}

/** Why an order may not be taken out by its owner, by the state of its market. */
export function refusedCancel({ markets }: ModelState, market: number): string | null {
  const { status } = markets[market - 1]!;
  return ['halted', 'settling', 'delisted'].includes(status) ? `CLOB_MARKET_${status.toUpperCase()}` : null;
}

/** Why a market takes no such order now, by what it knows of its index. @param against base units of the position that it would make smaller */
export function refusedByIndex(
  { postOnly, reduceOnly, size }: OrderFields,
  { oracle }: Pick<ModelState['markets'][number], 'oracle'>,
  timeMs: number,
  against: bigint,
): string | null {
  if (oracle === null) return null;
  if (oracle.staleSince !== null) return reduceOnly || size <= against ? null : 'CLOB_ORACLE_STALE';
  return timeMs < oracle.resumesAt && !postOnly ? 'CLOB_POST_ONLY_MARKET' : null;
}

/** The resting order of an account with a client id, in one market. */
export const orderNamed = (
  state: ModelState,
  account: string,
  { clientId, marketId }: { readonly clientId: string; readonly marketId: number },
): ModelOrder | undefined =>
  ordersThat(
    state,
    ({ owner, fields, market }) => owner === account && fields.clientId === clientId && market === marketId,
  )[0];

/** The resting orders of an account by id, of one market or of all. */
export const ordersOf = (state: ModelState, account: string, marketId: number | null): ModelOrder[] =>
  ordersThat(state, ({ owner, market }) => owner === account && (marketId === null || market === marketId)).sort(
    (a, b) => a.id - b.id,
  );

/** Whether an owner's client id belongs to an order that ended lately, after it traded. */
export const isKept = ({ ends }: ModelState, ownerAndClientId: string): boolean =>
  [...ends.values()].some(({ kept }) => kept === ownerAndClientId);
