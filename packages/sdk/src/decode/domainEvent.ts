import { eventTable } from '@prime/codec';
import type { RpcDomainEvent } from '../generated/methods.ts';
import type { DomainEvent, EventValue } from '../types/chain.ts';
import { toBigint, toNumber } from './quantity.ts';

type Fields = Readonly<Record<string, { readonly number?: 'bigint' | 'number' } | undefined>>;
const table: Readonly<Record<string, { readonly fields: Fields } | undefined>> = eventTable;

const camelCase = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** What this version knows to be a number becomes one; fields and kinds of later nodes stay as they come. */
function decodeField(fields: Fields, name: string, value: string | number | boolean | null): EventValue {
  const kind = fields[name]?.number;
  if (kind === undefined || typeof value !== 'string') return value;
  return kind === 'bigint' ? toBigint(value) : toNumber(value);
}

export function decodeDomainEvent(wire: RpcDomainEvent): DomainEvent {
  const fields = table[wire.kind]?.fields ?? {};
  return {
    blockNumber: toBigint(wire.block_number),
    blockHash: wire.block_hash,
    index: toNumber(wire.index),
    domain: wire.domain as DomainEvent['domain'],
    kind: wire.kind,
    transactionHash: wire.transaction_hash,
    ticket: wire.ticket === undefined ? null : toNumber(wire.ticket),
    data: Object.fromEntries(
      Object.entries(wire.data).map(([name, value]) => [camelCase(name), decodeField(fields, name, value)]),
    ),
  };
}
