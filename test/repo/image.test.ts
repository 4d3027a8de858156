import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allocatorEnvironment } from '@prime/config';
import { filesBelow, readManifest, readText } from './repository.ts';

/** What deploy/Dockerfile leaves in the image: what a program reads beside its own code must not be taken out with sources and tests. */

const dockerfile = readText('deploy/Dockerfile');
/** The commands of the build stage that take files away, as one shell reads them. */
const removals = dockerfile
  .replace(/^\s*#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line.startsWith('RUN npm ci'))
  .flatMap((line) => line.split('&&'))
  .map((command) => command.trim())
  .filter((command) => command.startsWith('find '));

/** Of the explorer, which the build puts beside the program: whatever their names, none of them is a source. */
const pages = ['index.html', 'assets/app-abcdefgh.js', 'assets/app-abcdefgh.js.map', 'favicon.svg'].map(
  (path) => `apps/cli/dist/site/${path}`,
);

let folder: string;
let left: readonly string[];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prime-image-'));
  // Names are enough: nothing is read.
  const built = new Set(['node_modules', '.git', 'coverage']);
  for (const path of [
    ...filesBelow('packages/load', built),
    ...filesBelow('packages/predeploy', built),
    ...filesBelow('apps/cli', built),
    ...pages,
  ]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  for (const command of removals) execFileSync('sh', ['-euc', command], { cwd: folder });
  left = execFileSync('find', ['.', '-type', 'f'], { cwd: folder, encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((path) => path.slice(2));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the image', () => {
  it('sets what the allocator reads, as the unit of systemd and the operator guide do', () => {
    const settings = Object.entries(allocatorEnvironment).map(([name, value]) => `${name}=${value}`);
    expect(dockerfile).toContain(`\nENV ${settings.join(' ')}\n`);
    expect(readText('deploy/systemd/prime.service')).toContain(`\nEnvironment=${settings.join(' ')}\n`);
    expect(readText('docs/operator.md')).toContain(`\`${settings.join(' ')}\``);
  });

  it('has no sources, tests and scripts', () => {
    expect(removals).toHaveLength(2);
    expect(left.filter((path) => /^(?:packages|apps)\/\w+\/(?:src|bench|scripts|testdata)\//.test(path))).toEqual([]);
    expect(left.filter((path) => path.endsWith('.test.js') || path.endsWith('.d.ts'))).toEqual([]);
  });

  it('has the program, the scenarios, the report page and the worker of `prime load`', () => {
    const scenarios = filesBelow('packages/load/scenarios');
    expect(scenarios.length).toBeGreaterThan(15);
    expect(left).toEqual(
      expect.arrayContaining([
        ...scenarios,
        'apps/cli/dist/main.js',
        'packages/load/package.json',
        'packages/load/dist/index.js',
        'packages/load/dist/generated/reportPage.js',
        'packages/load/dist/run/loadWorker.main.js',
      ]),
    );
  });

  it('has the pages of the explorer', () => {
    expect(left).toEqual(expect.arrayContaining(pages));
    expect(dockerfile).toContain('COPY --from=build --chown=root:root /src/apps/cli ./apps/cli');
  });

  it('is a node where no target is named', () => {
    expect(dockerfile.trimEnd().split('\n').at(-1)).toBe('FROM runtime AS node');
  });

  it('is built from a context that has them', () => {
    const ignored = readText('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(ignored).toEqual(expect.arrayContaining(['docs', 'deploy', '**/*.md']));
    expect(ignored.filter((line) => /packages|scenarios|toml|schema/.test(line))).toEqual([]);
  });

  it('has every package that `prime load` imports, since the bundle leaves it a package of its own', () => {
    expect(readText('scripts/bundle.mjs')).toContain("'@prime/load',");
    const needed = new Set<string>();
    const add = (name: string): void => {
      if (needed.has(name)) return;
      needed.add(name);
      for (const dependency of Object.keys(readManifest(`packages/${name}/package.json`).dependencies ?? {}))
        if (dependency.startsWith('@prime/')) add(dependency.slice('@prime/'.length));
    };
    add('load');
    expect([...needed]).toEqual(expect.arrayContaining(['audit', 'model', 'predeploy', 'codec']));
    expect(Object.keys(readManifest('apps/cli/package.json').dependencies ?? {})).toContain('@prime/load');
    // All packages are copied, and node_modules of what the two programs depend on.
    expect(dockerfile).toContain('COPY --from=build --chown=root:root /src/packages ./packages');
    expect(dockerfile).toContain('--omit=dev --no-audit --no-fund --workspace apps/cli --workspace apps/node');
  });
});
