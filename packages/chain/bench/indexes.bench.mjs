/**
 * What the indexes of the past cost a validator: postings (lists of accounts, places of events, logs, actions and ended orders), candles, and ended orders. A chain
 * with a database on disk checks, executes and commits blocks of trades. Afterwards the indexes of the same blocks are made once more, kind by kind, each in a database
 * of its own.
 *
 *   npm run bench:indexes [-- --blocks 192 --warm 64]
 *
 * All figures are processor time of the process, LevelDB's threads included: means, as postings are written every 64 blocks. No signature is checked and nobody votes,
 * so that the shares are higher than on a validator. Prints a table and, as the last line, JSON.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeRecordFrames, heightOfKey, statePrefix } from '@prime/codec';
import { openStateDatabase } from '@prime/storage';
import { benchArguments } from '@prime/testkit/arguments';
import { candleWrites } from '../dist/history/candles.js';
import { endedOrderWrites } from '../dist/history/endedOrders.js';
import { decodeExecuted } from '../dist/history/history.js';
import { archive } from '../dist/history/pruner.js';
import { createIndexer } from '../dist/history/windows.js';
import { action, certificateOf, createTestChain, orderOf, testGenesis } from '../dist/testing/chain.js';

const { blocks, warm } = benchArguments('bench:indexes', {
  blocks: { meaning: 'blocks that are counted', usual: 192 },
  warm: { meaning: 'blocks before them', usual: 64 },
});

/** Blocks as busy networks have them. Marks move in every market that trades. */
const rows = [
  { name: '500 trades in batches, 64 accounts, 10 markets', trades: 500, accounts: 64, markets: 10, batchItems: 20 },
  { name: 'the same, with client ids', trades: 500, accounts: 64, markets: 10, batchItems: 20, named: true },
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

/** None comes twice: 16 bytes. */
const clientIdOf = (height, index) => `0x${(height * 65_536 + index).toString(16).padStart(32, '0')}`;

/** The actions of a block: makers first, then who takes from them. Prices go up and down. */
function actionsOf({ trades, accounts, markets, batchItems, named = false }, height) {
  const sides = ['sell', 'buy'].map((side, at) =>
    Array.from({ length: trades }, (_, index) => ({
      // An account stays on its side, so that nobody trades with himself.
      account: (2 * (Math.floor(index / batchItems) % (accounts / 2)) + at) % accounts,
      payload: orderOf({
        marketId: 1 + (index % markets),
        side,
        price: 1000n + BigInt((height * 7 + index) % 11),
        size: 5n,
        clientId: named ? clientIdOf(height, 2 * index + at) : null,
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

const writeUnsynced = (database, writes) => database.write(writes, { sync: false });

/** Makes the indexes of a block and writes them, by their kind. @param own database of the kind @param chain database that has the order book */
const makers = {
  postings: (own) => {
    const index = createIndexer(own);
    return ({ height, postings }) => index(height, postings);
  },
  candles: (own, chain) => {
    const { clobRecord } = statePrefix;
    const reads = { getSync: (key) => (key[0] === clobRecord ? chain : own).getSync(key) };
    return ({ timestampMs, postings, records }) => {
      const parentMs = timestampMs - blockMs;
      return writeUnsynced(own, candleWrites({ timestampMs, parentMs, events: postings.events, records }, reads));
    };
  },
  ended:
    (own) =>
    ({ height, postings }) =>
      writeUnsynced(own, endedOrderWrites(height, postings.ended)),
};

/** A database that keeps what the indexes of each block are made of. */
const keeping = (database, sources) =>
  new Proxy(database, {
    get(target, name) {
      if (name !== 'write') return typeof target[name] === 'function' ? target[name].bind(target) : target[name];
      return (writes, options) => {
        const of = (prefix) => writes.find(({ key }) => key[0] === prefix)?.value ?? null;
        const { receipts, logs, events, endedOrders, blockHashes, executed } = statePrefix;
        const block = writes.find(({ key }) => key[0] === executed);
        if (block !== undefined && of(events) !== null) {
          const { timestampMs } = decodeExecuted(block.value);
          const records = writes
            .filter(({ key }) => key[0] === statePrefix.clobRecord)
            .map(({ key, value }) => ({ key: key.subarray(1), value }));
          const postings = {
            receipts: of(receipts),
            logs: of(logs),
            events: of(events),
            ended: of(endedOrders),
            hashes: of(blockHashes),
          };
          sources.push({ height: heightOfKey(block.key), timestampMs, records, postings });
        }
        return target.write(writes, options);
      };
    },
  });

/** Runs the blocks of a row. @param sources gets what their indexes are made of; null keeps nothing, which would be garbage to look through @returns ms a block */
async function run(row, database, sources) {
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
  const chain = await createTestChain(genesis, sources === null ? database : keeping(database, sources), archive);
  await chain.run({
    timestampMs: beginMs + blockMs,
    actions: alloc.map(({ address }) => action(address, { type: 'deposit', amount: 10n ** 20n })),
  });
  let used = 0;
  for (let at = 0; at < warm + blocks; at++) {
    const height = at + 2;
    const block = chain.block({ timestampMs: beginMs + height * blockMs, actions: actionsOf(row, height) });
    const begun = process.cpuUsage();
    const verdict = await chain.pipeline.check(block);
    if (!verdict.ok) throw new Error(verdict.reason);
    await chain.pipeline.execute(block.hash);
    await chain.pipeline.commit(block.hash, certificateOf(block));
    if (at >= warm) used += usedMs(begun);
    if (at === warm) refuseWithoutTrades(chain, row);
    chain.deltas.length = 0;
  }
  await chain.pipeline.close();
  return used / blocks;
}

async function measure(row) {
  const folder = await mkdtemp(join(tmpdir(), 'prime-indexes-'));
  const open = (name) => openStateDatabase(join(folder, name));
  const whole = await open('whole');
  const on = await run(row, whole, null);
  await whole.close();
  const [chain, sources] = [await open('chain'), []];
  await run(row, chain, sources);
  const parts = {};
  for (const [name, maker] of Object.entries(makers)) {
    const own = await open(name);
    parts[name] = await costOf(maker(own, chain), sources);
    await own.close();
  }
  await chain.close();
  await rm(folder, { recursive: true });
  const all = Object.values(parts).reduce((sum, ms) => sum + ms, 0);
  return { name: row.name, onMs: on, offMs: on - all, ...parts, share: all / (on - all) };
}

/** ms a block */
async function costOf(make, sources) {
  // Block 1 has the deposits.
  const [first, ...others] = sources;
  let begun;
  await make(first);
  for (const [at, source] of others.entries()) {
    if (at === warm) begun = process.cpuUsage();
    await make(source);
  }
  return usedMs(begun) / blocks;
}

function refuseWithoutTrades({ deltas }, { trades }) {
  const written = decodeRecordFrames(deltas.at(-1).clobRecords).length;
  if (written < trades / 2) throw new Error(`a block of ${trades} trades wrote ${written} records`);
}

const results = [];
for (const row of rows) results.push(await measure(row));
const round = (value, digits = 2) => Number(value.toFixed(digits));
console.log(`processor time of ${blocks} blocks; ${cpus().length} × ${cpus()[0].model}, Node ${process.version}\n`);
console.log('| Block | Off, ms | On, ms | Postings, ms | Candles, ms | Ended orders, ms | Share |');
console.log('|---|---|---|---|---|---|---|');
for (const { name, onMs, offMs, postings, candles, ended, share } of results)
  console.log(
    `| ${[name, ...[offMs, onMs, postings, candles, ended].map((ms) => round(ms)), `${round(share * 100, 1)} %`].join(' | ')} |`,
  );
console.log(JSON.stringify({ bench: 'indexes', blocks, node: process.version, results }));
