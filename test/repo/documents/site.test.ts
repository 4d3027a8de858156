/** The site of the documents, as far as it can be known without VitePress, which `npm run docs:site` runs. */
import { describe, expect, it } from '@jest/globals';
import { filesBelow, pathExists, readText, root } from '../repository.ts';
import {
  decisionOf,
  headings,
  isDocument,
  linkOf,
  type Links,
  makeSite,
  mapDocument,
  planPages,
  readRepository,
  slug,
} from './site.ts';

const repository = readRepository(root);
const site = makeSite(repository);

describe('pages of the site', () => {
  const documents = filesBelow('.').filter(isDocument);

  it('are all documents of the repository, each once in the navigation', () => {
    expect(documents.length).toBeGreaterThan(200);
    const sources = site.pages.map(({ source }) => source);
    // The home page is made here.
    expect(sources.toSorted()).toEqual([...documents, 'package.json'].toSorted());
    const items = Object.values(site.navigation.sidebar).flatMap((groups) => groups.flatMap((group) => group.items));
    const pages = site.pages.filter(({ path }) => path !== 'index.md');
    expect(items.map(({ link }) => link).toSorted()).toEqual(pages.map(({ path }) => linkOf(path)).toSorted());
    expect(items.filter(({ text }) => text.trim() === '' || /[`<]/.test(text))).toEqual([]);
  });

  it('stand in the folder of their section, where its sidebar is shown', () => {
    for (const [folder, groups] of Object.entries(site.navigation.sidebar))
      for (const { link } of groups.flatMap((group) => group.items)) expect(link.startsWith(folder)).toBe(true);
  });

  it.each([
    ['a line without a document', ['docs/new.md'], ['docs/old.md'], 'there is no document docs/old.md'],
    [
      'a document without a line',
      ['docs/new.md', 'docs/old.md'],
      ['docs/old.md'],
      'in no section of the site: docs/new.md',
    ],
    [
      'two pages at one place',
      ['docs/a.md', 'docs/s/a.md'],
      ['docs/a.md', 'docs/s/a.md'],
      'more than once in the site: s/a.md',
    ],
    ['a page in two groups', ['docs/a.md'], ['docs/a.md', 'docs/a.md'], 'more than once in the site: docs/a.md'],
  ])('%s ends the build', (_what, sources, pages, message) => {
    expect(() => planPages(sources, [{ name: 's', title: 'S', groups: [{ title: 'G', pages }] }])).toThrow(message);
  });

  it('a pattern takes what no path names', () => {
    const wanted = [
      { name: 'a', title: 'A', groups: [{ title: 'G', pages: ['docs/a/*.md'] }] },
      { name: 'b', title: 'B', groups: [{ title: 'G', pages: ['docs/a/x.md'] }] },
    ];
    expect(planPages(['docs/a/x.md', 'docs/a/y.md', 'test/z.md'], wanted).map(({ path }) => path)).toEqual([
      'a/y.md',
      'b/a/x.md',
    ]);
  });
});

describe('links of the site', () => {
  const pages = new Map(site.pages.map((page) => [`/${page.path}`, page]));
  const links = site.pages.flatMap(({ source, path, text }) =>
    [...withoutCode(text).matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)]
      .map((match) => match[1]!)
      .filter((link) => !/^[a-z][a-z0-9+.-]*:/i.test(link))
      .map((link) => ({ source, path, link })),
  );

  it('lead to a page and a heading of it, or to a file that comes along', () => {
    expect(links.length).toBeGreaterThan(500);
    const broken = links.filter(({ path, link }) => {
      const [place, anchor] = link.split('#') as [string, string | undefined];
      const page = pages.get(place === '' ? `/${path}` : place);
      if (page === undefined) return !site.assets.includes(place.slice(1));
      return anchor !== undefined && !headings(page.text).map(slug).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('files that come along are there', () => {
    expect(site.assets).toEqual(expect.arrayContaining(['docs/rpc/openrpc.json', 'docs/images/explorer-market.png']));
    expect(site.assets.filter((path) => !pathExists(path))).toEqual([]);
  });

  const places: Links = {
    pageAt: (path) => ({ 'docs/a.md': 'run/a.md', 'docs/rpc': 'reference/rpc/index.md' })[path],
    isAsset: (path) => path.endsWith('.png'),
    repository: undefined,
  };
  const mapped = (markdown: string, changed: Partial<Links> = {}) =>
    mapDocument(markdown, 'docs/deep/b.md', { ...places, ...changed });

  it.each([
    ['a page', '[A](../a.md)', '[A](/run/a.md)'],
    ['a heading', '[A](../a.md#the-end)', '[A](/run/a.md#the-end)'],
    ['its own heading', '[A](#here)', '[A](#here)'],
    ['a folder', '[A](../rpc/)', '[A](/reference/rpc/index.md)'],
    ['with code', '[`a[0]`](../a.md)', '[`a[0]`](/run/a.md)'],
    ['elsewhere', '[A](https://example.org/a.md)', '[A](https://example.org/a.md)'],
    ['a picture that is one', '[![P](p.png)](../a.md)', '[![P](/docs/deep/p.png)](/run/a.md)'],
    ['a source, named', '[`c.ts`](../../src/c.ts)', '`c.ts`'],
    ['a source, described', '[the code](../../src/c.ts)', 'the code (`src/c.ts`)'],
    ['in code', '`[A](../a.md)` [A](../a.md)', '`[A](../a.md)` [A](/run/a.md)'],
    ['in a fence', '```\n[A](../a.md)\n```\n[A](../a.md)', '```\n[A](../a.md)\n```\n[A](/run/a.md)'],
    ['in a list', '1. x\n   ```toml\n   [a](../a.md)\n   ```\n', '1. x\n   ```toml\n   [a](../a.md)\n   ```\n'],
    ['behind a comment', '<!-- made [A](../a.md) -->\n# A\n', '# A\n'],
  ])('%s', (_what, markdown, text) => {
    expect(mapped(markdown).text).toBe(text);
  });

  it('of a repository with an address lead there', () => {
    const { text } = mapped('[the code](../../src/c.ts#L3)', { repository: 'https://git.example/prime/blob/main' });
    expect(text).toBe('[the code](https://git.example/prime/blob/main/src/c.ts)');
    const manifest = { ...repository.manifest, repository: { url: 'git+https://git.example/prime.git' } };
    const deploy = makeSite({ ...repository, manifest }).pages.find(({ source }) => source === 'deploy/README.md')!;
    expect(deploy.text).toContain('[compose.yaml](https://git.example/prime/blob/main/deploy/compose.yaml)');
  });
});

describe('the index of decisions', () => {
  const index = site.pages.find(({ path }) => path === 'adr/index.md')!;

  it('has each record once, in order, with its status', () => {
    const records = filesBelow('docs/adr')
      .filter((path) => /\/\d{4}-/.test(path))
      .map((path) => path.slice('docs/adr/'.length));
    const rows = [...index.text.matchAll(/^\| \[(\d{4})\]\(\/adr\/([^)]+)\) \| (.+) \| (.+) \|$/gm)];
    expect(rows.map(([, , file]) => file)).toEqual(records.toSorted());
    expect(rows.filter(([, number, file]) => !file!.startsWith(`${number}-`))).toEqual([]);
    expect(rows.filter(([, , , , status]) => !/^(?:Accepted|Superseded)/.test(status!))).toEqual([]);
  });

  it.each([
    ['# 0007. A title\n\nStatus: accepted\n', 'A title', 'Accepted'],
    [
      '# 7. A title\n\n- Status: accepted. Goes on from [6](0006-a.md)\n',
      'A title',
      'Accepted. Goes on from [6](0006-a.md)',
    ],
    ['# 0007 A title\n\n## Status\nSuperseded by 0008.\n', 'A title', 'Superseded by 0008'],
  ])('reads %j', (markdown, title, status) => {
    expect(decisionOf('docs/adr/0007-a.md', markdown)).toMatchObject({ number: '0007', title, status });
  });

  it('takes no record without number, title or status', () => {
    expect(() => decisionOf('docs/adr/a.md', '# A\n\nStatus: accepted\n')).toThrow('is not named');
    expect(() => decisionOf('docs/adr/0007-a.md', 'Status: accepted\n')).toThrow('has no heading');
    expect(() => decisionOf('docs/adr/0007-a.md', '# A\n\nAccepted\n')).toThrow('has no status');
  });
});

it('CI builds the site with VitePress, which fails on dead links', () => {
  expect(readText('.github/workflows/ci.yml')).toContain('npm run docs:site');
  expect(readText('scripts/vitepress/.vitepress/config.mjs')).toContain('ignoreDeadLinks: false');
});

function withoutCode(markdown: string): string {
  return markdown.replace(/^ *```[\s\S]*?^ *```/gm, '').replace(/`[^`\n]*`/g, '');
}
