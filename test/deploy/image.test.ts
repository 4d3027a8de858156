import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allocatorEnvironment } from '@prime/config';
import { configKeys } from '@prime/config';
import { cli } from '../e2e/operations/program.ts';
import { filesBelow, pathExists, readManifest, readText, root } from '../repo/repository.ts';
import { type Dockerfile, execForm, instructionsOf, lastOf, parseDockerfile } from './dockerfile.ts';

/** What deploy/Dockerfile leaves in the image: what a program reads beside its own code must not be taken out with sources and tests. */

const dockerfile = readText('deploy/Dockerfile');
const parsed: Dockerfile = parseDockerfile(dockerfile);
/** The commands of the build stage that take files away, as one shell reads them. */
const removals = lastOf(instructionsOf(parsed, 'build'), 'RUN')
  .text.split('&&')
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
    expect(readText('docs/operate/memory-and-disk.md')).toContain(`\`${settings.join(' ')}\``);
  });

  it('has no sources, tests and scripts', () => {
    expect(removals).toHaveLength(3);
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
        'packages/load/dist/run/worker/loadWorker.main.js',
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
    expect(ignored).toEqual(expect.arrayContaining(['docs', 'deploy/*', '**/*.md']));
    // The program gives these to Prometheus and Grafana.
    expect(ignored).toEqual(expect.arrayContaining(['!deploy/grafana', '!deploy/prometheus']));
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
    expect(dockerfile).toContain(
      '--omit=dev --no-audit --no-fund --os=linux --libc=glibc --cpu="${cpu}" --workspace apps/cli --workspace apps/node',
    );
  });
});

describe('the Dockerfile', () => {
  const [first] = parsed.stages;
  const stageNames = parsed.stages.map(({ name }) => name);
  const bases = ['explorer', 'node'] as const;

  it('begins every stage with Debian 13 and Node.js 24, or with another stage', () => {
    expect(parsed.args.get('NODE_IMAGE')).toBe('node:24-trixie-slim');
    for (const [index, { name, base }] of parsed.stages.entries())
      expect([name, ['${NODE_IMAGE}', ...stageNames.slice(0, index)]]).toEqual([name, expect.arrayContaining([base])]);
    expect(dockerfile).toContain('org.opencontainers.image.base.name="docker.io/library/node:24-trixie-slim"');
  });

  it('copies what is there, from stages that are there', () => {
    for (const { name, instructions } of parsed.stages)
      for (const { flags, text } of instructions.filter((each) => each.name === 'COPY')) {
        const from = flags.get('from');
        if (from !== undefined)
          expect([name, stageNames.slice(0, stageNames.indexOf(name))]).toEqual([name, expect.arrayContaining([from])]);
        else
          for (const source of text.split(/\s+/).slice(0, -1))
            expect([source, pathExists(source)]).toEqual([source, true]);
      }
  });

  it('installs dependencies before it knows a source: a change of one makes no layer of them anew', () => {
    const installs = parsed.stages.filter(({ instructions }) =>
      instructions.some(({ name, text }) => name === 'RUN' && text.includes('npm ci')),
    );
    expect(installs.map(({ name }) => name)).toEqual(['tools', 'dependencies']);
    for (const { name, base, instructions } of installs) {
      const before = instructions.slice(
        0,
        instructions.findIndex(({ text }) => text.includes('npm ci')),
      );
      expect([name, base]).toEqual([name, '${NODE_IMAGE}']);
      expect(before.filter((each) => each.name === 'COPY').map(({ flags }) => flags.get('from'))).toEqual([
        first!.name,
      ]);
    }
  });

  it('leaves nothing but manifests to them, and the manifest of every workspace', () => {
    const [, remove] = [first!.instructions.length, lastOf(first!.instructions, 'RUN').text];
    const place = mkdtempSync(join(tmpdir(), 'prime-manifests-'));
    const files = [
      'package.json',
      'package-lock.json',
      '.npmrc',
      'scripts/sbom.mjs',
      'packages/bus/package.json',
      'packages/bus/src/a.ts',
      'test/package.json',
      'test/e2e/b.ts',
    ];
    try {
      for (const path of files) {
        mkdirSync(dirname(join(place, path)), { recursive: true });
        writeFileSync(join(place, path), '');
      }
      execFileSync('sh', ['-euc', remove], { cwd: place });
      const left = execFileSync('find', ['.', '-mindepth', '1'], { cwd: place, encoding: 'utf8' }).trim().split('\n');
      expect(left.toSorted()).toEqual(
        [
          '.npmrc',
          'package-lock.json',
          'package.json',
          'packages',
          'packages/bus',
          'packages/bus/package.json',
          'test',
          'test/package.json',
        ]
          .map((path) => `./${path}`)
          .toSorted(),
      );
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });

  it('runs nothing where the image may be for another processor', () => {
    for (const name of ['runtime', ...bases]) {
      const { instructions } = parsed.stages.find((each) => each.name === name)!;
      expect([name, instructions.filter((each) => each.name === 'RUN')]).toEqual([name, []]);
    }
    const running = [...dockerfile.matchAll(/^FROM (.*)\$\{NODE_IMAGE\} AS (\w+)$/gm)].map(([, platform, name]) => [
      name,
      platform!.trim(),
    ]);
    expect(Object.fromEntries(running)).toEqual({
      manifests: '--platform=${BUILDPLATFORM}',
      tools: '--platform=${BUILDPLATFORM}',
      dependencies: '--platform=${BUILDPLATFORM}',
      runtime: '',
    });
  });

  it.each(bases)('%s: runs as a user without rights, without a shell', (name) => {
    const instructions = instructionsOf(parsed, name);
    expect(lastOf(instructions, 'USER').text).toBe('1000:1000');
    expect(execForm(lastOf(instructions, 'ENTRYPOINT').text)).toEqual(['node', '/opt/prime/apps/cli/dist/main.js']);
    expect(execForm(lastOf(instructions, 'CMD').text)[0]).toBe(name);
    expect(execForm(lastOf(instructions, 'HEALTHCHECK').text).slice(0, 3)).toEqual([
      'node',
      '/opt/prime/apps/cli/dist/main.js',
      'health',
    ]);
  });

  it.each(bases)('%s: what the engine asks is a command that there is, at the port of the program', (name) => {
    const [, , ...words] = execForm(lastOf(instructionsOf(parsed, name), 'HEALTHCHECK').text);
    // Nobody is asked: the time is refused after everything else was understood.
    const { status, stderr } = spawnSync(process.execPath, [cli, ...words, '--timeout', '0'], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 64, stderr: expect.stringContaining('--timeout must be') });
    expect(words).toEqual(name === 'node' ? ['health'] : ['health', '--url', 'http://127.0.0.1:8500/health']);
  });

  it('tells the ports that a node has by itself', () => {
    const portOf = (path: string): string =>
      String(configKeys.find((key) => key.path === path)!.schema['default'])
        .split(':')
        .at(-1)!;
    const { text } = lastOf(instructionsOf(parsed, 'node'), 'EXPOSE');
    expect(text.split(' ')).toEqual(['rpc.listen', 'p2p.listen', 'admin.listen'].map(portOf));
  });

  it('has the labels by which registries and scanners know an image', () => {
    const labels = [
      ...lastOf(instructionsOf(parsed, 'node'), 'LABEL').text.matchAll(/org\.opencontainers\.image\.([\w.]+)=/g),
    ];
    expect(labels.map(([, name]) => name)).toEqual([
      'title',
      'description',
      'licenses',
      'version',
      'revision',
      'base.name',
    ]);
    expect(dockerfile).toContain('licenses="Apache-2.0"');
  });
});

