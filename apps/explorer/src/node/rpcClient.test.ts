import { describe, expect, it } from '@jest/globals';
import { getMarkets } from '@prime/sdk';
import { createRpcClient, type EndedCall, isUnreachable, lacksMethod, NoAnswer } from './rpcClient.ts';

type Body = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };

/** A client of a node that answers with a function. */
function clientOf(answer: (body: Body | Body[]) => unknown) {
  const bodies: (Body | Body[])[] = [];
  const calls: EndedCall[] = [];
  const fetch = (async (_url: string, { body }: { body: string }) => {
    bodies.push(JSON.parse(body) as Body);
    const answered = answer(bodies.at(-1)!);
    if (answered instanceof Error) throw answered;
    return new Response(typeof answered === 'string' ? answered : JSON.stringify(answered));
  }) as unknown as typeof globalThis.fetch;
  const client = createRpcClient({ url: 'http://node', fetch, onCall: (call) => calls.push(call) });
  return { client, bodies, calls };
}

const echo = (body: Body | Body[]): unknown => {
  const one = ({ id, method, params }: Body): object => ({ jsonrpc: '2.0', id, result: [method, ...params] });
  // In another order than asked.
  return Array.isArray(body) ? body.map(one).toReversed() : one(body);
};
const failureOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

describe('calls of one turn', () => {
  it('go out together, and each gets its own answer', async () => {
    const { client, bodies, calls } = clientOf(echo);
    const asked = ['a', 'b', 'c'].map((method) => client.request({ method, params: [method] }));
    expect(await Promise.all(asked)).toEqual([
      ['a', 'a'],
      ['b', 'b'],
      ['c', 'c'],
    ]);
    expect(bodies.length).toBe(1);
    expect(calls.map(({ method, outcome }) => [method, outcome])).toEqual(
      ['a', 'b', 'c'].map((name) => [name, 'answered']),
    );
    expect(await client.request({ method: 'd' })).toEqual(['d']);
    expect(bodies[1]).toMatchObject({ method: 'd', params: [] });
  });

  it('beyond 40 are several requests', async () => {
    const { client, bodies } = clientOf(echo);
    const answers = await Promise.all(
      Array.from({ length: 81 }, (_, index) => client.request({ method: `m${index}` })),
    );
    expect(answers).toEqual(Array.from({ length: 81 }, (_, index) => [`m${index}`]));
    expect(bodies.map((body) => (Array.isArray(body) ? body.length : 1))).toEqual([40, 40, 1]);
  });
});

describe('a call without an answer', () => {
  it('of which some in a batch are refused fails alone, with what the node said', async () => {
    const error = { code: -32601, message: 'no such method', data: { a: 1 } };
    const { client } = clientOf((body) =>
      (body as Body[]).map(({ id, method }) => (method === 'bad' ? { id, error } : { id, result: 1 })),
    );
    const [good, bad] = await Promise.all([
      client.request({ method: 'good' }),
      failureOf(client.request({ method: 'bad' })),
    ]);
    expect(good).toBe(1);
    expect(bad).toMatchObject({ ...error, kind: 'refused', method: 'bad' });
    expect([lacksMethod(bad), isUnreachable(bad)]).toEqual([true, false]);
  });

  it('because the whole batch was refused fails with that', async () => {
    const { client } = clientOf(() => ({ id: null, error: { code: -32005, message: 'busy' } }));
    const failures = await Promise.all(['a', 'b'].map((method) => failureOf(client.request({ method }))));
    expect(failures).toMatchObject(['a', 'b'].map((method) => ({ code: -32005, message: 'busy', method })));
  });

  it('from a node that is away says so', async () => {
    const { client, calls } = clientOf(() => new TypeError('fetch failed'));
    const failure = await failureOf(client.request({ method: 'a' }));
    expect(failure).toMatchObject({ kind: 'unreachable' });
    expect([isUnreachable(failure), lacksMethod(failure), calls[0]!.outcome]).toEqual([true, false, 'unreachable']);
  });

  it.each([
    ['a page', '<!doctype html>'],
    ['nothing', ''],
    ['a number', 5],
    ['null', null],
    ['an empty list', []],
    ['another id', { id: 9, result: 1 }],
    ['neither result nor error', { id: 0 }],
    ['an error that is none', { id: 0, error: 'x' }],
  ])('because %s came in its place is malformed', async (_name, answer) => {
    const { client } = clientOf(() => answer);
    const failure = await failureOf(client.request({ method: 'a' }));
    expect(failure).toBeInstanceOf(NoAnswer);
    expect(failure).toMatchObject({ kind: 'malformed', method: 'a' });
  });
});

describe('actions of the SDK', () => {
  it('read through the client', async () => {
    const { client } = clientOf(() => ({ id: 0, result: [] }));
    expect(await getMarkets(client.sdk)).toEqual([]);
  });

  it('tell a node that is away from one that says no, and from one that lacks the method', async () => {
    const away = await failureOf(getMarkets(clientOf(() => new TypeError('fetch failed')).client.sdk));
    expect([isUnreachable(away), lacksMethod(away)]).toEqual([true, false]);
    const refused = (code: number) =>
      failureOf(getMarkets(clientOf(() => ({ id: 0, error: { code, message: 'no' } })).client.sdk));
    for (const [code, lacks] of [
      [-32601, true],
      [-32005, false],
    ] as const) {
      const failure = await refused(code);
      expect([isUnreachable(failure), lacksMethod(failure)]).toEqual([false, lacks]);
    }
  });
});
