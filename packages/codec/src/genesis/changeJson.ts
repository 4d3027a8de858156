import { parseAddress, type MarketId } from '@prime/primitives';
import { decoder, encoder } from '../encoding/messages.ts';
import { readFees, readFunding, readLimits, readMark, readOracle, readTier } from './genesisJson.ts';
import { noMarketLimits } from './genesis.ts';
import { type Change, changeCodec, type ParameterName, parameterNames } from './changes.ts';

/**
 * A change as people write and sign it: `{"parameter":"fees","value":{"takerPpm":300,"makerPpm":-50}}`, with `market` where it is of one. Values are
 * written as in genesis.json, and read by the same functions.
 */

/** Bytes of the longest text of a value: sixteen tiers with the largest numbers. */
export const changeTextMax = 4096;

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Amounts as decimal text. */
function shown(value: unknown): Json {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value as Json;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, shown(entry)]));
}

/** The value of a change as JSON text, fields in the order of the encoding. */
export const changeValueText = (change: Change): string => JSON.stringify(shown(inOrder(change).value));

/** The whole change as JSON text: what a wallet shows, and what typed data hold. @throws CodecError `CODEC_FIELD_INVALID` */
export function changeText(change: Change): string {
  const { parameter, marketId, value } = inOrder(change);
  return JSON.stringify({ parameter, ...(marketId === null ? {} : { market: marketId }), value: shown(value) });
}

const encodeChange = encoder<Change>(changeCodec, 'change');
const decodeChange = decoder<Change>(changeCodec, 'change');
/** The same change with fields in the order of the encoding, whoever made it: equal changes have one text. */
const inOrder = (change: Change): Change => decodeChange(encodeChange(change));

/** A change as people write it. */
export interface ChangeJson {
  readonly parameter: string;
  /** Id of a market; left out where the change is of all. */
  readonly market?: number;
  readonly value: unknown;
}

type FeesJson = Omit<Parameters<typeof readFees>[0], 'treasury'> & { readonly treasury?: string | null };
type Readers = { readonly [Name in ParameterName]: (json: never) => Extract<Change, { parameter: Name }>['value'] };

const orNull =
  <J, T>(read: (json: J) => T) =>
  (json: J | null): T | null =>
    json === null ? null : read(json);
const asIs = <T>(json: T): T => json;

const readers: Readers = {
  status: ({ status, price }: { status: 'trading'; price?: string | null }) => ({
    status,
    price: price === undefined || price === null ? null : BigInt(price),
  }),
  margin: asIs,
  riskTiers: (tiers: readonly Parameters<typeof readTier>[0][]) => tiers.map(readTier),
  limits: (json: Parameters<typeof readLimits>[0]) => readLimits(json, noMarketLimits),
  // Nobody is null here, where genesis.json leaves it out.
  fees: orNull(({ treasury, ...rates }: FeesJson) =>
    readFees(treasury === null || treasury === undefined ? rates : { ...rates, treasury }),
  ),
  funding: orNull(readFunding),
  mark: readMark,
  oracle: readOracle,
  liquidationFeeBps: asIs,
  insuranceSlippageBps: asIs,
  autoLiquidatePerBlock: asIs,
  minNotional: (json: string) => BigInt(json),
  maxOpenOrders: asIs,
  orderChangesPerBlock: asIs,
  subAccountsMax: asIs,
  admin: orNull(parseAddress),
};

/**
 * Reads a change. What the encoding has no place for is refused: a name that is not known is mostly a misspelt one.
 *
 * @throws CodecError `CODEC_FIELD_INVALID`; SyntaxError, TypeError, RangeError, HexError for a value of another shape
 */
export function changeFromJson({ parameter, market, value }: ChangeJson): Change {
  const name = parameterNames.find((known) => known === parameter);
  if (name === undefined) throw new RangeError(`parameter is ${parameter}: allowed is ${parameterNames.join(', ')}`);
  const read = (readers[name] as (json: unknown) => unknown)(value);
  const change = inOrder({ parameter: name, marketId: (market ?? null) as MarketId | null, value: read } as Change);
  const strange = namesOf(value).find((field) => !namesOf(change.value).includes(field));
  if (strange !== undefined)
    throw new RangeError(`${name} has no ${strange}: allowed is ${namesOf(change.value).join(', ')}`);
  return change;
}

/** Names of the fields of a value, and of the entries of a list. */
function namesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesOf);
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}
