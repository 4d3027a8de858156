/**
 * Writes what is made from code: docs/reference (errors, configuration, metrics), docs/rpc (the interface), dashboards, schemas of files, the
 * copies that the chart has of alerts and dashboards, and the index of decisions.
 * `--check` writes nothing and fails when a page is not what the code says. Needs a built repository.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chartFiles, staleChartFiles } from './lib/chartFiles.mjs';
import { dashboardFiles } from './lib/dashboards/index.mjs';
import { withScenarioTable } from './lib/loadPage.mjs';
import { manifestPage } from './lib/manifestPage.mjs';
import { rpcPages } from './lib/rpcPages.mjs';
import { scenarioPage } from './lib/scenarioPage.mjs';
import { cell } from './lib/schemaRows.mjs';
import { decisionsPage, indexPath } from './lib/site/decisions.mjs';
import { readRepository } from './lib/site/repository.mjs';
import { strategyPage } from './lib/strategyPage.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const note = (source) => `<!-- Made by \`npm run docs\` from ${source}; edit it there. -->`;

function sourceFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    return entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

/** Every error code that a shipped source declares, with its docstring. */
function collectErrors(problems) {
  const found = [];
  for (const group of ['packages', 'apps']) {
    for (const workspace of readdirSync(join(root, group)).toSorted()) {
      for (const path of sourceFiles(join(root, group, workspace, 'src')))
        found.push(...errorsOf(path).map((error) => ({ ...error, workspace, path: relative(root, path) })));
    }
  }
  const byCode = new Map();
  for (const error of found) {
    const { code, path, text } = error;
    if (text === '') problems.push(`${path}: ${code} has no docstring`);
    if (byCode.has(code)) problems.push(`${path}: ${code} is declared in ${byCode.get(code).path} too`);
    byCode.set(code, error);
  }
  return found;
}

const declaration = /readonly code: '([A-Z][A-Z0-9_]*)'/g;
/** A docstring right before a member of a union, or before the class of an error with one code. */
const documented =
  /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:\|?\s*\{\s*|export class \w+ extends PrimeError<\{\s*)readonly code: '([A-Z][A-Z0-9_]*)'/g;

function errorsOf(path) {
  const source = readFileSync(path, 'utf8');
  const texts = new Map([...source.matchAll(documented)].map((match) => [match[2], proseOf(match[1])]));
  return [...source.matchAll(declaration)].map(([, code]) => ({ code, text: texts.get(code) ?? '' }));
}

const proseOf = (comment) =>
  comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s?/, ''))
    .join(' ')
    .replace(/\{@link (\w+)[^}]*\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim();

function errorsPage(errors) {
  const lines = [
    '# Error codes',
    '',
    note('the `errors.ts` of each package'),
    '',
    'Codes are stable: they are never renamed, and programs decide by them. The JSON-RPC code that a client sees for one stands in',
    '`packages/rpc/src/errors/errors.ts`.',
  ];
  for (const workspace of new Set(errors.map((error) => error.workspace))) {
    lines.push('', `## ${workspace}`, '', '| Code | When |', '|---|---|');
    for (const { code, text } of errors.filter((error) => error.workspace === workspace).toSorted(byCode))
      lines.push(`| \`${code}\` | ${cell(text)} |`);
  }
  return `${lines.join('\n')}\n`;
}

const byCode = (a, b) => (a.code < b.code ? -1 : 1);

function configurationPage(keys, testSwitches) {
  const lines = [
    '# Configuration of a node',
    '',
    note('`packages/config/src/schema/schema.ts`'),
    '',
    'Order: defaults, `config.toml`, environment, flags; later ones win. An unknown key or `PRIME_` variable is an error. `prime config',
    'check` prints every value and where it came from. What all validators must agree on stands in `genesis.json` instead.',
  ];
  for (const section of new Set(keys.map((key) => key.section))) {
    lines.push(
      '',
      `## [${section}]`,
      '',
      '| Key | Default | Unit, allowed | Environment | Meaning |',
      '|---|---|---|---|---|',
    );
    for (const { key, variable, schema } of keys.filter((candidate) => candidate.section === section)) {
      const { minimum, maximum } = schema;
      const unit = schema['x-unit'] ?? (schema.type === 'array' ? 'tables; JSON in the environment' : '');
      const range = minimum === undefined ? '' : `, ${minimum} to ${maximum}`;
      const shown = JSON.stringify(schema.default);
      lines.push(
        `| \`${key}\` | \`${cell(shown)}\` | ${cell(unit)}${range} | \`${variable}\` | ${cell(schema.description)} |`,
      );
      if (schema.items?.properties) lines.push(...itemRows(key, schema.items.properties));
    }
  }
  lines.push(
    '',
    '## Switches of tests',
    '',
    `${testSwitches.map((name) => `\`${name}\``).join(', ')} are read by the node and refused unless genesis says \`testNetwork\`.`,
  );
  return `${lines.join('\n')}\n`;
}

