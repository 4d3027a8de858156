/** The page of events: live, filtered, paused, and back in time. */
import { beforeAll, expect, it } from '@jest/globals';
import { rpc } from '@prime/load/rpc';
import { until } from '@prime/testkit';
import { describePages, setScene } from './scene.ts';
import { barriers, expectWords, photograph, sidewaysPixels, views } from './visits.ts';

const ether = (amount: number): string => `0x${(BigInt(amount) * 10n ** 18n).toString(16)}`;
const addressOf = (letter: string): string => `0x${letter.repeat(40)}`;
const [rich, poor] = [addressOf('a'), addressOf('b')];

describePages('the page of events', () => {
  const scene = setScene({ validators: 1 });
  const { open } = scene;
  const url = (): string => scene.testnet.url(0);
  const deposit = (address: string, amount = 1): Promise<unknown> =>
    rpc(url(), 'primeorders_depositCollateral', [address, ether(amount)]);

  beforeAll(async () => {
    for (const address of [rich, poor]) await deposit(address, 1_000);
    for (const [owner, side] of [
      [rich, 'sell'],
      [poor, 'buy'],
    ])
      for (const market_id of [1, 2])
        await rpc(url(), 'primeorders_submitOrder', [
          { owner, market_id, side, price: '0x2710', size: '0x2386f26fc10000', tif: 'gtc' },
        ]);
    // More than one page of them.
    await Promise.all(Array.from({ length: 60 }, (_, index) => deposit(addressOf('c'), index + 1)));
  });

  it.each(views)('shows them as they happen: $name', async (view) => {
    const { page, heard, close } = await open('/events', view);
    const list = page.getByRole('region', { name: 'Events' });
    await list.getByText('collateral deposited').first().waitFor();
    await deposit(rich, 7);
    await list
      .getByText(/^7 PRIME, now/)
      .first()
      .waitFor();
    await photograph(page, 'events', view);
    expect(await barriers(page)).toEqual([]);
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0);
    expect(heard).toEqual([]);
    await close();
  });

  it('shows what somebody chose: a kind, a market, an account', async () => {
    const { page, heard, close } = await open('/events');
    const list = page.getByRole('region', { name: 'Events' });
    const rows = list.locator('tbody tr');
    await list.getByText('collateral deposited').first().waitFor();
    await page.getByLabel('Kind', { exact: true }).selectOption('trade');
    await until('trades alone are shown', async () => (await rows.count()) === 2);
    await page.getByLabel('Market', { exact: true }).selectOption('ETH/USD');
    await until('of one market', async () => (await rows.count()) === 1);
    await expectWords(rows, 'in ETH/USD');
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByLabel('Account', { exact: true }).fill('0x12');
    await page.getByText('An account is 0x and 40 hex digits').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByLabel('Account', { exact: true }).fill(poor.toUpperCase().replace('X', 'x'));
    await until('of one account', async () => (await rows.count()) < 10);
    await page.getByText('That is all since genesis.').waitFor();
    for (const text of await rows.allInnerTexts()) expect(text).toContain('0xbbbb…bbbb');
    await page.getByLabel('Part', { exact: true }).selectOption('validators');
    await page.getByText('Nothing of this kind happened').waitFor();
    expect(heard).toEqual([]);
    await close();
  });

  it('stands still while it is paused, and has all of it afterwards', async () => {
    const { page, heard, close } = await open('/events');
    const list = page.getByRole('region', { name: 'Events' });
    await list.getByText('collateral deposited').first().waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await deposit(rich, 1_234);
    await page.getByText(/paused, [1-9]\d* new/).waitFor();
    expect(await list.getByText(/^1,234 PRIME, now/).count()).toBe(0);
    await page.getByRole('button', { name: 'Go on' }).click();
    await list.getByText(/^1,234 PRIME, now/).waitFor();
    expect(heard).toEqual([]);
    await close();
  });

  it('goes back in time to genesis', async () => {
    const { page, heard, close } = await open('/events');
    const rows = page.getByRole('region', { name: 'Events' }).locator('tbody tr');
    const more = page.getByRole('button', { name: 'Show earlier ones' });
    await more.waitFor();
    const first = await rows.count();
    const end = page.getByText('That is all since genesis.');
    // How many pages there are depends on how many events each block has.
    await until('genesis is reached', async () => {
      const isThere = (await end.count()) > 0;
      if (!isThere && (await more.count()) > 0 && (await more.isEnabled())) await more.click();
      return isThere;
    });
    expect(await rows.count()).toBeGreaterThan(first);
    const filter = { fromBlock: 'earliest', toBlock: 'latest' };
    const all = await rpc<unknown[]>(url(), 'prime_getDomainEvents', [filter]);
    expect(await rows.count()).toBe(all.length);
    expect(heard).toEqual([]);
    await close();
  });
});
