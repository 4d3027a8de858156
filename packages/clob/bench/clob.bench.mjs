/**
 * Records per second of the order book, and the time of each hundred: matching alone, and the whole engine with margin, events,
 * records and root, beside npm nodejs-order-book (matching alone) and a bare ladder, the bound of what JavaScript can, on the same seeded streams. Prints a table with the goals of
 * the project, met or not; with --json FILE also one entry for each figure.
 *
 *   npm run bench:clob [-- --operations 100000 --rounds 5 --warm 4 --only "maker mix" --liquibook PROGRAM --json FILE]
 *
 *   npm run bench:clob -- --shards 2,4,8: what spreading markets over threads is worth, see shards.mjs
 *   npm run bench:clob -- --deleverage 100000: what deleveraging among so many holders costs, see deleverage.mjs
 *   npm run bench:clob -- --settle 100000: what settling losses, and the end of a market, cost among so many holders, see settle.mjs
 *   npm run bench:clob -- --guards 80: what limits of markets, prices from outside and waiting triggers cost, see guards.mjs; ends with 1 when all of them
 *     together leave less than so many percent of the engine's speed
 *   npm run bench:clob -- --oracle 256: what price reports of so many markets cost, see oracle.mjs
 *
 * Each contender has a process of its own and a number of passes over other seeds that are not counted: an exchange runs for weeks, and
 * what the compiler does in its first second is not what it does then. In the first its answers are checked. Then they take turns on
 * new instances, round by round, so that a slow moment of the machine meets all of them; medians of the rounds are told.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { benchArguments, refuseArguments } from '@prime/testkit/arguments';
import { recordsPerSample } from './bare.mjs';
import { tellDeleveraging } from './deleverage.mjs';
import { tellReports } from './oracle.mjs';
import { tellSettling } from './settle.mjs';
import { tellShards } from './shards.mjs';
import { streams } from './streams.mjs';

const options = benchArguments('bench:clob', {
  operations: { meaning: 'operations of a stream', usual: 100_000 },
  rounds: { meaning: 'rounds that are counted', usual: 5 },
  warm: { meaning: 'passes before them that are not', usual: 4 },
  only: { meaning: 'one stream by its name, as "maker mix"', usual: '' },
  liquibook: { meaning: 'program that runs liquibook on a stream', usual: '' },
  shards: { meaning: 'in place of all that: threads over which markets are spread, as 2,4,8', usual: [] },
  deleverage: { meaning: 'in place of all that: holders among whom to deleverage, as 100000', usual: 0, least: 0 },
  settle: { meaning: 'in place of all that: holders among whom to settle, as 100000', usual: 0, least: 0 },
  guards: {
    meaning:
      'in place of all that: percent of its speed that an engine has left with limits, oracle and waiting triggers, at least',
    usual: 0,
    least: 0,
  },
  oracle: { meaning: 'in place of all that: markets whose prices are reported, as 256', usual: 0, least: 0 },
  validators: { meaning: 'with --oracle: who reports them', usual: 100 },
  json: { meaning: 'file for the figures', usual: '' },
});
const { rounds, warm: warmPasses } = options;
const chosen = streams.filter(({ name }) => options.only === '' || name === options.only);
if (chosen.length === 0)
  refuseArguments('bench:clob', `--only names no stream: ${streams.map(({ name }) => `'${name}'`).join(', ')}`);

/** Sizes of blocks: as many single actions as a default network takes in one, and smaller ones. */
const [blockFull, blockMiddle, blockSmall] = [5000, 1000, recordsPerSample];
/** An engine without guards of its markets, then with each and with all of them, by the size of blocks. */
const guardedSizes = [blockFull, blockMiddle, blockSmall];
const guarded = guardedSizes.flatMap((block) => [
  { name: `bare, blocks of ${block}`, kind: 'engine', block },
  { name: `limits, ${block}`, kind: 'guarded-limits', block },
  { name: `oracle, ${block}`, kind: 'guarded-oracle', block },
  { name: `triggers, ${block}`, kind: 'guarded-triggers', block },
  { name: `all of them, ${block}`, kind: 'guarded-all', block },
]);
const compared = [
  { name: 'matching, numbers', kind: 'numbers' },
  { name: 'nodejs-order-book', kind: 'peer' },
  { name: `engine, blocks of ${blockFull}`, kind: 'engine', block: blockFull },
  { name: `engine, blocks of ${blockMiddle}`, kind: 'engine', block: blockMiddle },
  { name: `engine, blocks of ${blockSmall}`, kind: 'engine', block: blockSmall },
  { name: `engine as objects, ${blockFull}`, kind: 'told', block: blockFull },
  { name: 'with fees, tiers, funding', kind: 'charged', block: blockFull },
  { name: 'sizes of 10^16 lots', kind: 'fine', block: blockFull },
  { name: 'the same of 10^3 lots', kind: 'coarse', block: blockFull },
  { name: 'matching, bigints', kind: 'bigints' },
  { name: 'bare ladder', kind: 'ladder' },
  ...(options.liquibook === '' ? [] : [{ name: 'liquibook', kind: 'liquibook' }]),
];
const contenders = options.guards > 0 ? guarded : compared;

