/** The class of packages/ccxt with the real ccxt, against a network of four validators. What is checked stands in test/ccxt. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestnet, type Testnet } from '@prime/testkit';
import { readText, root } from '../repo/repository.ts';
import type { Finding } from '../conformance/clients/clients.ts';

const execute = promisify(execFile);

/** Keys that every development network gives money to, and one that owns nothing. They are public. */
const keys = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  `0x${'c7'.repeat(32)}`,
] as const;

/** Steps of test/ccxt/prime.mjs, in their order. */
const steps = JSON.parse(readText('test/ccxt/order.json')) as readonly string[];

/** Exit code of scripts/clients.mjs when the registry is out of reach. */
const unreachableExit = 3;
/** Only against what hangs. */
const programMs = 600_000;

/** @returns null when ccxt is missing and the registry is out of reach, which is the only reason to go without */
async function prepare(): Promise<string | null> {
  try {
    const { stdout } = await execute(process.execPath, [join(root, 'scripts', 'clients.mjs'), 'ccxt']);
    const directory = stdout.trim();
    await execute(process.execPath, [join(directory, 'pack.mjs')]);
    return directory;
  } catch (error) {
    const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: string };
    if (code !== unreachableExit) throw error;
    process.stderr.write(`${stderr}\nprime: the real ccxt is not run\n`);
    return null;
  }
}

async function runProgram(directory: string, testnet: Testnet): Promise<ReadonlyMap<string, Finding>> {
  const child = spawn(
    process.execPath,
    [join(directory, 'prime.mjs'), JSON.stringify({ rpcUrls: testnet.urls(), keys })],
    {
      cwd: directory,
      stdio: ['pipe', 'pipe', 'inherit'],
      timeout: programMs,
      killSignal: 'SIGKILL',
    },
  );
  const found = new Map<string, Finding>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line === '{"ask":"kill"}') void testnet.kill(0, 'SIGKILL').then(() => child.stdin.write('done\n'));
    if (line === '{"ask":"start"}') void testnet.start(0).then(() => child.stdin.write('done\n'));
    // The checks that ccxt shipped print what they fetch.
    if (!line.startsWith('{"capability"')) return;
    const { capability, ...finding } = JSON.parse(line) as Finding & { readonly capability: string };
    found.set(capability, finding);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  found.set('exit', code === 0 ? { outcome: 'works' } : { outcome: 'fails', reason: `it ended with ${code}` });
  return found;
}

const directory = await prepare();

(directory === null ? describe.skip : describe)('the class for ccxt', () => {
  let testnet: Testnet;
  let found: ReadonlyMap<string, Finding> = new Map();
  beforeAll(async () => {
    testnet = await createTestnet({
      validators: 4,
      genesis: (genesis) => {
        genesis['actions'] = 'signed';
        Object.assign(genesis['clob'] as object, {
          initialMarginBps: 100,
          maintenanceMarginBps: 50,
          minNotional: '10000000000000000',
          fees: { takerPpm: 500, makerPpm: -100 },
          funding: { intervalSeconds: 1, maxRateBps: 10, premiumIntervals: 1, referenceWeight: 64 },
        });
        genesis['markets'] = [
          { symbol: 'ETH/USD', tickSize: '5', lotSize: '10', baseDecimals: 16, quoteDecimals: 18 },
          { symbol: 'BTC/USD', tickSize: '1000000000000000000', lotSize: '1', baseDecimals: 0, quoteDecimals: 18 },
        ];
      },
    });
    await testnet.startAll();
    found = await runProgram(directory!, testnet);
  });
  afterAll(async () => {
    await testnet.destroy();
  });

  it.each([...steps, 'exit'])('%s', (step) => {
    expect(found.get(step)).toEqual({ outcome: 'works' });
  });

  it('programs in TypeScript see exchanges of ccxt', async () => {
    const compiler = join(root, 'node_modules', '.bin', 'tsc');
    const { stdout } = await execute(compiler, ['-p', join(directory!, 'types')], {
      shell: process.platform === 'win32',
    });
    expect(stdout).toBe('');
  });

  it('nothing else was tried', () => {
    expect([...found.keys()]).toEqual([...steps, 'exit']);
  });
});
