/** What is published is what other people's tools expect, and what somebody has approved. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publint } from 'publint';
import { filesBelow, readManifest, readText, root } from '../repo/repository.ts';
import { filesIn } from './files.ts';
import { execute, type Packed, packPackages, publicNames } from './packed.ts';
import { measureEntries, sizeLimits, sizeTable, toldSizes } from './sizes.ts';

let packed: Packed;
beforeAll(async () => {
  packed = await packPackages({ GITHUB_SERVER_URL: 'https://example.org', GITHUB_REPOSITORY: 'owner/prime' });
});
afterAll(() => packed.remove());

const readJson = async (path: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;

describe.each(publicNames)('@prime/%s', (name) => {
  it('publint finds nothing', async () => {
    const { messages } = await publint({
      pkgDir: packed.package(name),
      level: 'suggestion',
      strict: true,
      pack: false,
    });
    expect(messages).toEqual([]);
  });

  it('its types are right however it is imported', async () => {
    const tarball = createPackageFromTarballData(new Uint8Array(await readFile(packed.tarball(name))));
    const result = await checkPackage(tarball);
    if (!result.types) throw new Error('it has no types');
    // It is ESM only: `require` of an ES module is what Node itself allows since 20.19, and the types say so.
    const problems = result.problems.filter(({ kind }) => kind !== 'CJSResolvesToESM');
    expect(problems).toEqual([]);
  });

  it('the manifest is for people outside: nothing private, nothing that runs on installation', async () => {
    const manifest = await readJson(join(packed.package(name), 'package.json'));
    expect(manifest).toMatchObject({
      name: `@prime/${name}`,
      license: 'Apache-2.0',
      sideEffects: false,
      publishConfig: { access: 'public', provenance: true },
      repository: { type: 'git', url: 'git+https://example.org/owner/prime.git', directory: `packages/${name}` },
    });
    expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['private', 'scripts', 'devDependencies']));
    const needed = Object.keys({
      ...(manifest['dependencies'] as object),
      ...(manifest['peerDependencies'] as object),
    });
    expect(needed.filter((dependency) => dependency.startsWith('@prime/'))).toEqual([]);
  });

  it('no code and no declaration imports a private package, a module of Node, or by a path of this repository', async () => {
    const { filesOf, importsOf } = await modulesOf(packed.package(name));
    expect(filesOf.length).toBeGreaterThan(0);
    expect(importsOf.filter((module) => /^(?:node:|@prime\/)|\.ts$/.test(module))).toEqual([]);
  });

  it('its API is the approved one: npm run api:approve writes what it is now', async () => {
    const approved = filesBelow(`packages/${name}/etc`).filter((path) => path.endsWith('.api.md'));
    expect(approved.map((path) => path.split('/').at(-1))).toEqual(reportsOf(name));
    for (const path of approved) expect(await packed.apiReport(path.split('/').at(-1)!)).toBe(readText(path));
  });
});

/** One report for each entry with types. */
const reportsOf = (name: string): string[] =>
  Object.entries(readManifest(`packages/${name}/package.json`).exports as Record<string, unknown>)
    .filter(([, target]) => typeof target === 'object')
    .map(([entry]) => `${[name, ...entry.split('/').slice(1)].join('.')}.api.md`)
    .toSorted();

