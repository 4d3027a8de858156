import { Type } from '@sinclair/typebox';
import { toQuantity, toSignedQuantity } from '@prime/primitives';
import { defineMethod, required } from '../../define.ts';
import { addressResult, orNull, quantityResult, signedQuantityResult } from '../../schema/resultSchemas.ts';
import { sample } from '../../schema/samples.ts';
import { address } from '../../schema/valueTypes.ts';

/** Amounts in wei, sizes in base units; zeros for an account that has nothing. */
export const getAccount = defineMethod({
  name: 'primeorders_getAccount',
  summary:
    'Collateral, margin and positions of an account, at the mark prices of the block to come. On networks with funding also what is not settled yet, which is in the equity; of a sub-account also whose it is.',
  params: [required('address', address)],
  result: Type.Object({
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
    scheduled_cancel_ms: Type.Optional(Type.Integer()),
    unsettled_funding: Type.Optional(signedQuantityResult),
    sub_account: Type.Optional(Type.Object({ owner: addressResult, index: Type.Integer() })),
  }),
  privacy: 'operatorAfterFork',
  examples: [
    {
      params: [sample.address],
      result: {
        address: sample.address,
        collateral: '0x3e8',
        equity: '0x3e8',
        initial_margin: '0x64',
        maintenance_margin: '0x0',
        free_collateral: '0x384',
        withdrawable: '0x384',
        liquidatable: false,
        locked: false,
        positions: [],
        open_orders: '0x1',
      },
    },
    {
      params: [sample.subAccount],
      result: {
        address: sample.subAccount,
        collateral: '0x0',
        equity: '0x0',
        initial_margin: '0x0',
        maintenance_margin: '0x0',
        free_collateral: '0x0',
        withdrawable: '0x0',
        liquidatable: false,
        locked: true,
        positions: [],
        open_orders: '0x0',
        sub_account: { owner: sample.address, index: 1 },
      },
      situation: 'of a sub-account',
    },
  ],
  handler: async ({ ports }, owner) => {
    const account = await ports.books.account(owner);
    return {
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
      ...(account.scheduledCancelMs === undefined ? {} : { scheduled_cancel_ms: account.scheduledCancelMs }),
      ...(account.unsettledFunding === undefined
        ? {}
        : { unsettled_funding: toSignedQuantity(account.unsettledFunding) }),
      ...(account.subAccount === undefined
        ? {}
        : { sub_account: { owner: account.subAccount.owner, index: account.subAccount.index } }),
    };
  },
});
