/** The page of a market: live, as the node has it, for everybody, on every screen. */
import { beforeAll, expect, it } from '@jest/globals';
import { rpc } from '@prime/load/rpc';
import { until } from '@prime/testkit';
import type { Page } from 'playwright-core';
import { describePages, setScene } from './scene.ts';
import { barriers, photograph, sidewaysPixels, views } from './visits.ts';

const hex = (value: number | bigint): string => `0x${value.toString(16)}`;
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
  const scene = setScene();
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
      await order(maker, 'buy', 300_000 - 5 * level, size * BigInt(level));
      await order(maker, 'sell', 300_000 + 5 * level, size * BigInt(level));
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
    expect(await page.locator('.ladder .middle').innerText()).toMatch(/2,999\.95[\s\S]*0\.10 · 0\.003 %/);
    const tape = page.getByRole('region', { name: 'Trades' });
    expect(await tape.locator('tbody tr').first().innerText()).toMatch(/2,999\.95\s+0\.0050/);
    await until('candles are drawn', async () => (await page.locator('.candles canvas').count()) > 0);
    await until('the newest candle is told', async () =>
      (await page.locator('.legend').innerText()).includes('2,999.95'),
    );
    expect(await page.locator('.facts').innerText()).toMatch(/0\.05 USD[\s\S]*10 %, up to 10×/);
    expect(await page.title()).toBe('ETH/USD · Prime');

    // A trade is seen in all of them.
    await order(taker, 'buy', 300_005, size / 4n, 'ioc');
    await until('the trade is on the tape', async () =>
      /3,000\.05\s+0\.0025/.test(await tape.locator('tbody tr').first().innerText()),
    );
    await until('the candle follows', async () => /C\s*3,000\.05/.test(await page.locator('.legend').innerText()));
    expect(await page.locator('.market-head').innerText()).toContain('3,000.05');
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
    expect(await page.getByText('Nobody rests here').count()).toBe(1);
    expect(await page.getByText('Nobody traded yet').count()).toBe(2);
    expect(await barriers(page)).toEqual([]);
    expect(heard).toEqual([]);
    await close();
  });
});
