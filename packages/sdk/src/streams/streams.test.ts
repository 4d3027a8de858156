import { describe, expect, it } from '@jest/globals';
import { createClient, createPublicClient, custom, fallback, http, webSocket } from 'viem';
import { failover } from '../failover.ts';
import { definePrimeChain } from '../chain.ts';
import { alice, trade } from '../testing/node/events.ts';
import { TestChain } from '../testing/node/testChain.ts';
import { TestMarket } from '../testing/node/testMarket.ts';
import { TestNode } from '../testing/node/testNode.ts';
import { Signal } from '../testing/node/until.ts';
import { primeStreamActions } from './streamActions.ts';
import { createStreams, sessionOf } from './streams.ts';

const chain = definePrimeChain({ id: 7919, http: ['http://one.invalid', 'https://two.invalid'] });

/** URLs that a session tries; they are told by its first attempts. */
const urlOf = (client: Parameters<typeof sessionOf>[0]): string => {
  const session = sessionOf(client);
  const leave = session.join({
    onLink: () => undefined,
    onHead: () => undefined,
    onDown: () => undefined,
    onOver: () => undefined,
  });
  const { status } = session;
  leave();
  return status.status === 'connecting' ? status.url : status.status;
};

describe('the connection of a client', () => {
  it('is that of the streams that it is given or has, and one for all of its watchers', () => {
    const streams = createStreams({ urls: ['http://a.invalid'] });
    expect(sessionOf(streams)).toBe(sessionOf({ streams }));
    const client = createClient({ transport: http('http://b.invalid') });
    expect(sessionOf(client)).toBe(sessionOf(client));
  });

  it.each([
    ['http', createClient({ transport: http('https://c.invalid/path') }), 'wss://c.invalid/path'],
    [
      'fallback',
      createClient({ transport: fallback([http('http://d.invalid'), http('http://e.invalid')]) }),
      'ws://d.invalid',
    ],
    [
      'failover',
      createClient({ transport: failover([http('http://d.invalid'), http('http://e.invalid')]) }),
      'ws://d.invalid',
    ],
    ['http without a URL, of its chain', createClient({ chain, transport: http() }), 'ws://one.invalid'],
  ])('is made to the URL of its transport: %s', (_, client, url) => {
    expect(urlOf(client)).toBe(url);
  });

  it.each([
    ['a wallet without a chain', createClient({ transport: custom({ request: async () => null }) })],
    ['a WebSocket, whose URL viem does not tell', createClient({ chain, transport: webSocket('ws://f.invalid') })],
  ])('is refused where no URL is known: %s', (_, client) => {
    expect(() => sessionOf(client)).toThrow(expect.objectContaining({ code: 'STREAM_NO_URL', isFatal: true }));
  });
});

describe('a viem client with streams', () => {
  it.each(['its own transport', 'streams that it is given'])(
    'watches the node of %s, over one connection',
    async (whose) => {
      const chainOfNode = new TestChain();
      const node = await TestNode.start(chainOfNode);
      new TestMarket(chainOfNode).serve(node);
      const own = whose === 'its own transport';
      const streams = createStreams({ urls: [node.url] });
      const transport = http(own ? node.url.replace('ws', 'http') : 'http://g.invalid');
      const client = createPublicClient({ transport }).extend(primeStreamActions(own ? undefined : streams));
      const signal = new Signal();
      const told: string[] = [];
      const put = (what: string) => (): void => {
        told.push(what);
        signal.notify();
      };
      const live = new Set<string>();
      const onStatus =
        (what: string) =>
        (status: string): void => {
          if (status === 'live') live.add(what);
          signal.notify();
        };
      const market = { marketId: 1 };
      const ends = [
        client.watchTrades({ market, onTrades: put('trades'), onStatus: onStatus('trades') }),
        client.watchFills({ address: alice, onFills: put('fills'), onStatus: onStatus('fills') }),
        client.watchOrderBook({ market, onOrderBook: put('book'), onStatus: onStatus('book') }),
        client.watchOrders({ address: alice, onOrders: put('orders'), onStatus: onStatus('orders') }),
        client.watchDomainEvents({
          kind: 'trade',
          onEvents: ([event]) => put(`trade ${event!.data.tradeId}`)(),
          onStatus: onStatus('events'),
        }),
      ];
      const state = client.createLocalAccountState({ address: alice });
      const unwatch = client.watchAccount({ address: alice, onAccount: () => signal.notify() });
      await state.whenSure();
      await signal.until(() => live.size === 5);
      expect(node.connections).toBe(1);
      told.length = 0;
      chainOfNode.add([{ ...trade(1), data: { ...trade(1).data, taker_order_id: 1 } }], { bids: [[1n, 1n]] });
      node.show();
      await signal.until(() => told.length >= 4);
      expect(told.toSorted()).toEqual(['book', 'fills', 'trade 1', 'trades']);
      for (const end of [...ends, unwatch]) end();
      state.stop();
      await node.stop();
      expect(sessionOf(own ? client : streams).status).toEqual({ status: 'idle' });
    },
  );
});
