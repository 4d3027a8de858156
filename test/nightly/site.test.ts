/** The site of the documents, made as `npm run docs:site` makes it, served as files and read in a browser. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chromiumAtHand } from '@prime/testkit';
import { type Browser, chromium, type Page } from 'playwright-core';
import { filesIn } from '../packages/files.ts';
import { execute } from '../packages/packed.ts';
import { root } from '../repo/repository.ts';
import { makeSite, readRepository } from '../repo/documents/site.ts';

const launch = chromiumAtHand();
const out = await mkdtemp(join(tmpdir(), 'prime-site-'));
afterAll(() => rm(out, { recursive: true, force: true }));

/** False where VitePress is not installed and the registry is out of reach. */
async function isMade(): Promise<boolean> {
  try {
    await execute(process.execPath, [join(root, 'scripts', 'docsSite.mjs'), '--out', out]);
    return true;
  } catch (error) {
    if ((error as { readonly code: number }).code === 3) return false;
    throw error;
  }
}
const made = await isMade();

/** Address on the site and text of each page that was built. */
async function builtPages(): Promise<ReadonlyMap<string, string>> {
  const files = (await filesIn(out)).filter((path) => path.endsWith('.html'));
  const pages = files.map(async (path) => [`/${relative(out, path)}`, await readFile(path, 'utf8')] as const);
  return new Map(await Promise.all(pages));
}

(made ? describe : describe.skip)('the files of the site', () => {
  let pages: ReadonlyMap<string, string>;
  beforeAll(async () => {
    pages = await builtPages();
  });

  it('are a page for each document', () => {
    const wanted = makeSite(readRepository(root)).pages.map(({ path }) => `/${path.replace(/\.md$/, '.html')}`);
    expect([...pages.keys()].toSorted()).toEqual([...wanted, '/404.html'].toSorted());
  });

  it('have an id for each anchor that a page links to', () => {
    const ids = new Map(
      [...pages].map(([at, text]) => [at, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
    );
    const links = [...pages].flatMap(([at, text]) =>
      [...text.matchAll(/ href="([^"#:]*)#([^"]+)"/g)].map(([, path, anchor]) => ({
        at,
        path: path!,
        anchor: decodeURIComponent(anchor!),
      })),
    );
    expect(links.length).toBeGreaterThan(1000);
    const fileOf = (path: string): string => (path.endsWith('/') ? `${path}index.html` : path);
    expect(links.filter(({ at, path, anchor }) => !ids.get(path === '' ? at : fileOf(path))?.has(anchor))).toEqual([]);
  });

  it('name no other host in what a page loads, and have no script in a page', () => {
    for (const [at, text] of pages) {
      expect([
        at,
        [...text.matchAll(/<(?:script|link|img|iframe)[^>]* (?:src|href)="(?:https?:)?\/\/[^"]*"/g)],
      ]).toEqual([at, []]);
      expect([at, [...text.matchAll(/<script(?![^>]* src=)[^>]*>/g)]]).toEqual([at, []]);
    }
  });
});

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.png': 'image/png',
};

(made && launch !== null ? describe : describe.skip)('the site in a browser', () => {
  let server: Server;
  let origin: string;
  let browser: Browser;
  let page: Page;
  /** What no page may do: errors, answers that are none, requests to others. */
  let wrong: string[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url!, 'http://site');
      readFile(join(out, pathname.endsWith('/') ? `${pathname}index.html` : pathname)).then(
        (body) => response.setHeader('content-type', types[extname(pathname)] ?? types['.html']!).end(body),
        () => response.writeHead(404).end(),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch(launch!);
    wrong = [];
    page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    page.on(
      'console',
      (message) => void (message.type() === 'error' && wrong.push(`${page.url()}: ${message.text()}`)),
    );
    page.on('pageerror', (error) => void wrong.push(`${page.url()}: ${error.message}`));
    page.on(
      'request',
      (request) =>
        void (
          new URL(request.url()).origin !== origin &&
          !request.url().startsWith('data:') &&
          wrong.push(request.url())
        ),
    );
    page.on(
      'response',
      (response) => void (response.status() >= 400 && wrong.push(`${response.status()} ${response.url()}`)),
    );
  });
  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('opens each page without an error, a request to others, or a line that is wider than a phone', async () => {
    const wide: string[] = [];
    for (const at of (await builtPages()).keys()) {
      if (at === '/404.html') continue;
      await page.goto(`${origin}${at}`);
      const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      if (excess > 0) wide.push(`${at}: ${excess}`);
    }
    expect(wide).toEqual([]);
    expect(wrong).toEqual([]);
  });

  it('is dark where the reader is', async () => {
    const background = async (colorScheme: 'dark' | 'light') => {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${origin}/operate/keys.html`);
      return page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    };
    expect(await background('light')).toBe('rgb(255, 255, 255)');
    expect(await background('dark')).not.toBe('rgb(255, 255, 255)');
  });

  it('finds a page by a word of it', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${origin}/`);
    await page.locator('#local-search button').click();
    await page.locator('.VPLocalSearchBox input').fill('sign state sealed');
    await page.locator('.VPLocalSearchBox .result', { hasText: 'Restore a validator' }).first().click();
    await page.waitForURL(/\/operate\/backups\.html#restore-a-validator$/);
    expect(wrong).toEqual([]);
  });
});
