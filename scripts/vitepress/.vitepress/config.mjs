/** How VitePress makes the site of what scripts/docsSite.mjs staged. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { slug } from '../../lib/site/markdown.mjs';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '..');
// Inside of the project, where pages find Vue.
const staged = join(project, '.prime', 'pages');
const { nav, sidebar } = JSON.parse(readFileSync(join(staged, 'navigation.json'), 'utf8'));

/** Nothing comes from elsewhere, and no script stands in a page. Code is coloured by attributes. */
const policy =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'self'; form-action 'none'";

const inlineScript = /<script((?: id="[^"]*")?)>([\s\S]+?)<\/script>/g;

export default {
  srcDir: staged,
  cacheDir: join(project, '.prime', 'cache'),
  title: 'Prime',
  description: 'An exchange chain: how to run, operate, build on and trade it.',
  lang: 'en',
  appearance: true,
  lastUpdated: false,
  ignoreDeadLinks: false,
  // Else each page has them in a script of its own.
  metaChunk: true,
  head: [
    ['meta', { 'http-equiv': 'Content-Security-Policy', content: policy }],
    ['meta', { name: 'referrer', content: 'no-referrer' }],
    ['link', { rel: 'icon', href: 'data:,' }],
  ],
  markdown: {
    // Documents have no HTML, and words that look like it.
    html: false,
    // `{limit, maximum}` behind a word is text.
    attrs: { disable: true },
    anchor: { slugify: slug },
    config: (md) => {
      // `wal.md` is no host in Moldova.
      md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
      // Two braces are text here, and code in a template of Vue.
      const text = (content) => md.utils.escapeHtml(content).replaceAll('{{', '&#123;&#123;');
      md.renderer.rules.text = (tokens, index) => text(tokens[index].content);
      md.renderer.rules.code_inline = (tokens, index) => `<code>${text(tokens[index].content)}</code>`;
    },
  },
  themeConfig: {
    nav,
    sidebar,
    search: { provider: 'local' },
    outline: [2, 3],
    externalLinkIcon: true,
  },
  transformHtml(html, _id, { siteConfig }) {
    const folder = siteConfig.assetsDir;
    mkdirSync(join(siteConfig.outDir, folder), { recursive: true });
    return html.replaceAll(inlineScript, (_whole, id, code) => {
      const name = `${folder}/inline.${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
      writeFileSync(join(siteConfig.outDir, name), code);
      return `<script${id} src="${siteConfig.site.base}${name}"></script>`;
    });
  },
};
