/** The reference of manifests of test networks, from their schema. */
import { cell, keyRows } from './schemaRows.mjs';

export function manifestPage({ schema, faults, note }) {
  const lines = [
    '# Manifest of a test network',
    '',
    note,
    '',
    '`prime testnet up --manifest FILE` runs it, `prime testnet export --manifest FILE --to TARGET DIR` writes it out: [testnet.md](../testnet.md). An unknown key is an error, which',
    'says what is allowed in its place; all errors are told at once. Its JSON Schema is [manifest.schema.json](manifest.schema.json).',
    '',
    '## Keys',
    '',
    '| Key | Allowed | Default | Meaning |',
    '|---|---|---|---|',
    ...keyRows(schema).map(
      ({ key, allowed, fallback, meaning }) => `| ${key} | ${allowed} | ${fallback} | ${meaning} |`,
    ),
    '',
    '## Faults',
    '',
    'Each has `at_seconds`, `for_seconds` and `kind`, and the fields of its kind. Nodes are named; `links` are `"all"` or a list of `{ from, to }`.',
    '',
    '| Kind | Fields | What happens |',
    '|---|---|---|',
    ...faults.map(({ properties, description }) => {
      const { at_seconds: _at, for_seconds: _for, kind, ...fields } = properties;
      const names = Object.keys(fields).map((name) => `\`${name}\``);
      return `| \`${kind.const}\` | ${names.join(', ')} | ${cell(description)} |`;
    }),
  ];
  return `${lines.join('\n')}\n`;
}
