import { hex } from '../clients.ts';
import { beyondAllWei } from '../decidedBlocks.ts';
import { limit, named, type Scene, type Shape, type WireOrder } from '../scene.ts';
import { markets } from '../soakNetwork.ts';

/** Orders that change, meet each other and their owners, and accounts that lose. */

const rich = 10n ** 20n;
const selfTrades = ['cancel_maker', 'cancel_taker', 'cancel_both', 'decrement'] as const;

async function changes(scene: Scene): Promise<void> {
  const [a, b] = [named('changer'), named('counter')];
  await scene.fund([a, b], rich);
  const market = markets.changes;
  await scene.place(
    a,
    Array.from({ length: 70 }, (_, index) => limit(market, 'sell', 1000 + index, 10)),
  );
  const ids = await scene.open(a);
  // Smaller at the same price, another price, larger, the same; then off the list.
  const modified = ids.map((id, index) => ({
    type: 'modify',
    order_id: id,
    price: hex(1000 + index + (index % 4 === 1 ? 200 : 0)),
    size: hex([6, 10, 14, 10][index % 4]!),
  }));
  await scene.batches(a, modified);
  await scene.batches(a, [
    { type: 'order', ...limit(market, 'sell', 990, 10) },
    { type: 'order', ...limit(market, 'buy', 990, 4, { tif: 'ioc', stp: 'decrement' }) },
    { type: 'order', ...limit(market, 'buy', 990, 12, { stp: 'decrement' }) },
  ]);
  for (const stp of selfTrades) {
    await scene.order(a, limit(market, 'sell', 980, 10));
    await scene.order(a, limit(market, 'buy', 980, 4, { tif: 'ioc', stp }));
  }
  await scene.order(b, limit(market, 'buy', 1300, 100, { tif: 'ioc' }));
  await scene.order(b, limit(market, 'buy', 1300, 5, { tif: 'ioc', reduce_only: true }));
  await scene.order(a, limit(market, 'buy', 900, 30));
  await scene.order(b, limit(market, 'sell', 900, 45, { tif: 'ioc', reduce_only: true }));
  await scene.order(a, limit(market, 'sell', 850, 1, { post_only: true }));
  await Promise.all([a, b].map((owner) => scene.cancelAll(owner)));
}

async function clientIds(scene: Scene): Promise<void> {
  const owner = named('labels');
  await scene.fund([owner], rich);
  const label = (index: number): string => `0x${index.toString(16).padStart(32, '0')}`;
  const orders = Array.from({ length: 80 }, (_, index) =>
    limit(markets.changes, 'buy', 100 + (index % 9), 1, { client_id: label(index) }),
  );
  await scene.place(owner, orders, 40);
  await scene.order(owner, orders[3]!);
  await scene.batches(
    owner,
    orders.map((_, index) => ({ type: 'cancel_by_client_id', market_id: markets.changes, client_id: label(index) })),
  );
  await scene.order(owner, orders[3]!);
  await scene.cancelAll(owner);
}

/** Sizes and prices over all that numbers can hold exactly, and beyond. */
async function magnitudes(scene: Scene): Promise<void> {
  const [a, b] = [named('giant'), named('titan')];
  await scene.fund([a, b], 10n ** 25n);
  const market = markets.grid;
  for (const size of [
    10n,
    2n ** 20n * 10n,
    (2n ** 53n / 10n) * 10n,
    (2n ** 60n / 10n) * 10n,
    (2n ** 70n / 10n) * 10n,
  ]) {
    await scene.order(a, limit(market, 'sell', 100, size));
    await scene.order(b, limit(market, 'buy', 105, size / 20n > 0n ? (size / 20n) * 10n : 10n, { tif: 'ioc' }));
    await scene.cancelAll(a);
  }
  await scene.order(a, limit(market, 'buy', 2n ** 70n - (2n ** 70n % 5n), 10n));
  await scene.order(a, limit(market, 'buy', 101, 10));
  await scene.order(a, limit(market, 'buy', 100, 15));
  // What was sold is bought back.
  await scene.order(b, limit(market, 'sell', 90, 2n ** 72n - (2n ** 72n % 10n), { tif: 'ioc', reduce_only: true }));
  await Promise.all([a, b].map((owner) => scene.cancelAll(owner)));
}

