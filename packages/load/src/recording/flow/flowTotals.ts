import type { FlowLine, FlowTotals } from './flow.ts';

/** {@link FlowTotals} while they are still counted. */
export type FlowCounts = { -readonly [Name in keyof FlowTotals]: number };

/** Counts of a flow without a line. */
export const noCounts = (): FlowCounts => ({
  lines: 0,
  accounts: 0,
  earlier: 0,
  actions: 0,
  transactions: 0,
  contract: 0,
  network: 0,
  refused: 0,
  fills: 0,
});

const counterOf = {
  account: 'accounts',
  earlier: 'earlier',
  action: 'actions',
  transaction: 'transactions',
  contract: 'contract',
  network: 'network',
} as const;

/** Counts a line, as the last line of a flow has to tell it. `lines` is all of them, header and end included. */
export function countLine(counts: FlowCounts, line: FlowLine): void {
  counts.lines++;
  if (line.kind === 'flow' || line.kind === 'end') return;
  counts[counterOf[line.kind]]++;
  if (line.kind === 'action' || line.kind === 'contract' || line.kind === 'network') {
    counts.fills += line.outcome.fills?.length ?? 0;
    if (line.outcome.refused !== undefined) counts.refused++;
    for (const item of line.outcome.items ?? []) if (item.refused !== undefined) counts.refused++;
  }
}
