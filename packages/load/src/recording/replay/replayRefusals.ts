import { type Finding, finding } from '@prime/audit';
import type { FlowFate, FlowLine } from '../flow/flow.ts';
import type { ReplayTotals } from './sendReplay.ts';

const rule = 'refusals are those that the flow means';
/** Of the noop that keeps a batch of cancels in its place. */
const meantInBatches = 'not_available';
/** Of a revocation, which runs before everything else in its block: there may be no agent yet. */
const tooEarly = 'unknown_agent';

/** What blocks refused of a replay's actions. What was refused in the flow is not sent again, so in its order there is nothing. */
export class ReplayRefusals {
  readonly #addresses: ReadonlySet<string>;
  readonly #indices = new Set<number>();
  readonly #counts = new Map<string, number>();

  /** @param addresses of the accounts of the replay */
  constructor(addresses: Iterable<string>) {
    this.#addresses = new Set([...addresses].map((address) => address.toLowerCase()));
  }

  /** Passes on the lines that were recorded from the target. */
  async *counted(lines: AsyncIterable<FlowLine>): AsyncGenerator<FlowLine> {
    for await (const line of lines) {
      this.#take(line);
      yield line;
    }
  }

  /** @param keepsOrder where the order is up to the network, blocks refuse what comes too early */
  finding({ refused, faults }: Pick<ReplayTotals, 'refused' | 'faults'>, keepsOrder: boolean): Finding {
    const inBlocks = [...this.#counts].map(([reason, count]) => ({
      isMeant: reason === tooEarly,
      words: `${count} refused in a block: ${reason}`,
    }));
    const admission = [...refused].map(([words, count]) => `${count} × ${words}`);
    const seen = `at admission ${admission.join(', ') || 'none'}; in blocks ${inBlocks.map(({ words }) => words).join(', ') || 'none'}`;
    return finding(rule, seen, [
      ...(faults > 0 ? [`${faults} refused at admission by a fault of the node (-32603)`] : []),
      ...inBlocks.filter(({ isMeant }) => keepsOrder && !isMeant).map(({ words }) => words),
    ]);
  }

  #take(line: FlowLine): void {
    if (line.kind === 'account' && this.#addresses.has(line.name.toLowerCase())) this.#indices.add(line.account);
    if (line.kind !== 'action' || !this.#indices.has(line.account)) return;
    const { outcome } = line;
    this.#count(outcome);
    for (const item of outcome.items ?? []) if (item.refused !== meantInBatches) this.#count(item);
  }

  #count({ refused }: FlowFate): void {
    if (refused !== undefined) this.#counts.set(refused, (this.#counts.get(refused) ?? 0) + 1);
  }
}
