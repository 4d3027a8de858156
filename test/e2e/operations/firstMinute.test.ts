/**
 * What a newcomer does: starts a network, types what it prints, and is not led into somebody else's network by ports that change hands.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rpc } from '@prime/load/rpc';
import { freeBasePort, run, until } from '@prime/testkit';
import { root } from '../../repo/repository.ts';
import { writeSite } from '../explorer/explorerSite.ts';
import { cli } from './program.ts';
import { environment, networkOf, up } from './upNetwork.ts';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const demo = join(root, 'apps/examples/dist/demo.js');

const execute = (file: string, args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(file, args, { cwd: root, env: environment }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

const genesisAt = async (url: string): Promise<string> =>
  (await rpc<{ hash: string }>(url, 'eth_getBlockByNumber', ['0x0', false])).hash;
const demoIn = (folder: string): Promise<Ended> => execute(process.execPath, [demo, '--network', folder]);

let folder: string;
/** Two networks that want the same ports. */
let first: string;
let second: string;
let port: number;
/** Pages of an explorer, and the port that both want for them. */
let explorer: readonly string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prime-first-'));
  [first, second] = [join(folder, 'first'), join(folder, 'second')];
  port = await freeBasePort(1);
  explorer = ['--explorer-site', await writeSite(join(folder, 'site')), '--explorer-port', `${port + 5}`];
  for (const out of [first, second])
    await run(['testnet', 'init', '--validators', '1', '--out', out, '--base-port', `${port}`]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the first minute', () => {
  it('network.json and the log are of the network that runs, and every printed command works as it is printed', async () => {
    const network = await up(first, ...explorer);
    try {
      const file = await networkOf(first);
      const url = file.rpcUrls[0]!;
      expect(url).toBe(`http://127.0.0.1:${port}`);
      expect(Number(await rpc(url, 'eth_chainId'))).toBe(file.chainId);
      expect(await genesisAt(url)).toBe(file.genesisHash);
      expect(await rpc<string[]>(url, 'eth_accounts')).toEqual(file.accounts.map(({ address }) => address));
      const markets = await rpc<{ market_id: number; symbol: string }[]>(url, 'primeorders_getMarkets');
      expect(markets.map(({ market_id: id, symbol }) => [id, symbol])).toEqual(
        file.markets.map(({ id, symbol }) => [id, symbol]),
      );
      expect(network.lines.join('\n')).toContain('Prime: 1 validator, block 3 committed');
      expect(file.explorerUrl).toBe(`http://127.0.0.1:${port + 5}`);
      expect(network.lines).toContain(`  Open ${file.explorerUrl} in a browser to watch it`);
      expect(await (await fetch(`${file.explorerUrl}/config.json`)).json()).toEqual({ rpc: url });
      expect(await readFile(file.validators[0]!.log, 'utf8')).toContain('"msg":"ready"');
      const at = network.lines.findIndex((line) => line.includes('Try, in another shell'));
      const commands = network.lines.slice(at + 1).filter((line) => line.startsWith('    '));
      expect(commands).toHaveLength(6);
      for (const command of commands) {
        const { code, stdout, stderr } = await execute('sh', ['-c', command]);
        // Another test may be preparing the clone, which npm scripts say that they wait for.
        const said = stderr.replace(/^prime: waiting for "npm run \w+" .*\n/, '');
        expect({ command, code, said }).toEqual({ command, code: 0, said: '' });
        if (command.includes('curl')) expect(JSON.parse(stdout)).toHaveProperty('result');
      }
    } finally {
      expect(await network.stop()).toBe(0);
    }
    await expect(fetch(`http://127.0.0.1:${port + 5}/`)).rejects.toThrow('fetch failed');
  });

  it('ports that are taken: the second network moves, and goes back when they are free', async () => {
    const one = await up(first, ...explorer);
    const two = await up(second, ...explorer);
    expect(two.lines[0]).toMatch(new RegExp(`^ports ${port}, ${port + 1}, ${port + 2} are busy: validator0 uses `));
    const busy = two.lines.find((line) => line.startsWith(`port ${port + 5} is busy: the explorer uses `));
    const { explorerUrl } = await networkOf(second);
    expect(explorerUrl).toBe(`http://127.0.0.1:${busy!.split(' ').at(-1)}`);
    expect(two.lines).toContain(`  Open ${explorerUrl} in a browser to watch it`);
    const moved = (await networkOf(second)).rpcUrls[0]!;
    expect(moved).not.toBe(`http://127.0.0.1:${port}`);
    expect(await genesisAt(moved)).toBe((await networkOf(second)).genesisHash);
    expect(await genesisAt(`http://127.0.0.1:${port}`)).toBe((await networkOf(first)).genesisHash);
    await Promise.all([one.stop(), two.stop()]);
    const back = await up(second, '--logs', '--no-explorer');
    try {
      expect((await networkOf(second)).explorerUrl).toBeNull();
      expect(back.lines.join('\n')).not.toContain('in a browser');
      expect((await networkOf(second)).rpcUrls).toEqual([`http://127.0.0.1:${port}`]);
      expect(back.lines.some((line) => /^validator0 {2}\d\d:\d\d:\d\d\.\d{3} info /.test(line))).toBe(true);
      // The first network stands still, and its file names a port at which another one answers now.
      const nonce = (): Promise<string> =>
        rpc(`http://127.0.0.1:${port}`, 'eth_getTransactionCount', [sender, 'pending']);
      const sender = (await networkOf(second)).accounts[0]!.address;
      const before = await nonce();
      const { code, stderr } = await demoIn(first);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^demo failed: what answers at .* is another network: its genesis is 0x/);
      expect(await nonce()).toBe(before);
    } finally {
      await back.stop();
    }
    expect((await demoIn(first)).stderr).toMatch(/^demo failed: no node of this network answers at .* npm start/);
    expect((await demoIn(folder)).stderr).toMatch(/^demo failed: there is no network in .* npm start/);
  });
});

