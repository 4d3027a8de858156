/** The pages of validators: the set at work, one of them, and what is seen when some go away. */
import { expect, it } from '@jest/globals';
import { rpc } from '@prime/load/rpc';
import { until } from '@prime/testkit';
import type { Page } from 'playwright-core';
import { describePages, setScene } from './scene.ts';
import { barriers, expectCount, expectWords, photograph, sidewaysPixels, views } from './visits.ts';

/** Names that validators chose, one of them with bad intent. */
const hostile = '<img src=x onerror=alert(1)>"';
const names = ['north', 'east', 'south', hostile];

describePages('the validators', () => {
  const scene = setScene({
    genesis: (genesis) => {
      const validators = genesis['validators'] as { moniker: string }[];
      for (const [index, validator] of validators.entries()) validator.moniker = names[index]!;
    },
  });
  const { open } = scene;
  const ask = <Result>(method: string, ...params: readonly unknown[]): Promise<Result> =>
    rpc(scene.testnet.url(0), method, params);
  const addressOf = async (name: string): Promise<string> =>
    (await ask<{ address: string; moniker: string }[]>('prime_validators')).find(({ moniker }) => moniker === name)!
      .address;
  /** Lanes with at least so many blocks. */
  const lanesHave = (page: Page, blocks: number): Promise<true> =>
    until('blocks are in the lanes', async () => (await page.locator('.lane [title*="signed"]').count()) >= blocks);
  const badges = (page: Page, word: string): Promise<number> =>
    page.getByRole('region', { name: 'Validators' }).getByText(word, { exact: true }).count();

  it.each(views)('are shown at work: $name', async (view) => {
    const { page, heard, close } = await open('/validators', view);
    await lanesHave(page, 4 * 8);
    await until('all of them sign', async () => (await badges(page, 'signing')) === 4);
    await expectWords(page.getByRole('status').first(), 'Blocks come as they should');
    const laneOf = (name: string) => page.locator('.cells[role="img"]').and(page.locator(`[aria-label^="${name}: "]`));
    const newest = async (): Promise<string> =>
      (await laneOf('north').locator('[title]').nth(-2).getAttribute('title'))!;
    const before = await newest();
    await until('the lanes go on', async () => (await newest()) !== before);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe('Validators · Prime');
    expect(await barriers(page)).toEqual([]);
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0);
    await photograph(page, 'validators', view);
    expect(heard).toEqual([]);
    await close();
  });

  it.each(views)('have a page each: $name', async (view) => {
    const address = await addressOf(hostile);
    const { page, heard, close } = await open(`/validator/${address}`, view);
    await page.getByRole('heading', { level: 1, name: hostile }).waitFor();
    await page.getByText('signing', { exact: true }).first().waitFor();
    await until('its blocks are counted', async () =>
      /\d+\/\d+/.test(await page.locator('.stats').first().innerText()),
    );
    await expectWords(page.locator('.keys').first(), address);
    expect(await page.locator('img').count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0);
    await photograph(page, 'validator', view);
    expect(heard).toEqual([]);
    await close();
  });

  it('that nobody is says so', async () => {
    const { page, heard, close } = await open(`/validator/0x${'12'.repeat(20)}`);
    await page.getByText('no validator of this network').waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(heard).toEqual([]);
    await close();
  });

  it('that are killed are missing soon, and why no block comes is said', async () => {
    const home = await open('/');
    const set = await open('/validators');
    for (const { page } of [home, set]) await until('all sign', async () => (await badges(page, 'signing')) === 4);
    await lanesHave(set.page, 4 * 8);
    await scene.testnet.kill(3, 'SIGKILL');
    for (const { page } of [home, set])
      await until('one is missing', async () => (await badges(page, 'missing')) === 1);
    await expectCount(set.page.locator('tr', { hasText: hostile }).getByText('missing'), 1);
    await until('its turn failed', async () => (await set.page.locator('.lane .cell.failed').count()) > 0);
    expect(await barriers(set.page)).toEqual([]);
    await photograph(set.page, 'validators-missing', views[0]);

    await scene.testnet.kill(2, 'SIGKILL');
    const why = set.page.getByRole('status').filter({ hasText: 'too few vote' });
    await why.waitFor();
    await until('both are named', async () => (await why.innerText()).includes('south'));
    await expectWords(why, hostile);
    // Certificates have one of them for ever, as no other block comes: that it left the node is what tells.
    await until('both are missing', async () => (await badges(set.page, 'missing')) === 2);
    expect(await barriers(set.page)).toEqual([]);
    await photograph(set.page, 'validators-stopped', views[0]);

    await scene.testnet.start(2);
    await until('blocks go on', async () =>
      (await set.page.locator('.why').innerText()).includes('Blocks come as they should'),
    );
    for (const { heard, close } of [home, set]) {
      expect(heard).toEqual([]);
      await close();
    }
  });
});

describePages('a validator that was away too long', () => {
  const scene = setScene({
    // Nobody of four is jailed: fewer may not remain.
    validators: 5,
    genesis: (genesis) => {
      genesis['staking'] = { downtimeWindowMs: 4_000, downtimeMinSignedBps: 1_000, downtimeJailMs: 600_000 };
    },
  });

  it('is shown in jail, with the block in which that happened', async () => {
    const { page, heard, close } = await scene.open('/validators');
    const members = page.getByRole('region', { name: 'Validators' });
    await until('all sign', async () => (await members.getByText('signing', { exact: true }).count()) === 5);
    await scene.testnet.kill(3, 'SIGKILL');
    const standings = (): Promise<{ status: string }[]> => rpc(scene.testnet.url(0), 'prime_registeredValidators');
    await until('it is jailed', async () => (await standings()).some(({ status }) => status === 'jailed'));
    const events = page.getByRole('region', { name: 'Membership and evidence' });
    await events.getByText('jailed', { exact: true }).waitFor();
    await members.getByText('jailed', { exact: true }).waitFor();
    await expectWords(events.locator('tbody tr').first(), 'validator3');
    await until('the set is one smaller', async () => (await page.locator('.stats').innerText()).includes('4/4'));
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'validators-jailed', views[0]);
    await members.getByRole('link', { name: 'validator3' }).click();
    await page.getByRole('heading', { level: 1, name: 'validator3' }).waitFor();
    await page.getByText('In jail until').waitFor();
    const why = page.getByRole('status').filter({ hasText: 'validator3 is jailed: it was away' });
    await why.waitFor();
    await expectWords(why, 'It signed less than 10 % of the blocks of 4.00 s');
    await expectWords(why, '0.1 PRIME of its stake were taken');
    await expectWords(why, 'prime validator unjail of its owner brings it back');
    expect(await barriers(page)).toEqual([]);
    expect(heard).toEqual([]);
    await close();
  });
});
