import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { genesisHash } from '@prime/codec';
import { homePaths, parseGenesis } from '@prime/config';
import { openSignState } from '@prime/storage';
import { usePrime } from '../testing/usePrime.ts';

const { folder, printed, prime, home } = usePrime(2);

/** What is mounted for a validator, as a Secret and a ConfigMap are: links into a folder whose name begins with a dot. */
async function mount(name: string, files: readonly string[]): Promise<string> {
  const place = join(folder(), name);
  await mkdir(join(place, '..data'), { recursive: true });
  for (const file of files) {
    const [from, as = file.split('/').at(-1)!] = file.split('=') as [string, string | undefined];
    cpSync(from, join(place, '..data', as));
    symlinkSync(join('..data', as), join(place, as));
  }
  return place;
}
const keysOf = (index: number, name = `keys${index}`): Promise<string> => {
  const { signerKey, tlsKey, tlsCertificate } = homePaths(home(index));
  return mount(name, [signerKey, tlsKey, tlsCertificate]);
};
const configOf = (index: number, name = `config${index}`): Promise<string> => {
  const { config, genesis } = homePaths(home(index));
  return mount(name, [config, genesis]);
};
const read = (path: string): string => readFileSync(path, 'utf8');
/** Everything below a folder, by name. */
const contents = (place: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(place, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(place, name)).isFile())
      .toSorted()
      .map((name) => [name, read(join(place, name))]),
  );

let data: string;
beforeEach(() => {
  data = join(folder(), 'data');
});

