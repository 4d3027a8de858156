import {
  type ChainRecord,
  type FieldKind,
  placeFields,
  recordFields,
  type RecordType,
  recordTypes,
} from '../record.ts';

const sqlTypes: Readonly<Record<FieldKind, string>> = {
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
  readonly columns: Readonly<Record<string, FieldKind>>;
}

const columnsOf = (type: RecordType): Table['columns'] =>
  Object.fromEntries(
    Object.entries({ ...placeFields, ...recordFields[type] }).map(([name, kind]) => [
      name,
      kind.replace('?', '') as FieldKind,
    ]),
  );

/** One table for each type of record; the migrations make them. */
export const tables: readonly Table[] = recordTypes.map((type) => ({
  type,
  name: `${type}_records`,
  columns: columnsOf(type),
}));

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
