import { describe, expect, it } from '@jest/globals';
import { trade } from '../../testing/node/events.ts';
import { ManualTimers } from '../../testing/node/manualTimers.ts';
import { TestChain } from '../../testing/node/testChain.ts';
import { Signal, untilHolds } from '../../testing/node/until.ts';
import type { StreamError } from '../errors.ts';
import { createStreams, sessionOf, type Streams, type StreamsOptions } from '../streams.ts';
import { watchTrades } from '../watchTrades.ts';
import type { SessionStatus } from './session.ts';
import { useStreams } from '../../testing/node/useStreams.ts';

const { startNode, streamsOf } = useStreams();

interface Followed {
  readonly streams: Streams;
  readonly ids: number[];
  readonly errors: StreamError[];
  readonly statuses: SessionStatus[];
  readonly signal: Signal;
}

/** Trades of a chain from block 1 on. */
function follow(urls: readonly string[], options: Partial<StreamsOptions> = {}): Followed {
  const streams = streamsOf(urls, options);
  const followed = { streams, ids: [] as number[], errors: [] as StreamError[], statuses: [] as SessionStatus[] };
  const signal = new Signal();
  streams.onStatus(signal.into(followed.statuses));
  watchTrades(streams, {
    market: 1,
    fromBlock: 1n,
    onTrades: (trades) => {
      followed.ids.push(...trades.map(({ tradeId }) => tradeId));
      signal.notify();
    },
    onError: signal.into(followed.errors),
  });
  return { ...followed, signal };
}

function tradingChain(blocks: number, name = 'a'): TestChain {
  const chain = new TestChain(name);
  for (let id = 1; id <= blocks; id++) chain.add([trade(id)]);
  return chain;
}
/** Everything that the node sent before has come when this resolves. */
const roundTrip = (streams: Streams): Promise<void> =>
  new Promise((resolve, reject) => {
    const leave = sessionOf(streams).join({
      onLink: (link) => {
        link.request('eth_blockNumber', []).then(() => resolve(), reject);
        queueMicrotask(() => leave());
      },
      onHead: () => undefined,
      onDown: reject,
      onOver: reject,
    });
  });
const detailsOf = ({ errors }: Followed): unknown[] => errors.map(({ detail }) => detail);
const connected = ({ statuses }: Followed): boolean => statuses.at(-1)?.status === 'connected';

