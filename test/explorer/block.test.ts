/** The page of a block, with everything that may be in one, with none, and with text that would be markup. */
import { beforeAll, expect, it } from '@jest/globals';
import { rpc } from '@prime/load/rpc';
import { until } from '@prime/testkit';
import { describePages, setScene } from './scene.ts';
import { barriers, expectWords, photograph, sidewaysPixels, views } from './visits.ts';

const owner = `0x${'ab'.repeat(20)}`;
/** A name that a validator chose with bad intent. */
const hostile = '<img src=x onerror=alert(1)>"';

describePages('the page of a block', () => {
  const scene = setScene({
    genesis: (genesis) => {
      for (const validator of genesis['validators'] as { moniker: string }[]) validator.moniker = hostile;
    },
  });
  const { open } = scene;
  const url = (): string => scene.testnet.url(0);
  let block: number;
  beforeAll(async () => {
    await rpc(url(), 'primeorders_depositCollateral', [owner, '0xffff']);
    const filter = { fromBlock: 'earliest', toBlock: 'latest', kind: 'collateral_deposited', address: owner };
    const events = await rpc<{ block_number: string }[]>(url(), 'prime_getDomainEvents', [filter]);
    block = Number(events[0]!.block_number);
  });

  it.each(views)('tells who decided it and what is in it: $name', async (view) => {
    const { page, heard, close } = await open(`/block/${block}`, view);
    await page.locator('.badge', { hasText: 'final' }).waitFor();
    const { hash } = await rpc<{ hash: string }>(url(), 'prime_getBlockByNumber', [`0x${block.toString(16)}`, false]);
    await expectWords(page.locator('.keys'), hash);
    const actions = page.getByRole('region', { name: 'Actions' });
    await expectWords(actions, /deposit[\s\S]*done/);
    await photograph(page, 'block', view);
    await page.getByRole('tab', { name: 'Events' }).click();
    await expectWords(page.getByRole('region', { name: 'Events' }), 'collateral deposited');
    await page.keyboard.press('ArrowRight');
    await expectWords(page.getByRole('tabpanel'), `"hash": "${hash}"`);
    expect(await barriers(page)).toEqual([]);
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0);
    expect(heard).toEqual([]);
    await close();
  });

  it('is found by its hash, also in the search box', async () => {
    const { hash } = await rpc<{ hash: string }>(url(), 'prime_getBlockByNumber', ['0x1', false]);
    const { page, close } = await open(`/block/${hash}`);
    await page.getByRole('heading', { level: 1, name: '1' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(hash);
    await page.getByRole('option', { name: 'Block' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.badge', { hasText: 'final' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/block/${hash}`);
    await close();
  });

  it('that is still to come is shown when it is there', async () => {
    // Two of four are stopped, so that no block comes before the page was looked at.
    const stopped = [2, 3];
    for (const index of stopped) scene.testnet.pause(index);
    const head = Number(await rpc<string>(url(), 'eth_blockNumber', []));
    const { page, close } = await open(`/block/${head + 5}`);
    await page.getByText('not decided yet').waitFor();
    for (const index of stopped) scene.testnet.resume(index);
    await page.locator('.badge', { hasText: 'final' }).waitFor();
    expect(await page.getByText('not decided yet').count()).toBe(0);
    await close();
  });

  it.each(['/block/nothing', '/nowhere', `/block/0x${'0'.repeat(64)}`])(
    '%s is no block, and says what to do',
    async (path) => {
      const { page, heard, close } = await open(path);
      await page.locator('.empty strong').waitFor();
      await expectWords(page.locator('.empty'), /begin at the overview|no block with this hash/);
      expect(await barriers(page)).toEqual([]);
      expect(heard).toEqual([]);
      await close();
    },
  );

  it('shows names as text, whatever they are', async () => {
    const { page, heard, close } = await open('/');
    const validators = page.getByRole('region', { name: 'Validators' });
    await until('the validators are shown', async () => (await validators.innerText()).includes(hostile));
    await page.keyboard.press('/');
    await page.keyboard.type('onerror');
    await page.getByRole('option', { name: hostile }).first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    expect(heard).toEqual([]);
    await close();
  });
});
