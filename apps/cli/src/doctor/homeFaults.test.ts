import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { type Genesis, genesisHash } from '@prime/codec';
import { type HomePaths, homePaths, loadConfig, type NodeConfig, parseGenesis } from '@prime/config';
import { encodeWalEntry } from '@prime/engine';
import type { Height } from '@prime/primitives';
import { openSignState, openWal } from '@prime/storage';
import { usePrime } from '../testing/usePrime.ts';
import { keyUseCheck, signStateCheck } from './keys.ts';
import { lintChecks, type LintInput } from './lint.ts';

const { home } = usePrime(2);

async function read(paths: HomePaths): Promise<{ readonly config: NodeConfig; readonly genesis: Genesis }> {
  const file = { name: paths.config, text: await readFile(paths.config, 'utf8') };
  return { config: loadConfig({ file }).config, genesis: parseGenesis(await readFile(paths.genesis, 'utf8')) };
}

describe('settings that somebody may regret', () => {
  const found = (input: LintInput): string[] =>
    lintChecks(input).map(({ verdict, found: words }) => `${verdict} ${words}`);
  /** The input of a home whose settings are changed. */
  async function input(change: (config: NodeConfig) => object, more: Partial<LintInput> = {}): Promise<LintInput> {
    const paths = homePaths(home(0));
    const { config, genesis } = await read(paths);
    return { config: { ...config, ...change(config) } as NodeConfig, genesis, paths, environment: {}, ...more };
  }
  const somewhere = { host: '0.0.0.0', port: 1 };

  it('are none in a new home', async () => {
    expect(found(await input(() => ({})))).toEqual(['ok nothing that somebody may regret']);
  });

  it('nobody to talk to, and a listener that nobody on another machine reaches', async () => {
    expect(found(await input(({ p2p }) => ({ p2p: { ...p2p, peers: [] } })))).toEqual(['warn p2p.peers lists nobody']);
    const away = ({ p2p }: NodeConfig): object => ({
      p2p: { ...p2p, peers: p2p.peers.map((peer) => ({ ...peer, host: '10.0.0.1' })) },
    });
    expect(found(await input(away))).toEqual([
      expect.stringMatching(/^warn p2p\.listen is 127\.0\.0\.1:\d+, and its peers are on other machines$/),
    ]);
  });

  it('accounts that are unlocked for everybody', async () => {
    const open = await input(({ rpc }) => ({ rpc: { ...rpc, listen: somewhere } }));
    expect(found(open)).toEqual([expect.stringMatching(/^fail accounts are unlocked .*0\.0\.0\.0:1$/)]);
    await rm(open.paths.unlockedAccounts);
    expect(found(open)).toEqual(['ok nothing that somebody may regret']);
  });

  it('a surface for operators that no key opens', async () => {
    const closed = await input(({ rpc }) => ({ rpc: { ...rpc, operatorListen: somewhere } }));
    expect(found(closed)).toEqual([expect.stringContaining('no API key has operator = true')]);
    const key = { name: 'a', hash: 'sha256:', operator: true };
    const { rpc } = closed.config;
    expect(
      found({ ...closed, config: { ...closed.config, rpc: { ...rpc, apiKeys: [key] } } as unknown as NodeConfig }),
    ).toEqual(['ok nothing that somebody may regret']);
  });

  it('guards that are off, blocks to stop at, and a log of everything', async () => {
    const loose = await input(({ consensus, upgrades, log }) => ({
      consensus: { ...consensus, watchBlocks: 0 },
      upgrades: { ...upgrades, haltHeight: 7 },
      log: { ...log, level: 'debug' },
    }));
    expect(found(loose)).toEqual([
      'warn consensus.watch_blocks is 0',
      'warn upgrades.halt_height is 7',
      'warn log.level is debug',
    ]);
  });

  it('the owner’s key and switches for tests, on a network that is no test', async () => {
    const environment = { PRIME_CRASH_AT: 'x' };
    const test = await input(() => ({}), { environment });
    expect(found(test)).toEqual(['warn PRIME_CRASH_AT is set in this environment']);
    expect(found({ ...test, genesis: { ...test.genesis, testNetwork: false } })).toEqual([
      expect.stringMatching(/^warn the owner’s key is on this machine/),
      'fail PRIME_CRASH_AT is set in this environment',
    ]);
  });

  it('two listeners on one port', async () => {
    const same = await input(({ rpc, admin }) => ({ admin: { ...admin, listen: rpc.listen } }));
    expect(found(same)).toEqual([expect.stringMatching(/^fail two of the listeners have 127\.0\.0\.1:\d+$/)]);
  });
});

