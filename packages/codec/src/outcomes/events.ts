import { type Address, toSignedQuantity } from '@prime/primitives';
import { invalidField } from '../encoding/errors.ts';
import { hash, integer, itemList, nullable, struct, type StructCodec } from '../encoding/fieldCodecs.ts';
import { uint32 } from '../encoding/protocolFields.ts';
import { decodeRlp, encodeRlp, rlpBytesAt, type RlpItem, type RlpValue } from '../encoding/rlp.ts';
import type { DomainEvent } from '../types.ts';
import {
  type EventDefinition,
  type EventFieldType,
  type EventKind,
  eventTable,
  type EventValue,
  isAccountField,
} from './eventTable.ts';

/** Encoding and JSON of domain events, made from the table of their kinds. */

const kindsNamingAccounts: ReadonlySet<string> = new Set(
  Object.entries(eventTable)
    // Validators are public: the header of every block names one.
    .filter(
      ([, { domain, fields }]) => domain !== 'validators' && Object.values<EventFieldType>(fields).some(isAccountField),
    )
    .map(([kind]) => kind),
);

const accountFields: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(eventTable).map(([kind, { fields }]) => [
    kind,
    Object.entries<EventFieldType>(fields).flatMap(([name, type]) => (isAccountField(type) ? [name] : [])),
  ]),
);

/** Every account that an event names: owner, maker, taker, payer, validator and whatever else its kind has. */
export const eventAccounts = ({ kind, data }: Pick<DomainEvent, 'kind' | 'data'>): readonly Address[] =>
  (accountFields.get(kind) ?? []).map((name) => data[name] as Address);

/** Whether events of a kind tell the address of a user. */
export const eventNamesAccount = (kind: string): boolean => kindsNamingAccounts.has(kind);

interface CompiledEvent extends EventDefinition {
  readonly kind: EventKind;
  readonly data: StructCodec<DomainEvent['data']>;
}

function compile(kind: EventKind): CompiledEvent {
  const definition: EventDefinition = eventTable[kind];
  const shape = Object.fromEntries(Object.entries(definition.fields).map(([name, { codec }]) => [name, codec]));
  return { ...definition, kind, data: struct(shape) };
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
const contractOrigin = struct({ ticket: integer(1), transactionHash: hash });

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
  const [codeItem, origin] = items;
  if (codeItem === undefined || origin === undefined)
    return invalidField('event', `expected at least 2 fields, got ${items.length}`);
  const code = uint32.fromRlp(codeItem, 'code');
  const definition = byCode.get(code) ?? invalidField('code', `unknown event ${code}`);
  return {
    domain: definition.domain,
    kind: definition.kind,
    ...originFromRlp(origin),
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
    data[name] =
      type.json === 'quantity' && entry !== null
        ? toSignedQuantity(entry as bigint | number)
        : (entry as Exclude<EventValue, bigint>);
  }
  return { domain: event.domain, kind: event.kind, data };
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
