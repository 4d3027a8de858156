/**
 * The bus beside MessagePort and piscina in one run: messages one way, round trips, requests with 64 in flight.
 *
 *   npm run bench:bus [-- --passes 5 --json FILE]
 *
 * Payloads: `raw` are 200 bytes of a fixed layout, `object` a small record with hashes and a bigint (about 200 bytes in
 * msgpack). The contenders take turns within a pass, and figures are medians over the passes, because a shared machine changes its
 * mind: trust the ratios, which are medians of the ratios within one pass. Every contender answers through a promise per request;
 * the one of MessagePort is a map of correlation ids and nothing else, without deadlines, counters or bounds.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isMainThread, MessageChannel, Worker, workerData } from 'node:worker_threads';
import { createLink, linkTransferList, openEndpoint } from '@prime/bus';
import { benchArguments } from '@prime/testkit/arguments';
import { Piscina } from 'piscina';

const inFlight = 64;
const burstMessages = 500;
const counts = { oneWay: 300_000, roundTrips: 4000, pipelined: 300_000, piscina: 50_000 };
const payloads = {
  raw: new Uint8Array(200).fill(7),
  object: {
    hash: `0x${'ab'.repeat(32)}`,
    from: `0x${'cd'.repeat(20)}`,
    amount: 12_345_678_901_234_567_890n,
    height: 17,
    open: true,
    signature: new Uint8Array(24),
  },
};

/** The task of piscina's workers. */
export const echo = (payload) => payload;

const threadFile = new URL(import.meta.url);
const turn = () => new Promise((resolve) => setImmediate(resolve));

function answerOnBus({ descriptor }) {
  let received = 0;
  openEndpoint(descriptor, { handlers: { echo, note: () => void received++, count: () => received } });
}

function answerOnPort({ port }) {
  let received = 0;
  port.on('message', ([correlation, payload]) => {
    if (correlation === 0) received++;
    else port.postMessage([correlation, payload === 'count' ? received : payload]);
  });
}

/** A contender: `request(payload)` and, where one-way messages make sense, `send(payload)` and `count()`. */
function openBus() {
  const link = createLink({ name: 'bench' });
  const worker = new Worker(threadFile, {
    workerData: { kind: 'bus', descriptor: link.b },
    transferList: linkTransferList(link.b),
  });
  const endpoint = openEndpoint(link.a, { handlers: {} });
  return {
    request: (payload) => endpoint.request('echo', payload),
    async send(payload) {
      for (;;) {
        try {
          return endpoint.send('note', payload);
        } catch (error) {
          if (error.code !== 'BUS_FULL') throw error;
          await turn();
        }
      }
    },
    count: () => endpoint.request('count', null),
    async close() {
      endpoint.close();
      await worker.terminate();
    },
  };
}

function openPort() {
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(threadFile, { workerData: { kind: 'port', port: port2 }, transferList: [port2] });
  const pending = new Map();
  let last = 0;
  port1.on('message', ([correlation, payload]) => {
    const resolve = pending.get(correlation);
    pending.delete(correlation);
    resolve(payload);
  });
  const request = (payload) =>
    new Promise((resolve) => {
      pending.set(++last, resolve);
      port1.postMessage([last, payload]);
    });
  return {
    request,
    send: (payload) => port1.postMessage([0, payload]),
    count: () => request('count'),
    async close() {
      port1.close();
      await worker.terminate();
    },
  };
}

function openPiscina() {
  const pool = new Piscina({
    filename: fileURLToPath(threadFile),
    name: 'echo',
    minThreads: 1,
    maxThreads: 1,
    concurrentTasksPerWorker: inFlight,
  });
  return { request: (payload) => pool.run(payload), close: () => pool.destroy() };
}

/** @returns messages per second until the other side has counted them all */
async function measureOneWay({ send, count }, payload) {
  const before = await count();
  const startMs = performance.now();
  for (let sent = 0; sent < counts.oneWay; await turn()) {
    for (let burst = 0; burst < burstMessages; burst++, sent++) {
      const waiting = send(payload);
      if (waiting !== undefined) await waiting;
    }
  }
  while ((await count()) - before < counts.oneWay) await turn();
  return perSecond(counts.oneWay, startMs);
}

