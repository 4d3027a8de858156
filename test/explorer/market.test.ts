/** The page of a market: live, as the node has it, for everybody, on every screen. */
import { beforeAll, expect, it } from '@jest/globals';
import { rpc, toHex as hex } from '@prime/load/rpc';
import { until } from '@prime/testkit';
import { createPrng } from '@prime/primitives';
import type { Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { LyingProxy } from '../e2e/sdk/lyingProxy.ts';
import { mockWallet } from './mockWallet.ts';
import { describePages, setScene } from './scene.ts';
import { barriers, expectWords, photograph, sidewaysPixels, views } from './visits.ts';

/** ETH/USD: a price of 300000 reads as 3000.00, ticks are 5, a lot is 10. */
const marketId = 2;
const [maker, taker] = ['ab', 'cd'].map((byte) => `0x${byte.repeat(20)}`) as [string, string];
const size = 10n ** 14n;

interface WireLevel {
  readonly price: string;
  readonly size: string;
}
interface WireBook {
  readonly bids: readonly WireLevel[];
  readonly asks: readonly WireLevel[];
}

/** Lines of one side as the page shows them, best first: price in ticks and size in units. */
async function shownSide(page: Page, side: 'buy' | 'sell'): Promise<string[]> {
  const lines = await page.locator(`.ladder .${side}-side`).evaluateAll((rows) =>
    rows.map((row) => {
      const cells = [...row.querySelectorAll('td')].map((cell) => cell.textContent?.trim());
      return `${cells[0]} ${cells[1]}`;
    }),
  );
  return side === 'buy' ? lines : lines.toReversed();
}

/** The same of what the node says. */
const toldSide = (levels: readonly WireLevel[]): string[] =>
  levels.map(({ price, size: amount }) => {
    const [cents, units] = [BigInt(price), BigInt(amount)];
    const whole = (cents / 100n).toString().replace(/\B(?=(?:\d{3})+$)/g, ',');
    return `${whole}.${(cents % 100n).toString().padStart(2, '0')} ${(Number(units / 10n ** 12n) / 10_000).toFixed(4)}`;
  });

describePages('the page of a market', () => {
  const scene = setScene({ validators: 1 });
  const { open } = scene;
  const call = <Result>(method: string, params: readonly unknown[]): Promise<Result> =>
    rpc(scene.testnet.url(0), method, params);
  const order = (owner: string, side: 'buy' | 'sell', price: number, amount: bigint, tif = 'gtc') =>
    call<{ readonly order_id: string; readonly status: string }>('primeorders_submitOrder', [
      { owner, market_id: marketId, side, price: hex(price), size: hex(amount), tif },
    ]);
  const book = (): Promise<WireBook> => call('primeorders_getOrderBook', [hex(marketId)]);

  beforeAll(async () => {
    for (const owner of [maker, taker]) await call('primeorders_depositCollateral', [owner, hex(10n ** 24n)]);
    for (let level = 1; level <= 14; level++) {
      await order(maker, 'buy', 300_000 - 5 * level, size * BigInt(level + 1));
      await order(maker, 'sell', 300_000 + 5 * level, size * BigInt(level + 1));
    }
    for (const side of ['buy', 'sell'] as const)
      await order(taker, side, 300_000 + (side === 'buy' ? 5 : -5), size / 2n, 'ioc');
  });

  it.each(views)('shows book, trades, candles and facts as they are: $name', async (view) => {
    const { page, heard, close } = await open('/market/ETH-USD', view);
    await page.locator('.pill.live').waitFor();
    const asks = page.locator('.ladder .sell-side');
    await until('the book is there', async () => (await asks.count()) === 12);
    const told = await book();
    expect(await shownSide(page, 'sell')).toEqual(toldSide(told.asks).slice(0, 12));
    expect(await shownSide(page, 'buy')).toEqual(toldSide(told.bids.toReversed()).slice(0, 12));
    await expectWords(page.locator('.ladder .middle'), /2,999\.95[\s\S]*0\.10 · 0\.003 %/);
    const tape = page.getByRole('region', { name: 'Trades' });
    await expectWords(tape.locator('tbody tr').first(), /2,999\.95\s+0\.00(?:50|25)/);
    await until('candles are drawn', async () => (await page.locator('.candles canvas').count()) > 0);
    await until('the newest candle is told', async () =>
      (await page.locator('.legend').innerText()).includes('2,999.95'),
    );
    // The mark stands beside the prices of trades; this market has no prices from outside.
    await expectWords(page.locator('.legend .mark'), /Mark\s*[23],[09]\d\d\.\d\d/);
    expect(await page.locator('.legend .index').count()).toBe(0);
    await expectWords(page.locator('.facts'), /0\.05 USD[\s\S]*10 %, up to 10×/);
    expect(await page.title()).toBe('ETH/USD · Prime');

    // A trade is seen in all of them.
    await order(taker, 'buy', 300_005, size / 4n, 'ioc');
    await until('the trade is on the tape', async () =>
      /3,000\.05\s+0\.0025/.test(await tape.locator('tbody tr').first().innerText()),
    );
    await until('the candle follows', async () => /C\s*3,000\.05/.test(await page.locator('.legend').innerText()));
    await expectWords(page.locator('.market-head'), '3,000.05');
    await order(taker, 'sell', 299_995, size / 4n, 'ioc');
    await until('back again', async () => (await page.locator('.ladder .middle').innerText()).includes('2,999.95'));

    expect(await barriers(page)).toEqual([]);
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0);
    await photograph(page, 'market', view);
    await page.getByRole('tab', { name: 'Depth' }).click();
    await page.locator('.depth canvas').first().waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(heard).toEqual([]);
    await close();
  });

  it('that does not exist: says which ones do', async () => {
    const { page, heard, close } = await open('/market/NO-SUCH');
    await page.getByText('This network has no market NO-SUCH').waitFor();
    await page.getByRole('link', { name: 'PRM/USD' }).click();
    await page.getByRole('heading', { level: 1, name: 'PRM/USD' }).waitFor();
    // Each part is asked for by itself.
    for (const [words, places] of [
      ['Nobody rests here', 1],
      ['Nobody traded yet', 2],
    ] as const)
      await until(words, async () => (await page.getByText(words).count()) === places);
    expect(await barriers(page)).toEqual([]);
    expect(heard).toEqual([]);
    await close();
  });

  it('says where its book can not be proven', async () => {
    const { page, close } = await open('/market/ETH-USD');
    await page.getByRole('button', { name: 'Check signatures' }).click();
    await page.getByText('not provable here').waitFor();
    await expectWords(page.getByRole('dialog'), /no clob\.levelProofs/);
    await close();
  });

  it('draws only the lines that changed', async () => {
    const { page, close } = await open('/market/ETH-USD');
    await until('the book is there', async () => (await page.locator('.ladder .rung[data-price]').count()) === 24);
    // The deepest line of the other side is the longest bar, so that no bar changes with one here.
    await order(maker, 'sell', 300_060, size * 50n);
    await until('it is shown', async () => (await page.locator('[data-price="300060"]').innerText()).includes('0.63'));
    await page.evaluate(`(() => {
      globalThis.changed = new Set();
      new MutationObserver((records) => {
        for (const { target } of records) {
          const line = (target.nodeType === 1 ? target : target.parentElement).closest('.rung');
          if (line) changed.add(line.dataset.price);
        }
      }).observe(document.querySelector('.ladder'), { subtree: true, childList: true, characterData: true, attributes: true });
    })()`);
    await order(maker, 'buy', 299_945, size);
    await until('the line is another one', async () =>
      (await page.locator('[data-price="299945"]').innerText()).includes('0.1300'),
    );
    expect(await page.evaluate('[...globalThis.changed].toSorted()')).toEqual(['299940', '299945']);
    await close();
  });

  it('places and cancels orders of a test account, and shows what it has', async () => {
    const { page, heard, close } = await open('/market/ETH-USD');
    const [account] = await call<string[]>('eth_accounts', []);
    await page.getByLabel('Use a test account').selectOption(account!);
    await page.getByRole('tab', { name: 'Deposit' }).click();
    await page.getByLabel('Collateral to add').fill('1000');
    await page.getByRole('button', { name: 'Deposit', exact: true }).click();
    await page.getByText('It is collateral now').waitFor();
    await until('it is free', async () => (await page.locator('.summary').innerText()).includes('1,000 USD'));

    // What is between two ticks is not rounded for anybody.
    await page.getByLabel('Limit price').fill('2,990.02');
    await page.getByLabel('Size').fill('0.5');
    expect(await page.getByRole('button', { name: /^Buy 0\.5/ }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: '2990.05' }).click();
    await expectWords(page.locator('.summary'), /1,495\.02 USD[\s\S]*149(?:\.\d+)? USD[\s\S]*850(?:\.\d+)? USD/);
    const margin = BigInt(
      (await call<{ free_collateral: string }>('primeorders_getAccount', [account])).free_collateral,
    );
    const said = Number((await page.locator('.summary > div').nth(1).locator('dd').innerText()).replace(/[^\d.]/g, ''));
    await page.getByRole('button', { name: /^Buy 0\.5/ }).click();
    await page.getByText('0.5000 ETH rests in the book.').waitFor();
    const after = BigInt(
      (await call<{ free_collateral: string }>('primeorders_getAccount', [account])).free_collateral,
    );
    expect(Number((margin - after) / 10n ** 16n) / 100).toBeCloseTo(said, 1);

    const orders = page.getByRole('region', { name: 'Open orders' });
    await page.getByRole('tab', { name: /Open orders/ }).click();
    await expectWords(orders.locator('tbody tr'), /buy\s+2,990\.05\s+0\.5000\s+0\.0000/);
    await orders.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('No open orders').waitFor();
    expect(await call('primeorders_getOpenOrders', [account])).toEqual([]);

    // Refused in words; nothing is lost of what was typed.
    await page.getByLabel('How long it lives').selectOption('post');
    await page.getByRole('button', { name: 'Best ask' }).click();
    await page.getByLabel('Size').fill('0.01');
    await page.getByRole('button', { name: /^Buy 0\.01/ }).click();
    await page.locator('.ticket-note.problem').waitFor();
    await expectWords(page.locator('.ticket-note'), /post-only/i);
    expect(await page.getByLabel('Size').inputValue()).toBe('0.01');
    expect(await barriers(page)).toEqual([]);

    // Another window goes on as the same one.
    await page.reload();
    await page.locator('.who').waitFor();
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByText('Nobody is connected').waitFor();
    expect(heard).toEqual([]);
    await close();
  });
});

