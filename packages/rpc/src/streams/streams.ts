import { type TSchema, Type } from '@sinclair/typebox';
import { type CandleInterval, candleIntervals } from '@prime/codec';
import type { Address, MarketId } from '@prime/primitives';
import type { MethodContext } from '../define.ts';
import { invalidParams, RpcError } from '../errors/errors.ts';
import { type LogFilter, logFilter, parseAddresses } from '../lookup/logFilter.ts';
import { logCriteria, refuseManyAlternatives } from '../lookup/logQuery.ts';
import { marketId, refuseUnknownMarket } from '../orders/orderActions.ts';
import type { Subscriptions, Topic, TopicKind } from '../ports/streamPorts.ts';
import { address, hintKey, type ValueType, valueType } from '../schema/valueTypes.ts';

/** Parameters of subscriptions, and the topics that they name. */

/** The fields of the options of each kind; null where the options are a flag. */
const topicFields = {
  newHeads: [],
  logs: ['fromBlock', 'toBlock', 'blockHash', 'address', 'topics'],
  newPendingTransactions: null,
  syncing: [],
  orderBook: ['market_id'],
  bookOrders: ['market_id'],
  bbo: ['market_id'],
  ticker: ['market_id'],
  trades: ['market_id'],
  candles: ['market_id', 'interval'],
  account: ['address'],
  orders: ['address'],
  fills: ['address'],
  domainEvents: ['domain', 'kind', 'address'],
  commits: [],
} as const satisfies Readonly<Record<TopicKind, readonly string[] | null>>;
const topicKinds = Object.keys(topicFields) as readonly TopicKind[];

/** What the privacy fork hides altogether. */
const hiddenKinds: ReadonlySet<string> = new Set<TopicKind>(['logs', 'account', 'orders', 'fills']);

/** Whether the public surface refuses the subscription after the privacy fork. */
export const isHiddenTopic = (kind: string, options: TopicOptions | undefined): boolean =>
  hiddenKinds.has(kind) || (kind === 'newPendingTransactions' && options === true);

interface WireOptions {
  readonly address?: unknown;
  readonly market_id?: string | number | null;
  readonly domain?: string | null;
  readonly kind?: string | null;
  readonly interval?: string | null;
}

/** Second parameter of `eth_subscribe` before the kind says what it means. */
export type TopicOptions = boolean | WireOptions;

const word = Type.Optional(Type.Union([Type.String(), Type.Null()], { [hintKey]: 'must be text' }));

/** Which of the fields mean something depends on the kind. */
const optionsSchema = Type.Union(
  [
    Type.Boolean(),
    Type.Object({
      ...(logFilter.schema as TSchema & { properties: Record<string, TSchema> }).properties,
      market_id: Type.Optional(Type.Union([marketId.schema, Type.Null()], { [hintKey]: 'must be a market id' })),
      domain: word,
      kind: word,
      interval: word,
    }),
  ],
  { [hintKey]: 'must be true, false or an object with the fields of the kind' },
);

/** Any text, so that an unknown kind gets the error of its own, `RPC_UNKNOWN_SUBSCRIPTION`. */
export const topicKind: ValueType<string> = valueType(
  Type.String({ [hintKey]: `must be one of ${topicKinds.join(', ')}` }),
  (value: string) => value,
);

/** Options of any kind; fields that do not belong to the kind are refused later. */
export const topicOptions: ValueType<TopicOptions> = valueType(optionsSchema, (value: TopicOptions) => value);

const isTopicKind = (kind: string): kind is TopicKind => (topicKinds as readonly string[]).includes(kind);

/**
 * The topic that the parameters of a subscription name.
 *
 * @throws RpcError `RPC_UNKNOWN_SUBSCRIPTION`, `RPC_INVALID_PARAMS`, `RPC_LIMIT_EXCEEDED`, `RPC_ACTION_REFUSED` for an unknown market
 */
