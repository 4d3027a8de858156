import type { AccountList, AccountListPage, AccountListQuery, BlockPlace } from '@prime/codec';
import { type Address, type Hash, type Height, type MarketId, type TimestampMs, toQuantity } from '@prime/primitives';
import { type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { type MethodContext, type Parameter, optional, required } from '../define.ts';
import { invalidParams } from '../errors/errors.ts';
import { hashResult, orNull, quantityResult } from '../schema/resultSchemas.ts';
import { sample } from '../schema/samples.ts';
import { address, hintKey, index, nullable, type ValueType, valueType } from '../schema/valueTypes.ts';
import { cursorPattern, formatCursor, parseCursor } from './cursors.ts';
import { marketId, marketIdOf, refuseUnknownMarket } from './orderActions.ts';
import { parseTimeMs } from './times.ts';

/** What the methods share that show a list of an account's history: which page of it is asked for, and what is around its entries. */

const limitDefault = 100;
const limitMax = 1000;
/** Behind all that there is. */
const end: BlockPlace = { height: Number.MAX_SAFE_INTEGER as Height, index: 0 };

/** Which part of a list is asked for. */
export interface Page {
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly marketId: MarketId | null;
  readonly limit: number;
  readonly cursor: string | null;
}

interface WirePage {
  readonly from_time_ms?: string | number | null;
  readonly to_time_ms?: string | number | null;
  readonly market_id?: string | number | null;
  readonly limit?: string | number | null;
  readonly cursor?: string | null;
}

const wholeList: Page = { fromMs: null, toMs: null, marketId: null, limit: limitDefault, cursor: null };

function parsePage(wire: WirePage): Page {
  const { from_time_ms: from, to_time_ms: to, market_id: market, limit, cursor } = wire;
  const page: Page = {
    fromMs: from == null ? null : parseTimeMs(from, 'page.from_time_ms'),
    toMs: to == null ? null : parseTimeMs(to, 'page.to_time_ms'),
    marketId: market == null ? null : marketIdOf(market),
    limit: limit == null ? limitDefault : Number(limit),
    cursor: cursor ?? null,
  };
  if (page.limit < 1 || page.limit > limitMax) throw invalidParams('page.limit', `must be from 1 to ${limitMax}`);
  if (page.fromMs !== null && page.toMs !== null && page.fromMs > page.toMs)
    throw invalidParams('page', 'from_time_ms is after to_time_ms');
  return page;
}

const times = {
  from_time_ms: Type.Optional(nullable(index.schema)),
  to_time_ms: Type.Optional(nullable(index.schema)),
};
const rest = {
  limit: Type.Optional(nullable(index.schema)),
  cursor: Type.Optional(
    nullable(Type.String({ pattern: cursorPattern, [hintKey]: 'must be the `next` of the page before' })),
  ),
};
const pageType = (properties: TProperties): ValueType<Page> =>
  valueType(
    Type.Object(properties, {
      additionalProperties: false,
      [hintKey]: `must be {${Object.keys(properties).join(', ')}}, each optional`,
    }),
    parsePage,
  );

type PageParameters = readonly [Parameter<Address, true>, Parameter<Page, false>];
const parametersWith = (page: ValueType<Page>): PageParameters => [
  required('address', address),
  optional('page', page),
];

/** Parameters of a list whose entries are of markets. */
export const pageParameters = parametersWith(
  pageType({ ...times, market_id: Type.Optional(nullable(marketId.schema)), ...rest }),
);
/** Parameters of a list whose entries are of none. */
export const marketlessPageParameters = parametersWith(pageType({ ...times, ...rest }));

/** What every summary of a list says about its pages. */
export const pageWords = (fields: string): string =>
  `\`page\` is {${fields}}, each optional; \`limit\` is ${limitDefault} by default and at most ${limitMax}. The cursor \`next\` stays right while blocks come and old ones are deleted; a page may be short, or empty, and have a next one. The node cannot tell of what was before \`oldest_block\`: one that keeps recent blocks, or began with a snapshot.`;
/** Fields of {@link pageParameters}. */
export const pageFields = 'from_time_ms, to_time_ms, market_id, limit, cursor';
/** Fields of {@link marketlessPageParameters}. */
export const marketlessPageFields = 'from_time_ms, to_time_ms, limit, cursor';

/** Where and when an entry came to be. */
const placedFields = { block_number: quantityResult, time_ms: quantityResult };
/** The same of an event, with what caused it: null for what the block itself does. */
export const causedFields = { transaction_hash: orNull(hashResult), event_index: quantityResult, ...placedFields };

/** Values of {@link placedFields}. */
const placed = ({ height, timestampMs }: { readonly height: Height; readonly timestampMs: TimestampMs }) => ({
  block_number: toQuantity(height),
  time_ms: toQuantity(timestampMs),
});
/** Values of {@link causedFields}. */
export const caused = (entry: {
  readonly transactionHash: Hash | null;
  readonly index: number;
  readonly height: Height;
  readonly timestampMs: TimestampMs;
}) => ({ transaction_hash: entry.transactionHash, event_index: toQuantity(entry.index), ...placed(entry) });

/** The answer: a page under its name. */
export const pageResult = (name: string, title: string, entry: TSchema): TObject =>
  Type.Object(
    {
      [name]: Type.Array(entry),
      next: orNull(Type.String({ title: 'Cursor', pattern: cursorPattern })),
      oldest_block: quantityResult,
      oldest_ms: quantityResult,
    },
    { title },
  );

/** Where the samples of entries are. */
export const samplePlaced = { block_number: sample.height, time_ms: '0x19378d2b3e8' };
/** The same of an event. */
export const sampleCaused = { transaction_hash: sample.hash, event_index: '0x0', ...samplePlaced };
/** A page with all that there is. */
export const samplePage = (name: string, entries: readonly unknown[]): unknown => ({
  [name]: entries,
  next: null,
  oldest_block: '0x1',
  oldest_ms: '0x19378d2b000',
});

/**
 * Answers a page of a list.
 *
 * @param read asks for it
 * @param format an entry as the answer shows it
 * @throws RpcError `RPC_INVALID_PARAMS` for a cursor of another list, `RPC_ACTION_REFUSED` for an unknown market
 */
export async function answerPage<List extends AccountList, Entry>(
  { ports: { books } }: MethodContext,
  { list, name, address: account }: { readonly list: List; readonly name: string; readonly address: Address },
  asked: Page | undefined,
  read: (query: AccountListQuery<List>) => Promise<AccountListPage<Entry>>,
  format: (entry: Entry) => unknown,
): Promise<unknown> {
  const { cursor, limit, ...page } = asked ?? wholeList;
  const listing = { list, address: account };
  const before = cursor === null ? end : parseCursor(listing, cursor);
  if (page.marketId !== null && (await books.market(page.marketId)) === null) return refuseUnknownMarket(page.marketId);
  const { entries, next, oldest, oldestMs } = await read({ ...listing, ...page, before, count: limit });
  return {
    [name]: entries.map(format),
    next: next === null ? null : formatCursor(listing, next),
    oldest_block: toQuantity(oldest),
    oldest_ms: toQuantity(oldestMs),
  };
}
