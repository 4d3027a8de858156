/** The first page, against a network of four validators: live, for everybody, on every screen. */
import { expect, it } from '@jest/globals';
import { until } from '@prime/testkit';
import { describePages, setScene } from './scene.ts';
import { barriers, expectCount, expectWords, photograph, sidewaysPixels, views } from './visits.ts';

describePages('the overview', () => {
  const scene = setScene();
  const { open } = scene;

  it.each(views)('shows new blocks as they are decided: $name', async (view) => {
    const { page, heard, close } = await open('/', view);
    const pill = page.locator('.pill.live .number');
    const headOf = async (): Promise<number> => Number((await pill.textContent())!.replace(/\D/g, ''));
    const first = await headOf();
    await until('two more blocks are shown', async () => (await headOf()) >= first + 2);
    const newest = page.getByRole('region', { name: 'Latest blocks' }).locator('tbody tr').first();
    await until(
      'the list follows',
      async () => Number((await newest.innerText()).split(/\s/)[0]!.replace(/\D/g, '')) > first,
    );
    await expectCount(page.getByText('signing', { exact: true }), 4);
    expect(await page.title()).toBe('prime-local · Prime');
    expect(await barriers(page)).toEqual([]);
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0);
    await photograph(page, 'home', view);
    expect(heard).toEqual([]);
    await close();
  });

  it('leads to a block and back, with the keyboard alone', async () => {
    const { page, heard, close } = await open('/');
    await page.locator('.pill.live').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/block/1');
    await page.locator('.badge', { hasText: 'final' }).waitFor();
    expect(await page.title()).toBe('Block 1 · Prime');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
    expect(await page.getByText('signed', { exact: true }).count()).toBeGreaterThanOrEqual(3);
    await page.reload();
    await page.locator('.badge', { hasText: 'final' }).waitFor();
    await page.goBack();
    await page.getByRole('region', { name: 'Latest blocks' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    expect(heard).toEqual([]);
    await close();
  });

  it('asks another node that its address names where whoever serves it lets it, and says so where not', async () => {
    const [served, other] = [scene.testnet.url(0), scene.testnet.url(1)];
    const kept = await open(`/?rpc=${other}`);
    await expectWords(kept.page.locator('.notice'), `These pages may not ask ${other}`);
    expect(await barriers(kept.page)).toEqual([]);
    await kept.close();
    const free = await scene.openAt(served, `/?rpc=${other}`, '--any-node');
    await free.page.locator('.pill.live').waitFor();
    await expectWords(free.page.locator('.shell-foot'), `Read from ${other}.`);
    expect(await free.page.locator('.notice').count()).toBe(0);
    await free.page.goto(new URL('/block/1', free.page.url()).href);
    await free.page.locator('.badge', { hasText: 'final' }).waitFor();
    await expectWords(free.page.locator('.shell-foot'), `Read from ${other}.`);
    await free.close();
  });

  it('says when its node is away, and comes back with it', async () => {
    const { page, close } = await open('/');
    await page.locator('.pill.live').waitFor();
    await scene.testnet.kill(0, 'SIGKILL');
    await page.locator('.pill.unreachable').waitFor();
    await expectWords(page.getByRole('status').first(), /does not answer/);
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'away', views[0]);
    const another = await open('/block/1');
    await another.page.getByText('This block cannot be shown').waitFor();
    await expectWords(another.page.locator('.empty'), /asks again by itself/);
    await scene.testnet.start(0);
    await page.locator('.pill.live').waitFor();
    expect(await page.locator('.notice').count()).toBe(0);
    await another.page.locator('.badge', { hasText: 'final' }).waitFor();
    await another.close();
    await close();
  });
});
