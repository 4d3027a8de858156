/** Pages of the explorer as people see them: opened, listened to, looked at, and asked what some people could not use. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { until } from '@prime/testkit';
import type { Browser, Locator, Page } from 'playwright-core';

export interface View {
  readonly name: string;
  readonly scheme: 'dark' | 'light';
  readonly width: number;
  readonly height: number;
}

/** Where pictures are kept for whoever wants to look at them; without it none are made. */
const folder = process.env['EXPLORER_SHOTS'];

const dark: View = { name: 'dark', scheme: 'dark', width: 1440, height: 1000 };

/**
 * Ways in which every page has to look right. Both schemes and both widths are in two of them, which is what each change is tested in; all are looked
 * at where pictures are made, as each night.
 */
export const views: readonly [View, ...View[]] =
  folder === undefined
    ? [dark, { name: 'phone', scheme: 'light', width: 390, height: 844 }]
    : [
        dark,
        { name: 'wide', scheme: 'dark', width: 1920, height: 1080 },
        { name: 'light', scheme: 'light', width: 1440, height: 1000 },
        { name: 'phone', scheme: 'dark', width: 390, height: 844 },
        { name: 'phone-light', scheme: 'light', width: 390, height: 844 },
      ];

/** As long as whoever waits for a node does: only against a page that never comes to it. */
const patienceMs = 180_000;

export interface Visit {
  readonly page: Page;
  /** What the browser complained of, and each request that went to neither the site nor the node. */
  readonly heard: readonly string[];
  close(): Promise<void>;
}

export interface VisitOptions {
  /** Where the site is served. */
  readonly site: string;
  /** The node that it reads. */
  readonly rpc: string;
  /** Path of the page. */
  readonly path: string;
  readonly view?: View;
  /** Done to the window before it loads anything: what a browser's extensions would do. */
  readonly before?: (page: Page) => Promise<unknown>;
}

/** Opens a page in a window of its own, with nothing remembered. */
export async function visit(
  browser: Browser,
  { site, rpc, path, view = views[0], before }: VisitOptions,
): Promise<Visit> {
  const { width, height, scheme } = view;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const heard: string[] = [];
  page.on('console', (message) => heard.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => heard.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const { origin } = new URL(request.url());
    if (![site, rpc].some((allowed) => new URL(allowed).origin === origin)) heard.push(`request: ${request.url()}`);
  });
  await before?.(page);
  await page.goto(new URL(path, site).href);
  return { page, heard, close: () => context.close() };
}

/** Waits until a place of the page reads so: its parts come when the node has answered for each. */
export async function expectWords(place: Locator, words: string | RegExp): Promise<void> {
  let text = '';
  await until(`it reads ${words}`, async () => {
    text = await place.innerText();
    return typeof words === 'string' ? text.includes(words) : words.test(text);
  }).catch((cause: unknown) => {
    throw new Error(`${String(cause)}; it reads:\n${text}`, { cause });
  });
}

/** Waits until so many are there. */
export async function expectCount(places: Locator, count: number): Promise<void> {
  await until(`there are ${count}`, async () => (await places.count()) === count);
}

/** Nothing of what is in order, and no selectors: axe takes a quarter of its time to find some for every element. */
const axeRun = `axe.run(document, { resultTypes: ['violations'], selectors: false })`;

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** What keeps some people from using the page: `rule: element` for each serious finding of axe. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResult>(axeRun);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Pixels by which the page is wider than the window: what is wide scrolls within itself. */
export const sidewaysPixels = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Keeps a picture of the whole page as `NAME-VIEW.png` in the folder that `EXPLORER_SHOTS` names. */
export async function photograph(page: Page, name: string, view: View): Promise<void> {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  // Where the page was scrolled, the head would stand in the middle of the picture.
  await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({ path: join(folder, `${name}-${view.name}.png`), fullPage: true });
}
