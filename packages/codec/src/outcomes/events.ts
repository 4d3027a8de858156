import type { Address } from '@prime/primitives';
import { invalidField } from '../encoding/errors.ts';
import {
  address,
  type Codec,
  clientId,
  flag,
  hash,
  integer,
  itemList,
  nullable,
  oneOf,
  struct,
  text,
} from '../encoding/fieldCodecs.ts';
import { marketDecimalsFields } from '../genesis/marketDecimals.ts';
import {
  agentNameBytesMax,
  amount,
  bps,
  marketId,
  orderId,
  selfTradeMode,
  side,
  signedSize,
  signedWei,
  symbolBytesMax,
  timeInForce,
  transferDirection,
  uint32,
  wei,
} from '../encoding/protocolFields.ts';
import { decodeRlp, encodeRlp, rlpBytesAt, type RlpItem, type RlpValue } from '../encoding/rlp.ts';
import type { ContractOrigin, DomainEvent } from '../types.ts';

/**
 * Domain events: what happened in a block besides EVM logs. The table below is the only place that knows the kinds; encoding,
 * JSON and documentation come from it. Codes are never reused and fields never reordered: events are part of the header.
 */
type EventValue = DomainEvent['data'][string];

/** How a field is encoded, and how it shows in JSON: plain numbers and text as they are, the rest as hex quantities. */
interface EventFieldType {
  readonly codec: Codec<EventValue>;
  readonly json: 'plain' | 'quantity';
  /** What a number of the field is in working form. */
  readonly number?: 'number' | 'bigint';
}

// The table is data about many types; each codec gets back exactly what its own fields hold, or throws.
const plain = <T extends EventValue>(codec: Codec<T>): EventFieldType => ({
  codec: codec as unknown as Codec<EventValue>,
  json: 'plain',
});
const plainNumber = <T extends number | null>(codec: Codec<T>): EventFieldType => ({
  ...plain(codec),
  number: 'number',
});
const hexQuantity = (codec: Codec<bigint>): EventFieldType => ({ ...plain(codec), json: 'quantity', number: 'bigint' });
const hexNumber = <T extends number | null>(codec: Codec<T>): EventFieldType => ({
  ...plainNumber(codec),
  json: 'quantity',
});

const market = plainNumber(marketId);
const order = hexNumber(orderId);
const id = hexNumber(integer(1));
const account = plain(address);
const size = hexQuantity(amount);
const value = hexQuantity(wei);
const signedValue = hexQuantity(signedWei);
const reason = plain(text(256));
const orderSide = plain(side);
const bridgeFields = {
  transfer_id: id,
  direction: plain(transferDirection),
  from: account,
  to: account,
  amount: value,
} as const;
const validatorFields = { validator: account, stake: value, power: value } as const;

interface EventDefinition {
  readonly code: number;
  readonly domain: DomainEvent['domain'];
  /** In the order of the encoding. */
  readonly fields: Readonly<Record<string, EventFieldType>>;
}

const orders = (code: number, fields: EventDefinition['fields']): EventDefinition => ({
  code,
  domain: 'orders',
  fields,
});
const bridge = (code: number, fields: EventDefinition['fields']): EventDefinition => ({
  code,
  domain: 'bridge',
  fields,
});
const validators = (code: number): EventDefinition => ({ code, domain: 'validators', fields: validatorFields });

/** What makes an order smaller: its owner, or self-trade prevention that takes the same off both orders. */
export const orderReductions = ['modify', 'decrement'] as const;
/** Why an order became smaller without a trade. */
export type OrderReduction = (typeof orderReductions)[number];

