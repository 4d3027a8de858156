/**
 * Orders per second of the order book: the bare book beside npm nodejs-order-book on the same stream, and whole blocks with
 * margin, events, records and root. Prints a table and, with --json, one JSON line per figure.
 *
 *   npm run build && npm run bench --workspace packages/clob
 *
 * The stream of the bare book is the mix that exchange-core publishes its figures for: of 100 operations 9 gtc, 3 ioc, 6
 * cancel, 82 move, with about 1000 live orders. Every operation is effective: it names an order that is live at that moment.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { defaultClobParams } from '@prime/codec';
import { createPrng } from '@prime/primitives';
import { OrderBook } from 'nodejs-order-book';
import { createNarrowBook, createWideBook } from '../dist/book.js';
import { createClobEngine } from '../dist/index.js';
import { match, verdict } from '../dist/match.js';
import { OrderPool } from '../dist/orderPool.js';

const rounds = 5;
const bareOperations = 200_000;
const liveOrders = 1000;

/** The stream, worked out on a plain list so that it depends on no engine under test. */
function bareStream(seed) {
  const random = createPrng(seed);
  const live = [];
  const operations = [];
  let id = 0;
  const passive = (side) => (side === 0 ? 1000 - 1 - random.below(100) : 1000 + 1 + random.below(100));
  const add = () => {
    const side = random.below(2);
    const order = { kind: 'gtc', id: ++id, side, price: passive(side), size: 1 + random.below(50) };
    live.push({ ...order, left: order.size });
    operations.push(order);
  };
  const take = () => {
    const side = random.below(2);
    const size = 1 + random.below(50);
    operations.push({ kind: 'ioc', id: ++id, side, price: side === 0 ? 1200 : 800, size });
    let left = size;
    while (left > 0) {
      const makers = live.filter((order) => order.side !== side);
      if (makers.length === 0) return;
      makers.sort((a, b) => (a.price - b.price) * (side === 0 ? 1 : -1) || a.turn - b.turn || a.id - b.id);
      const quantity = Math.min(left, makers[0].left);
      makers[0].left -= quantity;
      left -= quantity;
      if (makers[0].left === 0) live.splice(live.indexOf(makers[0]), 1);
    }
  };
  let turn = 0;
  while (live.length < liveOrders) add();
  for (const order of live) order.turn = 0;
  const warm = operations.length;
  while (operations.length < warm + bareOperations) {
    const dice = random.below(100);
    if (dice < 9) {
      add();
      live[live.length - 1].turn = ++turn;
    } else if (dice < 12) take();
    else {
      const index = random.below(live.length);
      const order = live[index];
      if (dice < 18) {
        live.splice(index, 1);
        operations.push({ kind: 'cancel', id: order.id });
      } else {
        order.price = passive(order.side);
        order.turn = ++turn;
        operations.push({ kind: 'move', id: order.id, side: order.side, price: order.price });
      }
    }
  }
  return { operations, warm };
}

/** Runs the stream on our book; `of` makes its quantities. */
function runOurs({ operations, warm }, createBook) {
  const pool = new OrderPool();
  const book = createBook(pool);
  const { columns, of } = book;
  let trades = 0;
  const drop = (handle) => {
    pool.byId.delete(pool.id[handle]);
    book.remove(handle);
    pool.discard(handle);
  };
  const policy = {
    meet: () => verdict.trade,
    trade(maker, quantity) {
      trades++;
      if (columns.remaining[maker] === quantity) drop(maker);
      else book.adjust(maker, -quantity);
    },
  };
  const values = operations.map(({ price = 0, size = 0 }) => [of(BigInt(price)), of(BigInt(size))]);
  const rest = (id, side, ticks, size) => {
    const handle = pool.allocate({
      id,
      market: 1,
      side,
      owner: 0,
      expiresAt: 0,
      createdBlock: 0,
      postOnly: false,
      selfTrade: 'cancel_maker',
      clientId: null,
    });
    columns.ticks[handle] = ticks;
    columns.size[handle] = size;
    columns.remaining[handle] = size;
    pool.byId.set(id, handle);
    book.append(handle);
  };
  let start = 0n;
  for (let index = 0; index < operations.length; index++) {
    if (index === warm) start = process.hrtime.bigint();
    const { kind, id, side } = operations[index];
    const [ticks, size] = values[index];
    if (kind === 'cancel') drop(pool.byId.get(id));
    else if (kind === 'move') {
      const handle = pool.byId.get(id);
      const left = columns.remaining[handle];
      book.remove(handle);
      columns.ticks[handle] = ticks;
      // A moved order may cross like a new one.
      const rests = match(book, side, ticks, left, policy);
      columns.remaining[handle] = rests;
      book.append(handle);
    } else {
      const left = match(book, side, ticks, size, policy);
      if (kind === 'gtc' && left > book.zero) rest(id, side, ticks, left);
    }
  }
  return { seconds: Number(process.hrtime.bigint() - start) / 1e9, trades, live: pool.byId.size };
}

