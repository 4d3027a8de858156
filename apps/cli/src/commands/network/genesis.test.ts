import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { genesisHash } from '@prime/codec';
import { homePaths, loadConfig, parseGenesis } from '@prime/config';
import { bytesToHex } from '@prime/primitives';
import { keyOf } from '../../testing/keyOf.ts';
import { usePrime } from '../../testing/usePrime.ts';

const { folder, printed, prime } = usePrime(0);
const network = ['--network', 'prime-1', '--chain-id', '40400'];
const admin = `0x${'aa'.repeat(20)}`;
const rest = [...network, '--time', '2026-01-31T12:00:00Z', '--admin', admin];
const homeOf = (name: string): string => join(folder(), name);

/** Keys and line of an operator; the line in a file of its own. */
async function declare(name: string, ...flags: readonly string[]): Promise<string> {
  printed.length = 0;
  const place = ['--moniker', name, '--host', `${name}.example`];
  await prime('genesis', 'declare', '--home', homeOf(name), ...network, ...place, '--generate-password', ...flags);
  expect(printed).toHaveLength(1);
  const file = join(folder(), `${name}.json`);
  await writeFile(file, `${printed[0]}\n`);
  return file;
}
const collect = async (out: string, ...args: readonly string[]): Promise<string> => {
  await prime('genesis', 'collect', ...args, '--out', join(folder(), out));
  return readFile(join(folder(), out, 'genesis.json'), 'utf8');
};