/** @returns sorted round trip times in µs, one request at a time */
async function measureRoundTrips({ request }, payload) {
  const timesUs = [];
  for (let index = 0; index < counts.roundTrips; index++) {
    const start = process.hrtime.bigint();
    await request(payload);
    timesUs.push(Number(process.hrtime.bigint() - start) / 1000);
  }
  return timesUs.sort((a, b) => a - b);
}

/** @returns requests per second with 64 in flight */
async function measurePipelined({ request }, payload, total) {
  let left = total;
  const startMs = performance.now();
  const one = async () => {
    while (left-- > 0) await request(payload);
  };
  await Promise.all(Array.from({ length: inFlight }, one));
  return perSecond(total, startMs);
}

const perSecond = (count, startMs) => (count / (performance.now() - startMs)) * 1000;

const contenders = {
  bus: { open: openBus, oneWay: true, pipelined: counts.pipelined },
  port: { open: openPort, oneWay: true, pipelined: counts.pipelined },
  piscina: { open: openPiscina, oneWay: false, pipelined: counts.piscina },
};

/** One pass over all contenders, payloads and measures. @returns figure name to value */
async function runPass() {
  const figures = {};
  for (const [shape, payload] of Object.entries(payloads)) {
    for (const [name, { open, oneWay, pipelined }] of Object.entries(contenders)) {
      const contender = open();
      await measurePipelined(contender, payload, pipelined);
      const times = await measureRoundTrips(contender, payload);
      figures[`${name} ${shape} round trip p50`] = times[times.length >> 1];
      figures[`${name} ${shape} round trip p99`] = times[Math.floor(times.length * 0.99)];
      figures[`${name} ${shape} pipelined`] = await measurePipelined(contender, payload, pipelined);
      if (oneWay) figures[`${name} ${shape} one way`] = await measureOneWay(contender, payload);
      await contender.close();
    }
    for (const peer of ['port', 'piscina'])
      figures[`ratio ${shape} pipelined bus/${peer}`] =
        figures[`bus ${shape} pipelined`] / figures[`${peer} ${shape} pipelined`];
    figures[`ratio ${shape} one way bus/port`] = figures[`bus ${shape} one way`] / figures[`port ${shape} one way`];
    figures[`ratio ${shape} round trip p50 port/bus`] =
      figures[`port ${shape} round trip p50`] / figures[`bus ${shape} round trip p50`];
  }
  return figures;
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const unitOf = (name) => (name.startsWith('ratio') ? 'x' : name.includes('round trip') ? 'µs' : '1/s');

function printTable(figures) {
  const cell = (value, name) => {
    if (value === undefined) return '-';
    return unitOf(name) === 'µs' || unitOf(name) === 'x' ? value.toFixed(1) : Math.round(value).toLocaleString('en');
  };
  const row = (cells) =>
    console.log(cells.map((text, index) => (index === 0 ? text.padEnd(28) : text.padStart(14))).join(''));
  row(['median of the passes', 'bus', 'MessagePort', 'piscina']);
  for (const shape of Object.keys(payloads))
    for (const measure of ['one way', 'round trip p50', 'round trip p99', 'pipelined'])
      row([
        `${shape} ${measure}, ${unitOf(measure)}`,
        ...Object.keys(contenders).map((name) => cell(figures.get(`${name} ${shape} ${measure}`), measure)),
      ]);
  console.log('');
  for (const [name, value] of figures)
    if (name.startsWith('ratio')) console.log(`${name.slice(6).padEnd(36)}${value.toFixed(1)} x`);
}

function currentCommit() {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown';
  }
}

async function main() {
  const options = benchArguments('bench:bus', {
    passes: { meaning: 'passes, of whose figures the median is told', usual: 5 },
    json: { meaning: 'file for the figures', usual: '' },
  });
  const passes = [];
  for (let pass = 0; pass < options.passes; pass++) passes.push(await runPass());
  const figures = new Map(Object.keys(passes[0]).map((name) => [name, median(passes.map((pass) => pass[name]))]));
  printTable(figures);
  const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}`;
  const commit = currentCommit();
  const lines = [...figures].map(([name, value]) => ({
    name: `bus: ${name}`,
    unit: unitOf(name),
    median: value,
    runs: passes.length,
    machine,
    commit,
  }));
  if (options.json !== '') writeFileSync(options.json, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
}

if (isMainThread) await main();
else if (workerData?.kind === 'bus') answerOnBus(workerData);
else if (workerData?.kind === 'port') answerOnPort(workerData);
