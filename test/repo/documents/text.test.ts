/** What every text file of the repository must keep to. */
import { posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filesBelow, isFolder, pathExists, readText } from '../repository.ts';
import { headings, slug } from './site.ts';

const binary = /\.(?:png|ico|gz|xz|bin|woff2?|wasm)$/;
const texts = filesBelow('.').filter((path) => !binary.test(path));

/** `file:line: text` of each line that matches. */
function linesMatching(pattern: RegExp, paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    readText(path)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim().slice(0, 120)}`] : [])),
  );
}

describe('text files', () => {
  it('name no folder of the machine on which they were written', () => {
    // Put together from parts, so that this file does not find itself.
    const personal = ['root', 'Users', 'work', 'tmp', 'home'].join('|');
    const machinePath = new RegExp(`(?:^|[\\s'"\`(=:])/(?:${personal})/[\\w.-]+`);
    const allowed = new Set(['test/repo/documents/text.test.ts']);
    expect(
      linesMatching(
        machinePath,
        texts.filter((path) => !allowed.has(path)),
      ),
    ).toEqual([]);
  });

  const projects = ['', 'test/clients/', 'test/ccxt/', 'test/kubernetes/', 'scripts/typedoc/', 'scripts/vitepress/'];
  it.each(projects.map((folder) => `${folder}package-lock.json`))(
    '%s names packages and hashes, but no registry',
    (path) => {
      const lockfile = readText(path);
      expect(lockfile.match(/"resolved": "https?:/g) ?? []).toEqual([]);
      expect(lockfile).toContain('"integrity"');
    },
  );

  it('the lockfile of the clients names the binaries of every platform that has them', () => {
    const { packages } = JSON.parse(readText('test/clients/package-lock.json')) as { packages: object };
    const platforms = ['cast-linux-amd64', 'forge-linux-amd64', 'forge-darwin-arm64', 'forge-win32-amd64'];
    expect(Object.keys(packages)).toEqual(
      expect.arrayContaining(platforms.map((platform) => `node_modules/@foundry-rs/${platform}`)),
    );
  });

  it('end with a newline and hold no carriage return', () => {
    const wrong = texts.filter((path) => {
      const text = readText(path);
      return text.includes('\r') || (text.length > 0 && !text.endsWith('\n'));
    });
    expect(wrong).toEqual([]);
  });
});

describe('documents', () => {
  const documents = texts.filter((path) => path.endsWith('.md'));

  it('there are some', () => {
    expect(documents).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md']));
  });

  it('relative links lead to a file, and their anchors to a heading', () => {
    const broken = documents.flatMap((document) =>
      [...withoutCode(readText(document)).matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)]
        .map((match) => match[1]!)
        .filter((link) => !/^[a-z][a-z0-9+.-]*:/i.test(link))
        .filter((link) => !leadsSomewhere(document, link))
        .map((link) => `${document}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it('records of decisions have a number each and name their status', () => {
    const records = documents.filter((path) => /^docs\/adr\/\d{4}-/.test(path));
    const numbers = records.map((path) => path.slice('docs/adr/'.length, 'docs/adr/'.length + 4));
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
    for (const path of records)
      expect([path, /^(?:- )?(?:## )?\*{0,2}Status/m.test(readText(path))]).toEqual([path, true]);
  });
});

const withoutCode = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');

function leadsSomewhere(document: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target =
    path === '' ? document : posix.normalize(posix.join(posix.dirname(document), decodeURIComponent(path)));
  if (!pathExists(target)) return false;
  if (anchor === undefined || isFolder(target) || !target.endsWith('.md')) return true;
  return headings(readText(target)).map(slug).includes(anchor);
}
