import { type ChainRecord, recordId } from '../record.ts';

/** One place in which an export is not what the chain has. */
export interface Finding {
  readonly kind: /** The chain has it, the export has not. */
    | 'dropped'
    /** The export has it once more. */
    | 'doubled'
    /** The export has something else under its id. */
    | 'altered'
    /** The export has it, the chain has nothing of the kind. */
    | 'foreign'
    /** It stands behind what comes after it. */
    | 'misplaced'
    /** It is no record, or a manifest does not say what the file is. */
    | 'unreadable';
  /** `height:index`; null where it is not about one record. */
  readonly id: string | null;
  /** A sentence that names what and where. */
  readonly words: string;
}

/** What a record is, in a few words: `event orders/trade`. */
export function titleOf(record: ChainRecord): string {
  switch (record.type) {
    case 'event':
      return `event ${record.domain}/${record.kind}`;
    case 'fill':
      return `fill of market ${record.market_id}`;
    case 'log':
      return `log of ${record.address}`;
    default:
      return 'block';
  }
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

/** Fields in which a stored record is not the chain's: name, what is stored, what the chain has. */
export const differencesOf = (stored: ChainRecord, chain: ChainRecord): readonly string[] =>
  differencesOfFields({ ...stored }, { ...chain }, '');

function differencesOfFields(stored: Fields, chain: Fields, prefix: string): readonly string[] {
  const names = [...new Set([...Object.keys(chain), ...Object.keys(stored)])];
  return names.flatMap((name) => {
    const [a, b] = [stored[name], chain[name]];
    if (isFields(a) && isFields(b)) return differencesOfFields(a, b, `${prefix}${name}.`);
    return JSON.stringify(a) === JSON.stringify(b) ? [] : [`${prefix}${name} is ${shown(a)} and should be ${shown(b)}`];
  });
}

/** The record of the block that another one is a copy of, whatever the copy's place in the block. */
export const originalOf = (copy: ChainRecord, records: readonly ChainRecord[]): ChainRecord | null =>
  records.find((record) => differencesOf(copy, { ...record, index: copy.index }).length === 0) ?? null;

/** A record of the chain that an export lacks. */
export const dropped = (record: ChainRecord): Finding => ({
  kind: 'dropped',
  id: recordId(record),
  words: `${recordId(record)} (${titleOf(record)}) is missing`,
});
