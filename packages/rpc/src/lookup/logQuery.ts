import type { Hash, Height } from '@prime/primitives';
import { heightOf } from './blocks.ts';
import type { HeightRange, LogCriteria, LogQuery } from '../ports/chainPorts.ts';
import type { MethodContext } from '../define.ts';
import { invalidParams, limitExceeded, RpcError } from '../errors/errors.ts';
import type { LogFilter } from './logFilter.ts';
import { type BlockSelector, latest } from '../schema/valueTypes.ts';

/** What a log filter means on the chain as it stands: of blocks that are there, and of blocks to come. */

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
const checkAlternatives = (context: MethodContext, filter: LogFilter): void =>
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

/**
 * What a log filter means for blocks to come. As in go-ethereum only new blocks are watched: an earlier fromBlock changes
 * nothing, and one block that is named by its hash brings no changes.
 *
 * @throws RpcError `RPC_INVALID_PARAMS`, `RPC_LIMIT_EXCEEDED`
 */
export async function logCriteria(context: MethodContext, filter: LogFilter): Promise<LogCriteria> {
  checkAlternatives(context, filter);
  const { addresses, topics, fromBlock, toBlock } = filter;
  if (filter.blockHash !== null) return { addresses, topics, fromHeight: 0, toHeight: -1 };
  const fromHeight = await heightOf(context, fromBlock ?? latest);
  const toHeight = isNow(toBlock) ? Number.POSITIVE_INFINITY : await heightOf(context, toBlock);
  if (fromHeight > toHeight) throw invalidParams('filter', 'invalid block range: fromBlock is after toBlock');
  return { addresses, topics, fromHeight, toHeight };
}

const isNow = (selector: BlockSelector | null): selector is null =>
  selector === null || (selector.kind === 'tag' && selector.tag !== 'earliest');
