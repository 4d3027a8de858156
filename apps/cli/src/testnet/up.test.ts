import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { homePaths, loadConfig, placeFrom } from '@prime/config';
import { exitCode } from '@prime/node';
import { movePorts, readPlaces, writeTestnet } from './files.ts';
import { freePlaces } from './ports.ts';
import { runTestnet } from './up.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'prime-up-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const defaults = { validators: null, fresh: false, follow: false, logLevel: null, withMakers: false } as const;
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

  it('moving rewrites the own ports and those of the peers', async () => {
    await write();
    expect(await readPlaces(directory)).toEqual(places);
    const elsewhere = [placeFrom(22_000, 0), placeFrom(22_000, 1)];
    await movePorts(directory, elsewhere);
    expect(await readPlaces(directory)).toEqual(elsewhere);
    const text = await readFile(homePaths(join(directory, 'validator0')).config, 'utf8');
    const { config } = loadConfig({ file: { name: 'config.toml', text } });
    expect(config.p2p.peers.map(({ port }) => port)).toEqual([elsewhere[1]!.p2pPort]);
  });
});
