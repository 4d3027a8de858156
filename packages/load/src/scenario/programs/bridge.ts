import { ordersAddress } from '@prime/codec';
import type { TransferDirection } from '@prime/codec';
import { ownAction } from '../draft.ts';
import type { ProgramMaker } from '../world.ts';
import { episodes, type Step } from './episodes.ts';

/** Transfers between order book and EVM that wait until they are many. */

/** Transfers that one action carries out at most. */
const dequeueMax = 1_000;

/** Amounts in wei: small, because only their number matters. */
const amountOf = (index: number): bigint => BigInt(1 + (index % 9));

const bridge =
  (kind: 'bridge_out' | 'bridge_in', direction: TransferDirection): ProgramMaker =>
  (world, size) =>
    episodes(world, { laneAccounts: 2 }, function* (indices): Generator<Step, never> {
      const accounts = indices.map((index) => world.keyring.account(index));
      for (;;) {
        for (let index = 0; index < size; index++) {
          const from = accounts[index % accounts.length]!;
          // One that can not arrive, and comes back.
          const isStuck = kind === 'bridge_out' && index === size >> 1;
          const to = isStuck ? ordersAddress : accounts[(index + 1) % accounts.length]!.address;
          const type = kind === 'bridge_out' ? 'withdraw' : 'enqueueEvmToOrders';
          yield ownAction(`${kind}/queue`, from, { type, to, amount: amountOf(index) });
        }
        yield 'rest';
        for (let left = size; left > 0; left -= dequeueMax)
          yield ownAction(kind, accounts[0]!, { type: 'bridgeDequeue', direction, max: dequeueMax });
        yield 'done';
      }
    });

/** The kind `bridge_out`: `size` withdrawals wait before they are carried out; one of them can not arrive. */
export const bridgeOut = bridge('bridge_out', 'orders_to_evm');
/** The kind `bridge_in`: `size` deposits wait before they are carried out. */
export const bridgeIn = bridge('bridge_in', 'evm_to_orders');
