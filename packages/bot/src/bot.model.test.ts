import { describe, expect, it } from '@jest/globals';
import { type Prng, bigintAbs, createPrng } from '@prime/primitives';
import fc from 'fast-check';
import { Bot } from './bot.ts';
import type { BotOptions, Decision } from './botState.ts';
import { createClientIds } from './execution/clientIds.ts';
import { type BotFill, createLedger } from './ledger.ts';
import type { Outcome } from './ports.ts';
import type { LossRecord } from './risk/lossRecord.ts';
import { fillsOf, ModelMarket, modelAddress, refusalsOf, toPayload } from './simulation/modelMarket.ts';
import { fakeMarket } from './testing/fakes.ts';
import { createMarketMaker } from './strategy/marketMaker.ts';

/**
 * The bot against the chain's rules, where batches are late, lost, refused or carried out after the process that sent them died, and where
 * processes die at any moment. What must hold is judged from the chain alone.
 */

const ids = createClientIds('maker', 1);
const [own, other] = [modelAddress(0), modelAddress(1)];
const levels = 4;
const size = 5n;
const maxPosition = 30n;
const ttlMs = 5_000;
const options = (lossMax: bigint | null): BotOptions => ({
  market: fakeMarket,
  strategy: createMarketMaker({
    spreadBps: 40,
    levels,
    levelGapBps: 10,
    size,
    minEdgeBps: 1,
    targetPosition: 0n,
    maxPosition,
    skewBps: 30,
  }),
  ids,
  execution: { priceToleranceTicks: 1, refillBelowPercent: 60, orderSeconds: 20, refreshSeconds: 7, batchMax: 6 },
  limits: { positionMax: maxPosition, notionalMax: null, lossMax },
  deadMan: { feedSilentMs: 10_000, staleMs: 10_000, strategySilentMs: 10_000 },
  openOrdersMax: 100,
  itemsPerSecond: 50,
  actionTtlMs: ttlMs,
});

/** Something that is on its way to the chain. */
interface Sent {
  readonly decision: Extract<Decision, { kind: 'send' | 'cancelAll' }>;
  readonly dueMs: number;
  /** Which process waits for its outcome. */
  readonly process: number;
}

class World {
  readonly chain = new ModelMarket([{ symbol: 'A/B', tickSize: 1n, lotSize: 1n, baseDecimals: 0, quoteDecimals: 18 }]);
  readonly #random: Prng;
  nowMs = 1_000_000;
  fair = 10_000n;
  process = 0;
  bot: Bot | null = null;
  bornMs = 0;
  sent: Sent[] = [];
  /** From all fills ever, whoever was alive. */
  readonly ledger = createLedger(0n, 0n);
  readonly fills: BotFill[] = [];
  /** What processes of the bot kept of their loss. */
  kept: LossRecord | null = null;
  readonly #lossMax: bigint | null;

  constructor(seed: number, lossMax: bigint | null = null) {
    this.#random = createPrng(seed);
    this.#lossMax = lossMax;
  }

