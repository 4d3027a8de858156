/**
 * The adapter with the real ccxt against a network: see ../clients/lib/report.mjs for how it tells what it found. Its argument is JSON:
 * `rpcUrls` of the validators, and `keys` of two funded accounts and one that owns nothing.
 */
import { readFileSync } from 'node:fs';
import { report } from '../clients/lib/report.mjs';
import { maker, taker, watcher } from './lib/venue.mjs';
import { account } from './steps/account.mjs';
import { markets } from './steps/markets.mjs';
import { orders } from './steps/orders.mjs';
import { streams } from './steps/streams.mjs';

/** In this order: a later one builds on what an earlier one left behind. The test that starts this program reads the same file. */
const order = JSON.parse(readFileSync(new URL('order.json', import.meta.url), 'utf8'));
const steps = { ...markets, ...account, ...orders, ...streams };

await report(Object.fromEntries(order.map((name) => [name, steps[name]])));
for (const exchange of [maker, taker, watcher]) await exchange.close();
