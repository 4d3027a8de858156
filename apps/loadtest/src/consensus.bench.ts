import { rpc } from '@prime/load/rpc';
import type { Testnet } from '@prime/testkit';
import { benchArguments } from '@prime/testkit/arguments';
import { type BareFigures, runBareNetwork } from './bare/network.ts';
import { percentiles, report, round } from './figures.ts';
import { type NodeSample, sampleNode } from './nodeSample.ts';
import { clientOf, pause, sendRaw, signTransfersOf, withNetwork } from './scenario.ts';

/**
 * The happy path of a real network with everything on (TLS, fsync, execution, state root) and nothing between two blocks but the
 * work itself: blocks per second, intervals between blocks as the headers tell them, processor time of a block on each validator by
 * thread, and syncs. Before and after it the peer runs: processes that do nothing but the happy path ({@link runBareNetwork}).
 *
 * Usage: consensus.bench.js [--blocks 500] [--warmup 10000] [--validators 4|7|16] [--block-bytes 0|1024]
 *
 * Validators run for weeks. What runs a few times a block has run often enough for V8 to compile it for speed only after thousands of blocks: block 2000
 * takes a third more processor time than block 10 000, or twice as much, after which nothing changes any more. `--warmup 200` shows processes that are seconds old.
 *
 * With `--block-bytes` each block has room for one transaction of about that size, and the pool always holds some.
 */
const {
  blocks,
  warmup,
  validators,
  'block-bytes': blockBytes,
} = benchArguments('bench:consensus', {
  blocks: { meaning: 'blocks that are measured', usual: 500 },
  warmup: { meaning: 'blocks before them', usual: 10_000, least: 0 },
  validators: { meaning: '4, 7 or 16', usual: 4 },
  'block-bytes': { meaning: 'bytes of a block, filled by transfers; 0: empty blocks', usual: 0, least: 0 },
});
/** Of a signed transfer without call data, bytes. */
const transferBytes = 120;
/** The least that genesis allows. */
const blockBytesMin = 1_024;

const unpaced = (genesis: Record<string, unknown>): void => {
  const limits = blockBytes === 0 ? {} : { maxBlockBytes: Math.max(blockBytes, blockBytesMin) };
  Object.assign(genesis['consensus'] as object, { minBlockIntervalMs: 0, emptyBlockIntervalMs: 0, ...limits });
};

/** Between two looks at the network, ms: who looks shares the cores with it. */
const pollMs = 250;

/**
 * Keeps transactions waiting until it is stopped; they are signed before anything is measured. It shares the cores with the network, and tells
 * in one request what is missing: a request for each would be a benchmark of requests.
 */
async function feed(testnet: Testnet, count: number): Promise<{ stop(): Promise<void> }> {
  const url = testnet.url(0);
  const senders = 4;
  const each = Math.ceil(count / senders);
  const data = `0x${'5a'.repeat(Math.max(0, blockBytes - transferBytes))}` as const;
  const signed = await signTransfersOf(url, senders, each, data);
  const raws = Array.from(
    { length: senders * each },
    (_, index) => signed[index % senders]![Math.floor(index / senders)]!,
  );
  let stopped = false;
  const run = async (): Promise<void> => {
    while (!stopped && raws.length > 0) {
      const { pending } = await rpc<{ pending: string }>(url, 'txpool_status');
      const missing = raws.splice(0, Math.max(0, waitingMax - Number(pending)));
      if (missing.length > 0) await sendRaw(url, missing);
      await pause(pollMs);
    }
  };
  const running = run();
  return {
    async stop() {
      stopped = true;
      await running;
    },
  };
}
/** Transactions that wait at most: for more blocks than are decided between two looks. */
const waitingMax = 64;

