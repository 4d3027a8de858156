/**
 * What a block pays for many holders: one in which somebody takes a profit that nobody realized a loss for, so that losses are settled at the index,
 * and the first one that closes positions of a market that ends.
 *
 *   npm run bench:clob -- --settle 100000 [--rounds 3]
 *
 * Told is the processor time of such blocks, which are taken back and done again.
 */
import { defaultClobParams, defaultOracle } from '@prime/codec';
import { createInspectableEngine } from '../dist/engine.js';
import { cpuSecondsSince } from './bare.mjs';
import { Blocks } from './engine.mjs';
import { addressOf, openPositions, order } from './holders.mjs';

const price = 1000n;
const size = 10n;
const admin = addressOf(10 ** 7);
/** Blocks until a new price has been reported. */
const blocksPerReport = 12;

/** Half of the holders are short and half long, at prices of their own; then the index rises. */
function sceneOf(holders, settlePerBlock) {
  const oracle = { ...defaultOracle, maxMoveBps: 0, settlePerBlock };
  const params = { ...defaultClobParams, admin, oracle };
  const { engine } = createInspectableEngine({ params, actionsMode: 'open' });
  const reported = { markets: 1, middle: price };
  const blocks = new Blocks(reported);
  const grid = { tickSize: 1n, lotSize: 1n, baseDecimals: 0, quoteDecimals: 18, oracle: true };
  engine.genesis([{ symbol: 'M/USD', ...grid }]);
  engine.commit();
  const run = (payloads) => {
    engine.execute(blocks.make(payloads));
    engine.commit();
  };
  const pass = () => {
    for (let block = 0; block < blocksPerReport; block++) run([]);
  };
  pass();
  openPositions(
    { engine, blocks },
    {
      holders,
      depositOf: (index) => 10n ** 9n + BigInt(index * 7919),
      priceOf: (index) => price + BigInt((index >> 1) % 7),
      size,
      others: 1,
    },
  );
  reported.middle = price + 100n;
  pass();
  return { engine, blocks, run };
}

function tell(name, rounds, { engine, blocks }, payloads, isRight) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const block = blocks.make(payloads);
    const before = process.cpuUsage();
    const outcome = engine.execute(block);
    times.push(cpuSecondsSince(before) * 1e3);
    if (!isRight(outcome)) throw new Error(`${name}: the block did something else`);
    engine.rollback();
  }
  times.sort((a, b) => a - b);
  console.log(`${name}: ${times[times.length >> 1].toFixed(1)}`);
}

export function tellSettling({ holders, rounds }) {
  console.log(`settling among ${holders} holders, processor time of a block, ms`);
  // Every long sells to one who comes, so that all of them are unpaid.
  const closing = (count) => [
    { account: addressOf(holders), payload: order('buy', price + 100n, size * BigInt(count)) },
    ...Array.from({ length: count }, (_, index) => ({
      account: addressOf(2 * index + 1),
      payload: order('sell', price + 100n, size),
    })),
  ];
  const isDone = ({ results }) => results.every(({ ok }) => ok);
  const without = sceneOf(holders, 0);
  const scene = sceneOf(holders, 32);
  for (const count of [1, 100]) {
    tell(`${count} close, nothing is settled`, rounds, without, closing(count), isDone);
    tell(`${count} close, losses are settled`, rounds, scene, closing(count), isDone);
  }
  const value = { status: 'settling', price };
  const change = scene.blocks.make([
    { account: admin, payload: { type: 'change', change: { parameter: 'status', marketId: 1, value }, atHeight: 0 } },
  ]);
  const action = change.actions[0];
  action.signer = admin;
  Object.assign(action.transaction, { signatureKind: 'raw', nonce: change.timestampMs });
  const { results } = scene.engine.execute(change);
  if (!isDone({ results })) throw new Error(`the market does not end: ${JSON.stringify(results[0].error)}`);
  scene.engine.commit();
  tell('first block of a market that ends', rounds, scene, [], () => true);
}
