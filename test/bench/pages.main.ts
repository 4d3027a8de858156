import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { percentiles, report, round } from '@prime/loadtest';
import { chromiumAtHand, createTestnet } from '@prime/testkit';
import { benchArguments } from '@prime/testkit/arguments';
import { chromium } from 'playwright-core';
import { WebSocket } from 'ws';
import { serveSite } from '../explorer/siteProcess.ts';
import { startTraders } from '../explorer/traders.ts';

/**
 * What open pages cost those who trade: time from an order to the answer that it is in a block, in turns without pages and with them, all of them reading the
 * first of four validators. What the page of a market asks and is sent is recorded in Chromium; a process of low priority then does the same for each page, without
 * drawing: pages stand on other people's machines.
 *
 *   npm run bench:pages [-- --pages 50 --rounds 5]
 */
const given = benchArguments('bench:pages', {
  pages: { meaning: 'open pages', usual: 50 },
  rounds: { meaning: 'rounds of both', usual: 5 },
  seconds: { meaning: 'length of each half of a round', usual: 20 },
  rate: { meaning: 'orders a second', usual: 40 },
  readers: { meaning: 'recorded traffic, for the process that plays it', usual: '' },
});

/** What a page does: frames that it sends over its WebSocket, and requests that it makes again and again. */
interface Recording {
  readonly url: string;
  readonly frames: readonly string[];
  readonly posts: readonly { readonly atMs: number; readonly body: string }[];
  readonly lengthMs: number;
}
const recordedMs = 15_000;

/** Listens to a page of a market. */
async function record(site: string, rpc: string): Promise<Recording> {
  const launch = chromiumAtHand();
  if (launch === null) throw new Error('there is no Chromium here');
  const browser = await chromium.launch(launch);
  try {
    const page = await browser.newPage();
    const frames: string[] = [];
    const posts: { atMs: number; body: string }[] = [];
    const begun = performance.now();
    page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => {
        if (!payload.includes('unsubscribe')) frames.push(String(payload));
      }),
    );
    page.on('request', (request) => {
      const body = request.postData();
      if (body !== null && request.url().startsWith(rpc)) posts.push({ atMs: performance.now() - begun, body });
    });
    await page.goto(new URL('/market/ETH-USD', site).href);
    await page.waitForTimeout(recordedMs);
    return { url: rpc, frames, posts, lengthMs: performance.now() - begun };
  } finally {
    await browser.close();
  }
}

/** Does for each of many pages what one did, until the process ends. Tells how many are open, and at the end what they were sent. */
async function play(recording: Recording, pages: number): Promise<void> {
  setPriority(constants.priority.PRIORITY_LOW);
  let received = 0;
  let answered = 0;
  const { url, frames, posts, lengthMs } = recording;
  process.on('message', () => process.send!({ received, answered }));
  const page = async (index: number): Promise<void> => {
    const socket = new WebSocket(url.replace(/^http/, 'ws'));
    socket.on('message', () => received++);
    await once(socket, 'open');
    for (const frame of frames) socket.send(frame);
    const offset = (index / pages) * lengthMs;
    for (const { atMs, body } of posts) {
      const ask = async (): Promise<void> => {
        const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
        await response.arrayBuffer();
        answered++;
      };
      setTimeout(() => setInterval(() => void ask(), lengthMs), (atMs + offset) % lengthMs);
    }
  };
  await Promise.all(Array.from({ length: pages }, (_, index) => page(index)));
  process.send!('open');
}

interface Played {
  readonly received: number;
  readonly answered: number;
}
const playedBy = async (child: ChildProcess): Promise<Played> => {
  const told = once(child, 'message') as Promise<[Played]>;
  child.send('tell');
  return (await told)[0];
};

async function measure(): Promise<void> {
  const { pages, rounds, seconds, rate } = given;
  const testnet = await createTestnet({ validators: 4, idlePace: 'preset' });
  try {
    await testnet.startAll();
    const read = testnet.url(0);
    const traders = await startTraders({ urls: testnet.urls(), rate });
    const site = await serveSite(read);
    const recording = await record(site.url, read);
    await site.stop();
    console.log(
      `a page sends ${recording.frames.length} frames, and ${recording.posts.length} requests in ${round(recording.lengthMs / 1000)} s`,
    );
    const taken: Record<'without' | 'with', number[]> = { without: [], with: [] };
    const ratios: number[] = [];
    const half = async (name: 'without' | 'with'): Promise<number> => {
      const from = performance.now();
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      const samples = traders.orders.filter(({ sentMs }) => sentMs >= from).map(({ tookMs }) => tookMs);
      taken[name].push(...samples);
      return percentiles(samples).p99;
    };
    const messages: number[] = [];
    for (let index = 0; index < rounds; index++) {
      const without = await half('without');
      const child = fork(fileURLToPath(import.meta.url), [
        '--readers',
        JSON.stringify(recording),
        '--pages',
        `${pages}`,
      ]);
      await once(child, 'message');
      const begun = await playedBy(child);
      const withPages = await half('with');
      const { received, answered } = await playedBy(child);
      child.kill('SIGKILL');
      await once(child, 'close');
      messages.push((received - begun.received + answered - begun.answered) / seconds);
      ratios.push(withPages / without);
      console.log(`round ${index + 1}: p99 ${round(without)} ms without, ${round(withPages)} ms with ${pages} pages`);
    }
    await traders.stop();
    report(`order to answer from its block, ms, without and with ${pages} pages`, {
      without: { ...percentiles(taken.without) },
      with: { ...percentiles(taken.with) },
      'ratio of p99': { ...percentiles(ratios) },
      'messages a second to pages': { ...percentiles(messages) },
    });
  } finally {
    await testnet.destroy();
  }
}

await (given.readers === '' ? measure() : play(JSON.parse(given.readers) as Recording, given.pages));
