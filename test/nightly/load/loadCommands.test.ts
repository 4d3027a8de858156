/**
 * `prime load run` and `prime load turns` as processes: what they print while they go on, what they serve to Prometheus, what they end with.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunReport, parseReport } from '@prime/load';
import { createTestnet, freeBasePort, type Testnet } from '@prime/testkit';
import { LyingProxy } from '../../e2e/sdk/lyingProxy.ts';
import { cli } from '../../e2e/operations/program.ts';

const toml = `
format = "prime-load-scenario-1"
name = "few"
about = "Orders and cancels of a few accounts."
catches = "Commands that tell nothing."
accounts = 4
markets = 1
size = 10
mix = [
  { kind = "order_gtc", weight = 2 },
  { kind = "cancel", weight = 1 },
]
stages = [{ kind = "hold", rate = 40, seconds = 3 }]
`;

let folder: string;
let scenario: string;
/** Two networks of one validator. */
let networks: Testnet[];
let proxy: LyingProxy;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prime-load-'));
  scenario = join(folder, 'few.toml');
  await writeFile(scenario, toml);
  networks = await Promise.all([createTestnet({ validators: 1 }), createTestnet({ validators: 1 })]);
  await Promise.all(networks.map((network) => network.startAll()));
  proxy = await LyingProxy.before(networks[1]!.url(0));
});
afterAll(async () => {
  await proxy.close();
  await Promise.all(networks.map((network) => network.destroy()));
  await rm(folder, { recursive: true });
});

interface Ended {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly errors: string;
}

