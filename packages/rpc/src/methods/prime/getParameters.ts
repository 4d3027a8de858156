import type { MarketRecord } from '@prime/codec';
import { toQuantity, toSignedQuantity } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import { defineMethod, optional } from '../../define.ts';
import { stateAt } from '../../lookup/blocks.ts';
import { decimalsResult, formatDecimals } from '../../orders/marketDecimals.ts';
import { quantityResult } from '../../schema/resultSchemas.ts';
import { sample } from '../../schema/samples.ts';
import { blockSelector, latest } from '../../schema/valueTypes.ts';

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A parameter as answers write it: names of genesis in snake_case, wei as quantities, numbers as they are. */
function shown(value: unknown): unknown {
  if (typeof value === 'bigint') return toSignedQuantity(value);
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [snakeCase(name), shown(field)]));
}

interface Margin {
  readonly initialMarginBps: number;
  readonly maintenanceMarginBps: number;
}

const formatMarket = (market: MarketRecord, defaultMargin: Margin): Record<string, unknown> => ({
  market_id: market.marketId,
  symbol: market.symbol,
  tick_size: toQuantity(market.tickSize),
  lot_size: toQuantity(market.lotSize),
  ...formatDecimals(market),
  status: market.status,
  ...(shown(market.margin ?? defaultMargin) as object),
  ...(market.riskTiers === undefined ? {} : { risk_tiers: shown(market.riskTiers) }),
  ...(market.limits === undefined ? {} : { limits: shown(market.limits) }),
});

const parameters = Type.Object({}, { additionalProperties: true });

/** What genesis says, with what actions have changed since. */
export const getParameters = defineMethod({
  name: 'prime_getParameters',
  summary:
    'The parameters that are in force after a block, the newest one where none is named: of consensus, EVM and order book as genesis names them, in snake_case and with every default, and of each market. Margin in `clob` is that of markets without their own. Wei are quantities, everything else is a plain number. What genesis leaves out and has no default is left out.',
  params: [optional('block', blockSelector)],
  result: Type.Object(
    {
      block_number: quantityResult,
      chain_id: Type.Integer(),
      consensus: parameters,
      evm: parameters,
      clob: Type.Object(
        { initial_margin_bps: Type.Integer(), maintenance_margin_bps: Type.Integer() },
        { additionalProperties: true },
      ),
      markets: Type.Array(
        Type.Object(
          {
            market_id: Type.Integer(),
            symbol: Type.String(),
            tick_size: quantityResult,
            lot_size: quantityResult,
            ...decimalsResult,
            status: Type.String(),
            initial_margin_bps: Type.Integer(),
            maintenance_margin_bps: Type.Integer(),
            risk_tiers: Type.Optional(
              Type.Array(
                Type.Object({
                  above_notional: quantityResult,
                  initial_margin_bps: Type.Integer(),
                  maintenance_margin_bps: Type.Integer(),
                }),
              ),
            ),
            limits: Type.Optional(
              Type.Object({
                open_interest_max: quantityResult,
                position_max: quantityResult,
                price_band_bps: Type.Integer(),
                order_notional_max: quantityResult,
              }),
            ),
          },
          { title: 'MarketParameters' },
        ),
      ),
    },
    { title: 'NetworkParameters' },
  ),
  errors: ['RPC_BLOCK_NOT_FOUND', 'RPC_STATE_NOT_KEPT'],
  cost: 'heavy',
  privacy: 'public',
  fixedAtHead: true,
  examples: [
    {
      situation: 'a network with one market',
      params: [sample.height],
      result: {
        block_number: sample.height,
        chain_id: 7919,
        consensus: { min_block_interval_ms: 50, empty_block_interval_ms: 1000 },
        evm: { gas_limit: '0x1c9c380', initial_base_fee: '0x3b9aca00' },
        clob: { initial_margin_bps: 1000, maintenance_margin_bps: 500, liquidation_fee_bps: 100 },
        markets: [
          {
            market_id: 1,
            symbol: 'PRM/USD',
            tick_size: '0x1',
            lot_size: '0x1',
            base_decimals: 0,
            quote_decimals: 18,
            status: 'trading',
            initial_margin_bps: 1000,
            maintenance_margin_bps: 500,
          },
        ],
      },
    },
  ],
  handler: async (context, block = latest) => {
    const { info, ports } = context;
    const at = await stateAt(context, block);
    const { defaultMargin, markets, clob } = await ports.state.bookParameters(at);
    return {
      block_number: toQuantity(at.height),
      chain_id: info.chainId,
      consensus: shown(info.rules.consensus),
      evm: shown(info.rules.evm),
      clob: shown({ ...(clob ?? info.rules.clob), ...defaultMargin }),
      markets: markets.map((market) => formatMarket(market, defaultMargin)),
    };
  },
});
