/** Somebody who trades all the time, so that pages have something to show. */
import { createPrng } from '@prime/primitives';
import type { Market } from '@prime/sdk';
import { parseEther } from 'viem';
import { alice, bob, walletOf } from './people.ts';

export interface Traders {
  /** Milliseconds from the request of each order to the answer that it is in a block, by when it was sent (`performance.now()`). */
  readonly orders: readonly { readonly sentMs: number; readonly tookMs: number }[];
  stop(): Promise<void>;
}

export interface TradersOptions {
  /** Of nodes; each trader uses the next one. */
  readonly urls: readonly string[];
  /** Orders a second of all traders together; fewer where answers take longer. */
  readonly rate: number;
}

const people = [alice, bob];
/** An order and its cancel are two blocks: a lane with one a second is never late. */
const lanesOf = (rate: number): number => people.length * Math.ceil(rate / people.length);
const depth = 20;

/** Deposits, and trades until it is stopped. A node that is away costs the orders that were on their way to it. */
export async function startTraders({ urls, rate }: TradersOptions): Promise<Traders> {
  const wallets = people.map((person, index) => walletOf(urls[index % urls.length]!, person));
  const market = (await wallets[0]!.getMarkets())[0]!;
  for (const wallet of wallets) await wallet.depositCollateral({ amount: parseEther('1000') });
  const orders: { sentMs: number; tookMs: number }[] = [];
  const random = createPrng(1);
  let isOver = false;
  const count = lanesOf(rate);
  const everyMs = (count / rate) * 1000;
  const lane = async (index: number): Promise<void> => {
    const wallet = wallets[index % people.length]!;
    await sleep((index / count) * everyMs);
    for (let next = performance.now(); !isOver; next += everyMs) {
      await sleep(Math.max(0, next - performance.now()));
      // Both sides by chance: a position that grows one way comes to the end of its margin.
      const side = random.below(2) === 0 ? 'buy' : 'sell';
      const sentMs = performance.now();
      try {
        const { orderId } = await wallet.placeOrder({ market, side, ...placeOf(market, side, random.below(depth)) });
        orders.push({ sentMs, tookMs: performance.now() - sentMs });
        // What traded is gone; what rests would fill the book.
        await wallet.cancelOrder({ orderId });
      } catch {
        // It traded before it could be cancelled, or the node is away.
      }
    }
  };
  const done = Array.from({ length: count }, (_, index) => lane(index));
  return {
    orders,
    async stop() {
      isOver = true;
      await Promise.all(done);
    },
  };
}

/** Both sides begin a step beyond the middle, so that the first ones trade. */
function placeOf(
  market: Market,
  side: 'buy' | 'sell',
  step: number,
): { readonly price: bigint; readonly size: bigint } {
  const away = market.tickSize * BigInt(step - 2);
  const middle = market.price('3000');
  return { price: side === 'buy' ? middle - away : middle + away, size: market.size('0.01') };
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
