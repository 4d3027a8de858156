/** A project of somebody else: installs the tarballs into an empty folder, compiles with every check, and runs against a node. */
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { junkMnemonic } from '@prime/examples';
import { createTestnet, type Testnet } from '@prime/testkit';
import { bytesToHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { readManifest, readText, root } from '../repo/repository.ts';
import { execute, install, packPackages, publicNames } from '../packages/packed.ts';
import { localNames, recipes } from '../packages/recipes.ts';
import { settingOf, traded, tradingTestnet } from '../packages/trading.ts';

const { devDependencies } = readManifest('test/package.json');
const { devDependencies: tools } = readManifest('package.json');

/** Where there is no curl, its example is not run. */
const hasCurl = spawnSync('sh', ['-c', 'command -v curl']).status === 0;
const runnable = recipes.filter(({ file }) => hasCurl || !file.endsWith('.sh'));

const project = await mkdtemp(join(tmpdir(), 'prime-stranger-'));
await cp(join(root, 'test', 'packages', 'projects', 'stranger'), project, { recursive: true });
await mkdir(join(project, 'recipes'));
for (const { file, program } of recipes) await writeFile(join(project, 'recipes', file), program);
const packed = await packPackages();
const isInstalled = await install(project, [
  ...publicNames.map(packed.tarball),
  `viem@${devDependencies!['viem']}`,
  `typescript@${tools!['typescript']}`,
  `ethers@${readManifest('test/clients/package.json').dependencies!['ethers']}`,
]);

(isInstalled ? describe : describe.skip)('a project elsewhere', () => {
  let testnet: Testnet;
  beforeAll(async () => {
    testnet = await createTestnet({ validators: 1 });
    await testnet.startAll();
  });
  afterAll(async () => {
    await testnet.destroy();
    await packed.remove();
    await rm(project, { recursive: true, force: true });
  });

  it('compiles strictly, declarations of libraries included', async () => {
    const compiler = join(project, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = await execute(process.execPath, [compiler, '-p', project]).catch(
      (failed: { readonly stdout: string }) => failed,
    );
    expect(stdout).toBe('');
  });

  it('gets nothing from this repository', async () => {
    const { stdout } = await execute('npm', ['ls', `--prefix=${project}`, '--all', '--parseable'], { cwd: project });
    const places = stdout.trim().split('\n');
    expect(places.length).toBeGreaterThan(3);
    expect(places.filter((place) => !place.startsWith(project))).toEqual([]);
    expect(places.filter((place) => /@prime[/\\](?!sdk$|contracts$)/.test(place))).toEqual([]);
  });

  it('trades through the contract by its ABI', async () => {
    const account = mnemonicToAccount(junkMnemonic, { addressIndex: 5 });
    const { stdout } = await run(join('dist', 'contract.js'), {
      RPC_URL: testnet.url(0),
      PRIVATE_KEY: bytesToHex(account.getHdKey().privateKey!),
    });
    expect(JSON.parse(stdout)).toEqual({
      id: expect.stringMatching(/^[1-9]/),
      status: 1,
      filled: '0',
      price: '1000',
      size: '10',
    });
  });

  it('trades, watches and proves with the SDK', async () => {
    const network = await tradingTestnet();
    try {
      await network.startAll();
      const setting = JSON.stringify(await settingOf(network, 2));
      expect(JSON.parse((await run(join('dist', 'tradeMain.js'), { SETTING: setting })).stdout)).toEqual(traded);
    } finally {
      await network.destroy();
    }
  });

  it('finds in the SDK each value that its API report names', async () => {
    const found = JSON.parse((await run(join('dist', 'sdk.js'), {})).stdout) as Readonly<Record<string, string>>;
    const report = readText('packages/sdk/etc/sdk.api.md');
    const named = [...report.matchAll(/^export (?:declare )?(?:abstract )?(?:const|function|class) (\w+)/gm)].map(
      (match) => match[1]!,
    );
    expect(Object.keys(found).toSorted()).toEqual([...new Set(named)].toSorted());
    expect(Object.values(found).filter((kind) => kind === 'undefined')).toEqual([]);
  });

  describe('that follows the pages for developers', () => {
    let local: Testnet;
    let names: ReadonlyMap<string, string>;
    beforeAll(async () => {
      local = await createTestnet({ validators: 2 });
      await local.startAll();
      names = await localNames(local);
    });
    afterAll(() => local.destroy());

    it('finds fifteen recipes, each in a file of its own', () => {
      expect(recipes.map(({ page }) => page).filter((page) => page === 'docs/sdk/cookbook.md')).toHaveLength(15);
      expect(new Set(recipes.map(({ file }) => file)).size).toBe(recipes.length);
    });

    it.each(runnable)('$file prints what the page says', async ({ file, prints }) => {
      const isCompiled = file.endsWith('.ts');
      const path = isCompiled ? join('dist', 'recipes', file.replace(/ts$/, 'js')) : join('recipes', file);
      let program = await readFile(join(project, path), 'utf8');
      for (const [name, here] of names) program = program.replaceAll(name, here);
      await writeFile(join(project, path), program);
      const { stdout, stderr } = await run(path, {}, file.endsWith('.sh') ? 'sh' : process.execPath);
      const lines = stdout.trimEnd().split('\n');
      // Its stream and its answer are told by two connections.
      const isInOrder = file !== 'first-order.ts';
      expect({ lines: isInOrder ? lines : lines.toSorted(), stderr }).toEqual({
        lines: isInOrder ? prints : prints.toSorted(),
        stderr: '',
      });
    });
  });

  const run = (path: string, environment: NodeJS.ProcessEnv, program = process.execPath) =>
    execute(program, [join(project, path)], {
      cwd: project,
      env: { PATH: process.env['PATH'], ...environment },
    });
});
