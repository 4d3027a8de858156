import { afterEach, describe, expect, it } from '@jest/globals';
import { compareStrings } from '@prime/primitives';
import type { WebSocket } from 'ws';
import type { LoadError } from '../errors.ts';
import { serveSockets } from '../testing/socketServer.ts';
import type { LoopClock } from '../openLoop.ts';
import type { StreamTopic } from './streamReader.ts';
import { Subscribers, type SubscribersOptions } from './subscribers.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: readonly [string, Record<string, unknown>?];
}
interface Client {
  readonly kind: string;
  readonly socket: WebSocket;
  tell(result: object): void;
}

/** A node that answers subscriptions, and tells what a test wants it to. */
class FakeStreams {
  readonly clients: Client[] = [];
  readonly requests: string[] = [];
  url = '';
  /** Runs behind each subscription, in the turn of its answer. */
  onSubscribe: (client: Client) => void = () => undefined;
  refuses = false;

  static async start(): Promise<FakeStreams> {
    const streams = new FakeStreams();
    const { url, close } = await serveSockets<Request>((request, socket) => streams.#take(request, socket));
    streams.url = url;
    open.push(close);
    return streams;
  }

  of(kind: string): Client[] {
    return this.clients.filter((client) => client.kind === kind);
  }

  #take({ id, method, params }: Request, socket: WebSocket): void {
    this.requests.push(`${method} ${JSON.stringify(params)}`);
    if (this.refuses) return socket.send(JSON.stringify({ id, error: { code: -32005, message: 'too many' } }));
    const subscription = `0x${this.clients.length}`;
    socket.send(JSON.stringify({ id, result: method === 'prime_unsubscribe' ? true : subscription }));
    if (method === 'prime_unsubscribe') return;
    const tell = (result: object): void =>
      socket.send(JSON.stringify({ method: 'prime_subscription', params: { subscription, result } }));
    const client = { kind: params[0], socket, tell };
    this.clients.push(client);
    this.onSubscribe(client);
  }
}

/** Waits by turns of the event loop, which is when sockets are read. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

/** Wakes at once. */
const clock: LoopClock = { nowMs: () => 0, wakeAt: (_, wake) => void setImmediate(wake) };
const books = (): readonly StreamTopic[] => [{ kind: 'orderBook', market: 1 }];

async function subscribe(streams: FakeStreams, options: Partial<SubscribersOptions> = {}): Promise<Subscribers> {
  const subscribers = await Subscribers.open({
    urls: [streams.url],
    readers: 1,
    topicsOf: books,
    clock,
    unixMs: () => 10_500,
    ...options,
  });
  open.push(() => subscribers.close());
  return subscribers;
}

const empty = { market_id: 1, bids: [], asks: [], checksum: '0x0' };
const snapshot = { ...empty, type: 'snapshot', part: 1, parts: 1, block_number: '0x10', sequence: 16 };
const update = (height: number, after: number, more = {}) => ({
  ...empty,
  type: 'update',
  block_number: `0x${height.toString(16)}`,
  sequence: height,
  previous_sequence: after,
  ...more,
});

