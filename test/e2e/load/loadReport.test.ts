/**
 * The page of a load run in a real browser: drawn, readable, silent. Without Chromium these tests are skipped; CI has one.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeReport } from '@prime/load';
import { type SyntheticOptions, syntheticReport } from '@prime/load/testing';
import { chromiumAtHand } from '@prime/testkit';
import { type Browser, chromium, type Page } from 'playwright-core';
import { barriers } from '../../explorer/visits.ts';

const launch = chromiumAtHand();
const describeInBrowser = launch === null ? describe.skip : describe;

const cases = {
  clean: { seed: 7 },
  search: { seed: 7, search: true },
  failed: { seed: 7, verdict: 'failed' },
  unfit: { seed: 7, unfit: true },
} as const satisfies Readonly<Record<string, SyntheticOptions>>;
type Case = keyof typeof cases;
/** Both schemes and both widths. */
const views = [
  { scheme: 'light', width: 1280 },
  { scheme: 'dark', width: 390 },
] as const;

let folder: string;
let browser: Browser;
beforeAll(async () => {
  if (launch === null) return;
  folder = mkdtempSync(join(tmpdir(), 'prime-report-'));
  for (const [name, options] of Object.entries(cases))
    writeFileSync(join(folder, `${name}.html`), writeReport(syntheticReport({ seconds: 60, rate: 60, ...options })));
  browser = await chromium.launch(launch);
});
afterAll(async () => {
  await browser?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

interface Opened {
  readonly page: Page;
  /** What the browser complained of, and what it asked for beside the file. */
  readonly heard: string[];
}

async function opened(
  name: Case,
  view: { readonly scheme: 'light' | 'dark'; readonly width: number },
): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width: view.width, height: 900 }, colorScheme: view.scheme });
  const heard: string[] = [];
  const address = pathToFileURL(join(folder, `${name}.html`)).href;
  page.on('console', (message) => heard.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => heard.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (request.url() !== address && !request.url().startsWith('data:')) heard.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  // Charts are drawn by the microtasks of the script, and shown with the next frame.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  return { page, heard };
}

/** How many colours each canvas has: one that was not drawn has one. */
const coloursOfCanvases = `[...document.querySelectorAll('[data-chart]')].map((place) => {
  const canvas = place.querySelector('canvas');
  if (canvas === null) return [place.dataset.chart, 0];
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return [place.dataset.chart, new Set(new Uint32Array(data.buffer)).size];
})`;

describeInBrowser.each(Object.keys(cases) as Case[])('the page of a run: %s', (name) => {
  it.each(views)('in $scheme, $width pixels wide', async (view) => {
    const { page, heard } = await opened(name, view);
    const canvases = await page.evaluate<[string, number][]>(coloursOfCanvases);
    expect(canvases.length).toBeGreaterThan(6);
    expect(canvases.filter(([, colours]) => colours < 8)).toEqual([]);
    expect(await barriers(page)).toEqual([]);
    // What is wider than the screen scrolls within itself.
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    expect(heard).toEqual([]);
    await page.close();
  });
});

describeInBrowser('the page of a run', () => {
  const view = { scheme: 'light', width: 1280 } as const;

  it.each(['failed', 'unfit'] as const)('shows no throughput and no latency when it is %s', async (name) => {
    const { page } = await opened(name, view);
    const charts = await page.evaluate<string[]>(
      `[...document.querySelectorAll('[data-chart]')].map((one) => one.dataset.chart)`,
    );
    for (const id of ['throughput', 'latency', 'percentiles']) expect(charts).not.toContain(id);
    expect(charts).toContain('answering');
    const words = await page.evaluate<string>(`document.querySelector('main').innerText`);
    const figures = words.split('\n').filter((line) => /\d\s?\/s\b|\bp(?:50|90|99)\b/.test(line));
    // What was asked for, how late the generator itself was, and what the words mean.
    const allowed = /^(?:300|60)\/s$|^Behind its time|^p50, p99, p99\.9$|^The highest rate at which p99/;
    expect(figures.filter((line) => !allowed.test(line.trim()))).toEqual([]);
    await page.close();
  });

  it('is used with the keyboard alone: values at the cursor are told, lines are switched off', async () => {
    const { page } = await opened('clean', view);
    const chart = page.locator('[data-chart=throughput]');
    await chart.locator('.plot').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    const told = await chart.locator('[aria-live]').textContent();
    expect(told).toMatch(/^0:58: asked [\d.]+\/s, acknowledged [\d.]+\/s, committed [\d.]+\/s$/);
    expect(await chart.locator('.place').textContent()).toBe('0:58');
    const first = chart.locator('.legend button').first();
    await first.focus();
    await page.keyboard.press('Enter');
    expect(await first.getAttribute('aria-pressed')).toBe('false');
    await page.close();
  });

  it('zooms where the pointer is drawn over a chart, in all charts over time, and shows all again', async () => {
    const { page } = await opened('clean', view);
    const chart = page.locator('[data-chart=latency]');
    await chart.scrollIntoViewIfNeeded();
    const picture = async (id: string): Promise<string> =>
      page.evaluate(`document.querySelector('[data-chart=${id}] canvas').toDataURL()`);
    const frame = async (): Promise<unknown> =>
      page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    const before = [await picture('latency'), await picture('throughput')];
    const { x, y, width } = (await chart.locator('.u-over').boundingBox())!;
    await page.mouse.move(x + width / 4, y + 60);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + 60, { steps: 4 });
    await page.mouse.up();
    await frame();
    const zoomed = [await picture('latency'), await picture('throughput')];
    expect(zoomed[0] === before[0] || zoomed[1] === before[1]).toBe(false);
    await chart.locator('.plot').focus();
    await page.keyboard.press('Escape');
    await frame();
    const after = [await picture('latency'), await picture('throughput')];
    expect(after[0] === before[0] && after[1] === before[1]).toBe(true);
    await page.close();
  });

  it('changes with the theme while it is open', async () => {
    const { page, heard } = await opened('clean', view);
    const picture = `document.querySelector('[data-chart=throughput] canvas').toDataURL()`;
    const light = await page.evaluate(picture);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    expect((await page.evaluate(picture)) === light).toBe(false);
    expect(heard).toEqual([]);
    await page.close();
  });

  it('is complete without JavaScript, but for its curves', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(pathToFileURL(join(folder, 'clean.html')).href);
    expect(await page.locator('table').count()).toBeGreaterThan(15);
    expect(await page.locator('#verdict h2').textContent()).toBe('Clean: every operation is accounted for');
    await context.close();
  });
});
