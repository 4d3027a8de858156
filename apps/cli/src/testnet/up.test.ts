import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { homePaths, loadConfig, placeFrom } from '@prime/config';
import { exitCode } from '@prime/node';
import { startExplorer } from './processes/explorer.ts';
import { placeNetwork, readPlaces, writeTestnet } from './files.ts';
import { freePlaces, nextFree } from './ports.ts';
import { runTestnet } from './up.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'prime-up-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const defaults = {
  validators: null,
  fresh: false,
  follow: false,
  logLevel: null,
  withMakers: false,
  explorerPort: null,
  explorerSite: null,
} as const;
const places = [placeFrom(21_000, 0), placeFrom(21_000, 1)];
const write = (): Promise<void> => writeTestnet({ directory, preset: 'local', places, seed: 'up' });

describe('prime testnet up', () => {
  it('a validator that does not start: CLI_VALIDATOR_ENDED with its name and exit code', async () => {
    await writeTestnet({ directory, preset: 'local', places: [places[0]!], seed: 'up' });
    await appendFile(homePaths(join(directory, 'validator0')).config, '\n[nonsense]\nkey = 1\n');
    await expect(runTestnet({ ...defaults, directory })).rejects.toMatchObject({
      code: 'CLI_VALIDATOR_ENDED',
      detail: { name: 'validator0', exitCode: exitCode.usage },
    });
  });
});

describe('what runs beside a network', () => {
  it('a folder without pages: CLI_NOT_FOUND before anything is made', async () => {
    const explorerSite = join(directory, 'nowhere');
    await expect(runTestnet({ ...defaults, directory, explorerPort: 1, explorerSite })).rejects.toMatchObject({
      code: 'CLI_NOT_FOUND',
      detail: { what: explorerSite },
    });
    expect(await readdir(directory)).toEqual([]);
  });

  it('a process that ends by itself: never ready, told with its exit code, and why is in its log', async () => {
    const said: string[] = [];
    const network = { rpcUrls: ['http://127.0.0.1:1'] };
    const site = join(directory, 'nowhere');
    const say = (line: string): unknown => said.push(line);
    const beside = startExplorer({ directory, network, url: 'http://127.0.0.1:1', site, say });
    expect(await beside.ready).toBeNull();
    const log = join(directory, 'explorer.log');
    expect(said).toEqual([`the explorer ended with exit code ${exitCode.notFound}; why is in ${log}`]);
    expect(await readFile(log, 'utf8')).toContain('[CLI_NOT_FOUND]');
    await beside.stop();
  });
});

describe('ports of a network', () => {
  it('one that is taken moves to the next free one, and the others are told', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const said: string[] = [];
      const wanted = [{ ...places[0]!, p2pPort: port }];
      const [moved] = await freePlaces(wanted, (line) => said.push(line));
      expect(moved!.p2pPort).toBeGreaterThan(port);
      expect(said).toEqual([`port ${port} is busy: validator0 uses ${moved!.p2pPort}`]);
    } finally {
      server.close();
    }
  });

  it('the last port is 65535: behind it there is none', async () => {
    const last = await nextFree('127.0.0.1', 65_535, new Set());
    expect(last).toBe(65_535);
    await expect(nextFree('127.0.0.1', 65_535, new Set([last]))).rejects.toMatchObject({ code: 'CLI_LISTEN_FAILED' });
  });

  it('moving rewrites the own ports and those of the peers', async () => {
    await write();
    expect(await readPlaces(directory)).toEqual(places);
    const elsewhere = [placeFrom(22_000, 0), placeFrom(22_000, 1)];
    await placeNetwork(directory, {
      nodes: elsewhere.map((place, index) => ({ name: `validator${index}`, place })),
    });
    expect(await readPlaces(directory)).toEqual(elsewhere);
    const text = await readFile(homePaths(join(directory, 'validator0')).config, 'utf8');
    const { config } = loadConfig({ file: { name: 'config.toml', text } });
    expect(config.p2p.peers.map(({ port }) => port)).toEqual([elsewhere[1]!.p2pPort]);
  });
});
