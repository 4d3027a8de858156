import { type Draft, ownAction } from '../draft.ts';
import type { Account } from '../keyring.ts';
import type { Market } from '../layout.ts';
import type { ProgramMaker, World } from '../world.ts';
import { episodes, type Step } from './episodes.ts';
import { batches, cancelEverything } from './manyOrders.ts';
import { orderOf } from './trading.ts';

/**
 * Accounts that lose what they have. The margins are those of a network that says nothing: 10 % to open, 5 % to keep. Each market has a bank, which sells to those
 * who are to lose, and a printer, which buys, so that the two of them set the price. Who loses is new in each round and is given exactly what it
 * needs by the bank, so that a round does not hang on how the one before ended.
 */

/** Where positions are opened, ticks. */
export const openPrice = 1_000;
const initialShare = 0.1;
const maintenanceShare = 0.05;

interface Table {
  readonly kind: string;
  readonly market: Market;
  readonly bank: Account;
  readonly printer: Account;
}

const tableOf = (
  kind: string,
  { keyring, markets }: World,
  [bank, printer]: readonly number[],
  place: number,
): Table => ({
  kind,
  market: markets[place]!,
  bank: keyring.account(bank!),
  printer: keyring.account(printer!),
});

interface Wanted {
  readonly side: 'buy' | 'sell';
  /** Ticks. */
  readonly price: number;
  /** Lots. */
  readonly size: number;
  readonly tif: 'gtc' | 'ioc';
  readonly reduceOnly?: boolean;
}

function order({ kind, market }: Table, who: Account, { side, ...wanted }: Wanted): Draft {
  const payload = orderOf(market, { isBuy: side === 'buy', ...wanted });
  return ownAction(`${kind}/${wanted.tif === 'gtc' ? 'makers' : 'takers'}`, who, payload);
}

/** What a position is worth for each tick of price and lot of size, wei. */
const money = ({ market: { tick, lot } }: Table, ticksTimesLots: number): bigint =>
  BigInt(Math.ceil(ticksTimesLots)) * tick * lot;

const clear = ({ kind, bank, printer }: Table): Draft[] =>
  [bank, printer].map((account) => cancelEverything(`${kind}/clear`, account));

/** One lot changes hands at a price, with bids behind it. @param bidLots that stay in the book */
function* print(table: Table, price: number, bidLots: number): Generator<Step, void> {
  yield order(table, table.printer, { side: 'buy', price, size: 1 + bidLots, tif: 'gtc' });
  yield 'rest';
  yield order(table, table.bank, { side: 'sell', price, size: 1, tif: 'ioc' });
  yield 'rest';
}

/** Gives an account collateral, and lets it buy from the bank. @param ticks of collateral for each lot */
const give = (table: Table, { address }: Account, lots: number, ticks: number): Draft =>
  ownAction(`${table.kind}/transfers`, table.bank, {
    type: 'transfer',
    to: address,
    amount: money(table, ticks * lots),
  });

const close = ({ kind, printer }: Table, { address }: Account): Draft =>
  ownAction(kind, printer, { type: 'liquidate', address });

/** The bank buys back what the printer came to hold. */
function* flatten(table: Table, price: number, lots: number): Generator<Step, void> {
  yield order(table, table.bank, { side: 'buy', price, size: lots, tif: 'gtc' });
  yield 'rest';
  yield order(table, table.printer, { side: 'sell', price, size: lots, tif: 'ioc', reduceOnly: true });
  yield 'rest';
  yield* clear(table);
  yield 'rest';
}

const options = ({ markets }: World) => ({ laneAccounts: 2, lanesAtMost: markets.length });

/** A name that no other lane and no run before has. */
const victimName = (kind: string, { facts }: World, indices: readonly number[], serial: number): string =>
  `${kind}/${facts.timeMs}/${indices[0]}/${serial}`;