async function measure(testnet: Testnet): Promise<number[]> {
  const feeder = blockBytes === 0 ? null : await feed(testnet, warmup + blocks + 200);
  const url = testnet.url(0);
  const height = async (): Promise<number> => Number(await rpc<string>(url, 'eth_blockNumber'));
  const reach = async (goal: number): Promise<number> => {
    for (;;) {
      const at = await height();
      if (at >= goal) return at;
      await pause(pollMs);
    }
  };
  const nodes = Array.from({ length: testnet.count }, (_, index) => testnet.adminUrl(index));
  const from = await reach((await height()) + warmup);
  const before = await Promise.all(nodes.map(sampleNode));
  const to = await reach(from + blocks);
  const after = await Promise.all(nodes.map(sampleNode));
  await feeder?.stop();
  const client = clientOf(url);
  const times: number[] = [];
  let filled = 0;
  for (let number = from; number <= to; number++) {
    const block = await client.getNativeBlock({ block: BigInt(number) });
    times.push(block!.timestampMs);
    if (block!.transactions.length > 0) filled += 1;
  }
  const intervals = times.slice(1).map((time, index) => time - times[index]!);
  const { p50, p90, p99, max } = percentiles(intervals);
  const perSecond = round(((to - from) * 1000) / (times.at(-1)! - times[0]!));
  const kind = blockBytes === 0 ? 'empty blocks' : `blocks of ${blockBytes} bytes`;
  report(`${kind}, ${validators} validators, after ${warmup} blocks, ms between blocks`, {
    interval: { blocks: to - from, filled, perSecond, p50, p90, p99, max },
  });
  report('processor time of a block on each validator, ms', { mean: perBlock(before, after, 'cpuMs') });
  report('waits for the disk of a block on each validator', {
    mean: perBlock(before, after, 'syncs'),
    'mean, ms': perBlock(before, after, 'syncMs'),
  });
  return intervals;
}

/** Mean over the validators of what one block cost, by thread or file, and the sum. */
function perBlock(
  before: readonly NodeSample[],
  after: readonly NodeSample[],
  what: 'cpuMs' | 'syncs' | 'syncMs',
): Record<string, number> {
  const means: Record<string, number> = {};
  let total = 0;
  for (const name of Object.keys(after[0]![what])) {
    const each = after.map((node, index) => {
      const made = node.height - before[index]!.height;
      return ((node[what][name] ?? 0) - (before[index]![what][name] ?? 0)) / made;
    });
    const mean = each.reduce((sum, value) => sum + value, 0) / each.length;
    total += mean;
    means[name] = round(mean);
  }
  return { ...means, total: round(total) };
}

/** Beside what no validator can be faster than: half of its blocks are from before the network ran, half from after it. */
function compare(own: readonly number[], peers: readonly BareFigures[]): void {
  const prime = rowOf(own);
  const bare = rowOf(peers.flatMap(({ intervals }) => intervals));
  const ratio = { ...prime };
  for (const name of Object.keys(prime) as (keyof typeof prime)[]) ratio[name] = round(prime[name] / bare[name]);
  const cpuMs = peers.reduce((sum, each) => sum + each.cpuMs, 0) / peers.length;
  report('beside the bare happy path, ms between blocks', { prime, bare, ratio });
  report('processor time of a bare block on each validator, ms', { mean: { total: round(cpuMs) } });
}

function rowOf(intervals: readonly number[]) {
  const { p50, p90, p99, max } = percentiles(intervals);
  const mean = intervals.reduce((sum, interval) => sum + interval, 0) / intervals.length;
  return { perSecond: round(1000 / mean), mean: round(mean), p50, p90, p99, max };
}

const bare = { validators, blocks: Math.ceil(blocks / 2), warmup, bodyBytes: blockBytes };
const peers = [await runBareNetwork(bare)];
// Many validators on few cores are late for everybody, and what is measured here is not how they refuse callers.
const own = await withNetwork({ validators, sheds: false, genesis: unpaced }, measure);
peers.push(await runBareNetwork(bare));
compare(own, peers);
