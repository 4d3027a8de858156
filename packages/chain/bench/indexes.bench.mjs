/**
 * What the indexes of the past cost a validator: lists of accounts, candles, and the places of events, logs and transactions. A chain with a database on disk checks,
 * executes and commits blocks of trades. While a block is written its indexes are made once more and written into a second database, counted apart.
 *
 *   npm run bench:indexes [-- --blocks 200 --warm 60]
 *
 * All figures are medians of processor time of the process, LevelDB's threads included. No signature is checked and nobody votes, so that the shares are higher
 * than on a validator. Prints a table and, as the last line, JSON.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountsOfAction, decodeRecordFrames, statePrefix } from '@prime/codec';
import { openStateDatabase } from '@prime/storage';
import { benchArguments } from '@prime/testkit/arguments';
import { accountListWrites } from '../dist/history/accountLists.js';
import { candleWrites } from '../dist/history/candles.js';
import { endedOrdersIn, endedOrderWrites } from '../dist/history/endedOrders.js';
import { readExecuted } from '../dist/history/history.js';
import { accountIndexWrites, eventIndexWrites, logIndexWrites } from '../dist/history/historyIndex.js';
import { archive } from '../dist/history/pruner.js';
import { action, certificateOf, createTestChain, orderOf, testGenesis } from '../dist/testing/chain.js';

const { blocks, warm } = benchArguments('bench:indexes', {
  blocks: { meaning: 'blocks that are counted', usual: 200 },
  warm: { meaning: 'blocks before them', usual: 60 },
});

/** Blocks as busy networks have them. Marks move in every market that trades. */
const rows = [
  { name: '500 trades in batches, 64 accounts, 10 markets', trades: 500, accounts: 64, markets: 10, batchItems: 20 },
  { name: '500 trades one by one, 1000 accounts, 10 markets', trades: 500, accounts: 1000, markets: 10, batchItems: 1 },
  { name: '100 trades in batches, 64 accounts, 100 markets', trades: 100, accounts: 64, markets: 100, batchItems: 20 },
  { name: '100 trades one by one, 200 accounts, 100 markets', trades: 100, accounts: 200, markets: 100, batchItems: 1 },
  { name: '20 trades one by one, 40 accounts, 10 markets', trades: 20, accounts: 40, markets: 10, batchItems: 1 },
];
const blockMs = 200;
const beginMs = 1_700_000_040_000;
const addressOf = (index) => `0x${(index + 1).toString(16).padStart(40, 'd')}`;
const usedMs = (since) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** The actions of a block: makers first, then who takes from them. Prices go up and down. */
function actionsOf({ trades, accounts, markets, batchItems }, height) {
  const sides = ['sell', 'buy'].map((side, at) =>
    Array.from({ length: trades }, (_, index) => ({
      // An account stays on its side, so that nobody trades with himself.
      account: (2 * (Math.floor(index / batchItems) % (accounts / 2)) + at) % accounts,
      payload: orderOf({
        marketId: 1 + (index % markets),
        side,
        price: 1000n + BigInt((height * 7 + index) % 11),
        size: 5n,
      }),
    })),
  );
  return sides.flatMap((orders) => {
    const made = [];
    for (let at = 0; at < orders.length; at += batchItems) {
      const items = orders.slice(at, at + batchItems);
      const { account } = items[0];
      const payload = batchItems === 1 ? items[0].payload : { type: 'batch', items: items.map((item) => item.payload) };
      made.push(action(addressOf(account), payload));
    }
    return made;
  });
}

/** Indexes of a block by their kind, made of what the block writes. @param database as it was before the block */
const makers = {
  lists: ({ height, events, records }) => accountListWrites(height, events, endedOrdersIn(height, records)),
  candles: ({ height, timestampMs, events, records }, database) => {
    const parentMs = readExecuted(database, height - 1)?.timestampMs ?? null;
    return candleWrites({ timestampMs, parentMs, events, records }, database);
  },
  others: ({ height, events, records, receipts, actions }) => [
    ...accountIndexWrites(height, { receipts, actions: actions.map(accountsOfAction) }),
    ...eventIndexWrites(height, events),
    ...logIndexWrites(height, receipts),
    ...endedOrderWrites(height, endedOrdersIn(height, records)),
  ],
};

const valueOf = (writes, prefix) => writes.find(({ key }) => key[0] === prefix)?.value;

