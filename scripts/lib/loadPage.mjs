/** The table of built-in scenarios in docs/load.md, between two comments; all else on that page is written by people. */

const begin = '<!-- scenarios: made by `npm run docs` from packages/load/scenarios -->';
const end = '<!-- /scenarios -->';

const cell = (text) => String(text).replaceAll('|', '\\|');

/**
 * @param page docs/load.md as it is
 * @param scenarios parsed, in their order
 * @param kindTable words of each kind
 * @returns the page with the table as the scenarios have it
 */
export function withScenarioTable(page, scenarios, kindTable) {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/load.md has to have the lines ${begin} and ${end}`);
  const rows = scenarios.map(({ name, catches, mix, sizes }) => {
    const counted = new Set(mix.flatMap(({ kind }) => kindTable[kind].size ?? []));
    return [`\`${name}\``, catches, [...counted].join('; ') || '–', sizes.ci.join(', '), sizes.nightly.join(', ')];
  });
  const lines = [
    '| Scenario | What it is there to catch | What the size counts | Sizes of each change | Sizes of each night |',
    '|---|---|---|---|---|',
    ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`),
  ];
  return `${page.slice(0, from)}${begin}\n\n${lines.join('\n')}\n\n${page.slice(to)}`;
}
