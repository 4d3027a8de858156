import type { RunReport } from './runReport.ts';

/** Rules that were violated. */
export const brokenRules = ({ verdict }: RunReport): number =>
  verdict.findings.filter(({ violations }) => violations.length > 0).length;

/** Whether the network did what it acknowledged. What the verdict counts has to agree with what it says. */
export const isClean = (report: RunReport): boolean => {
  const { clean, lost, doubled, wrong, unresolved } = report.verdict;
  return clean && brokenRules(report) === 0 && lost + doubled + wrong + unresolved === 0;
};

/**
 * Why throughput and latency of a run must not be shown: a network that loses operations is not fast, and a generator that comes late measures itself.
 *
 * @returns sentences without a full stop; empty when figures may be shown
 */
export function whyWithheld(report: RunReport): string[] {
  const reasons: string[] = [];
  const { findings } = report.verdict;
  if (!isClean(report)) {
    const rules = brokenRules(report);
    reasons.push(`the verdict is not clean${rules > 0 ? `: ${rules} of ${findings.length} rules do not hold` : ''}`);
  }
  if (report.generator.unfit !== null) reasons.push(`the load generator was unfit: ${report.generator.unfit}`);
  return reasons;
}
