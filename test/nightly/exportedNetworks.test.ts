import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rpc } from '@prime/load/rpc';
import { freeBasePort, run, until } from '@prime/testkit';
import { parse } from 'yaml';
import { shieldedNetwork } from '../e2e/operations/manifests.ts';
import { cli } from '../e2e/operations/program.ts';
import { environment, networkOf, up } from '../e2e/operations/upNetwork.ts';
import { root } from '../repo/repository.ts';

/** Networks that were written out for containers and for machines: what these would run, run here. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prime-exported-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const heightOf = async (url: string): Promise<number> => Number(await rpc<string>(url, 'eth_blockNumber'));
const genesisAt = async (url: string): Promise<string> =>
  (await rpc<{ hash: string }>(url, 'eth_getBlockByNumber', ['0x0', false])).hash;

interface Command {
  readonly name: string;
  readonly args: readonly string[];
}

/** What the containers of a compose file run, with the folders of this machine in place of those in them. */
function composeCommands(place: string): Command[] {
  const { services } = parse(readFileSync(join(place, 'compose.yaml'), 'utf8')) as {
    readonly services: Readonly<
      Record<string, { readonly command: readonly string[]; readonly volumes?: readonly string[] }>
    >;
  };
  return Object.entries(services).flatMap(([name, { command, volumes = [] }]) => {
    const mounts = volumes.map((volume) => volume.split(':') as [host: string, inside: string]);
    if (mounts[0]?.[0].startsWith('./homes/') !== true) return [];
    const here = (word: string): string => {
      const mount = mounts.find(([, inside]) => inside === word);
      // The feeder is told where all homes are.
      return mount === undefined ? word.replace(/^\/var\/lib\/prime$/, join(place, 'homes')) : join(place, mount[0]);
    };
    return [{ name, args: command.map((word) => here(word).replaceAll(/http:\/\/[a-z]+\d+:/g, 'http://127.0.0.1:')) }];
  });
}

/** What the units of a machine run, likewise. */
function systemdCommands(place: string): Command[] {
  const machine = join(place, 'localhost');
  return readdirSync(join(machine, 'systemd')).flatMap((unit) => {
    const text = readFileSync(join(machine, 'systemd', unit), 'utf8');
    const [program, main, ...words] = /^ExecStart=(.*)$/m.exec(text)![1]!.split(' ');
    if (words[1] !== 'start' && words[0] !== 'oracle') return [];
    expect([program, main]).toEqual(['/usr/bin/node', '/opt/prime/apps/cli/dist/main.js']);
    return [{ name: unit, args: words.map((word) => word.replace('/var/lib', machine)) }];
  });
}

/** Inside of the network of containers nodes know each other by the names of their services. */
async function resolveNames(place: string): Promise<void> {
  for (const home of readdirSync(join(place, 'homes')))
    for (const name of ['config.toml', 'signer.toml']) {
      const path = join(place, 'homes', home, name);
      const text = await readFile(path, 'utf8').catch(() => null);
      if (text !== null)
        await writeFile(path, text.replaceAll(/"(?:validator|sentry|signer)\d+(?=[":])/g, '"127.0.0.1'));
    }
}

describe.each([
  // One feeder reports for all validators, or each has its own.
  ['compose', composeCommands, 1],
  ['systemd', systemdCommands, 2],
] as const)('prime testnet export --to %s', (target, commandsOf, feeders) => {
  const children: ChildProcess[] = [];
  afterAll(async () => {
    const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    const gone = running.map((child) => once(child, 'close'));
    for (const child of running) child.kill('SIGTERM');
    await Promise.all(gone);
  });

  it('its commands, started as plain processes, are a network that decides blocks', async () => {
    const place = join(folder, target);
    const manifest = join(folder, `${target}.toml`);
    await writeFile(manifest, shieldedNetwork(await freeBasePort(4)));
    await run(['testnet', 'export', place, '--manifest', manifest, '--to', target]);
    if (target === 'compose') await resolveNames(place);
    const commands = commandsOf(place);
    const isFeeder = ({ args }: Command): boolean => args[0] === 'oracle';
    expect(commands.filter(isFeeder)).toHaveLength(feeders);
    expect(commands.filter((command) => !isFeeder(command))).toHaveLength(5);
    for (const { args } of commands)
      children.push(spawn(process.execPath, [cli, ...args], { env: environment, stdio: 'ignore' }));
    const file = await networkOf(place);
    // The hidden validator has them from its sentry, or not at all; the other one signs with its signer, or there are none.
    for (const { name, rpc: url } of [...file.validators, ...file.followers]) {
      await until(`${name} has block 3`, async () => (await heightOf(url)) >= 3);
      expect(await genesisAt(url)).toBe(file.genesisHash);
    }
    await until('the markets have prices from outside', async () => {
      const tickers = await rpc<readonly { index_price: string | null }[]>(
        file.rpcUrls[0]!,
        'primeorders_getTickers',
        [],
      );
      return tickers.every(({ index_price: index }) => index !== null);
    });
  });
});

describe('the example of a laptop', () => {
  it('runs as it is: blocks, quotes in its own markets, a clean load, an end', async () => {
    const manifest = join(root, 'deploy', 'manifests', 'laptop.toml');
    const { lines, stop } = await up(join(folder, 'laptop'), '--manifest', manifest, '--no-explorer');
    const { rpcUrls, markets } = await networkOf(join(folder, 'laptop'));
    expect(rpcUrls).toHaveLength(5);
    expect(markets.map(({ symbol }) => symbol)).toEqual(['BTC/USD', 'ETH/USD']);
    for (const { id } of markets)
      await until(`market ${id} has both sides`, async () => {
        const book = await rpc<{ bids: unknown[]; asks: unknown[] }>(rpcUrls[0]!, 'primeorders_getOrderBook', [
          `0x${id.toString(16)}`,
        ]);
        return book.bids.length > 0 && book.asks.length > 0;
      });
    const over = await until(
      'the load is over',
      async () => lines.find((line) => line.includes('the load is over')) ?? null,
    );
    expect(over).toContain('the load is over: clean');
    expect(await stop()).toBe(0);
  });
});

/** Processes of this machine that have a word in their command line. */
const processesWith = (word: string): string[] =>
  execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(word));

describe('prime testnet up that is killed', () => {
  it('leaves no process behind, and none that a fault has stopped', async () => {
    const place = join(folder, 'killed');
    const manifest = join(folder, 'killed.toml');
    const pause =
      '[[faults]]\nat_seconds = 0\nfor_seconds = 600\nkind = "pause"\nvalidators = ["follower0"]\n[makers]\n[load]\nscenario = "transfers"\nrate = 1\nseconds = 600\n';
    await writeFile(manifest, shieldedNetwork(await freeBasePort(4)) + pause);
    const { child, lines } = await up(place, '--manifest', manifest, '--no-explorer');
    await until('the follower is stopped', async () => lines.some((line) => line.includes('begins: pause')));
    const before = processesWith(place);
    expect(before.length).toBeGreaterThanOrEqual(8);
    child.kill('SIGKILL');
    await until('all processes are gone', async () => processesWith(place).length === 0);
    expect(processesWith(place)).toEqual([]);
  });
});
