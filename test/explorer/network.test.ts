/** The page of the network: its nodes, also one that only follows, its rules, and what it keeps to itself. */
import { expect, it } from '@jest/globals';
import { rpc } from '@prime/load/rpc';
import { until } from '@prime/testkit';
import { describePages, setScene } from './scene.ts';
import { barriers, expectWords, photograph, sidewaysPixels, views } from './visits.ts';

/** Far away: nobody gets there. */
const upgradeHeight = 1_234_567;
const hostile = '<img src=x onerror=alert(1)>"';

describePages('the network', () => {
  const scene = setScene({
    followers: 1,
    genesis: (genesis) => {
      (genesis['validators'] as { moniker: string }[])[1]!.moniker = hostile;
      genesis['upgrades'] = [{ version: 2, height: upgradeHeight }];
    },
  });
  const { open } = scene;

  it.each(views)('is shown with its nodes and its rules: $name', async (view) => {
    const { page, heard, close } = await open('/network', view);
    const validators = page.getByRole('region', { name: 'Validators' });
    await until(
      'all validators are at the head',
      async () => (await validators.getByText('at the head').count()) === 4,
    );
    const others = page.getByRole('region', { name: 'Other nodes' });
    await until('the follower is at the head', async () => (await others.getByText('at the head').count()) === 1);
    await expectWords(validators, hostile);
    await expectWords(others, 'follows the chain');
    const { hash } = await rpc<{ hash: string }>(scene.testnet.url(0), 'eth_getBlockByNumber', ['0x0', false]);
    await page.locator('.keys').getByTitle(hash).waitFor();
    await expectWords(page.locator('.keys'), /prime\/\d+\.\d+\.\d+[\s\S]*7919/);
    const upgrade = page.locator('.card', { has: page.getByRole('heading', { name: 'Upgrade', exact: true }) });
    await expectWords(upgrade, /planned[\s\S]*Version 2 from block 1,234,567 on, in about \d/);
    await expectWords(upgrade, /100.% of the power is ready: enough to go on\. This node goes along\./);
    expect(await page.locator('img').count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0);
    await photograph(page, 'network', view);
    expect(heard).toEqual([]);
    await close();
  });

  it('of which a node goes away shows that', async () => {
    const { page, heard, close } = await open('/network');
    const others = page.getByRole('region', { name: 'Other nodes' });
    await others.getByText('at the head').waitFor();
    await scene.testnet.kill(4, 'SIGKILL');
    await page.getByText('No other node is connected').waitFor();
    await scene.testnet.kill(3, 'SIGKILL');
    const validators = page.getByRole('region', { name: 'Validators' });
    await until('one is away', async () => (await validators.getByText('away', { exact: true }).count()) === 1);
    expect(await barriers(page)).toEqual([]);
    expect(heard).toEqual([]);
    await close();
  });
});
