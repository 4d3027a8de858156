import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { homePaths } from '@prime/config';
import { lockDataDir } from '@prime/storage';
import { type Check, linesOf } from '../../doctor/check.ts';
import { diskCheck } from '../../doctor/disk.ts';
import { machineChecks } from '../../doctor/machine.ts';
import { feederCheck, staleCheck } from '../../doctor/prices.ts';
import { clockCheck } from '../../doctor/running.ts';
import { nextFree } from '../../testnet/ports.ts';
import { usePrime } from '../../testing/usePrime.ts';
import { setAdminPort, useServers } from '../../testing/useServers.ts';

const { folder, printed, prime } = usePrime(0);
const { serve } = useServers();
const machine = {
  node: '20.20.2',
  glibc: '2.41',
  http: { build: '20.57.0' },
  openFiles: 65_536,
  memory: { bytes: 4e9, group: null },
} as const;
const verdictOf = (facts: Partial<Parameters<typeof machineChecks>[0]>, name: string): Check =>
  machineChecks({ ...machine, ...facts }).find((check) => check.name === name)!;

describe('prime doctor, of a machine', () => {
  it.each([
    ['18.20.0', 'fail'],
    ['20.14.9', 'fail'],
    ['20.15.0', 'ok'],
    ['21.7.0', 'warn'],
    ['22.0.0', 'ok'],
    ['24.1.0', 'ok'],
    ['25.0.0', 'warn'],
  ])('Node.js %s: %s', (node, verdict) => {
    expect(verdictOf({ node }, 'node').verdict).toBe(verdict);
  });

  it.each([
    [4_095, 'fail'],
    [4_096, 'warn'],
    [65_535, 'warn'],
    [65_536, 'ok'],
    [null, 'ok'],
  ])('%s open files: %s', (openFiles, verdict) => {
    expect(verdictOf({ openFiles }, 'open files').verdict).toBe(verdict);
  });

  it('names the build of the HTTP server and glibc; the older build is a warning, and none is a failure with its reason', () => {
    expect(verdictOf({}, 'http')).toMatchObject({ verdict: 'ok', found: 'uWebSockets.js 20.57.0, glibc 2.41' });
    expect(verdictOf({ http: { build: '20.30.0' }, glibc: '2.36' }, 'http')).toMatchObject({
      verdict: 'warn',
      found: expect.stringContaining('20.30.0, glibc 2.36'),
      advice: expect.stringContaining('2.38'),
    });
    expect(verdictOf({ http: { reason: 'no build for this' }, glibc: null }, 'http')).toMatchObject({
      verdict: 'fail',
      found: 'no glibc: no build for this',
    });
  });

  it.each([
    [999_999_999, 'fail'],
    [1_000_000_000, 'warn'],
    [4_999_999_999, 'warn'],
    [5_000_000_000, 'ok'],
    [null, 'warn'],
  ])('%s bytes free: %s', (free, verdict) => {
    expect(diskCheck(free).verdict).toBe(verdict);
  });

  it.each([
    [2.001, 'warn'],
    [2, 'ok'],
    [-0.25, 'ok'],
    [-0.251, 'warn'],
    [null, 'ok'],
  ])('a clock that is %s s ahead: %s', (offset, verdict) => {
    expect(clockCheck(offset).verdict).toBe(verdict);
  });

  it.each([
    [[], []],
    [[0, 0], ['ok']],
    [[0, 0.5], ['warn']],
  ])('markets whose index has been stale for %j s: %j', (seconds, verdicts) => {
    const markets = seconds.map((staleSeconds, index) => ({ symbol: `M${index}`, staleSeconds }));
    expect(staleCheck(markets).map(({ verdict }) => verdict)).toEqual(verdicts);
  });

  it.each([
    [30, 40, 20, 'ok'],
    [30.1, 40, 40, 'warn'],
    [1, 40, 19, 'warn'],
    [1, 9, 0, 'ok'],
    [1, 10, 4, 'warn'],
  ])(
    'a report that is %s s old, %s minutes, %s of them reported: %s',
    (silentSeconds, minutes, reportedMinutes, verdict) => {
      const own = { silentSeconds, minutes, reportedMinutes };
      expect(feederCheck({ markets: [], own }).map((check) => check.verdict)).toEqual([verdict]);
      expect(feederCheck({ markets: [], own: null })).toEqual([]);
    },
  );

  it('a line for what was found, one for why it matters, one for what to do', () => {
    expect(
      linesOf({ name: 'disk', verdict: 'warn', found: '3.0 GB free', why: 'it stops', advice: 'make room' }),
    ).toEqual(['warn  disk          3.0 GB free', '                    it stops', '                    -> make room']);
  });
});

