/** Which documents are pages of the site, where each stands, and what leads to it. */
import { sections } from './sections.mjs';

/** Documents that the site has: of people who run, operate, build and read. What tools keep in Markdown is none. */
const documents = [
  /^(?:README|ARCHITECTURE|CONTRIBUTING|CHANGELOG|SECURITY)\.md$/,
  /^docs\/.+\.md$/,
  /^deploy\/(?:.+\/)?README\.md$/,
  /^(?:packages|apps)\/[^/]+\/README\.md$/,
];

export const isDocument = (path) => documents.some((pattern) => pattern.test(path));

/**
 * @typedef {object} Page
 * @property {string} source path in the repository
 * @property {string} path in the site, with `.md`
 * @property {string} section its name
 * @property {string} group its title
 * @property {string | undefined} title of the navigation, where it is not the document's own
 */

/**
 * @param {readonly string[]} sources paths of the repository; those that are no documents are left out
 * @param {typeof sections} [wanted]
 * @returns {Page[]} in the order of the navigation
 * @throws Error that names documents which are in no section or in two, and lines that name nothing
 */
export function planPages(sources, wanted = sections) {
  const all = sources.filter(isDocument).toSorted();
  const lines = wanted.flatMap((section) =>
    section.groups.flatMap((group) => group.pages.map((line) => ({ section, group, line }))),
  );
  const named = new Set(lines.map(({ line }) => pathOfLine(line)));
  const pages = lines.flatMap(({ section, group, line }) => {
    const pattern = pathOfLine(line);
    const options = Array.isArray(line) ? line[1] : {};
    const found = pattern.includes('*')
      ? all.filter((path) => matches(pattern, path) && !named.has(path))
      : all.filter((path) => path === pattern);
    if (found.length === 0) throw new Error(`scripts/lib/site/sections.mjs: there is no document ${pattern}`);
    return found.map((source) => ({
      source,
      path: `${section.name}/${options.path ?? pathInSection(section.name, source)}`,
      section: section.name,
      group: group.title,
      title: options.title,
    }));
  });
  const lost = all.filter((path) => !pages.some(({ source }) => source === path));
  if (lost.length > 0) throw new Error(`scripts/lib/site/sections.mjs: in no section of the site: ${lost.join(', ')}`);
  for (const key of ['source', 'path']) {
    const values = pages.map((page) => page[key]);
    const twice = values.filter((value, index) => values.indexOf(value) !== index);
    if (twice.length > 0)
      throw new Error(`scripts/lib/site/sections.mjs: more than once in the site: ${twice.join(', ')}`);
  }
  return pages;
}

/** @returns {string} */
const pathOfLine = (line) => (Array.isArray(line) ? line[0] : line);

function matches(pattern, path) {
  const [before, after] = pattern.split('*');
  if (!path.startsWith(before) || !path.endsWith(after)) return false;
  return !path.slice(before.length, path.length - after.length).includes('/');
}

/** `docs/protocol/wal.md` of internals is `protocol/wal.md`; a README is the page of its folder. */
function pathInSection(section, source) {
  const path = source.replace(/^docs\//, '').replace(/(.)\/README\.md$/, '$1.md');
  const inside = path.startsWith(`${section}/`) ? path.slice(section.length + 1) : path;
  return inside === 'README.md' ? 'index.md' : inside.toLowerCase();
}

/** What VitePress wants to know of the navigation. `titleOf` gives a page's own title. */
export function navigation(pages, titleOf) {
  const item = (page) => ({ text: plain(page.title ?? titleOf(page)), link: linkOf(page.path) });
  const sidebar = Object.fromEntries(
    sections.map(({ name, title, groups }) => [
      `/${name}/`,
      groups.map((group) => ({
        text: group.title,
        ...(groups.length > 1 ? {} : { text: title }),
        items: pages.filter((page) => page.section === name && page.group === group.title).map(item),
      })),
    ]),
  );
  const nav = sections.map(({ name, title }) => ({
    text: title,
    link: firstOf(pages, name),
    activeMatch: `^/${name}/`,
  }));
  return { nav, sidebar };
}

/** Where a section begins. */
export const firstOf = (pages, section) => linkOf(pages.find((page) => page.section === section).path);

/** `operate/index.md` is `/operate/`. */
export const linkOf = (path) => `/${path.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`;

/** Of Markdown, what can stand in HTML as it is. */
const plain = (markdown) => markdown.replaceAll('`', '').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
