import { expect, it } from '@jest/globals';
import { type ActionPayload, defaultMarketDecimals } from '@prime/codec';
import type { Height, MarketId } from '@prime/primitives';
import { readOldest } from '../history/history.ts';
import { action, alice, createTestChain, testGenesis } from '../testing/chain.ts';
import { readBookParameters } from './bookParameters.ts';

/** Parameters of the order book at every height at which a state is kept. */

const setMargin = (marketId: MarketId | null, initialMarginBps: number): ActionPayload => ({
  type: 'setMargin',
  marketId,
  initialMarginBps,
  maintenanceMarginBps: 50,
});

it('are those after the block that is asked for, and refused where its state is not kept', async () => {
  const chain = await createTestChain(testGenesis(), undefined, { states: 4, blocks: null });
  const run = (payload: ActionPayload) => chain.run({ actions: [action(alice, payload)] });
  await run(setMargin(null, 2000));
  await run({ type: 'addMarket', symbol: 'TWO/USD', tickSize: 5n, lotSize: 3n, ...defaultMarketDecimals });
  await run(setMargin(2 as MarketId, 3000));
  const marginsAt = async (height: number) => {
    const { defaultMargin, markets } = await readBookParameters(chain.database, height as Height);
    return [defaultMargin.initialMarginBps, markets.map(({ symbol, margin }) => [symbol, margin?.initialMarginBps])];
  };
  const expected = [
    [1000, [['PRM/USD', undefined]]],
    [2000, [['PRM/USD', undefined]]],
    [
      2000,
      [
        ['PRM/USD', undefined],
        ['TWO/USD', undefined],
      ],
    ],
    [
      2000,
      [
        ['PRM/USD', undefined],
        ['TWO/USD', 3000],
      ],
    ],
  ];
  for (const [height, parameters] of expected.entries()) expect(await marginsAt(height)).toEqual(parameters);
  for (let block = 0; block < 3; block++) await run({ type: 'noop' });
  await chain.pipeline.close();
  const oldest = readOldest(chain.database, 'oldestState');
  expect(oldest).toBeGreaterThan(0);
  expect(await marginsAt(oldest)).toEqual(expected[Math.min(oldest, 3)]);
  await expect(marginsAt(oldest - 1)).rejects.toMatchObject({ code: 'EVM_NODE_MISSING' });
});