export async function parseTopic(
  context: MethodContext,
  kind: string,
  options: TopicOptions | undefined,
): Promise<Topic> {
  if (!isTopicKind(kind)) throw unknownTopic(kind);
  if (kind === 'newPendingTransactions') return { kind, full: flagOf(options) };
  const fields = fieldsOf(kind, options);
  switch (kind) {
    case 'newHeads':
    case 'syncing':
    case 'commits':
      return { kind };
    case 'logs': {
      const filter = (logFilter.parse as (wire: unknown) => LogFilter)(fields);
      return { kind, criteria: await logCriteria(context, filter) };
    }
    case 'orderBook':
    case 'bookOrders':
    case 'bbo':
    case 'ticker':
    case 'trades':
      return { kind, marketId: await knownMarket(context, fields) };
    case 'candles':
      return { kind, marketId: await knownMarket(context, fields), interval: intervalOf(fields) };
    case 'account':
    case 'orders':
    case 'fills':
      return { kind, account: accountOf(fields) };
    case 'domainEvents':
      return {
        kind,
        domain: fields.domain ?? null,
        eventKind: fields.kind ?? null,
        addresses: addressesOf(context, fields),
      };
  }
}

function flagOf(options: TopicOptions | undefined): boolean {
  if (typeof options === 'object') throw invalidParams('options', 'must be true for full transactions, or false');
  return options ?? false;
}

const kindShown = 64;

function unknownTopic(kind: string): RpcError {
  const shown = kind.slice(0, kindShown);
  return new RpcError(`no "${shown}" subscription, there are ${topicKinds.join(', ')}`, {
    code: 'RPC_UNKNOWN_SUBSCRIPTION',
    kind: shown,
  });
}

/** @throws RpcError `RPC_INVALID_PARAMS` for a field that the kind does not have: passed over it would promise what is not kept */
function fieldsOf(kind: TopicKind, options: TopicOptions | undefined): WireOptions {
  if (typeof options === 'boolean') throw invalidParams('options', 'must be an object');
  const known: readonly string[] = topicFields[kind] ?? [];
  const stranger = Object.keys(options ?? {}).find((name) => !known.includes(name));
  if (stranger === undefined) return options ?? {};
  const has = known.length === 0 ? 'takes none' : `takes ${known.join(', ')}`;
  throw invalidParams(
    `options.${stranger.slice(0, kindShown)}`,
    `is not a known field: a subscription to ${kind} ${has}`,
  );
}

async function knownMarket({ ports }: MethodContext, { market_id: wire }: WireOptions): Promise<MarketId> {
  if (wire === undefined || wire === null) throw invalidParams('options.market_id', 'is required');
  const id = (marketId.parse as (value: string | number) => MarketId)(wire);
  if ((await ports.books.market(id)) !== null) return id;
  return refuseUnknownMarket(id);
}

function intervalOf({ interval: wire }: WireOptions): CandleInterval {
  const interval = candleIntervals.find((known) => known === wire);
  if (interval === undefined) throw invalidParams('options.interval', `must be one of ${candleIntervals.join(', ')}`);
  return interval;
}

function addressesOf(context: MethodContext, { address: wire }: WireOptions): readonly Address[] {
  const addresses = parseAddresses(wire as string | readonly string[] | null | undefined);
  refuseManyAlternatives(context, addresses.length);
  return addresses;
}

function accountOf({ address: wire }: WireOptions): Address {
  if (typeof wire !== 'string') throw invalidParams('options.address', 'must be the address of an account');
  return (address.parse as (value: string) => Address)(wire);
}

/** @throws RpcError `RPC_NOTIFICATIONS_UNSUPPORTED` */
export function subscriptionsOf({ request }: MethodContext): Subscriptions {
  if (request.subscriptions === undefined)
    throw new RpcError('notifications not supported', { code: 'RPC_NOTIFICATIONS_UNSUPPORTED' });
  return request.subscriptions;
}