describe('prime node provision', () => {
  it('fills an empty volume, with keys that nobody else may read', async () => {
    await prime('node', 'provision', '--home', data, '--config', await configOf(0), '--keys', await keysOf(0));
    const [made, given] = [homePaths(data), homePaths(home(0))];
    for (const name of ['config', 'genesis', 'signerKey', 'tlsKey', 'tlsCertificate'] as const)
      expect([name, read(made[name])]).toEqual([name, read(given[name])]);
    for (const name of ['signerKey', 'tlsKey'] as const) expect(statSync(made[name]).mode & 0o777).toBe(0o600);
    expect(readdirSync(made.keys).toSorted()).toEqual(['signer.json', 'tls.cert.pem', 'tls.key.pem']);
    await prime('node', 'show', '--home', data);
    expect(printed.join('\n')).toContain(genesisHash(parseGenesis(read(given.genesis))));
  });

  it('again, as at each start of a container: brings settings up to date and leaves the rest', async () => {
    const config = await configOf(0);
    const keys = await keysOf(0);
    const run = () => prime('node', 'provision', '--home', data, '--config', config, '--keys', keys);
    await run();
    writeFileSync(join(data, 'sign-state.bin'), 'kept');
    const before = contents(data);
    await run();
    expect(contents(data)).toEqual(before);
    writeFileSync(join(config, 'config.toml'), `${read(join(config, 'config.toml'))}\n# other\n`);
    await run();
    expect(contents(data)).toEqual({ ...before, 'config.toml': `${before['config.toml']!}\n# other\n` });
  });

  it('the volume of another validator: refused, nothing changed', async () => {
    await prime('node', 'provision', '--home', data, '--config', await configOf(0), '--keys', await keysOf(0));
    const before = contents(data);
    await expect(
      prime('node', 'provision', '--home', data, '--config', await configOf(1), '--keys', await keysOf(1)),
    ).rejects.toMatchObject({ code: 'CLI_OTHER_HOME', detail: { path: data } });
    expect(contents(data)).toEqual(before);
  });

  it('a volume of another network: refused, nothing changed', async () => {
    await prime('node', 'provision', '--home', data, '--config', await configOf(0), '--keys', await keysOf(0));
    const before = contents(data);
    const config = await configOf(0, 'other');
    const genesis = JSON.parse(read(join(config, 'genesis.json'))) as { chainId: number };
    writeFileSync(join(config, 'genesis.json'), JSON.stringify({ ...genesis, chainId: genesis.chainId + 1 }));
    await expect(
      prime('node', 'provision', '--home', data, '--config', config, '--keys', await keysOf(0, 'again')),
    ).rejects.toMatchObject({ code: 'CLI_OTHER_HOME' });
    expect(contents(data)).toEqual(before);
  });

  it('an exchanged key: the next one takes its place, and no other', async () => {
    const config = await configOf(0);
    const { signerKey, tlsKey, tlsCertificate } = homePaths(home(0));
    const next = homePaths(home(1)).signerKey;
    const announced = await mount('both', [signerKey, tlsKey, tlsCertificate, `${next}=signer.next.json`]);
    const exchanged = await mount('exchanged', [next, tlsKey, tlsCertificate]);
    const run = (keys: string) => prime('node', 'provision', '--home', data, '--config', config, '--keys', keys);
    await run(await keysOf(0));
    await expect(run(exchanged)).rejects.toMatchObject({ code: 'CLI_OTHER_HOME' });
    await run(announced);
    expect(existsSync(homePaths(data).nextSignerKey)).toBe(true);
    await run(exchanged);
    expect(read(homePaths(data).signerKey)).toBe(read(next));
    expect(existsSync(homePaths(data).nextSignerKey)).toBe(false);
  });

  it('a next key that was made in the home stays, mounted or not', async () => {
    const config = await configOf(0);
    const keys = await keysOf(0);
    const run = () => prime('node', 'provision', '--home', data, '--config', config, '--keys', keys);
    await run();
    cpSync(homePaths(home(1)).signerKey, homePaths(data).nextSignerKey);
    await run();
    expect(read(homePaths(data).nextSignerKey)).toBe(read(homePaths(home(1)).signerKey));
  });

  it('without keys: makes those of a follower once', async () => {
    const config = await configOf(0);
    const run = () => prime('node', 'provision', '--home', data, '--config', config);
    await run();
    const before = contents(data);
    expect(Object.keys(before).filter((name) => name.startsWith('keys'))).toEqual([
      join('keys', 'password'),
      join('keys', 'signer.json'),
      join('keys', 'tls.cert.pem'),
      join('keys', 'tls.key.pem'),
    ]);
    await run();
    expect(contents(data)).toEqual(before);
  });

  it('a watermark beside the keys goes through the checks of prime watermark import', async () => {
    const { signerKey, tlsKey, tlsCertificate, genesis } = homePaths(home(0));
    const watermark = join(folder(), 'watermark.json');
    // Signed by nobody: whatever is mounted goes through the same checks as prime watermark import.
    writeFileSync(watermark, '{}');
    const keys = await mount('moved', [signerKey, tlsKey, tlsCertificate, watermark]);
    await expect(
      prime('node', 'provision', '--home', data, '--config', await configOf(0), '--keys', keys),
    ).rejects.toMatchObject({ code: 'CLI_USAGE' });
    const state = openSignState(homePaths(data).signState, genesisHash(parseGenesis(read(genesis))));
    expect(state.read()).toBeNull();
    state.close();
  });

  it.each([
    ['the key of the owner beside the others', 'owner.json', 'CLI_USAGE'],
    ['a signer.json that is no key', 'signer.json', 'CLI_USAGE'],
  ])('%s: refused', async (_situation, name, code) => {
    const config = await configOf(0);
    await prime('node', 'provision', '--home', data, '--config', config, '--keys', await keysOf(0));
    const keys = await keysOf(0, 'wrong');
    rmSync(join(keys, name), { force: true });
    writeFileSync(join(keys, name), 'no key');
    await expect(prime('node', 'provision', '--home', data, '--config', config, '--keys', keys)).rejects.toMatchObject({
      code,
      detail: { argument: '--keys' },
    });
  });

  it.each(['--config', '--keys'])('%s names nothing: CLI_NOT_FOUND, and no home is made', async (flag) => {
    const given = { '--config': await configOf(0), '--keys': await keysOf(0), [flag]: join(folder(), 'none') };
    await expect(prime('node', 'provision', '--home', data, ...Object.entries(given).flat())).rejects.toMatchObject({
      code: 'CLI_NOT_FOUND',
    });
    expect(existsSync(data)).toBe(false);
  });

  it('settings that a node would refuse: refused here, with the key', async () => {
    const config = await configOf(0);
    rmSync(join(config, 'config.toml'));
    writeFileSync(join(config, 'config.toml'), '[rpc]\nlisten = 7\n');
    await expect(prime('node', 'provision', '--home', data, '--config', config)).rejects.toMatchObject({
      code: 'CONFIG_INVALID_VALUE',
      detail: { path: 'rpc.listen' },
    });
    expect(existsSync(data)).toBe(false);
  });
});

describe('prime signer provision', () => {
  it('makes the home that prime signer start takes', async () => {
    const signer = join(folder(), 'signer');
    await prime('signer', 'init', '--home', signer, '--node-home', home(0));
    const from = homePaths(signer);
    const config = await mount('signerConfig', [from.signerConfig, from.genesis]);
    const keys = await mount('signerKeys', [from.signerKey, from.tlsKey, from.tlsCertificate]);
    await prime('signer', 'provision', '--home', data, '--config', config, '--keys', keys);
    const made = homePaths(data);
    for (const name of ['signerConfig', 'genesis', 'signerKey', 'tlsKey', 'tlsCertificate'] as const)
      expect([name, read(made[name])]).toEqual([name, read(from[name])]);
  });
});
