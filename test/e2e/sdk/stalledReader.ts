import { readFileSync } from 'node:fs';
import { SocketCalls } from '@prime/load';
import { type Desk, fieldsOf } from '../trading/trading.ts';

/** What happens around a reader that stops reading: memory, blocks that others hear of, and a lot to tell. */

/** MiB that a process holds in memory. */
export const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

/** Heights of the blocks that a node tells its subscribers from now on, in the order in which it tells them. */
export async function toldHeights(url: string): Promise<Set<bigint>> {
  const heights = new Set<bigint>();
  const calls = await SocketCalls.open({
    url: url.replace(/^http/, 'ws'),
    onNotification: (message) => {
      const { params } = JSON.parse(message.toString()) as { params: { result: { number: string } } };
      heights.add(BigInt(params.result.number));
    },
  });
  await calls.call('eth_subscribe', ['newHeads']);
  return heights;
}

/** Batches of orders that meet, some 35 KB of events for each pair of them. */
export async function meet(
  desk: Desk,
  {
    seller,
    buyer,
    pairs,
    price,
  }: { readonly seller: string; readonly buyer: string; readonly pairs: number; readonly price: number },
): Promise<void> {
  const send = async (owner: string, side: 'buy' | 'sell'): Promise<void> => {
    const items = Array.from({ length: 20 }, () => ({ type: 'order', ...fieldsOf(side, price, 1) }));
    await Promise.all(Array.from({ length: pairs }, () => desk.batch(owner, ...items)));
  };
  await send(seller, 'sell');
  await send(buyer, 'buy');
}
