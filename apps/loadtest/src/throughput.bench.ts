import type { Hex } from 'viem';
import { benchArguments } from '@prime/testkit/arguments';
import { RpcClient } from './client.ts';
import { percentiles, report, round } from './figures.ts';
import { hex, prepareMarket, signTransfers, withNetwork } from './scenario.ts';

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

await withNetwork({ validators: 4 }, async (testnet) => {
  const clients = testnet.urls().map((url) => new RpcClient(url, connectionsPerNode));
  const orders = await orderRun(clients);
  const transfers = await transferRun(clients);
  await Promise.all(clients.map((client) => client.close()));
  report('end to end through four validators', { orders, transfers });
});

async function orderRun(clients: readonly RpcClient[]): Promise<Record<string, number>> {
  const { marketId, maker, taker } = await prepareMarket(clients[0]!, 'LOAD/USD');
  const latencies: number[] = [];
  let next = 0;
  const worker = async (client: RpcClient): Promise<void> => {
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
      await client.call('primeorders_submitOrder', [order]);
      latencies.push(performance.now() - begun);
    }
  };
  const begun = performance.now();
  await Promise.all(clients.flatMap((client) => Array.from({ length: connectionsPerNode }, () => worker(client))));
  const seconds = (performance.now() - begun) / 1000;
  const { p50, p99, max } = percentiles(latencies);
  return { count: orderCount, perSecond: round(orderCount / seconds), p50, p99, max };
}

async function transferRun(clients: readonly RpcClient[]): Promise<Record<string, number>> {
  const perSender = Math.floor(transferCount / senders);
  const signed = await Promise.all(
    Array.from({ length: senders }, (_, sender) => signTransfers(clients[0]!, sender, perSender)),
  );
  const begun = performance.now();
  await Promise.all(signed.map((raws, sender) => sendAll(clients[sender % clients.length]!, raws)));
  const submitted = performance.now() - begun;
  const last = signed.map((raws) => raws.at(-1)!);
  await Promise.all(last.map((raw, sender) => committed(clients[sender % clients.length]!, raw)));
  const seconds = (performance.now() - begun) / 1000;
  return {
    count: perSender * senders,
    perSecond: round((perSender * senders) / seconds),
    submittedMs: round(submitted),
  };
}

/** In order, a window of requests under way. */
async function sendAll(client: RpcClient, raws: readonly Hex[]): Promise<void> {
  const window = 16;
  for (let from = 0; from < raws.length; from += window)
    await Promise.all(raws.slice(from, from + window).map((raw) => client.call('eth_sendRawTransaction', [raw])));
}

async function committed(client: RpcClient, raw: Hex): Promise<void> {
  const { keccak256 } = await import('viem');
  const hash = keccak256(raw);
  while ((await client.call('eth_getTransactionReceipt', [hash])) === null)
    await new Promise((resolve) => setTimeout(resolve, 5));
}
