/** Markdown of the repository as Markdown of the site: the same text, with links that lead to pages. */
import { posix } from 'node:path';

/** The anchor that GitHub gives a heading; the site gives the same, so that one link works in both. */
export const slug = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

const fence = /^( *)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ *\2[`~]* *$/gm;

/** The parts of a text in order: `[isCode, text]`; code is what stands in fences. */
function parts(markdown) {
  const found = [];
  let end = 0;
  for (const match of markdown.matchAll(fence)) {
    found.push([false, markdown.slice(end, match.index)], [true, match[0]]);
    end = match.index + match[0].length;
  }
  return [...found, [false, markdown.slice(end)]];
}

const outsideCode = (markdown, change) =>
  parts(markdown)
    .map(([isCode, text]) => (isCode ? text : change(text)))
    .join('');

/**
 * Texts of the headings, in order.
 * @public of tests, which follow anchors
 */
export function headings(markdown) {
  const found = [];
  outsideCode(markdown, (text) => {
    for (const [, heading] of text.matchAll(/^#+\s+(.*)$/gm)) found.push(withoutLinks(heading));
    return text;
  });
  return found;
}

const withoutLinks = (text) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');

/** @throws Error when a document does not begin with its title */
export function titleOf(source, markdown) {
  const [title] = headings(markdown);
  if (title === undefined) throw new Error(`${source} has no heading`);
  return title;
}

/** A code span, or a link with its text, its target and what stands behind it: whichever comes first. */
const span =
  /(`+)(?:(?!`)[\s\S])*?(?:(?!\1)`+(?:(?!`)[\s\S])*?)*\1(?!`)|(!?)\[((?:[^[\]]|\[[^[\]]*\](?:\([^()\s]*\))?)*)\]\(([^()\s]+)((?:\s+"[^"]*")?)\)/g;
const comment = /<!--[\s\S]*?-->\n?/g;
const external = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

/**
 * @param {string} markdown
 * @param {string} source path of the document in the repository
 * @param {object} site
 * @param {(path: string) => string | undefined} site.pageAt path in the site of a document, or of what stands for a folder
 * @param {(path: string) => boolean} site.isAsset whether the site carries the file itself
 * @param {string | undefined} site.repository address of the repository's files, where it has one
 * @returns {{text: string, assets: string[]}} assets: files that the page needs
 */
export function mapDocument(markdown, source, site) {
  const assets = new Set();
  const target = (file, anchor) => {
    const page = site.pageAt(file);
    if (page !== undefined) return `/${page}${anchor === undefined ? '' : `#${anchor}`}`;
    if (site.isAsset(file)) {
      assets.add(file);
      return `/${file}`;
    }
    return site.repository === undefined ? undefined : `${site.repository}/${file}`;
  };
  const link = (whole, _ticks, image, text, address, behind) => {
    if (address === undefined) return whole;
    const inside = image === '' ? text.replace(span, link) : text;
    if (external.test(address) || address.startsWith('#')) return `${image}[${inside}](${address}${behind})`;
    const [path, anchor] = address.split('#');
    const file = posix.normalize(posix.join(posix.dirname(source), decodeURIComponent(path))).replace(/\/$/, '');
    const place = target(file, anchor);
    return place === undefined ? named(text, file) : `${image}[${inside}](${place}${behind})`;
  };
  const text = outsideCode(markdown, (part) => part.replace(comment, '').replace(span, link));
  return { text, assets: [...assets] };
}

/** What is left of a link to a file that the site does not have: its text, and its name unless the text is that. */
function named(text, file) {
  const said = text.replaceAll('`', '');
  return file.endsWith(said) || said.endsWith(file) ? `\`${said}\`` : `${text} (\`${file}\`)`;
}
