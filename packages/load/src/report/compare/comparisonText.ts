import type { ComparedRun, Comparison } from './compareReports.ts';

/** The comparison for a terminal: what was compared, why there are no figures or the figures, what else differs, and how intervals were found. */
export function comparisonText({ a, b, withheld, warnings, figures, method }: Comparison): string {
  const lines = [`A  ${runText(a)}`, `B  ${runText(b)}`, ''];
  for (const reason of withheld) lines.push(`No figures. ${reason}.`);
  if (figures !== null)
    lines.push(
      ...table([
        ['', 'A', 'B', 'B/A', '95 % interval', ''],
        ...figures.map(({ name, a: valueA, b: valueB, ratio, interval, told }) => [
          name,
          number(valueA),
          number(valueB),
          ratio.toFixed(3),
          interval === null ? '-' : `${interval[0].toFixed(3)} to ${interval[1].toFixed(3)}`,
          told,
        ]),
      ]),
    );
  if (warnings.length > 0) lines.push('', ...warnings.map((warning) => `Note: ${warning}.`));
  if (method !== '') lines.push('', method);
  return `${lines.join('\n')}\n`;
}

const runText = ({ scenario, asked, seed, startedAt }: ComparedRun): string =>
  `${scenario}, ${asked}, seed ${seed}, ${startedAt}`;

/** With three digits or more, and none that are noise. */
const number = (value: number): string => (value >= 100 ? value.toFixed(1) : value.toPrecision(3));

/** The first column and the last to the left, the others to the right. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 || column === row.length - 1 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  );
}
