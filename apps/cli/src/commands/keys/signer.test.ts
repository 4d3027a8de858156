import { existsSync, readFileSync, statSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { genesisHash, signerProofDigest, voteSignBytes } from '@prime/codec';
import { homePaths, loadConfig, parseGenesis, parseRemoteSigner, parseSignerConfig } from '@prime/config';
import { cryptoProvider, keccak256, recoverAddress } from '@prime/crypto';
import type { SignStateRecord } from '@prime/engine';
import { spkiOf } from '@prime/network';
import { type Hash, type Height, hexToBytes, parseAddress, type Round } from '@prime/primitives';
import { lockDataDir, makeSealedSignState, openSignState } from '@prime/storage';
import { keyOf } from '../../testing/keyOf.ts';
import { usePrime } from '../../testing/usePrime.ts';

/** Keys and watermarks on the move: what must never get lost, lowered or doubled. */

const { folder, printed, prime, home } = usePrime(2);
const signerHome = (): string => join(folder(), 'signer');

/** A prevote as a validator's key makes it. */
async function prevote(height: number, blockHash: Hash | null = null, by = home(0)): Promise<SignStateRecord> {
  const provider = await cryptoProvider();
  const paths = homePaths(by);
  const genesis = parseGenesis(await readFile(paths.genesis, 'utf8'));
  const { privateKey } = await keyOf(paths.signerKey, 'signer');
  const place = { height: height as Height, round: 0 as Round };
  const signBytes = voteSignBytes(genesis.chainId, genesisHash(genesis), { ...place, type: 'prevote', blockHash });
  return {
    ...place,
    step: 2,
    signBytes,
    signature: provider.sign(keccak256(signBytes), privateKey),
    lockedRound: -1 as Round,
    lockedValue: null,
    validRound: -1 as Round,
    validValue: null,
  };
}

const genesisOf = (path: string) => genesisHash(parseGenesis(readFileSync(homePaths(path).genesis, 'utf8')));
function record(path: string, ...records: readonly SignStateRecord[]): void {
  const store = openSignState(homePaths(path).signState, genesisOf(path));
  for (const each of records) store.write(each);
  store.close();
}
function newest(path: string): SignStateRecord | null {
  const store = openSignState(homePaths(path).signState, genesisOf(path));
  try {
    return store.read();
  } finally {
    store.close();
  }
}

/** @param port 0: any that is free */
async function listenOn(port: number): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  return { port: (server.address() as AddressInfo).port, close };
}

describe('a home that came with a backup', () => {
  it('stays sealed when a watermark raises it, unless its operator says that it is the last', async () => {
    const { signState } = homePaths(home(0));
    const [early, late] = [await prevote(5), await prevote(9)];
    record(home(0), late);
    const file = join(folder(), 'watermark.json');
    await prime('watermark', 'export', '--home', home(0), '--out', file);
    const isSealed = (): boolean => {
      const store = openSignState(signState, genesisOf(home(0)));
      store.close();
      return store.isSealed();
    };
    makeSealedSignState(signState, genesisOf(home(0)), early);
    await prime('watermark', 'import', file, '--home', home(0));
    expect([newest(home(0))?.height, isSealed()]).toEqual([9, true]);
    const last = (...flags: string[]): Promise<void> =>
      prime('watermark', 'import', file, '--home', home(0), '--last', ...flags);
    await expect(last()).rejects.toMatchObject({ code: 'CLI_USAGE', detail: { argument: '--yes' } });
    expect(isSealed()).toBe(true);
    await last('--yes');
    expect([newest(home(0))?.height, isSealed()]).toEqual([9, false]);
    // What is known to be later can not be the last.
    makeSealedSignState(signState, genesisOf(home(0)), await prevote(10));
    await expect(last('--yes')).rejects.toMatchObject({ code: 'CLI_WATERMARK_MISMATCH' });
    expect(isSealed()).toBe(true);
  });
});