/** Every kind of event. */
export const eventTable = {
  market_added: orders(1, {
    market_id: market,
    symbol: plain(text(symbolBytesMax)),
    tick_size: size,
    lot_size: size,
    base_decimals: plainNumber(marketDecimalsFields.baseDecimals),
    quote_decimals: plainNumber(marketDecimalsFields.quoteDecimals),
  }),
  margin_params_set: orders(2, {
    market_id: plainNumber(nullable(marketId)),
    initial_margin_bps: plainNumber(bps),
    maintenance_margin_bps: plainNumber(bps),
  }),
  order_accepted: orders(3, {
    order_id: order,
    market_id: market,
    owner: account,
    side: orderSide,
    price: size,
    size,
    tif: plain(timeInForce),
    client_id: plain(clientId),
    post_only: plain(flag),
    reduce_only: plain(flag),
    stp: plain(selfTradeMode),
    expires_at: plainNumber(integer()),
  }),
  trade: orders(4, {
    trade_id: id,
    market_id: market,
    price: size,
    size,
    maker_order_id: order,
    taker_order_id: order,
    maker: account,
    taker: account,
    side: orderSide,
    fees: signedValue,
  }),
  order_cancelled: orders(5, { order_id: order, market_id: market, owner: account, remaining: size, reason }),
  collateral_deposited: orders(6, { address: account, amount: value, collateral: signedValue }),
  collateral_withdrawn: orders(7, { address: account, amount: value, collateral: signedValue }),
  /** `order_id` is the taker's of its trades, which come before it; `size` is what the position was. */
  liquidation: orders(8, {
    address: account,
    order_id: order,
    market_id: market,
    size: hexQuantity(signedSize),
    fee: value,
    insurance_paid: value,
  }),
  /** A part of a position in liquidation was closed against one on the other side. `size` has the sign of the former. */
  deleveraged: orders(9, {
    address: account,
    order_id: order,
    counterparty: account,
    market_id: market,
    size: hexQuantity(signedSize),
    value,
  }),
  bad_debt: orders(10, { address: account, amount: value }),
  insurance_changed: orders(11, { amount: signedValue, balance: value }),
  /** `hash` of a native transaction, `ticket` of a contract's call; the other one is null. */
  action_rejected: orders(12, {
    account,
    hash: plain(nullable(hash)),
    ticket: hexNumber(nullable(integer(1))),
    reason,
  }),
  agent_approved: orders(13, {
    account,
    agent: account,
    expiry: plainNumber(integer()),
    permissions: plainNumber(uint32),
    name: plain(text(agentNameBytesMax)),
  }),
  agent_revoked: orders(14, { account, agent: account }),
  faucet_used: orders(15, { address: account, amount: value }),
  collateral_transferred: orders(16, { from: account, to: account, amount: value }),
  /** Of networks with fees, after the trade; negative is a rebate. `insurance` and `treasury` are what they got of it. */
  trade_fees: orders(17, {
    trade_id: id,
    market_id: market,
    taker: account,
    taker_fee: value,
    maker: account,
    maker_fee: signedValue,
    insurance: signedValue,
    treasury: value,
  }),
  /** An interval ended: see MarketFunding. */
  funding_index: orders(18, {
    market_id: market,
    index: signedValue,
    change: signedValue,
    average: value,
    reference: value,
  }),
  /** A position settled: `amount` came to its account, and `insurance` is what rounding left to the insurance fund. */
  funding_paid: orders(19, {
    address: account,
    market_id: market,
    size: hexQuantity(signedSize),
    amount: signedValue,
    index: signedValue,
    insurance: value,
  }),
  /** An order became smaller without a fill, as if it had been made for less: by `amount`, to `remaining`. */
  order_reduced: orders(20, {
    order_id: order,
    market_id: market,
    owner: account,
    by: plain(oneOf<OrderReduction>(orderReductions)),
    amount: size,
    remaining: size,
  }),
  /** The insurance fund paid what an account without positions owed; `insurance_changed` follows. */
  debt_covered: orders(21, { address: account, amount: value }),
  transfer_queued: bridge(32, bridgeFields),
  transfer_completed: bridge(33, bridgeFields),
  transfer_failed: bridge(34, { ...bridgeFields, reason }),
  joined: validators(64),
  left: validators(65),
  stake_changed: validators(66),
  slashed: validators(67),
  jailed: validators(68),
  unjailed: validators(69),
  signer_rotated: { ...validators(70), fields: { ...validatorFields, signer: account } },
} as const satisfies Readonly<Record<string, EventDefinition>>;