const itemRows = (key, properties) =>
  Object.entries(properties).map(
    ([name, { type, description }]) => `| \`${key}.${name}\` | | ${type} | | ${cell(description)} |`,
  );

const metricRows = (metrics) => [
  '| Metric | Type | Labels | Meaning |',
  '|---|---|---|---|',
  ...metrics.map(({ name, type, labels, help }) => `| \`${name}\` | ${type} | ${cell(labels)} | ${cell(help)} |`),
];

function metricsPage(node, signer) {
  const lines = [
    '# Metrics of a node',
    '',
    note('`apps/node/src/metrics/metrics.ts`'),
    '',
    'What `/metrics` of the admin endpoint answers, in the text format of Prometheus. Times are seconds, sizes bytes; `_total` only grows while the process lives.',
    'What a thread that does not answer would say is left out, and so is what the system does not tell.',
    '',
    ...metricRows(node),
    '',
    '## Of a remote signer',
    '',
    'What `/metrics` of its admin endpoint answers.',
    '',
    ...metricRows(signer),
  ];
  return `${lines.join('\n')}\n`;
}

async function loadPage() {
  const { builtInNames, builtInScenario, kindTable } = await builtPackage('load');
  const page = readFileSync(join(root, 'docs', 'load.md'), 'utf8');
  return withScenarioTable(page, builtInNames().map(builtInScenario), kindTable);
}

/** A JSON Schema as a file that editors and other programs read. */
const schemaFile = (title, schema) =>
  `${JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', title, ...schema }, null, 2)}\n`;

const problems = [];
const errors = collectErrors(problems);
const built = (folder) => import(pathToFileURL(join(root, folder, 'dist', 'index.js')).href);
const builtPackage = (name) => built(join('packages', name));
const { configKeys, testSwitches } = await builtPackage('config');
const { definitions, openRpcDocument } = await builtPackage('rpc');
const load = await builtPackage('load');
const { metricReference, signerMetricReference } = await built(join('apps', 'node'));
const manifests = await import(
  pathToFileURL(join(root, 'apps', 'cli', 'dist', 'testnet', 'manifest', 'schema.js')).href
);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const dashboards = dashboardFiles();
const pages = {
  'docs/reference/errors.md': errorsPage(errors),
  'docs/reference/configuration.md': configurationPage(configKeys, testSwitches),
  'docs/reference/metrics.md': metricsPage(metricReference, signerMetricReference),
  'packages/load/schema/report.schema.json': schemaFile('What a run of `prime load` found out.', load.runReportSchema),
  'docs/reference/scenarios.md': scenarioPage({
    schema: load.scenarioFileSchema,
    kinds: load.kindTable,
    scenarios: load.builtInNames().map(load.builtInScenario),
    note: note('`packages/load/src/scenario` and `packages/load/scenarios`'),
  }),
  'docs/reference/strategy.md': strategyPage({
    schemas: (await builtPackage('bot')).strategySchemas,
    note: note('`packages/bot/src/config/schema.ts`'),
  }),
  'docs/reference/manifest.md': manifestPage({
    schema: manifests.manifestSchema,
    faults: manifests.manifestFileSchema.properties.faults.items.anyOf,
    note: note('`apps/cli/src/testnet/manifest/schema.ts`'),
  }),
  'docs/reference/manifest.schema.json': schemaFile(
    'Manifest of a test network of Prime.',
    manifests.manifestFileSchema,
  ),
  'docs/reference/scenario.schema.json': `${JSON.stringify(load.scenarioFileSchema, null, 2)}\n`,
  ...rpcPages(openRpcDocument(definitions, version)),
  'docs/load.md': await loadPage(),
  [indexPath]: decisionsPage(readRepository(root)),
  ...dashboards,
  ...chartFiles(root, dashboards),
};
const check = process.argv.includes('--check');
for (const [path, text] of Object.entries(pages)) {
  const target = join(root, path);
  const current = existsSync(target) ? readFileSync(target, 'utf8') : '';
  if (current === text) continue;
  if (check) problems.push(`${path} is not what the code says: run "npm run docs"`);
  else {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}
for (const path of staleChartFiles(root, dashboards)) {
  if (check) problems.push(`${path} is a copy of nothing: run "npm run docs"`);
  else rmSync(join(root, path));
}
process.stdout.write(
  `${errors.length} error codes, ${configKeys.length} configuration keys, ${definitions.length} methods\n`,
);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
