import { chromiumAtHand, createTestnet, until } from '@prime/testkit';
import { type CDPSession, chromium, type Page } from 'playwright-core';
import { readerOf } from '../../explorer/people.ts';
import { serveSite } from '../../explorer/siteProcess.ts';
import { startTraders } from '../../explorer/traders.ts';
import { visit } from '../../explorer/visits.ts';

/** What a page holds after a garbage collection. */
export interface PageSample {
  readonly minute: number;
  readonly heapBytes: number;
  readonly nodes: number;
  readonly listeners: number;
}

interface ExplorerSoakReport {
  readonly samples: readonly PageSample[];
  /** Orders that were placed meanwhile. */
  readonly orders: number;
  readonly restarts: number;
  readonly findings: readonly string[];
}

interface ExplorerSoakOptions {
  readonly minutes: number;
  /** Orders a second. */
  readonly rate: number;
  readonly log: (line: string) => void;
}

/** Growth that is none, of what a page held when it was warm: what it shows grows and shrinks with the market. */
const growthAllowed = { heapBytes: 2 << 20, nodes: 400, listeners: 100 } as const;
/** A browser says so of each request to a node that is away. */
const isOfAway = (heard: string): boolean => /ERR_CONNECTION|WebSocket connection to/.test(heard);

/**
 * One page of a market that trades, open for a long time, while the node that it reads is killed and started again in each fifth of it. What the page
 * holds must not grow, and it must show the present at the end.
 *
 * @throws Error where there is no Chromium
 */
export async function explorerSoak({ minutes, rate, log }: ExplorerSoakOptions): Promise<ExplorerSoakReport> {
  const launch = chromiumAtHand();
  if (launch === null) throw new Error('there is no Chromium here');
  const testnet = await createTestnet({ validators: 4, idlePace: 'preset' });
  try {
    await testnet.startAll();
    const read = testnet.url(0);
    const site = await serveSite(read);
    const browser = await chromium.launch(launch);
    const traders = await startTraders({ urls: [1, 2, 3].map((index) => testnet.url(index)), rate });
    try {
      const { page, heard } = await visit(browser, { site: site.url, rpc: read, path: '/market/ETH-USD' });
      const session = await page.context().newCDPSession(page);
      const samples: PageSample[] = [];
      let restarts = 0;
      let ordersBefore = 0;
      const idle: string[] = [];
      for (let minute = 1; minute <= minutes; minute++) {
        await page.waitForTimeout(60_000);
        samples.push({ minute, ...(await held(session)) });
        log(textOf(samples.at(-1)!, traders.orders.length));
        if (traders.orders.length === ordersBefore)
          idle.push(`no order in minute ${minute}: the page had nothing to show`);
        ordersBefore = traders.orders.length;
        if (minute % Math.ceil(minutes / 5) !== 0 || minute === minutes) continue;
        await testnet.kill(0, 'SIGKILL');
        await untilPill(page, 'unreachable');
        await testnet.start(0);
        await untilPill(page, 'live');
        restarts++;
        log(`the node was killed, and the page shows the present again`);
      }
      await untilPill(page, 'live');
      const findings = [
        ...heard.filter((one) => !isOfAway(one)),
        ...idle,
        ...growthOf(samples),
        ...(await lateOf(page, testnet.url(1))),
      ];
      return { samples, orders: traders.orders.length, restarts, findings };
    } finally {
      await traders.stop();
      await browser.close();
      await site.stop();
    }
  } finally {
    await testnet.destroy();
  }
}

async function held(session: CDPSession): Promise<Omit<PageSample, 'minute'>> {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return { heapBytes: of('JSHeapUsedSize'), nodes: of('Nodes'), listeners: of('JSEventListeners') };
}

const untilPill = (page: Page, kind: string): Promise<unknown> =>
  page.locator(`.pill.${kind}`).first().waitFor({ timeout: 120_000 });

/** The head of the page is that of another node. */
async function lateOf(page: Page, url: string): Promise<string[]> {
  const shown = async (): Promise<number> =>
    Number((await page.locator('.pill .number').innerText()).replaceAll(/\D/g, ''));
  const head = Number(await readerOf(url).getBlockNumber());
  return until('the page shows a block that another node has', async () => (await shown()) >= head).then(
    () => [],
    () => [`the page stopped before block ${head}`],
  );
}

/** What the second half holds more than the second fifth of the time, by the least of each: what a page needs for a moment comes and goes. */
export function growthOf(samples: readonly PageSample[]): string[] {
  const fifth = Math.floor(samples.length / 5);
  const warm = samples.slice(fifth, 2 * fifth + 1);
  const late = samples.slice(-Math.max(1, fifth));
  const least = (of: readonly PageSample[], name: keyof typeof growthAllowed): number =>
    Math.min(...of.map((sample) => sample[name]));
  return Object.entries(growthAllowed).flatMap(([name, allowed]) => {
    const key = name as keyof typeof growthAllowed;
    const grown = least(late, key) - least(warm, key);
    return grown > allowed ? [`${name} grew by ${grown}, ${allowed} are allowed`] : [];
  });
}

const textOf = ({ minute, heapBytes, nodes, listeners }: PageSample, orders: number): string =>
  `${minute} min: ${(heapBytes / (1 << 20)).toFixed(1)} MiB of heap, ${nodes} nodes, ${listeners} listeners, ${orders} orders`;
