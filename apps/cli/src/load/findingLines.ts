import type { Finding } from '@prime/audit';

/** Of one rule; the report has all of them. */
const violationsShown = 20;

/** What a verdict looked at, and what it found, as a terminal shows it. */
export const findingLines = (findings: readonly Finding[]): readonly string[] =>
  findings.flatMap(({ rule, seen, violations }) => [
    `${violations.length === 0 ? 'ok ' : 'NO '} ${rule}: ${seen}`,
    ...violations.slice(0, violationsShown).map((violation) => `      ${violation}`),
    ...(violations.length > violationsShown ? [`      and ${violations.length - violationsShown} more`] : []),
  ]);
