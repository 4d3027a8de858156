import type { ActionPayload } from '@prime/codec';
import type { MarketId } from '@prime/primitives';
import { type Draft, ownAction } from '../draft.ts';
import type { Account } from '../keyring.ts';
import type { Market } from '../layout.ts';
import type { ProgramMaker } from '../world.ts';
import { episodes, restUntil, type Step } from './episodes.ts';
import { orderOf } from './trading.ts';

/** Many orders that end together. */

/** Orders of one batch: few enough that the orders of a shape are several actions. */
const batchOrders = 25;

/** Orders that stand apart from the other side's, so that none of them trades. */
const apart = (index: number, expiresAt = 0) => {
  const isBuy = index % 2 === 0;
  const price = isBuy ? 1_000 - (index % 40) : 2_000 + (index % 40);
  return { isBuy, price, size: 1 + (index % 7), tif: 'gtc' as const, expiresAt };
};

/** Ends the orders of an account in all markets. */
export const cancelEverything = (kind: string, account: Account): Draft =>
  ownAction(kind, account, { type: 'cancelAll', marketId: null });

/** Orders of an account in batches. @param order the one with an index */
export function* batches(
  kind: string,
  account: Account,
  count: number,
  order: (index: number) => ActionPayload,
): Generator<Draft, void> {
  for (let first = 0; first < count; first += batchOrders) {
    const length = Math.min(batchOrders, count - first);
    const items = Array.from({ length }, (_, index) => order(first + index));
    yield ownAction(kind, account, { type: 'batch', items });
  }
}

/** Markets in turn. */
const marketOf = (markets: readonly Market[], index: number): Market => markets[index % markets.length]!;

/**
 * The kind `cancel_all`: `size` orders that come in batches and end with one action, in one market and in all by
 * turns.
 */
export const cancelAll: ProgramMaker = (world, size) =>
  episodes(world, { laneAccounts: 1 }, function* (indices, place) {
    const market = marketOf(world.markets, place);
    for (let turn = 0; ; turn++) {
      const account = world.keyring.account(indices[turn % indices.length]!);
      yield* batches('cancel_all/place', account, size, (index) => orderOf(market, apart(index)));
      yield 'rest';
      // Of its market only, and of all of them.
      const marketId = turn % 2 === 0 ? null : (market.id as MarketId);
      yield ownAction('cancel_all', account, { type: 'cancelAll', marketId });
      yield 'done';
    }
  });

/** The kind `burst`: `size` orders one by one, without a pause, and one cancel of all. */
export const burst: ProgramMaker = (world, size) =>
  episodes(world, { laneAccounts: 1 }, function* (indices, place) {
    const market = marketOf(world.markets, place);
    for (let turn = 0; ; turn++) {
      const account = world.keyring.account(indices[turn % indices.length]!);
      for (let index = 0; index < size; index++) yield ownAction('burst/place', account, orderOf(market, apart(index)));
      yield 'rest';
      yield cancelEverything('burst/cancel', account);
      yield 'done';
    }
  });

/** Seconds at which orders end are multiples of this, so that those of many accounts end in the same one. */
const expirySeconds = 5;
/** ms from an order to its end at least: as long as it may take to its block. */
const lifeMs = 15_000;

/** The kind `expire`: `size` orders of an account whose time is over in the same second. */
export const expire: ProgramMaker = (world, size) =>
  episodes(world, { laneAccounts: 1 }, function* (indices, place): Generator<Step, never> {
    const { clock, keyring, markets, share } = world;
    const market = marketOf(markets, place);
    for (let turn = 0; ; turn++) {
      const account = keyring.account(indices[turn % indices.length]!);
      // Behind the time at which the last of them is sent.
      const doneMs = clock.nowMs() + (Math.ceil(size / batchOrders) * 1_000) / (clock.rate * share);
      const end = expirySeconds * Math.ceil((doneMs + lifeMs) / 1_000 / expirySeconds);
      yield* batches('expire/place', account, size, (index) => orderOf(market, apart(index, end)));
      yield* restUntil(clock, (end + 1) * 1_000);
      yield 'done';
    }
  });

/** Makers of a sweep. */
const makersMax = 20;

/** The kind `sweep`: orders of one account that trade with `size` resting ones of others. */
export const sweep: ProgramMaker = (world, size) =>
  episodes(world, { laneAccounts: 5, lanesAtMost: world.markets.length }, function* (indices, place): Generator<
    Step,
    never
  > {
    const market = world.markets[place]!;
    const [taker, ...others] = indices.map((index) => world.keyring.account(index));
    const makers = others.slice(0, makersMax);
    const ordersOf = (maker: number): number => Math.floor((size + makers.length - 1 - maker) / makers.length);
    const lots = 2 * size;
    const take = (isBuy: boolean, lotsTaken: number, tif: 'ioc' | 'fok', reduceOnly = false): Draft => {
      const price = isBuy ? 1_100 : 900;
      return ownAction('sweep', taker!, orderOf(market, { isBuy, price, size: lotsTaken, tif, reduceOnly }));
    };
    for (;;) {
      for (const [index, maker] of makers.entries())
        yield* batches('sweep/makers', maker, ordersOf(index), (order) =>
          orderOf(market, { isBuy: false, price: 1_000 + (order % 10), size: 2, tif: 'gtc' }),
        );
      yield 'rest';
      // All but one lot of the last order, and that one alone.
      yield take(true, lots - 1, 'ioc');
      yield take(true, 1, 'fok');
      yield 'rest';
      for (const [index, maker] of makers.entries()) {
        const order = { isBuy: true, price: 1_000, size: 2 * ordersOf(index), tif: 'gtc' } as const;
        if (order.size > 0) yield ownAction('sweep/makers', maker, orderOf(market, order));
      }
      yield 'rest';
      yield take(false, lots, 'ioc', true);
      yield 'rest';
      for (const maker of makers) yield cancelEverything('sweep/makers', maker);
      yield 'done';
    }
  });
