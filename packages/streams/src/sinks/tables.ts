import type { ChainRecord, RecordType } from '../record.ts';

/** What a column holds: `whole` are numbers below 2^53, `amount` integers of any size. */
type Kind = 'whole' | 'amount' | 'text' | 'texts' | 'json';

const sqlTypes: Readonly<Record<Kind, string>> = {
  whole: 'bigint',
  amount: 'numeric',
  text: 'text',
  texts: 'text[]',
  json: 'jsonb',
};

/** Fields of a record and its columns have the same names. */
export interface Table {
  readonly type: RecordType;
  readonly name: string;
  readonly columns: Readonly<Record<string, Kind>>;
}

const place = { height: 'whole', index: 'whole', block_hash: 'text', time_ms: 'whole' } as const;

/** One table for each type of record; the migrations make them. */
export const tables: readonly Table[] = [
  {
    type: 'event',
    name: 'event_records',
    columns: {
      ...place,
      event_index: 'whole',
      domain: 'text',
      kind: 'text',
      transaction_hash: 'text',
      ticket: 'whole',
      data: 'json',
    },
  },
  {
    type: 'log',
    name: 'log_records',
    columns: {
      ...place,
      log_index: 'whole',
      address: 'text',
      topics: 'texts',
      data: 'text',
      transaction_hash: 'text',
      transaction_index: 'whole',
    },
  },
  {
    type: 'fill',
    name: 'fill_records',
    columns: {
      ...place,
      event_index: 'whole',
      market_id: 'whole',
      account: 'text',
      trade_id: 'whole',
      order_id: 'whole',
      side: 'text',
      price: 'amount',
      size: 'amount',
      value: 'amount',
      fee: 'amount',
      liquidity: 'text',
      kind: 'text',
    },
  },
  {
    type: 'block',
    name: 'block_records',
    columns: {
      ...place,
      parent_hash: 'text',
      proposer: 'text',
      gas_limit: 'amount',
      gas_used: 'amount',
      base_fee: 'amount',
      state_root: 'text',
      receipts_root: 'text',
      events_root: 'text',
      validators_hash: 'text',
      next_validators_hash: 'text',
      transactions: 'whole',
      actions: 'whole',
      events: 'whole',
      logs: 'whole',
      fills: 'whole',
    },
  },
];

const quoted = (name: string): string => `"${name}"`;

/** Puts records of one type, as one JSON text, into their table; a row that is there becomes what is put. */
export function upsertOf({ name, columns }: Table): string {
  const names = Object.keys(columns);
  const list = names.map(quoted).join(', ');
  const shape = Object.entries(columns).map(([column, kind]) => `${quoted(column)} ${sqlTypes[kind]}`);
  const changed = names.filter((column) => column !== 'height' && column !== 'index');
  const set = changed.map((column) => `${quoted(column)} = EXCLUDED.${quoted(column)}`);
  return `INSERT INTO ${name} (${list}) SELECT ${list} FROM jsonb_to_recordset($1::jsonb) AS r(${shape.join(', ')}) ON CONFLICT ("height", "index") DO UPDATE SET ${set.join(', ')}`;
}

/** A row as the record that it was, apart from what somebody made of it. @param row as `pg` reads it: large integers are text */
export function recordOfRow({ type, columns }: Table, row: Readonly<Record<string, unknown>>): ChainRecord {
  const fields = Object.entries(columns).map(([column, kind]) => {
    const value = row[column] ?? null;
    return [column, kind === 'whole' && value !== null ? Number(value) : value] as const;
  });
  return { type, ...Object.fromEntries(fields) } as ChainRecord;
}
