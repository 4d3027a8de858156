import type { DomainEvent } from '@prime/codec';
import { bigintAbs, bigintMax, ceilDiv } from '@prime/primitives';
import type { ClobState } from '../../state/state.ts';

/** An index as events tell of it. */
interface Watched {
  isStale: boolean;
  resumesAtMs: number;
  /** Of the interval of funding, for which the index was fresh. */
  freshMs: number;
}

/** What holds of markets with prices from outside, from block to block: O2 and O3 of docs/protocol/clob.md. */
export class OracleWatch {
  readonly #markets = new Map<number, Watched>();
  #marks: readonly (bigint | null)[];
  #interval: number | undefined;
  #timeMs = 0;

  /** @param state after genesis */
  constructor(state: ClobState) {
    for (const { id, oracle } of state.markets)
      if (oracle !== undefined) this.#markets.set(id, { isStale: true, resumesAtMs: 0, freshMs: 0 });
    this.#marks = marksOf(state);
  }

  /** Takes the events of the next block. @param state after it @returns what is broken, in words */
  block(state: ClobState, events: readonly DomainEvent[], timeMs: number): string[] {
    for (const watched of this.#markets.values()) if (!watched.isStale) watched.freshMs += timeMs - this.#timeMs;
    this.#timeMs = timeMs;
    const broken = events.flatMap(({ kind, data }) => this.#event(kind, data));
    const interval = state.globals.funding?.interval;
    if (interval !== this.#interval) for (const watched of this.#markets.values()) watched.freshMs = 0;
    this.#interval = interval;
    broken.push(...this.#farMarks(state));
    this.#marks = marksOf(state);
    return broken;
  }

  #event(kind: string, data: DomainEvent['data']): string[] {
    const id = data['market_id'] as number;
    const watched = this.#markets.get(id);
    if (watched === undefined) return [];
    switch (kind) {
      case 'oracle_stale':
        Object.assign(watched, { isStale: true, resumesAtMs: 0 });
        return [];
      case 'oracle_resumed':
        Object.assign(watched, { isStale: false, resumesAtMs: data['until_ms'] as number });
        return [];
      case 'liquidation':
      case 'deleveraged': {
        const isFit = !watched.isStale && this.#timeMs >= watched.resumesAtMs;
        return isFit ? [] : [`O2 ${kind} in market ${id}, whose index is not fit`];
      }
      case 'funding_index':
        return watched.freshMs > 0 ? [] : [`O2 funding of market ${id}, whose index was stale all along`];
      default:
        return [];
    }
  }

  /**
   * A mark is no further from the index than the premium may be. One that is still on its way there came nearer by as much as a block may move it.
   */
  #farMarks({ params, markets }: ClobState): string[] {
    const { mark: marks, oracle: rules } = params;
    return markets.flatMap(({ id, oracle, markPrice, status }, place) => {
      const index = oracle?.index ?? null;
      if (rules === undefined || index === null || markPrice === null) return [];
      if (status === 'settling' || status === 'delisted') return [];
      const before = this.#marks[place] ?? null;
      const premium = ceilDiv(index * BigInt(rules.premiumMaxBps), bpsBase);
      const left =
        before === null ? 0n : bigintAbs(before - index) - ceilDiv(before * BigInt(marks.maxMoveBps), bpsBase);
      const most = marks.maxMoveBps === 0 ? premium : bigintMax(premium, left);
      const found = bigintAbs(markPrice - index);
      return found <= most ? [] : [`O3 the mark of market ${id} is ${found} from its index, ${most} is the most`];
    });
  }
}

const bpsBase = 10_000n;

const marksOf = ({ markets }: ClobState): (bigint | null)[] => markets.map(({ markPrice }) => markPrice);
