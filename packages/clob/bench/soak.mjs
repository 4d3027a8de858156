/**
 * Long random runs of the order book beside its model: liquidations, deleveraging, transfers, marks that move, restarts from records,
 * rolled back blocks, signatures, agents and writes of contracts, and a second engine with wide books. Ends with 1 at the first difference, and names seed and block.
 *
 *   npm run soak:clob [-- --seeds 10 --operations 100000 --seed 1]
 */
import { benchArguments } from '@prime/testkit/arguments';
import { runAgainstModel } from '../dist/testing/againstModel.js';

const {
  seeds,
  operations,
  seed: first,
} = benchArguments('soak:clob', {
  seeds: { meaning: 'seeds, one after another', usual: 10 },
  operations: { meaning: 'operations of each', usual: 100_000 },
  seed: { meaning: 'the first of them', usual: 1, least: 0 },
});
const mark = { impactNotional: 2000n, emaWeight: 64, maxMoveBps: 150, minTrades: 3 };
/** The treasury is one of the traders. */
const fees = { takerPpm: 5000, makerPpm: -2000, treasury: `0x${'3'.padStart(40, '0')}`, treasuryShareBps: 3000 };
const funding = { intervalSeconds: 2, maxRateBps: 400, premiumIntervals: 2, referenceWeight: 30 };
const riskTiers = [
  { aboveNotional: 500n, initialMarginBps: 1500, maintenanceMarginBps: 700 },
  { aboveNotional: 2000n, initialMarginBps: 1500, maintenanceMarginBps: 1400 },
  { aboveNotional: 6000n, initialMarginBps: 6000, maintenanceMarginBps: 3000 },
];
/** Parameters and prices of the seeds in turn; every second turn has blocks of quotes, every second seed signatures and contracts. */
const variants = [
  { params: {} },
  { params: { autoLiquidatePerBlock: 2, autoDequeue: true } },
  { params: { mark }, priceStep: 20 },
  { params: { mark, autoLiquidatePerBlock: 1, liquidationFeeBps: 0 } },
  { params: {}, priceStep: 150 },
  { params: { fees, riskTiers, funding, insuranceSlippageBps: 300 } },
  {
    params: { funding: { ...funding, premiumIntervals: 1, maxRateBps: 10_000 }, mark, autoLiquidatePerBlock: 1 },
    priceStep: 150,
  },
  { params: { riskTiers, autoLiquidatePerBlock: 1 }, priceStep: 20 },
  { params: { fees: { ...fees, makerPpm: 20_000 }, autoLiquidatePerBlock: 1 }, priceStep: 150 },
];
const shown = [
  'trade',
  'trade_fees',
  'funding_paid',
  'liquidation',
  'deleveraged',
  'bad_debt',
  'transfer_completed',
  'transfer_failed',
  'agent_approved',
  'agent_revoked',
  'CLOB_UNAUTHORIZED',
  'CLOB_OWNS_NOTHING',
  'CLOB_NONCE',
];

for (let seed = first; seed < first + seeds; seed++) {
  const begun = performance.now();
  const { blocks, restarts, rollbacks, counts } = runAgainstModel({
    seed,
    operations,
    ...variants[seed % variants.length],
    quotes: Math.floor(seed / variants.length) % 2 === 1,
    signs: seed % 2 === 1,
  });
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  const kinds = shown.map((kind) => `${counts[kind] ?? 0} ${kind}`).join(', ');
  console.log(
    `seed ${seed}: ${operations} operations in ${blocks} blocks, ${restarts} restarts, ${rollbacks} rollbacks, ${kinds}; ${seconds} s`,
  );
}
console.log(`soak: ${seeds} seeds agree`);
