import { camelCase } from '@prime/primitives';
import type { DomainEventOf } from '../domainEvents.ts';
import {
  type Json,
  orNull,
  toBigInt,
  toFlag,
  toHex,
  toList,
  toNumber,
  toObject,
  toSide,
  toText,
  toTif,
} from './fields.ts';
import { blockPosition } from './position.ts';

type Field = readonly [name: string, read: (value: unknown, name: string) => unknown];

const named = (names: readonly string[], read: Field[1]): [string, Field][] =>
  names.map((name) => [name, [camelCase(name), read]]);

/** Fields of all kinds by their name in JSON: each name means the same wherever it stands. */
const fields: ReadonlyMap<string, Field> = new Map<string, Field>([
  ...named(
    ['tick_size', 'lot_size', 'price', 'size', 'remaining', 'amount', 'collateral', 'fee', 'insurance_paid', 'value'],
    toBigInt,
  ),
  ...named(['trigger_price', 'limit_price', 'mark_price', 'entry'], toBigInt),
  ...named(['placed_order_id', 'group'], toNumber),
  ...named(['balance', 'debt', 'fees', 'taker_fee', 'maker_fee', 'insurance', 'treasury'], toBigInt),
  ...named(['index', 'change', 'average', 'reference', 'stake', 'power', 'median'], toBigInt),
  ...named(['order_id', 'maker_order_id', 'taker_order_id', 'trade_id', 'transfer_id'], toNumber),
  ...named(['initial_margin_bps', 'maintenance_margin_bps', 'expires_at', 'expiry', 'until_ms', 'at_ms'], toNumber),
  ...named(
    ['permissions', 'sub_account_index', 'reported_minutes', 'minutes', 'activation_height', 'expiry_height'],
    toNumber,
  ),
  ...named(['yes_power', 'total_power'], toBigInt),
  ...named(['settlement_price'], orNull(toBigInt)),
  ...named(['market_id', 'ticket', 'parent_order_id'], orNull(toNumber)),
  ...named(
    ['owner', 'maker', 'taker', 'address', 'counterparty', 'liquidator', 'account', 'agent', 'from', 'to'],
    toHex,
  ),
  ...named(['validator', 'signer', 'proposer'], toHex),
  ...named(['client_id', 'hash', 'proposal'], orNull(toHex)),
  ...named(['refusal'], orNull(toText)),
  ...named(
    ['symbol', 'reason', 'name', 'by', 'direction', 'stp', 'parameter', 'new_value', 'status', 'trigger'],
    toText,
  ),
  ...named(['post_only', 'reduce_only', 'yes', 'position'], toFlag),
  ...named(['side'], toSide),
  ...named(['tif'], toTif),
]);

function readData(data: Json): Json {
  const read = Object.entries(data).map(([name, value]): [string, unknown] => {
    const field = fields.get(name);
    // A field that a newer node added: as it came.
    return field === undefined ? [camelCase(name), value] : [field[0], field[1](value, name)];
  });
  return Object.fromEntries(read);
}

/** @throws StreamError `STREAM_MESSAGE_MALFORMED` */
export function readEvent(value: unknown): DomainEventOf {
  const json = toObject(value, 'an event');
  const event = {
    ...blockPosition(json),
    index: toNumber(json['index'], 'index'),
    domain: toText(json['domain'], 'domain'),
    kind: toText(json['kind'], 'kind'),
    transactionHash: orNull(toHex)(json['transaction_hash'], 'transaction_hash'),
    ticket: orNull(toNumber)(json['ticket'], 'ticket'),
    data: readData(toObject(json['data'], 'data')),
  };
  // The table above reads each field as the type of its kind says, which its test checks for every kind that there is.
  return event as unknown as DomainEventOf;
}

/**
 * Events of an answer or a notification, in their order.
 *
 * @throws StreamError `STREAM_MESSAGE_MALFORMED`
 */
export const readEvents = (value: unknown): readonly DomainEventOf[] => toList(value, 'events').map(readEvent);
