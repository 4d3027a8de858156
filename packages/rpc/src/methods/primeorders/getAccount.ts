import { defineMethod, required } from '../../define.ts';
import { accountResult, formatAccount } from '../../orders/accounts.ts';
import { sample } from '../../schema/samples.ts';
import { address } from '../../schema/valueTypes.ts';

/** Amounts in wei, sizes in base units; zeros for an account that has nothing. */
export const getAccount = defineMethod({
  name: 'primeorders_getAccount',
  summary:
    'Collateral, margin and positions of an account, at the mark prices of the block to come. On networks with funding also what is not settled yet, which is in the equity; of a sub-account also whose it is.',
  params: [required('address', address)],
  result: accountResult,
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
  handler: async ({ ports }, owner) => formatAccount(await ports.books.account(owner)),
});
