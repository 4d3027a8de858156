import { createHash } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { formatRemoteSigner, homePaths, loadConfig, ownerKeyPath, parseGenesis } from '@prime/config';
import type { Address } from '@prime/primitives';
import { usePrime } from '../testing/usePrime.ts';
import { closedPort, useServers } from '../testing/useServers.ts';

const { folder, printed, prime } = usePrime(0);
const { serve, serveRpc } = useServers();
const init = (...args: readonly string[]): Promise<void> =>
  prime('testnet', 'init', '--validators', '2', '--out', folder(), ...args);

describe('prime', () => {
  it.each([
    [['nosuch'], "prime: unknown command 'nosuch' [CLI_USAGE]\n"],
    [['testnet', 'init'], "prime: required option '--out <dir>' not specified [CLI_USAGE]\n"],
    [['node', 'start', '--home'], "prime: option '--home <dir>' argument missing [CLI_USAGE]\n"],
  ])('%j: one line with a code, as any failure', async (args, line) => {
    const written: string[] = [];
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    await expect(prime(...args)).rejects.toMatchObject({ name: 'CommanderError' });
    expect(written).toEqual([line]);
  });

  it.each(['0', '65536', 'x', '-1', '8500.5'])('testnet up --explorer-port %s: CLI_USAGE', async (port) => {
    await expect(prime('testnet', 'up', '--dir', folder(), '--explorer-port', port)).rejects.toMatchObject({
      code: 'CLI_USAGE',
      detail: { argument: '--explorer-port' },
    });
  });

  it.each([
    ['config', 'check'],
    ['node', 'status'],
    ['node', 'show'],
    ['wal', 'dump'],
    ['wal', 'repair'],
    ['watermark', 'export'],
    ['snapshot', 'create'],
    ['snapshot', 'list'],
    ['snapshot', 'restore', '--from', '.'],
    ['node', 'reset'],
    ['validator', 'leave', '--rpc', 'http://127.0.0.1:1'],
  ])('%s %s on a folder that is no home: CLI_NOT_FOUND, and nothing is made', async (...command) => {
    const home = join(folder(), 'none');
    await expect(prime(...command, '--home', home)).rejects.toMatchObject({
      code: 'CLI_NOT_FOUND',
      detail: { what: home },
    });
    expect(existsSync(home)).toBe(false);
  });
});

describe('prime testnet init', () => {
  it('writes homes that agree on genesis, each with keys of its own', async () => {
    await init('--base-port', '20000');
    const homes = [0, 1].map((index) => homePaths(join(folder(), `validator${index}`)));
    const [first, second] = await Promise.all(homes.map(({ genesis }) => readFile(genesis, 'utf8')));
    expect(first).toBe(second);
    expect(parseGenesis(first!).validators).toHaveLength(2);
    const keys = await Promise.all(homes.map(({ signerKey }) => readFile(signerKey, 'utf8')));
    expect(keys[0]).not.toBe(keys[1]);
    printed.length = 0;
    await prime('config', 'check', '--home', join(folder(), 'validator1'));
    expect(printed.find((line) => line.startsWith('rpc.listen'))).toContain('127.0.0.1:20010');
  });

  it('the same seed gives the same keys', async () => {
    const keyOf = (network: string): Promise<string> =>
      readFile(homePaths(join(folder(), network, 'validator0')).signerKey, 'utf8');
    for (const network of ['a', 'b'])
      await prime('testnet', 'init', '--validators', '1', '--out', join(folder(), network), '--seed', 'one');
    expect(await keyOf('a')).toBe(await keyOf('b'));
  });

  it('a folder that holds a network already: CLI_NOT_EMPTY, and it stays as it is', async () => {
    await init();
    const { genesis } = homePaths(join(folder(), 'validator0'));
    const before = await readFile(genesis, 'utf8');
    await expect(init()).rejects.toMatchObject({ code: 'CLI_NOT_EMPTY', detail: { path: folder() } });
    expect(await readFile(genesis, 'utf8')).toBe(before);
  });

  it.each([
    ['--preset', 'production'],
    ['--base-port', '70000'],
    ['--hosts', 'only-one'],
    ['--hosts', 'a,'],
  ])('%s %s: CLI_USAGE names the argument', async (argument, value) => {
    await expect(init(argument, value)).rejects.toMatchObject({ code: 'CLI_USAGE', detail: { argument } });
  });
});

