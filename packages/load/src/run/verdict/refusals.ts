import { type ActionResult, refusalKind } from '@prime/codec';
import { type Finding, finding } from '@prime/audit';
import { intendedRefusals } from '../../scenario/intendedRefusals.ts';
import type { OperationKind } from '../../scenario/operation.ts';
import type { Scenario } from '../../scenario/schema.ts';
import { internalError, limitExceeded } from '../../rpc.ts';

const meant = 'refusals are those that the scenario means';

/** Operations of one kind that had the same answer. */
interface Refused {
  readonly kind: OperationKind;
  /** Code of JSON-RPC at admission, `data.kind` in a block. */
  readonly why: number | string;
  /** Of the node, at admission. */
  readonly words: string | null;
  count: number;
}

/** What was refused, by kind of operation and reason: as many entries as there are reasons, however long a run is. */
export class Refusals {
  readonly #refused = new Map<string, Refused>();

  /** Operations that ended so, or a fault of the node. @param words of the node, without what differs from one to the next */
  atAdmission(kind: OperationKind, code: number, words: string, count: number): void {
    this.#count({ kind, why: code, words }, count);
  }

  /** An action of a block, with its items where it is a batch. */
  action(kind: OperationKind, result: ActionResult): void {
    for (const why of reasonsOf(result)) this.#count({ kind, why, words: null }, 1);
  }

  /** A transaction of a block that failed. */
  failed(kind: OperationKind): void {
    this.#count({ kind, why: 'failed', words: null }, 1);
  }

  /** @param unread why nobody knows what blocks refused; null when that is known */
  finding(scenario: Scenario, unread: string | null): Finding {
    const all = [...this.#refused.values()].sort((a, b) => b.count - a.count);
    const [admission, blocks] = [all.filter(isAtAdmission), all.filter((refused) => !isAtAdmission(refused))];
    const inBlocks = unread === null ? `in blocks ${shares(blocks)}` : `in blocks not known: ${unread}`;
    return finding(
      meant,
      `at admission ${shares(admission)}; ${inBlocks}`,
      all.filter((refused) => !isMeant(refused, scenario)).map(violation),
    );
  }

  #count(refused: Omit<Refused, 'count'>, count: number): void {
    const key = `${refused.kind} ${refused.why}`;
    const known = this.#refused.get(key);
    if (known === undefined) this.#refused.set(key, { ...refused, count });
    else known.count += count;
  }
}

/** `data.kind` of what was refused: of the action, or of items of a batch. */
function reasonsOf(result: ActionResult): string[] {
  if (!result.ok) return [refusalKind(result.error)];
  return result.value.type === 'batch' ? result.value.results.flatMap(reasonsOf) : [];
}

const isAtAdmission = ({ why }: Refused): boolean => typeof why === 'number';

function isMeant({ kind, why }: Refused, scenario: Scenario): boolean {
  if (why === limitExceeded) return true;
  if (why === internalError) return false;
  const { reasons, codes } = intendedRefusals(scenario, kind);
  return typeof why === 'number' ? codes.has(why) : reasons.has(why);
}

const violation = ({ kind, why, words, count }: Refused): string =>
  words === null
    ? `${count} of ${kind} refused in a block: ${why}`
    : `${count} of ${kind} refused at admission: ${why} ${words}`;

const shares = (refused: readonly Refused[]): string =>
  refused.length === 0 ? 'none' : refused.map(({ kind, why, count }) => `${count} of ${kind} (${why})`).join(', ');
