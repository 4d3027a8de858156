import { ordersAddress } from '@prime/codec';
import { orders, trader } from '../contracts/contracts.ts';
import type { ProgramMaker } from '../world.ts';
import { episodes, type Step } from './episodes.ts';
import { transaction } from './evm.ts';

/** Orders that come through the contract at 0x…0100. */

const writeGas = 100_000n;

/**
 * The kind `contract_order`: transactions to the order book's address, at most `size` orders open for each account.
 */
export const contractOrder: ProgramMaker = (world, size) => {
  const { accounts, markets, random } = world;
  const open = new Map<number, bigint[]>();
  let turn = 0;
  return () => {
    const from = accounts[turn++ % accounts.length]!;
    const labels = open.get(from) ?? [];
    open.set(from, labels);
    const isFull = labels.length >= size;
    if (isFull || (labels.length > 0 && random.chance(2, 5))) {
      const data = orders.cancelByClientId(labels.shift()!);
      return transaction('contract_order/cancel', { from, to: ordersAddress, gas: writeGas, data });
    }
    const { id, tick, lot } = markets[random.below(markets.length)]!;
    const label = BigInt(world.label());
    labels.push(label);
    const isBuy = random.chance(1, 2);
    const price = BigInt(isBuy ? 1_000 - random.below(40) : 1_100 + random.below(40)) * tick;
    const lots = BigInt(1 + random.below(7)) * lot;
    const data = orders.submitOrder(BigInt(id), isBuy ? 1n : 0n, price, lots, 0n, 0n, label);
    return transaction('contract_order/place', { from, to: ordersAddress, gas: writeGas, data });
  };
};

/** Orders that the one contract may have open, with some room below the limit of an account. */
const contractOrdersMax = 9_000;

const placeManyGas = (count: number): bigint => 100_000n + 32_000n * BigInt(count);

/** The kind `contract_batch`: a contract places `size` orders in one transaction, and cancels them in another. */
export const contractBatch: ProgramMaker = (world, size) =>
  episodes(
    world,
    { laneAccounts: 1, lanesAtMost: Math.max(1, Math.floor(contractOrdersMax / (size * world.workers))) },
    function* (indices, place): Generator<Step, never> {
      const { id, tick, lot } = world.markets[place % world.markets.length]!;
      const to = world.contracts.trader!;
      for (let turn = 0; ; turn++) {
        const from = indices[turn % indices.length]!;
        const words = [BigInt(id), 1_500n * tick, tick, 40n, lot, BigInt(size)];
        const placed = trader.place(...words);
        yield transaction('contract_batch/place', { from, to, gas: placeManyGas(size), data: placed });
        yield 'rest';
        yield transaction('contract_batch/cancel', { from, to, gas: writeGas, data: trader.cancelAll(BigInt(id)) });
        yield 'done';
      }
    },
  );
