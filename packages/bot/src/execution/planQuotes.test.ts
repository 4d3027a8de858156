import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { OwnOrder, Side } from '../market.ts';
import type { Quote } from '../strategy/strategy.ts';
import { createClientIds } from './clientIds.ts';
import { type ExecutionSettings, type PlanInput, planQuotes } from './planQuotes.ts';

const ids = createClientIds('test', 1);
const settings: ExecutionSettings = {
  priceToleranceTicks: 0,
  refillBelowPercent: 50,
  orderSeconds: 30,
  refreshSeconds: 10,
  batchMax: 100,
};
const now = 1_000;
const fresh = now + 30;
const plan = (quotes: readonly Quote[], live: readonly OwnOrder[], changes: Partial<PlanInput> = {}) =>
  planQuotes({
    quotes,
    takes: [],
    live,
    openOrdersMax: 1_000,
    nowSeconds: now,
    tickSize: 1n,
    basisBlock: 7n,
    ids,
    settings,
    ...changes,
  });
const quote = (side: Side, price: bigint, size = 10n): Quote => ({ side, price, size });
let nextId = 1;
const order = (side: Side, price: bigint, size = 10n, expiresAtSeconds = fresh): OwnOrder => ({
  orderId: nextId++,
  clientId: ids.next(1n, nextId),
  side,
  price,
  size,
  expiresAtSeconds,
});

/** What rests after a plan was carried out, and whether anything met an order of the same account, or more were open than allowed. */
function carryOut(live: readonly OwnOrder[], items: ReturnType<typeof plan>['items']) {
  let open = live.map(({ side, price, size, orderId }) => ({ side, price, size, orderId }));
  let mostOpen = open.length;
  let met = false;
  const rest = (side: Side, price: bigint): void => {
    if (open.some((each) => each.side !== side && (side === 'buy' ? each.price <= price : each.price >= price)))
      met = true;
  };
  for (const item of items) {
    if (item.type === 'cancel') open = open.filter(({ orderId }) => orderId !== item.orderId);
    else if (item.type === 'modify') {
      const old = open.find(({ orderId }) => orderId === item.orderId)!;
      open = open.filter((each) => each !== old);
      rest(old.side, item.price);
      open.push({ ...old, price: item.price, size: item.size });
    } else if (item.type === 'quote') {
      rest(item.side, item.price);
      open.push({ side: item.side, price: item.price, size: item.size, orderId: 100_000 + open.length });
    }
    mostOpen = Math.max(mostOpen, open.length);
  }
  return { open, mostOpen, met };
}

const sorted = (quotes: readonly Quote[]): string[] =>
  quotes.map(({ side, price, size }) => `${side} ${price} ${size}`).toSorted();

const side = fc.constantFrom<Side>('buy', 'sell');
/** Bids below 50 and asks above, as no two wishes cross. */
const wishes = fc
  .uniqueArray(fc.record({ side, at: fc.integer({ min: 1, max: 12 }), size: fc.bigInt({ min: 1n, max: 20n }) }), {
    selector: (wish) => `${wish.side}${wish.at}`,
    maxLength: 10,
  })
  .map((list) =>
    list.map(({ side: of, at, size }) => quote(of, of === 'buy' ? 50n - BigInt(at) : 50n + BigInt(at), size)),
  );
/** What rests may be anywhere, but bids are below asks, because it is in one book. */
const resting = fc
  .tuple(
    fc.integer({ min: 30, max: 70 }),
    fc.array(
      fc.record({
        side,
        at: fc.integer({ min: 1, max: 12 }),
        size: fc.bigInt({ min: 1n, max: 20n }),
        isDue: fc.boolean(),
      }),
      { maxLength: 10 },
    ),
  )
  .map(([mid, list]) =>
    list.map(({ side: of, at, size, isDue }) =>
      order(of, BigInt(of === 'buy' ? mid - at : mid + at), size, isDue ? now + 3 : fresh),
    ),
  );

/** The least number of items by trying all: which orders stay for which quotes. */
function leastItems(quotes: readonly Quote[], live: readonly OwnOrder[]): number {
  const of = (which: Side): number => {
    const wanted = quotes.filter((each) => each.side === which);
    const own = live.filter((each) => each.side === which);
    const due = own.filter(({ expiresAtSeconds }) => expiresAtSeconds === now + 3).length;
    const usable = own.filter(({ expiresAtSeconds }) => expiresAtSeconds !== now + 3);
    const keeps = (orders: readonly OwnOrder[], left: readonly Quote[]): number => {
      const [first, ...others] = orders;
      if (first === undefined) return 0;
      return left.reduce(
        (best, each) =>
          each.price === first.price && first.size <= each.size && first.size * 2n >= each.size
            ? Math.max(
                best,
                1 +
                  keeps(
                    others,
                    left.filter((one) => one !== each),
                  ),
              )
            : best,
        keeps(others, left),
      );
    };
    return due + Math.max(usable.length, wanted.length) - keeps(usable, wanted);
  };
  return of('buy') + of('sell');
}

