/** The index of the records of decisions. */
import { titleOf } from './markdown.mjs';

const fileName = /^docs\/adr\/(\d{4})-[^/]+\.md$/;

/**
 * @param {string} source path of a record
 * @param {string} markdown
 * @returns {{number: string, title: string, status: string, source: string}} title and status are Markdown
 * @throws Error when the record has no number, title or status
 */
export function decisionOf(source, markdown) {
  const number = fileName.exec(source)?.[1];
  if (number === undefined) throw new Error(`${source} is not named as docs/adr/0000-title.md`);
  const title = titleOf(source, markdown).replace(/^\d+\.? /, '');
  const status = /^(?:- |## )?\*{0,2}Status\*{0,2}:?\s*([^\n]+)$/m.exec(markdown)?.[1];
  if (status === undefined) throw new Error(`${source} has no status`);
  return { number, title, status: capital(status.trim().replace(/\.$/, '')), source };
}

/** Links are those of a document in docs/adr. */
export function decisionsPage(decisions) {
  const rows = decisions.map(
    ({ number, title, status, source }) =>
      `| [${number}](${source.slice('docs/adr/'.length)}) | ${cell(title)} | ${cell(status)} |`,
  );
  return `# Decisions

${decisions.length} decisions that somebody may want to take again: why, what follows, and what was refused.

| | Decision | Status |
|---|---|---|
${rows.join('\n')}
`;
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const cell = (text) => text.replaceAll('|', '\\|');
