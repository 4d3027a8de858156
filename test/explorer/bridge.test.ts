/** The page of the bridge: what is held and owed, and who waits. */
import { beforeAll, expect, it } from '@jest/globals';
import { parseEther } from 'viem';
import { lieAbout } from './lies.ts';
import { alice, bob, walletOf } from './people.ts';
import { describePages, setScene } from './scene.ts';
import { barriers, expectCount, expectWords, photograph, sidewaysPixels, views } from './visits.ts';

describePages('the page of the bridge', () => {
  const scene = setScene({ validators: 1 });
  const { open } = scene;
  const url = (): string => scene.testnet.url(0);
  const wallet = (account = alice) => walletOf(url(), account);

  beforeAll(async () => {
    await wallet().depositCollateral({ amount: parseEther('100') });
    await wallet().withdrawCollateral({ amount: parseEther('5'), to: bob.address });
    await wallet().withdrawCollateral({ amount: parseEther('2.5'), to: alice.address });
    await wallet(bob).enqueueEvmToOrders({ amount: parseEther('3'), to: alice.address });
  });

  it.each(views)('shows both sides of the balance, and who waits: $name', async (view) => {
    const { page, heard, close } = await open('/bridge', view);
    await page.getByText('every coin is there').waitFor();
    const balance = page.locator('.balance');
    await expectWords(balance, /Held in the EVM[\s\S]*103 PRIME[\s\S]*Owed by the exchange\s+103 PRIME/);
    const out = page.getByRole('region', { name: 'To the EVM' });
    await out.getByText('5 PRIME', { exact: true }).first().waitFor();
    await expectCount(out.locator('tbody tr'), 2);
    await expectWords(page.getByRole('region', { name: 'To the exchange' }), '3 PRIME');
    await page.getByRole('region', { name: 'Transfers' }).getByText('transfer queued').first().waitFor();
    await photograph(page, 'bridge', view);
    expect(await barriers(page)).toEqual([]);
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0);
    expect(heard).toEqual([]);
    await close();
  });

  it('shows red where coins are missing', async () => {
    const { page, close } = await open('/events');
    await lieAbout(page, url(), 'primeorders_getProof', (proof) => ({
      ...proof,
      account_proof: { ...(proof['account_proof'] as object), balance: '0x1' },
    }));
    await page.goto(new URL('/bridge', page.url()).href);
    await page.getByText('coins are missing').waitFor();
    expect(await page.getByText('every coin is there').count()).toBe(0);
    await photograph(page, 'bridge-missing', views[0]);
    await close();
  });

  it('follows the queues', async () => {
    const { page, heard, close } = await open('/bridge');
    const out = page.getByRole('region', { name: 'To the EVM' });
    await out.getByText('5 PRIME', { exact: true }).first().waitFor();
    await wallet().dequeueOrdersToEvm({ max: 1 });
    await page.getByRole('region', { name: 'Transfers' }).getByText('transfer completed').waitFor();
    await expectCount(out.locator('tbody tr'), 1);
    await expectWords(out.locator('tbody tr'), '2.5 PRIME');
    await wallet().dequeueOrdersToEvm({ max: 10 });
    await page.getByText('Nobody waits').waitFor();
    await page.locator('.balance').getByText('95.5').first().waitFor();
    expect(heard).toEqual([]);
    await close();
  });
});
