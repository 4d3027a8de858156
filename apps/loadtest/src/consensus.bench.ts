import { RpcClient } from './client.ts';
import { percentiles, report, round } from './figures.ts';
import { withNetwork } from './scenario.ts';

/**
 * Blocks per second of an empty network with everything on (TLS, fsync, execution, state root): block intervals as the headers
 * tell them, the minimum interval set to 0. Usage: consensus.bench.js [blocks] [validators]
 */
const blocks = Number(process.argv[2] ?? 500);
const validators = Number(process.argv[3] ?? 4);

const unpaced = (genesis: Record<string, unknown>): void => {
  Object.assign(genesis['consensus'] as object, { minBlockIntervalMs: 0, emptyBlockIntervalMs: 0 });
};

await withNetwork({ validators, genesis: unpaced }, async (testnet) => {
  const client = new RpcClient(testnet.url(0), 4);
  const height = async (): Promise<number> => Number(await client.call<string>('eth_blockNumber', []));
  const from = (await height()) + 20;
  while ((await height()) < from + blocks) await new Promise((resolve) => setTimeout(resolve, 20));
  const times: number[] = [];
  for (let number = from; number <= from + blocks; number++) {
    const block = await client.call<{ timestamp_ms: string }>('prime_getBlockByNumber', [
      `0x${number.toString(16)}`,
      false,
    ]);
    times.push(Number(block.timestamp_ms));
  }
  await client.close();
  const intervals = times.slice(1).map((time, index) => time - times[index]!);
  const { p50, p90, p99, max } = percentiles(intervals);
  const perSecond = round((blocks * 1000) / (times.at(-1)! - times[0]!));
  report(`empty blocks, ${validators} validators`, { interval: { blocks, perSecond, p50, p90, p99, max } });
});