/** A database that counts the indexes of what is written while `block` is there. */
function counting(database, second, state) {
  return new Proxy(database, {
    get(target, name) {
      if (name !== 'write') return typeof target[name] === 'function' ? target[name].bind(target) : target[name];
      return async (writes, options) => {
        if (state.block !== null && valueOf(writes, statePrefix.events) !== undefined) {
          const begun = process.cpuUsage();
          await count(writes, target, second, state);
          state.besides += usedMs(begun);
        }
        return target.write(writes, options);
      };
    },
  });
}

async function count(writes, database, second, { block, costs }) {
  const records = writes
    .filter(({ key }) => key[0] === statePrefix.clobRecord)
    .map(({ key, value }) => ({ key: key.subarray(1), value }));
  const { height, timestampMs } = block.block.header;
  const events = valueOf(writes, statePrefix.events);
  const source = { height, timestampMs, events, records, receipts: [], actions: block.actions };
  for (const [name, make] of Object.entries(makers)) {
    const begun = process.cpuUsage();
    const made = make(source, database);
    await second.write(made, { sync: false });
    costs[name].push({ ms: usedMs(begun), entries: made.length });
  }
}

async function measure(row) {
  const folder = await mkdtemp(join(tmpdir(), 'prime-indexes-'));
  const [first, second] = await Promise.all(['a', 'b'].map((name) => openStateDatabase(join(folder, name))));
  const state = { block: null, besides: 0, costs: { lists: [], candles: [], others: [] } };
  const alloc = Array.from({ length: row.accounts }, (_, index) => ({
    address: addressOf(index),
    balance: 10n ** 24n,
    nonce: 0,
    code: new Uint8Array(0),
    storage: [],
  }));
  const base = testGenesis();
  const markets = Array.from({ length: row.markets }, (_, index) => ({ ...base.markets[0], symbol: `M${index}/USD` }));
  const genesis = testGenesis({ alloc, markets, timestampMs: beginMs });
  const chain = await createTestChain(genesis, counting(first, second, state), archive);
  await chain.run({
    timestampMs: beginMs + blockMs,
    actions: alloc.map(({ address }) => action(address, { type: 'deposit', amount: 10n ** 20n })),
  });
  const whole = [];
  for (let at = 0; at < warm + blocks; at++) {
    const height = at + 2;
    const block = chain.block({ timestampMs: beginMs + height * blockMs, actions: actionsOf(row, height) });
    if (at === warm) for (const name of Object.keys(state.costs)) state.costs[name] = [];
    state.block = block;
    state.besides = 0;
    const begun = process.cpuUsage();
    const verdict = await chain.pipeline.check(block);
    if (!verdict.ok) throw new Error(verdict.reason);
    await chain.pipeline.execute(block.hash);
    await chain.pipeline.commit(block.hash, certificateOf(block));
    const ms = usedMs(begun) - state.besides;
    if (at >= warm) whole.push(ms);
    state.block = null;
    if (at === warm) refuseWithoutTrades(chain, row);
    chain.deltas.length = 0;
  }
  await chain.pipeline.close();
  await Promise.all([first.close(), second.close()]);
  await rm(folder, { recursive: true });
  const part = (name) => median(state.costs[name].map(({ ms }) => ms));
  const [lists, candles, others] = ['lists', 'candles', 'others'].map(part);
  const on = median(whole);
  const entries = median(
    state.costs.lists.map((_, at) => Object.values(state.costs).reduce((sum, each) => sum + each[at].entries, 0)),
  );
  const all = lists + candles + others;
  return { name: row.name, entries, onMs: on, offMs: on - all, lists, candles, others, share: all / (on - all) };
}

function refuseWithoutTrades({ deltas }, { trades }) {
  const written = decodeRecordFrames(deltas.at(-1).clobRecords).length;
  if (written < trades / 2) throw new Error(`a block of ${trades} trades wrote ${written} records`);
}

const results = [];
for (const row of rows) results.push(await measure(row));
const round = (value, digits = 2) => Number(value.toFixed(digits));
console.log(
  `processor time, medians of ${blocks} blocks; ${cpus().length} × ${cpus()[0].model}, Node ${process.version}\n`,
);
console.log('| Block | Entries | Off, ms | On, ms | Lists, ms | Candles, ms | Others, ms | Share |');
console.log('|---|---|---|---|---|---|---|---|');
for (const { name, entries, onMs, offMs, lists, candles, others, share } of results)
  console.log(
    `| ${[name, entries, round(offMs), round(onMs), round(lists), round(candles), round(others), `${round(share * 100, 1)} %`].join(' | ')} |`,
  );
console.log(JSON.stringify({ bench: 'indexes', blocks, node: process.version, results }));
