import type { Address, Hash } from '@prime/primitives';
import { LatencyHistogram } from '../../histogram.ts';
import type { Finding } from '../../report/runReport.ts';
import { type Announced, type Outcomes, rowOutcomes } from '../worker/messages.ts';
import { rowsOf } from '../worker/operationLog.ts';

/** Name of the rule that no operation is lost or doubled, as reports have it. */
export const accounted = 'every operation accounted for';

/** What a client was told of an operation; `silent`: its worker never told, for instance because it died. */
type Told = (typeof rowOutcomes)[number] | 'silent';

/** One operation that has a hash, from its announcement on. Times are ms since the begin of the run. */
export interface Entry {
  readonly kind: string;
  readonly hash: Hash;
  readonly sender: Address | null;
  told: Told;
  url: number;
  scheduledMs: number;
  sentMs: number;
  endMs: number;
  /** Heights of the blocks that have it: one, if all is well. */
  heights: number[];
  /** When the first of them could be read. */
  visibleMs: number | null;
  /** Why its execution was refused or reverted; null when it was carried out, and before that is known. */
  failure: string | null;
}

const isOpen = ({ told, heights }: Entry): boolean => told === 'acknowledged' && heights.length === 0;

/** A block as it is seen first. */
export interface SeenBlock {
  readonly height: number;
  /** ms since the begin of the run. */
  readonly atMs: number;
  readonly hashes: readonly Hash[];
}

/** Accounts for every operation: what a client was told of it, and in which block it is. */
export class Ledger {
  readonly #entries = new Map<Hash, Entry>();
  /** By worker, in the order of their places. */
  readonly #places: Entry[][] = [];
  readonly visible = new LatencyHistogram();
  readonly visibleByKind = new Map<string, LatencyHistogram>();
  /** Acknowledged and in no block yet. */
  #open = 0;
  #committed = 0;
  /** Places that were announced with another hash, or twice in one run: the generator's own mistake. */
  readonly #doubleAnnounced: Hash[] = [];
  #waiting: ReadonlySet<Hash> = new Set();

  announced(worker: number, { first, kinds, hashes, senders }: Announced): void {
    const places = (this.#places[worker] ??= []);
    hashes.forEach((hash, index) => {
      if (this.#entries.has(hash)) this.#doubleAnnounced.push(hash);
      const entry: Entry = {
        kind: kinds[index]!,
        hash,
        sender: senders[index]!,
        told: 'silent',
        url: -1,
        scheduledMs: Number.NaN,
        sentMs: Number.NaN,
        endMs: Number.NaN,
        heights: [],
        visibleMs: null,
        failure: null,
      };
      this.#entries.set(hash, entry);
      places[first + index] = entry;
    });
  }

  /** @param offsetMs what has to be added to the worker's times @returns what was told of */
  told(worker: number, { rows }: Pick<Outcomes, 'rows'>, offsetMs: number): readonly Entry[] {
    const entries: Entry[] = [];
    for (const { place, url, scheduledMs, sentMs, endMs, outcome } of rowsOf(rows)) {
      const entry = this.#places[worker]?.[place];
      if (entry === undefined) throw new Error(`worker ${worker} tells of place ${place}, which it did not announce`);
      entry.told = rowOutcomes[outcome]!;
      entry.url = url;
      entry.scheduledMs = scheduledMs + offsetMs;
      entry.sentMs = sentMs + offsetMs;
      entry.endMs = endMs + offsetMs;
      if (entry.told === 'acknowledged' && entry.heights.length === 0) this.#open++;
      if (entry.visibleMs !== null) this.#recordVisible(entry);
      entries.push(entry);
    }
    return entries;
  }

  /** @returns how many of its operations are of this run */
  block({ height, atMs, hashes }: SeenBlock): number {
    let own = 0;
    for (const hash of hashes) {
      const entry = this.#entries.get(hash);
      if (entry === undefined) continue;
      own++;
      entry.heights.push(height);
      if (entry.heights.length > 1) continue;
      this.#committed++;
      entry.visibleMs = atMs;
      if (entry.told === 'acknowledged') this.#open--;
      if (entry.told !== 'silent') this.#recordVisible(entry);
    }
    return own;
  }

  /** Acknowledged operations that no block has yet. */
  get open(): number {
    return this.#open;
  }

  get openHashes(): readonly Hash[] {
    return [...this.#entries.values()].filter(isOpen).map(({ hash }) => hash);
  }

  /** Those that were seen in a mempool at the end: late, and not lost. */
  waiting(hashes: ReadonlySet<Hash>): void {
    this.#waiting = hashes;
  }

  get entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  entryOf(hash: Hash): Entry | null {
    return this.#entries.get(hash) ?? null;
  }

  /** Operations that are in a block. */
  get committed(): number {
    return this.#committed;
  }

  /** What its block made of an operation. @param failure code of the refusal; null when it was carried out */
  executed(hash: Hash, failure: string | null): void {
    const entry = this.#entries.get(hash);
    if (entry !== undefined) entry.failure = failure;
  }

  /**
   * Numbers of what can not be made good.
   *
   * @param areBlocksKnown whether the blocks of the whole run were read: else nobody can say what became of an operation without an answer
   */
  losses(areBlocksKnown: boolean): { readonly lost: number; readonly doubled: number; readonly unresolved: number } {
    let [lost, doubled, unresolved] = [0, 0, 0];
    for (const entry of this.#entries.values()) {
      const { told, heights, hash } = entry;
      if (isOpen(entry) && !this.#waiting.has(hash)) lost++;
      if (isOpen(entry) && this.#waiting.has(hash)) unresolved++;
      if (heights.length > 1) doubled++;
      if (told === 'unknown' && heights.length === 0 && !areBlocksKnown) unresolved++;
    }
    return { lost, doubled, unresolved };
  }

  /** Every operation is accounted for: acknowledged and found exactly once, refused and found never, unknown and resolved either way. */
  finding(): Finding {
    const violations: string[] = [];
    const counts = new Map<string, number>();
    const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
    for (const hash of this.#doubleAnnounced) violations.push(`${hash} was made twice by the generator`);
    for (const { kind, hash, sender, told, heights, failure } of this.#entries.values()) {
      const found = heights.length;
      const what = `${kind} ${hash}${sender === null ? '' : ` of ${sender}`}`;
      if (found > 1) violations.push(`${what} is in ${found} blocks: ${heights.join(', ')}`);
      if (told === 'acknowledged' && found === 0)
        violations.push(
          this.#waiting.has(hash)
            ? `${what} was acknowledged, and waits in a mempool at the end`
            : `${what} was acknowledged, and is in no block`,
        );
      if (told === 'refused' && found > 0) violations.push(`${what} was refused, and is in block ${heights[0]}`);
      if (found > 0) count(failure === null ? 'in a block' : `in a block, execution refused: ${failure}`);
      if (told === 'unknown' || (told === 'silent' && found > 0))
        count(found > 0 ? 'without an answer, found in a block' : 'without an answer, in no block');
      if (told === 'refused') count('refused');
    }
    const words = [...counts].map(([what, number]) => `${number} ${what}`);
    return { rule: accounted, seen: words.join(', ') || 'no operation', violations };
  }

  #recordVisible(entry: Entry): void {
    const ms = entry.visibleMs! - entry.scheduledMs;
    this.visible.record(ms);
    let histogram = this.visibleByKind.get(entry.kind);
    if (histogram === undefined) this.visibleByKind.set(entry.kind, (histogram = new LatencyHistogram()));
    histogram.record(ms);
  }
}
