import { rpc } from '@prime/load/rpc';
import { keccak256 } from 'viem';
import { benchArguments } from '@prime/testkit/arguments';
import { percentiles, report } from './figures.ts';
import { hex, prepareMarket, signTransfers, withNetwork } from './scenario.ts';

/**
 * Latency of a lone write on an idle network of four validators: from the request to the answer that shows it committed. Orders
 * answer after their block; a transfer is asked for until its receipt is there.
 */
const { samples } = benchArguments('bench:latency', {
  samples: { meaning: 'orders, and as many transfers', usual: 100 },
});
/** Between two writes, so that each one meets an idle chain; spread over the phases of the empty-block interval, ms. */
const pauseMs = (index: number): number => 150 + ((index * 37) % 200);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

await withNetwork({ validators: 4 }, async (testnet) => {
  const urls = testnet.urls();
  const at = (index: number): string => urls[index % urls.length]!;
  const { marketId, maker } = await prepareMarket(at(0), 'LAT/USD');
  const orders: number[] = [];
  for (let index = 0; index < samples; index++) {
    await pause(pauseMs(index));
    const begun = performance.now();
    const order = { owner: maker, market_id: marketId, side: 'buy', price: hex(1 + index), size: hex(1), tif: 'gtc' };
    await rpc(at(index), 'primeorders_submitOrder', [order]);
    orders.push(performance.now() - begun);
  }
  const transfers: number[] = [];
  for (const [index, raw] of (await signTransfers(at(0), 0, samples)).entries()) {
    await pause(pauseMs(index));
    const url = at(index);
    const begun = performance.now();
    await rpc(url, 'eth_sendRawTransaction', [raw]);
    while ((await rpc(url, 'eth_getTransactionReceipt', [keccak256(raw)])) === null) await pause(1);
    transfers.push(performance.now() - begun);
  }
  report('lone write, request to committed answer, ms', {
    order: { ...percentiles(orders) },
    transfer: { ...percentiles(transfers) },
  });
});
