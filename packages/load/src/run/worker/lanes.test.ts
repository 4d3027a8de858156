import { afterEach, describe, expect, it } from '@jest/globals';
import { FakeNode } from '../../testing/fakeNode.ts';
import { type Lane, openLane, type Outcome, type Transport, transports } from './lanes.ts';

let node: FakeNode | null = null;
let lane: Lane | null = null;
afterEach(async () => {
  lane?.close();
  await node?.stop();
  [node, lane] = [null, null];
});

const send = (key: number, method: string): Promise<Outcome> =>
  new Promise((resolve) => lane!.send(key, `"method":"${method}","params":[${key}]`, resolve));

async function open(transport: Transport, answer?: FakeNode['answer']): Promise<FakeNode> {
  node = await FakeNode.start(answer);
  lane = await openLane(node.url, transport, 2);
  node.requests.length = 0;
  return node;
}

/** Asks again and again until it holds: what waits for a reconnection has no event of its own. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A connection that is opened anew may still be refused: then once more. */
async function sendUntilAnswered(method: string): Promise<Outcome> {
  for (;;) {
    await until(() => lane!.isUp);
    const outcome = await send(1, method);
    if (outcome.kind !== 'unknown') return outcome;
  }
}

describe.each(transports)('a lane over %s', (transport) => {
  it('hands out results, refusals with code and data, and what the node does not know itself', async () => {
    await open(transport, ({ method }) => {
      if (method === 'refuse') return { error: { code: -32_000, message: 'no', data: { kind: 'x' } } };
      if (method === 'unsure')
        return { error: { code: -32_000, message: 'late', data: { reason: 'outcome_unknown' } } };
      return { result: method };
    });
    expect(await send(1, 'fine')).toEqual({ kind: 'acknowledged', result: 'fine' });
    expect(await send(1, 'refuse')).toEqual({ kind: 'refused', code: -32_000, message: 'no', data: { kind: 'x' } });
    expect(await send(1, 'unsure')).toEqual({ kind: 'unknown', reason: 'late' });
  });

  it('what was under way when the connection ends is unknown; later requests go over a new one', async () => {
    const { requests } = await open(transport, ({ method }) => (method === 'die' ? 'hang up' : { result: method }));
    const outcomes = await Promise.all([send(1, 'die'), send(3, 'die')]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['unknown', 'unknown']);
    expect(requests.length).toBeGreaterThanOrEqual(1);
    await until(() => lane!.isUp);
    expect(await sendUntilAnswered('again')).toEqual({ kind: 'acknowledged', result: 'again' });
  });

  it('a node that is gone is not up, and comes back', async () => {
    const { port } = await open(transport);
    await node!.stop();
    await until(() => !lane!.isUp);
    expect(await send(1, 'x')).toMatchObject({ kind: 'unknown' });
    node = await FakeNode.start(({ method }) => ({ result: method }), port);
    expect(await sendUntilAnswered('x')).toEqual({ kind: 'acknowledged', result: 'x' });
  });

  it('is not opened where nobody listens', async () => {
    const gone = await FakeNode.start();
    const { url } = gone;
    await gone.stop();
    await expect(openLane(url, transport, 1)).rejects.toMatchObject({ detail: { code: 'LOAD_CONNECTION_LOST' } });
  });
});

it('over WebSockets requests of one key keep their order, over HTTP each waits for a free connection', async () => {
  const keys = Array.from({ length: 300 }, (_, index) => index);
  const overWs = await open('ws');
  await Promise.all(keys.map((key) => send(key % 2, `m${key}`)));
  const odd = overWs.requests.filter(({ params }) => params[0] === 1).map(({ method }) => Number(method.slice(1)));
  expect(odd).toEqual(keys.filter((key) => key % 2 === 1));
  lane!.close();
  await node!.stop();
  const overHttp = await open('http');
  await Promise.all(keys.map((key) => send(key, `m${key}`)));
  expect(overHttp.requests).toHaveLength(300);
});