describe('a genesis that two operators make together', () => {
  it('each has keys of its own, and the two nodes decide blocks', async () => {
    const base = await freeBasePort(2);
    const network = ['--network', 'together', '--chain-id', '40400'];
    const operators = ['alice', 'bob'].map((name, index) => ({
      name,
      home: join(folder, name),
      line: join(folder, `${name}.json`),
      port: base + 10 * index,
    }));
    for (const { name, home, line, port: own } of operators) {
      const place = ['--moniker', name, '--host', '127.0.0.1', '--port', `${own + 1}`];
      const { output } = await run(['genesis', 'declare', '--home', home, ...network, ...place, '--generate-password']);
      await writeFile(line, output);
    }
    const out = join(folder, 'together');
    const lines = operators.map(({ line }) => line);
    const { output } = await run([
      'genesis',
      'collect',
      ...lines.toReversed(),
      ...network,
      '--out',
      out,
      '--preset',
      'local',
      '--time',
      '2026-01-31T12:00:00Z',
    ]);
    const files = ['--genesis', join(out, 'genesis.json'), '--peers', join(out, 'peers.toml')];
    for (const { home, port: own } of operators)
      await run(['node', 'init', '--home', home, ...files, '--base-port', `${own}`]);
    const nodes = operators.map(({ home }) =>
      spawn(process.execPath, [cli, 'node', 'start', '--home', home], { stdio: 'ignore' }),
    );
    try {
      for (const { port: own } of operators) {
        const url = `http://127.0.0.1:${own}`;
        await until('there is a block', async () => Number(await rpc<string>(url, 'eth_blockNumber')) > 0);
        expect(output).toContain(`genesis ${await genesisAt(url)}`);
      }
    } finally {
      await Promise.all(
        nodes.map(async (node) => {
          const gone = once(node, 'exit');
          node.kill('SIGTERM');
          await gone;
        }),
      );
    }
  });
});
