import { capabilities, capabilityNames } from './capabilities.ts';
import type { ClientResult, Finding } from './clients.ts';

const begin = '<!-- clients: made by npm run conformance:clients -->';
const end = '<!-- /clients -->';

const marks: Readonly<Record<Finding['outcome'], string>> = { works: '✓', absent: '·', fails: '✗' };

/** Markdown: a row per capability, a column per client with its version. */
export function renderTable(results: readonly ClientResult[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(['', ...results.map(({ client, version }) => `${client.name} ${version}`)]),
    row(['---', ...results.map(() => ':-:')]),
    ...capabilityNames.map((name) =>
      row([capabilities[name], ...results.map(({ findings }) => marks[findings[name].outcome])]),
    ),
    '',
    `${marks.works} works · ${marks.absent.trim()} the client has no such thing`,
  ].join('\n');
}

const block = new RegExp(`${begin}\\n\\n([\\s\\S]*?)\\n\\n${end}`);

/** The table that a document shows. @throws Error when the document has no place for it */
export function shownTable(document: string): string {
  const found = block.exec(document)?.[1];
  if (found === undefined) throw new Error(`no block between ${begin} and ${end}`);
  return found;
}

/** The document with another table in its place. */
export const withTable = (document: string, table: string): string =>
  document.replace(shownTable(document), () => table);
