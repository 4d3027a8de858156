/** What the pages are seen in: four validators, `prime explorer` beside them as people run it, and a browser. */
import { afterAll, beforeAll, describe } from '@jest/globals';
import { chromiumAtHand, createTestnet, type Testnet, type TestnetOptions } from '@prime/testkit';
import { type Browser, chromium } from 'playwright-core';
import { serveSite, type SiteProcess } from './siteProcess.ts';
import { type View, views, type Visit, visit, type VisitOptions } from './visits.ts';

const launch = chromiumAtHand();
/** Left out, aloud, where there is no browser; in CI that is a failure. */
export const describePages: (name: string, tests: () => void) => void = launch === null ? describe.skip : describe;

export interface Scene {
  readonly testnet: Testnet;
  /** Opens a page that reads the first validator, in a window of its own. */
  open(path: string, view?: View, options?: Pick<VisitOptions, 'before'>): Promise<Visit>;
  /** The same with pages that read what stands at another address: somebody between them and a node. `more` is said to `prime explorer`. */
  openAt(rpc: string, path: string, ...more: readonly string[]): Promise<Visit>;
}

/**
 * Sets the scene for the tests of a `describePages`: before the first, and away after the last. Four validators, where they are what a page shows;
 * pages of what is in the chain are the same with one, for a quarter of the processor time.
 */
export function setScene(options: Partial<TestnetOptions> = {}): Scene {
  let testnet: Testnet;
  let site: SiteProcess;
  const others = new Map<string, SiteProcess>();
  let browser: Browser;
  beforeAll(async () => {
    testnet = await createTestnet({ validators: 4, ...options });
    await testnet.startAll();
    site = await serveSite(testnet.url(0));
    browser = await chromium.launch(launch!);
  });
  afterAll(async () => {
    await browser?.close();
    for (const one of [site, ...others.values()]) await one?.stop();
    await testnet?.destroy();
  });
  return {
    get testnet() {
      return testnet;
    },
    open: (path, view = views[0], options = {}) =>
      visit(browser, { ...options, site: site.url, rpc: testnet.url(0), path, view }),
    async openAt(rpc, path, ...more) {
      const key = [rpc, ...more].join(' ');
      const other = others.get(key) ?? (await serveSite(rpc, ...more));
      others.set(key, other);
      return visit(browser, { site: other.url, rpc, path });
    },
  };
}