describe('Subscribers', () => {
  it('hold many readers, hear each message once, also one in the packet of the answer, and find nothing wrong', async () => {
    const streams = await FakeStreams.start();
    streams.onSubscribe = ({ kind, tell }) => {
      if (kind === 'orderBook') tell(snapshot);
    };
    const subscribers = await subscribe(streams, {
      readers: 70,
      topicsOf: (reader) => [
        { kind: 'orderBook', market: 1 },
        reader % 2 === 0 ? { kind: 'trades', market: 1 } : { kind: 'fills', account: '0xaa' },
      ],
    });
    expect(subscribers.totals()).toMatchObject({ open: 71, faults: 0 });
    expect(
      streams.requests.filter((request) => request === 'prime_subscribe ["fills",{"address":"0xaa"}]'),
    ).toHaveLength(35);
    for (const client of streams.of('orderBook')) client.tell(update(18, 16));
    await until(() => subscribers.totals().messages.orderBook === 140);
    expect(subscribers.totals()).toMatchObject({
      messages: { orderBook: 140, trades: 0, fills: 0, commits: 0 },
      faults: 0,
      lost: 0,
    });
  });

  it('name a message that is skipped, doubled or of a wrong checksum, and begin anew', async () => {
    const cases: [string, readonly object[], string][] = [
      ['skipped', [update(19, 18)], 'follows sequence 18, the last one was 16'],
      ['doubled', [update(18, 16), update(18, 16)], 'came after block 18'],
      ['wrong', [update(18, 16, { checksum: '0x1' })], 'has checksum 0x1, its levels have 0x0'],
    ];
    for (const [what, messages, words] of cases) {
      const streams = await FakeStreams.start();
      streams.onSubscribe = ({ kind, tell }) => {
        if (kind === 'orderBook') tell(snapshot);
      };
      const subscribers = await subscribe(streams);
      for (const message of messages) streams.of('orderBook')[0]!.tell(message);
      await until(
        () => streams.of('orderBook').length === 2 && subscribers.totals().messages.orderBook === messages.length + 2,
      );
      const { faults, firstFaults, lost } = subscribers.totals();
      expect([what, firstFaults[0]]).toEqual([what, expect.stringContaining(words)]);
      expect(firstFaults).toHaveLength(faults);
      expect(lost).toBe(0);
      expect(streams.requests).toContain('prime_unsubscribe ["0x1"]');
      // What comes from now on is checked against the new snapshot.
      streams.of('orderBook')[1]!.tell(update(20, 16));
      await until(() => subscribers.totals().messages.orderBook === messages.length + 3);
      expect([what, subscribers.totals().faults]).toEqual([what, faults]);
    }
  });

  it('connect again when a connection ends, and say why it did', async () => {
    const streams = await FakeStreams.start();
    const subscribers = await subscribe(streams);
    streams.of('orderBook')[0]!.socket.close(1013, 'slow consumer');
    await until(() => subscribers.totals().open === 2 && streams.of('orderBook').length === 2);
    const { lost, firstLost, faults } = subscribers.totals();
    expect([lost, faults]).toEqual([1, 0]);
    expect(firstLost[0]).toMatch(/^reader 0: the connection to .* ended with 1013: slow consumer$/);
  });

  it('tell how long after its block a message came, also when the block’s time is known later', async () => {
    const streams = await FakeStreams.start();
    const delivered: [string, number][] = [];
    const subscribers = await subscribe(streams, { onDelivery: (kind, ms) => delivered.push([kind, ms]) });
    const [book, commits] = [streams.of('orderBook')[0]!, streams.of('commits')[0]!];
    const commit = (height: number, timestampMs: number) => ({
      block_number: `0x${height.toString(16)}`,
      timestamp_ms: `0x${timestampMs.toString(16)}`,
      block_hash: `${height}`,
      parent_hash: `${height - 1}`,
    });
    book.tell(snapshot);
    book.tell(update(17, 16));
    await until(() => subscribers.totals().messages.orderBook === 2);
    expect(delivered).toEqual([]);
    commits.tell(commit(17, 10_000));
    commits.tell(commit(18, 10_400));
    await until(() => subscribers.totals().messages.commits === 2);
    book.tell(update(18, 17));
    await until(() => subscribers.totals().messages.orderBook === 3);
    expect(delivered.map(([kind, ms]) => `${kind} ${ms}`).sort(compareStrings)).toEqual([
      'commits 100',
      'commits 500',
      'orderBook 100',
      'orderBook 500',
    ]);
  });

  it('do not open when the node refuses a subscription, and leave nothing open', async () => {
    const streams = await FakeStreams.start();
    streams.refuses = true;
    const refused = await subscribe(streams).then(
      () => null,
      ({ detail }: LoadError) => detail,
    );
    expect(refused).toMatchObject({ code: 'LOAD_CALL_REFUSED', rpcCode: -32005 });
  });
});
