import { Type } from '@sinclair/typebox';
import type { LogMatch } from '@prime/codec';
import { type Address, type Hash, parseAddress, parseHash } from '@prime/primitives';
import { invalidParams } from '../errors/errors.ts';
import {
  addressSchema,
  type BlockSelector,
  blockNumber,
  hashSchema,
  hintKey,
  nullable,
  type ValueType,
  valueType,
} from '../schema/valueTypes.ts';

/** Log filter as a request carries it, before its blocks are known. */
export interface LogFilter extends LogMatch {
  readonly blockHash: Hash | null;
  readonly fromBlock: BlockSelector | null;
  readonly toBlock: BlockSelector | null;
}

interface WireFilter {
  readonly blockHash?: string | null;
  readonly fromBlock?: string | number | null;
  readonly toBlock?: string | number | null;
  readonly address?: string | readonly string[] | null;
  readonly topics?: readonly (string | readonly (string | null)[] | null)[] | null;
}

/** The EVM has LOG0 to LOG4. */
const topicsMax = 4;

/** One address, a list of them, or null, which is any. */
export const addressesSchema = Type.Union([addressSchema, Type.Array(addressSchema), Type.Null()], {
  [hintKey]: 'must be an address or a list of addresses',
});

/** One address or several; none for null. */
export const parseAddresses = (wire: string | readonly string[] | null | undefined): readonly Address[] =>
  wire == null ? [] : [wire].flat().map((value) => parseAddress(value as string));

const filterSchema = Type.Object(
  {
    blockHash: Type.Optional(nullable(hashSchema)),
    fromBlock: Type.Optional(nullable(blockNumber.schema)),
    toBlock: Type.Optional(nullable(blockNumber.schema)),
    address: Type.Optional(addressesSchema),
    topics: Type.Optional(
      nullable(
        Type.Array(Type.Union([hashSchema, Type.Null(), Type.Array(Type.Union([hashSchema, Type.Null()]))]), {
          maxItems: topicsMax,
          [hintKey]: `must be a list of at most ${topicsMax} entries, each null, a 32-byte topic or a list of topics`,
        }),
      ),
    ),
  },
  { additionalProperties: false, [hintKey]: 'must be {fromBlock, toBlock, blockHash, address, topics}, each optional' },
);

const selector = (value: string | number | null | undefined): BlockSelector | null =>
  value == null ? null : (blockNumber.parse as (value: string | number) => BlockSelector)(value);

/** One topic position; a null among the alternatives makes the position accept anything. */
function topicAlternatives(entry: string | readonly (string | null)[] | null): readonly Hash[] | null {
  if (entry === null) return null;
  if (typeof entry === 'string') return [parseHash(entry)];
  return entry.includes(null) ? null : (entry as readonly string[]).map(parseHash);
}

function parseFilter(wire: WireFilter): LogFilter {
  const filter: LogFilter = {
    blockHash: wire.blockHash == null ? null : parseHash(wire.blockHash),
    fromBlock: selector(wire.fromBlock),
    toBlock: selector(wire.toBlock),
    addresses: parseAddresses(wire.address),
    topics: (wire.topics ?? []).map(topicAlternatives),
  };
  if (filter.blockHash !== null && (filter.fromBlock !== null || filter.toBlock !== null))
    throw invalidParams('filter', 'cannot specify both blockHash and fromBlock/toBlock, choose one or the other');
  return filter;
}

/** Filter object of `eth_getLogs`; `blockHash` excludes a range (EIP-234), and there are at most four topics. */
export const logFilter: ValueType<LogFilter> = valueType(filterSchema, parseFilter);
