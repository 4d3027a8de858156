/** Collateral, positions, funding, agents. */
import assert from 'node:assert/strict';
import ccxt from 'ccxt';
import { primeWalletActions } from '@prime/sdk';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import * as shipped from '../lib/shipped.mjs';
import * as check from '../lib/structures.mjs';
import { addressOf, checkOrder, limit, maker, near, open, refusal, symbol, taker, task, until } from '../lib/venue.mjs';

export const account = {
  transfer: async () => {
    for (const exchange of [maker, taker]) {
      const wallet = await exchange.fetchBalance({ type: 'wallet' });
      check.checkBalance(exchange, wallet);
      assert.ok(wallet.USD.free > 9000);
      const moved = await exchange.transfer('USD', 9000, 'wallet', 'margin');
      check.checkTransfer(exchange, moved);
      assert.equal(moved.status, 'ok');
      const balance = await exchange.fetchBalance();
      check.checkBalance(exchange, balance);
      assert.deepEqual(balance.USD, { free: 9000, used: 0, total: 9000 });
    }
    const out = await maker.transfer('USD', '0.5', 'margin', 'wallet');
    assert.equal(out.status, 'pending');
    check.checkWithdrawal(maker, await maker.withdraw('USD', 0.5, addressOf(taker)));
    await maker.transfer('USD', 1, 'margin', addressOf(taker));
    near((await maker.fetchBalance()).USD.total, 8998);
    near((await taker.fetchBalance()).USD.total, 9001);
    const ledger = await maker.fetchLedger('USD');
    for (const entry of ledger) check.checkLedgerEntry(maker, entry);
    assert.deepEqual(
      ledger.map(({ direction, type, amount }) => [direction, type, amount]),
      [
        ['in', 'transaction', 9000],
        ['out', 'transaction', 0.5],
        ['out', 'transaction', 0.5],
        ['out', 'transfer', 1],
      ],
    );
    const moves = await maker.fetchTransfers('USD', ledger[1].timestamp);
    for (const entry of moves) check.checkTransfer(maker, entry);
    assert.deepEqual(
      moves.map(({ fromAccount, toAccount }) => [fromAccount, toAccount]),
      [
        ['margin', 'wallet'],
        ['margin', 'wallet'],
        ['margin', addressOf(taker)],
      ],
    );
    assert.equal((await taker.fetchTransfers()).at(-1).fromAccount, addressOf(maker));
    assert.equal((await maker.fetchDepositAddress('USD')).address, '0x0000000000000000000000000000000000000100');
  },
  positions: async () => {
    const [[long], [short]] = [await taker.fetchPositions(), await maker.fetchPositions([symbol])];
    for (const position of [long, short]) {
      check.checkPosition(taker, position, symbol);
      await shipped.shippedPosition(taker, position, symbol);
    }
    assert.deepEqual([long.side, long.contracts, short.side, short.contracts], ['long', 1.5, 'short', 1.5]);
    assert.deepEqual(await taker.fetchPositions(['BTC/USD:USD']), []);
    check.checkBalance(taker, await taker.fetchBalance());
  },
  funding: async () => {
    const rate = await taker.fetchFundingRate(symbol);
    check.checkFundingRate(taker, rate);
    assert.equal(rate.interval, '1s');
    assert.deepEqual(Object.keys(await taker.fetchFundingRates([symbol])), [symbol]);
    // Each of these orders is a block, and the mark is not where it was an interval ago.
    const history = await until(
      async () => {
        await maker.cancelOrder((await limit(maker, 'buy', 2985, 0.1)).id, symbol);
        return taker.fetchFundingRateHistory(symbol);
      },
      (rows) => rows.length > 0,
    );
    for (const { symbol: own, timestamp, datetime, fundingRate } of history) {
      assert.equal(own, symbol);
      assert.equal(datetime, taker.iso8601(timestamp));
      assert.ok(Math.abs(fundingRate) > 0 && Math.abs(fundingRate) <= 0.001);
    }
    await taker.createOrder(symbol, 'market', 'sell', 0.1);
    const [paid] = await taker.fetchFundingHistory(symbol);
    assert.deepEqual([paid.symbol, paid.code, typeof paid.amount], [symbol, 'USD', 'number']);
  },
  agent: async () => {
    const agent = privateKeyToAccount(task.keys[2]);
    const owner = createWalletClient({
      account: privateKeyToAccount(task.keys[0]),
      transport: http(task.rpcUrls[0]),
    }).extend(primeWalletActions());
    await owner.approveAgent({ agent: agent.address, permissions: ['trade', 'cancel'] });
    const bot = open(task.keys[2], { walletAddress: addressOf(maker) });
    const order = await checkOrder(await limit(bot, 'buy', 2970, 1, { clientOrderId: 'by-agent' }));
    assert.equal((await maker.fetchOrder(order.id, symbol)).status, 'open');
    await refusal(bot.withdraw('USD', 1, agent.address), ccxt.AuthenticationError);
    await refusal(
      open(task.keys[2], { walletAddress: addressOf(taker) }).createOrder(symbol, 'limit', 'buy', 1, 2950),
      ccxt.AuthenticationError,
    );
    assert.equal((await bot.cancelOrder(order.id, symbol)).status, 'canceled');
  },
};