describe('a plan', () => {
  it('of any wish and anything that rests leads there, meets no own order, and is the shortest', () => {
    fc.assert(
      fc.property(wishes, resting, (quotes, live) => {
        const { items, postponed } = plan(quotes, live);
        const { open, met } = carryOut(live, items);
        expect(met).toBe(false);
        expect(postponed).toBe(0);
        expect(items.length).toBe(leastItems(quotes, live));
        // A size that is kept may be smaller than wanted, by what filled.
        expect(sorted(open).map(withoutSize)).toEqual(sorted(quotes).map(withoutSize));
        for (const each of open) {
          const wanted = quotes.find((one) => one.side === each.side && one.price === each.price)!;
          expect(each.size <= wanted.size && each.size * 2n >= wanted.size).toBe(true);
        }
      }),
    );
  });

  it('made again behind its own result is empty', () => {
    fc.assert(
      fc.property(wishes, resting, (quotes, live) => {
        const { open } = carryOut(live, plan(quotes, live).items);
        const next = open.map((each) => ({ ...each, clientId: ids.next(9n, 1), expiresAtSeconds: fresh }));
        expect(plan(quotes, next).items).toEqual([]);
      }),
    );
  });

  it('that does not fit into one batch gets there in several, without meeting an own order', () => {
    fc.assert(
      fc.property(wishes, resting, fc.integer({ min: 1, max: 5 }), (quotes, live, batchMax) => {
        let orders: readonly OwnOrder[] = live;
        for (let round = 0; round < 40; round++) {
          const { items } = plan(quotes, orders, { settings: { ...settings, batchMax } });
          if (items.length === 0) break;
          expect(items.length).toBeLessThanOrEqual(batchMax);
          const { open, met } = carryOut(orders, items);
          expect(met).toBe(false);
          const known = new Map(orders.map((each) => [each.orderId, each.expiresAtSeconds]));
          orders = open.map((each) => ({
            ...each,
            orderId: known.has(each.orderId) ? each.orderId : nextId++,
            clientId: null,
            expiresAtSeconds: known.get(each.orderId) ?? fresh,
          }));
        }
        expect(plan(quotes, orders).items).toEqual([]);
      }),
    );
  });

  it.each([99, 100, 101])('of %i new quotes has at most 100 items', (count) => {
    const quotes = Array.from({ length: count }, (_, at) => quote('buy', 1_000n - BigInt(at)));
    const { items, postponed } = plan(quotes, []);
    expect([items.length, postponed]).toEqual([Math.min(count, 100), Math.max(0, count - 100)]);
  });

  it.each([9, 10, 11])('with room for %i open orders never has more, and gives up the farthest', (openOrdersMax) => {
    const quotes = [1n, 2n, 3n, 4n, 5n].flatMap((at) => [quote('buy', 50n - at), quote('sell', 50n + at)]);
    const live = [order('buy', 20n), order('buy', 21n), order('sell', 80n)];
    const { items } = plan(quotes, live, { openOrdersMax });
    const { open, mostOpen } = carryOut(live, items);
    expect(mostOpen).toBeLessThanOrEqual(openOrdersMax);
    expect(open.length).toBe(Math.min(10, openOrdersMax));
    if (openOrdersMax === 9) expect(open.some(({ price }) => price === 55n)).toBe(false);
  });

  it('keeps the place of an order that has to be smaller, and of one that traded less than the refill', () => {
    const [large, traded, spent] = [order('buy', 10n, 30n), order('buy', 9n, 6n), order('buy', 8n, 4n)];
    const { items, kept } = plan([quote('buy', 10n), quote('buy', 9n), quote('buy', 8n)], [large, traded, spent]);
    expect(kept).toBe(1);
    expect(items).toEqual([
      { type: 'modify', orderId: large.orderId, price: 10n, size: 10n },
      { type: 'modify', orderId: spent.orderId, price: 8n, size: 10n },
    ]);
  });

  it('keeps what is within the tolerance, unless it stands in the way of the other side', () => {
    const tolerant = { settings: { ...settings, priceToleranceTicks: 2 } };
    const near = order('buy', 42n);
    expect(plan([quote('buy', 40n), quote('sell', 60n)], [near, order('sell', 61n)], tolerant).items).toEqual([]);
    const inTheWay = plan([quote('buy', 40n), quote('sell', 43n)], [near], tolerant).items;
    expect(inTheWay[0]).toEqual({ type: 'modify', orderId: near.orderId, price: 40n, size: 10n });
  });

  it('replaces an order whose life ends soon, at the limit and not before', () => {
    const [before, at] = [order('buy', 10n, 10n, now + 9), order('buy', 9n, 10n, now + 10)];
    const { items } = plan([quote('buy', 10n), quote('buy', 9n)], [before, at]);
    expect(items.map(({ type }) => type)).toEqual(['cancel', 'quote']);
    expect(items[0]).toEqual({ type: 'cancel', orderId: before.orderId });
    expect(items[1]).toMatchObject({ price: 10n, expiresAtSeconds: now + 30 });
  });

  it('names orders by the block of the decision, so that the same decision has the same names', () => {
    const names = (basisBlock: bigint): string[] =>
      plan([quote('buy', 10n), quote('sell', 12n)], [], { basisBlock }).items.map((item) =>
        'clientId' in item ? item.clientId : '',
      );
    expect(names(5n)).toEqual(names(5n));
    expect(new Set([...names(5n), ...names(6n)]).size).toBe(4);
  });

  it('has what trades at once at its end', () => {
    const { items } = plan([quote('buy', 10n)], [order('buy', 8n)], { takes: [quote('sell', 10n, 3n)] });
    expect(items.map(({ type }) => type)).toEqual(['modify', 'take']);
  });
});

const withoutSize = (text: string): string => text.split(' ').slice(0, 2).join(' ');
