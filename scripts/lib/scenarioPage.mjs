/** The reference of scenario files, from the schema and the scenarios of packages/load. */

import { cell, keyRows } from './schemaRows.mjs';

const refusalWords = (refusals = []) =>
  refusals
    .map(({ reasons, codes, when }) => `${[...reasons, ...codes].map((reason) => `\`${reason}\``).join(', ')}: ${when}`)
    .join('; ');

function mixWords({ mix }) {
  const total = mix.reduce((sum, { weight }) => sum + weight, 0);
  return mix.map(({ kind, weight }) => `${Math.round((1000 * weight) / total) / 10} % ${kind}`).join(', ');
}

export function scenarioPage({ schema, kinds, scenarios, note }) {
  const lines = [
    '# Scenarios of `prime load`',
    '',
    note,
    '',
    'A scenario is a TOML file. `prime load run FILE` takes one, `prime load run NAME` one of those that are built in (`packages/load/scenarios`). Its JSON Schema is',
    '[scenario.schema.json](scenario.schema.json). An unknown key is an error, which says what is allowed in its place.',
    '',
    '```toml',
    'format = "prime-load-scenario-1"',
    'name = "mine"',
    'about = "Two payments for each order."',
    'catches = "Blocks in which both domains have work."',
    'size = 100',
    'markets = 1',
    '',
    '[[mix]]',
    'kind = "transfer"',
    'weight = 2',
    '',
    '[[mix]]',
    'kind = "order_gtc"',
    'weight = 1',
    '',
    '[[stages]]',
    'kind = "hold"',
    'rate = 200',
    'seconds = 30',
    '```',
    '',
    '## Keys',
    '',
    '| Key | Allowed | Default | Meaning |',
    '|---|---|---|---|',
    ...keyRows(schema).map(
      ({ key, allowed, fallback, meaning }) => `| ${key} | ${allowed} | ${fallback} | ${meaning} |`,
    ),
    '',
    '## Kinds',
    '',
    'The size of a kind is that of its part of the mix, else that of the scenario. Operations of a kind are reported under its name; those of a shape with several',
    'steps as `KIND/STEP`. `fill` are the orders with which a book begins, `noop` takes a turn while all shapes wait for a block. Refusals of the last column are intended or can not be helped; all',
    'others are findings.',
    '',
    '| Kind | What is sent | Size | Up to | Refusals |',
    '|---|---|---|---|---|',
    ...Object.entries(kinds).map(
      ([name, { about, size, sizeMax, refusals }]) =>
        `| \`${name}\` | ${cell(about)} | ${size ?? ''} | ${size === null ? '' : sizeMax} | ${cell(refusalWords(refusals))} |`,
    ),
    '',
    '## Built in',
    '',
    '| Name | What it sends | What it is there to catch | Mix | Sizes of each change | Sizes of each night |',
    '|---|---|---|---|---|---|',
    ...scenarios.map(
      (scenario) =>
        `| \`${scenario.name}\` | ${cell(scenario.about)} | ${cell(scenario.catches)} | ${mixWords(scenario)} | ${scenario.sizes.ci.join(', ')} | ${scenario.sizes.nightly.join(', ')} |`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}
