import type { Decision } from './botState.ts';
import type { Outcome } from './ports.ts';

/** How often each word came. */
export class Counts extends Map<string, number> {
  add(word: string): void {
    this.set(word, (this.get(word) ?? 0) + 1);
  }
}

/** What a bot decided and what became of it, counted. */
export class Tally {
  /** Items of batches, by type. */
  readonly items = new Counts();
  /** Batches, by what became of them. */
  readonly outcomes = new Counts();
  /** Items and batches, by the kind of their refusal. */
  readonly refusals = new Counts();
  /** Times that all orders were cancelled, by reason. */
  readonly pulls = new Counts();
  /** Decisions that a limit made smaller, by limit. */
  readonly cuts = new Counts();

  decided(decision: Decision): void {
    if (decision.kind === 'cancelAll') this.pulls.add(decision.why);
    if (decision.kind !== 'send') return;
    for (const { type } of decision.items) this.items.add(type);
    for (const cut of decision.cut) this.cuts.add(cut);
  }

  finished(outcome: Outcome): void {
    this.outcomes.add(outcome.kind);
    if (outcome.kind === 'included') for (const kind of outcome.refusals) this.refusals.add(kind);
    if (outcome.kind === 'refused') this.refusals.add(outcome.refusal);
  }
}
