import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { keepStamps, readStampPage, wallNowMs } from './stageEndpoint.ts';
import { StageReader, type StagedNodeStanding } from './stageReader.ts';

const hash = (index: number): string => `0x${index.toString(16).padStart(16, '0')}`;

/** An admin endpoint in memory, with a ring of one lane. */
class FakeNode {
  readonly #server: Server = createServer((request, response) => this.#answer(request, response));
  /** Stamps that it keeps; 0 is off. */
  kept = 0;
  /** Of the ring. */
  ring = '1-1';
  aheadMs = 0;
  written = 0;
  pageMax = 10;
  readonly paths: string[] = [];
  /** Resolves the next time that stamps are asked for from here on. */
  asked: (after: number) => void = () => undefined;
  #answerWith: ((response: ServerResponse) => void) | null = null;

  async listen(port = 0): Promise<string> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${this.port}`;
  }
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }
  answerWith(answer: (response: ServerResponse) => void): void {
    this.#answerWith = answer;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const receivedUs = this.#nowUs();
    const url = new URL(request.url!, 'http://node');
    this.paths.push(`${request.method} ${request.url}`);
    if (this.#answerWith !== null) return this.#answerWith(response);
    if (request.method === 'POST') {
      void this.#keep(request, response);
      return undefined;
    }
    const times = (): object => ({ receivedUs, answeredUs: this.#nowUs() });
    if (this.kept === 0) return this.#end(response, 200, { on: false, words: 'off', ...times() });
    const limit = Math.min(this.pageMax, Number(url.searchParams.get('limit') ?? this.pageMax));
    const [ring, after] = (url.searchParams.get('after') ?? '').split('.');
    const begin = ring === this.ring ? Number(after) : 0;
    const from = Math.max(begin, this.written - this.kept);
    const to = Math.min(this.written, from + limit);
    const rows = Array.from({ length: to - from }, (_, index) => ['pooled', 0, null, hash(from + index + 1), 5]);
    const page = {
      on: true,
      ring: this.ring,
      next: `${this.ring}.${to}`,
      lost: from - begin,
      more: to < this.written,
      rows,
    };
    this.#end(response, 200, { ...page, ...times() });
    if (limit > 0) this.asked(begin);
    return undefined;
  }
  async #keep(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk);
    if (request.headers.authorization !== 'Bearer secret')
      return this.#end(response, 401, { error: { code: 'OPERATOR_UNAUTHORIZED' } });
    this.kept = (JSON.parse(Buffer.concat(chunks).toString()) as { stamps: number }).stamps;
    return this.#end(response, 200, { on: this.kept > 0, stamps: this.kept });
  }
  #end(response: ServerResponse, status: number, body: object): void {
    response.writeHead(status, { connection: 'close' }).end(JSON.stringify(body));
  }
  #nowUs(): number {
    return Math.round((wallNowMs() + this.aheadMs) * 1_000);
  }
}

const nodes: FakeNode[] = [];
const readers: StageReader[] = [];
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.stop()));
  await Promise.all(nodes.splice(0).map((node) => node.close()));
});
function fake(): FakeNode {
  const node = new FakeNode();
  nodes.push(node);
  return node;
}

/** A reader of these nodes, and the numbers of the items that it brought from each. */
async function read(urls: readonly string[], token: (() => Promise<string>) | null = null) {
  const items: number[][] = urls.map(() => []);
  const reader = new StageReader({
    nodes: urls.map((adminUrl, index) => ({ name: `node${index}`, adminUrl, token })),
    onStamps: (node, stamps) => items[node]!.push(...stamps.map(({ item }) => Number(item))),
    intervalMs: 1,
    stamps: 1_000,
  });
  readers.push(reader);
  await reader.start();
  return { reader, items };
}
/** Resolves when the node was asked for what comes after so many stamps. */
const askedAfter = (node: FakeNode, stamps: number): Promise<void> =>
  new Promise((resolve) => {
    node.asked = (after) => {
      if (after >= stamps) resolve();
    };
  });
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const standing = (reader: StageReader): StagedNodeStanding => reader.standings()[0]!;

describe('a reader of stamps', () => {
  it('brings what is stamped from its begin to its end, page by page, from each node', async () => {
    const [one, other] = [fake(), fake()];
    for (const node of [one, other]) node.kept = 1_000;
    one.written = 25;
    const { reader, items } = await read([await one.listen(), await other.listen()]);
    one.written = 57;
    await askedAfter(one, 57);
    // Nobody asks between this and the stop: the last reading brings it.
    one.written = 70;
    other.written = 11;
    await reader.stop();
    expect(items).toEqual([range(26, 70), range(1, 11)]);
    expect(
      reader.standings().map(({ name, standing: now, stamps, lost, rings }) => [name, now, stamps, lost, rings]),
    ).toEqual([
      ['node0', 'read', 45, 0, 0],
      ['node1', 'read', 11, 0, 0],
    ]);
    expect(one.paths.some((path) => path.startsWith('POST'))).toBe(false);
  });

  it('finds out how far the clock of each is ahead', async () => {
    const [one, other] = [fake(), fake()];
    [one.aheadMs, other.aheadMs] = [5_000, -3_600_000];
    const { reader } = await read([await one.listen(), await other.listen()]);
    await reader.stop();
    for (const [index, node] of [one, other].entries()) {
      const { offsetMs, errorMs } = reader.standings()[index]!.clock!;
      expect(Math.abs(offsetMs - node.aheadMs)).toBeLessThanOrEqual(errorMs + 0.001);
    }
    expect(reader.offsetsMs()).toEqual(reader.standings().map(({ clock }) => clock!.offsetMs));
  });

  it('a node that keeps none, without a token: off, nothing is switched', async () => {
    const node = fake();
    const { reader } = await read([await node.listen()]);
    await reader.stop();
    expect(standing(reader)).toMatchObject({ standing: 'off', trouble: null, stamps: 0 });
    expect([node.kept, node.paths.some((path) => path.startsWith('POST'))]).toEqual([0, false]);
  });

  it('with a token: switched on for the run, and off at its end', async () => {
    const node = fake();
    const { reader, items } = await read([await node.listen()], async () => 'secret');
    expect(node.kept).toBe(1_000);
    node.written = 3;
    await reader.stop();
    expect([items[0], node.kept]).toEqual([range(1, 3), 0]);
  });

  it('stamps that were on before stay on', async () => {
    const node = fake();
    node.kept = 7;
    const { reader } = await read([await node.listen()], async () => 'secret');
    await reader.stop();
    expect(node.kept).toBe(7);
  });

  it('a wrong token, and one that can not be read: trouble in words, and no failure', async () => {
    for (const [token, words] of [
      [async () => 'wrong', /does not tell of stages: 401 .*OPERATOR_UNAUTHORIZED/],
      [() => Promise.reject(new Error('no such file')), /the token of node0 can not be read: no such file/],
    ] as const) {
      const node = fake();
      const { reader } = await read([await node.listen()], token);
      await reader.stop();
      expect(standing(reader)).toMatchObject({ standing: 'off', stamps: 0, trouble: expect.stringMatching(words) });
    }
  });

  it('tells how many went out of the ring before they were read', async () => {
    const node = fake();
    node.kept = 20;
    const { reader, items } = await read([await node.listen()]);
    await reader.stop();
    const later = fake();
    later.kept = 20;
    later.written = 4;
    const second = await read([await later.listen()]);
    later.written = 50;
    await second.reader.stop();
    expect(items[0]).toEqual([]);
    expect(second.items[0]).toEqual(range(31, 50));
    expect(standing(second.reader)).toMatchObject({ stamps: 20, lost: 26 });
  });

  it('a node that goes and comes back with another ring: the others are read on, and it is told', async () => {
    const [one, other] = [fake(), fake()];
    for (const node of [one, other]) node.kept = 100;
    const { reader, items } = await read([await one.listen(), await other.listen()]);
    one.written = 2;
    await askedAfter(one, 2);
    const { port } = one;
    await one.close();
    const seen = other.paths.length;
    while (standing(reader).standing !== 'away' || other.paths.length < seen + 4)
      await new Promise((resolve) => setImmediate(resolve));
    expect(standing(reader).trouble).toContain('no answer from');
    const again = fake();
    [again.kept, again.ring, again.written] = [100, '2-2', 3];
    await again.listen(port);
    await askedAfter(again, 3);
    await reader.stop();
    expect(items[0]).toEqual([1, 2, 1, 2, 3]);
    expect(standing(reader)).toMatchObject({ standing: 'read', trouble: null, rings: 1, stamps: 5 });
  });

  it('an answer that is no page: trouble', async () => {
    for (const body of ['<html>', '{}']) {
      const node = fake();
      node.answerWith((response) => response.writeHead(200, { connection: 'close' }).end(body));
      const { reader } = await read([await node.listen()]);
      await reader.stop();
      expect(standing(reader)).toMatchObject({ standing: 'away', trouble: expect.stringContaining('malformed') });
    }
  });
});

describe('asking one node', () => {
  it('a page, with the four times of the exchange in order', async () => {
    const node = fake();
    [node.kept, node.written] = [10, 4];
    const { page, exchange } = await readStampPage(await node.listen(), '1-1.1', 2);
    expect(page).toMatchObject({ isOn: true, next: '1-1.3', more: true });
    const { sentUs, receivedUs, answeredUs, gotUs } = exchange;
    // Whole µs of a node, and fractions here.
    const times = [sentUs - 1, receivedUs, answeredUs, gotUs + 1];
    expect([...times].sort((a, b) => a - b)).toEqual(times);
    expect(node.paths).toEqual(['GET /stages?after=1-1.1&limit=2']);
  });

  it('nobody there: LOAD_CONNECTION_LOST; no address: LOAD_URL_INVALID; refused: LOAD_STAGES_REFUSED with the status', async () => {
    const node = fake();
    const url = await node.listen();
    await expect(keepStamps(url, 'wrong', 5)).rejects.toMatchObject({
      code: 'LOAD_STAGES_REFUSED',
      detail: { url, status: 401 },
    });
    await keepStamps(url, 'secret', 5);
    expect(node.kept).toBe(5);
    await node.close();
    await expect(readStampPage(url, null, null)).rejects.toMatchObject({ code: 'LOAD_CONNECTION_LOST' });
    await expect(readStampPage('node:9100', null, null)).rejects.toMatchObject({ code: 'LOAD_URL_INVALID' });
  });

  it('an answer without an end: LOAD_ANSWER_MALFORMED at its bound; one that breaks off: LOAD_CONNECTION_LOST', async () => {
    const endless = fake();
    endless.answerWith((response) => void response.writeHead(200).write(Buffer.alloc((4 << 20) + 1, 32)));
    await expect(readStampPage(await endless.listen(), null, null)).rejects.toMatchObject({
      code: 'LOAD_ANSWER_MALFORMED',
    });
    const broken = fake();
    broken.answerWith((response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"on"', () => response.destroy());
    });
    await expect(readStampPage(await broken.listen(), null, null)).rejects.toMatchObject({
      code: 'LOAD_CONNECTION_LOST',
    });
  });
});
