import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { endpointOf, HttpChannel, requestWriter } from '@prime/load';
import { benchArguments } from '@prime/testkit/arguments';

/**
 * How many requests a second one core of a load generator sends and hears the answers of, so that it is not what is measured: this process against a
 * bare server of uWebSockets.js, which has a core of its own. A closed loop, with so many requests under way on each connection.
 *
 *   npm run bench:generator -- [--rounds 5] [--seconds 2.5] [--connections 16] [--depths 1,16,64]
 *
 * `generator %` is the share of a core that this process used. Where it is below 100 the server was the bound.
 */
const options = benchArguments('bench:generator', {
  rounds: { meaning: 'rounds of each depth, in turn', usual: 5 },
  seconds: { meaning: 'length of a round', usual: 2.5 },
  connections: { meaning: 'connections', usual: 16 },
  depths: { meaning: 'requests under way on a connection', usual: [1, 16, 64] },
});
/** Requests a second, with the deepest pipeline. */
const goal = 100_000;

interface Sample {
  readonly perSecond: number;
  readonly generatorShare: number;
}

/** @throws LoadError when the server ends a connection; Error for an answer that is none */
function measure(url: string, depth: number, milliseconds: number): Promise<Sample> {
  const endpoint = endpointOf(url);
  const write = requestWriter(endpoint);
  const started = performance.now();
  const processorStart = process.cpuUsage();
  const end = started + milliseconds;
  let [sent, answered, open] = [0, 0, options.connections];
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      const elapsedMs = performance.now() - started;
      const { user, system } = process.cpuUsage(processorStart);
      resolve({ perSecond: (answered * 1000) / elapsedMs, generatorShare: (user + system) / 1000 / elapsedMs });
    };
    const begin = (channel: HttpChannel): void => {
      const next = (): void =>
        channel.send(
          write(`{"jsonrpc":"2.0","id":${1_000_000 + (sent++ % 9_000_000)},"method":"eth_blockNumber","params":[]}`),
          onReply,
        );
      const onReply = (status: number): void => {
        if (status !== 200) return reject(new Error(`the bare server answered ${status}`));
        answered++;
        if (performance.now() < end) return next();
        // What is under way is waited for.
        if (channel.unanswered > 0) return;
        channel.close();
        if (--open === 0) finish();
      };
      for (let under = 0; under < depth; under++) next();
    };
    for (let index = 0; index < options.connections; index++) begin(new HttpChannel({ endpoint, onLost: reject }));
  });
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

async function compareDepths(url: string): Promise<void> {
  const samples = new Map(options.depths.map((depth) => [depth, [] as Sample[]]));
  for (const depth of options.depths) await measure(url, depth, options.seconds * 1000);
  for (let round = 0; round < options.rounds; round++)
    for (const [depth, own] of samples) own.push(await measure(url, depth, options.seconds * 1000));
  const rows = [...samples].map(([depth, own]) => ({
    'under way': depth,
    'requests/s': Math.round(median(own.map(({ perSecond }) => perSecond))),
    'generator %': Math.round(100 * median(own.map(({ generatorShare }) => generatorShare))),
  }));
  console.table(rows);
  const most = Math.max(...rows.map((row) => row['requests/s']));
  console.log(`most: ${most} requests/s (goal ${goal}: ${most >= goal ? 'met' : 'NOT MET'})`);
  console.log(JSON.stringify({ name: 'load generator', rows, node: process.version, cores: availableParallelism() }));
}

const server: ChildProcess = fork(fileURLToPath(new URL('./generatorBench/bareServer.worker.js', import.meta.url)));
try {
  const [port] = (await once(server, 'message')) as [number];
  console.log(
    `one core of generator against a bare server, ${options.connections} connections, ${options.rounds} rounds of ${options.seconds} s, medians — ` +
      `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}`,
  );
  await compareDepths(`http://127.0.0.1:${port}`);
} finally {
  server.kill();
}
