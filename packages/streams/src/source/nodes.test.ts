import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StreamsError } from '../errors.ts';
import { type Answer, FakeNode } from '../testing/fakeNode.ts';
import { Nodes } from './nodes.ts';

const block = 'prime_getBlockByNumber';
const refusal = (code: number, message: string, data?: unknown): Answer => ({ error: { code, message, data } });
const pruned = (oldest: number): Answer => refusal(4444, 'history pruned', { oldest: `0x${oldest.toString(16)}` });
const hidden = refusal(-32004, 'disabled');

let nodes: FakeNode[];
let unansweredCount: number;
const warnings: string[][] = [];
const log = {
  info: () => undefined,
  warn: (fields: object) => void warnings.push((fields as { reasons: string[] }).reasons),
  error: () => undefined,
};
beforeEach(async () => {
  nodes = [await FakeNode.start(), await FakeNode.start()];
  unansweredCount = 0;
  warnings.length = 0;
});
afterEach(() => nodes.forEach((node) => node.close()));

const never = new AbortController().signal;
const opened = async (...urls: readonly string[]): Promise<Nodes> =>
  (await Nodes.open({ urls, headers: {}, log, onUnanswered: () => unansweredCount++ }, never))!;
const both = (): Promise<Nodes> => opened(...nodes.map(({ url }) => url));

async function errorOf(promise: Promise<unknown>): Promise<StreamsError> {
  const thrown = await promise.catch((error: unknown) => error);
  if (thrown instanceof StreamsError) return thrown;
  throw new Error('it was not refused', { cause: thrown });
}

describe('several nodes as one', () => {
  it('a block that none of them keeps is refused, with what to do', async () => {
    nodes[0]!.answers[block] = () => pruned(90);
    nodes[1]!.answers[block] = () => pruned(50);
    const error = await errorOf((await both()).read(5, never));
    expect(error.detail).toEqual({ code: 'STREAMS_HISTORY_PRUNED', height: 5, oldest: 50 });
    expect(error.message).toContain('the oldest kept is 50: name a node in source.urls that keeps all blocks');
    expect(unansweredCount).toBe(0);
  });

  it('one that keeps the block is asked after one that does not, and first from then on', async () => {
    nodes[0]!.answers['question'] = () => pruned(90);
    const ask = await both();
    const question = (client: { request: (args: never) => Promise<unknown> }): Promise<unknown> =>
      client.request({ method: 'question' } as never);
    nodes[1]!.answers['question'] = () => ({ result: 'told' });
    for (let times = 0; times < 2; times++) expect(await ask.ask('it', 5, never, question as never)).toBe('told');
    expect(nodes[0]!.asked.filter((method) => method === 'question')).toHaveLength(1);
  });

  it('what the privacy fork hides everywhere is refused, with what to do', async () => {
    for (const node of nodes) node.answers[block] = () => hidden;
    const error = await errorOf((await both()).read(5, never));
    expect([error.code, error.message]).toEqual([
      'STREAMS_HIDDEN',
      expect.stringContaining("name the operator's surface of a node of your own"),
    ]);
  });

  it('where one node prunes and the other is away for now, it is asked again', async () => {
    nodes[0]!.answers[block] = () => pruned(90);
    let times = 0;
    const stop = new AbortController();
    nodes[1]!.answers[block] = () => {
      if (++times === 3) stop.abort();
      return refusal(-32005, 'busy', { retry_after_ms: 10 });
    };
    expect(await (await both()).read(5, stop.signal)).toBeNull();
    expect([times, unansweredCount]).toEqual([3, 3]);
    expect(warnings[0]).toEqual([expect.stringContaining('history pruned'), expect.stringContaining('busy')]);
  });

  it('a block that has not come yet is asked for again', async () => {
    const stop = new AbortController();
    let times = 0;
    nodes[0]!.answers[block] = () => {
      if (++times === 2) stop.abort();
      return { result: null };
    };
    expect(await (await opened(nodes[0]!.url)).read(5, stop.signal)).toBeNull();
    expect(warnings[0]).toEqual([`${nodes[0]!.url} does not have it yet`]);
  });

  it('one of another chain is refused', async () => {
    const other = await FakeNode.start('two');
    nodes.push(other);
    nodes[0]!.answers[block] = () => refusal(-32005, 'busy');
    const ask = await opened(nodes[0]!.url, other.url);
    const error = await errorOf(ask.read(5, never));
    expect(error.detail).toMatchObject({
      code: 'STREAMS_OTHER_CHAIN',
      where: other.url,
      expected: ask.chain.genesisHash,
    });
  });

  it('the chain is asked for until a node says it', async () => {
    const genesis = nodes[0]!.answers['prime_getGenesis']!;
    let times = 0;
    nodes[0]!.answers['prime_getGenesis'] = (params) => (++times < 3 ? refusal(-32005, 'busy') : genesis(params));
    expect((await opened(nodes[0]!.url)).chain.chainId).toBe(77);
    expect(unansweredCount).toBe(2);
  });
});
