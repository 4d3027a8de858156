/** The page of risk: what is at stake, who was liquidated, and by which figures. */
import { expect, it } from '@jest/globals';
import { rpc, toHex as hex } from '@prime/load/rpc';
import { describePages, setScene } from './scene.ts';
import { barriers, photograph, sidewaysPixels, views } from './visits.ts';

const addressOf = (letter: string): string => `0x${letter.repeat(40)}`;
const [alice, bob, carol, dave, erin] = ['a', 'b', 'c', 'd', 'e'].map(addressOf) as [
  string,
  string,
  string,
  string,
  string,
];
/** Of market 1: what one quote for one base is in wei for a base unit, and one base in base units. */
const [onePrice, oneBase] = [100n, 10n ** 16n];

describePages('the page of risk', () => {
  const scene = setScene({ validators: 1 });
  const { open } = scene;
  const call = <Result>(method: string, ...params: readonly unknown[]): Promise<Result> =>
    rpc(scene.testnet.url(0), method, params);
  const deposit = (address: string, amount: bigint): Promise<unknown> =>
    call('primeorders_depositCollateral', address, hex(amount * 10n ** 18n));
  const order = (owner: string, side: 'buy' | 'sell', price: bigint, size: bigint): Promise<unknown> =>
    call('primeorders_submitOrder', {
      owner,
      market_id: 1,
      side,
      price: hex(price * onePrice),
      size: hex(size * oneBase),
      tif: 'gtc',
    });

  it('of a new network says that nothing happened', async () => {
    const { page, heard, close } = await open('/risk');
    await page.getByText('Not once since genesis.').waitFor();
    await page.getByText('It did not happen yet').waitFor();
    await page.getByText('nobody left any').waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(heard).toEqual([]);
    await close();
  });

  it('shows what blocks liquidate by themselves when it happens, with the figures that decided it', async () => {
    await deposit(alice, 1_000n);
    for (const address of [bob, carol, dave, erin]) await deposit(address, 1_000_000n);
    const { page, heard, close } = await open('/risk');
    await page.getByText('Not once since genesis.').waitFor();
    // Alice buys 100 at 100 with 1000; then the price falls to 94, where she has 400 and needs 470.
    await order(bob, 'sell', 100n, 100n);
    await order(alice, 'buy', 100n, 100n);
    const interest = page.getByRole('region', { name: 'Open interest' });
    await interest.getByText('100.0000').waitFor();
    await order(dave, 'buy', 94n, 1n);
    await order(erin, 'sell', 94n, 1n);
    await order(carol, 'buy', 93n, 40n);
    const list = page.getByRole('list', { name: 'Liquidations' });
    // Two fifths of it, and she is healthy; the fee is 1 % of 3720.
    await list.getByText('40.0000 PRM at 93.00 on average, in 2 trades').waitFor();
    await list.getByText('37.2 PRIME').waitFor();
    await page.getByRole('region', { name: 'Records of risk' }).getByText('37.2 PRIME, now 37.2 PRIME').waitFor();
    // At 85 she has 682.8 − 900: the fund pays 37.2, and Bob 180 of what he won.
    await order(dave, 'buy', 85n, 1n);
    await order(erin, 'sell', 85n, 1n);
    await list.getByText('60.0000 PRM at 88.00').waitFor();
    await list.getByText('gave up 60.0000 PRM for 5,280 PRIME').waitFor();
    await page.getByRole('tab', { name: 'Deleveraging' }).click();
    await page.getByRole('region', { name: 'Records of risk' }).getByText('deleveraged').waitFor();
    expect(heard).toEqual([]);
    await close();
  });

  it.each(views)('shows what is at stake and what was: $name', async (view) => {
    const { page, heard, close } = await open('/risk', view);
    await page.getByText('gave up').waitFor();
    await page.getByText('of the open interest').waitFor();
    await page.getByRole('region', { name: 'Open interest' }).getByText('ETH/USD').waitFor();
    await photograph(page, 'risk', view);
    expect(await barriers(page)).toEqual([]);
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0);
    expect(heard).toEqual([]);
    await close();
  });
});
