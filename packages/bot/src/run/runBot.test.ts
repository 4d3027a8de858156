import { describe, expect, it } from '@jest/globals';
import type { PlannedItem } from '../execution/planQuotes.ts';
import { createFixedPrice } from '../live/prices.ts';
import type { BotLog, Outcome, Venue, VenueListener } from '../ports.ts';
import { fakeAccount, fakeBook, fakeMarket, fakeOptions, fakeOrder, FakeStrategy } from '../testing/fakes.ts';
import { encodeLossRecord, type LossRecord } from '../risk/lossRecord.ts';
import { LossKeeper } from './lossKeeper.ts';
import { createBotMetrics } from './metrics.ts';
import { serveMetrics } from './metricsServer.ts';
import { runBot } from './runBot.ts';

/** A venue that answers when it is told to. */
class FakeVenue implements Venue {
  readonly market = fakeMarket;
  readonly openOrdersMax = 100;
  head: bigint | null = 1n;
  listener!: VenueListener;
  readonly batches: (readonly PlannedItem[])[] = [];
  cancels = 0;
  stopped = false;
  answer: (outcome: Outcome) => void = () => undefined;
  start(listener: VenueListener): void {
    this.listener = listener;
  }
  fence(): Promise<bigint> {
    return Promise.resolve(1n);
  }
  submit(items: readonly PlannedItem[]): Promise<Outcome> {
    this.batches.push(items);
    return new Promise((resolve) => (this.answer = resolve));
  }
  cancelled: Outcome = { kind: 'included', blockNumber: 5n, refusals: [] };
  cancelAll(): Promise<Outcome> {
    this.cancels++;
    return Promise.resolve(this.cancelled);
  }
  stop(): void {
    this.stopped = true;
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function run(loss: LossKeeper | null = null) {
  const lines: string[] = [];
  const told = new Map<string, object>();
  const write =
    (level: string) =>
    (fields: object, message: string): void => {
      lines.push(`${level} ${message}`);
      told.set(message, fields);
    };
  const log: BotLog = { info: write('info'), warn: write('warn'), error: write('error'), debug: write('debug') };
  const venue = new FakeVenue();
  let nowMs = 1_000;
  const ticks = new Set<() => void>();
  const clock = {
    now: () => nowMs,
    every: (_ms: number, work: () => void) => {
      ticks.add(work);
      return () => void ticks.delete(work);
    },
  };
  const metrics = createBotMetrics({ bot: 'fake', market: 'A/B' });
  const bot = fakeOptions(new FakeStrategy());
  const running = runBot({ bot, venue, prices: createFixedPrice(100n), clock, log, metrics, loss, tickMs: 100 });
  const tick = (ms: number): void => {
    nowMs += ms;
    for (const work of ticks) work();
  };
  const fields = (message: string): object | undefined => told.get(message);
  return { running, venue, lines, fields, tick, metrics, ticks };
}

describe('a running bot', () => {
  it('sends what it decides, logs fills, and takes everything back at its end', async () => {
    const { running, venue, lines, tick, ticks, metrics } = run();
    await settled();
    venue.listener.onAccountReset(fakeAccount(), 'snapshot', []);
    venue.listener.onAccount(fakeAccount(), { isSure: true, fills: [] });
    venue.listener.onBook(fakeBook, 1n);
    venue.listener.onTrouble('the connection ended', 'STREAM_DISCONNECTED');
    expect(venue.batches).toHaveLength(1);
    venue.answer({ kind: 'included', blockNumber: 2n, refusals: ['post_only'] });
    await settled();
    const fill = {
      blockNumber: 2n,
      tradeId: 7,
      orderId: 1,
      side: 'buy',
      size: 4n,
      value: 400n,
      fee: 0n,
      liquidity: 'maker',
    } as const;
    const rest = fakeAccount({ blockNumber: 2n, position: 4n, orders: [fakeOrder({ size: 6n })] });
    venue.listener.onAccount(rest, { isSure: true, fills: [fill] });
    expect(lines).toEqual(
      expect.arrayContaining(['info fill', 'info ready', 'info account', 'debug send', 'warn the connection ended']),
    );
    const text = await metrics.render(running.bot, running.price);
    for (const line of [
      'bot_info{bot="fake",market="A/B"} 1',
      'bot_open_orders{side="buy"} 1',
      'bot_items_total{type="quote"} 1',
      'bot_refusals_total{kind="post_only"} 1',
      'bot_troubles_total{code="STREAM_DISCONNECTED"} 1',
      'bot_fills_total 1',
      'bot_position_units 4',
      'bot_account_sure 1',
    ])
      expect(text).toContain(line);
    const stopped = running.stop(60_000);
    await settled();
    expect(venue.cancels).toBe(1);
    venue.listener.onAccount(fakeAccount({ blockNumber: 5n, position: 4n }), { isSure: true, fills: [] });
    tick(100);
    await stopped;
    expect([venue.stopped, ticks.size, running.bot.halted]).toEqual([true, 0, 'stopped']);
  });

  it('tells that it halted when nothing rests any more', async () => {
    const { running, venue, lines } = run();
    await settled();
    venue.listener.onAccountReset(fakeAccount(), 'snapshot', []);
    venue.listener.onAccount(fakeAccount({ position: 3n, blockNumber: 6n }), { isSure: true, fills: [] });
    expect(await running.halted).toBe('positions_disagree');
    expect(lines).toContain('error halted');
  });

  it('whose loss had passed its limit takes back what rests, sends nothing else and ends', async () => {
    const record: LossRecord = { since: 1n, blockNumber: 1n, position: 0n, cash: -9n, isReached: true };
    const scope = { genesis: '0x01', account: '0x02', marketId: 1 } as const;
    const file = { path: 'loss.json', read: () => encodeLossRecord(scope, record), write: () => undefined };
    const log: BotLog = {
      info: () => undefined,
      warn: () => undefined,
      error: () => undefined,
      debug: () => undefined,
    };
    const { running, venue, tick, lines } = run(new LossKeeper(file, scope, { clock: { now: () => 0 }, log }));
    venue.listener.onAccountReset(fakeAccount({ orders: [fakeOrder()] }), 'snapshot', []);
    venue.listener.onAccount(fakeAccount({ orders: [fakeOrder()] }), { isSure: true, fills: [] });
    venue.listener.onBook(fakeBook, 1n);
    await settled();
    tick(1_000);
    await settled();
    venue.listener.onAccount(fakeAccount({ blockNumber: 5n }), { isSure: true, fills: [] });
    expect(await running.halted).toBe('loss_limit');
    expect([venue.batches, venue.cancels > 0, lines.includes('info loss counts on')]).toEqual([[], true, true]);
  });

  it('that may not sign any more says which orders it can not take back, and ends', async () => {
    const { running, venue, lines, fields, tick } = run();
    await settled();
    venue.listener.onAccountReset(fakeAccount(), 'snapshot', []);
    venue.listener.onAccount(fakeAccount(), { isSure: true, fills: [] });
    venue.listener.onBook(fakeBook, 1n);
    const refused = { kind: 'refused', refusal: 'unauthorized', reason: 'may not act', isFatal: true } as const;
    venue.cancelled = refused;
    const foreign = fakeOrder({ orderId: 2, clientId: null });
    venue.listener.onAccount(fakeAccount({ blockNumber: 2n, orders: [fakeOrder(), foreign] }), {
      isSure: true,
      fills: [],
    });
    venue.answer(refused);
    expect(await running.halted).toBe('refused_for_good');
    tick(10_000);
    await settled();
    // Asked once: what is refused for good is refused again.
    expect([venue.cancels, lines.filter((line) => line === 'error orders remain')]).toEqual([
      1,
      ['error orders remain'],
    ]);
    expect(fields('halted')).toMatchObject({ why: 'refused_for_good', refusal: 'may not act' });
    expect(fields('orders remain')).toMatchObject({
      refusal: 'may not act',
      orders: [
        { orderId: 1, side: 'buy', price: '99', size: '10', expiresAtSeconds: 0, isOwn: true },
        { orderId: 2, isOwn: false },
      ],
    });
    await running.stop(60_000);
    expect(venue.stopped).toBe(true);
  });

  it('ends in time where nobody can be reached', async () => {
    const { running, venue, tick } = run();
    await settled();
    const stopped = running.stop(500);
    for (let at = 0; at < 6; at++) tick(100);
    await stopped;
    expect(venue.stopped).toBe(true);
  });
});

describe('the endpoint of metrics', () => {
  it('serves text at /metrics and nothing else', async () => {
    const server = await serveMetrics({ host: '127.0.0.1', port: 0 }, () => Promise.resolve('bot_halted 0\n'));
    try {
      const found = await fetch(server.url);
      expect([found.status, await found.text()]).toEqual([200, 'bot_halted 0\n']);
      expect((await fetch(server.url.replace('/metrics', '/'))).status).toBe(404);
      expect((await fetch(server.url, { method: 'POST' })).status).toBe(404);
    } finally {
      server.close();
    }
  });
});
