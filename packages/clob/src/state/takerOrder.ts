import type { ActionResult, OrderFields, SelfTradeMode } from '@prime/codec';
import type { OrderId } from '@prime/primitives';
import type { Account } from './accounts.ts';
import type { Exposure } from '../book/exposure.ts';
import type { Market } from './markets.ts';
import type { SideIndex } from '../book/orderPool.ts';
import type { Quantity } from '../book/quantity.ts';

/** The order that is being matched. */
export interface TakerOrder {
  readonly id: OrderId;
  readonly market: Market;
  readonly account: Account;
  /** Of the account in the market. */
  readonly exposure: Exposure;
  readonly side: SideIndex;
  readonly selfTrade: SelfTradeMode;
  /** Base units of a reduce-only order that its position has no need of: they do not match, and go when it ends. */
  readonly cut: bigint;
  /** Whether the account surely has collateral for whatever becomes of the order, see room.ts. */
  readonly isSure: boolean;
  /** Whether it only reduces and its limit says nothing: each of its fills has to leave equity of 0 or more. */
  readonly isJudged: boolean;
}

/** Why an action was refused. */
export type Refused = Extract<ActionResult, { readonly ok: false }>;

/** An order that may come in, in its book's numbers. It has the next id, which is used up when it is taken in. */
export interface AdmittedOrder<N extends Quantity = Quantity>
  extends TakerOrder,
    Pick<OrderFields, 'tif' | 'postOnly' | 'reduceOnly' | 'clientId' | 'expiresAt'> {
  /** Its limit. */
  readonly ticks: N;
  /** Lots that may be matched: the size, or what a reduce-only order may close. */
  readonly lots: N;
  /** Of an order that only reduces and could not pay for all of it at its limit: what it is refused with when it can not trade at all. */
  readonly short: Refused | null;
}
