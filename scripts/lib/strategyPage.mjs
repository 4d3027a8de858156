/** The reference of strategy files, from the schemas of packages/bot. */

import { keyRows } from './schemaRows.mjs';

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

const table = (properties, required) => [
  '| Key | Allowed | Default | Unit | Meaning |',
  '|---|---|---|---|---|',
  ...keyRows({ properties, required }).map(
    ({ key, allowed, fallback, unit, meaning }) => `| ${key} | ${allowed} | ${fallback} | ${unit} | ${meaning} |`,
  ),
];

const chosen = (properties, isWanted) => Object.fromEntries(Object.entries(properties).filter(isWanted));

/** @param schemas by kind of strategy */
export function strategyPage({ schemas, note }) {
  const kinds = Object.entries(schemas);
  const isCommon = ([name, property]) => kinds.every(([, { properties }]) => same(properties[name], property));
  const [, first] = kinds[0];
  const lines = [
    '# Strategy files of `prime bot`',
    '',
    note,
    '',
    'TOML or JSON; `prime bot schema KIND` prints the JSON Schema. An unknown key is an error. Base and quote are amounts of the market in whole units, as people write them; bps are hundredths of a percent.',
    'What happens at each limit: [bot.md](../bot.md).',
    '',
    '## Of every strategy',
    '',
    ...table(chosen(first.properties, isCommon), first.required),
  ];
  for (const [kind, { properties, required }] of kinds)
    lines.push(
      '',
      `## Of a ${kind}`,
      '',
      ...table(
        chosen(properties, (entry) => !isCommon(entry)),
        required,
      ),
    );
  return `${lines.join('\n')}\n`;
}
