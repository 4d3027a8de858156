/** The page for developers: chain data, a wallet that is told of the network, test funds, any method tried, and the log of requests. */
import { expect, it } from '@jest/globals';
import { rpc } from '@prime/load/rpc';
import { until } from '@prime/testkit';
import type { Page } from 'playwright-core';
import { describePages, setScene } from './scene.ts';
import { barriers, expectWords, photograph, sidewaysPixels, views } from './visits.ts';

const hostile = '<img src=x onerror=alert(1)>"';
const stranger = `0x${'cd'.repeat(20)}`;

/** A wallet in the page that notes what it is asked, and refuses a second time. Its name has bad intent, and so has its picture. */
const mockWallet = `
  window.asked = [];
  const provider = {
    request: async (call) => {
      window.asked.push(call);
      if (window.asked.length > 1) throw Object.assign(new Error('no'), { code: 4001 });
      return null;
    },
  };
  const info = { uuid: 'b3d5', name: ${JSON.stringify(hostile)}, icon: 'https://elsewhere.example/a.png', rdns: 'a.b' };
  const announce = () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
  window.addEventListener('eip6963:requestProvider', announce);
  announce();
`;

describePages('the page for developers', () => {
  const scene = setScene({ validators: 1 });
  const { open } = scene;
  const ask = <Result>(method: string, ...params: readonly unknown[]): Promise<Result> =>
    rpc(scene.testnet.url(0), method, params);
  const isThere = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'prime_consensusStatus' }).waitFor();
    await page.getByText('0x1eef').waitFor();
    await page.getByRole('region', { name: 'Test accounts' }).locator('.hash').first().waitFor();
  };

  it.each(views)('tries a method and shows what it answered: $name', async (view) => {
    const { page, heard, close } = await open('/developer', view);
    await isThere(page);
    await expectWords(page.locator('.keys').first(), /7919[\s\S]*0x1eef[\s\S]*ws:\/\//);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const answer = page.getByRole('region', { name: 'Text of the answer' });
    await answer.waitFor();
    await expectWords(answer, '"waits_for"');
    const log = page.getByRole('region', { name: 'Requests of this page' });
    // The page asks much itself: what is newest pushes older requests out.
    await until('it is in the log', async () => {
      if ((await log.innerText()).includes('prime_consensusStatus')) return true;
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      return false;
    });
    expect(await barriers(page)).toEqual([]);
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0);
    await page.evaluate('document.activeElement.blur(); scrollTo(0, 0)');
    await photograph(page, 'developer', view);
    expect(heard).toEqual([]);
    await close();
  });

  it('finds a method, takes its example, and shows what is refused and what is no JSON', async () => {
    const { page, heard, close } = await open('/developer');
    await isThere(page);
    await page.getByLabel('Find a method').fill('order book market');
    await page.getByRole('button', { name: 'primeorders_getOrderBook' }).click();
    const params = page.getByLabel('Parameters, JSON');
    expect(JSON.parse(await params.inputValue())).toEqual(['0x1']);
    await params.fill('["0x7777"]');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('.try-result .badge', { hasText: 'error' }).waitFor();
    await expectWords(page.getByRole('region', { name: 'Text of the answer' }), '"code"');
    await params.fill(hostile);
    await page.getByText('This is not JSON').waitFor();
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
    expect(await page.locator('img').count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    expect(heard).toEqual([]);
    await close();
  });

  it('gives the network to a wallet of the browser, and says when it declines', async () => {
    const { page, heard, close } = await open('/developer');
    await page.getByText('No wallet in this browser').waitFor();
    await page.evaluate(mockWallet);
    const entry = page.locator('.wallets > li');
    await expectWords(entry, hostile);
    await entry.getByRole('button', { name: 'Add network' }).click();
    await entry.getByText('has the network now').waitFor();
    const [call] = await page.evaluate<{ method: string; params: [{ chainId: string; rpcUrls: string[] }] }[]>('asked');
    expect(call!.method).toBe('wallet_addEthereumChain');
    expect(call!.params[0]).toMatchObject({
      chainId: '0x1eef',
      chainName: 'prime-local',
      rpcUrls: [scene.testnet.url(0)],
    });
    await entry.getByRole('button', { name: 'Add network' }).click();
    await entry.getByText('declined').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    expect(heard).toEqual([]);
    await close();
  });

  it('gives coins and collateral to an account of a test network', async () => {
    const { page, heard, close } = await open('/developer');
    await isThere(page);
    const coins = page.getByRole('button', { name: 'Send coins' });
    expect(await coins.isDisabled()).toBe(true);
    await page.getByLabel('Account', { exact: true }).fill(stranger);
    await page.getByLabel('Amount, PRIME').fill('1.5');
    await coins.click();
    await page.getByText('there with the next block').waitFor();
    const amount = `0x${(15n * 10n ** 17n).toString(16)}`;
    await until('coins are there', async () => (await ask<string>('eth_getBalance', stranger, 'latest')) === amount);
    await page.getByRole('button', { name: 'Deposit collateral' }).click();
    await page.getByText('the account can trade').waitFor();
    expect(await ask('primeorders_getAccount', stranger)).toMatchObject({ collateral: amount });
    expect(await barriers(page)).toEqual([]);
    expect(heard).toEqual([]);
    await close();
  });
});
