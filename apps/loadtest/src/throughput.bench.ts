import { rpc } from '@prime/load/rpc';
import type { Hex } from 'viem';
import { benchArguments } from '@prime/testkit/arguments';
import { percentiles, report, round } from './figures.ts';
import { hex, prepareMarket, signTransfersOf, untilCommitted, withNetwork } from './scenario.ts';

/**
 * End-to-end throughput through four validators on this machine, clients included: orders that answer after commit, from many
 * connections at all nodes, and signed transfers until the last one is committed everywhere.
 */
const { orders: orderCount, transfers: transferCount } = benchArguments('bench:e2e', {
  orders: { meaning: 'orders, each answered after its commit', usual: 10_000 },
  transfers: { meaning: 'signed transfers', usual: 4_000 },
});
const connectionsPerNode = 64;
/** Funded accounts that send transfers in parallel. */
const senders = 8;

/** What is sent ahead is what is measured: nodes take it however long it is. */
const environment = { PRIME_LIMITS_MEMPOOL_DRAIN_MS: '0' };

await withNetwork({ validators: 4, environment }, async (testnet) => {
  const orders = await orderRun(testnet.urls());
  const transfers = await transferRun(testnet.urls());
  report('end to end through four validators', { orders, transfers });
});

async function orderRun(urls: readonly string[]): Promise<Record<string, number>> {
  const { marketId, maker, taker } = await prepareMarket(urls[0]!, 'LOAD/USD');
  const latencies: number[] = [];
  let next = 0;
  const worker = async (url: string): Promise<void> => {
    while (next < orderCount) {
      const index = next++;
      const sells = index % 2 === 0;
      const order = {
        owner: sells ? maker : taker,
        market_id: marketId,
        side: sells ? 'sell' : 'buy',
        price: hex(1000 + (sells ? index % 10 : 10 - (index % 10))),
        size: hex(1 + (index % 5)),
        tif: index % 7 === 0 ? 'ioc' : 'gtc',
      };
      const begun = performance.now();
      await rpc(url, 'primeorders_submitOrder', [order]);
      latencies.push(performance.now() - begun);
    }
  };
  const begun = performance.now();
  await Promise.all(urls.flatMap((url) => Array.from({ length: connectionsPerNode }, () => worker(url))));
  const seconds = (performance.now() - begun) / 1000;
  const { p50, p99, max } = percentiles(latencies);
  return { count: orderCount, perSecond: round(orderCount / seconds), p50, p99, max };
}

async function transferRun(urls: readonly string[]): Promise<Record<string, number>> {
  const perSender = Math.floor(transferCount / senders);
  const signed = await signTransfersOf(urls[0]!, senders, perSender);
  const begun = performance.now();
  await Promise.all(signed.map((raws, sender) => sendAll(urls[sender % urls.length]!, raws)));
  const submitted = performance.now() - begun;
  const last = signed.map((raws) => raws.at(-1)!);
  await Promise.all(last.map((raw, sender) => untilCommitted(urls[sender % urls.length]!, raw, 5)));
  const seconds = (performance.now() - begun) / 1000;
  return {
    count: perSender * senders,
    perSecond: round((perSender * senders) / seconds),
    submittedMs: round(submitted),
  };
}

/** In order, a window of requests under way. */
async function sendAll(url: string, raws: readonly Hex[]): Promise<void> {
  const window = 16;
  for (let from = 0; from < raws.length; from += window)
    await Promise.all(raws.slice(from, from + window).map((raw) => rpc(url, 'eth_sendRawTransaction', [raw])));
}