/** `prime load …` to its end. @param onLine sees each line as it is printed */
async function load(args: readonly string[], onLine: (line: string) => void = () => undefined): Promise<Ended> {
  const child = spawn(process.execPath, [cli, 'load', ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    onLine(line);
  }
  return { code: await ended, lines, errors };
}

const liveLine =
  /^ +\d+ s  asked \d+\/s  acknowledged \d+\/s  in blocks \d+\/s  p50 \S.*  p99 \S.*  errors \d.*  open \d+  head \d+  1 of 1 answer$/;

/** Samples of the text format by name and labels. @throws for a line that is none */
function samplesOf(text: string): Map<string, number> {
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    samples.map((line) => {
      const [, name, value] = /^([a-z_0-9]+(?:\{[a-z]+="[^"]*"\})?) (\S+)$/.exec(line) ?? [];
      if (name === undefined || Number.isNaN(Number(value))) throw new Error(`no sample: ${line}`);
      return [name, Number(value)] as const;
    }),
  );
}

describe('prime load run', () => {
  it('prints a line each second, serves metrics meanwhile, and ends with a report', async () => {
    let writes = 0;
    proxy.lie = ({ method, params: [raw] }, ask) =>
      method === 'eth_sendRawTransaction' && String(raw).startsWith('0x50') && writes++ % 5 === 0
        ? Promise.resolve({ error: { code: -32_005, message: 'node is busy' } })
        : ask();
    const place = `127.0.0.1:${await freeBasePort(1)}`;
    const scrapes: Promise<Map<string, number>>[] = [];
    const report = join(folder, 'run.html');
    const options = ['--metrics', place, '--report', report, '--workers', '2', '--keep-funds', '--rate', '40'];
    const { code, lines, errors } = await load(['run', scenario, '--rpc', proxy.url, ...options], (line) => {
      if (liveLine.test(line))
        scrapes.push(fetch(`http://${place}/metrics`).then(async (all) => samplesOf(await all.text())));
    });
    expect([errors, lines.includes('verdict: clean'), code]).toEqual(['', true, 0]);
    expect(lines.filter((line) => / s  asked /.test(line) && !liveLine.test(line))).toEqual([]);
    expect(lines.filter((line) => liveLine.test(line)).join('\n')).toMatch(/errors \d+ \(-32005\)/);
    const told = await Promise.all(scrapes);
    expect(told.length).toBeGreaterThan(1);
    expect(Math.max(...told.map((samples) => samples.get('prime_load_asked_per_second')!))).toBeGreaterThan(10);
    expect(Math.max(...told.map((samples) => samples.get('prime_load_acknowledged_per_second')!))).toBeGreaterThan(10);
    const last = told.at(-1)!;
    const { totals, errors: byCode } = parseReport(await readFile(join(folder, 'run.json'), 'utf8'));
    // The last line comes when everything has its block.
    expect(last.get('prime_load_scheduled_total')).toBe(totals.scheduled);
    expect(last.get('prime_load_committed_total')).toBe(totals.committed);
    expect(byCode.map(({ code: of, count }) => [of, count])).toEqual([[-32_005, totals.refused]]);
    expect(last.get('prime_load_errors_total{code="-32005"}')).toBe(totals.refused);
    const name = 'prime_load_latency_seconds';
    expect(last.get(`${name}_count`)).toBe(totals.acknowledged);
    expect(last.get(`${name}_bucket{le="+Inf"}`)).toBe(totals.acknowledged);
    expect(last.get(`${name}_bucket{le="0.001"}`)).toBeLessThan(totals.acknowledged);
    expect(last.get(`${name}_sum`)).toBeGreaterThan(0);
    expect(last.get('prime_load_workers')).toBe(2);
    const sent = ['worker0', 'worker1'].map((worker) => last.get(`prime_load_worker_sent_total{worker="${worker}"}`)!);
    expect(sent.every((count) => count > 0)).toBe(true);
    expect(sent[0]! + sent[1]!).toBe(totals.sent);
    // Nobody listens there any more.
    await expect(fetch(`http://${place}/metrics`)).rejects.toThrow('fetch failed');
  });
});

describe('prime load turns', () => {
  const urls = (): string[] => ['--a', networks[0]!.url(0), '--b', proxy.url];
  /** Clients that wait for their answers: a busy machine makes them slow, and never late. */
  const pace = ['--clients', '3', '--duration', '1s', '--workers', '1', '--keep-funds'];

  it('two networks: ratios with their intervals, in words and as JSON', async () => {
    proxy.lie = (_, ask) => ask();
    const out = join(folder, 'turns.json');
    const { code, lines, errors } = await load(['turns', scenario, ...urls(), ...pace, '--rounds', '2', '--out', out]);
    expect([errors, code]).toEqual(['', 0]);
    expect(lines.filter((line) => line.startsWith('round '))).toEqual([
      'round 1 of 2, A',
      'round 1 of 2, B',
      'round 2 of 2, B',
      'round 2 of 2, A',
    ]);
    const figure = /^(.+): A ([\d.]+), B ([\d.]+), B\/A ([\d.]+) \(95 %: ([\d.]+) to ([\d.]+)\)$/;
    const shown = lines.flatMap((line) => (figure.test(line) ? [figure.exec(line)!.slice(1)] : []));
    const told = JSON.parse(await readFile(out, 'utf8')) as {
      readonly withheld: readonly string[];
      readonly figures: readonly { name: string; a: number; b: number; ratio: number; interval: [number, number] }[];
      readonly rounds: readonly (readonly [RunReport, RunReport])[];
    };
    expect(told.withheld).toEqual([]);
    expect(told.figures.map(({ name }) => name)).toEqual([
      'operations in blocks per second',
      'acknowledged per second',
      'acknowledged p50, ms',
      'acknowledged p99, ms',
      'in a block p50, ms',
      'in a block p99, ms',
    ]);
    expect(shown).toEqual(
      told.figures.map(({ name, a, b, ratio, interval: [low, high] }) => [
        name,
        a.toFixed(1),
        b.toFixed(1),
        ratio.toFixed(3),
        low.toFixed(3),
        high.toFixed(3),
      ]),
    );
    for (const { ratio, interval } of told.figures) {
      expect(interval[0]).toBeLessThanOrEqual(ratio);
      expect(interval[1]).toBeGreaterThanOrEqual(ratio);
    }
    // Each side is its own network, with one seed for both in a round.
    expect(told.rounds.map((round) => round.map(({ network, seed }) => [network.validators[0]!.url, seed]))).toEqual(
      [1, 2].map((seed) => [
        [networks[0]!.url(0), seed],
        [proxy.url, seed],
      ]),
    );
  });

  it('a side that is not clean has no figures, and is named', async () => {
    // Collateral of everybody, as the network never had it.
    proxy.lie = async ({ method }, ask) => {
      const { result, ...rest } = await ask();
      const isAccount = method === 'primeorders_getAccount' && typeof result === 'object' && result !== null;
      return { ...rest, result: isAccount ? { ...result, collateral: '0x7' } : result };
    };
    const { code, lines } = await load(['turns', scenario, ...urls(), ...pace, '--rounds', '1', '--seed', '9']);
    const figures = lines.filter((line) => /^no figures: |B\/A/.test(line));
    expect(figures).toEqual([
      expect.stringMatching(/^no figures: round 1, B: the verdict is not clean: 1 of \d+ rules do not hold$/),
    ]);
    expect(code).toBe(1);
  });

  it('refuses one network twice', async () => {
    const [a, url] = urls();
    const { code, errors } = await load(['turns', scenario, a!, url!, '--b', url!]);
    expect(errors).toContain('--a and --b are the same network');
    expect(code).toBe(64);
  });
});