/** Collateral for each lot, ticks: the initial margin and a little. */
const barelyEnough = openPrice * initialShare * 1.05;
/** Where what was barely enough is less than nothing, so that nothing of the position stays. */
const lowPrice = 880;

/** The kind `liquidate`: an account with `size` open orders loses its position, and all of them end with it. */
export const liquidate: ProgramMaker = (world, size) =>
  episodes(world, options(world), function* (indices, place): Generator<Step, never> {
    const table = tableOf('liquidate', world, indices, place);
    // A position as large as half of its sell orders, which then ask for no margin.
    const lots = Math.max(10, 1 + Math.ceil(size / 2));
    const half = Math.ceil(lots / 2);
    for (let serial = 0; ; serial++) {
      const victim = world.keyring.once(victimName('liquidate', world, indices, serial));
      yield* clear(table);
      yield* print(table, openPrice, 0);
      yield give(table, victim, lots, barelyEnough);
      yield order(table, table.bank, { side: 'sell', price: openPrice, size: lots, tif: 'gtc' });
      yield 'rest';
      yield order(table, victim, { side: 'buy', price: openPrice, size: lots, tif: 'ioc' });
      yield 'rest';
      yield* batches('liquidate/place', victim, size, (index) =>
        orderOf(table.market, { isBuy: false, price: 5_000 + (index % 40), size: 1, tif: 'gtc' }),
      );
      yield* clear(table);
      yield 'rest';
      yield* print(table, lowPrice, half);
      yield close(table, victim);
      yield 'rest';
      yield* flatten(table, lowPrice, half + 2);
      yield 'done';
    }
  });

/** Lots of each leveraged account. */
const cascadeLots = 10;
/** Collateral of the least and of the most careful one, ticks for each lot. */
const [least, most] = [openPrice * initialShare * 1.05, openPrice * 0.3];
/** Where the price goes, ticks. The last step is further than the collateral of those who are left. */
const path = [960, 930, 880, 820, 600];
/** At this price an account with so much collateral for each lot is liquidatable. */
const limitOf = (ticks: number): number => (openPrice - ticks) / (1 - maintenanceShare);

/** The kind `cascade`: a price falls by steps below `size` accounts, the most leveraged first. */
export const cascade: ProgramMaker = (world, size) =>
  episodes(world, options(world), function* (indices, place): Generator<Step, never> {
    const table = tableOf('cascade', world, indices, place);
    for (let round = 0; ; round++) {
      const accounts = Array.from({ length: size }, (_, index) => ({
        account: world.keyring.once(victimName('cascade', world, indices, round * size + index)),
        ticks: least + ((most - least) * index) / size,
      }));
      yield* clear(table);
      yield* print(table, openPrice, 0);
      for (const { account, ticks } of accounts) yield give(table, account, cascadeLots, ticks);
      yield order(table, table.bank, { side: 'sell', price: openPrice, size: cascadeLots * size, tif: 'gtc' });
      yield 'rest';
      for (const { account } of accounts)
        yield order(table, account, { side: 'buy', price: openPrice, size: cascadeLots, tif: 'ioc' });
      yield 'rest';
      yield* clear(table);
      let left = accounts;
      let bought = 1;
      for (const price of path) {
        const fallen = left.filter(({ ticks }) => limitOf(ticks) > price + 1);
        left = left.filter(({ ticks }) => limitOf(ticks) <= price + 1);
        // Bids for a half of them: the rest waits, or is for insurance and the other side.
        const bids = Math.ceil((cascadeLots * fallen.length) / 2);
        bought += 1 + bids;
        yield* print(table, price, bids);
        for (const { account } of fallen) yield close(table, account);
        yield 'rest';
        yield* clear(table);
      }
      // Who had equity kept what the book did not take, and has less than nothing now.
      for (const { account } of accounts) yield close(table, account);
      yield 'rest';
      yield* flatten(table, path.at(-1)!, bought);
      // Who was not liquidated has less than nothing at the low price; the next round begins without that.
      yield* print(table, openPrice, 0);
      yield 'done';
    }
  });
