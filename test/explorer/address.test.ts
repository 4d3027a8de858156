/** The page of an account: what it has, what it risks, what it did, and whether that is proven. */
import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { parseEther } from 'viem';
import { waitForTransactionReceipt } from 'viem/actions';
import { lieAbout } from './lies.ts';
import { alice, bob, carol, walletOf } from './people.ts';
import { describePages, setScene } from './scene.ts';
import { barriers, expectWords, photograph, sidewaysPixels, views } from './visits.ts';

/** A name that somebody gives a key with bad intent. */
const hostile = '<img src=x onerror=alert(1)>"';
const nobody = `0x${'9'.repeat(40)}`;

describePages('the page of an account', () => {
  const scene = setScene({ validators: 1 });
  const { open } = scene;
  const url = (): string => scene.testnet.url(0);
  const wallet = (account = alice) => walletOf(url(), account);
  const ethUsd = async () => (await wallet().getMarkets()).find(({ symbol }) => symbol === 'ETH/USD')!;

  const send = (from: typeof alice, to: `0x${string}`, ether: string): Promise<`0x${string}`> =>
    wallet(from).sendTransaction({ to, value: parseEther(ether) });
  /** An EVM transfer that is in a block. */
  const pay = async (...transfer: Parameters<typeof send>): Promise<`0x${string}`> => {
    const hash = await send(...transfer);
    await waitForTransactionReceipt(wallet(), { hash });
    return hash;
  };

  beforeAll(async () => {
    const market = await ethUsd();
    for (const account of [alice, bob]) await wallet(account).depositCollateral({ amount: parseEther('1000') });
    const order = (side: 'buy' | 'sell', price: string, size: string) =>
      ({ market, side, price: market.price(price), size: market.size(size) }) as const;
    await wallet(bob).placeOrder(order('sell', '3010', '1.5'));
    await wallet().placeOrder(order('buy', '3010', '1'));
    await wallet().placeOrder(order('buy', '2990', '0.25'));
    await wallet().placeOrder(order('sell', '3100', '0.5'));
    await wallet().approveAgent({ agent: carol.address, name: hostile, permissions: ['trade', 'cancel'] });
    await wallet().withdrawCollateral({ amount: parseEther('5'), to: alice.address });
    await pay(alice, carol.address, '1.25');
  });

  it.each(views)('shows both domains, risk and history, and proves it: $name', async (view) => {
    const { page, heard, close } = await open(`/address/${alice.address}`, view);
    const holdings = page.getByRole('region', { name: 'Positions' });
    await holdings.getByText('long').waitFor();
    await expectWords(holdings, /ETH\/USD[\s\S]*3,010\.00/);
    await page.getByRole('meter', { name: 'Equity that is needed' }).waitFor();
    await page.getByRole('region', { name: 'History of the account' }).getByText('collateral deposited').waitFor();
    const transactions = page.getByRole('region', { name: 'Transactions of the account' });
    await transactions.getByText('approve agent').waitFor();
    await expectWords(transactions.getByRole('row').nth(1), /from it[\s\S]*transfer[\s\S]*1\.25[\s\S]*done/);
    await page.getByRole('button', { name: 'Check it now' }).click();
    const verdict = page.locator('.verdict.good');
    await verdict.getByText('What the node shows is what the validators signed.').waitFor();
    await expectWords(verdict, /Collateral\s+995 PRIME/);
    await photograph(page, 'address', view);
    expect(await barriers(page)).toEqual([]);
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0);
    expect(heard).toEqual([]);
    await close();
  });

  it('shows a name as text, whatever it is', async () => {
    const { page, heard, close } = await open(`/address/${alice.address}`);
    await page.getByRole('tab', { name: 'Agents' }).click();
    await page.getByRole('region', { name: 'Agents' }).getByText(hostile).waitFor();
    await page.getByRole('region', { name: 'History of the account' }).getByText(hostile).waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    expect(heard).toEqual([]);
    await close();
  });

  it('follows what the account does', async () => {
    const { page, heard, close } = await open(`/address/${bob.address}`);
    await page.getByRole('tab', { name: 'Open orders' }).click();
    const orders = page.getByRole('region', { name: 'Open orders' });
    await orders.getByText('3,010.00').waitFor();
    const market = await ethUsd();
    const order = { market, side: 'sell', price: market.price('3333'), size: market.size('0.1') } as const;
    const { orderId } = await wallet(bob).placeOrder(order);
    await orders.getByText('3,333.00').waitFor();
    await page.getByRole('region', { name: 'History of the account' }).getByText('at 3,333.00').waitFor();
    await wallet(bob).cancelOrder({ orderId });
    await page.getByRole('region', { name: 'History of the account' }).getByText('order cancelled').waitFor();
    await orders.getByText('3,333.00').waitFor({ state: 'detached' });
    expect(heard).toEqual([]);
    await close();
  });

  it('shows who paid whom, as it happens, and as far back as somebody asks', async () => {
    for (let index = 0; index < 29; index++) await send(alice, bob.address, `0.00${10 + index}`);
    await pay(alice, bob.address, '0.0039');
    const { page, heard, close } = await open(`/address/${bob.address}`);
    const transactions = page.getByRole('region', { name: 'Transactions of the account' });
    await expectWords(transactions.getByRole('row').nth(1), /to it[\s\S]*transfer[\s\S]*0\.0039/);
    expect(await transactions.getByText('to it').count()).toBe(25);
    await transactions.locator('..').getByRole('button', { name: 'Show earlier ones' }).click();
    await transactions.getByText('deposit').waitFor();
    expect(await transactions.getByText('to it').count()).toBe(30);
    const hash = await pay(bob, alice.address, '3.5');
    await expectWords(transactions.getByRole('row').nth(1), /from it[\s\S]*3\.5/);
    await transactions.getByRole('row').nth(1).getByRole('link').first().click();
    await page.waitForURL(`**/tx/${hash}`);
    expect(heard).toEqual([]);
    await close();
  });

  it('of somebody who has nothing says so, and that is proven as well', async () => {
    const { page, heard, close } = await open(`/address/${nobody}`);
    await page.getByText('No position', { exact: true }).waitFor();
    await page.getByText('Nothing happened').waitFor();
    await page.getByText('No transaction', { exact: true }).waitFor();
    await page.getByText('That is all since genesis.').nth(1).waitFor();
    await page.getByRole('button', { name: 'Check it now' }).click();
    await page.getByText('It is proven that the account has nothing.').waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(heard).toEqual([]);
    await close();
  });

  it('of a contract says that it is one', async () => {
    const { page, close } = await open('/address/0x0000000000000000000000000000000000000100');
    await page.getByText(/contract of [\d,]+ bytes/).waitFor();
    await expectWords(page.locator('.page-head .kind'), 'Contract');
    await close();
  });

  it.each([
    [
      'shows more than there is',
      'primeorders_getAccount',
      { collateral: '0xffffffffffffffffffffff' },
      'does not agree',
    ],
    ['hides a position', 'primeorders_getAccount', { positions: [] }, 'does not agree'],
    ['changes what is proven', 'primeorders_getProof', { record: null, present: false }, 'not proven'],
    ['has other signatures', 'prime_getCommit', { round: '0x7' }, 'not proven'],
  ])('is marked red where the node %s', async (_, method, lie, said) => {
    const { page, close } = await open(`/address/${alice.address}`, views[0], {
      before: (window) => lieAbout(window, url(), method, (result) => ({ ...result, ...lie })),
    });
    await page.getByRole('button', { name: 'Check it now' }).click();
    await page.locator('.verdict.bad .badge', { hasText: said }).waitFor();
    if (said === 'does not agree') await page.locator('.differs').first().waitFor();
    await photograph(page, `address-${method}-${said.replaceAll(' ', '-')}`, views[0]);
    expect(await barriers(page)).toEqual([]);
    await close();
  });

  it.each(['connection', 'time'])(
    'asks again for what the node had no %s for, while all else is live',
    async (lack) => {
      const { origin } = new URL(url());
      let lost = 0;
      const loseGenesis = (window: Page): Promise<unknown> =>
        window.route(
          (asked) => asked.origin === origin,
          (route) => {
            const isGenesis = /"eth_getBlockByNumber","params":\["0x0"/.test(route.request().postData() ?? '');
            if (!isGenesis || lost++ >= 2) return route.continue();
            const error = { code: -32005, message: 'too many reads wait, try again later' };
            return lack === 'time'
              ? route.fulfill({ json: { jsonrpc: '2.0', id: null, error } })
              : route.abort('connectionreset');
          },
        );
      const { page, close } = await open(`/address/${alice.address}`, views[0], { before: loseGenesis });
      await page.getByRole('region', { name: 'Positions' }).getByText('long').waitFor();
      await page.getByRole('button', { name: 'Check it now' }).click();
      await page.locator('.verdict.good').waitFor();
      expect(lost).toBe(3);
      await close();
    },
  );

  it('is marked red where another genesis is trusted, typed before the account could be read', async () => {
    const { origin } = new URL(url());
    const loseBalances = (window: Page): Promise<unknown> =>
      window.route(
        (asked) => asked.origin === origin,
        (route) =>
          /"eth_getBalance"/.test(route.request().postData() ?? '') ? route.abort('connectionreset') : route.continue(),
      );
    const { page, close } = await open(`/address/${alice.address}`, views[0], { before: loseBalances });
    await page.getByText('This account cannot be shown').waitFor();
    await page.getByLabel('Hash of genesis').fill(`0x${'7'.repeat(64)}`);
    // What was typed is still there when the account is.
    await page.unrouteAll();
    await page.getByRole('region', { name: 'Positions' }).getByText('long').waitFor();
    await page.getByRole('button', { name: 'Check it now' }).click();
    await page.locator('.verdict.bad', { hasText: 'another network' }).waitFor();
    expect(await page.locator('.verdict.good').count()).toBe(0);
    await close();
  });
});
