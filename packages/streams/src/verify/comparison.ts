import { type ChainRecord, recordId, type StoredRecord } from '../record.ts';
import { differencesOf, dropped, type Finding, originalOf, titleOf } from './findings.ts';

/** One block of the chain at a time, and what is stored of it. */
export class Comparison {
  readonly #tell: (finding: Finding) => void;
  #height = -1;
  #expected: readonly ChainRecord[] = [];
  readonly #seen = new Set<number>();
  #newest = -1;

  constructor(tell: (finding: Finding) => void) {
    this.#tell = tell;
  }

  begin(height: number, expected: readonly ChainRecord[]): void {
    this.end();
    this.#height = height;
    this.#expected = expected;
    this.#seen.clear();
    this.#newest = -1;
  }

  end(): void {
    if (this.#expected.length > 0 && this.#seen.size === 0) {
      const { height, length } = { height: this.#height, length: this.#expected.length };
      this.#tell({
        kind: 'dropped',
        id: `${height}:0`,
        words: `block ${height} is missing with all of its ${length} records`,
      });
    } else for (const record of this.#expected) if (!this.#seen.has(record.index)) this.#tell(dropped(record));
    this.#expected = [];
  }

  take(stored: StoredRecord): void {
    const { height, index, record, place } = stored;
    const id = recordId(stored);
    if (record === null) return this.#tell({ kind: 'unreadable', id: null, words: `${place} is no record` });
    const chain = height === this.#height ? this.#expected[index] : undefined;
    if (chain === undefined) return this.#tell(this.#strange(record, id, place));
    if (this.#seen.has(index))
      return this.#tell({ kind: 'doubled', id, words: `${id} (${titleOf(chain)}) is there once more, ${place}` });
    this.#seen.add(index);
    if (index < this.#newest)
      this.#tell({
        kind: 'misplaced',
        id,
        words: `${id} (${titleOf(chain)}) stands behind ${height}:${this.#newest}, ${place}`,
      });
    this.#newest = Math.max(this.#newest, index);
    const differences = differencesOf(record, chain);
    if (differences.length > 0)
      this.#tell({
        kind: 'altered',
        id,
        words: `${id} (${titleOf(chain)}) was altered: ${differences.join('; ')}, ${place}`,
      });
  }

  /** Of an id that the block does not have. */
  #strange(record: ChainRecord, id: string, place: string): Finding {
    if (record.height < this.#height)
      return {
        kind: 'misplaced',
        id,
        words: `${id} (${titleOf(record)}) stands behind block ${this.#height}, ${place}`,
      };
    const original = originalOf(record, this.#expected);
    return original === null
      ? { kind: 'foreign', id, words: `${id} (${titleOf(record)}) is nothing that the chain has, ${place}` }
      : { kind: 'doubled', id, words: `${id} (${titleOf(record)}) is a copy of ${recordId(original)}, ${place}` };
  }
}
