import { describe, expect, it } from '@jest/globals';
import { trade } from '../testing/node/events.ts';
import { TestChain } from '../testing/node/testChain.ts';
import { RpcFault } from '../testing/node/testNode.ts';
import { Signal } from '../testing/node/until.ts';
import type { StreamError } from './errors.ts';
import { type Streams } from './streams.ts';
import type { LostGap, Overflow, StreamedTrade, StreamStatus } from './types.ts';
import { watchTrades, type WatchTradesParameters } from './watchTrades.ts';
import { useStreams } from '../testing/node/useStreams.ts';

const { startNode, streamsOf } = useStreams();

interface Watched {
  readonly ids: number[];
  readonly blocks: bigint[];
  readonly errors: StreamError[];
  readonly gaps: LostGap[];
  readonly overflows: Overflow[];
  readonly statuses: StreamStatus[];
  readonly signal: Signal;
  readonly unwatch: () => void;
}

function watch(streams: Streams, parameters: Partial<WatchTradesParameters> = {}): Watched {
  const signal = new Signal();
  const seen = {
    ids: [] as number[],
    blocks: [] as bigint[],
    errors: [] as StreamError[],
    gaps: [] as LostGap[],
    overflows: [] as Overflow[],
    statuses: [] as StreamStatus[],
  };
  const unwatch = watchTrades(streams, {
    market: 1,
    onTrades: (trades: readonly StreamedTrade[], { blockNumber }) => {
      seen.ids.push(...trades.map(({ tradeId }) => tradeId));
      signal.into(seen.blocks)(blockNumber);
    },
    onError: signal.into(seen.errors),
    onGap: signal.into(seen.gaps),
    onOverflow: signal.into(seen.overflows),
    onStatus: signal.into(seen.statuses),
    ...parameters,
  });
  return { ...seen, signal, unwatch };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const codes = ({ errors }: Watched): string[] => errors.map(({ code }) => code);

/** A chain whose block n has trade n. */
function tradingChain(blocks: number): TestChain {
  const chain = new TestChain();
  for (let id = 1; id <= blocks; id++) chain.add([trade(id)]);
  return chain;
}

describe('trades of a market', () => {
  it('are told from the block after the newest one on, with what the chain says of them', async () => {
    const chain = tradingChain(2);
    const node = await startNode(chain);
    const trades: StreamedTrade[] = [];
    const { signal, statuses } = watch(streamsOf([node.url]), {
      onTrades: (told) => {
        trades.push(...told);
        signal.notify();
      },
    });
    await signal.until(() => statuses.includes('live'));
    chain.add([trade(3, { price: 70n, fees: -2n }), trade(4, { market_id: 2 })]);
    node.show();
    await signal.until(() => trades.length > 0);
    expect(trades).toEqual([
      {
        blockNumber: 3n,
        blockHash: chain.blocks[3]!.hash,
        timeMs: 3_000,
        marketId: 1,
        tradeId: 3,
        price: 70n,
        size: 5n,
        makerOrderId: 6,
        takerOrderId: 7,
        maker: `0x${'a1'.repeat(20)}`,
        taker: `0x${'b0'.repeat(20)}`,
        side: 'buy',
        fee: -2n,
      },
    ]);
  });

  it('from a block of the past: history first, then the stream, each once', async () => {
    const chain = tradingChain(25);
    const node = await startNode(chain, 20);
    const watched = watch(streamsOf([node.url]), { fromBlock: 11n });
    await watched.signal.until(() => watched.statuses.includes('live'));
    node.show();
    await watched.signal.until(() => watched.ids.length === 15);
    expect(watched.ids).toEqual(upTo(25).slice(10));
  });

  it('of the time without a connection are fetched, wherever the connection broke', async () => {
    const chain = tradingChain(1);
    const node = await startNode(chain);
    const watched = watch(streamsOf([node.url]), { fromBlock: 1n });
    for (let round = 0; round < 10; round++) {
      await watched.signal.until(() => watched.statuses.at(-1) === 'live');
      chain.add([trade(chain.height + 1)]);
      node.show();
      node.drop();
      chain.add([trade(chain.height + 1)]);
      node.show();
      await watched.signal.until(() => watched.ids.length === chain.height);
    }
    expect(watched.ids).toEqual(upTo(21));
    expect(watched.gaps).toEqual([]);
    expect(new Set(codes(watched))).toEqual(new Set(['STREAM_DISCONNECTED']));
  });

  it('go on at the next node, also when that one is behind', async () => {
    const chain = tradingChain(30);
    const [first, second] = [await startNode(chain, 10), await startNode(chain, 8)];
    const watched = watch(streamsOf([first.url, second.url]), { fromBlock: 1n });
    await watched.signal.until(() => watched.ids.length === 10);
    await first.stop();
    await watched.signal.until(() => watched.statuses.at(-1) === 'live' && watched.statuses.length > 2);
    second.show(20);
    await watched.signal.until(() => watched.ids.length === 20);
    second.drop();
    second.show(30);
    await watched.signal.until(() => watched.ids.length === 30);
    expect(watched.ids).toEqual(upTo(30));
  });

  it('beyond a node that lacks too much of what was read', async () => {
    const chain = tradingChain(40);
    const [first, behind, third] = [await startNode(chain), await startNode(chain, 23), await startNode(chain)];
    const watched = watch(streamsOf([first.url, behind.url, third.url]), { fromBlock: 1n });
    await watched.signal.until(() => watched.ids.length === 40);
    await first.stop();
    chain.add([trade(41)]);
    third.show();
    await watched.signal.until(() => watched.ids.length === 41);
    expect(watched.errors.map(({ detail }) => detail)).toContainEqual({
      code: 'STREAM_NODE_BEHIND',
      url: behind.url,
      head: 23n,
      known: 40n,
    });
  });

  it('are fetched in parts where a node answers only so much', async () => {
    const chain = tradingChain(50);
    for (let id = 51; id <= 60; id++) chain.add([trade(3 * id), trade(3 * id + 1), trade(3 * id + 2)]);
    const node = await startNode(chain);
    node.blockRangeMax = 7;
    node.eventCountMax = 2;
    const watched = watch(streamsOf([node.url]), { fromBlock: 1n });
    await watched.signal.until(() => watched.blocks.length === 60);
    expect(watched.ids).toEqual([...upTo(50), ...upTo(182).slice(152)]);
    expect(node.asked).toContain('prime_getBlockByNumber');
  });

  it('that a node does not keep are asked of the others', async () => {
    const chain = tradingChain(30);
    const [young, old] = [await startNode(chain), await startNode(chain)];
    young.oldest = 20;
    const watched = watch(streamsOf([young.url, old.url]), { fromBlock: 1n });
    await watched.signal.until(() => watched.ids.length === 30);
    expect(watched.ids).toEqual(upTo(30));
    expect(watched.gaps).toEqual([]);
  });

  it('that a node does not keep and the others do not have yet are a gap: half an answer would pass for a whole one', async () => {
    const chain = tradingChain(30);
    const [young, behind] = [await startNode(chain), await startNode(chain, 18)];
    young.oldest = 20;
    const watched = watch(streamsOf([young.url, behind.url]), { fromBlock: 1n });
    await watched.signal.until(() => watched.ids.length === 11);
    expect(watched.gaps).toEqual([{ fromBlock: 1n, toBlock: 19n, reason: 'pruned', oldestBlock: 20n }]);
    expect(behind.asked).not.toContain('prime_getDomainEvents');
  });

  it('that nobody keeps are a gap, told at its place', async () => {
    const chain = tradingChain(30);
    const node = await startNode(chain);
    node.oldest = 20;
    const order: unknown[] = [];
    const watched = watch(streamsOf([node.url]), {
      fromBlock: 1n,
      onGap: (gap) => order.push(gap),
      onTrades: ([told]) => {
        order.push(told?.tradeId);
        watched.signal.notify();
      },
    });
    await watched.signal.until(() => order.length === 12);
    const gap = { fromBlock: 1n, toBlock: 19n, reason: 'pruned', oldestBlock: 20n };
    expect(order).toEqual([gap, ...upTo(30).slice(19)]);
  });

  it('that may not be told are a gap that says so, as an error where nobody listens to gaps', async () => {
    const node = await startNode(tradingChain(5));
    node.methods['prime_getDomainEvents'] = () => {
      throw new RpcFault(-32004, 'disabled on the public surface');
    };
    const watched = watch(streamsOf([node.url]), { fromBlock: 1n, onGap: undefined });
    await watched.signal.until(() => watched.errors.length > 0);
    expect(watched.errors[0]).toMatchObject({
      isFatal: false,
      detail: { code: 'STREAM_GAP_LOST', fromBlock: 1n, toBlock: 5n, reason: 'hidden', oldestBlock: null },
    });
  });

  it('for a slow reader: it is told, and has everything in the end', async () => {
    const chain = tradingChain(3);
    const node = await startNode(chain);
    const ids: number[] = [];
    let release: () => void = () => undefined;
    const watched = watch(streamsOf([node.url]), {
      queueMax: 4,
      onTrades: (trades) => {
        ids.push(...trades.map(({ tradeId }) => tradeId));
        watched.signal.notify();
        return ids.length === 1 ? new Promise<void>((resolve) => void (release = resolve)) : undefined;
      },
    });
    await watched.signal.until(() => watched.statuses.includes('live'));
    for (let id = 4; id <= 20; id++) chain.add([trade(id)]);
    node.show();
    await watched.signal.until(() => watched.overflows.length > 0);
    expect(watched.overflows).toEqual([{ fromBlock: 8n, queueMax: 4 }]);
    expect(codes(watched)).toEqual([]);
    expect(ids).toEqual([4]);
    release();
    await watched.signal.until(() => ids.length === 17);
    chain.add([trade(21)]);
    node.show();
    await watched.signal.until(() => ids.length === 18);
    expect(ids).toEqual(upTo(21).slice(3));
    expect(watched.errors).toEqual([]);
  });

  it('for a slow reader who does not listen for that: it is told as an error', async () => {
    const node = await startNode(tradingChain(6));
    const watched = watch(streamsOf([node.url]), {
      onOverflow: undefined,
      queueMax: 1,
      onTrades: () => new Promise(() => undefined),
    });
    await watched.signal.until(() => watched.statuses.includes('live'));
    for (const id of [7, 8, 9]) node.chain.add([trade(id)]);
    node.show();
    await watched.signal.until(() => watched.errors.length > 0);
    expect(watched.errors[0]).toMatchObject({
      isFatal: false,
      detail: { code: 'STREAM_OVERFLOW', fromBlock: 8n, queueMax: 1 },
    });
  });

  it('that come behind later ones are a gap, and the connection is given up', async () => {
    const chain = tradingChain(1);
    const node = await startNode(chain);
    const watched = watch(streamsOf([node.url]));
    await watched.signal.until(() => watched.statuses.includes('live'));
    chain.add([trade(2)]);
    chain.add([trade(3)]);
    let held: string | null = null;
    node.tamper = (text) => {
      if (!text.includes('"trades":')) return text;
      if (held === null && text.includes('"block_number":"0x2"')) {
        held = text;
        return null;
      }
      const late = held;
      if (late !== null) queueMicrotask(() => node.say(late));
      held = '';
      return text;
    };
    node.show();
    await watched.signal.until(() => watched.gaps.length > 0);
    expect(watched.gaps).toEqual([{ fromBlock: 2n, toBlock: 2n, reason: 'disorder', oldestBlock: null }]);
    await watched.signal.until(() => codes(watched).includes('STREAM_SEQUENCE_BROKEN'));
    expect(watched.ids).toEqual([3]);
  });

  it('end when no node will ever tell them', async () => {
    const node = await startNode(tradingChain(1));
    const subscribe = -32010;
    node.methods['eth_subscribe'] = ([kind]) => {
      if (kind === 'newHeads') return '0xff';
      throw new RpcFault(subscribe, 'unknown market 1', { kind: 'unknown_market' });
    };
    const watched = watch(streamsOf([node.url]));
    await watched.signal.until(() => watched.errors.length > 0);
    expect(watched.errors[0]).toMatchObject({
      isFatal: true,
      detail: { code: 'STREAM_REFUSED', kind: 'trades', rpcCode: subscribe, data: { kind: 'unknown_market' } },
    });
    expect(watched.statuses).toEqual(['ended']);
  });

  it('of a node that is too busy now are asked for again', async () => {
    const chain = tradingChain(4);
    const node = await startNode(chain);
    let refusals = 0;
    node.methods['prime_getDomainEvents'] = () => {
      if (++refusals === 2) delete node.methods['prime_getDomainEvents'];
      throw new RpcFault(-32005, 'busy', { limit: 'inFlight', maximum: 1, retry_after_ms: 10 });
    };
    const watched = watch(streamsOf([node.url]), { fromBlock: 1n });
    await watched.signal.until(() => watched.ids.length === 4);
    expect(codes(watched)).toEqual(['STREAM_REQUEST_FAILED', 'STREAM_REQUEST_FAILED']);
    expect(watched.ids).toEqual(upTo(4));
  });

  it('go on when the reader throws, who is told of it', async () => {
    const chain = tradingChain(3);
    const node = await startNode(chain);
    const ids: number[] = [];
    const watched = watch(streamsOf([node.url]), {
      fromBlock: 1n,
      onTrades: ([told]) => {
        ids.push(told!.tradeId);
        watched.signal.notify();
        if (ids.length === 1) throw new Error('of the reader');
        return ids.length === 2 ? Promise.reject(new Error('later')) : undefined;
      },
    });
    await watched.signal.until(() => ids.length === 3);
    expect(watched.errors.map(({ code, details }) => [code, details])).toEqual([
      ['STREAM_HANDLER_FAILED', 'of the reader'],
      ['STREAM_HANDLER_FAILED', 'later'],
    ]);
  });

  it('are not told any more after unwatch, and the connection ends with the last watcher', async () => {
    const chain = tradingChain(1);
    const node = await startNode(chain);
    const streams = streamsOf([node.url]);
    const [one, two] = [watch(streams), watch(streams)];
    await one.signal.until(() => one.statuses.includes('live'));
    await two.signal.until(() => two.statuses.includes('live'));
    expect([node.connections, streams.status.status]).toEqual([1, 'connected']);
    one.unwatch();
    chain.add([trade(2)]);
    node.show();
    await two.signal.until(() => two.ids.length === 1);
    expect(one.ids).toEqual([]);
    two.unwatch();
    expect(streams.status.status).toBe('idle');
    const again = watch(streams, { fromBlock: 2n });
    await again.signal.until(() => again.ids.length === 1);
    streams.close();
    expect(codes(again)).toEqual(['STREAM_CLOSED']);
  });
});
