import { describe, expect, it } from '@jest/globals';
import { createPrng } from '@prime/primitives';
import type { LoadError } from '../errors.ts';
import type { FlowLine, FlowLineOf } from '../recording/flow/flow.ts';
import { parseFlow } from '../recording/flow/parseFlow.ts';
import { encodeItch } from '../testing/itchEncoder.ts';
import { type ItchFlowOptions, itchToFlow } from './itchToFlow.ts';

const second = 1e9;
const listed = encodeItch('R', { locate: 7, stock: 'AAPL' });
const add = (reference: bigint, side: 'B' | 'S', price: number, shares: number, ns = second, more = {}) =>
  encodeItch('A', { locate: 7, ns, reference, side, price, shares, stock: 'AAPL', ...more });
const of = (ns: number, reference: bigint) => ({ locate: 7, ns, reference });

async function convert(messages: readonly Uint8Array[], options: Partial<ItchFlowOptions> = {}): Promise<FlowLine[]> {
  const input = (async function* () {
    yield* messages;
  })();
  const lines: FlowLine[] = [];
  for await (const line of parseFlow(itchToFlow(input, { stocks: ['AAPL'], ...options }))) lines.push(line);
  return lines;
}
const operations = (lines: readonly FlowLine[]) =>
  lines.filter(({ kind }) => kind === 'action') as FlowLineOf<'action'>[];
const brief = (lines: readonly FlowLine[]) =>
  operations(lines).map(({ line, ms, action, outcome }) => ({ line, ms, action, outcome }));
const lostOf = (lines: readonly FlowLine[]) => (lines.at(-1) as FlowLineOf<'end'>).lost;

