import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rpc } from '@prime/examples';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import type { FloodReport } from './flood.main.ts';

/**
 * Blocks keep their pace while callers ask for more than the nodes can do. Four validators and the flood share this machine's
 * processors, so the figure is a ratio of the same run: quiet and flooded stretches take turns.
 */
const rounds = 4;
const stretchMs = 4_500;
const connectionsPerNode = 24;
/** Blocks come as fast as this and not faster, with or without work. */
const blockIntervalMs = 150;

const nobody = '0x00000000000000000000000000000000000000c7';

let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({
    validators: 4,
    sheds: true,
    // A fast machine would answer all of the flood in time: with a short queue some of it must be refused on any machine.
    environment: { PRIME_LIMITS_READER_QUEUE: '16' },
    genesis: (genesis) => {
      const consensus = genesis['consensus'] as Record<string, number>;
      consensus['minBlockIntervalMs'] = blockIntervalMs;
      consensus['emptyBlockIntervalMs'] = blockIntervalMs;
    },
  });
  await testnet.startAll();
}, 90_000);
afterAll(() => testnet.destroy());

interface Block {
  readonly timestamp_ms: string;
}

/** Height of the head; asked until the node has time for it. */
const height = (): Promise<number> =>
  until('a head', async () => Number(await rpc<string>(testnet.url(0), 'eth_blockNumber', [])));

/** Times between the blocks of a stretch, ms. */
async function intervals(first: number, last: number): Promise<number[]> {
  const times: number[] = [];
  for (let number = first; number <= last; number++) {
    const block = await rpc<Block>(testnet.url(0), 'prime_getBlockByNumber', [`0x${number.toString(16)}`]);
    times.push(Number(block.timestamp_ms));
  }
  return times.slice(1).map((time, index) => time - times[index]!);
}

/** What callers of the flood left behind is done: a reader of every node has time for a call. */
async function calm(): Promise<void> {
  for (const url of testnet.urls())
    await until('a node at rest', async () => (await rpc(url, 'eth_call', [{ to: nobody, data: '0x' }])) === '0x');
}

async function quiet(): Promise<number[]> {
  await calm();
  const first = await height();
  await until('quiet blocks', async () => (await height()) >= first + stretchMs / blockIntervalMs);
  return intervals(first, await height());
}

async function flooded(reports: FloodReport[]): Promise<number[]> {
  const first = await height();
  const script = fileURLToPath(new URL('./flood.main.js', import.meta.url));
  const args = [script, `${stretchMs / 1_000}`, `${connectionsPerNode}`, ...testnet.urls()];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (data) => (output += String(data)));
  await once(child, 'close');
  reports.push(JSON.parse(output) as FloodReport);
  return intervals(first, await height());
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

describe('a flood of requests at every node', () => {
  it('is shed with coded errors, and blocks keep their pace', async () => {
    const reports: FloodReport[] = [];
    const pace = { quiet: [] as number[], flooded: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      pace.quiet.push(...(await quiet()));
      pace.flooded.push(...(await flooded(reports)));
    }
    const sum = (read: (report: FloodReport) => number): number =>
      reports.reduce((total, report) => total + read(report), 0);
    const figures = {
      blocks: [pace.quiet.length, pace.flooded.length],
      p50: [percentile(pace.quiet, 0.5), percentile(pace.flooded, 0.5)],
      p99: [percentile(pace.quiet, 0.99), percentile(pace.flooded, 0.99)],
      slowest: [pace.quiet, pace.flooded].map((values) => values.toSorted((a, b) => b - a).slice(0, 5)),
      reports,
    };
    process.stdout.write(`overload: ${JSON.stringify(figures)}\n`);
    expect(sum(({ results }) => results)).toBeGreaterThan(1_000);
    expect(sum(({ codes }) => codes['-32005'] ?? 0)).toBeGreaterThan(0);
    expect(sum(({ malformed }) => malformed)).toBe(0);
    // Nobody is served by an internal error.
    expect(sum(({ codes }) => codes['-32603'] ?? 0)).toBe(0);
    expect(pace.flooded.length).toBeGreaterThan(pace.quiet.length / 2);
    expect(figures.p99[1]! / figures.p99[0]!).toBeLessThanOrEqual(2);
  }, 240_000);
});
