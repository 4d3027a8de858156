import { toQuantity, toSignedQuantity } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import type { Json } from '../format/format.ts';
import type { MarginAccount } from '../ports/ports.ts';
import { addressResult, orNull, quantityResult, signedQuantityResult } from '../schema/resultSchemas.ts';

/** Accounts of the order book as answers and streams write them. */

/** What {@link formatAccount} makes. */
export const accountResult = Type.Object({
  address: addressResult,
  collateral: signedQuantityResult,
  equity: signedQuantityResult,
  initial_margin: quantityResult,
  maintenance_margin: quantityResult,
  free_collateral: signedQuantityResult,
  withdrawable: quantityResult,
  liquidatable: Type.Boolean(),
  locked: Type.Boolean(),
  positions: Type.Array(
    Type.Object({
      market_id: Type.Integer(),
      size: signedQuantityResult,
      entry: quantityResult,
      unrealized: orNull(signedQuantityResult),
      unsettled_funding: Type.Optional(signedQuantityResult),
    }),
  ),
  open_orders: quantityResult,
  scheduled_cancel_ms: Type.Optional(quantityResult),
  unsettled_funding: Type.Optional(signedQuantityResult),
  sub_account: Type.Optional(Type.Object({ owner: addressResult, index: Type.Integer() })),
});

/** An account in snake_case quantities. */
export const formatAccount = (account: MarginAccount): Json => ({
  address: account.address,
  collateral: toSignedQuantity(account.collateral),
  equity: toSignedQuantity(account.equity),
  initial_margin: toQuantity(account.initialMargin),
  maintenance_margin: toQuantity(account.maintenanceMargin),
  free_collateral: toSignedQuantity(account.freeCollateral),
  withdrawable: toQuantity(account.withdrawable),
  liquidatable: account.isLiquidatable,
  locked: account.isLocked,
  positions: account.positions.map(({ marketId, size, entry, unrealized, funding }) => ({
    market_id: marketId,
    size: toSignedQuantity(size),
    entry: toQuantity(entry),
    unrealized: unrealized === null ? null : toSignedQuantity(unrealized),
    ...(funding === undefined ? {} : { unsettled_funding: toSignedQuantity(funding) }),
  })),
  open_orders: toQuantity(account.openOrders),
  ...(account.scheduledCancelMs === undefined ? {} : { scheduled_cancel_ms: toQuantity(account.scheduledCancelMs) }),
  ...(account.unsettledFunding === undefined ? {} : { unsettled_funding: toSignedQuantity(account.unsettledFunding) }),
  ...(account.subAccount === undefined
    ? {}
    : { sub_account: { owner: account.subAccount.owner, index: account.subAccount.index } }),
});
