/**
 * Records per second of the order book, and the time of each hundred: matching alone, and the whole engine with margin, events,
 * records and root, beside npm nodejs-order-book (matching alone) on the same seeded streams. Prints a table with the goals of
 * the project, met or not; with --json FILE also one entry for each figure.
 *
 *   npm run bench:clob [-- --operations 100000 --rounds 3 --only "maker mix" --json FILE]
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { createNarrowBook, createWideBook } from '../dist/book.js';
import { recordsPerSample, runBook, runPeer } from './bare.mjs';
import { runEngine } from './engine.mjs';
import { streams } from './streams.mjs';

const { values: options } = parseArgs({
  options: {
    operations: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    json: { type: 'string' },
  },
});
const rounds = Number(options.rounds);
const operations = Number(options.operations);
/** Actions in a block where throughput is measured. */
const blockActions = 1000;

/** Contenders; the last two run a part of the stream, which is enough for them. */
const contenders = [
  { name: 'matching, numbers', share: 1, run: (stream) => runBook(stream, createNarrowBook) },
  { name: 'nodejs-order-book', share: 1, run: runPeer },
  { name: `engine, blocks of ${blockActions}`, share: 0.3, run: (stream) => runEngine(stream, blockActions) },
  {
    name: `engine, blocks of ${recordsPerSample}`,
    share: 0.3,
    run: (stream) => runEngine(stream, recordsPerSample),
  },
  // Last: numbers are what runs, and bigints in the same code would spoil what the compiler learnt of it.
  { name: 'matching, bigints', share: 1, run: (stream) => runBook(stream, createWideBook) },
];

const sorted = (values) => [...values].sort((a, b) => a - b);
const median = (values) => sorted(values)[values.length >> 1];
const quantile = (ascending, share) => ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))];

const report = [];
const goals = [];

function check(stream, { name, share }, { trades, live, refused = 0 }) {
  if (trades === stream.trades && live === stream.live && refused === 0) return;
  const found = `${trades} trades, ${live} live, ${refused} refused`;
  throw new Error(`${name}: ${found}; the stream has ${stream.trades} trades, ${stream.live} live (share ${share})`);
}

function print(stream, { name }, { perSecond, perCpuSecond, samples, note }) {
  const micros = (share) => Math.round(quantile(samples, share) * 1e6);
  const times = { p50: micros(0.5), p99: micros(0.99), p999: micros(0.999) };
  const figure = { stream: stream.name, name, perSecond, perCpuSecond, ...times };
  report.push(figure);
  const rates = [perSecond, perCpuSecond].map((value) => Math.round(value).toLocaleString('en').padStart(12)).join('');
  const micro = Object.values(times)
    .map((value) => String(value).padStart(9))
    .join('');
  console.log(`  ${name.padEnd(24)}${rates}${micro}  ${note}`);
  return figure;
}

function goal(text, found, isMet) {
  goals.push({ text, found, isMet });
}

/** Round by round, so that a slow moment of the machine meets all contenders. */
function measure(stream) {
  const made = new Map();
  const streamOf = (share) => {
    const count = Math.max(blockActions, Math.round(operations * share));
    if (!made.has(count)) made.set(count, stream.make(count));
    return made.get(count);
  };
  const runs = contenders.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [index, contender] of contenders.slice(0, -1).entries()) {
      const input = streamOf(contender.share);
      const result = contender.run(input);
      check(input, contender, result);
      runs[index].push(result);
    }
  return { runs, streamOf };
}

function figuresOf(stream, contender, input, runs) {
  const counted = input.operations.length - input.warm;
  const perSecond = counted / median(runs.map(({ seconds }) => seconds));
  const perCpuSecond = counted / median(runs.map(({ cpuSeconds }) => cpuSeconds));
  const samples = sorted(runs.flatMap((run) => run.samples));
  const [{ trades, live, writesPerBlock, eventsPerBlock }] = runs;
  const records =
    writesPerBlock === undefined ? '' : `, ${eventsPerBlock} events and ${writesPerBlock} records a block`;
  return print(stream, contender, {
    perSecond,
    perCpuSecond,
    samples,
    note: `${trades} trades, ${live} live${records}`,
  });
}

const chosen = streams.filter(({ name }) => options.only === undefined || name === options.only);
console.log(
  `records/s, records per second of processor time; p50, p99, p99.9 of ${recordsPerSample} records, or of a block, µs`,
);
const wide = [];
for (const stream of chosen) {
  console.log(`${stream.name}: ${stream.note}`);
  const { runs, streamOf } = measure(stream);
  const [bare, peer, engine, small] = contenders
    .slice(0, -1)
    .map((contender, index) => figuresOf(stream, contender, streamOf(contender.share), runs[index]));
  // Processor time: what else the machine does takes whole slices out of one contender and not of another.
  const times = (figure) => figure.perCpuSecond / peer.perCpuSecond;
  const { name } = stream;
  goal(`${name}: matching alone >= 60 x nodejs-order-book`, `${times(bare).toFixed(1)} x`, times(bare) >= 60);
  goal(`${name}: engine >= 15 x nodejs-order-book`, `${times(engine).toFixed(2)} x`, times(engine) >= 15);
  if (name === 'maker mix')
    goal(
      `${name}: engine >= 1 M records/s`,
      Math.round(engine.perSecond).toLocaleString('en'),
      engine.perSecond >= 1e6,
    );
  if (name === 'bursts' || name === 'sweeps')
    for (const figure of [bare, small])
      goal(
        `${name}: p99 of 100 records < 2 ms, ${figure.name}`,
        `${(figure.p99 / 1e3).toFixed(2)} ms`,
        figure.p99 < 2000,
      );
  wide.push({ stream, input: streamOf(1) });
}
console.log('the book of bigints, which takes over markets whose numbers leave the exact range');
const wideBook = contenders[contenders.length - 1];
for (const { stream, input } of wide) {
  const result = wideBook.run(input);
  check(input, wideBook, result);
  figuresOf(stream, { name: stream.name }, input, [result]);
}
console.log('goals');
for (const { text, found, isMet } of goals)
  console.log(`  ${isMet ? 'met    ' : 'not met'}  ${text.padEnd(66)} ${found}`);
if (options.json !== undefined) {
  const machine = { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version };
  writeFileSync(options.json, `${JSON.stringify({ machine, rounds, figures: report, goals }, null, 2)}\n`);
}
