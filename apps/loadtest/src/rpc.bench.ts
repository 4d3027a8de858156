import { existsSync, readFileSync } from 'node:fs';
import { createTestnet } from '@prime/testkit';
import { benchArguments } from '@prime/testkit/arguments';
import { startAnvil } from './rpcBench/anvil.ts';
import { LoadGenerator, type LoadResult } from './rpcBench/load.ts';
import { prepare } from './rpcBench/prepare.ts';
import { type Workload, workloads } from './rpcBench/workloads.ts';
import { machineWords, median, printJson } from './figures.ts';

/**
 * Reads over HTTP beside anvil, in one run and interleaved: same transactions before, same generator, same connections, rounds in
 * turn, medians. Every kind of request has a goal, a ratio; whether it is met is printed, not asserted, since machines differ.
 *
 *   node apps/loadtest/dist/rpc.bench.js [--rounds 5] [--seconds 1.5] [--connections 32] [--validators 1] [--only text] [--anvil PATH]
 *
 * anvil is one idle process, so its counterpart is the node of a network of one validator, which makes an empty block a second; a
 * node of four on the same machine shares it with the other three. `cpu µs` is the processor time of the whole server process for
 * one request (Linux only), which a busy machine disturbs less than the rate.
 */
const options = benchArguments('bench:rpc', {
  rounds: { meaning: 'rounds of each side, in turn', usual: 5 },
  seconds: { meaning: 'length of a round', usual: 1.5 },
  connections: { meaning: 'connections to each side', usual: 32 },
  validators: { meaning: 'validators of the network', usual: 1 },
  only: { meaning: 'requests whose name has this text', usual: '' },
  anvil: { meaning: 'path of anvil; without it, the one that the test clients bring', usual: '' },
});
const { rounds, connections } = options;
const durationMs = options.seconds * 1000;
const chainId = 7919;

interface Server {
  readonly port: number;
  readonly pid: number;
  readonly workloads: readonly Workload[];
}
interface Sample {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly serverMicros: number;
  /** Share of a core that the generator used. */
  readonly generatorShare: number;
}

const generator = new LoadGenerator();
let serial = 1;

async function measure(server: Server, index: number, milliseconds: number): Promise<Sample> {
  const { requests } = server.workloads[index]!;
  const before = processorMicros(server.pid);
  const order = { port: server.port, connections, durationMs: milliseconds, requests, firstSerial: serial };
  const result: LoadResult = await generator.run(order);
  serial += result.answered + connections;
  return {
    perSecond: (result.answered * 1000) / result.elapsedMs,
    p99Ms: result.p99Ms,
    serverMicros: (processorMicros(server.pid) - before) / result.answered,
    generatorShare: result.processorMicros / 1000 / result.elapsedMs,
  };
}

/** Linux counts in hundredths of a second. */
function processorMicros(pid: number): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return Number.NaN;
  const fields = readFileSync(path, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

const rounded = (value: number, digits = 1): number => Number(value.toFixed(digits));

async function compare(anvil: Server, prime: Server, index: number): Promise<Record<string, number | string>> {
  const { name, goal } = prime.workloads[index]!;
  const samples: { readonly anvil: Sample[]; readonly prime: Sample[] } = { anvil: [], prime: [] };
  for (const server of [anvil, prime]) await measure(server, index, durationMs);
  for (let round = 0; round < rounds; round++) {
    // Who is first changes, so that a drift of the machine hits both.
    const order = round % 2 === 0 ? (['anvil', 'prime'] as const) : (['prime', 'anvil'] as const);
    for (const side of order) samples[side].push(await measure(side === 'anvil' ? anvil : prime, index, durationMs));
  }
  const of = (side: 'anvil' | 'prime', key: keyof Sample): number => median(samples[side].map((sample) => sample[key]));
  const ratio = median(samples.prime.map(({ perSecond }, round) => perSecond / samples.anvil[round]!.perSecond));
  return {
    name,
    anvil: Math.round(of('anvil', 'perSecond')),
    prime: Math.round(of('prime', 'perSecond')),
    ratio: rounded(ratio, 2),
    goal: goal ?? '–',
    met: goal === null ? '–' : ratio >= goal ? 'met' : 'NOT MET',
    'anvil cpu µs': rounded(of('anvil', 'serverMicros')),
    'prime cpu µs': rounded(of('prime', 'serverMicros')),
    'anvil p99 ms': rounded(of('anvil', 'p99Ms')),
    'prime p99 ms': rounded(of('prime', 'p99Ms')),
    'generator %': Math.round(100 * Math.max(of('anvil', 'generatorShare'), of('prime', 'generatorShare'))),
  };
}

const portOf = (url: string): number => Number(new URL(url).port);
const anvil = await startAnvil(options.anvil === '' ? undefined : options.anvil);
const testnet = await createTestnet({ validators: options.validators, idlePace: 'preset' });
try {
  await testnet.startAll();
  const [anvilSubjects, primeSubjects] = [await prepare(anvil.url), await prepare(testnet.url(0))];
  const anvilServer = { port: portOf(anvil.url), pid: anvil.pid, workloads: workloads(anvilSubjects, chainId) };
  const primeServer = {
    port: portOf(testnet.url(0)),
    pid: testnet.pid(0)!,
    workloads: workloads(primeSubjects, chainId),
  };
  console.log(
    `reads beside anvil, ${connections} connections, ${rounds} rounds of ${durationMs} ms, medians; ` +
      `Prime is a node of ${options.validators} validator(s) — ` +
      machineWords(),
  );
  const rows: Record<string, number | string>[] = [];
  for (const [index, { name }] of primeServer.workloads.entries()) {
    if (!name.includes(options.only)) continue;
    const row = await compare(anvilServer, primeServer, index);
    console.log(
      `${name}: ${row['prime']}/s, anvil ${row['anvil']}/s, ${row['ratio']}x (goal ${row['goal']}: ${row['met']})`,
    );
    rows.push(row);
  }
  console.table(Object.fromEntries(rows.map(({ name, ...rest }) => [name, rest])));
  printJson({ name: 'reads beside anvil', rows });
} finally {
  generator.close();
  anvil.close();
  await testnet.destroy();
}
