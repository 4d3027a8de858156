/**
 * The explorer's server as people run it: beside a network, alone, before nodes that are not there. The pages are a test's own and ask the node as the real ones
 * do; a browser says whether it may.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chromiumAtHand, freeBasePort, run, until } from '@prime/testkit';
import { type Browser, chromium, type Page } from 'playwright-core';
import { writeSite } from './explorerSite.ts';
import { cli } from '../operations/program.ts';
import { networkOf, up, type UpNetwork } from '../operations/upNetwork.ts';

const launch = chromiumAtHand();

let folder: string;
let site: string;
let network: UpNetwork;
let rpcUrl: string;
let explorerUrl: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prime-explorer-'));
  site = await writeSite(join(folder, 'site'));
  const home = join(folder, 'net');
  const base = await freeBasePort(1);
  await run(['testnet', 'init', '--validators', '1', '--out', home, '--base-port', `${base}`]);
  network = await up(home, '--explorer-site', site, '--explorer-port', `${base + 5}`);
  const file = await networkOf(home);
  rpcUrl = file.rpcUrls[0]!;
  explorerUrl = file.explorerUrl!;
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

interface Ran {
  readonly child: ChildProcess;
  readonly lines: string[];
  readonly gone: Promise<number | null>;
}
/** `prime explorer` until it has written a line. */
async function explorer(...args: readonly string[]): Promise<Ran> {
  const child = spawn(process.execPath, [cli, 'explorer', '--listen', '127.0.0.1:0', '--site', site, ...args]);
  const lines: string[] = [];
  const gone = once(child, 'close').then(([code]) => code as number | null);
  const spoke = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        // A warning comes before.
        if (!line.startsWith('warning:')) resolve();
      });
  });
  await Promise.race([spoke, gone]);
  return { child, lines, gone };
}

/** Nobody listens there: a port that was just given back. */
async function freeUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

describe('prime testnet up', () => {
  it('says where the explorer is, serves it, and tells it which nodes there are', async () => {
    expect(network.lines).toContain(`  Open ${explorerUrl} in a browser to watch it`);
    expect(await (await fetch(`${explorerUrl}/config.json`)).json()).toEqual({ rpc: rpcUrl });
    expect((await fetch(`${explorerUrl}/market/ETH-USD`)).headers.get('content-type')).toContain('text/html');
  });

  it('its port of JSON-RPC tells a browser where the explorer is, and programs nothing', async () => {
    const text = await (await fetch(rpcUrl, { headers: { accept: 'text/html' } })).text();
    expect(text).toContain(`<a href="${explorerUrl}/">`);
    expect(text).toContain('<dd>prime-local</dd>');
    expect((await fetch(rpcUrl)).status).toBe(405);
  });
});

