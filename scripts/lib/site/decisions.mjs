/** The index of the records of decisions. */
import { titleOf } from './markdown.mjs';

const fileName = /^docs\/adr\/(\d{4})-[^/]+\.md$/;
/** What a page of measurements says that was a record before. */
const former = /^Formerly ADR (\d{4})\.$/m;

/** Where the index stands. */
export const indexPath = 'docs/adr/README.md';

/**
 * @param {string} source path of a record
 * @param {string} markdown
 * @returns {{number: string, title: string, status: string, source: string}} title and status are Markdown
 * @throws Error when the record has no number, title or status
 * @public of tests, which refuse malformed records
 */
export function decisionOf(source, markdown) {
  const number = fileName.exec(source)?.[1];
  if (number === undefined) throw new Error(`${source} is not named as docs/adr/0000-title.md`);
  const title = titleOf(source, markdown).replace(/^\d+\.? /, '');
  const status = /^(?:- |## )?\*{0,2}Status\*{0,2}:?\s*([^\n]+)$/m.exec(markdown)?.[1];
  if (status === undefined) throw new Error(`${source} has no status`);
  return { number, title, status: capital(status.trim().replace(/\.$/, '')), source };
}

/**
 * @param {object} repository
 * @param {readonly string[]} repository.files paths with forward slashes
 * @param {(path: string) => string} repository.read
 * @returns {string} the page at {@link indexPath}
 * @throws Error as decisionOf
 */
export function decisionsPage({ files, read }) {
  const decisions = files
    .filter((path) => path.startsWith('docs/adr/') && path.endsWith('.md') && path !== indexPath)
    .toSorted()
    .map((path) => decisionOf(path, read(path)));
  const rows = decisions.map(
    ({ number, title, status, source }) =>
      `| [${number}](${source.slice('docs/adr/'.length)}) | ${cell(title)} | ${cell(status)} |`,
  );
  return `# Decisions

<!-- Made by \`npm run docs\` from the records; edit them. -->

${decisions.length} decisions that somebody may want to take again: why, what follows, and what was refused.

| | Decision | Status |
|---|---|---|
${rows.join('\n')}

## Moved

These records were measurements. They are pages about performance now.

| Number | Page |
|---|---|
${movedRows({ files, read }).join('\n')}
`;
}

function movedRows({ files, read }) {
  return files
    .filter((path) => /^docs\/performance\/[^/]+\.md$/.test(path))
    .flatMap((path) => {
      const text = read(path);
      const number = former.exec(text)?.[1];
      return number === undefined ? [] : [{ number, path, title: titleOf(path, text) }];
    })
    .toSorted((a, b) => (a.number < b.number ? -1 : 1))
    .map(({ number, path, title }) => `| ${number} | [${cell(title)}](../${path.slice('docs/'.length)}) |`);
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const cell = (text) => text.replaceAll('|', '\\|');
