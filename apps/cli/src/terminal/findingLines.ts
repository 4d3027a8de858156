import type { Finding } from '@prime/audit';

/**
 * What a verdict looked at, and what it found, as a terminal shows it.
 *
 * @param violationsShown of one rule: a report has all of them
 */
export const findingLines = (findings: readonly Finding[], violationsShown = 20): readonly string[] =>
  findings.flatMap(({ rule, seen, violations }) => [
    `${violations.length === 0 ? 'ok ' : 'NO '} ${rule}: ${seen}`,
    ...violations.slice(0, violationsShown).map((violation) => `      ${violation}`),
    ...(violations.length > violationsShown ? [`      and ${violations.length - violationsShown} more`] : []),
  ]);
