/** All pages of the site, made of the repository's documents. */
import { capital } from './decisions.mjs';
import { mapDocument, titleOf } from './markdown.mjs';
import { firstOf, isDocument, linkOf, navigation, planPages } from './plan.mjs';
import { sections } from './sections.mjs';

/** What pages show or hand out as it is. */
const asset = /^docs\/.+\.(?:png|svg|json)$/;

/**
 * @param {object} repository
 * @param {readonly string[]} repository.files paths with forward slashes
 * @param {(path: string) => string} repository.read
 * @param {{description: string, repository?: {url: string}}} repository.manifest its package.json
 * @returns {{pages: {path: string, source: string, text: string}[], assets: string[], navigation: {nav: object[], sidebar: object}}}
 */
export function makeSite({ files, read, manifest }) {
  const pages = planPages(files);
  const texts = new Map(files.filter(isDocument).map((path) => [path, read(path)]));
  const links = { pageAt: pageFinder(pages), isAsset: (path) => asset.test(path), repository: filesOf(manifest) };
  const mapped = pages.map(({ source, path }) => ({ source, path, ...mapDocument(texts.get(source), source, links) }));
  /** @type {Set<string>} */
  const assets = new Set(mapped.flatMap((page) => page.assets));
  return {
    pages: [
      { source: 'package.json', path: 'index.md', text: homePage(pages, manifest.description) },
      ...mapped.map(({ source, path, text }) => ({ source, path, text })),
    ],
    assets: [...assets].toSorted(),
    navigation: navigation(pages, (page) => titleOf(page.source, texts.get(page.source))),
  };
}

/** A folder is its README, else the first of its pages. */
function pageFinder(pages) {
  const places = new Map(pages.map(({ source, path }) => [source, path]));
  return (path) =>
    places.get(path) ??
    places.get(`${path}/README.md`) ??
    (path.endsWith('.md') ? undefined : pages.find(({ source }) => source.startsWith(`${path}/`))?.path);
}

/** Where a browser finds the files of the newest version, or nothing for a repository that has no address. */
function filesOf({ repository }) {
  const address = /^(?:git\+)?(https:\/\/.+?)(?:\.git)?$/.exec(repository?.url ?? '')?.[1];
  return address === undefined ? undefined : `${address}/blob/main`;
}

/** JSON is YAML. */
function homePage(pages, description) {
  const [name, ...rest] = description.split(': ');
  const frontmatter = {
    layout: 'home',
    title: name,
    titleTemplate: false,
    hero: {
      name,
      text: 'Documents',
      tagline: capital(rest.join(': ')),
      actions: [
        { theme: 'brand', text: 'Run a network', link: firstOf(pages, 'run') },
        { theme: 'alt', text: 'Something is wrong', link: linkOf('operate/index.md') },
        { theme: 'alt', text: 'First order', link: linkOf('build/sdk/first-order.md') },
      ],
    },
    features: sections.map(({ name: section, title, text }) => ({
      title,
      details: text,
      link: firstOf(pages, section),
    })),
  };
  return `---\n${JSON.stringify(frontmatter)}\n---\n`;
}