describe('prime genesis', () => {
  it('keys stay at home, lines in any order make one genesis, and each home becomes a validator of it', async () => {
    const files = [
      await declare('bob', '--stake', '5000000000000000000'),
      await declare('alice'),
      await declare('carol'),
    ];
    const { privateKey } = await keyOf(homePaths(homeOf('bob')).signerKey, 'signer');
    expect(await readFile(files[0]!, 'utf8')).not.toContain(bytesToHex(privateKey).slice(2));
    expect((await stat(homePaths(homeOf('bob')).signerKey)).mode & 0o777).toBe(0o600);
    const text = await collect('one', ...files, ...rest);
    expect(await collect('two', ...files.toReversed(), ...rest)).toBe(text);
    const genesis = parseGenesis(text);
    expect(printed.at(-1)).toContain(`genesis ${genesisHash(genesis)}`);
    expect(genesis).toMatchObject({ networkName: 'prime-1', chainId: 40_400, timestampMs: Date.UTC(2026, 0, 31, 12) });
    expect(genesis.clob.admin).toBe(admin);
    const peers = join(folder(), 'one', 'peers.toml');
    for (const name of ['alice', 'bob', 'carol']) {
      printed.length = 0;
      const given = ['--genesis', join(folder(), 'one', 'genesis.json'), '--peers', peers];
      await prime('node', 'init', '--home', homeOf(name), ...given);
      const paths = homePaths(homeOf(name));
      const file = { name: paths.config, text: await readFile(paths.config, 'utf8') };
      const { config } = loadConfig({ file, environment: {} });
      expect(config.node.role).toBe('validator');
      expect(config.p2p.advertise).toEqual({ host: `${name}.example`, port: 26_656 });
      const own = genesis.validators.find(({ moniker }) => moniker === name)!.address;
      const others = genesis.validators.filter(({ moniker }) => moniker !== name).map(({ address }) => address);
      expect(config.p2p.peers.map(({ address }) => address)).toEqual(others);
      const shown = printed.join('\n');
      expect(shown).toContain(`# genesis ${genesisHash(genesis)}`);
      expect(shown).toMatch(/# key {5}0x0[23][0-9a-f]{64}\n/);
      expect(shown).toContain(`address = "${own}"`);
    }
  });

  it('declared twice: the same keys, and the newer place; a home of a network is refused', async () => {
    const line = async (): Promise<Record<string, unknown>> =>
      JSON.parse(await readFile(homePaths(homeOf('alice')).declaration, 'utf8')) as Record<string, unknown>;
    await declare('alice');
    const first = await line();
    const file = await declare('alice', '--port', '30000');
    expect(await line()).toMatchObject({
      owner: first['owner'],
      publicKey: first['publicKey'],
      spki: first['spki'],
      port: 30_000,
    });
    await collect('one', file, ...rest);
    await prime('node', 'init', '--home', homeOf('alice'), '--genesis', join(folder(), 'one', 'genesis.json'));
    await expect(declare('alice')).rejects.toMatchObject({ code: 'CLI_NOT_EMPTY' });
  });

  it('a genesis of other validators: the node follows, and is told so; one of another network is refused', async () => {
    await declare('alice');
    const bob = await declare('bob');
    await collect('one', bob, ...rest);
    printed.length = 0;
    await prime('node', 'init', '--home', homeOf('alice'), '--genesis', join(folder(), 'one', 'genesis.json'));
    expect(printed.join('\n')).toMatch(/is no validator of this genesis: the node follows/);
    const other = await readFile(join(folder(), 'one', 'genesis.json'), 'utf8');
    await writeFile(join(folder(), 'other.json'), other.replace('"prime-1"', '"prime-2"'));
    await expect(
      prime('node', 'init', '--home', homeOf('bob'), '--genesis', join(folder(), 'other.json')),
    ).rejects.toMatchObject({ code: 'CONFIG_DECLARATION_FOREIGN' });
    expect(existsSync(homePaths(homeOf('bob')).genesis)).toBe(false);
  });

  it('a template says the rest; what is there already is not written over', async () => {
    const [alice, bob] = [await declare('alice'), await declare('bob')];
    const text = await collect('one', alice, ...rest);
    const template = join(folder(), 'template.json');
    await writeFile(template, text.replace('"minNotional": "0"', '"minNotional": "7"'));
    const genesis = parseGenesis(await collect('two', alice, bob, '--template', template));
    expect(genesis.clob.minNotional).toBe(7n);
    expect(genesis.validators.map(({ moniker }) => moniker).toSorted()).toEqual(['alice', 'bob']);
    await expect(collect('two', alice, ...rest)).rejects.toMatchObject({ code: 'CLI_NOT_EMPTY' });
  });

  it('lines that are changed, given twice, or of another network: refused by code, and nothing is written', async () => {
    const alice = await declare('alice');
    const changed = join(folder(), 'changed.json');
    await writeFile(changed, (await readFile(alice, 'utf8')).replace('"port":26656', '"port":26657'));
    const foreign = ['--network', 'prime-2', ...rest.slice(2)];
    for (const [code, args] of [
      ['CONFIG_DECLARATION_UNSIGNED', [changed, ...rest]],
      ['CONFIG_DECLARATION_REPEATED', [alice, alice, ...rest]],
      ['CONFIG_DECLARATION_FOREIGN', [alice, ...foreign]],
      ['CLI_NOT_FOUND', [join(folder(), 'none.json'), ...rest]],
    ] as const)
      await expect(collect('out', ...args)).rejects.toMatchObject({ code });
    expect(existsSync(join(folder(), 'out'))).toBe(false);
  });

  it('options that are none, or do not go together: CLI_USAGE names one', async () => {
    const alice = await declare('alice');
    const time = ['--time', '2026-01-31T12:00:00Z'];
    const future = new Date(Date.now() + 3_600_000).toISOString();
    for (const [argument, args] of [
      ['--network', []],
      ['--time', [...network, '--time', 'tomorrow', '--admin', admin]],
      ['--time', [...network, '--time', '2026-13-31T12:00:00Z', '--admin', admin]],
      ['--time', [...network, '--time', future, '--admin', admin]],
      ['--admin', [...network, ...time]],
      ['--admin', [...network, ...time, '--admin', 'bob']],
      ['--admin', [...network, ...time, '--preset', 'local', '--admin', admin]],
      ['--preset', [...network, ...time, '--preset', 'main']],
      ['--chain-id', ['--network', 'a', '--chain-id', '0', ...time, '--admin', admin]],
      ['--template', ['--template', alice, '--admin', admin]],
    ] as const)
      await expect(collect('out', alice, ...args)).rejects.toMatchObject({ code: 'CLI_USAGE', detail: { argument } });
    for (const flags of [
      ['--stake', '0'],
      ['--stake', '1.5'],
      ['--port', '0'],
      ['--port', '65536'],
    ])
      await expect(declare('bob', ...flags)).rejects.toMatchObject({ code: 'CLI_USAGE' });
    expect(existsSync(homeOf('bob'))).toBe(false);
  });
});
