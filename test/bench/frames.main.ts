import { constants, setPriority } from 'node:os';
import { percentiles, report, round } from '@prime/loadtest';
import { chromiumAtHand, createTestnet } from '@prime/testkit';
import { benchArguments } from '@prime/testkit/arguments';
import { type CDPSession, chromium, type Page } from 'playwright-core';
import { serveSite } from '../explorer/siteProcess.ts';
import { startTraders } from '../explorer/traders.ts';
import { visit } from '../explorer/visits.ts';

/**
 * How smooth the page of a market is while its book changes: frames a second, and what the page's own thread does for each of them. The network has low
 * priority, as it stands elsewhere when people look; the browser draws without a graphics card.
 *
 *   npm run bench:frames [-- --rate 100 --seconds 20]
 */
const { rate, seconds, rounds } = benchArguments('bench:frames', {
  rate: { meaning: 'orders a second, each of them cancelled: two changes of the book', usual: 100 },
  seconds: { meaning: 'length of a round', usual: 20 },
  rounds: { meaning: 'rounds', usual: 3 },
});

/** Seconds of the page's thread since it began, by what they were for. */
const timed = ['TaskDuration', 'ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'] as const;
type Times = Readonly<Record<(typeof timed)[number], number>>;

async function timesOf(session: CDPSession): Promise<Times> {
  const { metrics } = await session.send('Performance.getMetrics');
  const entries = timed.map((wanted) => [wanted, metrics.find(({ name }) => name === wanted)?.value ?? 0] as const);
  return Object.fromEntries(entries) as Times;
}

/** Gaps between frames, ms. */
const gapsOf = (page: Page): Promise<number[]> =>
  page.evaluate<number[]>(`new Promise((resolve) => {
    const gaps = [];
    const end = performance.now() + ${seconds * 1000};
    let last = performance.now();
    const frame = (now) => {
      gaps.push(now - last);
      last = now;
      if (now < end) requestAnimationFrame(frame);
      else resolve(gaps);
    };
    requestAnimationFrame(frame);
  })`);

const launch = chromiumAtHand();
if (launch === null) throw new Error('there is no Chromium here');
const browser = await chromium.launch(launch);
// What is started from here on inherits it.
setPriority(constants.priority.PRIORITY_LOW);
const testnet = await createTestnet({ validators: 4, idlePace: 'preset' });
try {
  await testnet.startAll();
  const read = testnet.url(0);
  const site = await serveSite(read);
  const traders = await startTraders({ urls: testnet.urls(), rate });
  const { page } = await visit(browser, { site: site.url, rpc: read, path: '/market/ETH-USD' });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await page.waitForTimeout(5_000);
  const rows: Record<string, Record<string, number>> = {};
  for (let index = 0; index < rounds; index++) {
    const [before, ordersBefore] = [await timesOf(session), traders.orders.length];
    const gaps = await gapsOf(page);
    const after = await timesOf(session);
    const perFrame = (name: (typeof timed)[number]): number =>
      round(((after[name] - before[name]) * 1000) / gaps.length);
    const { p50, p99 } = percentiles(gaps);
    rows[`round ${index + 1}`] = {
      'orders/s': round((traders.orders.length - ordersBefore) / seconds),
      'frames/s': round(gaps.length / seconds),
      'gap p50, ms': p50,
      'gap p99, ms': p99,
      'thread ms/frame': perFrame('TaskDuration'),
      script: perFrame('ScriptDuration'),
      layout: perFrame('LayoutDuration'),
      style: perFrame('RecalcStyleDuration'),
    };
  }
  report('frames of the page of a market while its book changes', rows);
  await traders.stop();
  await site.stop();
} finally {
  await browser.close();
  await testnet.destroy();
}
