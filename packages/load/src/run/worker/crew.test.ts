import { afterEach, describe, expect, it } from '@jest/globals';
import type { Address, Hash } from '@prime/primitives';
import { FakeNode } from '../../testing/fakeNode.ts';
import { Crew } from './crew.ts';
import { Ledger } from '../verdict/ledger.ts';
import type { Assignment, FromWorker, Outcomes, ToWorker } from './messages.ts';
import { connectWorker, listenAsWorker, type WorkerListener } from './remoteWorkers.ts';
import { WorkerService } from './serveWorker.ts';
import type { WorkerLink, WorkerLinkEvents } from './workerLink.ts';

const token = 'a token of tests';
const pace = (rate: number, seconds: number) =>
  ({
    kind: 'open',
    arrivals: 'constant',
    stages: [{ name: 'hold', fromRate: rate, toRate: rate, seconds }],
  }) as const;

/** Operations that every worker of a test sends: its own number and a counter. */
const operationsOf = ({ partition: { worker } }: Assignment) => {
  let count = 0;
  return Promise.resolve({
    next: () => {
      const raw = `0x50${worker.toString(16).padStart(2, '0')}${(count++).toString(16).padStart(8, '0')}`;
      return {
        kind: count % 2 === 0 ? 'even' : 'odd',
        method: 'eth_sendRawTransaction',
        params: JSON.stringify([raw]),
        hash: raw as Hash,
        sender: `0x${worker.toString(16).padStart(40, '0')}` as Address,
      };
    },
  });
};

let node: FakeNode;
let crew: Crew | null = null;
const listeners: WorkerListener[] = [];
afterEach(async () => {
  crew?.close();
  crew = null;
  for (const listener of listeners.splice(0)) await listener.close();
  await node.stop();
});

const assignment = (worker: number, workers: number): Assignment => ({
  work: { name: 'test', toml: '', size: null },
  seed: 1,
  secret: new Uint8Array([1, 2]),
  rate: null,
  partition: { worker, workers },
  facts: { chainId: 1, timeMs: 0, baseFee: 2n ** 80n, gasLimit: 1n, markets: [], nonces: [] },
  urls: [node.url],
  transport: 'ws',
  connections: 1,
  aheadMax: 1000,
  answerMs: 500,
});

/** What a crew tells, put together. */
function listening() {
  const ledger = new Ledger();
  const told: Outcomes[] = [];
  const deaths: string[] = [];
  return {
    ledger,
    told,
    deaths,
    events: {
      onAnnounced: ledger.announced.bind(ledger),
      onOutcomes: (worker: number, outcomes: Outcomes, offsetMs: number) => {
        ledger.told(worker, outcomes, offsetMs);
        told.push(outcomes);
      },
      onDeath: (worker: number, words: string) => void deaths.push(`${worker}: ${words}`),
    },
    sum: (name: 'scheduled' | 'sent' | 'acknowledged' | 'refused' | 'unknown') =>
      told.flatMap(({ kinds }) => kinds).reduce((all, kind) => all + kind[name], 0),
  };
}

/** A worker in this process, over nothing but two functions. */
function localWorker({ onMessage }: WorkerLinkEvents): WorkerLink {
  const service = new WorkerService(operationsOf, onMessage);
  return { name: 'local', send: (message) => void service.take(message), close: () => service.close() };
}

/** A worker behind a TCP connection. */
async function remoteWorker(): Promise<(events: WorkerLinkEvents) => Promise<WorkerLink>> {
  const listener = await listenAsWorker({ host: '127.0.0.1', port: 0, token, say: () => undefined, operationsOf });
  listeners.push(listener);
  return (events) => connectWorker(`127.0.0.1:${listener.port}`, token, events);
}