describe('a connection', () => {
  it('that is half open is noticed by a ping that nobody answers, and the next node goes on', async () => {
    const chain = tradingChain(3);
    const [silent, other] = [await startNode(chain), await startNode(chain)];
    const timers = new ManualTimers();
    const options = { heartbeatMs: 1_000, heartbeatTimeoutMs: 300, environment: timers.environment };
    const followed = follow([silent.url, other.url], options);
    await followed.signal.until(() => followed.ids.length === 3);
    silent.isMute = true;
    const pings = silent.asked.filter((method) => method === 'net_version').length;
    timers.advance(1_000);
    expect(connected(followed)).toBe(true);
    timers.advance(299);
    expect(connected(followed)).toBe(true);
    timers.advance(1);
    expect(followed.errors.map(({ detail }) => detail)).toEqual([
      { code: 'STREAM_TIMEOUT', url: silent.url, method: 'ping', timeoutMs: 300 },
    ]);
    chain.add([trade(4)]);
    other.show();
    timers.advance(1);
    await followed.signal.until(() => followed.ids.length === 4);
    expect(pings).toBe(0);
  });

  it('that is quiet and alive is kept', async () => {
    const chain = tradingChain(1);
    const node = await startNode(chain);
    const timers = new ManualTimers();
    const followed = follow([node.url], {
      heartbeatMs: 1_000,
      heartbeatTimeoutMs: 300,
      environment: timers.environment,
    });
    await followed.signal.until(() => followed.ids.length === 1);
    for (let ping = 1; ping <= 5; ping++) {
      timers.advance(1_000);
      await untilHolds(() => node.asked.filter((method) => method === 'net_version').length === ping);
      // The answer has to come before time goes on.
      await roundTrip(followed.streams);
    }
    timers.advance(299);
    expect(followed.errors).toEqual([]);
    expect(connected(followed)).toBe(true);
  });

  it('whose request is not answered in time is given up, also while heads come', async () => {
    const chain = tradingChain(2);
    const node = await startNode(chain);
    const timers = new ManualTimers();
    const followed = follow([node.url], {
      heartbeatMs: 1_000,
      requestTimeoutMs: 2_500,
      environment: timers.environment,
    });
    node.tamper = (text) => (text.includes('"transaction_hash"') ? null : text);
    await untilHolds(() => node.asked.includes('prime_getDomainEvents'));
    for (let second = 0; second < 3; second++) {
      chain.add();
      node.show();
      await roundTrip(followed.streams);
      timers.advance(1_000);
    }
    expect(detailsOf(followed)).toContainEqual({
      code: 'STREAM_TIMEOUT',
      url: node.url,
      method: 'prime_getDomainEvents',
      timeoutMs: 2_500,
    });
  });

  it('that does not open in time is given up for the next node', async () => {
    const chain = tradingChain(1);
    const node = await startNode(chain);
    const timers = new ManualTimers();
    const dead = 'ws://dead.invalid';
    const { openSocket } = timers.environment;
    const environment = {
      ...timers.environment,
      openSocket: (url: string) =>
        url === dead
          ? {
              onopen: null,
              onmessage: null,
              onclose: null,
              onerror: null,
              send: () => undefined,
              close: () => undefined,
            }
          : openSocket(url),
    };
    const followed = follow([dead, node.url], { connectTimeoutMs: 700, environment });
    timers.advance(699);
    expect(followed.errors).toEqual([]);
    timers.advance(1);
    // The failed promise has to be seen before the session waits.
    await followed.signal.until(() => followed.errors.length > 0);
    expect(detailsOf(followed)).toEqual([{ code: 'STREAM_TIMEOUT', url: dead, method: 'connect', timeoutMs: 700 }]);
    timers.advance(0);
    await followed.signal.until(() => followed.ids.length === 1);
  });

  it('without a new block for long is given up where that was asked for', async () => {
    const chain = tradingChain(1);
    const node = await startNode(chain);
    const timers = new ManualTimers();
    const followed = follow([node.url], { staleMs: 5_000, heartbeatMs: 60_000, environment: timers.environment });
    await followed.signal.until(() => followed.ids.length === 1);
    timers.advance(4_999);
    chain.add([trade(2)]);
    node.show();
    await followed.signal.until(() => followed.ids.length === 2);
    timers.advance(4_999);
    expect(followed.errors).toEqual([]);
    timers.advance(1);
    expect(detailsOf(followed)).toEqual([
      { code: 'STREAM_TIMEOUT', url: node.url, method: 'newHeads', timeoutMs: 5_000 },
    ]);
  });

  it.each([
    ['no JSON', '{"jsonrpc":', 'JSON'],
    ['no object', '17', 'a message has to be an object, it is 17'],
    ['a notification without params', '{"method":"eth_subscription"}', 'params has to be an object'],
    ['an error to no request', '{"id":null,"error":{"code":-32700,"message":"parse error"}}', 'an error to no request'],
  ])('that sends garbage (%s) is given up, and the stream goes on', async (_, garbage, what) => {
    const chain = tradingChain(2);
    const node = await startNode(chain);
    const followed = follow([node.url]);
    await followed.signal.until(() => followed.ids.length === 2);
    node.say(garbage);
    await followed.signal.until(() => followed.errors.length > 0);
    expect(followed.errors[0]).toMatchObject({ code: 'STREAM_MESSAGE_MALFORMED', isFatal: false });
    expect(followed.errors[0]!.message).toContain(what);
    chain.add([trade(3)]);
    node.show();
    await followed.signal.until(() => followed.ids.length === 3);
    expect(followed.ids).toEqual([1, 2, 3]);
  });

  it('whose messages have a field of another form is given up', async () => {
    const chain = tradingChain(1);
    const node = await startNode(chain);
    const followed = follow([node.url]);
    await followed.signal.until(() => followed.ids.length === 1);
    node.tamper = (text) => text.replace('"size":"0x5"', '"size":"5"');
    chain.add([trade(2)]);
    node.show();
    await followed.signal.until(() => followed.errors.length > 0);
    expect(detailsOf(followed)[0]).toEqual({
      code: 'STREAM_MESSAGE_MALFORMED',
      what: 'size has to be a hex quantity, it is "5"',
    });
    node.tamper = (text) => text;
    await followed.signal.until(() => followed.ids.length === 2);
  });

  it.each([
    ['heads', ['0x2']],
    ['blocks before the head of the next one', ['0x2', '0x3']],
  ])('whose %s leave one out is given up, and nothing is missing', async (_, hidden) => {
    const chain = tradingChain(1);
    const node = await startNode(chain);
    const followed = follow([node.url]);
    await followed.signal.until(() => followed.ids.length === 1);
    const isHidden = (text: string): boolean =>
      text.includes('"block_number":"0x2"') || hidden.some((height) => text.includes(`"number":"${height}"`));
    node.tamper = (text) => (isHidden(text) ? null : text);
    chain.add([trade(2)]);
    chain.add([trade(3)]);
    node.show();
    await followed.signal.until(() => followed.errors.length > 0);
    expect(followed.errors[0]!.detail).toMatchObject({ code: 'STREAM_SEQUENCE_BROKEN' });
    node.tamper = (text) => text;
    await followed.signal.until(() => followed.ids.length >= 3);
    expect(followed.ids).toEqual([1, 2, 3]);
  });

  it.each([
    ['in its first blocks', 3],
    ['and is shorter than what was read', 1],
  ])('to a node of another chain, other %s, is not made again', async (_, length) => {
    const [own, foreign] = [tradingChain(2), tradingChain(length, 'b')];
    const [node, stranger] = [await startNode(own), await startNode(foreign)];
    const followed = follow([node.url, stranger.url]);
    await followed.signal.until(() => followed.ids.length === 2);
    node.drop();
    own.add([trade(3)]);
    node.show();
    await followed.signal.until(() => followed.ids.length === 3);
    const [expected, actual] = [own.blocks[0]!.hash, foreign.blocks[0]!.hash];
    expect(detailsOf(followed)).toContainEqual({ code: 'STREAM_CHAIN_MISMATCH', url: stranger.url, expected, actual });
    const asked = stranger.asked.length;
    node.drop();
    own.add([trade(4)]);
    node.show();
    await followed.signal.until(() => followed.ids.length === 4);
    expect(stranger.asked.length).toBe(asked);
  });

  it('ends for good when no URL is left', async () => {
    const [own, foreign] = [tradingChain(1), tradingChain(1, 'b')];
    const node = await startNode(own);
    const followed = follow([node.url]);
    await followed.signal.until(() => followed.ids.length === 1);
    Object.assign(node.chain, { blocks: foreign.blocks });
    node.drop();
    await followed.signal.until(() => followed.errors.some(({ isFatal }) => isFatal));
    expect(followed.errors.at(-1)).toMatchObject({ code: 'STREAM_NO_URL', isFatal: true });
    expect(followed.streams.status).toEqual({ status: 'closed' });
  });

  it('that the node ends says with which code, and another one is made', async () => {
    const chain = tradingChain(1);
    const node = await startNode(chain);
    const followed = follow([node.url]);
    await followed.signal.until(() => followed.ids.length === 1);
    node.end(1013, 'slow consumer');
    await followed.signal.until(() => followed.errors.length > 0);
    expect(followed.errors[0]!.detail).toEqual({ code: 'STREAM_DISCONNECTED', url: node.url, closeCode: 1013 });
    expect(followed.errors[0]!.message).toContain('slow consumer');
    await followed.signal.until(() => connected(followed));
  });

  it('is not made before somebody watches, and a URL that is none is an error of its own', async () => {
    const node = await startNode(tradingChain(1));
    expect(createStreams({ urls: [node.url] }).status).toEqual({ status: 'idle' });
    const followed = follow(['nonsense', node.url]);
    await followed.signal.until(() => followed.ids.length === 1);
    expect(detailsOf(followed)).toEqual([{ code: 'STREAM_DISCONNECTED', url: 'nonsense', closeCode: null }]);
  });

  it('is told of to its listeners, with how long it waits', async () => {
    const chain = tradingChain(1);
    const node = await startNode(chain);
    const followed = follow([node.url], { environment: { random: () => 0.5 }, backoffBaseMs: 4 });
    await followed.signal.until(() => connected(followed));
    node.drop();
    await followed.signal.until(() => followed.statuses.length === 4);
    const [error] = followed.errors;
    expect(followed.statuses.slice(-3)).toEqual([
      { status: 'connected', url: node.url },
      { status: 'waiting', url: node.url, delayMs: 3, error },
      { status: 'connecting', url: node.url },
    ]);
  });
});
