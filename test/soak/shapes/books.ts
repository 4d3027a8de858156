import { hex } from '../clients.ts';
import { limit, named, type Scene, type Shape } from '../scene.ts';
import { markets } from '../soakNetwork.ts';

/** Many resting orders that end together, at the sizes where arrays, records and pages end. */

const rich = 10n ** 18n;

/** Orders that stay apart from each other's side. */
const ladder = (market: number, count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) =>
    limit(
      market,
      index % 2 === 0 ? 'buy' : 'sell',
      index % 2 === 0 ? 1000 - (index % 40) : 2000 + (index % 40),
      1 + (index % 7),
      more,
    ),
  );

async function cancelAllAround(scene: Scene): Promise<void> {
  const owner = named('canceller');
  await scene.fund([owner], rich);
  for (const size of [scene.pick([63, 64]), scene.pick([65, 66, 127, 128, 129]), scene.pick([257, 511, 513, 1025])]) {
    await scene.place(owner, ladder(markets.cancels, size));
    await scene.cancelAll(owner);
  }
}

async function cancelsInFlight(scene: Scene): Promise<void> {
  const owner = named('singles');
  await scene.fund([owner], rich);
  await scene.place(owner, ladder(markets.cancels, scene.pick([310, 400, 600])));
  const ids = await scene.open(owner);
  // The first of them once more: it is gone by then.
  await scene.together([...ids, ids[0]!].map((id) => ['primeorders_cancelOrder', [id]] as const));
  await scene.cancelAll(owner);
}

async function batchesThatCancel(scene: Scene): Promise<void> {
  const owner = named('batcher');
  await scene.fund([owner], rich);
  const some = ladder(markets.cancels, 99).map((order) => ({ type: 'order', ...order }));
  await scene.batches(owner, [...some, { type: 'cancel_all' }]);
  await scene.batches(owner, some);
  await scene.batches(owner, [{ type: 'cancel_all', market_id: markets.cancels }, ...some]);
  await scene.batches(owner, [...some.slice(0, 70), { type: 'cancel_all' }, ...some.slice(0, 29)]);
  await scene.cancelAll(owner);
}

/** What was there before a restart ends after it. */
async function restartBetween(scene: Scene): Promise<void> {
  const owner = named('patient');
  await scene.fund([owner], rich);
  await scene.place(owner, ladder(markets.cancels, scene.pick([99, 100, 101, 129])), 1);
  await scene.disturb();
  await scene.cancelAll(owner);
  await scene.place(owner, ladder(markets.cancels, 100));
  await scene.cancelAll(owner);
}

async function sweeps(scene: Scene): Promise<void> {
  const taker = named('sweeper');
  const makers = Array.from({ length: 20 }, (_, index) => named(`maker${index}`));
  await scene.fund([taker, ...makers], rich);
  for (const total of [scene.pick([63, 64, 65, 70]), scene.pick([129, 257]), scene.pick([1000, 1025, 1400])]) {
    const each = Math.ceil(total / makers.length);
    const asks = Array.from({ length: each }, (_, index) => limit(markets.sweeps, 'sell', 1000 + (index % 10), 2));
    await Promise.all(makers.map((maker) => scene.place(maker, asks)));
    const size = 2 * each * makers.length;
    // All but the last unit, which a second order takes; what is bought is sold again to bids of the makers.
    await scene.order(taker, limit(markets.sweeps, 'buy', 1100, size - 1, { tif: 'ioc' }));
    await scene.order(taker, limit(markets.sweeps, 'buy', 1100, 1, { tif: 'fok' }));
    await scene.order(taker, limit(markets.sweeps, 'buy', 1100, 5, { tif: 'fok' }));
    await Promise.all(makers.map((maker) => scene.order(maker, limit(markets.sweeps, 'buy', 1000, 2 * each))));
    await scene.order(taker, limit(markets.sweeps, 'sell', 900, size, { tif: 'ioc', reduce_only: true }));
    await Promise.all(makers.map((maker) => scene.cancelAll(maker)));
  }
}

/** Seconds from the last order until it ends: longer than it takes to place all of them on a busy machine. */
const lifeSeconds = 25;

async function expiries(scene: Scene): Promise<void> {
  const owners = [named('mayfly'), named('mayfly2')];
  await scene.fund(owners, rich);
  const { timestamp } = await scene.clients.read<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false]);
  const end = Number(timestamp) + lifeSeconds;
  const count = scene.pick([1001, 1100, 1000]);
  await scene.place(owners[0]!, ladder(markets.expiries, count, { expires_at: end }));
  await scene.place(owners[1]!, ladder(markets.expiries, scene.pick([70, 129]), { expires_at: end + 4 }));
  await scene.disturb();
  await scene.until('all of them are over', async () => {
    const open = await Promise.all(owners.map((owner) => scene.open(owner)));
    return open.flat().length === 0;
  });
}

/** One account up to the most that it may have. */
async function tenThousand(scene: Scene): Promise<void> {
  const owner = named('tenthousand');
  const most = 10_000;
  await scene.fund([owner], rich);
  const orders = Array.from({ length: most - 1 }, (_, index) =>
    limit(markets.many, 'buy', 10_000 - Math.floor(index / 20), 1 + (index % 3)),
  );
  await scene.place(owner, orders);
  // What a restart has lost on its way comes again, up to the limit and beyond.
  const missing = most - 1 - (await scene.open(owner)).length;
  await scene.place(owner, orders.slice(0, Math.max(0, missing)));
  for (const price of [1, 2, 3]) await scene.order(owner, limit(markets.many, 'buy', price, 1));
  if (scene.random.chance(1, 2)) await scene.disturb();
  await scene.cancelAll(owner);
}

/** More actions than one block takes. */
async function fullBlocks(scene: Scene): Promise<void> {
  const owners = Array.from({ length: 4 }, (_, index) => named(`crowd${index}`));
  await scene.fund(owners, rich);
  const calls = Array.from({ length: scene.pick([1500, 1700]) }, (_, index) => {
    const owner = owners[index % owners.length]!;
    const side = index % 2 === 0 ? 'buy' : 'sell';
    const order = limit(markets.mixed, side, side === 'buy' ? 900 - (index % 50) : 1100 + (index % 50), 1);
    return ['primeorders_submitOrder', [{ owner, ...order }]] as const;
  });
  await scene.together(calls);
  await Promise.all(owners.map((owner) => scene.cancelAll(owner)));
}

/** Markets are added while others are traded in. */
async function marketsAppear(scene: Scene): Promise<void> {
  const symbol = `N${scene.random.below(10 ** 9)}/USD`;
  await scene.clients.ask('primeorders_addMarket', [symbol, hex(1), hex(1)]);
  await scene.clients.ask('primeorders_addMarket', [symbol, hex(1), hex(1)]);
  await scene.clients.ask('primeorders_setMarginParams', [
    { initialMarginBps: 1000, maintenanceMarginBps: 500, market_id: markets.grid },
  ]);
}

export const bookShapes: readonly Shape[] = [
  { name: 'cancelAll around capacities', run: cancelAllAround },
  { name: 'single cancels in flight', run: cancelsInFlight },
  { name: 'batches that cancel all', run: batchesThatCancel },
  { name: 'orders, restart, cancelAll', run: restartBetween },
  { name: 'sweeps', run: sweeps },
  { name: 'expiries at one second', run: expiries },
  { name: 'ten thousand orders of one account', isLong: true, run: tenThousand },
  { name: 'more actions than a block takes', run: fullBlocks },
  { name: 'markets appear', run: marketsAppear },
];
