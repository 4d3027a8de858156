/**
 * The packed SDK in a real browser, against a real network: another origin than the page, nothing that stands in for Node.js. Without
 * Chromium the page is bundled and not opened; CI has one.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chromiumAtHand, type Testnet } from '@prime/testkit';
import { chromium } from 'playwright-core';
import { root } from '../repo/repository.ts';
import { bundle } from './bundling.ts';
import { type Packed, packPackages } from './packed.ts';
import { settingOf, traded, tradingTestnet } from './trading.ts';

const launch = chromiumAtHand();

let packed: Packed;
beforeAll(async () => {
  packed = await packPackages();
});
afterAll(() => packed.remove());

const from = join(root, 'test', 'packages', 'projects', 'stranger');
const pageOf = (): Promise<Uint8Array> =>
  bundle(packed, `import { trade } from './trade.ts'; Object.assign(globalThis, { trade });`, { from });

describe('a bundle for browsers', () => {
  it('is made of the SDK and viem, without anything of Node.js', async () => {
    const code = new TextDecoder().decode(await pageOf());
    expect(code.length).toBeGreaterThan(10_000);
    expect(code).not.toMatch(/\b(?:require\(|process\.versions|node:)/);
    // That there is something to find out: such a bundle fails.
    for (const module of ['node:fs', 'crypto', 'secp256k1/bindings.js'])
      await expect(bundle(packed, `export * from '${module}';`)).rejects.toThrow('Could not resolve');
  });
});

(launch === null ? describe.skip : describe)('a page', () => {
  let testnet: Testnet;
  let server: Server;
  beforeAll(async () => {
    testnet = await tradingTestnet();
    await testnet.startAll();
    const script = await pageOf();
    server = createServer(({ url }, response) => {
      if (url === '/page.js') response.setHeader('content-type', 'text/javascript').end(script);
      else
        response
          .setHeader('content-type', 'text/html')
          .end('<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await testnet.destroy();
  });

  it('trades, watches and proves, and the console stays empty', async () => {
    const browser = await chromium.launch(launch!);
    try {
      const page = await browser.newPage();
      const heard: string[] = [];
      page.on('console', (message) => heard.push(`${message.type()}: ${message.text()}`));
      page.on('pageerror', (error) => heard.push(error.message));
      page.on('requestfailed', (request) => heard.push(`${request.url()}: ${request.failure()?.errorText}`));
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      const result = await page.evaluate(`trade(${JSON.stringify(await settingOf(testnet, 2))})`);
      expect(result).toEqual(traded);
      expect(heard).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
