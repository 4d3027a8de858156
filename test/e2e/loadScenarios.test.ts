/**
 * Every built-in scenario of `prime load` against four validators at its smallest size, all of them beside each other on one network: each verdict is
 * clean, and what is refused is what the scenario intends.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  builtInNames,
  builtInScenario,
  builtInText,
  type LoadOptions,
  runLoad,
  type RunReport,
  withSize,
} from '@prime/load';
import { type DecidedBlock, readBlocksByRpc } from '@prime/audit';
import { rpc } from '@prime/load/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { loadOptions } from './loading.ts';
import { type Hex, hexToBytes, keccak256, parseEther, stringToHex, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** Of each scenario: all of them together are no more than two cores carry. */
const rate = 20;
const seconds = 4;

let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({ validators: 4, idlePace: 'preset' });
  await testnet.startAll();
});
/** Who pays for each: two that pay from one account at once would take each other's nonces. */
const payerKey = (name: string): Hex => keccak256(stringToHex(`payer of ${name}`));
const payersWei = parseEther('100');

/** Ether for each payer. */
async function fundPayers(names: readonly string[]): Promise<void> {
  const [from] = await rpc<Hex[]>(testnet.url(0), 'eth_accounts');
  for (const name of names) {
    const { address: to } = privateKeyToAccount(payerKey(name));
    await rpc(testnet.url(0), 'eth_sendTransaction', [{ from, to, value: toHex(payersWei) }]);
  }
  const last = privateKeyToAccount(payerKey(names.at(-1)!)).address;
  await until('the last payer has its ether', async () => {
    const balance = await rpc<Hex>(testnet.url(0), 'eth_getBalance', [last, 'latest']);
    return BigInt(balance) >= payersWei;
  });
}
afterAll(() => testnet.destroy());

/** Opens when all have come. */
function barrier(count: number) {
  let open: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  let missing = count;
  return () => {
    if (--missing === 0) open();
    return opened;
  };
}

/** Blocks of the network, which all runs judge: each is read once. */
function sharedBlocks(): typeof readBlocksByRpc {
  const known: DecidedBlock[] = [];
  let reading: Promise<void> = Promise.resolve();
  const readTo = async (call: Parameters<typeof readBlocksByRpc>[0], chainId: number, to: number): Promise<void> => {
    for await (const block of readBlocksByRpc(call, { chainId, from: known.length + 1, to })) known.push(block);
  };
  return async function* (call, { chainId, from, to }) {
    reading = reading.then(() => readTo(call, chainId, to));
    await reading;
    yield* known.slice(from - 1, to);
  };
}
const readBlocks = sharedBlocks();

function load(
  name: string,
  turn: number,
  sent: () => Promise<void>,
  more: Partial<LoadOptions> = {},
): Promise<RunReport> {
  const base = builtInScenario(name);
  const scenario = withSize({ ...base, bounds: { ...base.bounds, gap_ms: 120_000 } }, base.sizes.ci[0]!);
  const run = { name, toml: builtInText(name), scenario, rate, seconds, firstNode: turn } as const;
  const funder = { kind: 'key', privateKey: hexToBytes(payerKey(name)) } as const;
  return runLoad({
    ...loadOptions(testnet, { ...run, funder }),
    transport: turn % 2 === 0 ? 'ws' : 'http',
    connections: turn % 2 === 0 ? 1 : 8,
    // One of them replays what all of them did.
    withModel: turn === 0,
    readBlocks,
    // Books are judged when nobody sends any more.
    meanwhile: () => ({ end: () => sent().then(() => ({ faults: [], findings: [] })) }),
    ...more,
  });
}

describe('built-in scenarios', () => {
  const names = builtInNames();
  let reports: ReadonlyMap<string, RunReport>;
  beforeAll(async () => {
    await fundPayers(names);
    const sent = barrier(names.length);
    reports = new Map(
      await Promise.all(names.map(async (name, turn) => [name, await load(name, turn, sent)] as const)),
    );
  });

  it.each(names)('%s', (name) => {
    const { verdict, totals, network } = reports.get(name)!;
    expect(verdict.findings.flatMap(({ rule, violations }) => violations.map((words) => `${rule}: ${words}`))).toEqual(
      [],
    );
    expect(verdict.clean).toBe(true);
    const refusals = verdict.findings.find(({ rule }) => rule.startsWith('refusals'));
    expect(refusals?.seen).toMatch(/^at admission .*; in blocks (none|\d)/);
    expect(totals.scheduled).toBeGreaterThan(rate);
    expect(totals.acknowledged + totals.refused + totals.unknown).toBe(totals.sent);
    expect(network.lastHeight).toBeGreaterThan(network.firstHeight);
  });
});

describe('workers that are processes of their own', () => {
  const token = 'a token that both of them have';
  const workers: ChildProcess[] = [];
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prime-load-'));
    await writeFile(join(folder, 'token'), token);
  });
  afterAll(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });

  /** `prime load worker`, and where it says that it listens. */
  async function startWorker(): Promise<string> {
    const prime = fileURLToPath(new URL('../../../apps/cli/dist/main.js', import.meta.url));
    const args = [prime, 'load', 'worker', '--listen', '127.0.0.1:0', '--token-file', join(folder, 'token')];
    const worker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    workers.push(worker);
    for await (const line of createInterface(worker.stdout!)) {
      const place = /listens on (\S+)/.exec(line)?.[1];
      if (place !== undefined) return place;
    }
    throw new Error('the worker ended before it listened');
  }

  it('send what is asked together; one that dies is named, and nothing that it sent is unaccounted for', async () => {
    const workersAt = [await startWorker(), await startWorker()];
    let isKilled = false;
    const report = await load('maker', 0, () => Promise.resolve(), {
      seed: 2,
      asked: { kind: 'open', arrivals: 'constant', stages: [{ name: 'hold', fromRate: rate, toRate: rate, seconds }] },
      workersAt,
      token,
      onProgress: () => {
        if (!isKilled) workers[1]!.kill('SIGKILL');
        isKilled = true;
      },
    });
    expect(report.verdict.findings.flatMap(({ violations }) => violations)).toEqual([]);
    expect(report.generator.workers.map(({ name, died }) => [name, died === null])).toEqual([
      [workersAt[0], true],
      [workersAt[1], false],
    ]);
    expect(report.generator.unfit).toContain(`${workersAt[1]} died`);
    // Half of all, and what the other one had told before.
    expect(report.totals.sent).toBeGreaterThanOrEqual((rate * seconds) / 2);
    expect(report.totals.sent).toBeLessThan(rate * seconds);
  });
});