describe('itchToFlow', () => {
  it('makes an order of an add, and an order for just that of an execution', async () => {
    const lines = await convert([
      listed,
      add(1n, 'B', 1_500_000, 100),
      encodeItch('E', { ...of(2 * second, 1n), shares: 30, match: 5n }),
      encodeItch('C', { ...of(3 * second, 1n), shares: 70, match: 6n, price: 1_500_000, printable: 'Y' }),
    ]);
    expect(lines[0]).toMatchObject({
      source: { of: 'itch' },
      beganMs: 0,
      markets: [{ market: 1, symbol: 'AAPL/USD', tick: '1', lot: '1' }],
    });
    const taken = (size: string, taker: string) => ({ market: 1, price: '1500000', size, maker: '3', taker });
    expect(brief(lines)).toMatchObject([
      {
        line: 3,
        ms: 1000,
        action: { side: 'buy', price: '1500000', size: '100', tif: 'gtc' },
        outcome: { rests: '100' },
      },
      {
        line: 5,
        ms: 2000,
        action: { side: 'sell', price: '1500000', size: '30', tif: 'ioc' },
        outcome: { fills: [taken('30', '5')] },
      },
      { line: 7, ms: 3000, action: { side: 'sell', size: '70', tif: 'ioc' }, outcome: { fills: [taken('70', '7')] } },
    ]);
    expect(lines.filter(({ kind }) => kind === 'account').map((line) => (line as FlowLineOf<'account'>).name)).toEqual([
      'maker 1',
      'taker 5',
      'taker 6',
    ]);
    expect(lostOf(lines)).toEqual([]);
  });

  it('shrinks, cancels and replaces orders, and keeps the place of one that shrinks', async () => {
    const lines = await convert([
      listed,
      add(1n, 'S', 100, 50),
      add(2n, 'S', 100, 50),
      encodeItch('X', { ...of(second, 1n), shares: 20 }),
      encodeItch('E', { ...of(second, 1n), shares: 30 }),
      encodeItch('U', { ...of(second, 2n), newReference: 3n, shares: 60, price: 101 }),
      encodeItch('E', { ...of(second, 3n), shares: 10 }),
      encodeItch('X', { ...of(second, 3n), shares: 50 }),
      add(4n, 'B', 90, 5),
      encodeItch('D', of(second, 4n)),
    ]);
    expect(brief(lines).slice(2)).toMatchObject([
      { action: { type: 'modify', order: '3', price: '100', size: '30' } },
      { action: { type: 'order', side: 'buy' }, outcome: { fills: [{ maker: '3', size: '30' }] } },
      {
        line: 9,
        action: {
          type: 'batch',
          items: [
            { type: 'cancel', order: '5' },
            { type: 'order', price: '101', size: '60' },
          ],
        },
        outcome: { items: [{}, { rests: '60' }], removed: [{ order: '5', reason: 'user' }] },
      },
      { outcome: { fills: [{ maker: '9.1', price: '101', size: '10' }] } },
      { action: { type: 'cancel', order: '9.1' } },
      { action: { type: 'order' } },
      { action: { type: 'cancel' } },
    ]);
    expect(lostOf(lines)).toEqual([]);
  });

  it('gives orders with attribution to their participant, and others to accounts by their number', async () => {
    const attributed = encodeItch('F', { ...of(second, 34n), side: 'B', price: 9, shares: 1, attribution: 'NITE' });
    const names = async (options: Partial<ItchFlowOptions>) =>
      (await convert([listed, add(33n, 'B', 9, 1), add(1n, 'B', 9, 1), attributed], options)).flatMap((line) =>
        line.kind === 'account' ? [line.name] : [],
      );
    expect(await names({})).toEqual(['maker 1', 'participant NITE']);
    expect(await names({ makers: 2 })).toEqual(['maker 1', 'participant NITE']);
    expect(await names({ makers: 40 })).toEqual(['maker 33', 'maker 1', 'participant NITE']);
  });

  it('begins with the orders that rest at the time, in the order in which they came', async () => {
    const lines = await convert(
      [
        listed,
        add(1n, 'B', 100, 50),
        add(2n, 'B', 100, 7),
        add(3n, 'B', 101, 9),
        encodeItch('E', { ...of(second, 3n), shares: 9 }),
        encodeItch('X', { ...of(second, 1n), shares: 20 }),
        encodeItch('E', { ...of(5 * second, 1n), shares: 30 }),
        encodeItch('E', { ...of(6 * second, 2n), shares: 7 }),
      ],
      { fromMs: 5000, toMs: 6000 },
    );
    expect(lines.filter(({ kind }) => kind === 'earlier')).toMatchObject([
      { order: { size: '30' } },
      { order: { size: '7' } },
    ]);
    expect(brief(lines)).toMatchObject([{ ms: 0, outcome: { fills: [{ maker: '3', size: '30' }] } }]);
    expect(lines[0]).toMatchObject({ beganMs: 5000 });
  });

  it('trades with a hidden order where it was the best, and tells of those that were not', async () => {
    const trade = (side: 'B' | 'S', price: number) =>
      encodeItch('P', { locate: 7, ns: second, reference: 0n, side, price, shares: 4, match: 9n });
    const lines = await convert([
      listed,
      add(1n, 'B', 100, 5),
      add(2n, 'S', 104, 5),
      trade('B', 102),
      trade('S', 102),
      trade('B', 100),
      trade('S', 104),
      trade('B', 104),
      trade('S', 100),
      trade('B', 99),
    ]);
    expect(brief(lines).slice(2)).toMatchObject([
      { action: { side: 'buy', price: '102', size: '4', tif: 'gtc' } },
      { action: { side: 'sell', price: '102', size: '4', tif: 'ioc' }, outcome: { fills: [{ size: '4' }] } },
      { action: { side: 'sell', price: '102', size: '4', tif: 'gtc' } },
      { action: { side: 'buy', price: '102', size: '4', tif: 'ioc' } },
    ]);
    expect(lostOf(lines)).toEqual([{ what: 'trades with hidden orders behind or beyond displayed ones', count: 5 }]);
  });

  it('takes an execution off an order that was not the first, and leaves out what would have traded at once', async () => {
    const lines = await convert([
      listed,
      add(1n, 'B', 100, 50),
      add(2n, 'B', 100, 50),
      add(3n, 'S', 100, 50),
      encodeItch('E', { ...of(second, 3n), shares: 1 }),
      encodeItch('E', { ...of(second, 2n), shares: 20 }),
      encodeItch('C', { ...of(second, 1n), shares: 1, price: 99, printable: 'N' }),
      encodeItch('Q', { locate: 7, ns: second, shares: 0n }),
      encodeItch('Q', { locate: 7, ns: second, shares: 5n }),
      encodeItch('B', { locate: 7, ns: second }),
    ]);
    expect(brief(lines).slice(2)).toMatchObject([
      { action: { type: 'modify', order: '5', size: '30' } },
      { action: { type: 'order' }, outcome: { fills: [{ price: '100', size: '1' }] } },
    ]);
    expect(lostOf(lines).map(({ what, count }) => [what.split(':')[0], count])).toEqual([
      ['orders that would have traded at once, and did not', 1],
      ['messages about orders that are not in the flow', 1],
      ['executions of an order that was not the first of its side', 1],
      ['executions at another price than the order’s', 1],
      ['crosses', 1],
      ['broken trades', 1],
    ]);
  });

  it('takes several stocks, each as a market, and says which is not there', async () => {
    const other = { locate: 8, stock: 'BRK.A' };
    const stranger = { locate: 9, stock: 'XYZ', reference: 9n, side: 'B', price: 1, shares: 1, ns: second } as const;
    const lines = await convert(
      [
        listed,
        encodeItch('R', other),
        encodeItch('R', { locate: 9, stock: 'XYZ' }),
        encodeItch('A', stranger),
        add(1n, 'B', 5, 5),
        add(2n, 'B', 5, 5, second, other),
      ],
      { stocks: ['BRK.A', 'AAPL', 'A+B'] },
    );
    expect((lines[0] as FlowLineOf<'flow'>).markets.map(({ symbol }) => symbol)).toEqual([
      'BRK.A/USD',
      'AAPL/USD',
      'A_43B/USD',
    ]);
    expect(operations(lines).map(({ action }) => action)).toMatchObject([{ market: 2 }, { market: 1 }]);
    expect(lostOf(lines)).toEqual([{ what: 'stock A+B: not in the file', count: 1 }]);
  });

  it('refuses messages that contradict each other, with the offset', async () => {
    const order = add(1n, 'B', 5, 5);
    const after = listed.length + order.length;
    const cases: [string, Uint8Array, string][] = [
      ['added twice', order, 'order 1 is added twice'],
      [
        'replaced by one that is there',
        encodeItch('U', { ...of(second, 1n), newReference: 1n, shares: 1, price: 1 }),
        'order 1 is added twice',
      ],
      ['no price', add(2n, 'B', 0, 5), 'order 2 has no price or no shares'],
      ['no side', encodeItch('A', { ...of(second, 2n), side: 'x', price: 5, shares: 5 }), 'an order on side "x"'],
      ['more than is left', encodeItch('E', { ...of(second, 1n), shares: 6 }), 'E of 6 shares of an order with 5'],
      ['nothing', encodeItch('X', { ...of(second, 1n), shares: 0 }), 'X of 0 shares of an order with 5'],
      ['time runs backwards', encodeItch('D', of(second - 1, 1n)), 'earlier than the message before'],
    ];
    for (const [what, message, reason] of cases) {
      const refused = await convert([listed, order, message]).then(
        () => null,
        ({ detail }: LoadError) => detail,
      );
      expect([what, refused]).toEqual([what, { code: 'LOAD_ITCH_MALFORMED', offset: after, reason }]);
    }
  });

  it('tells only fills that the book of the flow has, whatever the file says', async () => {
    let fills = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const random = createPrng(seed);
      const messages: Uint8Array[] = [listed];
      const open = new Map<bigint, number>();
      for (let index = 1; index <= 300; index++) {
        const [reference, shares] = [...open][random.below(Math.max(open.size, 1))] ?? [0n, 0];
        const some = 1 + random.below(Math.max(shares, 1));
        if (reference === 0n || random.chance(2, 5)) {
          const size = 1 + random.below(30);
          messages.push(add(BigInt(index), random.chance(1, 2) ? 'B' : 'S', 95 + random.below(11), size));
          open.set(BigInt(index), size);
        } else if (random.chance(1, 6)) {
          messages.push(
            encodeItch('U', {
              ...of(second, reference),
              newReference: BigInt(index),
              shares: some,
              price: 95 + random.below(11),
            }),
          );
          open.delete(reference);
          open.set(BigInt(index), some);
        } else {
          messages.push(encodeItch(random.chance(2, 3) ? 'E' : 'X', { ...of(second, reference), shares: some }));
          if (some === shares) open.delete(reference);
          else open.set(reference, shares - some);
        }
      }
      // Orders that were left out are not known any more: what is told about them is lost, and no contradiction.
      const lines = await convert(messages);
      expect([seed, wrongFills(lines)]).toEqual([seed, []]);
      fills += (lines.at(-1) as FlowLineOf<'end'>).totals.fills;
    }
    expect(fills).toBeGreaterThan(100);
  });
});