function runPeer({ operations, warm }) {
  const book = new OrderBook();
  let trades = 0;
  let start = 0n;
  const sides = ['buy', 'sell'];
  for (let index = 0; index < operations.length; index++) {
    if (index === warm) start = process.hrtime.bigint();
    const { kind, id, side, price, size } = operations[index];
    if (kind === 'cancel') book.cancel(String(id));
    else if (kind === 'move') book.modify(String(id), { price });
    else {
      const timeInForce = kind === 'ioc' ? 'IOC' : 'GTC';
      const { done, partial } = book.limit({ side: sides[side], id: String(id), size, price, timeInForce });
      trades += done.filter((entry) => entry.id !== String(id)).length + (partial && partial.id !== String(id) ? 1 : 0);
    }
  }
  const snapshot = book.snapshot();
  const live = [...snapshot.bids, ...snapshot.asks].reduce((sum, level) => sum + level.orders.length, 0);
  return { seconds: Number(process.hrtime.bigint() - start) / 1e9, trades, live };
}

const accounts = 200;
const blockActions = 1000;
const addressOf = (index) => `0x${(index + 1).toString(16).padStart(40, '0')}`;
const order = (side, price, size, tif) => ({
  type: 'order',
  marketId: 1,
  side: side === 0 ? 'buy' : 'sell',
  price,
  size,
  tif,
  postOnly: false,
  reduceOnly: false,
  selfTrade: 'cancel_maker',
  clientId: null,
  expiresAt: 0,
});

