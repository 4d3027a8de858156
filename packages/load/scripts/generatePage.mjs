// Joins the report page's compiled modules into one function, and takes its style along, so that a page can carry both within it. Runs after tsc.
// What is joined shares one scope: each module imports only from those before it, under their own names, or this stops.
import { mkdir, readFile, writeFile } from 'node:fs/promises';

const built = new URL('../dist/report/', import.meta.url);
const target = new URL('../dist/generated/reportPage.js', import.meta.url);
/** Each after what it imports. */
const modules = ['format', 'page/theme', 'page/bands', 'page/options', 'page/legend', 'page/chartView', 'page/main'];

const named = /^import \{([^}]*)\} from '([^']+)';\n/gm;
const exported = /^export (?=(?:async )?function |const |class )/gm;

/** Names that a module gives the others, from those that were joined before it. */
const known = new Map();
let script = '';
for (const name of modules) {
  const url = new URL(`${name}.js`, built);
  const code = (await readFile(url, 'utf8')).replace(/^\/\/# sourceMappingURL=.*\n?/gm, '');
  const body = code.replace(named, (statement, names, path) => {
    const from = known.get(new URL(path, url).href);
    for (const one of names.split(',').map((text) => text.trim()))
      if (!from?.has(one)) throw new Error(`${name}: ${statement.trim()} is not of a module before it`);
    return '';
  });
  known.set(
    url.href,
    new Set([...body.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)].map((match) => match[1])),
  );
  const joined = body.replace(exported, '');
  const left = /^(?:import|export)\b.*$/m.exec(joined);
  if (left !== null) throw new Error(`${name}: can not join ${left[0]}`);
  script += joined;
}
script = `(() => {\n'use strict';\n${script}drawPage();\n})();\n`;
/** Later sheets win over earlier ones. */
const sheets = ['frame', 'content'];
const styles = await Promise.all(
  sheets.map((name) => readFile(new URL(`../src/report/page/${name}.css`, import.meta.url), 'utf8')),
);
const style = styles.join('\n');
const text = `export const pageScript = ${JSON.stringify(script)};\nexport const pageStyle = ${JSON.stringify(style)};\n`;
const existing = await readFile(target, 'utf8').catch(() => '');
if (existing !== text) {
  await mkdir(new URL('.', target), { recursive: true });
  await writeFile(target, text);
}
