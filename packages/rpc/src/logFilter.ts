import { Type } from '@sinclair/typebox';
import { type Address, type Hash, type Height, parseAddress, parseHash } from '@prime/primitives';
import { heightOf } from './blocks.ts';
import type { MethodContext, ValueType } from './define.ts';
import { invalidParams, limitExceeded, RpcError } from './errors.ts';
import type { HeightRange, LogQuery } from './ports.ts';
import {
  addressSchema,
  type BlockSelector,
  blockNumber,
  hashSchema,
  hintKey,
  latest,
  nullable,
  valueType,
} from './valueTypes.ts';

/** Log filter as a request carries it, before its blocks are known. */
export interface LogFilter {
  readonly blockHash: Hash | null;
  readonly fromBlock: BlockSelector | null;
  readonly toBlock: BlockSelector | null;
  readonly addresses: readonly Address[];
  readonly topics: readonly (readonly Hash[] | null)[];
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

export const logFilter: ValueType<LogFilter> = valueType(filterSchema, parseFilter);

/**
 * The range between two selectors, cut at the head; null when nothing of it exists yet.
 *
 * @throws RpcError `RPC_INVALID_PARAMS` when it is upside down, `RPC_LIMIT_EXCEEDED` when it is too long
 */
export async function blockRange(
  context: MethodContext,
  from: BlockSelector,
  to: BlockSelector,
): Promise<HeightRange | null> {
  const [fromHeight, wanted, head] = await Promise.all([
    heightOf(context, from),
    heightOf(context, to),
    heightOf(context, latest),
  ]);
  if (fromHeight > wanted) throw invalidParams('filter', 'invalid block range: fromBlock is after toBlock');
  const toHeight = Math.min(wanted, head);
  const { logBlockRange } = context.info.limits;
  if (toHeight - fromHeight >= logBlockRange)
    throw limitExceeded('blockRange', logBlockRange, `query spans ${toHeight - fromHeight + 1} blocks`);
  return fromHeight > toHeight ? null : { fromHeight: fromHeight as Height, toHeight: toHeight as Height };
}

/** @throws RpcError `RPC_LIMIT_EXCEEDED` when the filter names too many addresses or topics */
export const checkAlternatives = (context: MethodContext, filter: LogFilter): void =>
  refuseManyAlternatives(
    context,
    Math.max(filter.addresses.length, ...filter.topics.map((topics) => topics?.length ?? 0)),
  );

/** @throws RpcError `RPC_LIMIT_EXCEEDED` @param widest addresses or topics of one position */
export function refuseManyAlternatives(context: MethodContext, widest: number): void {
  const { filterAlternatives } = context.info.limits;
  if (widest > filterAlternatives)
    throw limitExceeded('filterAlternatives', filterAlternatives, `filter names ${widest} addresses or topics`);
}

/**
 * An answer without the blocks that are yet to come would look complete, and whoever reads on after it from another node would
 * miss what they hold. Other clients refuse such ranges with these words, and execution-apis wants it so.
 */
async function refuseFuture(context: MethodContext, { fromBlock, toBlock }: LogFilter): Promise<void> {
  const head = await heightOf(context, latest);
  for (const bound of [fromBlock, toBlock]) {
    if (bound?.kind === 'height' && bound.height > head)
      throw invalidParams(
        'filter',
        `block range extends beyond current head block: requested ${bound.height}, head ${head}`,
      );
  }
}

/** @throws RpcError `RPC_BLOCK_NOT_FOUND`, `RPC_INVALID_PARAMS`, `RPC_LIMIT_EXCEEDED` */
export async function logQuery(context: MethodContext, filter: LogFilter): Promise<LogQuery | null> {
  const { logCount } = context.info.limits;
  checkAlternatives(context, filter);
  await refuseFuture(context, filter);
  const { addresses, topics } = filter;
  const range =
    filter.blockHash === null
      ? await blockRange(context, filter.fromBlock ?? latest, filter.toBlock ?? latest)
      : await rangeOfHash(context, filter.blockHash);
  return range === null ? null : { ...range, addresses, topics, limit: logCount };
}

async function rangeOfHash({ ports }: MethodContext, hash: Hash): Promise<HeightRange> {
  const record = await ports.chain.blockByHash(hash);
  if (record === null) throw new RpcError('unknown block', { code: 'RPC_BLOCK_NOT_FOUND' });
  const { height } = record.block.header;
  return { fromHeight: height, toHeight: height };
}