const sorted = (values) => [...values].sort((a, b) => a - b);
const median = (values) => sorted(values)[values.length >> 1];
const quantile = (ascending, share) => ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))];

/** What a round, and each pass of warming up, takes at least. */
const secondsLeast = 0.4;

/** Between the seeds of warming up. */
const seedStep = 1000;

const report = [];
/** Records per second of processor time in the best round, by figure. */
const bestOf = new Map();
const goals = [];
const bounds = [];

/** Heaps begin as those of a node's threads do (docs/performance/heaps.md). */
const execArgv = ['--expose-gc', '--min-semi-space-size=4', '--initial-old-space-size=64'];

function start(stream, { kind, block = 0 }) {
  const args = [kind, stream.name, String(options.operations), String(block), options.liquibook];
  return fork(new URL('contender.mjs', import.meta.url), args, { execArgv });
}

async function runOnce(child, shift, isCheck) {
  child.send({ shift, isCheck, seconds: secondsLeast });
  const [result] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`a contender ended with ${code}`))),
  ]);
  return result;
}

/** An engine of others may mean something else by a word of the stream: then the table shows where it ended. */
function check({ name, kind }, { trades, live, refused = 0, expected }) {
  if (kind === 'liquibook' || (trades === expected.trades && live === expected.live && refused === 0)) return;
  const found = `${trades} trades, ${live} live, ${refused} refused`;
  throw new Error(`${name}: ${found}; the stream has ${expected.trades} trades, ${expected.live} live`);
}

async function measure(stream) {
  const children = contenders.map((contender) => start(stream, contender));
  const firsts = [];
  for (const [index, child] of children.entries())
    for (let pass = 1; pass <= warmPasses; pass++) {
      const result = await runOnce(child, pass * seedStep, pass === 1);
      check(contenders[index], result);
      if (pass === 1) firsts.push(result);
    }
  const runs = children.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [index, child] of children.entries()) {
      const result = await runOnce(child, 0, false);
      check(contenders[index], result);
      runs[index].push(result);
    }
  for (const child of children) child.disconnect();
  return contenders.map((contender, index) => figureOf(stream, contender, firsts[index], runs[index]));
}

function figureOf(stream, { name }, first, runs) {
  const { writesPerBlock, eventsPerBlock } = first;
  const { trades, live } = runs[0];
  const perSecond = median(runs.map(({ counted, seconds }) => counted / seconds));
  const perCpuSecond = median(runs.map(({ counted, cpuSeconds }) => counted / cpuSeconds));
  const samples = sorted(runs.flatMap((run) => run.samples));
  const micros = (share) => Math.round(quantile(samples, share) * 1e6);
  const times = { p50: micros(0.5), p99: micros(0.99), p999: micros(0.999) };
  const figure = { stream: stream.name, name, perSecond, perCpuSecond, ...times };
  bestOf.set(figure, Math.max(...runs.map(({ counted, cpuSeconds }) => counted / cpuSeconds)));
  report.push(figure);
  const rates = [perSecond, perCpuSecond].map((value) => Math.round(value).toLocaleString('en').padStart(12)).join('');
  const micro = Object.values(times)
    .map((value) => String(value).padStart(9))
    .join('');
  const records =
    writesPerBlock === undefined ? '' : `, ${eventsPerBlock} events and ${writesPerBlock} records a block`;
  console.log(`  ${name.padEnd(24)}${rates}${micro}  ${trades} trades, ${live} live${records}`);
  return figure;
}

