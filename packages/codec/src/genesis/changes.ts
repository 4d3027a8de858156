import { keccakHex } from '@prime/crypto';
import type { Address, Hash, MarketId } from '@prime/primitives';
import { invalidField } from '../encoding/errors.ts';
import {
  address,
  type Codec,
  type FieldsOf,
  integer,
  itemList,
  listOf,
  nullable,
  oneOf,
  struct,
  type ValueOf,
} from '../encoding/fieldCodecs.ts';
import { amount, bps, height, marketLimits, riskTier, riskTiersMax, uint32, wei } from '../encoding/protocolFields.ts';
import { encodeRlp, type RlpItem } from '../encoding/rlp.ts';
import { feeCodec, fundingCodec, markCodec, oracleCodec } from './genesis.ts';
import { marketStatuses } from './marketStatuses.ts';

/** Changes of parameters while a network runs: what there is to change, and the encoding of one change. */

const parameterCodecs = {
  /** Of a market. A price, wei for one base unit, is that of a settlement; null is the index when it begins. */
  status: struct({ status: oneOf(marketStatuses), price: nullable(amount) }),
  /** Of a market, or of all that have none of their own. */
  margin: struct({ initialMarginBps: bps, maintenanceMarginBps: bps }),
  /** Of a market, or of those that are made later, as limits. An empty list is none. */
  riskTiers: listOf(riskTier, riskTiersMax),
  limits: marketLimits,
  /** From here on of all markets; null switches off. */
  fees: nullable(feeCodec),
  funding: nullable(fundingCodec),
  mark: markCodec,
  oracle: oracleCodec,
  liquidationFeeBps: bps,
  insuranceSlippageBps: nullable(bps),
  autoLiquidatePerBlock: uint32,
  minNotional: wei,
  maxOpenOrders: uint32,
  orderChangesPerBlock: nullable(integer(1, 0xffffffff)),
  subAccountsMax: nullable(integer(1, 0xffffffff)),
  admin: nullable(address),
} as const;

/** Numbers in the encoding: never given to another parameter. */
const parameterCodes = {
  status: 1,
  margin: 2,
  riskTiers: 3,
  limits: 4,
  fees: 5,
  funding: 6,
  mark: 7,
  oracle: 8,
  liquidationFeeBps: 9,
  insuranceSlippageBps: 10,
  autoLiquidatePerBlock: 11,
  minNotional: 12,
  maxOpenOrders: 13,
  orderChangesPerBlock: 14,
  subAccountsMax: 15,
  admin: 16,
} as const satisfies Readonly<Record<keyof typeof parameterCodecs, number>>;

/** What can be changed, by the name that genesis has for it. */
export type ParameterName = keyof typeof parameterCodecs;
/** All of them. */
export const parameterNames = Object.keys(parameterCodes) as ParameterName[];

/** What a market has of its own: `always`, or `may` where there is one for all markets as well. The other parameters are of all markets. */
export const parametersOfMarkets: Readonly<Partial<Record<ParameterName, 'always' | 'may'>>> = {
  status: 'always',
  margin: 'may',
  riskTiers: 'may',
  limits: 'may',
};

/** One parameter with its new value; of all markets where the market is null. */
export type Change = {
  readonly [Name in ParameterName]: {
    readonly parameter: Name;
    readonly marketId: MarketId | null;
    readonly value: ValueOf<(typeof parameterCodecs)[Name]>;
  };
}[ParameterName];

/** `[code, market id or 0, value]`. */
export const changeCodec: Codec<Change> = {
  toRlp({ parameter, marketId, value }) {
    const codec = parameterCodecs[parameter] as Codec<unknown> | undefined;
    if (codec === undefined) return invalidField('parameter', `expected ${parameterNames.join(' | ')}`);
    return [parameterCodes[parameter], uint32.toRlp(marketId ?? 0, 'marketId'), codec.toRlp(value, parameter)];
  },
  fromRlp(item, field) {
    const [code, market, value, ...rest] = itemList(item, field) as readonly (RlpItem | undefined)[];
    if (code === undefined || market === undefined || value === undefined || rest.length > 0)
      return invalidField(field, 'expected [parameter, market, value]');
    const number = uint32.fromRlp(code, 'parameter');
    const parameter = parameterNames.find((name) => parameterCodes[name] === number);
    if (parameter === undefined) return invalidField('parameter', `unknown parameter ${number}`);
    const id = uint32.fromRlp(market, 'marketId');
    return {
      parameter,
      marketId: id === 0 ? null : id,
      value: parameterCodecs[parameter].fromRlp(value, parameter),
    } as Change;
  },
};

/** Of `propose`, in this order. Votes count in blocks below `expiryHeight`. */
export const proposalFields = {
  change: changeCodec,
  activationHeight: height,
  expiryHeight: height,
} as const;
/** What validators vote on. */
export interface ProposedChange extends FieldsOf<typeof proposalFields> {}

const namedCodec = struct({ proposer: address, ...proposalFields });

/** Names a proposal by all that it says and by who made it, so that a vote is for nothing else. */
export const proposalHash = (proposer: Address, proposed: ProposedChange): Hash =>
  keccakHex(encodeRlp(namedCodec.toRlp({ proposer, ...proposed }, 'proposal')));
