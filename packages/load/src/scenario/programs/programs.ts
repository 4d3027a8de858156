import { ownAction } from '../draft.ts';
import { groupOf } from '../groups.ts';
import type { KindName } from '../kindTable.ts';
import type { Program, ProgramMaker, World } from '../world.ts';
import { agents } from './agents.ts';
import { bridgeIn, bridgeOut } from './bridge.ts';
import { contractBatch, contractOrder } from './contractOrders.ts';
import { deploy, storageWrite, swap, tokenTransfer, transfer } from './evm.ts';
import { cascade, liquidate } from './liquidations.ts';
import { burst, cancelAll, expire, sweep } from './manyOrders.ts';
import { readsOf } from './reads.ts';
import { Trading, type TradingKind } from './trading.ts';

const noop: ProgramMaker = ({ accounts, keyring }) => {
  let turn = 0;
  return () => ownAction('noop', keyring.account(accounts[turn++ % accounts.length]!), { type: 'noop' });
};

const makers: Partial<Record<KindName, ProgramMaker>> = {
  transfer,
  token_transfer: tokenTransfer,
  storage_write: storageWrite,
  swap,
  deploy,
  burst,
  cancel_all: cancelAll,
  sweep,
  expire,
  liquidate,
  cascade,
  bridge_out: bridgeOut,
  bridge_in: bridgeIn,
  agent: agents,
  contract_order: contractOrder,
  contract_batch: contractBatch,
  noop,
};

/**
 * Programs of the parts of one group.
 *
 * @param world of the group
 * @param parts kinds of the group with their sizes, in the order of the mix
 */
export function programsOf(
  world: World,
  parts: readonly { readonly kind: KindName; readonly size: number }[],
): readonly Program[] {
  const [first] = parts;
  if (first === undefined) return [];
  if (groupOf(first.kind).name === 'trading') {
    const trading = new Trading(world, first.size);
    return parts.map(({ kind }) => trading.program(kind as TradingKind));
  }
  return parts.map(({ kind, size }) => {
    const make = makers[kind] ?? readsOf(kind);
    return make!(world, size);
  });
}