describe('keys of a home', () => {
  it('vote for the validator that genesis or the chain named', async () => {
    const paths = homePaths(home(0));
    const { config, genesis } = await read(paths);
    expect(await keyUseCheck(paths, config, genesis)).toMatchObject({
      verdict: 'ok',
      found: expect.stringMatching(/votes for 0x/),
    });
    expect((await keyUseCheck(paths, { ...config, node: { role: 'full' } }, genesis)).found).toBe(
      'a full node votes for nobody',
    );
  });

  it('of a validator that nobody knows, or that can not be read, or of another home’s connections, are told of', async () => {
    const [paths, other] = [homePaths(home(0)), homePaths(home(1))];
    const { config, genesis } = await read(paths);
    const stranger = { ...genesis, validators: genesis.validators.slice(1) };
    expect(await keyUseCheck(paths, config, stranger)).toMatchObject({
      verdict: 'warn',
      found: expect.stringContaining('is the key of no validator'),
    });
    await writeFile(paths.signerKey, '{"format":"prime-key-1","kind":"signer"}');
    expect(await keyUseCheck(paths, config, genesis)).toMatchObject({
      verdict: 'fail',
      found: expect.stringContaining('signer.json'),
    });
    await copyFile(other.tlsCertificate, paths.tlsCertificate);
    expect(await keyUseCheck(paths, config, genesis)).toMatchObject({
      verdict: 'fail',
      found: expect.stringContaining('is not the certificate of'),
    });
  });
});

describe('what a home signed', () => {
  it('is nothing in a new home', async () => {
    const paths = homePaths(home(0));
    const { genesis } = await read(paths);
    expect(await signStateCheck(paths, genesis)).toMatchObject({ verdict: 'ok', found: 'nothing was signed' });
  });

  it.each([
    [1, 'ok'],
    [2, 'warn'],
  ])('the log has own signatures of height %s, and the sign state of none: %s', async (height, verdict) => {
    const paths = homePaths(home(0));
    const { genesis } = await read(paths);
    openSignState(paths.signState, genesisHash(genesis)).close();
    await logOwnVote(paths, genesis, height);
    expect((await signStateCheck(paths, genesis)).verdict).toBe(verdict);
    await rm(paths.signState);
    expect(await signStateCheck(paths, genesis)).toMatchObject({
      verdict: 'warn',
      found: `it is not there, and the log has own signatures of height ${height}`,
    });
  });
});

/** A log that holds a vote of the home's validator. */
async function logOwnVote(paths: HomePaths, genesis: Genesis, height: number): Promise<void> {
  await mkdir(paths.wal, { recursive: true });
  const { address } = genesis.validators.find(({ moniker }) => moniker === 'validator0')!;
  const vote = {
    type: 'prevote',
    height,
    round: 0,
    blockHash: null,
    validator: address,
    signature: new Uint8Array(65),
  } as const;
  const wal = openWal(paths.wal, { genesisHash: genesisHash(genesis) });
  wal.beginHeight(height as Height);
  wal.append(encodeWalEntry({ kind: 'vote', vote } as never));
  wal.sync();
  wal.close();
}
