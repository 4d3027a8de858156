import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createBookPrice, createFixedPrice, createHttpPrice, getJson } from './prices.ts';

const level = (price: bigint) => ({ price, size: 1n });
const empty = { bids: [], asks: [] };

describe('the fair price', () => {
  it('of a book is its middle, else the last price, else the start', () => {
    let last: bigint | null = null;
    const source = createBookPrice(() => last, 50n);
    expect(source.price({ bids: [level(1_000n)], asks: [level(1_010n)] }, 0)).toBe(1_005n);
    expect(source.price(empty, 0)).toBe(50n);
    last = 77n;
    expect(source.price({ bids: [level(1_000n)], asks: [] }, 0)).toBe(77n);
  });

  it.each([
    [1_050n, 1_025n],
    [1_051n, 7n],
  ])('of quotes of 1000 and %s is %s: what is too far apart says nothing', (ask, price) => {
    expect(createBookPrice(() => 7n, null).price({ bids: [level(1_000n)], asks: [level(ask)] }, 0)).toBe(price);
  });

  it('may be fixed', () => {
    expect(createFixedPrice(5n).price(empty, 0)).toBe(5n);
  });

  it('from outside is as old as its question, and what is no number is told', async () => {
    const answers: ((value: unknown) => void)[] = [];
    const troubles: string[] = [];
    let ask = (): void => undefined;
    let nowMs = 1_000;
    const source = createHttpPrice({
      url: 'http://price.example',
      field: 'data.price',
      pollMs: 10,
      maxAgeMs: 100,
      parse: (text) => BigInt(Math.round(Number(text) * 10)),
      now: () => nowMs,
      every: (_ms, work) => {
        ask = work;
        return () => undefined;
      },
      get: () => new Promise((resolve) => answers.push(resolve)),
      onTrouble: (message) => void troubles.push(message),
    });
    const answer = async (value: unknown): Promise<void> => {
      answers.shift()!(value);
      await new Promise((resolve) => setImmediate(resolve));
    };
    nowMs = 1_050;
    ask();
    expect([answers.length, source.price(empty, 1_050)]).toEqual([1, null]);
    await answer({ data: { price: '12.5' } });
    expect([source.price(empty, 1_099), source.price(empty, 1_100), source.price(empty, 1_101)]).toEqual([
      125n,
      125n,
      null,
    ]);
    ask();
    await answer({ data: {} });
    expect(troubles).toEqual(['the answer has no number at "data.price"']);
    nowMs = 2_000;
    ask();
    await answer({ data: { price: 13 } });
    expect(source.price(empty, 2_000)).toBe(130n);
  });
});

describe('an answer of a price source', () => {
  let server: Server | null = null;
  afterEach(() => {
    server?.close();
    server?.closeAllConnections();
  });
  async function serve(answer: RequestListener): Promise<string> {
    server = createServer(answer);
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }
  const padded = (bytes: number): string => `{"price":1}${' '.repeat(bytes - '{"price":1}'.length)}`;

  it.each([
    [200, '{"price":1}', { price: 1 }],
    [299, '{"price":1}', { price: 1 }],
    [300, '{"price":1}', 'the answer has the status 300'],
    [500, '{"price":1}', 'the answer has the status 500'],
    [200, '<html>', 'is not valid JSON'],
    [200, '', 'JSON'],
    [200, padded(1_048_576), { price: 1 }],
    [200, padded(1_048_577), 'the answer is longer than 1048576 bytes'],
  ])('with status %i and the body %.12j is taken only where it is good JSON: %j', async (status, body, expected) => {
    const url = await serve((_, response) => response.writeHead(status).end(body));
    const got = getJson(url, 60_000);
    if (typeof expected === 'string') await expect(got).rejects.toThrow(expected);
    else expect(await got).toEqual(expected);
  });

  it.each([
    ['never begins', () => undefined],
    ['never ends', (response: { write: (text: string) => unknown }) => response.write('{"price":')],
  ])('that %s is given up', async (_, answer) => {
    const url = await serve((_request, response) => void answer(response));
    await expect(getJson(url, 50)).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
