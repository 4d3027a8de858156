import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { cryptoProvider } from '@prime/crypto';
import type { Testnet } from '@prime/testkit';
import { benchArguments, refuseArguments } from '@prime/testkit/arguments';
import { type Kind, kinds, sharesOf } from './profile/kinds.ts';
import { threadTimes, type ThreadTimes, usedBetween, whyNoThreadTimes } from './profile/processTime.ts';
import { defaultDirectory, Profiler } from './profile/profiler.ts';
import { unbundledProgram, withNetwork } from './scenario.ts';
import { type LoadName, loadNames, prepareLoad, type WriteLoad } from './writeLoad/loads.ts';
import { type SendOptions, type SentLoad, sendLoad } from './writeLoad/sendLoad.ts';
import { machineWords, printJson } from './figures.ts';

/**
 * Where processor time of the write path goes: a network of processes, loaded three times: to warm up, to count processor time with nothing else at work, and
 * with profilers. Shares of the profile are told of the time that was counted without them. Outcomes are verified each time; a run that fails shows no figure.
 *
 *   npm run profile -- transfers|erc20|orders|batches [--validators 1|4] [--messages 8000] [--warm 1] [--out DIR]
 */
const [name] = process.argv.splice(2, 1);
const isLoad = (text: string | undefined): text is LoadName => loadNames.some((known) => known === text);
if (name === '--help') process.argv.push(name);
else if (!isLoad(name)) refuseArguments('profile', `what to send is missing: one of ${loadNames.join(', ')}`);
const options = benchArguments('profile', {
  validators: { meaning: 'validators of the network', usual: 1 },
  messages: { meaning: 'messages of each of the two measured parts; of batches a twentieth', usual: 8_000, least: 200 },
  warm: { meaning: 'parts before them, to warm up: what is compiled is so after three', usual: 1, least: 1 },
  out: { meaning: 'folder of flame graphs and profiles, made anew', usual: defaultDirectory },
});
const noTimes = whyNoThreadTimes();
if (noTimes !== null) refuseArguments('profile', noTimes);
const load = name as LoadName;
const directory = join(options.out, `${load}-${options.validators}`);
rmSync(directory, { recursive: true, force: true });
const profiler = new Profiler(directory);
/** Messages that may wait: some blocks of them. */
const outstandingMax = 6_000;
/** Sent behind the profile: threads of pools wait for work, and hear of its end with the next. Few signatures would be checked elsewhere. */
const wakingMessages = 256;
/** Threads that are no worker of the node. */
const helpers = 'V8, libuv, LevelDB';

/** µs of an item, by thread and kind, on one node. */
type Costs = ReadonlyMap<string, ReadonlyMap<Kind, number>>;

await withNetwork(
  { validators: options.validators, sheds: false, program: unbundledProgram, environment: profiler.environment },
  async (testnet) => {
    const url = testnet.url(0);
    const prepared = await prepareLoad(load, { url, provider: await cryptoProvider() });
    const messages = load === 'batches' ? Math.ceil(options.messages / 20) : options.messages;
    const part = (told: Pick<SendOptions, 'onIncluded'> = {}): Promise<SentLoad> =>
      sendLoad(prepared, { url, messages, outstandingMax, ...told });
    const pids = Array.from({ length: testnet.count }, (_, index) => testnet.pid(index)!);
    for (let round = 0; round < options.warm; round++) await part();
    const before = pids.map(threadTimes);
    let after: readonly ThreadTimes[] = [];
    const sent = await part({ onIncluded: () => void (after = pids.map(threadTimes)) });
    profiler.begin(pids);
    await part();
    profiler.end();
    await sendLoad(prepared, { url, messages: wakingMessages, outstandingMax });
    await print({ testnet, prepared, sent, pids, before, after });
  },
);

interface Profiled {
  readonly testnet: Testnet;
  readonly prepared: WriteLoad;
  readonly sent: SentLoad;
  /** Of the nodes, as the lists of times are. */
  readonly pids: readonly number[];
  readonly before: readonly ThreadTimes[];
  readonly after: readonly ThreadTimes[];
}

async function print({ testnet, prepared, sent, pids, before, after }: Profiled): Promise<void> {
  const profiles = await profiler.cpuProfiles();
  const perf = await profiler.perfStacks();
  const nodes = pids.map((pid, node): Costs => {
    const names = profiler.threadsOf(pid);
    const costs = new Map<string, Map<Kind, number>>();
    for (const [thread, micros] of usedBetween(before[node]!, after[node]!)) {
      const threadName = names.get(thread) ?? helpers;
      const own = costs.get(threadName) ?? new Map<Kind, number>();
      costs.set(threadName, own);
      const v8 = profiles.get(pid)!.get(thread)?.stacks ?? [];
      for (const [kind, share] of sharesOf(v8, perf.get(thread) ?? []))
        own.set(kind, (own.get(kind) ?? 0) + (share * micros) / sent.items);
    }
    return costs;
  });
  profiler.tidy();
  const item = prepared.itemsPerMessage === 1 ? prepared.name : `orders in batches of ${prepared.itemsPerMessage}`;
  console.log(
    `\n${item}, ${testnet.count} validator(s): ${sent.items} included in ${sent.blocks} blocks, each exactly once; ` +
      `${Math.round(sent.perSecond)} a second; in a block after ${Math.round(sent.p50Ms)} ms (p50), ${Math.round(sent.p99Ms)} ms (p99)`,
  );
  console.log(machineWords());
  const rows = [
    tableOf('node that is asked', [nodes[0]!]),
    ...(nodes.length > 1 ? [tableOf('mean of the others', nodes.slice(1))] : []),
  ];
  for (const { title, table } of rows) {
    console.log(`\n${title}: µs of processor time for one item`);
    console.table(table);
  }
  if (!profiler.hasPerf)
    console.log(
      'perf can not be used here: "malloc" and "kernel" are within the kinds that called them, helper threads are "other"',
    );
  console.log(`flame graphs (.svg) and profiles for Chrome or speedscope (.cpuprofile): ${directory}`);
  printJson({ name: `profile ${load}`, sent, rows });
}

/** A row for each thread and one for all of them; the mean of the nodes. */
function tableOf(title: string, nodes: readonly Costs[]) {
  const sums = new Map<string, Map<string, number>>();
  const add = (thread: string, kind: string, micros: number): void => {
    const row = sums.get(thread) ?? new Map<string, number>();
    sums.set(thread, row);
    row.set(kind, (row.get(kind) ?? 0) + micros / nodes.length);
  };
  for (const costs of nodes)
    for (const [thread, byKind] of costs)
      for (const [kind, micros] of byKind)
        for (const row of [thread, 'all']) for (const column of [kind, 'all']) add(row, column, micros);
  const columns = ['all', ...kinds].filter((kind) => (sums.get('all')?.get(kind) ?? 0) >= 0.05);
  const ordered = [...sums].toSorted(
    ([a, one], [b, other]) => Number(a === 'all') - Number(b === 'all') || other.get('all')! - one.get('all')!,
  );
  const table = Object.fromEntries(
    ordered.map(([thread, row]) => [
      thread,
      Object.fromEntries(columns.map((kind) => [kind, Number((row.get(kind) ?? 0).toFixed(1))])),
    ]),
  );
  return { title, table };
}