describe('a crew', () => {
  it.each(['local', 'remote'])(
    'of %s workers sends what is due, each its own part, and tells everything',
    async (kind) => {
      node = await FakeNode.start(({ params: [raw] }) =>
        String(raw).endsWith('3') ? { error: { code: -32_000, message: 'no 3' } } : { result: raw },
      );
      const { events, sum, ledger, told } = listening();
      const openers = kind === 'local' ? [localWorker, localWorker] : [await remoteWorker(), await remoteWorker()];
      crew = await Crew.open(openers, events, () => performance.now());
      await crew.prepare((worker) => assignment(worker, 2));
      await crew.sign(30);
      expect([...ledger.entries]).toHaveLength(60);
      await crew.run(pace(200, 0.5)).ended;
      expect(sum('scheduled')).toBe(100);
      expect(sum('sent')).toBe(100);
      expect(sum('acknowledged') + sum('refused')).toBe(100);
      expect(sum('refused')).toBe(6);
      expect(told.flatMap(({ errors }) => errors).every(({ words }) => words === 'no …')).toBe(true);
      const raws = node.requests.map(({ params: [raw] }) => String(raw));
      expect(new Set(raws).size).toBe(100);
      for (const worker of ['00', '01']) {
        const own = raws.filter((raw) => raw.slice(4, 6) === worker);
        expect(own).toHaveLength(50);
        // In their order, whatever became of each.
        expect(own).toEqual(own.toSorted());
      }
      expect(crew.summaries.map(({ sent, died }) => [sent, died])).toEqual([
        [50, null],
        [50, null],
      ]);
    },
  );

  it('goes on without a worker that dies, and says so; what it announced is known', async () => {
    node = await FakeNode.start();
    const { events, deaths, ledger, sum } = listening();
    const dying = await remoteWorker();
    crew = await Crew.open([localWorker, dying], events, () => performance.now());
    await crew.prepare((worker) => assignment(worker, 2));
    await crew.sign(20);
    const { ended } = crew.run(pace(200, 1));
    await listeners[0]!.close();
    await ended;
    expect(deaths).toEqual(['1: the connection ended']);
    expect(crew.alive).toBe(1);
    expect(sum('scheduled')).toBeGreaterThanOrEqual(100);
    const sent = node.requests.map(({ params: [raw] }) => raw as Hash);
    expect(sent.every((raw) => ledger.entryOf(raw) !== null)).toBe(true);
  });

  it('ends when nothing answers any more, and calls the rest unknown', async () => {
    node = await FakeNode.start(() => 'silence');
    const { events, sum } = listening();
    crew = await Crew.open([localWorker], events, () => performance.now());
    await crew.prepare((worker) => assignment(worker, 1));
    await crew.run(pace(100, 0.2)).ended;
    expect(sum('unknown')).toBe(20);
  });

  it('clients that wait have no more under way than they are', async () => {
    let [underWay, most] = [0, 0];
    node = await FakeNode.start(({ id }) => {
      most = Math.max(most, ++underWay);
      underWay--;
      return { result: id };
    });
    const { events, sum, told } = listening();
    crew = await Crew.open([localWorker], events, () => performance.now());
    await crew.prepare((worker) => assignment(worker, 1));
    await crew.run({ kind: 'closed', clients: 3, thinkMs: 1, spread: 'exponential', seconds: 0.3 }).ended;
    expect(sum('acknowledged')).toBe(sum('scheduled'));
    expect(sum('acknowledged')).toBeGreaterThan(10);
    expect(told.every(({ underWay: open }) => open <= 3)).toBe(true);
    expect(most).toBe(1);
  });

  it('can be stopped in the middle', async () => {
    node = await FakeNode.start();
    const { events, sum } = listening();
    crew = await Crew.open([localWorker], events, () => performance.now());
    await crew.prepare((worker) => assignment(worker, 1));
    const { ended } = crew.run(pace(100, 600));
    crew.stop();
    await ended;
    expect(sum('acknowledged')).toBe(sum('scheduled'));
    expect(sum('scheduled')).toBeLessThan(1000);
  });
});

describe('a worker elsewhere', () => {
  const quiet: WorkerLinkEvents = { onMessage: () => undefined, onEnd: () => undefined };

  it('does not serve who has another token, and serves one coordinator at a time', async () => {
    node = await FakeNode.start();
    const lines: string[] = [];
    const listener = await listenAsWorker({
      host: '127.0.0.1',
      port: 0,
      token,
      say: (line) => void lines.push(line),
      operationsOf,
    });
    listeners.push(listener);
    const address = `127.0.0.1:${listener.port}`;
    await expect(connectWorker(address, 'another token!!!', quiet)).rejects.toMatchObject({
      detail: { code: 'LOAD_WORKER_UNREACHABLE', address },
    });
    const first = await connectWorker(address, token, quiet);
    const failed = new Promise<FromWorker>((resolve) => {
      void connectWorker(address, token, { onMessage: resolve, onEnd: () => undefined });
    });
    expect(await failed).toEqual({ type: 'failed', words: 'this worker has a coordinator already' });
    first.close();
    expect(lines.some((line) => line.includes('another token'))).toBe(true);
  });

  it.each(['nowhere', '127.0.0.1:0', '127.0.0.1:70000', ':7', '127.0.0.1:1'])('is not found at %s', async (address) => {
    node = await FakeNode.start();
    await expect(connectWorker(address, token, quiet)).rejects.toMatchObject({
      detail: { code: 'LOAD_WORKER_UNREACHABLE', address },
    });
  });

  it('carries numbers of any size, bytes and arrays of floats as they are', async () => {
    node = await FakeNode.start();
    const seen: Assignment[] = [];
    const listener = await listenAsWorker({
      host: '127.0.0.1',
      port: 0,
      token,
      say: () => undefined,
      operationsOf: (given) => {
        seen.push(given);
        return operationsOf(given);
      },
    });
    listeners.push(listener);
    const answered = new Promise<FromWorker>((resolve) => {
      void connectWorker(`127.0.0.1:${listener.port}`, token, { onMessage: resolve, onEnd: () => undefined }).then(
        (link) => link.send({ type: 'prepare', assignment: assignment(0, 1) } satisfies ToWorker),
      );
    });
    expect(await answered).toEqual({ type: 'prepared' });
    expect(seen[0]!.facts.baseFee).toBe(2n ** 80n);
    expect([...seen[0]!.secret!]).toEqual([1, 2]);
  });
});