describe('prime node status', () => {
  async function home(adminListen: string): Promise<string> {
    await writeFile(homePaths(folder()).config, `[admin]\nlisten = "${adminListen}"\n`);
    return folder();
  }

  it('nobody answers: CLI_UNREACHABLE with the address that was asked', async () => {
    const port = await closedPort();
    await expect(prime('node', 'status', '--home', await home(`127.0.0.1:${port}`))).rejects.toMatchObject({
      code: 'CLI_UNREACHABLE',
      detail: { url: `http://127.0.0.1:${port}/status` },
    });
  });

  it.each(['nonsense', '127.0.0.1:8545', 'ftp://127.0.0.1'])('--rpc %s: CLI_USAGE', async (url) => {
    for (const command of [
      ['node', 'status'],
      ['validator', 'list'],
    ])
      await expect(prime(...command, '--rpc', url)).rejects.toMatchObject({ code: 'CLI_USAGE' });
  });

  it('of a node elsewhere: what its JSON-RPC says; neither a home nor an address, or both, is CLI_USAGE', async () => {
    const results: Record<string, unknown> = {
      web3_clientVersion: 'prime/0.1.0',
      eth_chainId: '0x1eef',
      eth_blockNumber: '0x29',
      eth_syncing: false,
      net_peerCount: '0x3',
    };
    const { url } = await serveRpc((method) => results[method]);
    await prime('node', 'status', '--rpc', url);
    expect(printed).toEqual([
      'client     prime/0.1.0',
      'chain      7919',
      'head       41',
      'syncing    no',
      'peers      3',
    ]);
    printed.length = 0;
    await prime('node', 'status', '--rpc', url, '--json');
    expect(JSON.parse(printed.join('\n'))).toEqual(results);
    const usage = { code: 'CLI_USAGE', detail: { argument: '--home' } };
    await expect(prime('node', 'status')).rejects.toMatchObject(usage);
    await expect(prime('node', 'status', '--rpc', url, '--home', folder())).rejects.toMatchObject(usage);
  });

  it('the admin endpoint is off: CLI_USAGE says which key to set', async () => {
    await expect(prime('node', 'status', '--home', await home(''))).rejects.toMatchObject({
      code: 'CLI_USAGE',
      detail: { argument: 'admin.listen' },
    });
  });

  it('shows what the node says', async () => {
    const next = { version: 2, height: 90, known: true, readyPower: '30', totalPower: '40' };
    const upgrade = { version: 1, known: 2, next };
    const consensus = {
      head: 41,
      height: 42,
      round: 0,
      syncing: null,
      active: true,
      self: '0xaa',
      peers: [],
      upgrade,
      signing: { phase: 'watching', from: 61 },
      signer: { address: '10.0.0.1:26670', connected: false, waiting: 2, lastError: 'ECONNREFUSED' },
    };
    const { port } = await serve((_, response) => response.end(JSON.stringify({ consensus })));
    await prime('node', 'status', '--home', await home(`127.0.0.1:${port}`));
    expect(printed).toContain('head       41');
    expect(printed).toContain('signer     10.0.0.1:26670 IS AWAY (ECONNREFUSED); 2 messages wait');
    expect(printed).toContain('signing    no: its signer is away');
    expect(printed).toContain('deciding   height 42, round 0');
    expect(printed).toContain('protocol   version 1, version 2 from block 90 (30 of 40 voting power ready)');
    Object.assign(consensus.signer, { connected: true, lastError: null });
    await prime('node', 'status', '--home', folder());
    expect(printed).toContain('signer     10.0.0.1:26670, connected');
    expect(printed).toContain('signing    not yet: watching whether its key is in use elsewhere, until height 61');
    await prime('node', 'status', '--json', '--home', folder());
    expect(JSON.parse(printed.at(-1)!)).toEqual({ consensus });
  });
});

describe('prime node status, of a node that fetches its state', () => {
  it.each([
    [null, 'state sync from block 3: no snapshot yet; 1 peer'],
    [{ height: 10, chunks: 4, received: 2 }, 'state sync from block 3: snapshot of height 10, 2 of 4 chunks; 1 peer'],
  ])('snapshot %j', async (snapshot, line) => {
    const answer = { consensus: null, stateSync: { trustedHeight: 3, peers: 1, snapshot } };
    const { port } = await serve((_, response) => response.end(JSON.stringify(answer)));
    await writeFile(homePaths(folder()).config, `[admin]\nlisten = "127.0.0.1:${port}"\n`);
    await prime('node', 'status', '--home', folder());
    expect(printed).toEqual([line]);
  });
});

describe('prime apikey new', () => {
  it('prints a key, and the lines that let it in by its hash', async () => {
    await prime('apikey', 'new', '--name', 'web', '--methods', 'eth_*,net_version', '--requests-per-second', '20');
    const text = printed.join('\n');
    const [key = ''] = /prime_[\w-]{43}/.exec(text) ?? [];
    const { config } = loadConfig({ file: { name: 'config.toml', text } });
    expect(config.rpc.apiKeys).toEqual([
      {
        name: 'web',
        hash: `sha256:${createHash('sha256').update(key).digest('hex')}`,
        requestsPerSecond: 20,
        methods: ['eth_*', 'net_version'],
      },
    ]);
  });

  it('two keys are never the same', async () => {
    await prime('apikey', 'new', '--name', 'a');
    await prime('apikey', 'new', '--name', 'a', '--operator');
    const keys = printed.join('\n').match(/prime_[\w-]{43}/g) ?? [];
    expect(new Set(keys).size).toBe(2);
  });

  it.each([['x y'], ['']])('a name such as %j is refused', async (name) => {
    await expect(prime('apikey', 'new', '--name', name)).rejects.toMatchObject({ code: 'CONFIG_INVALID_VALUE' });
  });

  it.each(['foo_*', 'eth_cal', 'eth_call,foo', '', ' eth_call', 'Eth_*', 'eth_call*x'])(
    'methods %j of which one matches nothing: CLI_USAGE says how methods begin, and no key is made',
    async (methods) => {
      await expect(prime('apikey', 'new', '--name', 'a', '--methods', methods)).rejects.toMatchObject({
        code: 'CLI_USAGE',
        message: expect.stringMatching(/matches no method; .*primeorders_/),
      });
      expect(printed).toEqual([]);
    },
  );

  it.each(['*', 'eth_*', 'eth_call', 'eth_call*,net_version'])('methods %j are taken', async (methods) => {
    await prime('apikey', 'new', '--name', 'a', '--methods', methods);
    expect(printed.join('\n')).toContain('sha256:');
  });

  it('numbers must be numbers', async () => {
    await expect(prime('apikey', 'new', '--name', 'a', '--concurrency', '-1')).rejects.toMatchObject({
      code: 'CLI_USAGE',
    });
  });
});

