import { describe, expect, it } from '@jest/globals';
import { createPrng } from '@prime/primitives';
import type { FlowLineOf } from '../flow/flow.ts';
import { intentsOf } from './intents.ts';
import { Needs } from './needs.ts';

const plain = { postOnly: false, reduceOnly: false, selfTrade: 'cancel_maker' } as const;

interface Resting {
  readonly line: number;
  readonly owner: number;
  readonly isBuy: boolean;
  readonly price: number;
  size: number;
}

/** A book of one market in which accounts trade at random; tells lines, and what the accounts have after each. */
class Market {
  readonly lines: FlowLineOf<'action'>[] = [];
  readonly resting: Resting[] = [];
  readonly cash: number[] = [0, 0, 0];
  readonly position: number[] = [0, 0, 0];

  order(owner: number, isBuy: boolean, price: number, size: number): void {
    const line = this.lines.length + 10;
    const asked = size;
    const fills: NonNullable<FlowLineOf<'action'>['outcome']['fills']> = [];
    const meets = this.resting
      .filter(
        (other) =>
          other.isBuy !== isBuy && other.owner !== owner && (isBuy ? other.price <= price : other.price >= price),
      )
      .sort((a, b) => (isBuy ? a.price - b.price : b.price - a.price) || a.line - b.line);
    for (const maker of meets) {
      const units = Math.min(size, maker.size);
      if (units === 0) continue;
      size -= units;
      maker.size -= units;
      for (const [who, buys] of [
        [owner, isBuy],
        [maker.owner, maker.isBuy],
      ] as const) {
        this.cash[who]! += (buys ? -1 : 1) * units * maker.price;
        this.position[who]! += (buys ? 1 : -1) * units;
      }
      fills.push({ market: 1, price: `${maker.price}`, size: `${units}`, maker: `${maker.line}`, taker: `${line}` });
    }
    const own: Resting = { line, owner, isBuy, price, size };
    if (size > 0) this.resting.push(own);
    const action = {
      type: 'order',
      market: 1,
      side: isBuy ? 'buy' : 'sell',
      price: `${price}`,
      size: `${asked}`,
      tif: 'gtc',
      ...plain,
    } as const;
    this.lines.push({
      line,
      kind: 'action',
      ms: 0,
      account: owner,
      action,
      outcome: { fills, ...(size > 0 && { rests: `${size}` }) },
    });
  }

  cancel(order: Resting): void {
    this.resting.splice(this.resting.indexOf(order), 1);
    const removed = [{ order: `${order.line}`, account: order.owner, market: 1, reason: 'user' }];
    this.lines.push({
      line: this.lines.length + 10,
      kind: 'action',
      ms: 0,
      account: order.owner,
      action: { type: 'cancel', order: `${order.line}`, market: 1 },
      outcome: { removed },
    });
  }
}

describe('Needs', () => {
  it('suffice at every step, at any mark between the prices, with margin of the whole notional', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const random = createPrng(seed);
      const [lowest, highest] = [50, 50 + random.below(200)];
      const market = new Market();
      const needs = new Needs();
      // What is asked of each account at the worst mark, at any time.
      const most = [0, 0, 0];
      for (let step = 0; step < 150; step++) {
        const open = market.resting.filter(({ size }) => size > 0);
        const owner = random.below(3);
        if (random.chance(1, 4) && open.length > 0) market.cancel(open[random.below(open.length)]!);
        else
          market.order(owner, random.chance(1, 2), lowest + random.below(highest - lowest + 1), 1 + random.below(20));
        const line = market.lines.at(-1)!;
        needs.add(line, intentsOf(line).intents);
        for (const mark of [lowest, highest])
          for (const who of most.keys()) {
            const own = market.resting.filter((order) => order.owner === who);
            const sum = (isBuy: boolean, of: (order: Resting) => number): number =>
              own.filter((order) => order.isBuy === isBuy).reduce((total, order) => total + of(order), 0);
            const [buys, sells] = [sum(true, ({ size }) => size), sum(false, ({ size }) => size)];
            const position = market.position[who]!;
            const initial = Math.max(Math.abs(position), position + buys, sells - position) * mark;
            const loss =
              Math.max(0, sum(true, ({ price, size }) => price * size) - buys * mark) +
              Math.max(0, sells * mark - sum(false, ({ price, size }) => price * size));
            const equity = market.cash[who]! + position * mark;
            most[who] = Math.max(most[who]!, initial + loss - equity);
          }
      }
      const given = needs.all();
      for (const [who, asked] of most.entries())
        expect([seed, who, Number(given[who]!.collateral) >= asked]).toEqual([seed, who, true]);
    }
  });

  it('follow as many orders as rest', () => {
    const market = new Market();
    const needs = new Needs();
    const random = createPrng(5);
    for (let step = 0; step < 500; step++) {
      market.order(random.below(3), random.chance(1, 2), 100 + random.below(5), 1 + random.below(9));
      const line = market.lines.at(-1)!;
      needs.add(line, intentsOf(line).intents);
      expect(needs.followed).toBe(market.resting.filter(({ size }) => size > 0).length);
    }
  });

  it('count what is sent, deposited, withdrawn and burned as gas, and nothing for who does nothing', () => {
    const needs = new Needs();
    const line = { line: 9, kind: 'action', ms: 0, account: 1, outcome: {} } as const;
    const sent = {
      line: 9,
      kind: 'transaction',
      ms: 0,
      account: 2,
      to: 1,
      value: '7',
      data: '0x',
      gas: '21000',
    } as const;
    for (const one of [
      { line: 2, kind: 'account', account: 0, name: 'a' } as const,
      { ...line, action: { type: 'deposit', amount: '100' } } as const,
      { ...line, action: { type: 'withdraw', amount: '30', to: 2 } } as const,
      { ...line, action: { type: 'transfer', amount: '5', to: 2 } } as const,
      { ...sent, outcome: { status: 'ok', gasUsed: '21000' } } as const,
    ])
      needs.add(one, intentsOf(one).intents);
    expect(needs.all()).toEqual([
      { collateral: 0n, wei: 0n, gas: 0n },
      { collateral: 35n, wei: 100n, gas: 0n },
      { collateral: 0n, wei: 7n, gas: 21_000n },
    ]);
  });
});