function goal(text, found, isMet) {
  goals.push({ text, found, isMet });
}

function judge({ name }, [bare, peer, engine, , small, , charged, , ladder, native]) {
  // Processor time: what else the machine does takes whole slices out of one contender and not of another.
  const times = (figure, other) => figure.perCpuSecond / other.perCpuSecond;
  const ratio = (text, figure, other, least) => {
    const found = times(figure, other);
    goal(`${name}: ${text}`, `${found.toFixed(found < 10 ? 2 : 1)} x`, found >= least);
  };
  ratio('matching alone >= 60 x nodejs-order-book', bare, peer, 60);
  bounds.push(`${name}: a bare ladder is ${times(ladder, peer).toFixed(1)} x nodejs-order-book`);
  ratio('engine >= 15 x nodejs-order-book', engine, peer, 15);
  ratio('engine with fees, tiers and funding >= 0.5 x without', charged, engine, 0.5);
  if (native !== undefined) ratio('matching alone >= 2 x liquibook', bare, native, 2);
  if (name === 'maker mix') {
    const found = `${Math.round(engine.perSecond).toLocaleString('en')}, of processor time ${Math.round(engine.perCpuSecond).toLocaleString('en')}`;
    goal(`${name}: engine >= 1 M records/s`, found, engine.perSecond >= 1e6);
  }
  if (name === 'bursts' || name === 'sweeps')
    for (const figure of [bare, small])
      goal(
        `${name}: p99 of 100 records < 2 ms, ${figure.name}`,
        `${(figure.p99 / 1e3).toFixed(2)} ms`,
        figure.p99 < 2000,
      );
}

/** What is left of the speed of the engine without guards, by size of blocks. */
function judgeGuards({ name }, figures) {
  const least = options.guards / 100;
  // The best round of each: what else the machine does takes processor time of it, and never gives any.
  const share = (figure, bare) => bestOf.get(figure) / bestOf.get(bare);
  const each = figures.length / guardedSizes.length;
  for (let at = 0; at < figures.length; at += each) {
    const [bare, ...others] = figures.slice(at, at + each);
    const all = others.at(-1);
    const found = others.map((figure) => `${figure.name.split(',')[0]} ${share(figure, bare).toFixed(2)}`).join(', ');
    goal(`${name}: ${all.name} >= ${least} x bare`, found, share(all, bare) >= least);
  }
}

if (options.deleverage > 0) {
  tellDeleveraging({ holders: options.deleverage, rounds });
  process.exit();
}
if (options.settle > 0) {
  tellSettling({ holders: options.settle, rounds });
  process.exit();
}
if (options.oracle > 0) {
  tellReports({ markets: options.oracle, validators: options.validators, rounds });
  process.exit();
}
if (options.shards.length > 0) {
  for (const stream of chosen.filter(({ name }) => options.only !== '' || name.includes('markets')))
    tellShards(stream, options.shards, { rounds, operations: options.operations });
  process.exit();
}
console.log(
  `records/s, records per second of processor time; p50, p99, p99.9 of ${recordsPerSample} records, or of a block, µs`,
);
const judged = options.guards > 0 ? judgeGuards : judge;
const measured = chosen.filter(({ name }) => options.guards === 0 || options.only !== '' || name === 'maker mix');
for (const stream of measured) {
  console.log(`${stream.name}: ${stream.note}`);
  judged(stream, await measure(stream));
}
console.log('goals');
for (const { text, found, isMet } of goals)
  console.log(`  ${isMet ? 'met    ' : 'not met'}  ${text.padEnd(66)} ${found}`);
if (options.guards > 0 && goals.some(({ isMet }) => !isMet)) process.exitCode = 1;
if (bounds.length > 0)
  console.log('bounds: queues in typed arrays without ids, events, owners and undo, see ladder.mjs');
for (const text of bounds) console.log(`  ${text}`);
if (options.json !== '') {
  const machine = { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version };
  writeFileSync(options.json, `${JSON.stringify({ machine, rounds, figures: report, goals }, null, 2)}\n`);
}
