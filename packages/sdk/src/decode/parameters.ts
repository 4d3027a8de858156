import { decodeLimits } from './market.ts';
import type { RpcResult } from '../generated/methods.ts';
import type {
  MarketParameters,
  NamedParameters,
  NetworkParameters,
  ParameterProposal,
  ParameterValue,
} from '../types/parameters.ts';
import { toBigint } from './quantity.ts';

type Wire = RpcResult<'prime_getParameters'>;

const camelCase = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const quantity = /^-?0x(0|[1-9a-f][0-9a-f]*)$/;
const address = /^0x[0-9a-f]{40}$/;

/** No amount has as many digits as an address: wei end far below 2^156. */
function decodeValue(value: unknown): ParameterValue {
  if (typeof value === 'string') return quantity.test(value) && !address.test(value) ? toBigint(value) : value;
  if (Array.isArray(value)) return value.map(decodeValue);
  if (typeof value !== 'object' || value === null) return value as ParameterValue;
  return decodeNamed(value);
}

const decodeNamed = (values: object): NamedParameters =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [camelCase(name), decodeValue(value)]));

const decodeMarket = (wire: Wire['markets'][number]): MarketParameters => ({
  marketId: wire.market_id,
  symbol: wire.symbol,
  tickSize: toBigint(wire.tick_size),
  lotSize: toBigint(wire.lot_size),
  baseDecimals: wire.base_decimals,
  quoteDecimals: wire.quote_decimals,
  status: wire.status,
  initialMarginBps: wire.initial_margin_bps,
  maintenanceMarginBps: wire.maintenance_margin_bps,
  ...(wire.risk_tiers === undefined
    ? {}
    : {
        riskTiers: wire.risk_tiers.map((tier) => ({
          aboveNotional: toBigint(tier.above_notional),
          initialMarginBps: tier.initial_margin_bps,
          maintenanceMarginBps: tier.maintenance_margin_bps,
        })),
      }),
  ...(wire.limits === undefined ? {} : { limits: decodeLimits(wire.limits) }),
});

/** From wire form. @throws SyntaxError for a value that is no JSON */
export const decodeProposal = (wire: RpcResult<'prime_getProposals'>[number]): ParameterProposal => ({
  proposal: wire.proposal,
  proposer: wire.proposer,
  marketId: wire.market_id as number | null,
  parameter: wire.parameter,
  value: JSON.parse(wire.value) as unknown,
  activationHeight: Number(wire.activation_height),
  expiryHeight: Number(wire.expiry_height),
  hasPassed: wire.has_passed,
  votes: wire.votes,
});

/** From wire form; what only genesis names is taken apart by its form. */
export const decodeParameters = ({
  block_number,
  chain_id,
  consensus,
  evm,
  clob,
  markets,
}: Wire): NetworkParameters => ({
  blockNumber: toBigint(block_number),
  chainId: chain_id,
  consensus: decodeNamed(consensus),
  evm: decodeNamed(evm),
  clob: decodeNamed(clob) as NetworkParameters['clob'],
  markets: markets.map(decodeMarket),
});