describePages('the page of a market without orders', () => {
  const scene = setScene({ validators: 1 });
  const call = <Result>(method: string, params: readonly unknown[]): Promise<Result> =>
    rpc(scene.testnet.url(0), method, params);
  /** A key that every development network gives money to; it is public. */
  const account = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d');
  const wallet = mockWallet(account, '<b>A wallet</b>');
  const sell = (price: number, amount: bigint) =>
    call<{ readonly order_id: string }>('primeorders_submitOrder', [
      { owner: maker, market_id: marketId, side: 'sell', price: hex(price), size: hex(amount), tif: 'gtc' },
    ]);
  const lastStatus = async (orderId: string): Promise<string> =>
    (await call<{ readonly status: string }>('primeorders_getOrder', [orderId])).status;

  it('trades with a wallet, which signs orders as typed data, which fill against one that was placed by RPC', async () => {
    await call('primeorders_depositCollateral', [maker, hex(10n ** 24n)]);
    const { order_id: resting } = await sell(300_000, size * 100n);
    const { page, heard, close } = await scene.open('/market/ETH-USD', views[0], {
      before: (window) => wallet.install(window),
    });
    await page.getByRole('button', { name: '<b>A wallet</b>' }).click();
    await page.locator('.who').getByText('wallet', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Deposit' }).click();
    await page.getByLabel('Collateral to add').fill('5000');
    await page.getByRole('button', { name: 'Deposit', exact: true }).click();
    await page.getByText('It is collateral now').waitFor();
    expect(wallet.asked).toEqual(expect.arrayContaining(['wallet_switchEthereumChain', 'wallet_addEthereumChain']));

    await page.getByRole('button', { name: 'Best ask' }).click();
    await page.getByLabel('Size').fill('1');
    await page.getByRole('button', { name: 'Buy 1 ETH' }).click();
    await page.getByText('Bought 1.0000 ETH.').waitFor();
    expect(await lastStatus(resting)).toBe('filled');
    expect(wallet.signed.map(({ primaryType }) => primaryType)).toEqual(['Deposit', 'Order']);
    expect(wallet.signed[1]!.message).toMatchObject({ price: '300000', size: (size * 100n).toString() });

    await page.getByRole('tab', { name: /Positions/ }).click();
    const positions = page.getByRole('region', { name: 'Positions' });
    await expectWords(positions.locator('tbody tr'), /long\s+1\.0000\s+3,000\.00/);
    await page.getByRole('tab', { name: /Fills/ }).click();
    await expectWords(
      page.getByRole('region', { name: 'Fills' }).locator('tbody tr'),
      /buy\s+3,000\.00\s+1\.0000[\s\S]*taker/,
    );

    // Somebody who says no has sent nothing.
    wallet.declines = true;
    await page.getByLabel('Limit price').fill('2900');
    await page.getByLabel('Size').fill('0.1');
    await page.getByRole('button', { name: /^Buy 0\.1/ }).click();
    await page.getByText('You declined it in the wallet').waitFor();
    wallet.declines = false;
    expect(await page.locator('b, img').count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'market-wallet', views[0]);

    await tradeByAgent(page);
    expect(heard).toEqual([]);
    await close();
  });

  /** A key of the page signs without asking, until it is forgotten. */
  async function tradeByAgent(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'One-click' }).click();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Make a key and allow it in the wallet' }).click();
    await page.locator('.who').getByText('agent key', { exact: true }).waitFor();
    const agents = () => call<{ agent: string; status: string }[]>('primeorders_getAgents', [account.address]);
    expect(await agents()).toMatchObject([{ status: 'live' }]);
    const askedBefore = wallet.signed.length;
    await page.getByRole('button', { name: /^Buy 0\.1/ }).click();
    await page.getByText('0.1000 ETH rests in the book.').waitFor();
    await page.getByRole('tab', { name: /Open orders/ }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('No open orders').waitFor();
    expect(wallet.signed.length).toBe(askedBefore);

    // It is kept over a reload, and gone when it is forgotten.
    await page.reload();
    await page.locator('.who').getByText('agent key', { exact: true }).waitFor();
    const kept = (): Promise<string> => page.evaluate<string>('Object.keys(localStorage).join()');
    expect(await kept()).toContain('prime.agent.');
    await page.getByRole('button', { name: 'Key' }).click();
    await page.getByRole('button', { name: 'Forget it and take its permission back' }).click();
    await until('the chain knows', async () => (await agents())[0]?.status === 'revoked');
    expect(await kept()).not.toContain('prime.agent.');
  }

  it('has the book of the node after a thousand random operations', async () => {
    const random = createPrng(28);
    const owners = Array.from({ length: 8 }, (_, index) => `0x${(0xa0 + index).toString(16).repeat(20)}`);
    for (const owner of owners) await call('primeorders_depositCollateral', [owner, hex(10n ** 24n)]);
    const { page, heard, close } = await scene.open('/market/ETH-USD');
    await page.locator('.pill.live').waitFor();
    const resting: string[] = [];
    const operate = async (): Promise<void> => {
      const dice = random.below(10);
      if (dice < 3 && resting.length > 20) {
        const [orderId] = resting.splice(random.below(resting.length), 1);
        // It may have been filled meanwhile.
        await call('primeorders_cancelOrder', [orderId]).catch(() => undefined);
        return;
      }
      const side = random.below(2) === 0 ? 'buy' : 'sell';
      const takes = dice === 9;
      const away = 5 * (1 + random.below(12)) * (takes ? -1 : 1);
      const { status, order_id } = await call<{ status: string; order_id: string }>('primeorders_submitOrder', [
        {
          owner: owners[random.below(owners.length)],
          market_id: marketId,
          side,
          price: hex(side === 'buy' ? 300_000 - away : 300_000 + away),
          size: hex(10n ** 12n * BigInt(1 + random.below(400))),
          tif: takes ? 'ioc' : 'gtc',
        },
      ]);
      if (status === 'open' || status === 'partially_filled') resting.push(order_id);
    };
    const together = 10;
    for (let done = 0; done < 1_000; done += together)
      await Promise.all(Array.from({ length: together }, () => operate()));
    const told = await call<WireBook>('primeorders_getOrderBook', [hex(marketId)]);
    expect(told.bids.length + told.asks.length).toBeGreaterThan(12);
    await until('the page is there', async () => {
      const [bids, asks] = [await shownSide(page, 'buy'), await shownSide(page, 'sell')];
      return bids.join() === toldSide(told.bids.toReversed()).join() && asks.join() === toldSide(told.asks).join();
    });
    expect(heard).toEqual([]);
    await close();
  });

  it('shows its name as text, whatever a node says that it is', async () => {
    const hostile = '<img src=x onerror=alert(1)>/<script>';
    const proxy = await LyingProxy.before(scene.testnet.url(0));
    proxy.lie = async (passing, ask) => {
      const answer = await ask();
      if (passing.method !== 'primeorders_getMarkets') return answer;
      return { result: (answer.result as { symbol: string }[]).map((market) => ({ ...market, symbol: hostile })) };
    };
    const { page, heard, close } = await scene.openAt(proxy.url, '/market/1');
    await page.getByRole('heading', { level: 1, name: hostile }).waitFor();
    await page.getByText('Nobody rests here').waitFor();
    expect(await page.title()).toBe(`${hostile} · Prime`);
    expect(await page.locator('img, main script').count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    expect(heard).toEqual([]);
    await close();
    await proxy.close();
  });
});