describe('what is in the image, for scanners', () => {
  it('is listed as it is installed: what the root names beside it is left out', () => {
    const place = mkdtempSync(join(tmpdir(), 'prime-sbom-'));
    const write = (path: string, manifest: object): void => {
      mkdirSync(dirname(join(place, path)), { recursive: true });
      writeFileSync(join(place, path), JSON.stringify(manifest));
    };
    try {
      write('package.json', {
        name: 'all',
        version: '1.0.0',
        workspaces: ['packages/*'],
        devDependencies: { tool: '1.0.0' },
      });
      write('packages/here/package.json', { name: '@prime/here', version: '1.0.0', dependencies: { used: '^2.0.0' } });
      write('packages/away/package.json', {
        name: '@prime/away',
        version: '1.0.0',
        dependencies: { unused: '^3.0.0' },
      });
      write('node_modules/used/package.json', { name: 'used', version: '2.1.0' });
      mkdirSync(join(place, 'node_modules', '@prime'));
      symlinkSync(join('..', '..', 'packages', 'here'), join(place, 'node_modules', '@prime', 'here'));
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/sbom.mjs'), place], {
        encoding: 'utf8',
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      const { bomFormat, components } = JSON.parse(stdout) as {
        readonly bomFormat: string;
        readonly components: readonly { readonly purl: string }[];
      };
      expect(bomFormat).toBe('CycloneDX');
      expect(components.map(({ purl }) => purl.replace(/\?.*$/, '')).toSorted()).toEqual([
        'pkg:npm/%40prime/here@1.0.0',
        'pkg:npm/used@2.1.0',
      ]);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });

  it('a folder that is no installation: refused', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/sbom.mjs'), join(root, 'docs')], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 64, stderr: expect.stringContaining('folder of an installation') });
  });
});
