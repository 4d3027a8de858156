import { expect, it } from '@jest/globals';
import { decodeMarketRecord } from '@prime/codec';
import { bookParameters } from '../testing/quiet.ts';
import { market, useGateways } from '../testing/streams.ts';

/** What prime_getParameters puts together: genesis, and what actions have made of it. */

const { start } = useGateways();

it('prime_getParameters: what genesis says, with the margin that is in force after the block that is asked for', async () => {
  const running = await start();
  running.gateway.applyDelta(running.node.commit());
  const asked: number[] = [];
  const record = decodeMarketRecord(market.value);
  running.node.backends.reader.bookParameters = async ({ height }) => {
    asked.push(height);
    const limits = { openInterestMax: 9n, positionMax: 0n, priceBandBps: 300, orderNotionalMax: 8n };
    const tier = { aboveNotional: 7n, initialMarginBps: 4000, maintenanceMarginBps: 2000 };
    const own = { ...record, margin: { initialMarginBps: 3000, maintenanceMarginBps: 300 }, riskTiers: [tier], limits };
    return { ...(await bookParameters()), markets: [record, own] };
  };
  const shown = (await running.call('prime_getParameters')) as Record<string, unknown>;
  expect(shown).toMatchObject({
    block_number: '0x1',
    chain_id: 7919,
    consensus: { min_block_interval_ms: 50, max_block_bytes: 524_288 },
    evm: { gas_limit: '0x1c9c380', initial_base_fee: '0x3b9aca00' },
    clob: {
      self_trade: 'cancel_maker',
      min_notional: '0x0',
      admin: null,
      initial_margin_bps: 1100,
      maintenance_margin_bps: 550,
      mark: { impact_notional: '0x0', ema_weight: 0, max_move_bps: 0, min_trades: 0 },
    },
    markets: [
      { market_id: 1, initial_margin_bps: 1100, maintenance_margin_bps: 550 },
      {
        initial_margin_bps: 3000,
        maintenance_margin_bps: 300,
        risk_tiers: [{ above_notional: '0x7', initial_margin_bps: 4000, maintenance_margin_bps: 2000 }],
        limits: { open_interest_max: '0x9', position_max: '0x0', price_band_bps: 300, order_notional_max: '0x8' },
      },
    ],
  });
  expect(JSON.stringify(shown)).not.toMatch(/[a-z][A-Z][a-z]+":/);
  await running.call('prime_getParameters', '0x0');
  expect(asked).toEqual([1, 0]);
  expect(await running.failure('prime_getParameters', '0x9')).toMatchObject({ message: 'header not found' });
});