describe('prime watermark', () => {
  const file = (): string => join(folder(), 'watermark.json');
  const importTo = (path: string): Promise<void> => prime('watermark', 'import', '--home', path, file());
  const exportFrom = (path: string): Promise<void> => prime('watermark', 'export', '--home', path, '--out', file());

  it('carries the newest signature to another home of the same key', async () => {
    await cp(home(0), join(folder(), 'moved'), { recursive: true });
    record(home(0), await prevote(7));
    await exportFrom(home(0));
    await importTo(join(folder(), 'moved'));
    expect(newest(join(folder(), 'moved'))).toEqual(await prevote(7));
    expect(printed).toEqual(['raised to height 7, round 0, step 2']);
    await importTo(join(folder(), 'moved'));
    expect(printed.at(-1)).toBe(
      'unchanged: this home is at height 7, round 0, step 2, the file at height 7, round 0, step 2',
    );
  });

  it('never lowers', async () => {
    record(home(0), await prevote(7));
    await exportFrom(home(0));
    record(home(0), await prevote(9));
    await importTo(home(0));
    expect(newest(home(0))).toEqual(await prevote(9));
    expect(printed).toEqual([
      'unchanged: this home is at height 9, round 0, step 2, the file at height 7, round 0, step 2',
    ]);
  });

  it('refuses another key, a contradiction, what was edited, and what is no watermark; nothing changes', async () => {
    record(home(0), await prevote(7));
    await exportFrom(home(0));
    const mismatch = expect.objectContaining({ code: 'CLI_WATERMARK_MISMATCH' });
    await expect(importTo(home(1))).rejects.toEqual(mismatch);
    await cp(home(0), join(folder(), 'twin'), { recursive: true });
    await rm(homePaths(join(folder(), 'twin')).signState);
    record(join(folder(), 'twin'), await prevote(7, `0x${'01'.repeat(32)}` as Hash));
    await expect(importTo(join(folder(), 'twin'))).rejects.toEqual(mismatch);
    const text = await readFile(file(), 'utf8');
    const otherDigit = (_: string, before: string, digit: string): string => `${before}${digit === '1' ? '2' : '1'}`;
    for (const edited of [
      text.replace('"height": 7', '"height": 70'),
      text.replace(/("signature": "0x)(.)/, otherDigit),
      text.replace(/("sign_bytes": "0x.{70})(.)/, otherDigit),
    ]) {
      await writeFile(file(), edited);
      await expect(importTo(home(0))).rejects.toMatchObject({
        code: 'CLI_WATERMARK_MISMATCH',
        message: expect.stringContaining('damaged or was edited'),
      });
    }
    await writeFile(file(), '{"format":"prime-watermark-1"}');
    await expect(importTo(home(0))).rejects.toMatchObject({ code: 'CLI_USAGE' });
    await expect(prime('watermark', 'import', '--home', home(0), join(folder(), 'none'))).rejects.toMatchObject({
      code: 'CLI_NOT_FOUND',
      message: expect.stringMatching(/none \(file\) is not there/),
    });
    await expect(prime('watermark', 'export', '--home', home(1))).rejects.toMatchObject({ code: 'CLI_NOTHING_SIGNED' });
    expect(newest(home(0))).toEqual(await prevote(7));
  });

  it('works on the home of a remote signer and on the one of its node alike', async () => {
    const [seven, nine] = [await prevote(7), await prevote(9)];
    record(home(0), seven);
    await prime('signer', 'init', '--home', signerHome(), '--node-home', home(0));
    record(signerHome(), nine);
    await exportFrom(signerHome());
    await importTo(home(0));
    expect(newest(home(0))).toEqual(nine);
    await exportFrom(home(0));
    await importTo(signerHome());
    expect(printed.at(-1)).toMatch(/^unchanged/);
  });
});

describe('prime signer start', () => {
  it('an admin endpoint that is taken: refused with the reason, and nothing goes on listening', async () => {
    await prime('signer', 'init', '--home', signerHome(), '--node-home', home(0));
    const free = await listenOn(0);
    await free.close();
    const taken = await listenOn(0);
    try {
      const { signerConfig } = homePaths(signerHome());
      const text = (await readFile(signerConfig, 'utf8')).replace(/^listen = .*/m, `listen = "127.0.0.1:${free.port}"`);
      await writeFile(signerConfig, `admin = "127.0.0.1:${taken.port}"\n${text}`);
      await expect(prime('signer', 'start', '--home', signerHome())).rejects.toMatchObject({
        code: 'ADMIN_LISTEN_FAILED',
        message: expect.stringContaining('EADDRINUSE'),
      });
    } finally {
      await taken.close();
    }
    await (await listenOn(free.port)).close();
  });
});

describe('prime signer init', () => {
  it('moves key and watermark: the node keeps no key, and names the signer that it is pinned to', async () => {
    const { signerKey, tlsCertificate, config, remoteSigner, genesis } = homePaths(home(0));
    const { address } = await keyOf(signerKey, 'signer');
    const before = await readFile(config, 'utf8');
    record(home(0), await prevote(7));
    const seven = await prevote(7);
    await prime('signer', 'init', '--home', signerHome(), '--node-home', home(0), '--listen', '127.0.0.1:26700');
    const signer = homePaths(signerHome());
    expect(existsSync(signerKey)).toBe(false);
    expect((await keyOf(signer.signerKey, 'signer')).address).toBe(address);
    expect(statSync(signer.signerKey).mode & 0o777).toBe(0o600);
    expect(newest(signerHome())).toEqual(seven);
    expect(await readFile(signer.genesis, 'utf8')).toBe(await readFile(genesis, 'utf8'));
    const { config: loaded } = loadConfig({ file: { name: 'config', text: await readFile(config, 'utf8') } });
    expect(loaded.signer).toEqual({
      address: { host: '127.0.0.1', port: 26700 },
      spki: spkiOf(await readFile(signer.tlsCertificate, 'utf8')),
    });
    expect(loadConfig({ file: { name: 'config', text: before } }).config).toEqual({
      ...loaded,
      signer: { address: null, spki: '' },
    });
    const listed = parseSignerConfig(await readFile(signer.signerConfig, 'utf8'), 'signer.toml');
    expect(listed.nodes).toEqual([{ name: 'validator', spki: spkiOf(await readFile(tlsCertificate, 'utf8')) }]);
    const known = parseRemoteSigner(await readFile(remoteSigner, 'utf8'), remoteSigner);
    expect(known.map((key) => key.address)).toEqual([address]);
  });

  it('a node that runs, a folder in use, a key that is gone, half the arguments: refused, and nothing is moved', async () => {
    const move = (): Promise<void> => prime('signer', 'init', '--home', signerHome(), '--node-home', home(0));
    const lock = await lockDataDir(homePaths(home(0)).lock, homePaths(home(0)).systemLock);
    await expect(move()).rejects.toMatchObject({ code: 'DATA_DIR_LOCKED' });
    lock.release();
    await expect(prime('signer', 'init', '--home', home(1), '--node-home', home(0))).rejects.toMatchObject({
      code: 'CLI_NOT_EMPTY',
    });
    await expect(prime('signer', 'init', '--home', signerHome())).rejects.toMatchObject({ code: 'CLI_USAGE' });
    await expect(
      prime('signer', 'init', '--home', signerHome(), '--node-home', home(0), '--listen', 'here'),
    ).rejects.toMatchObject({ code: 'CONFIG_INVALID_VALUE', message: expect.stringContaining('host:port') });
    expect([existsSync(homePaths(home(0)).signerKey), existsSync(homePaths(signerHome()).signerKey)]).toEqual([
      true,
      false,
    ]);
    await move();
    await expect(
      prime('signer', 'init', '--home', join(folder(), 'two'), '--node-home', home(0)),
    ).rejects.toMatchObject({
      code: 'CLI_USAGE',
      message: expect.stringContaining('in a remote signer already'),
    });
  });

  it('a new key for a node on another machine, and a claim with which its owner can register it', async () => {
    const { genesis, tlsCertificate } = homePaths(home(1));
    await prime('signer', 'init', '--home', signerHome(), '--genesis', genesis, '--node-certificate', tlsCertificate);
    const pin = spkiOf(await readFile(homePaths(signerHome()).tlsCertificate, 'utf8'));
    expect(printed.join('\n')).toContain(`[signer]\naddress = "127.0.0.1:26670"\nspki = "${pin}"`);
    const owner = `0x${'1b'.repeat(20)}`;
    const out = join(folder(), 'claim.json');
    await prime('signer', 'claim', '--home', signerHome(), '--owner', owner, '--out', out);
    const claim = JSON.parse(await readFile(out, 'utf8')) as { publicKey: string; proof: string };
    const parsed = parseGenesis(await readFile(genesis, 'utf8'));
    const digest = signerProofDigest(parsed.chainId, genesisHash(parsed), parseAddress(owner));
    const provider = await cryptoProvider();
    const key = homePaths(signerHome()).signerKey;
    const { address } = await keyOf(key, 'signer');
    expect(recoverAddress(provider, digest, hexToBytes(claim.proof))).toBe(address);
  });

  it('the home of a node is no home of a signer, and says which command is for it; neither is a folder without one', async () => {
    for (const command of ['start', 'status']) {
      await expect(prime('signer', command, '--home', home(0))).rejects.toMatchObject({
        code: 'CLI_USAGE',
        message: expect.stringMatching(/validator0 is the home of a node, which prime node start runs; a signer needs/),
      });
      await expect(prime('signer', command, '--home', signerHome())).rejects.toMatchObject({
        code: 'CLI_NOT_FOUND',
        message: expect.stringMatching(/no home of a signer: .*signer\.toml.*prime signer init makes one/),
      });
    }
  });

  it('a signer without an admin endpoint, or that does not run, says so', async () => {
    await prime('signer', 'init', '--home', signerHome(), '--node-home', home(0));
    const status = (): Promise<void> => prime('signer', 'status', '--home', signerHome());
    await expect(status()).rejects.toMatchObject({
      code: 'CLI_USAGE',
      message: expect.stringContaining('set admin in'),
    });
    const { signerConfig } = homePaths(signerHome());
    await writeFile(signerConfig, `admin = "127.0.0.1:1"\n${await readFile(signerConfig, 'utf8')}`);
    await expect(status()).rejects.toMatchObject({ code: 'CLI_UNREACHABLE' });
  });
});
