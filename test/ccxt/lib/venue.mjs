/** Exchange instances of two funded accounts, and what every step checks with. The program's argument is JSON: see ../prime.mjs. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import ccxt from 'ccxt';
import { pro } from '@prime/ccxt';
import { privateKeyToAccount } from 'viem/accounts';
import * as check from './structures.mjs';
import * as shipped from './shipped.mjs';

export const task = JSON.parse(process.argv[2]);
export const symbol = 'ETH/USD:USD';
export const open = (privateKey, config = {}) =>
  new pro.prime({ privateKey, urls: { api: { rpc: task.rpcUrls } }, ...config });
export const [maker, taker] = [open(task.keys[0]), open(task.keys[1])];
export const watcher = open(task.keys[0]);
export const addressOf = (exchange) => privateKeyToAccount(exchange.privateKey).address.toLowerCase();

/** What a promise is rejected with, as one of ccxt's exceptions. */
export async function refusal(promise, type) {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof type, `${error.constructor.name} is no ${type.name}: ${error.message}`);
    assert.ok(error instanceof ccxt.BaseError && error.message.startsWith('prime '));
    return true;
  });
}

/** Both checks of an order, one's own and the one that ccxt shipped. */
export async function checkOrder(order) {
  check.checkOrder(maker, order, symbol);
  await shipped.shippedOrder(maker, order, symbol);
  return order;
}
export async function checkTrades(trades) {
  for (const trade of trades) {
    check.checkTrade(maker, trade, symbol);
    await shipped.shippedTrade(maker, trade, symbol);
  }
  return trades;
}

/** What a promise gives as soon as it is what is waited for. */
export async function until(attempt, isWanted) {
  for (;;) {
    const value = await attempt();
    if (isWanted(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);
export const limit = (exchange, side, price, amount = 1, params = {}) =>
  exchange.createOrder(symbol, 'limit', side, amount, price, params);

/** Asks who runs this program to do something to the first node, and waits until it is done. */
export async function ask(what) {
  const done = once(process.stdin.resume(), 'data');
  process.stdout.write(`${JSON.stringify({ ask: what })}\n`);
  await done;
  process.stdin.pause();
}