async function modulesOf(folder: string): Promise<{ filesOf: readonly string[]; importsOf: readonly string[] }> {
  const filesOf = (await filesIn(join(folder, 'dist'))).filter((path) => /\.(?:js|d\.ts)$/.test(path));
  const texts = await Promise.all(filesOf.map((path) => readFile(path, 'utf8')));
  const pattern = /(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"\n]+)\1/g;
  return { filesOf, importsOf: texts.flatMap((text) => [...text.matchAll(pattern)].map((match) => match[2]!)) };
}

describe('private packages', () => {
  it('stay private, whatever is published', () => {
    const manifests = ['packages', 'apps'].flatMap((group) =>
      filesBelow(group).filter((path) => /^[^/]+\/[^/]+\/package\.json$/.test(path)),
    );
    expect(manifests.length).toBeGreaterThan(20);
    const published = manifests.filter((path) => (readManifest(path) as { private?: boolean }).private !== true);
    expect(published).toEqual([]);
  });
});

describe('sizes', () => {
  let sizes: Awaited<ReturnType<typeof measureEntries>>;
  beforeAll(async () => {
    sizes = await measureEntries(packed);
  });

  it('no entry is larger than its limit', () => {
    const tooLarge = sizes.filter(({ bytes, limit }) => bytes > limit);
    expect(tooLarge).toEqual([]);
  });

  it('the README of the SDK tells them, within a twentieth of what they are', () => {
    const told = toldSizes(readText('packages/sdk/README.md'));
    const measured = new Map(sizes.flatMap((size) => (size.for === null ? [] : [[size.for, size.bytes] as const])));
    expect([...told.keys()]).toEqual([...measured.keys()]);
    const wrong = [...measured].filter(([what, bytes]) => Math.abs(told.get(what)! - bytes) > bytes / 20);
    expect(wrong).toEqual([]);
  });

  it('docs/packages.md shows the limits', () => {
    expect(readText('docs/packages.md')).toContain(sizeTable(sizeLimits()));
  });
});

describe('releases', () => {
  const workflow = readText('.github/workflows/release.yml');
  /** A release pull request has other versions than main, and these tests too. */
  const wantedOf = (name: string): string => {
    const { version } = readManifest(`packages/${name}/package.json`) as { readonly version?: string };
    return `@prime/${name}@${version}`;
  };

  it('are published by a job that may sign, and that no other job of the workflow is', () => {
    expect(workflow.match(/id-token: write/g)).toHaveLength(1);
    expect(workflow.slice(workflow.indexOf('id-token: write'))).toContain('node scripts/publish.mjs');
    expect(workflow).not.toMatch(/secrets\./);
  });

  it('ask for an approval only where there is something to publish, and wait for it beside the next pull request', () => {
    const publish = workflow.slice(workflow.indexOf('\n  publish:'));
    expect(publish).toContain("needs: wanted\n    if: needs.wanted.outputs.versions != ''");
    expect(workflow.slice(0, workflow.indexOf('\njobs:'))).not.toContain('concurrency');
  });

  it('changesets version packages though they are private here, and tag nothing', () => {
    expect(JSON.parse(readText('.changeset/config.json'))).toMatchObject({
      access: 'public',
      privatePackages: { version: true, tag: false },
    });
  });

  it('changesets name public packages only', () => {
    const waiting = filesBelow('.changeset').filter((path) => path.endsWith('.md') && !path.endsWith('README.md'));
    const named = waiting.flatMap((path) =>
      [
        ...readText(path)
          .split('---')[1]!
          .matchAll(/@prime\/([\w-]+)/g),
      ].map((match) => match[1]!),
    );
    expect(named.filter((name) => !publicNames.some((known) => known === name))).toEqual([]);
  });

  describe('publish.mjs', () => {
    let registry: Server;
    let answer: (path: string) => { status: number; body: unknown };
    const asked: string[] = [];
    beforeAll(async () => {
      registry = createServer((request, response) => {
        asked.push(`${request.method} ${decodeURIComponent(request.url!)}`);
        const { status, body } = answer(decodeURIComponent(request.url!));
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
      registry.listen(0, '127.0.0.1');
      await once(registry, 'listening');
    });
    afterAll(() => {
      registry.close();
    });

    const publish = (...args: readonly string[]) =>
      execute(process.execPath, [join(root, 'scripts', 'publish.mjs'), ...args], {
        env: {
          ...process.env,
          npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
          npm_config_fetch_retries: '0',
          npm_config_cache: join(packed.folder, 'cache'),
        },
      });
    const known = (path: string) => {
      const name = path.slice(1);
      const version = wantedOf('sdk').split('@').at(-1)!;
      return { name, 'dist-tags': { latest: version }, versions: { [version]: { name, version, dist: {} } } };
    };

    it('passes over a version that the registry has, and would publish one that it has not', async () => {
      answer = (path) =>
        path === '/@prime/sdk' ? { status: 200, body: known(path) } : { status: 404, body: { error: 'not found' } };
      expect((await publish('--from', packed.folder, '--dry-run')).stdout.split('\n')).toEqual([
        `${wantedOf('contracts')} would be published`,
        `${wantedOf('sdk')} is there already`,
        '',
      ]);
      expect(asked.filter((request) => !request.startsWith('GET '))).toEqual([]);
    });

    it('tells what it wants to publish: what the registry lacks, and nothing while a changeset waits', async () => {
      answer = (path) =>
        path === '/@prime/sdk' ? { status: 200, body: known(path) } : { status: 404, body: { error: 'not found' } };
      const waits = filesBelow('.changeset').some((path) => path.endsWith('.md') && !path.endsWith('README.md'));
      expect((await publish('--wanted')).stdout).toBe(waits ? '\n' : `${wantedOf('contracts')}\n`);
    });

    it('publishes nothing when the registry does not say', async () => {
      answer = () => ({ status: 500, body: { error: 'try later' } });
      await expect(publish('--from', packed.folder, '--dry-run')).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining('does not say'),
      });
    });
  });
});
