import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rpc } from '@prime/load/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import type { FloodReport } from './flood.main.ts';

/**
 * Blocks keep their pace while callers ask for more than the nodes can do. Four validators and the flood share this machine's
 * processors, so the figure is a ratio of the same run: quiet and flooded stretches take turns. What else the machine does in between
 * makes single blocks late, whoever is to blame: two rounds in a row have to be without, of as many as that takes.
 */
const roundsMax = 12;
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
    // A fast machine would answer all of the flood in time. Half of a node's connections ask what takes a reader up to a second, each one
    // thing at a time: with a queue this much shorter some of it is refused on any machine.
    environment: { PRIME_LIMITS_READER_QUEUE: '2' },
    genesis: (genesis) => {
      const consensus = genesis['consensus'] as Record<string, number>;
      consensus['minBlockIntervalMs'] = blockIntervalMs;
      consensus['emptyBlockIntervalMs'] = blockIntervalMs;
    },
  });
  await testnet.startAll();
});
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
    // What the flood left behind may be in the way for a while.
    const { timestamp_ms: time } = await until('a block', () =>
      rpc<Block>(testnet.url(0), 'prime_getBlockByNumber', [`0x${number.toString(16)}`]),
    );
    times.push(Number(time));
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

interface Pace {
  readonly quiet: readonly number[];
  readonly flooded: readonly number[];
}

/** As many blocks as without the flood, and the slowest of a hundred at most twice as late. */
function isKept({ quiet: idle, flooded: busy }: Pace): boolean {
  return busy.length > idle.length / 2 && percentile(busy, 0.99) <= 2 * percentile(idle, 0.99);
}

describe('a flood of requests at every node', () => {
  it('is shed with coded errors, and blocks keep their pace', async () => {
    const reports: FloodReport[] = [];
    const sum = (read: (report: FloodReport) => number): number =>
      reports.reduce((total, report) => total + read(report), 0);
    const shed = ({ codes }: FloodReport): number => codes['-32005'] ?? 0;
    const paces: Pace[] = [];
    const kept = (): boolean => {
      const [last, before] = [paces.at(-1), paces.at(-2)];
      if (last === undefined || before === undefined || sum(({ results }) => results) <= 1_000) return false;
      if (sum(shed) === 0) return false;
      return isKept({ quiet: [...before.quiet, ...last.quiet], flooded: [...before.flooded, ...last.flooded] });
    };
    while (paces.length < roundsMax && !kept()) paces.push({ quiet: await quiet(), flooded: await flooded(reports) });
    const told = paces.map((pace) =>
      [pace.quiet, pace.flooded].map((values) => ({
        blocks: values.length,
        p50: percentile(values, 0.5),
        slowest: values.toSorted((a, b) => b - a).slice(0, 3),
      })),
    );
    process.stdout.write(`overload: ${JSON.stringify({ paces: told, reports })}\n`);
    expect(sum(({ results }) => results)).toBeGreaterThan(1_000);
    expect(sum(shed)).toBeGreaterThan(0);
    expect(sum(({ malformed }) => malformed)).toBe(0);
    // Nobody is served by an internal error.
    expect(sum(({ codes }) => codes['-32603'] ?? 0)).toBe(0);
    expect({ told, kept: kept() }).toEqual({ told, kept: true });
  });
});
