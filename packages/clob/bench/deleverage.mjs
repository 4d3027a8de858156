/**
 * What deleveraging costs among many holders: one block that liquidates accounts whose positions nobody in the book takes, so that each is
 * closed against the most profitable of all who hold the market the other way.
 *
 *   npm run bench:clob -- --deleverage 100000 [--rounds 3]
 *
 * Told is the processor time of such blocks, which are taken back and done again, for different numbers of liquidations.
 */
import { createInspectableEngine } from '../dist/engine.js';
import { defaultClobParams } from '@prime/codec';
import { cpuSecondsSince } from './bare.mjs';
import { Blocks } from './engine.mjs';
import { addressOf, openPositions, order } from './holders.mjs';

const price = 1000n;
/** Where the weak ones have less than nothing, so that others pay. */
const fallen = 880n;
const size = 10n;
const liquidations = [1, 10, 100];
const weakCollateral = 1100n;
const richCollateral = 10n ** 9n;

/** Half of the holders are short and half long; some of the longs have little more than their margin, and the price falls. */
function sceneOf(holders) {
  const { engine, state } = createInspectableEngine({ params: defaultClobParams, actionsMode: 'open' });
  const blocks = new Blocks();
  const weak = Math.max(...liquidations);
  engine.genesis([{ symbol: 'M/USD', tickSize: 1n, lotSize: 1n, baseDecimals: 0, quoteDecimals: 18 }]);
  engine.commit();
  const deposit = (index) =>
    index % 2 === 1 && index < 2 * weak ? weakCollateral : richCollateral + BigInt(index * 7919);
  // Those who are short sold at prices of their own, so that no two of them profit alike.
  openPositions(
    { engine, blocks },
    {
      holders,
      depositOf: deposit,
      priceOf: (index) => price + BigInt((index >> 1) % 7),
      size,
      others: 2,
    },
  );
  const fall = blocks.make([
    { account: addressOf(holders), payload: order('buy', fallen, 1n) },
    { account: addressOf(holders + 1), payload: order('sell', fallen, 1n) },
  ]);
  engine.execute(fall);
  engine.commit();
  const liquidate = (count) =>
    Array.from({ length: count }, (_, index) => ({
      account: addressOf(holders),
      payload: { type: 'liquidate', address: addressOf(2 * index + 1) },
    }));
  return { engine, state, blocks, liquidate };
}

export function tellDeleveraging({ holders, rounds }) {
  const { engine, blocks, liquidate } = sceneOf(holders);
  console.log(`deleveraging among ${holders} holders, processor time of a block, ms`);
  for (const count of liquidations) {
    const times = [];
    for (let round = 0; round < rounds; round++) {
      const block = blocks.make(liquidate(count));
      const before = process.cpuUsage();
      const { results } = engine.execute(block);
      times.push(cpuSecondsSince(before) * 1e3);
      if (!results.every((result) => result.ok && result.value.positions[0].adl.length > 0))
        throw new Error('an account was not closed against others');
      engine.rollback();
    }
    times.sort((a, b) => a - b);
    console.log(`${String(count).padStart(4)} liquidations: ${times[times.length >> 1].toFixed(1)}`);
  }
}