/** Carries the orders of a flow out in the plainest way, and compares each order's fills with those that the flow tells. */
function wrongFills(lines: readonly FlowLine[]): string[] {
  interface Resting {
    readonly ref: string;
    readonly isBuy: boolean;
    readonly price: number;
    size: number;
  }
  const book: Resting[] = [];
  const wrong: string[] = [];
  for (const { line, action, outcome } of operations(lines)) {
    const items = action.type === 'batch' ? action.items : [action];
    items.forEach((item, index) => {
      const ref = action.type === 'batch' ? `${line}.${index}` : `${line}`;
      if (item.type === 'cancel')
        book.splice(
          book.findIndex((order) => order.ref === item.order),
          1,
        );
      if (item.type === 'modify') book.find((order) => order.ref === item.order)!.size = Number(item.size);
      if (item.type !== 'order') return;
      const [isBuy, price] = [item.side === 'buy', Number(item.price)];
      let size = Number(item.size);
      const fills: string[] = [];
      const meets = book
        .filter((order) => order.isBuy !== isBuy && (isBuy ? order.price <= price : order.price >= price))
        .sort((a, b) => (isBuy ? a.price - b.price : b.price - a.price));
      for (const maker of meets) {
        const units = Math.min(size, maker.size);
        if (units > 0) fills.push(`${units} at ${maker.price} of ${maker.ref}`);
        size -= units;
        maker.size -= units;
        if (maker.size === 0) book.splice(book.indexOf(maker), 1);
      }
      if (size > 0 && item.tif === 'gtc') book.push({ ref, isBuy, price, size });
      const told = (outcome.fills ?? []).map((fill) => `${fill.size} at ${fill.price} of ${fill.maker}`);
      if (fills.join() !== told.join()) wrong.push(`line ${line}: ${fills.join()} and not ${told.join()}`);
    });
  }
  return wrong;
}