/** A key of the table, and the word that clients filter by. */
export type EventKind = keyof typeof eventTable;

const kindsNamingAccounts: ReadonlySet<string> = new Set(
  Object.entries(eventTable)
    // Validators are public: the header of every block names one.
    .filter(([, { domain, fields }]) => domain !== 'validators' && Object.values(fields).includes(account))
    .map(([kind]) => kind),
);

const accountFields: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(eventTable).map(([kind, { fields }]) => [
    kind,
    Object.entries(fields).flatMap(([name, type]) => (type === account ? [name] : [])),
  ]),
);

/** Every account that an event names: owner, maker, taker, payer, validator and whatever else its kind has. */
export const eventAccounts = ({ kind, data }: Pick<DomainEvent, 'kind' | 'data'>): readonly Address[] =>
  (accountFields.get(kind) ?? []).map((name) => data[name] as Address);

/** Whether events of a kind tell the address of a user. */
export const eventNamesAccount = (kind: string): boolean => kindsNamingAccounts.has(kind);

interface CompiledEvent extends EventDefinition {
  readonly kind: EventKind;
  readonly data: Codec<DomainEvent['data']> & ReturnType<typeof struct<DomainEvent['data']>>;
}

function compile(kind: EventKind): CompiledEvent {
  const definition: EventDefinition = eventTable[kind];
  const shape = Object.fromEntries(Object.entries(definition.fields).map(([name, { codec }]) => [name, codec]));
  return { ...definition, kind, data: struct<DomainEvent['data']>(shape) };
}

const compiled = (Object.keys(eventTable) as EventKind[]).map(compile);
const byKind = new Map<string, CompiledEvent>(compiled.map((entry) => [entry.kind, entry]));
const byCode = new Map<number, CompiledEvent>(compiled.map((entry) => [entry.code, entry]));
/** Codes of the kinds that a filter selects, ascending; null selects all. Unknown words select none. */
export const eventCodes = (domain: string | null, kind: string | null): number[] =>
  compiled
    .filter((entry) => (domain === null || entry.domain === domain) && (kind === null || entry.kind === kind))
    .map(({ code }) => code)
    .sort((a, b) => a - b);

const actionIndex = nullable(uint32);
const contractOrigin = struct<ContractOrigin>({ ticket: integer(1), transactionHash: hash });

/** What caused an event: the index of an action, the origin of a contract's write, or nothing, which is the empty list. */
const originToRlp = ({ actionIndex: index, contract }: DomainEvent): RlpValue =>
  contract === undefined ? actionIndex.toRlp(index, 'actionIndex') : contractOrigin.toRlp(contract, 'contract');

const originFromRlp = (item: RlpItem): Pick<DomainEvent, 'actionIndex' | 'contract'> =>
  Array.isArray(item) && item.length > 0
    ? { actionIndex: null, contract: contractOrigin.fromRlp(item, 'contract') }
    : { actionIndex: actionIndex.fromRlp(item, 'actionIndex') };

function definitionOf(event: DomainEvent): CompiledEvent {
  const definition = byKind.get(event.kind) ?? invalidField('kind', `unknown event ${event.domain}/${event.kind}`);
  return definition.domain === event.domain
    ? definition
    : invalidField('domain', `${event.kind} is of ${definition.domain}, not of ${event.domain}`);
}

function eventToRlp(event: DomainEvent): RlpValue {
  const definition = definitionOf(event);
  const list: RlpValue[] = [definition.code, originToRlp(event)];
  const expected = definition.data.fieldNames;
  if (Object.keys(event.data).length !== expected.length || !expected.every((name) => event.data[name] !== undefined))
    return invalidField(
      event.kind,
      `expected the fields ${expected.join(', ')}, got ${Object.keys(event.data).join(', ')}`,
    );
  definition.data.append(list, event.data);
  return list;
}