/** Accounts with little beside one with much; the price falls, and the book takes some of them, then to where they have less than nothing. */
async function liquidations(scene: Scene): Promise<void> {
  const market = markets.risk;
  const [bank, buyer, left, right] = ['bank', 'vulture', 'printer', 'printer2'].map(named) as [
    string,
    string,
    string,
    string,
  ];
  const count = scene.pick([65, 70, 90]);
  const longs = Array.from({ length: count }, (_, index) => named(`long${index}`));
  await scene.fund([bank, buyer, left, right], rich);
  const print = async (price: number): Promise<void> => {
    await scene.order(left, limit(market, 'buy', price, 1));
    await scene.order(right, limit(market, 'sell', price, 1, { tif: 'ioc' }));
    await scene.cancelAll(left);
  };
  await print(1000);
  await scene.fund(longs, 1_200n);
  await scene.order(bank, limit(market, 'sell', 1000, 10 * count));
  await scene.clients.all(
    longs.map((owner) => ['primeorders_submitOrder', [{ owner, ...limit(market, 'buy', 1000, 10) }]] as const),
    16,
  );
  // Each of them has orders of its own that end with it.
  await scene.clients.all(
    longs.map((owner) => ['primeorders_submitOrder', [{ owner, ...limit(market, 'sell', 1500, 1) }]] as const),
    16,
  );
  await scene.clients.ask('primeorders_liquidate', [longs[0]]);
  await scene.cancelAll(bank);
  await print(900);
  await scene.order(buyer, limit(market, 'buy', 895, 3 * count));
  const closeAll = longs.map((owner) => ['primeorders_liquidate', [owner]] as const);
  await scene.together(closeAll);
  // Nobody has bids any more: what is left of them is closed against the bank.
  await scene.cancelAll(buyer);
  await print(870);
  await scene.together(closeAll);
  await Promise.all([bank, buyer, ...longs].map((owner) => scene.cancelAll(owner)));
}

/** Everything at once, small and in disorder. */
async function mixed(scene: Scene): Promise<void> {
  const owners = Array.from({ length: 8 }, (_, index) => named(`mixed${index}`));
  await scene.fund(owners, 10n ** 9n);
  const { random } = scene;
  const order = (): WireOrder => {
    const tif = scene.pick(['gtc', 'gtc', 'gtc', 'ioc', 'fok'] as const);
    return limit(markets.mixed, scene.pick(['buy', 'sell']), 990 + random.below(21), 1 + random.below(40), {
      tif,
      stp: scene.pick(selfTrades),
      ...(tif === 'gtc' && random.chance(1, 8) ? { post_only: true } : {}),
      ...(tif !== 'gtc' && random.chance(1, 3) ? { reduce_only: true } : {}),
    });
  };
  const calls = Array.from({ length: 400 }, (_, index) => {
    const owner = scene.pick(owners);
    const dice = random.below(20);
    if (dice === 0) return ['primeorders_cancelAll', [owner]] as const;
    if (dice < 3) return ['primeorders_cancelOrder', [hex(1 + random.below(5_000))]] as const;
    if (dice < 5) {
      const items = [
        { type: 'order', ...order() },
        { type: 'cancel', order_id: hex(1 + index) },
        { type: 'order', ...order() },
      ];
      return ['primeorders_batch', [owner, items]] as const;
    }
    return ['primeorders_submitOrder', [{ owner, ...order() }]] as const;
  });
  await scene.clients.all(calls, 24);
  await scene.order(owners[0]!, limit(markets.mixed, 'buy', 1000, 10n ** 12n));
  await scene.clients.ask('primeorders_depositCollateral', [owners[0], hex(beyondAllWei)]);
  await Promise.all(owners.map((owner) => scene.cancelAll(owner)));
}

export const tradingShapes: readonly Shape[] = [
  { name: 'orders that change', run: changes },
  { name: 'client ids', run: clientIds },
  { name: 'magnitudes', run: magnitudes },
  { name: 'liquidation and deleveraging', run: liquidations },
  { name: 'everything at once', run: mixed },
];