describe('prime doctor --home', () => {
  const home = (): string => join(folder(), 'validator0');
  /** Three free ports in a row; systems do not give those below 32768 away by themselves. */
  async function freeBase(from = 11_000): Promise<number> {
    const base = await nextFree('127.0.0.1', from, new Set());
    for (const offset of [1, 2]) {
      const next = await nextFree('127.0.0.1', base + offset, new Set());
      if (next !== base + offset) return freeBase(next);
    }
    return base;
  }
  async function make(): Promise<void> {
    const base = await freeBase();
    await prime('testnet', 'init', '--validators', '1', '--out', folder(), '--base-port', `${base}`);
    printed.length = 0;
  }
  /** All checks of a home, with the error that the command ended with. */
  async function doctor(): Promise<{ readonly checks: Check[]; readonly error: unknown }> {
    printed.length = 0;
    const error = await prime('doctor', '--home', home(), '--json').then(
      () => null,
      (thrown: unknown) => thrown,
    );
    return { checks: JSON.parse(printed.join('\n')) as Check[], error };
  }
  const of = (checks: readonly Check[], name: string): Check | undefined => checks.find((check) => check.name === name);

  it('a new home is in order, and nothing in it is changed', async () => {
    await make();
    const { checks, error } = await doctor();
    expect(checks.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(error).toBeNull();
    expect(checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'node',
        'http',
        'open files',
        'config',
        'genesis',
        'keys',
        'permissions',
        'disk',
        'sign state',
        'memory',
        'key use',
        'config lint',
        'peer names',
        'disk sync',
        'disk growth',
      ]),
    );
    expect(of(checks, 'rpc port')).toMatchObject({ verdict: 'ok', found: expect.stringMatching(/is free$/) });
    expect(of(checks, 'genesis')!.found).toMatch(/^prime-local, chain id 7919, 0x[0-9a-f]{64}$/);
    printed.length = 0;
    await prime('doctor', '--home', home());
    expect(printed[0]).toMatch(/^ok {4}node {10}\d+\./);
  });

  it('each fault is named, with what to do, and the command fails', async () => {
    await make();
    const paths = homePaths(home());
    await chmod(paths.signerKey, 0o644);
    await chmod(paths.home, 0o777);
    await writeFile(paths.failedBlock, '{}');
    await writeFile(paths.signState, new Uint8Array(8192));
    await writeFile(
      paths.genesis,
      (await readFile(paths.genesis, 'utf8')).replace('"chainId": 7919', '"chainId": 7918'),
    );
    const { checks, error } = await doctor();
    const failed = checks.filter(({ verdict }) => verdict === 'fail').map(({ name }) => name);
    expect(failed).toEqual(['keys', 'permissions', 'sign state', 'failed block']);
    expect(error).toMatchObject({ code: 'CLI_CHECKS_FAILED', detail: { checks: failed } });
    expect(
      checks.filter(({ verdict }) => verdict === 'fail').every(({ why, advice }) => why !== null && advice !== null),
    ).toBe(true);
  });

  it('keys of a network that is no test: warned of a password beside them, and of light parameters', async () => {
    await make();
    const paths = homePaths(home());
    await writeFile(
      paths.genesis,
      (await readFile(paths.genesis, 'utf8')).replace('"testNetwork": true', '"testNetwork": false'),
    );
    const warned = { verdict: 'warn', found: expect.stringContaining(paths.keyPassword) };
    expect(of((await doctor()).checks, 'key passwords')).toMatchObject(warned);
    await rm(paths.keyPassword);
    const light = {
      verdict: 'warn',
      found: expect.stringContaining('light'),
      advice: expect.stringContaining('import'),
    };
    expect(of((await doctor()).checks, 'key passwords')).toMatchObject(light);
    await writeFile(paths.signerKey, '{"format": "prime-key-1"}');
    expect(of((await doctor()).checks, 'keys')).toMatchObject({
      verdict: 'fail',
      found: expect.stringContaining(`prime key import ${paths.signerKey}`),
    });
  });

  it('settings and a genesis that can not be read are two faults, and the rest is looked at', async () => {
    await make();
    const paths = homePaths(home());
    await writeFile(paths.config, '[p2p]\nlisten = 5\n');
    await writeFile(paths.genesis, '{}');
    const { checks } = await doctor();
    expect([of(checks, 'config'), of(checks, 'genesis')]).toEqual([
      expect.objectContaining({ verdict: 'fail', found: expect.stringContaining('p2p.listen') }),
      expect.objectContaining({ verdict: 'fail' }),
    ]);
    expect(of(checks, 'disk')).toBeDefined();
  });

  it('a port that somebody has is a fault while the node does not run', async () => {
    await make();
    const { config } = homePaths(home());
    const port = Number(/\[p2p\][^[]*?^listen = "[^"]*:(\d+)"/ms.exec(await readFile(config, 'utf8'))![1]);
    await serve(() => undefined, port);
    const { checks } = await doctor();
    expect(of(checks, 'p2p port')).toMatchObject({
      verdict: 'fail',
      found: `127.0.0.1:${port}: another process has it`,
      advice: expect.stringContaining('p2p.listen'),
    });
  });

  it('a node that runs is asked: build, readiness, signer, clock; one that does not answer is a fault', async () => {
    await make();
    const answers: Record<string, string> = {
      '/status': JSON.stringify({
        gateway: { httpLibrary: 'uWebSockets.js 20.57.0' },
        consensus: { head: 7, peers: [1, 2], signer: { connected: false, lastError: 'ECONNREFUSED' } },
      }),
      '/ready': JSON.stringify({ ready: false, reason: 'behind' }),
      '/peers': JSON.stringify({ peers: [], unconnected: [], connectedPower: '1', totalPower: '1' }),
      '/metrics': [
        'prime_clock_offset_seconds -1.5',
        'prime_market_index_stale_seconds{market="1",symbol="ETH/USD"} 90',
        'prime_oracle_report_age_seconds 90',
        'prime_oracle_minutes 40',
        'prime_oracle_reported_minutes 38\n',
      ].join('\n'),
    };
    const { port, close } = await serve((request, response) => response.end(answers[request.url!]));
    const paths = homePaths(home());
    await setAdminPort(home(), port);
    // A pid that is somebody else's by now is no node.
    await writeFile(
      paths.lock,
      `${JSON.stringify({ pid: process.pid, started: 'another boot/1', namespace: null })}\n`,
    );
    expect(of((await doctor()).checks, 'running node')).toBeUndefined();
    await rm(paths.lock);
    const lock = await lockDataDir(paths.lock, paths.systemLock);
    const { checks } = await doctor();
    expect(of(checks, 'running node')!.found).toBe('serves with uWebSockets.js 20.57.0, block 7, 2 peers');
    expect(of(checks, 'ready')).toMatchObject({ verdict: 'warn', found: 'behind' });
    expect(of(checks, 'signer')).toMatchObject({ verdict: 'fail', found: expect.stringContaining('ECONNREFUSED') });
    expect(of(checks, 'clock')).toMatchObject({ verdict: 'warn', found: '1.50 s behind the proposers of blocks' });
    expect(of(checks, 'prices')).toMatchObject({ verdict: 'warn', found: 'no fresh index: ETH/USD for 1.5 min' });
    expect(of(checks, 'feeder')).toMatchObject({ verdict: 'warn', found: expect.stringContaining('is 1.5 min old') });
    // Its ports are its own.
    expect(of(checks, 'rpc port')).toBeUndefined();
    await close();
    const silent = await doctor();
    expect(of(silent.checks, 'running node')).toMatchObject({
      verdict: 'fail',
      found: expect.stringContaining('no answer'),
    });
    lock.release();
  });
});
