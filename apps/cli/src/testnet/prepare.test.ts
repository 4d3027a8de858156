import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { placeFrom, type TestnetPlace } from '@prime/config';
import { placeNetwork, readPlaces, writeTestnet } from './files.ts';
import { readNetworkFile } from './networkFile.ts';
import { prepareNetwork, type PrepareOptions } from './prepare.ts';

let directory: string;
let base: number;
let servers: Server[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'prime-prepare-'));
  base = 23_000 + 100 * (process.pid % 50);
});
afterEach(async () => {
  for (const server of servers) server.close();
  servers = [];
  await rm(directory, { recursive: true, force: true });
});

const init = (validators: number): Promise<void> =>
  writeTestnet({ directory, preset: 'local', places: placesOf(validators), seed: 'prepare' });
const placesOf = (validators: number): TestnetPlace[] =>
  Array.from({ length: validators }, (_, index) => placeFrom(base, index));

/** Prepares as a start would, which ends at once. */
async function prepare(options: Partial<PrepareOptions> = {}): Promise<string[]> {
  const said: string[] = [];
  const say = (line: string): unknown => said.push(line);
  const defaults = { directory, validators: null, fresh: false, explorerPort: null, say };
  (await prepareNetwork({ ...defaults, ...options })).lock.release();
  return said;
}

async function occupy(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return server;
}

const portsNow = async (): Promise<number[]> => (await readPlaces(directory)).map(({ rpcPort }) => rpcPort);

describe('preparing a local network', () => {
  it('a busy port moves one validator and leaves the others; when it is free again, the validator goes back', async () => {
    await init(2);
    const busy = await occupy(base);
    expect((await prepare())[0]).toMatch(new RegExp(`^port ${base} is busy: validator0 uses \\d+$`));
    const [moved, other] = await portsNow();
    expect(moved).not.toBe(base);
    expect(other).toBe(base + 10);
    // Again, while it is busy: the same wish, and nothing drifts.
    await prepare();
    expect(await portsNow()).toEqual([moved, base + 10]);
    await new Promise((resolve) => busy.close(resolve));
    expect(await prepare()).toHaveLength(1);
    expect(await portsNow()).toEqual([base, base + 10]);
    expect(readNetworkFile(directory)?.rpcUrls).toEqual([base, base + 10].map((port) => `http://127.0.0.1:${port}`));
  });

  it('the explorer: the wanted port, or the next one that is neither busy nor wanted by a validator', async () => {
    await init(1);
    const explorerUrl = async (explorerPort: number | null): Promise<readonly [string | null, string[]]> => {
      const said = await prepare({ explorerPort });
      return [readNetworkFile(directory)!.explorerUrl, said.filter((line) => line.includes('explorer'))];
    };
    const url = (port: number): string => `http://127.0.0.1:${port}`;
    expect(await explorerUrl(null)).toEqual([null, []]);
    expect(await explorerUrl(base + 5)).toEqual([url(base + 5), []]);
    await occupy(base + 5);
    const moved = `port ${base + 5} is busy: the explorer uses ${base + 6}`;
    expect(await explorerUrl(base + 5)).toEqual([url(base + 6), [moved]]);
    // RPC, p2p and admin of the validator, which does not listen yet.
    const among = `port ${base} is busy: the explorer uses ${base + 3}`;
    expect(await explorerUrl(base)).toEqual([url(base + 3), [among]]);
  });

  it('ports that somebody wrote into the configuration are the new wish', async () => {
    await init(1);
    await prepare();
    await placeNetwork(directory, { nodes: [{ name: 'validator0', place: placeFrom(base + 50, 0) }] });
    await prepare();
    expect(await portsNow()).toEqual([base + 50]);
  });

  it.each([3, 5, 7])(
    '--validators %i for a network of 4: refused with what to type, and nothing changes',
    async (asked) => {
      await init(4);
      const before = await readPlaces(directory);
      await expect(prepare({ validators: asked })).rejects.toMatchObject({
        code: 'CLI_USAGE',
        message: expect.stringMatching(
          new RegExp(`holds a network of 4 validators.*--validators ${asked} --fresh.*--validators ${asked} --dir `),
        ),
      });
      expect(await readPlaces(directory)).toEqual(before);
      expect(await prepare({ validators: 4 })).toHaveLength(1);
    },
  );

  it('a folder of something else is left alone, whatever is asked', async () => {
    await writeFile(join(directory, 'thesis.txt'), 'years of work');
    for (const fresh of [false, true])
      await expect(prepare({ fresh })).rejects.toMatchObject({ code: 'CLI_NOT_EMPTY', detail: { path: directory } });
    expect(readdirSync(directory)).toEqual(['thesis.txt']);
  });

  it('--fresh wipes the network and nothing else', async () => {
    await init(2);
    await writeFile(join(directory, 'notes.txt'), 'mine');
    await mkdir(join(directory, 'validator0-kept'));
    await prepare({ validators: 1, fresh: true });
    expect(readdirSync(directory).sort()).toEqual([
      'feeder.toml',
      'network.json',
      'notes.txt',
      'owners',
      'validator0',
      'validator0-kept',
    ]);
    expect(readdirSync(join(directory, 'owners')).sort()).toEqual(['password', 'validator0.json']);
  });

  it('a network that runs is refused by name, and keeps its homes', async () => {
    await init(1);
    const { lock } = await prepareNetwork({
      directory,
      validators: null,
      fresh: false,
      explorerPort: null,
      say: () => undefined,
    });
    for (const fresh of [false, true])
      await expect(prepare({ fresh })).rejects.toMatchObject({
        code: 'CLI_NETWORK_RUNNING',
        detail: { path: directory, pid: process.pid },
      });
    expect(existsSync(join(directory, 'validator0', 'genesis.json'))).toBe(true);
    lock.release();
    await prepare();
  });

  it('a network.json that is none: says so with its path', async () => {
    await init(1);
    for (const text of ['', '{}', '[]', 'null']) {
      await writeFile(join(directory, 'network.json'), text);
      await expect(prepare()).rejects.toMatchObject({
        code: 'CLI_USAGE',
        message: expect.stringContaining('network.json'),
      });
    }
  });
});
