import { rpc } from '@prime/load/rpc';
import { cryptoProvider } from '@prime/crypto';
import { benchArguments } from '@prime/testkit/arguments';
import { percentiles, report } from './figures.ts';
import { hex, pause, prepareMarket, signTransfers, untilCommitted, withNetwork } from './scenario.ts';
import { prepareLoad } from './writeLoad/loads.ts';
import { sendLoad } from './writeLoad/sendLoad.ts';

/**
 * Latency of a lone write on an idle, warm network of four validators: from the request to the answer that shows it committed. Orders
 * answer after their block; a transfer is asked for until its receipt is there.
 *
 * The network works before it is measured: a process that was just started runs code that nothing has compiled yet, and a validator is one that has run for days.
 */
const { samples, warming } = benchArguments('bench:latency', {
  samples: { meaning: 'orders, and as many transfers', usual: 100 },
  warming: { meaning: 'orders, and as many transfers, that are sent at once before', usual: 8_000, least: 0 },
});
/** Of the load that warms up, messages that wait for a block. */
const outstandingMax = 6_000;
/** Between two writes, so that each one meets an idle chain; spread over the phases of the empty-block interval, ms. */
const pauseMs = (index: number): number => 150 + ((index * 37) % 200);

await withNetwork({ validators: 4, sheds: false }, async (testnet) => {
  const urls = testnet.urls();
  const at = (index: number): string => urls[index % urls.length]!;
  if (warming > 0) {
    const provider = await cryptoProvider();
    for (const name of ['transfers', 'orders'] as const)
      await sendLoad(await prepareLoad(name, { url: at(0), provider }), {
        url: at(0),
        messages: warming,
        outstandingMax,
      });
  }
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
    await untilCommitted(url, raw, 1);
    transfers.push(performance.now() - begun);
  }
  report('lone write, request to committed answer, ms', {
    order: { ...percentiles(orders) },
    transfer: { ...percentiles(transfers) },
  });
});