  begin(): void {
    this.process++;
    this.bot = new Bot(options(this.#lossMax));
    this.bornMs = this.nowMs;
    const { kept } = this;
    if (kept !== null) this.bot.resume(kept);
    const earlier = this.fills.filter(({ blockNumber }) => blockNumber > (kept?.blockNumber ?? 0n));
    this.bot.onAccountReset(this.chain.account(own, 1), this.fair, earlier);
    this.bot.onAccount(this.chain.account(own, 1), true, [], this.nowMs);
    this.bot.onBook(this.chain.book(1), this.nowMs);
  }

  kill(): void {
    this.bot = null;
  }

  block(): void {
    this.nowMs += 500 + this.#random.below(1_500);
    this.fair += BigInt(this.#random.below(81)) - 40n;
    const arrived = this.sent.filter(({ dueMs }) => dueMs <= this.nowMs);
    this.sent = this.sent.filter(({ dueMs }) => dueMs > this.nowMs);
    const actions = arrived.map(({ decision }) => ({
      account: own,
      payload: decision.kind === 'send' ? toPayload(decision.items, 1) : ({ type: 'cancelAll', marketId: 1 } as never),
      expiresAt: decision.expiresAtMs,
    }));
    const flow = this.#flow();
    const { results, trades } = this.chain.block([...flow, ...actions], this.nowMs);
    const fills = fillsOf(trades, own, this.chain.blockNumber);
    for (const fill of fills) this.ledger.apply(fill);
    this.fills.push(...fills);
    this.#tell(fills);
    arrived.forEach((sent, index) => this.#finish(sent, results[flow.length + index]));
    this.#step();
  }

  #flow() {
    if (!this.#random.chance(1, 2)) return [];
    const side = this.#random.chance(1, 2) ? ('buy' as const) : ('sell' as const);
    const price = side === 'buy' ? this.fair + 60n : this.fair - 60n;
    const quantity = BigInt(1 + this.#random.below(12));
    const clientId = null;
    const flags = { tif: 'ioc', postOnly: false, reduceOnly: false, selfTrade: 'cancel_maker', expiresAt: 0 } as const;
    return [
      {
        account: other,
        payload: { type: 'order', marketId: 1 as never, side, price, size: quantity, clientId, ...flags } as const,
      },
    ];
  }

  #tell(fills: ReturnType<typeof fillsOf>): void {
    const { bot } = this;
    if (bot === null) return;
    bot.onHead(this.chain.blockNumber, this.nowMs);
    bot.onAccount(this.chain.account(own, 1), true, fills, this.nowMs);
    bot.onBook(this.chain.book(1), this.nowMs);
    // What an earlier process sent is over when its time is.
    if (this.nowMs > this.bornMs + ttlMs) bot.begin(this.chain.blockNumber);
    this.bornMs = this.nowMs > this.bornMs + ttlMs ? Number.MAX_SAFE_INTEGER / 2 : this.bornMs;
  }

  #finish({ decision, process }: Sent, result: unknown): void {
    if (process !== this.process || this.bot === null) return;
    const isExpired = result === 'CLOB_EXPIRED';
    const { blockNumber } = this.chain;
    const outcome: Outcome = isExpired
      ? { kind: 'expired', blockNumber }
      : { kind: 'included', blockNumber, refusals: refusalsOf(result) };
    this.bot.onOutcome(decision.kind, outcome, this.nowMs);
  }

  #step(): void {
    this.bot?.onPrice(this.fair);
    const record = this.bot?.lossRecord ?? null;
    // Without fills it is kept now and then.
    if (record !== null && (record.isReached || record.cash !== this.kept?.cash || this.#random.chance(1, 4)))
      this.kept = record;
    const decision = this.bot?.step({ nowMs: this.nowMs, fairPrice: this.fair });
    if (decision === undefined || decision.kind === 'wait') return;
    // Soon, late, or too late to be carried out.
    const delayMs = 1 + this.#random.below(this.#random.chance(1, 6) ? 2 * ttlMs : 1_500);
    this.sent.push({ decision, dueMs: this.nowMs + delayMs, process: this.process });
  }

  /** What is wrong after a block; empty is good. */
  findings(): string[] {
    const { position, orders } = this.chain.account(own, 1);
    const found: string[] = [];
    if (position !== this.ledger.position) found.push(`position ${position}, fills make ${this.ledger.position}`);
    if (!orders.every(({ clientId }) => ids.isOwn(clientId))) found.push('an order of nobody');
    for (const side of ['buy', 'sell'] as const) {
      const { length } = orders.filter((order) => order.side === side);
      if (length > levels) found.push(`${length} ${side} orders`);
    }
    // One set of quotes may be replaced while the former one trades.
    if (bigintAbs(position) > maxPosition + BigInt(levels) * size) found.push(`position ${position}`);
    const halted = this.bot?.halted ?? null;
    return halted === null ? found : [...found, halted];
  }
}

const kinds = fc.constantFrom('block', 'block', 'block', 'block', 'block', 'block', 'kill', 'restart');

describe('a bot whose process dies at any moment', () => {
  it('has no order that nobody knows of and no position twice, and knows its position', () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.array(kinds, { minLength: 60, maxLength: 120 }), (seed, steps) => {
        const world = new World(seed);
        world.begin();
        for (const step of steps) {
          if (step === 'kill') world.kill();
          else if (step === 'restart') world.begin();
          else world.block();
          expect(world.findings()).toEqual([]);
        }
        const position = world.chain.account(own, 1).position;
        if (world.bot !== null) expect(world.bot.ledger!.position).toBe(position);
      }),
      { numRuns: 25 },
    );
  });

  it('has the loss of all of its lives, stops where one process would have, and stays stopped', () => {
    let [halts, lives] = [0, 0];
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.array(kinds, { minLength: 60, maxLength: 120 }), (seed, steps) => {
        const lossMax = 5_000n;
        const world = new World(seed, lossMax);
        world.begin();
        let isOver = false;
        for (const step of steps) {
          if (step === 'kill') world.kill();
          else if (step === 'restart') world.begin();
          else world.block();
          if (world.bot === null) continue;
          const profit = world.ledger.profit(world.fair);
          expect(world.bot.ledger!.profit(world.fair)).toBe(profit);
          // A process that just began has judged nothing.
          if (step === 'block') isOver ||= profit < -lossMax;
          expect(world.bot.halted).toBe(isOver ? 'loss_limit' : null);
        }
        halts += isOver ? 1 : 0;
        lives += world.process;
      }),
      { numRuns: 25 },
    );
    expect([halts > 0, halts < 25, lives > 50]).toEqual([true, true, true]);
  });

  it('and does not come back leaves nothing longer than orders live', () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), (seed) => {
        const world = new World(seed);
        world.begin();
        for (let at = 0; at < 40; at++) world.block();
        world.kill();
        const end = world.nowMs + ttlMs + 21_000;
        while (world.nowMs <= end) world.block();
        expect(world.chain.account(own, 1).orders).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });

  it('that is told to stop takes everything back, whatever is on its way', () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.integer({ min: 20, max: 50 }), (seed, blocks) => {
        const world = new World(seed);
        world.begin();
        for (let at = 0; at < blocks; at++) world.block();
        const { bot } = world;
        bot!.halt('stopped');
        for (let at = 0; at < 40 && !(bot!.isSettled && world.chain.account(own, 1).orders.length === 0); at++)
          world.block();
        expect([bot!.isSettled, world.chain.account(own, 1).orders]).toEqual([true, []]);
      }),
      { numRuns: 15 },
    );
  });

  it('quotes both sides once it has begun', () => {
    const world = new World(1);
    world.begin();
    for (let at = 0; at < 30; at++) world.block();
    const sides = new Set(world.chain.account(own, 1).orders.map(({ side }) => side));
    expect(world.ledger.fills).toBeGreaterThan(0);
    expect([...sides].toSorted()).toEqual(['buy', 'sell']);
  });
});