/** Blocks of 1000 actions of many traders: 45 % passive gtc, 15 % crossing ioc, 40 % cancels of own live orders. */
function runBlocks(seed, blocks, resting) {
  const engine = createClobEngine({ ...defaultClobParams, maxOpenOrders: 1_000_000 }, 'open');
  const random = createPrng(seed);
  const live = [];
  let nonce = 1;
  let height = 0;
  engine.genesis([{ symbol: 'ETH/USD', tickSize: 5n, lotSize: 10n }]);
  engine.commit();
  const execute = (payloads) => {
    const actions = payloads.map(([account, payload]) => ({
      raw: new Uint8Array(0),
      hash: `0x${nonce.toString(16).padStart(64, '0')}`,
      signer: addressOf(9999),
      transaction: {
        chainId: 1,
        nonce: nonce++,
        expiresAt: 0,
        account: addressOf(account),
        payload,
        signatureKind: 'gateway',
        signature: new Uint8Array(65),
      },
    }));
    const deposits = payloads.flatMap(([, { type }], actionIndex) =>
      type === 'deposit' ? [{ actionIndex, funded: true, faucetAmount: 0n }] : [],
    );
    height++;
    const block = { height, timestampMs: 1_700_000_000_000 + height * 100, actions, deposits };
    const start = process.hrtime.bigint();
    const outcome = engine.execute(block);
    engine.commit();
    const seconds = Number(process.hrtime.bigint() - start) / 1e9;
    for (const { value } of outcome.results)
      if (value?.type === 'order' && (value.status === 'open' || value.status === 'partially_filled'))
        live.push([
          value.orderId,
          Number(actions[outcome.results.findIndex((result) => result.value === value)].transaction.account) - 1,
        ]);
    return { seconds, outcome };
  };
  execute(Array.from({ length: accounts }, (_, index) => [index, { type: 'deposit', amount: 10n ** 24n }]));
  const passive = (side) => BigInt(side === 0 ? 1000 - 1 - random.below(100) : 1000 + 1 + random.below(100)) * 5n;
  const gtc = () => {
    const side = random.below(2);
    return [random.below(accounts), order(side, passive(side), BigInt(1 + random.below(50)) * 10n, 'gtc')];
  };
  while (live.length < resting) execute(Array.from({ length: 5000 }, gtc));
  const seconds = [];
  let trades = 0;
  let refused = 0;
  let changed = 0;
  for (let count = 0; count < blocks; count++) {
    const { outcome, seconds: took } = execute(
      Array.from({ length: blockActions }, () => {
        const dice = random.below(100);
        if (dice < 45) return gtc();
        if (dice < 60) {
          const side = random.below(2);
          return [
            random.below(accounts),
            order(side, side === 0 ? 6000n : 4000n, BigInt(1 + random.below(50)) * 10n, 'ioc'),
          ];
        }
        const [[orderId, account]] = live.splice(random.below(live.length), 1);
        return [account, { type: 'cancel', orderId }];
      }),
    );
    seconds.push(took);
    trades += outcome.events.filter(({ kind }) => kind === 'trade').length;
    refused += outcome.results.filter(({ ok }) => !ok).length;
    changed += outcome.writes.length;
  }
  const each = (sum) => (sum / blocks).toFixed(0);
  return { seconds, note: `${each(trades)} trades, ${each(refused)} refused, ${each(changed)} records a block` };
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const quantile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const report = [];
function print(name, unit, value, note = '', p99 = null) {
  report.push({
    name,
    unit,
    median: value,
    p99,
    runs: rounds,
    machine: `${cpus()[0]?.model ?? 'unknown'} x${cpus().length}`,
    node: process.version,
  });
  const shown = value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(2);
  console.log(`${name.padEnd(58)} ${shown.padStart(12)} ${unit}  ${note}`);
}

const stream = bareStream(1);
const contenders = [
  { name: 'bare book, numbers', run: () => runOurs(stream, createNarrowBook) },
  { name: 'bare book, bigints', run: () => runOurs(stream, createWideBook) },
  { name: 'npm nodejs-order-book', run: () => runPeer(stream) },
];
const times = contenders.map(() => []);
// Round by round, so that a slow moment of the machine meets all contenders.
for (let round = 0; round < rounds; round++)
  contenders.forEach(({ run }, index) => {
    const { seconds, trades, live } = run();
    times[index].push({ seconds, note: `${trades} trades, ${live} live at the end` });
  });
contenders.forEach(({ name }, index) => {
  const seconds = times[index].map((time) => time.seconds);
  print(
    `${name}: 9 gtc / 3 ioc / 6 cancel / 82 move`,
    'operations/s',
    bareOperations / median(seconds),
    times[index][0].note,
  );
});
for (const resting of [2_000, 100_000]) {
  const { seconds, note } = runBlocks(2, 30, resting);
  const warm = seconds.slice(5);
  print(
    `blocks of ${blockActions}, ${resting} live orders: margin, events, root`,
    'actions/s',
    blockActions / median(warm),
    note,
  );
  print(
    `blocks of ${blockActions}, ${resting} live orders: time of a block`,
    'ms',
    median(warm) * 1e3,
    `p99 ${(quantile(warm, 0.99) * 1e3).toFixed(1)} ms`,
    quantile(warm, 0.99) * 1e3,
  );
}
const jsonAt = process.argv.indexOf('--json');
if (jsonAt >= 0) writeFileSync(process.argv[jsonAt + 1] ?? 'clob-bench.json', `${JSON.stringify(report, null, 2)}\n`);