describe('prime explorer', () => {
  it('--json: one line with the address, the nodes and nothing to warn of; SIGTERM ends it with 0', async () => {
    const { child, lines, gone } = await explorer('--rpc', `${rpcUrl}/`, '--json');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), rpcs: [rpcUrl], warnings: [] },
    ]);
    const { url } = JSON.parse(lines[0]!) as { url: string };
    expect((await fetch(`${url}/health`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await gone).toBe(0);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  it('a node that does not answer is a warning: the pages are served, and go on asking', async () => {
    const silent = await freeUrl();
    const { child, lines, gone } = await explorer('--rpc', `${silent},${rpcUrl}`);
    expect(lines).toEqual([
      expect.stringMatching(
        `^warning: no answer from ${silent}/?: nothing listens there; is the node running\\?; the pages will go on asking$`,
      ),
      expect.stringMatching(`^the explorer of ${silent}, ${rpcUrl} is at http://127`),
    ]);
    const url = lines[1]!.split(' ').at(-1)!;
    expect(await (await fetch(`${url}/config.json`)).json()).toEqual({ rpc: silent, rpcs: [silent, rpcUrl] });
    child.kill('SIGINT');
    expect(await gone).toBe(0);
  });

  it('a node of another network: 65 and both hashes, nothing is served', async () => {
    const other = createServer((request, response) => {
      request.on('data', (data) => {
        const { id, method } = JSON.parse(String(data)) as { id: number; method: string };
        const result = method === 'web3_clientVersion' ? 'prime/0.1.0' : { hash: `0x${'12'.repeat(32)}` };
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const { lines, gone } = await explorer('--rpc', `${rpcUrl},${url}`);
    expect(await gone).toBe(65);
    expect(lines.join('\n')).toMatch(/^prime: .* is another network: its genesis is 0x1212.*\[CLI_OTHER_NETWORK\]$/);
    other.closeAllConnections();
    other.close();
  });

  it.each([
    ['a port that is taken', 69, () => ['--rpc', rpcUrl, '--listen', new URL(explorerUrl).host], 'CLI_LISTEN_FAILED'],
    ['no address of a node', 64, () => ['--rpc', 'ws://127.0.0.1:1'], 'CLI_USAGE'],
    ['no address to listen on', 64, () => ['--rpc', rpcUrl, '--listen', '127.0.0.1:65536'], 'CLI_USAGE'],
    ['no pages', 66, () => ['--rpc', rpcUrl, '--site', join(site, 'assets')], 'CLI_NOT_FOUND'],
  ])('%s: exit code %i and one line', async (_, code, args, word) => {
    const { lines, gone } = await explorer(...args());
    expect(await gone).toBe(code);
    expect(lines).toEqual([expect.stringMatching(`^prime: .*\\[${word}\\]$`)]);
  });
});

(launch === null ? describe.skip : describe)('a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch(launch!);
  });
  afterAll(() => browser.close());

  async function opened(url: string): Promise<{ readonly page: Page; readonly heard: string[] }> {
    const page = await browser.newPage();
    const heard: string[] = [];
    page.on('console', (message) => heard.push(message.text()));
    page.on('pageerror', (error) => heard.push(error.message));
    await page.goto(url);
    return { page, heard };
  }

  it('lets the pages ask the node over HTTP and WebSocket, and nobody else; what is inline does not run', async () => {
    const { page, heard } = await opened(`${explorerUrl}/block/1`);
    await page.getByText('0x1eef 0x1eef').waitFor();
    expect(await page.evaluate(`getComputedStyle(document.querySelector('p')).color`)).toBe('rgb(1, 2, 3)');
    expect(await page.evaluate('globalThis.inlineRan')).toBeUndefined();
    expect(heard).toEqual([expect.stringContaining('violates the following Content Security Policy directive')]);
    heard.length = 0;
    const elsewhere = await freeUrl();
    const refused = (code: string): Promise<string> =>
      page.evaluate(`${code}.then(() => 'answered', (error) => error.name)`);
    expect(await refused(`askHttp('${elsewhere}')`)).not.toBe('answered');
    expect(await refused(`askSocket('${elsewhere.replace('http', 'ws')}')`)).not.toBe('answered');
    expect(heard.filter((line) => line.includes('Content Security Policy')).length).toBeGreaterThanOrEqual(2);
    await page.close();
  });

  it('shows the page of the JSON-RPC port with its style and no complaint, and its link leads to the explorer', async () => {
    const { page, heard } = await opened(rpcUrl);
    expect(await page.evaluate(`getComputedStyle(document.querySelector('dl')).display`)).toBe('grid');
    expect(heard).toEqual([]);
    await page.getByRole('link').first().click();
    await page.getByText('0x1eef 0x1eef').waitFor();
    expect(page.url()).toBe(`${explorerUrl}/`);
    await page.close();
  });
});

describe('a network that ends', () => {
  it('without a word (SIGKILL) takes its explorer along', async () => {
    const exit = once(network.child, 'exit');
    network.child.kill('SIGKILL');
    const isGone = (url: string): Promise<boolean> =>
      fetch(url, { headers: { connection: 'close' } }).then(
        () => false,
        () => true,
      );
    await until('the explorer ends', () => isGone(`${explorerUrl}/health`));
    await until('the validator ends', () => isGone(rpcUrl));
    expect([await exit, await isGone(explorerUrl)]).toEqual([[null, 'SIGKILL'], true]);
  });
});