/** Reader of some fields of encoded events of a kind, none of which may be a list; the others are not decoded. @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export function eventFieldReader(kind: EventKind, names: readonly string[]): (bytes: Uint8Array) => EventValue[] {
  const fields: EventDefinition['fields'] = eventTable[kind].fields;
  const order = Object.keys(fields);
  const wanted = names.map((name) => ({ name, place: 2 + order.indexOf(name), codec: fields[name]!.codec }));
  return (bytes) => wanted.map(({ name, place, codec }) => codec.fromRlp(rlpBytesAt(bytes, place), name));
}

function eventFromRlp(item: RlpItem): DomainEvent {
  const items = itemList(item, 'event');
  if (items.length < 2) return invalidField('event', `expected at least 2 fields, got ${items.length}`);
  const code = uint32.fromRlp(items[0]!, 'code');
  const definition = byCode.get(code) ?? invalidField('code', `unknown event ${code}`);
  return {
    domain: definition.domain,
    kind: definition.kind,
    ...originFromRlp(items[1]!),
    data: definition.data.readTail(items, 2, definition.kind),
  };
}

/** rlp([code, action index or [ticket, transaction hash] or the empty list, …fields]) @throws CodecError `CODEC_FIELD_INVALID` */
export const encodeEvent = (event: DomainEvent): Uint8Array => encodeRlp(eventToRlp(event));
/** @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const decodeEvent = (bytes: Uint8Array): DomainEvent => eventFromRlp(decodeRlp(bytes));

/** An event with values of JSON alone; {@link eventToJson} says how numbers are written. */
export interface EventJson {
  readonly domain: string;
  readonly kind: string;
  readonly data: Readonly<Record<string, string | number | boolean | null>>;
}

/**
 * An event as the RPC shows it: quantities and order, trade and transfer ids as hex, negative ones with the sign in front
 * ("-0x1f"), market ids, basis points and times as numbers, addresses lower-case.
 */
export function eventToJson(event: DomainEvent): EventJson {
  const { fields } = definitionOf(event);
  const data: Record<string, string | number | boolean | null> = {};
  for (const [name, type] of Object.entries(fields)) {
    const entry = event.data[name] ?? null;
    data[name] = type.json === 'quantity' ? hexOf(entry) : (entry as string | number | boolean | null);
  }
  return { domain: event.domain, kind: event.kind, data };
}

function hexOf(entry: EventValue): string | null {
  if (entry === null) return null;
  const number = BigInt(entry);
  return number < 0n ? `-0x${(-number).toString(16)}` : `0x${number.toString(16)}`;
}

/**
 * The event that JSON shows, as {@link eventToJson} writes it or as the RPC does: numbers may be hex quantities wherever they stand.
 *
 * @param origin what caused it, which the JSON of an event alone does not tell
 * @throws CodecError `CODEC_FIELD_INVALID`
 */
export function eventFromJson(
  { domain, kind, data }: EventJson,
  origin: Pick<DomainEvent, 'actionIndex' | 'contract'>,
): DomainEvent {
  const fields: EventDefinition['fields'] = byKind.get(kind)?.fields ?? {};
  const values = Object.entries(data).map(([name, shown]) => [name, valueOf(fields[name], shown, name)] as const);
  const event: DomainEvent = {
    domain: domain as DomainEvent['domain'],
    kind,
    ...origin,
    data: Object.fromEntries(values),
  };
  // Refuses what is missing, foreign or mistyped.
  eventToRlp(event);
  return event;
}

const shownNumber = /^-?0x[0-9a-f]+$/;

function valueOf(type: EventFieldType | undefined, shown: EventJson['data'][string], field: string): EventValue {
  if (type?.number === undefined || shown === null) return shown;
  if (typeof shown === 'number' && type.number === 'number') return shown;
  if (typeof shown !== 'string') return invalidField(field, `expected a hex quantity, got ${shown}`);
  if (!shownNumber.test(shown)) return invalidField(field, `expected a hex quantity, got ${shown}`);
  const value = shown.startsWith('-') ? -BigInt(shown.slice(1)) : BigInt(shown);
  return type.number === 'bigint' ? value : Number(value);
}