describe('prime node init', () => {
  const home = (): string => join(folder(), 'one-more');
  const genesis = (): string => homePaths(join(folder(), 'validator0')).genesis;

  it('makes a home that starts as a follower of the peers that others showed, with keys of its own', async () => {
    await init('--base-port', '20000');
    printed.length = 0;
    for (const name of ['validator0', 'validator1']) await prime('node', 'show', '--home', join(folder(), name));
    const peers = join(folder(), 'peers.toml');
    await writeFile(peers, `${printed.join('\n')}\n`);
    printed.length = 0;
    await prime('node', 'init', '--home', home(), '--genesis', genesis(), '--peers', peers, '--host', 'six.example');
    const paths = homePaths(home());
    const text = await readFile(paths.config, 'utf8');
    const { config } = loadConfig({ file: { name: paths.config, text }, environment: {} });
    expect(config.node.role).toBe('full');
    expect(config.p2p.advertise).toEqual({ host: 'six.example', port: 26_656 });
    const { validators } = parseGenesis(await readFile(genesis(), 'utf8'));
    expect(config.p2p.peers.map(({ address, port }) => [address, port])).toEqual(
      [20_001, 20_011].map((port, index) => [
        validators.find(({ moniker }) => moniker === `validator${index}`)!.address,
        port,
      ]),
    );
    expect(printed.at(-1)).toMatch(/host = "six.example"\nport = 26656\nspki = "0x[0-9a-f]{64}"$/);
    expect((await stat(ownerKeyPath(paths.home))).mode & 0o777).toBe(0o600);
    expect(existsSync(paths.ownerKeyInside)).toBe(false);
  });

  it.each([
    ['127.0.0.1', '127.0.0.1', null],
    ['::1', '::1', null],
    ['six.example', '0.0.0.0', 'six.example'],
    ['2001:db8::6', '::', '2001:db8::6'],
  ])('with --host %s it listens on %s', async (host, listens, advertises) => {
    await init();
    await prime('node', 'init', '--home', home(), '--genesis', genesis(), '--host', host);
    const paths = homePaths(home());
    const text = await readFile(paths.config, 'utf8');
    const { p2p } = loadConfig({ file: { name: paths.config, text }, environment: {} }).config;
    expect([p2p.listen?.host, p2p.advertise?.host ?? null]).toEqual([listens, advertises]);
  });

  it('show: a validator that joined is listed by its owner, also when its hot key is elsewhere', async () => {
    await init();
    const paths = homePaths(join(folder(), 'validator0'));
    const [joined, signer] = [`0x${'0a'.repeat(20)}`, `0x${'0b'.repeat(20)}`];
    await rm(paths.signerKey);
    await writeFile(
      paths.remoteSigner,
      formatRemoteSigner([{ address: signer as Address, credential: new Uint8Array(65) }]),
    );
    await writeFile(paths.validator, JSON.stringify({ address: joined, signer }));
    await prime('node', 'show', '--home', paths.home);
    expect(printed).toContain(`# signer  ${signer}`);
    expect(printed.at(-1)).toContain(`address = "${joined}"`);
  });

  it('a home that is one, a genesis or peers that are none: refused, and nothing is written', async () => {
    await init();
    const good = ['--home', home(), '--genesis', genesis()];
    const peers = join(folder(), 'peers.toml');
    await writeFile(peers, '[[p2p.peers]]\naddress = "0x1"\nhost = "h"\nport = 1\nspki = "0x"\n');
    const refused: [string, string[]][] = [
      ['CLI_NOT_EMPTY', ['--home', join(folder(), 'validator0'), '--genesis', genesis()]],
      ['CLI_NOT_FOUND', ['--home', home(), '--genesis', join(folder(), 'none')]],
      ['CLI_USAGE', [...good, '--peers', genesis()]],
      ['CONFIG_INVALID_VALUE', [...good, '--peers', peers]],
    ];
    for (const [code, args] of refused) await expect(prime('node', 'init', ...args)).rejects.toMatchObject({ code });
    expect(existsSync(home())).toBe(false);
  });
});
