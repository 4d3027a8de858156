import { malformedAnswer } from '../errors.ts';

/** Moments that nodes stamp (docs/operate/stages.md), in the order in which a proposer comes to them. */
export const stampedStages = [
  'pooled',
  'taken',
  'proposed',
  'received',
  'polka',
  'decided',
  'durable',
  'executed',
  'visible',
  'delivered',
] as const;
/** One of {@link stampedStages}. */
export type StampedStage = (typeof stampedStages)[number];

/** One moment that a node stamped. Hashes are the first {@link stampedHexLength} characters. */
export interface Stamp {
  readonly stage: StampedStage;
  readonly height: number;
  readonly block: string | null;
  /** Transaction or action; null where the whole block is meant. */
  readonly item: string | null;
  /** µs since 1970, by the clock of the node. */
  readonly atUs: number;
}

/** 0x and eight bytes. */
export const stampedHexLength = 18;

/** When a node was asked and when it answered, µs of its clock. */
export interface AnswerTimes {
  readonly receivedUs: number;
  readonly answeredUs: number;
}

/** What a node answers to GET `/stages`. */
export type StampPage = AnswerTimes &
  (
    | { readonly isOn: false }
    | {
        readonly isOn: true;
        /** Another one after a restart, or when the node was told to keep more or fewer. */
        readonly ring: string;
        readonly stamps: readonly Stamp[];
        /** Where the next page goes on. */
        readonly next: string;
        /** Stamps that went out of the ring before they were read. */
        readonly lost: number;
        readonly more: boolean;
      }
  );

/** @throws LoadError `LOAD_ANSWER_MALFORMED` */
export function parseStampPage(text: string): StampPage {
  const { on, ring, rows, next, lost, more, receivedUs, answeredUs } = fieldsOf(text);
  if (!isTime(receivedUs) || !isTime(answeredUs)) return malformedAnswer('stages without the times of the node');
  if (on === false) return { isOn: false, receivedUs, answeredUs };
  const isWhole = on === true && typeof ring === 'string' && typeof next === 'string' && typeof more === 'boolean';
  if (!isWhole || !Number.isSafeInteger(lost) || !Array.isArray(rows)) return malformedAnswer('no page of stages');
  return { isOn: true, ring, stamps: rows.map(parseRow), next, lost: lost as number, more, receivedUs, answeredUs };
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // Said below.
  }
  return malformedAnswer('stages are a JSON object');
}

const isTime = (value: unknown): value is number => Number.isSafeInteger(value);
const isHash = (value: unknown): value is string | null =>
  value === null || (typeof value === 'string' && value.length === stampedHexLength);

/** `[stage, height, block, item, µs]` */
function parseRow(row: unknown): Stamp {
  const [stage, height, block, item, atUs] = Array.isArray(row) ? (row as unknown[]) : [];
  const known = stampedStages.find((each) => each === stage);
  if (known === undefined || !Number.isSafeInteger(height) || !isHash(block) || !isHash(item) || !isTime(atUs))
    return malformedAnswer(`no stamp of a stage: ${JSON.stringify(row)}`);
  return { stage: known, height: height as number, block, item, atUs };
}
